/* fuzz.c - gcstorm fuzz: options, and the summary of a campaign. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "fuzz/campaign/campaign.h"
#include "fuzz/campaign/plural.h"
#include "fuzz/campaign/soak.h"
#include "fuzz/campaign/stats.h"
#include "fuzz/campaign/worker.h"
#include "fuzz/cli/commands.h"
#include "fuzz/cli/options.h"

static const struct command command = {
    .name = "fuzz",
    .summary = "fuzzes the collector; keeps and summarises what it finds",
    .synopsis = "[HARNESS…] [OPTION…]",
    .details =
        "Harnesses: ractor_program, gc_events (default: both).  Progress goes to stderr.  "
        "Findings are\n"
        "confirmed by a fresh process and kept in the findings folder; what a fresh process "
        "does not\n"
        "show again is kept in its unstable/.  The kept programs of corpus/ beside the build "
        "folder\n"
        "are its first inputs, but not with --fault.  With --fault and without --corpus the corpus "
        "starts\n"
        "empty and is thrown away.  --engine afl needs afl-fuzz (package afl++) and the "
        "builds afl\n"
        "or afl-faults; it has no sanitizer.  Both engines read and fill the same corpus.\n"
        "A harness that never ran under a sanitizer is named at the end.\n"
        "With --host threads the default is ractor_program, as GC events have one thread, and\n"
        "a finding is run again up to 20 times to be confirmed.\n"
        "--soak fuzzes every harness under ASan, TSan, and TSan on threads; it goes on after a\n"
        "finding, and the same command goes on where a killed one has stopped "
        "(FINDINGS/soak.json).\n",
    .runs_programs = true,
};

enum { SECONDS_DEFAULT = 60 };

struct fuzz_request {
  struct campaign_options campaign;
  const char *engine; /* NULL: not given, like the next */
  const char *host;
  uint64_t soak; /* seconds of CPU time; 0: none asked for */
  bool json;
};

static const char *
cell_sanitizer(const struct cell *cell)
{
  return strcmp(cell->sanitizer, "none") == 0 ? "no sanitizer" : cell->sanitizer;
}

/* Said where it is not the usual one. */
static const char *
cell_host(const struct cell *cell)
{
  return cell->source.host == EXEC_HOST_SIM ? "" : exec_host_name(cell->source.host);
}

/* Sums the counters of one dialect. */
static bool
sum_dialect(const struct campaign *campaign, enum program_dialect dialect, struct exec_stats *sum)
{
  memset(sum, 0, sizeof *sum);
  for (size_t i = 0; i < campaign->cell_count; i++)
    if (campaign->cells[i].source.dialect == dialect)
      stats_add(sum, &campaign->cells[i].sum);
  return sum->runs > 0;
}

static void
print_findings(const struct campaign *campaign)
{
  size_t index;
  json_t *record;

  json_array_foreach(campaign->findings.confirmed, index, record)
  {
    long long seen = (long long)json_integer_value(json_object_get(record, "seen"));

    printf("\nfinding %zu: %s (%s, %s%s, seen %lld time%s)\n", index + 1,
           record_finding_text(record, "rule"), record_text(record, "harness"),
           record_text(record, "sanitizer"),
           strcmp(record_text(record, "host"), exec_host_name(EXEC_HOST_THREADS)) == 0
               ? " on threads"
               : "",
           seen, plural((uint64_t)seen));
    printf("  %s\n  bucket     %s\n  reproduce  %s\n  show       %s\n",
           record_finding_text(record, "text"), record_text(record, "bucket"),
           record_text(record, "run"), record_text(record, "show"));
  }
}

/* A cell that had no part in it, so that nobody takes it for clean. */
static void
print_never_ran(FILE *file, const struct campaign *campaign, const struct fuzz_request *request)
{
  bool cut_short =
      json_array_size(campaign->findings.confirmed) > 0 && !request->campaign.keep_going;
  const char *remedy = campaign->interrupted ? "it was interrupted"
                       : cut_short           ? "a finding ended it; --keep-going goes on"
                       : request->soak != 0  ? "give it more --soak"
                                             : "give it more --time";

  for (size_t i = 0; i < campaign->cell_count; i++)
    if (campaign->cells[i].sum.runs == 0)
      fprintf(file, "%s %s%s%s: never ran; %s\n", campaign->cells[i].source.harness,
              campaign->cells[i].sanitizer, *cell_host(&campaign->cells[i]) ? " on " : "",
              cell_host(&campaign->cells[i]), remedy);
}

/* Such a slice tries nothing new. */
static void
print_unread(FILE *file, const struct campaign *campaign)
{
  for (size_t i = 0; i < campaign->cell_count; i++) {
    const struct cell *cell = &campaign->cells[i];

    if (cell->slices_unread > 0)
      fprintf(file,
              "%s %s%s%s: %u of %u slices ended before the corpus had been run; give it more "
              "--time, or thin the corpus out (docs/FUZZING.md)\n",
              cell->source.harness, cell->source.sanitizer, *cell_host(cell) ? " on " : "",
              cell_host(cell), cell->slices_unread, cell->slices);
  }
}

static void
print_summary(const struct campaign *campaign, const struct fuzz_request *request, bool good)
{
  static struct exec_stats sum;
  size_t found = json_array_size(campaign->findings.confirmed);

  printf("\n%llu s%s\n", (unsigned long long)campaign->elapsed_ms / 1000,
         campaign->interrupted ? ", interrupted" : "");
  for (size_t i = 0; i < campaign->cell_count; i++)
    printf("%-16s %-14s %-8s%12llu execution%s %14llu op%s\n", campaign->cells[i].source.harness,
           cell_sanitizer(&campaign->cells[i]), cell_host(&campaign->cells[i]),
           (unsigned long long)campaign->cells[i].sum.runs, plural(campaign->cells[i].sum.runs),
           (unsigned long long)campaign->cells[i].sum.ops, plural(campaign->cells[i].sum.ops));
  for (int dialect = 0; dialect < PROGRAM_DIALECT_COUNT; dialect++) {
    if (sum_dialect(campaign, (enum program_dialect)dialect, &sum)) {
      printf("\n%s: ", harness_names[dialect]);
      stats_print(stdout, &sum, (enum program_dialect)dialect);
    }
  }
  print_findings(campaign);
  putchar('\n');
  if (good)
    print_never_ran(stdout, campaign, request);
  print_unread(stdout, campaign);
  printf("%zu finding%s, %zu unstable\n", found, plural(found), campaign->findings.unstable);
}

static void
print_json(const struct campaign *campaign, const struct fuzz_request *request)
{
  static struct exec_stats sum;
  json_t *cells = json_array();
  json_t *worth = json_object();
  json_t *all =
      json_pack("{s:I, s:b, s:I, s:s, s:o, s:o, s:O, s:I}", "seconds",
                (json_int_t)(campaign->elapsed_ms / 1000), "interrupted", campaign->interrupted,
                "seed", (json_int_t)request->campaign.seed, "engine",
                engine_names[request->campaign.engine], "cells", cells, "worth", worth, "findings",
                campaign->findings.confirmed, "unstable", (json_int_t)campaign->findings.unstable);

  for (size_t i = 0; i < campaign->cell_count; i++)
    json_array_append_new(cells, json_pack("{s:s, s:s, s:s, s:I, s:I}", "harness",
                                           campaign->cells[i].source.harness, "host",
                                           exec_host_name(campaign->cells[i].source.host),
                                           "sanitizer", campaign->cells[i].sanitizer, "executions",
                                           (json_int_t)campaign->cells[i].sum.runs, "ops",
                                           (json_int_t)campaign->cells[i].sum.ops));
  for (int dialect = 0; dialect < PROGRAM_DIALECT_COUNT; dialect++)
    if (sum_dialect(campaign, (enum program_dialect)dialect, &sum))
      json_object_set_new(worth, harness_names[dialect],
                          stats_json(&sum, (enum program_dialect)dialect));
  json_dumpf(all, stdout, JSON_INDENT(2));
  printf("\n");
  json_decref(all);
}

static int
choose_harnesses(struct fuzz_request *request, const struct words *words)
{
  for (size_t i = 0; i < HARNESS_COUNT; i++)
    request->campaign.harnesses[i] =
        words->count == 0 && (request->campaign.host == EXEC_HOST_SIM || i == 0);
  for (size_t w = 0; w < words->count; w++) {
    bool known = false;

    for (size_t i = 0; i < HARNESS_COUNT; i++) {
      if (strcmp(words->items[w], harness_names[i]) == 0) {
        request->campaign.harnesses[i] = true;
        known = true;
      }
    }
    if (!known)
      return usage_error(&command, "no harness '%s'; they are ractor_program and gc_events",
                         words->items[w]);
  }
  return -1;
}

/* The sanitizers that the engine has. */
static int
choose_cells(struct fuzz_request *request)
{
  struct campaign_options *campaign = &request->campaign;

  if (campaign->seconds == 0)
    campaign->seconds = SECONDS_DEFAULT;
  if (campaign->engine != ENGINE_AFL) {
    campaign->sanitizers = campaign->sanitizers != NULL ? campaign->sanitizers : "none,asan,tsan";
    return -1;
  }
  if (campaign->sanitizers != NULL && strcmp(campaign->sanitizers, "none") != 0)
    return usage_error(&command, "--sanitizer %s: --engine afl has none; use libfuzzer",
                       campaign->sanitizers);
  campaign->sanitizers = "none";
  return -1;
}

/* AFL++ forks its target, and wants the same coverage of the same input. */
static int
choose_host(struct fuzz_request *request)
{
  struct campaign_options *campaign = &request->campaign;

  campaign->host =
      request->host != NULL && strcmp(request->host, exec_host_name(EXEC_HOST_THREADS)) == 0
          ? EXEC_HOST_THREADS
          : EXEC_HOST_SIM;
  if (campaign->host == EXEC_HOST_THREADS && campaign->engine == ENGINE_AFL)
    return usage_error(&command, "--engine afl cannot run on --host threads; use libfuzzer");
  return -1;
}

/* A soak has cells of its own, and ends after so much CPU time. */
static int
choose_soak(struct fuzz_request *request)
{
  struct campaign_options *campaign = &request->campaign;

  if (campaign->seconds != 0 || campaign->sanitizers != NULL || request->engine != NULL ||
      request->host != NULL)
    return usage_error(&command, "--soak has its own time, cells and engine; leave --time, "
                                 "--sanitizer, --host and --engine out");
  campaign->sanitizers = SOAK_CELLS;
  campaign->soak = true;
  campaign->keep_going = true;
  campaign->seconds = request->soak;
  return -1;
}

static int
fuzz_cells(const struct fuzz_request *request)
{
  static struct campaign campaign;
  char problem[5000] = "";
  int code = campaign_open(&campaign, &request->campaign, problem, sizeof problem);
  size_t found;

  if (code == 0) {
    fprintf(stderr, "gcstorm fuzz: %s%s, %zu cell%s, %llu job%s, %llu s%s, seed %llu\n",
            campaign.resumed ? "the soak goes on: " : "", engine_names[request->campaign.engine],
            campaign.cell_count, plural(campaign.cell_count),
            (unsigned long long)request->campaign.jobs, plural(request->campaign.jobs),
            (unsigned long long)request->campaign.seconds,
            request->campaign.soak ? " of CPU time" : "",
            (unsigned long long)request->campaign.seed);
    code = campaign_run(&campaign, &request->campaign, problem, sizeof problem);
    if (!request->json)
      print_summary(&campaign, request, code == 0);
    else
      print_json(&campaign, request);
    if (request->json && code == 0)
      print_never_ran(stderr, &campaign, request);
    print_unread(stderr, &campaign);
  }
  if (code != 0)
    complain(&command, "%s", problem);
  found = json_array_size(campaign.findings.confirmed);
  campaign_close(&campaign);
  return finish_output(&command, found > 0 ? EXIT_FINDING : code);
}

int
command_fuzz(int argc, char **argv)
{
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  uint32_t chance = 1;
  struct fuzz_request request = {.campaign = {.findings = "findings"}};
  struct campaign_options *campaign = &request.campaign;
  const struct option options[] = {
      {"time", 0, OPTION_SECONDS, &campaign->seconds, "T", "30s, 10m or 1h (60s)", 0, 0},
      {"soak", 0, OPTION_SECONDS, &request.soak, "T",
       "so much CPU time over every harness under ASan, TSan, and TSan on threads", 0, 0},
      {"engine", 0, OPTION_CHOICE, &request.engine, ENGINE_CHOICES, "fuzz engine (libfuzzer)", 0,
       0},
      {"sanitizer", 0, OPTION_LIST, &campaign->sanitizers, SANITIZER_CHOICES,
       "comma-separated (none,asan,tsan; afl: none)", 0, 0},
      {"host", 0, OPTION_CHOICE, &request.host, HOST_CHOICES,
       "what Ractors run on (sim); see docs/HOSTS.md", 0, 0},
      {"fault", 0, OPTION_FAULTS, &campaign->faults, "ID[,ID]", "switch seeded faults on", 0, 0},
      {"corpus", 0, OPTION_TEXT, &campaign->corpus, "DIR", "corpus; one folder a harness in it", 0,
       0},
      {"no-seeds", 0, OPTION_FLAG, &campaign->no_seeds, NULL,
       "do not start from the kept programs of corpus/", 0, 0},
      {"findings", 0, OPTION_TEXT, &campaign->findings, "DIR", "where findings go (findings)", 0,
       0},
      {"seed", 0, OPTION_NUMBER, &campaign->seed, "N", "of the engine; else by chance", 0,
       0x7fffffff},
      {"jobs", 0, OPTION_NUMBER, &campaign->jobs, "N", "children at a time (processors)", 1,
       JOBS_MAX},
      {"keep-going", 0, OPTION_FLAG, &campaign->keep_going, NULL, "go on after a finding", 0, 0},
      {"json", 0, OPTION_FLAG, &request.json, NULL, "the summary as one JSON object", 0, 0},
  };
  struct words words;
  int code;

  if (getrandom(&chance, sizeof chance, GRND_NONBLOCK) != (ssize_t)sizeof chance)
    chance = (uint32_t)getpid();
  campaign->seed = chance & 0x7fffffff;
  campaign->jobs = processors < 1 ? 1 : processors > JOBS_MAX ? JOBS_MAX : (uint64_t)processors;
  code = options_parse(&command, options, COUNT_OF(options), argc, argv, &words);
  request.campaign.engine =
      request.engine != NULL && strcmp(request.engine, engine_names[ENGINE_AFL]) == 0
          ? ENGINE_AFL
          : ENGINE_LIBFUZZER;
  if (code < 0)
    code = choose_host(&request);
  if (code < 0)
    code = choose_harnesses(&request, &words);
  if (code < 0)
    code = request.soak != 0 ? choose_soak(&request) : choose_cells(&request);
  return code >= 0 ? code : fuzz_cells(&request);
}
