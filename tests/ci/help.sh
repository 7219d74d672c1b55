#!/bin/bash
# Every command of ci/, and the worker, explains itself; what takes nothing more says so.
#   help.sh GCSTORM
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
worker=$(cd "$(dirname "$1")" && pwd)/harnesses/gcstorm-worker
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
failures=0

# says CODE TEXT COMMAND… : exit code, and a text in what it printed
says() {
  local code=$1 text=$2 status=0 out
  shift 2
  out=$("$@" 2>&1 </dev/null) || status=$?
  if [ $status -ne "$code" ] || [[ $out != *"$text"* ]]; then
    echo "$*: exit $status, wanted $code and '$text'; printed: $out"
    failures=$((failures + 1))
  fi
}

commands=0
for file in "$root"/ci/*; do
  [ -x "$file" ] && [ -f "$file" ] || continue
  commands=$((commands + 1))
  for option in -h --help; do
    says 0 "$(basename "$file")" "$file" $option
  done
done
[ $commands -ge 12 ] || { echo "only $commands commands in ci/"; failures=$((failures + 1)); }
for gate in layers state style refs invariants; do
  says 0 "Exit: 0" "$root/ci/check-$gate" --help
  for argument in --nonsense nowhere; do
    says 2 "ci/check-$gate: takes one folder" "$root/ci/check-$gate" $argument
  done
  says 2 "ci/check-$gate: takes one folder" "$root/ci/check-$gate" "$root" "$root"
done
says 2 "no file given" "$root/ci/ruby-wc"

says 0 "Usage: gcstorm-worker" "$worker" -h
says 2 "try gcstorm-worker --help" "$worker"
says 2 "unknown option --nonsense" "$worker" --nonsense 1 file
options=0
while read -r option; do
  options=$((options + 1))
  status=0
  out=$("$worker" "$option" 1 missing 2>&1 </dev/null) || status=$?
  if [ $status -ne 2 ] || [[ $out == *"unknown option"* ]]; then
    echo "gcstorm-worker $option: exit $status; printed: $out"
    failures=$((failures + 1))
  fi
done < <("$worker" --help | sed -n '/^  --/p' | grep -oE -- '--[a-z]+')
[ $options -ge 13 ] || { echo "only $options options in gcstorm-worker --help"; failures=$((failures + 1)); }
[ $failures -eq 0 ] || { echo "$failures failures"; exit 1; }
