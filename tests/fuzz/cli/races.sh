#!/bin/bash
# What TSan says of a program is a function of the program alone: the same record, but for the text of the
# runtime with its addresses, in a process of its own, after 200 others in a worker's child, in any
# order, and in libFuzzer's loop.
source "$(dirname "${BASH_SOURCE[0]}")/common.bash" "$@"
ln -s "$binaries" builds/tsan-faults
faults=remember_not_atomic,local_marks_foreign,pool_take_unlocked

run() { # OUT FILE… : the records, in order
  local out=$1
  shift
  "$gcstorm" run --sanitizer tsan --fault $faults --json "$@" >"$out" || [ $? -eq 1 ]
}

expect 0 "320 programs" generate -o programs --count 320 --seed 5
run forward programs/*.bin
mapfile -t backward < <(printf '%s\n' programs/*.bin | tac)
run backward "${backward[@]}"
ruby "$(dirname "${BASH_SOURCE[0]}")/race_records.rb" forward backward clean racy || failures=$((failures + 1))
mapfile -t clean < <(head -200 clean)
mapfile -t racy < <(awk 'NR % 8 == 1' racy | head -6)
[ ${#clean[@]} -eq 200 ] && [ ${#racy[@]} -ge 4 ] ||
  { echo "${#clean[@]} clean and ${#racy[@]} racy programs are too few"; failures=$((failures + 1)); }

for file in "${racy[@]}"; do
  run alone "$file"
  run crowded "${clean[@]}" "$file"
  mkdir -p found
  rm -f found/*
  GCSTORM_FAULTS=$faults GCSTORM_FINDINGS=found "$binaries/harnesses/ractor_program" "${clean[@]}" "$file" \
    >/dev/null 2>&1 && { echo "$file is clean in the fuzz target"; failures=$((failures + 1)); }
  ruby "$(dirname "${BASH_SOURCE[0]}")/race_records.rb" alone crowded - - found/*.json ||
    failures=$((failures + 1))
done
finish
