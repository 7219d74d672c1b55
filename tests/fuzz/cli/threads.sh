#!/bin/bash
# Runs on the threads host, in the build's own sanitizer: clean programs are clean, records say
# where they come from, and with faults compiled in one is found, confirmed and kept.
#   threads.sh COMMAND BUILD SANITIZER FAULTS
source "$(dirname "${BASH_SOURCE[0]}")/common.bash" "$1" "$2"
sanitizer=$3
faults=$4
[ "$sanitizer" = none ] || { ln -s "$binaries" "builds/$sanitizer"; ln -s "$binaries" "builds/$sanitizer-faults"; }

expect 0 "100 programs" generate -o programs --count 100 --seed 1
expect 0 "100 clean" run --host threads --sanitizer "$sanitizer" programs/*.bin
first=$(ls programs/*.bin | head -1)
expect 0 "on threads, which have no trace" run --host threads --sanitizer "$sanitizer" "$first"
expect 0 '"trace_hash": null' run --host threads --sanitizer "$sanitizer" --json "$first"
expect 0 '"host": "threads"' run --host threads --sanitizer "$sanitizer" --json "$first"
expect 0 '"host": "sim"' run --sanitizer "$sanitizer" --json "$first"
expect 0 "200 clean" run --host threads --perturb 7 --repeat 200 --sanitizer "$sanitizer" "$first"

bad "is none of sim|threads" run --host fibers "$first"
bad "--trace needs --host sim" run --host threads --trace trace.json "$first"
bad "not a number" run --host threads --perturb x "$first"
bad "cannot run on --host threads" fuzz --host threads --engine afl
GCSTORM_HOST=fibers "$binaries/harnesses/ractor_program" "$first" 2>stderr && failures=$((failures + 1))
grep -q "GCSTORM_HOST must be sim or threads" stderr || { cat stderr; failures=$((failures + 1)); }

# A record that says "threads" beside the file.
cp "$first" raced.bin
printf '{"host": "threads", "sanitizer": "none", "faults": ""}' >raced.json
bad "was found on threads" minimize raced.bin

expect 0 "0 findings" fuzz --host threads --sanitizer "$sanitizer" --time 3s --jobs 1 --seed 1
if [ "$faults" = ON ]; then
  fault=(--sanitizer "$sanitizer" --fault shref_not_recorded)
  expect 1 "on threads  INV-SHREF" run --host threads "${fault[@]}" programs/*.bin
  expect 1 "on threads, seen" fuzz --host threads "${fault[@]}" --time 30s --jobs 1 --seed 1 \
    --findings found
  grep -q '"host": "threads"' found/*.json || { echo "no record of threads"; failures=$((failures + 1)); }
  bad "was found on threads" minimize found/*.bin
fi
finish
