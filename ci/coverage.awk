# coverage.awk - from lcov's lines: a table with a row for each folder of gc-core, and in file
# `unreached` the lines never reached, as FILE:LINE or FILE:FIRST-LAST.  `root` is cut off paths.
# Folders stand in the order of the layers; what is none of them follows.

BEGIN { order = " base page objspace mark collect ractor verify vm " }

function put_range() {
  if (first > 0)
    print file ":" first (last > first ? "-" last : "") >unreached
  first = 0
}

function row(name) {
  printf "%-12s %8d %7.1f%% %8d %7.1f%% %8d %7.1f%%\n", name,
    lines[name], share(lines_hit[name], lines[name]),
    functions[name], share(functions_hit[name], functions[name]),
    branches[name], share(branches_hit[name], branches[name])
}

function share(hit, all) {
  return all == 0 ? 100 : 100 * hit / all
}

function count(all, hit, was_hit) {
  all[component]++
  all["total"]++
  hit[component] += was_hit
  hit["total"] += was_hit
}

/^SF:/ {
  file = substr($0, 4)
  if (index(file, root) == 1)
    file = substr(file, length(root) + 1)
  split(file, parts, "/")
  component = parts[1] == "gc-core" ? parts[2] : parts[1]
  if (index(order, " " component " ") == 0)
    order = order component " "
}

# Of a function in a header there is one a file that includes it, as "FILE.c:NAME": reached if one is.
/^FNDA:/ {
  name = substr($0, index($0, ",") + 1)
  sub(/^[^:]*:/, "", name)
  if (!((file, name) in function_hit))
    function_component[file, name] = component
  function_hit[file, name] += substr($0, 6) + 0 > 0
}

/^BRDA:/ {
  split($0, parts, ",")
  count(branches, branches_hit, parts[4] != "-" && parts[4] > 0)
}

/^DA:/ {
  split(substr($0, 4), parts, ",")
  count(lines, lines_hit, parts[2] > 0)
  if (parts[2] > 0) {
    put_range()
  } else {
    if (first == 0)
      first = parts[1]
    last = parts[1]
  }
}

/^end_of_record/ { put_range() }

END {
  for (key in function_hit) {
    component = function_component[key]
    count(functions, functions_hit, function_hit[key] > 0)
  }
  printf "%-12s %8s %8s %8s %8s %8s %8s\n", "", "lines", "reached", "functions", "reached",
    "branches", "reached"
  components = split(order, names, " ")
  for (i = 1; i <= components; i++)
    if (lines[names[i]] > 0)
      row(names[i])
  row("total")
}
