#!/bin/bash
# A short campaign with AFL++: clean on the clean core, and its corpus is one for libFuzzer; a
# seeded fault is found, kept and shown again.
source "$(dirname "${BASH_SOURCE[0]}")/common.bash" "$@"
ln -s "$binaries" builds/afl
ln -s "$binaries" builds/afl-faults

: >empty
if "$gcstorm" run --fault shref_not_recorded empty >/dev/null 2>&1; then
  status=0
  "$gcstorm" fuzz --engine afl --fault shref_not_recorded --time 60s >out 2>log || status=$?
  if [ $status -ne 1 ]; then
    echo "fuzz --engine afl --fault: exit $status"
    tail -5 log
    failures=$((failures + 1))
  else
    found=$(ls findings/*.bin | head -1)
    expect 1 "finding" run --fault shref_not_recorded "$found"
    grep -q '"engine": "afl"' "${found%.bin}.json" || { echo "no record"; failures=$((failures + 1)); }
  fi
else
  expect 0 "0 findings" fuzz --engine afl --time 6s --corpus corpus --jobs 2
  for harness in ractor_program gc_events; do
    count=$(find "corpus/$harness" -name 'afl-*' | wc -l)
    [ "$count" -gt 20 ] || { echo "$harness: $count inputs"; failures=$((failures + 1)); }
  done
  # What is there is the start of the next; one of libFuzzer's is read as well.
  head -c 100 /dev/urandom >corpus/gc_events/other
  before=$(ls corpus/gc_events | wc -l)
  expect 0 "0 findings" fuzz gc_events --engine afl --time 4s --corpus corpus --jobs 1
  [ "$(ls corpus/gc_events | wc -l)" -ge "$before" ] || { echo "inputs lost"; failures=$((failures + 1)); }
  # An interrupt ends it early, with a summary, and no target is left.
  "$gcstorm" fuzz --engine afl --time 100s --corpus corpus --jobs 1 >out 2>log &
  child=$!
  sleep 3
  kill -TERM $child
  wait $child || { echo "interrupted: exit $?"; failures=$((failures + 1)); }
  grep -q "interrupted" out || { echo "no summary"; failures=$((failures + 1)); }
fi
sleep 0.5
if pgrep -f "$work/builds" >/dev/null; then
  echo "a process is left"
  failures=$((failures + 1))
fi
if ls -d findings/.new-* >/dev/null 2>&1; then
  echo "a nest is left"
  failures=$((failures + 1))
fi
finish
