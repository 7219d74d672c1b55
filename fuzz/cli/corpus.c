/* corpus.c - gcstorm corpus: keeps programs, and holds every build to what they did. */
#include <string.h>
#include <unistd.h>

#include "fuzz/campaign/campaign.h"
#include "fuzz/campaign/corpus.h"
#include "fuzz/cli/commands.h"
#include "fuzz/cli/corpus.h"
#include "fuzz/cli/options.h"

const struct command corpus_command = {
    .name = "corpus",
    .summary = "keeps programs and checks that they do what they did",
    .synopsis = "check|record|stats|add FILE [OPTION…]",
    .details =
        "check  runs each entry of CORPUS/HARNESS/manifest.json on each clean build that is "
        "there:\n"
        "       clean, with the trace that was recorded; and with its faults, in the same bucket.\n"
        "       Exit 1 when an entry differs, 2 when files and manifest disagree, 130 when Ctrl-C\n"
        "       ended it with what was done so far.\n"
        "record writes trace and content hashes anew after a change of traces, and prints which;\n"
        "       exit 1 with nothing written when a verdict changed.\n"
        "stats  counts what is kept.\n"
        "add    keeps a program: with --seed as text, else as a regression named by rule and\n"
        "       content.  A finding is minimised first and keeps its bucket; Ctrl-C ends that\n"
        "       early, --no-minimize leaves it out.  One without faults is clean since its cause\n"
        "       was fixed: its record or --source says what it was.  What is there already is "
        "left\n"
        "       alone, exit 0.\n",
    .runs_programs = true,
};

static int
choose_add(const struct corpus_request *request, const char *path)
{
  if (request->junit != NULL || request->json || request->no_faults || request->jobs != 0)
    return usage_error(&corpus_command, "--junit, --json, --no-faults and --jobs are not for add");
  if (request->seed == NULL)
    return corpus_add(request, path);
  if (request->seed[0] == '\0' || strlen(request->seed) > 200 ||
      strspn(request->seed, "abcdefghijklmnopqrstuvwxyz0123456789_") != strlen(request->seed))
    return usage_error(&corpus_command, "--seed: small letters, digits and _, at most 200");
  if (request->faults != NULL)
    return usage_error(&corpus_command, "--seed is expected clean; leave out --fault");
  return corpus_add(request, path);
}

static int
choose_stats(const struct corpus_request *request)
{
  if (request->sanitizer != NULL || request->jobs != 0)
    return usage_error(&corpus_command, "--sanitizer and --jobs are not for stats");
  return corpus_stats(request);
}

static int
choose_others(struct corpus_request *request, const struct words *words)
{
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  const char *word = words->count == 1 ? words->items[0] : "";

  if (request->faults != NULL || request->seed != NULL || request->source != NULL ||
      request->no_minimize || request->max_bytes != 0)
    return usage_error(&corpus_command,
                       "--fault, --seed, --source, --no-minimize and --max-bytes are for add");
  if (strcmp(word, "stats") == 0 && request->junit == NULL && !request->no_faults)
    return choose_stats(request);
  if (request->jobs == 0)
    request->jobs = processors < 1 ? 1 : processors > JOBS_MAX ? JOBS_MAX : (uint64_t)processors;
  if (strcmp(word, "check") == 0)
    return corpus_check(request);
  if (request->junit != NULL || request->no_faults)
    return usage_error(&corpus_command, "--junit and --no-faults are for check");
  if (strcmp(word, "record") != 0)
    return usage_error(&corpus_command, "say check, record, stats, or add FILE");
  return request->json ? usage_error(&corpus_command, "--json is for check and stats")
                       : corpus_record(request);
}

int
command_corpus(int argc, char **argv)
{
  struct corpus_request request = {.root = "corpus"};
  const struct option options[] = {
      {"corpus", 0, OPTION_TEXT, &request.root, "DIR", "the corpus (corpus)", 0, 0},
      {"harness", 0, OPTION_CHOICE, &request.harness, HARNESS_CHOICES,
       "check: this alone; add: of a file without a header", 0, 0},
      {"sanitizer", 0, OPTION_CHOICE, &request.sanitizer, SANITIZER_CHOICES,
       "check: this build alone; add: build that shows it (that of its record, or none)", 0, 0},
      {"fault", 0, OPTION_FAULTS, &request.faults, "ID[,ID]",
       "add: faults that show it (those of its record)", 0, 0},
      {"seed", 0, OPTION_TEXT, &request.seed, "NAME", "add: as seeds/NAME.rb", 0, 0},
      {"source", 0, OPTION_TEXT, &request.source, "TEXT", "add: where it came from (by hand)", 0,
       0},
      {"no-minimize", 0, OPTION_FLAG, &request.no_minimize, NULL, "add: a finding as it is", 0, 0},
      {"no-faults", 0, OPTION_FLAG, &request.no_faults, NULL,
       "check: clean runs alone, without the -faults builds", 0, 0},
      {"jobs", 0, OPTION_NUMBER, &request.jobs, "N", "check, record: workers (processors)", 1,
       JOBS_MAX},
      {"junit", 0, OPTION_TEXT, &request.junit, "FILE", "check: write JUnit XML", 0, 0},
      {"max-bytes", 0, OPTION_NUMBER, &request.max_bytes, "N", "add: largest file taken (1048576)",
       1, 1u << 30},
      {"json", 0, OPTION_FLAG, &request.json, NULL, "check, stats: one JSON object on stdout", 0,
       0},
  };
  struct words words;
  int code;

  code = options_parse(&corpus_command, options, COUNT_OF(options), argc, argv, &words);
  if (code >= 0)
    return code;
  return words.count == 2 && strcmp(words.items[0], "add") == 0
             ? choose_add(&request, words.items[1])
             : choose_others(&request, &words);
}
