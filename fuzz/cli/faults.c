/* faults.c - gcstorm faults list. */
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "fuzz/campaign/faults.h"
#include "fuzz/campaign/plural.h"
#include "fuzz/cli/commands.h"
#include "fuzz/cli/options.h"

static const struct command command = {
    .name = "faults",
    .summary = "lists the seeded faults: deliberate bugs of the -faults builds",
    .synopsis = "list [--json]",
    .details = NULL,
};

static void
print_json(const struct fault_row *rows, size_t count)
{
  json_t *list = json_array();
  json_t *all = json_pack("{s:o}", "faults", list);

  for (size_t i = 0; i < count; i++)
    json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:s, s:s, s:s}", "id", rows[i].id,
                                          "component", rows[i].component, "series", rows[i].series,
                                          "section", rows[i].section, "oracle", rows[i].oracle,
                                          "text", rows[i].text));
  json_dumpf(all, stdout, JSON_INDENT(2));
  printf("\n");
  json_decref(all);
}

int
command_faults(int argc, char **argv)
{
  bool json = false;
  const struct option options[] = {
      {"json", 0, OPTION_FLAG, &json, NULL, "one JSON object on stdout", 0, 0},
  };
  struct words words;
  size_t count;
  const struct fault_row *rows = fault_rows(&count);
  int code = options_parse(&command, options, COUNT_OF(options), argc, argv, &words);

  if (code >= 0)
    return code;
  if (words.count != 1 || strcmp(words.items[0], "list") != 0)
    return usage_error(&command,
                       words.count == 0 ? "say what: list" : "one action, list, is all there is");
  if (json) {
    print_json(rows, count);
  } else {
    for (size_t i = 0; i < count; i++)
      printf("%-30s %-9s %-4s %-5s %s\n", rows[i].id, rows[i].component, rows[i].section,
             rows[i].oracle, rows[i].text);
    printf("%zu fault%s; try gcstorm fuzz --fault ID\n", count, plural(count));
  }
  return finish_output(&command, EXIT_CLEAN);
}
