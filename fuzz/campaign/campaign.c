/* campaign.c - see campaign.h. */
#include "fuzz/campaign/campaign.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fuzz/campaign/files.h"
#include "fuzz/campaign/process.h"
#include "fuzz/campaign/recover.h"
#include "fuzz/campaign/seeds.h"
#include "fuzz/campaign/soak.h"
#include "fuzz/campaign/stats.h"

enum {
  OVERTIME_MS = 2000,   /* what an engine may take to notice that its slice is over */
  STUCK_MS = 60000,     /* past its slice, and without an execution */
  SLICES_A_SHARE = 4,   /* of a cell, at the least */
  READINGS_A_SLICE = 5, /* as long as to run the corpus so often */
  PATIENCE_MS = 3000,   /* from SIGTERM to SIGKILL */
  FAILURES_MAX = 3,
  TICK_US = 50000
};

/* A running child. */
struct slot {
  pid_t child; /* 0: free */
  struct cell *cell;
  uint64_t start_ms;
  uint64_t end_ms; /* of its slice */
  uint64_t slice_ms;
  struct exec_stats *stats;
  uint64_t seen_runs;  /* of stats, when they were seen to grow last… */
  uint64_t seen_ms;    /* …and when that was */
  char nest[PATH_MAX]; /* the folder where it leaves what it finds */
  bool asked;          /* to end, its slice being over */
  bool stuck;
};

struct loop {
  struct campaign *campaign;
  const struct campaign_options *options;
  struct slot *slots;
  uint64_t start_ms;
  uint64_t end_ms;
  uint64_t slice_ms;
  uint64_t slice_longest_ms;  /* where the corpus takes long to run */
  uint64_t elapsed_before_ms; /* of a soak that goes on */
  uint64_t shown_ms;
  uint64_t shown_runs;
  bool stopping;
  char *problem;
  size_t problem_size;
};

/* The only way a signal handler can tell the loop. */
static volatile sig_atomic_t interrupt_seen;

static void
on_interrupt(int number)
{
  (void)number;
  interrupt_seen = 1;
}

/* ---- Cells -------------------------------------------------------------------------------- */

static int
cell_open(struct cell *cell, const struct campaign_options *options, size_t harness,
          const char *corpus, char *problem, size_t problem_size)
{
  const char *name = harness_names[harness];

  cell->source = (struct finding_source){
      .harness = name,
      .dialect = harness == 0 ? PROGRAM_RACTOR : PROGRAM_EVENTS,
      .sanitizer = cell->sanitizer,
      .host = cell->source.host,
      .faults = options->faults,
      .engine = options->engine,
  };
  if ((size_t)snprintf(cell->corpus, sizeof cell->corpus, "%s/%s", corpus, name) >=
      sizeof cell->corpus) {
    snprintf(problem, problem_size, "--corpus: the path is too long");
    return 2;
  }
  if (!folder_prepare(cell->corpus, problem, problem_size) ||
      (options->faults == NULL && !options->no_seeds &&
       !seeds_add(cell->corpus, name, cell->source.dialect, problem, problem_size)))
    return 2;
  if (!engine_find(options->engine, &cell->binaries, cell->sanitizer, options->faults != NULL, name,
                   problem, problem_size))
    return 3;
  return 0;
}

/* Removes the temporary corpus, in which the folders of the cells are. */
static void
drop_corpus(struct campaign *campaign)
{
  char *slash = strrchr(campaign->cells[0].corpus, '/');

  *slash = '\0';
  folder_remove(campaign->cells[0].corpus);
}

/* The corpus folder: given; or empty and temporary when faults are on, so that a time-to-find
 * means something; or the one beside the builds. */
static int
corpus_folder(const struct campaign_options *options, char *path, size_t size, char *problem,
              size_t problem_size)
{
  const char *temporary = getenv("TMPDIR");
  char root[PATH_MAX];

  if (options->corpus != NULL) {
    snprintf(path, size, "%s", options->corpus);
  } else if (options->faults != NULL) {
    snprintf(path, size, "%s/gcstorm-corpus-XXXXXX",
             temporary != NULL && *temporary != '\0' ? temporary : "/tmp");
    if (mkdtemp(path) == NULL) {
      snprintf(problem, problem_size, "cannot make %s: %s; set TMPDIR", path, strerror(errno));
      return 3;
    }
  } else {
    if (!build_root(root, sizeof root)) {
      snprintf(problem, problem_size, "no builds beside the command; run ci/build");
      return 3;
    }
    if ((size_t)snprintf(path, size, "%s/corpus", root) >= size) {
      snprintf(problem, problem_size, "the path of the build folder is too long");
      return 3;
    }
  }
  return 0;
}

/* A plain build runs several times as many programs a second and has every oracle but the
 * sanitizers; programs reach the VM and its oracles, events the bare collector only. */
static unsigned
cell_weight(const struct cell *cell, size_t harness)
{
  unsigned plain = strcmp(cell->sanitizer, "none") == 0 ? 2 : 1;
  unsigned programs = strcmp(harness_names[harness], "ractor_program") == 0 ? 2 : 1;

  return plain * programs;
}

int
campaign_open(struct campaign *campaign, const struct campaign_options *options, char *problem,
              size_t problem_size)
{
  char corpus[PATH_MAX];
  const char *word = options->sanitizers;
  int code;

  memset(campaign, 0, sizeof *campaign);
  if (!findings_open(&campaign->findings, options->findings, problem, problem_size))
    return 2;
  code = corpus_folder(options, corpus, sizeof corpus, problem, problem_size);
  while (code == 0 && *word != '\0') {
    size_t length = strcspn(word, ",");

    for (size_t harness = 0; harness < HARNESS_COUNT && code == 0; harness++) {
      struct cell *cell = &campaign->cells[campaign->cell_count];

      if (!options->harnesses[harness] || campaign->cell_count == CELL_MAX)
        continue;
      snprintf(cell->sanitizer, sizeof cell->sanitizer, "%.*s", (int)strcspn(word, "@,"), word);
      cell->source.host = memchr(word, '@', length) != NULL ? EXEC_HOST_THREADS : options->host;
      cell->weight = cell_weight(cell, harness);
      campaign->cell_count++;
      code = cell_open(cell, options, harness, corpus, problem, problem_size);
    }
    word += length;
    word += *word == ',';
  }
  if (code != 0 && options->corpus == NULL && options->faults != NULL && campaign->cell_count > 0)
    drop_corpus(campaign);
  if (code == 0 && options->soak)
    code = soak_resume(campaign, options, problem, problem_size);
  if (code == 0)
    nests_recover(&campaign->findings, options->faults);
  return code;
}

void
campaign_close(struct campaign *campaign)
{
  findings_close(&campaign->findings);
}

/* ---- Children ----------------------------------------------------------------------------- */

static pid_t
start_child(const struct loop *loop, const struct slot *slot, int log)
{
  struct engine_child child = {
      .binaries = &slot->cell->binaries,
      .corpus = slot->cell->corpus,
      .nest = slot->nest,
      .faults = loop->options->faults,
      .host = exec_host_name(slot->cell->source.host),
      .slice_ms = slot->slice_ms,
      .seed = ((loop->options->seed + loop->campaign->children) & 0x7fffffff) + 1,
  };

  return engine_start(loop->options->engine, &child, log);
}

/* Makes the slot's nest with the counters and the note in it.  Returns its log, or -1. */
static int
nest_open(struct loop *loop, struct slot *slot)
{
  char path[PATH_MAX + 16];
  int log = -1;

  if ((size_t)snprintf(slot->nest, sizeof slot->nest, "%s/.new-%ld-%llu", loop->options->findings,
                       (long)getpid(),
                       (unsigned long long)loop->campaign->children) >= sizeof slot->nest ||
      !folder_prepare(slot->nest, loop->problem, loop->problem_size))
    return -1;
  snprintf(path, sizeof path, "%s/.stats", slot->nest);
  slot->stats = stats_map(path);
  if (slot->stats != NULL && nest_note(slot->nest, &slot->cell->source, slot->cell->corpus)) {
    snprintf(path, sizeof path, "%s/.log", slot->nest);
    log = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  }
  if (log >= 0)
    return log;
  snprintf(loop->problem, loop->problem_size,
           errno == ENOSPC || errno == EDQUOT
               ? "no room for %s: %s; make some, or name another --findings"
               : "cannot write %s: %s",
           path, strerror(errno));
  stats_unmap(slot->stats);
  slot->stats = NULL;
  folder_remove(slot->nest);
  return -1;
}

static bool
slot_start(struct loop *loop, struct slot *slot, struct cell *cell, uint64_t slice_ms)
{
  int log;

  memset(slot, 0, sizeof *slot);
  slot->cell = cell;
  slot->slice_ms = slice_ms;
  loop->campaign->children++;
  log = nest_open(loop, slot);
  if (log < 0)
    return false;
  slot->child = start_child(loop, slot, log);
  close(log);
  if (slot->child < 0) {
    slot->child = 0;
    snprintf(loop->problem, loop->problem_size, "%s (%s) cannot be started: %s",
             cell->source.harness, engine_names[loop->options->engine], strerror(errno));
    return false;
  }
  slot->start_ms = clock_ms();
  slot->end_ms = slot->start_ms + slice_ms;
  slot->seen_ms = slot->start_ms;
  cell->planned_ms += slice_ms;
  return true;
}

/* Takes the escape sequences of colours out. */
static void
strip_colours(char *line)
{
  char *to = line;

  for (const char *from = line; *from != '\0'; from++) {
    if (*from == '\033')
      from += strcspn(from, "mhl\n");
    else if (*from != '\n')
      *to++ = *from;
    if (*from == '\0')
      break;
  }
  *to = '\0';
}

/* The last line of a child's log that says something; below afl-fuzz, the one that says why. */
static void
log_line(const struct slot *slot, char *text, size_t size)
{
  char path[PATH_MAX + 16];
  char line[512];
  FILE *file;

  snprintf(path, sizeof path, "%s/.log", slot->nest);
  snprintf(text, size, "%s", "no message");
  file = fopen(path, "re");
  if (file == NULL)
    return;
  while (fgets(line, sizeof line, file) != NULL) {
    strip_colours(line);
    if (line[0] != '\0' && strncmp(line, "stat::", 6) != 0)
      snprintf(text, size, "%s", line);
    if (strncmp(line, "gcstorm: ", 9) == 0 || strstr(line, "PROGRAM ABORT") != NULL)
      break;
  }
  fclose(file);
}

/* Whether a child did not do its work: the whole slice is its time, and a target that runs nothing
 * in it is too slow, but one that gives up before is broken. */
static bool
child_failed(const struct loop *loop, const struct slot *slot, int status)
{
  if (loop->stopping || (slot->asked && WIFEXITED(status)))
    return false;
  return slot->stuck || !WIFEXITED(status) || WEXITSTATUS(status) != 0 ||
         (slot->stats->runs == 0 && clock_ms() < slot->end_ms);
}

static void
say_failure(struct loop *loop, const struct slot *slot, int status)
{
  char how[80];
  char line[400];

  process_describe(how, sizeof how, status);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
    snprintf(how, sizeof how, "it ends at once, without an execution");
  log_line(slot, line, sizeof line);
  snprintf(loop->problem, loop->problem_size, "%s (%s) does not run: %s: %s",
           slot->cell->source.harness, slot->cell->sanitizer, slot->stuck ? "stuck" : how, line);
}

/* A child ended: takes over its counters and whatever it left.  False: the campaign cannot go
 * on. */
static bool
slot_finish(struct loop *loop, struct slot *slot, int status)
{
  struct cell *cell = slot->cell;
  bool bad = child_failed(loop, slot, status);
  bool good = true;
  int inputs;

  cell->slices++;
  cell->slices_unread += slot->asked && slot->stats->runs <= folder_count(cell->corpus);
  if (slot->stats->runs > 0)
    cell->run_us = (clock_ms() - slot->start_ms) * 1000 / slot->stats->runs;
  stats_add(&cell->sum, slot->stats);
  stats_unmap(slot->stats);
  slot->stats = NULL;
  slot->child = 0;
  engine_collect(loop->options->engine, slot->nest, cell->corpus);
  inputs = findings_harvest(&loop->campaign->findings, slot->nest, &cell->source, loop->problem,
                            loop->problem_size);
  if (inputs < 0) {
    good = false;
  } else if (inputs > 0 || !bad) {
    cell->failures = 0;
  } else if (++cell->failures >= FAILURES_MAX || (WIFEXITED(status) && WEXITSTATUS(status) == 3)) {
    say_failure(loop, slot, status);
    good = false;
  }
  if (good)
    folder_remove(slot->nest);
  return good;
}

static void
stop_children(struct loop *loop, int signal_number)
{
  for (size_t i = 0; i < loop->options->jobs; i++)
    if (loop->slots[i].child != 0)
      kill(-loop->slots[i].child, signal_number);
}

/* ---- The loop ----------------------------------------------------------------------------- */

static struct cell *
neediest_cell(struct campaign *campaign)
{
  struct cell *best = &campaign->cells[0];

  for (size_t i = 1; i < campaign->cell_count; i++)
    if (campaign->cells[i].planned_ms * best->weight < best->planned_ms * campaign->cells[i].weight)
      best = &campaign->cells[i];
  return best;
}

static void
show_progress(struct loop *loop, bool last)
{
  const struct campaign *campaign = loop->campaign;
  bool terminal = isatty(STDERR_FILENO) != 0;
  uint64_t now = clock_ms();
  uint64_t runs = 0, ops = 0;
  size_t corpus = 0;

  if (!last && now - loop->shown_ms < (terminal ? 1000u : 5000u))
    return;
  for (size_t i = 0; i < campaign->cell_count; i++) {
    runs += campaign->cells[i].sum.runs;
    ops += campaign->cells[i].sum.ops;
    if (i == 0 || strcmp(campaign->cells[i].corpus, campaign->cells[i - 1].corpus) != 0)
      corpus += i < HARNESS_COUNT ? folder_count(campaign->cells[i].corpus) : 0;
  }
  for (size_t i = 0; i < loop->options->jobs; i++) {
    if (loop->slots[i].stats != NULL) {
      runs += loop->slots[i].stats->runs;
      ops += loop->slots[i].stats->ops;
      corpus += engine_queue_count(loop->options->engine, loop->slots[i].nest);
    }
  }
  fprintf(stderr, "%s%5llu s  execs %llu (%llu/s)  ops %llu  corpus %zu  findings %zu%s",
          terminal ? "\r\033[K" : "", (unsigned long long)(now - loop->start_ms) / 1000,
          (unsigned long long)runs,
          (unsigned long long)((runs - loop->shown_runs) * 1000 /
                               (now > loop->shown_ms ? now - loop->shown_ms : 1)),
          (unsigned long long)ops, corpus, json_array_size(campaign->findings.confirmed),
          terminal && !last ? "" : "\n");
  loop->shown_ms = now;
  loop->shown_runs = runs;
}

/* What a soak has still to give: running children count as if each kept a processor busy. */
static uint64_t
cpu_left_ms(const struct loop *loop)
{
  uint64_t total = loop->options->seconds * 1000, now = clock_ms();
  uint64_t spent = soak_spent_ms(loop->campaign);

  for (size_t i = 0; i < loop->options->jobs; i++)
    if (loop->slots[i].child != 0)
      spent += now - loop->slots[i].start_ms;
  return spent < total ? total - spent : 0;
}

static uint64_t
time_left_ms(const struct loop *loop)
{
  uint64_t now = clock_ms();

  if (loop->options->soak)
    return cpu_left_ms(loop);
  return now < loop->end_ms ? loop->end_ms - now : 0;
}

/* An engine first runs the whole corpus: where that is slow the slice is longer, so that most of it
 * is still for what is new. */
static uint64_t
slice_of(const struct loop *loop, const struct cell *cell)
{
  uint64_t reading_ms = cell->run_us * folder_count(cell->corpus) / 1000;
  uint64_t slice = reading_ms * READINGS_A_SLICE;

  if (slice > loop->slice_longest_ms)
    slice = loop->slice_longest_ms;
  return slice > loop->slice_ms ? slice : loop->slice_ms;
}

/* Starts a child in each free slot while there is time. */
static bool
fill_slots(struct loop *loop)
{
  for (size_t i = 0; i < loop->options->jobs && !loop->stopping; i++) {
    uint64_t left = time_left_ms(loop);

    if (loop->slots[i].child != 0 || left < 500)
      continue;
    struct cell *cell = neediest_cell(loop->campaign);
    uint64_t slice = slice_of(loop, cell);
    if (!slot_start(loop, &loop->slots[i], cell, left < slice ? left : slice))
      return false;
  }
  return true;
}

/* A cell gets its share by what its children use, not by what they might have used. */
static void
account(struct slot *slot, const struct rusage *usage)
{
  uint64_t used = (uint64_t)(usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) * 1000 +
                  (uint64_t)(usage->ru_utime.tv_usec + usage->ru_stime.tv_usec) / 1000;

  slot->cell->cpu_ms += used;
  slot->cell->planned_ms -= slot->slice_ms;
  slot->cell->planned_ms += used;
}

static bool
keep_progress(struct loop *loop)
{
  struct campaign *campaign = loop->campaign;

  campaign->elapsed_ms = loop->elapsed_before_ms + clock_ms() - loop->start_ms;
  if (soak_keep(campaign, loop->options))
    return true;
  snprintf(loop->problem, loop->problem_size, "cannot write %s/soak.json: %s",
           loop->options->findings, strerror(errno));
  return false;
}

/* A child that was asked to end may have to finish a slow input first; one in which nothing happens
 * any more is stuck. */
static bool
is_stuck(struct slot *slot)
{
  uint64_t now = clock_ms();

  if (slot->stats->runs != slot->seen_runs) {
    slot->seen_runs = slot->stats->runs;
    slot->seen_ms = now;
  }
  return now > slot->end_ms && now > slot->seen_ms + STUCK_MS;
}

/* Takes the children that ended; returns the number still running, or -1. */
static int
reap_slots(struct loop *loop)
{
  int running = 0;

  for (size_t i = 0; i < loop->options->jobs; i++) {
    struct slot *slot = &loop->slots[i];
    struct rusage usage;
    int status = 0;

    if (slot->child == 0)
      continue;
    if (wait4(slot->child, &status, WNOHANG, &usage) == slot->child) {
      kill(-slot->child, SIGKILL);
      account(slot, &usage);
      if (!slot_finish(loop, slot, status) || (loop->options->soak && !keep_progress(loop)))
        return -1;
      continue;
    }
    running++;
    /* An engine looks at its clock only after it has run the whole corpus. */
    if (!slot->asked && clock_ms() > slot->end_ms + OVERTIME_MS) {
      slot->asked = true;
      kill(slot->child, SIGTERM);
    }
    if (is_stuck(slot)) {
      slot->stuck = true;
      kill(-slot->child, SIGKILL);
    }
  }
  return running;
}

static bool
run_loop(struct loop *loop)
{
  uint64_t stop_ms = 0;

  for (;;) {
    int running;

    if (!fill_slots(loop))
      return false;
    running = reap_slots(loop);
    if (running < 0)
      return false;
    show_progress(loop, false);
    if (!loop->stopping &&
        (interrupt_seen ||
         (json_array_size(loop->campaign->findings.confirmed) > 0 && !loop->options->keep_going))) {
      loop->campaign->interrupted = interrupt_seen != 0;
      loop->stopping = true;
      stop_ms = clock_ms();
      stop_children(loop, SIGTERM);
    }
    if (loop->stopping && clock_ms() > stop_ms + PATIENCE_MS)
      stop_children(loop, SIGKILL);
    if (running == 0 && (loop->stopping || time_left_ms(loop) < 500))
      return true;
    usleep(TICK_US);
  }
}

int
campaign_run(struct campaign *campaign, const struct campaign_options *options, char *problem,
             size_t problem_size)
{
  struct sigaction action = {.sa_handler = on_interrupt};
  struct loop loop = {.campaign = campaign,
                      .options = options,
                      .start_ms = clock_ms(),
                      .elapsed_before_ms = campaign->elapsed_ms,
                      .problem = problem,
                      .problem_size = problem_size};
  uint64_t processors = options->soak ? 1 : options->jobs;
  uint64_t share = options->seconds * 1000 * processors / campaign->cell_count;
  uint64_t slice_max = engine_slice_max_ms(options->engine);
  uint64_t slices = (share + slice_max - 1) / slice_max;
  bool good;

  loop.slots = calloc(options->jobs, sizeof *loop.slots);
  if (loop.slots == NULL) {
    snprintf(problem, problem_size, "out of memory");
    return 3;
  }
  interrupt_seen = 0;
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  loop.end_ms = loop.start_ms + options->seconds * 1000;
  loop.slice_ms = share / slices < 1000 ? 1000 : share / slices;
  loop.slice_longest_ms = share / SLICES_A_SHARE;
  loop.shown_ms = loop.start_ms;
  good = run_loop(&loop);
  show_progress(&loop, true);
  stop_children(&loop, SIGKILL);
  for (size_t i = 0; i < options->jobs; i++)
    stats_unmap(loop.slots[i].stats);
  campaign->elapsed_ms = loop.elapsed_before_ms + clock_ms() - loop.start_ms;
  if (options->soak && good && !loop.stopping)
    soak_forget(options);
  if (options->corpus == NULL && options->faults != NULL)
    drop_corpus(campaign);
  free(loop.slots);
  return good ? 0 : 3;
}
