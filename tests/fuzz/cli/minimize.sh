#!/bin/bash
# A finding becomes a handful of ops with the same bucket; what is no finding is bad input.
source "$(dirname "${BASH_SOURCE[0]}")/common.bash" "$@"

fail() {
  echo "$*"
  failures=$((failures + 1))
}

: >empty
printf 'GCST\377\000\000\000rest' >future
mkdir folder
bad "no file" minimize
bad "one file" minimize empty empty
bad "missing" minimize missing
bad "directory" minimize folder
bad "raise --max-bytes" minimize --max-bytes 1 future
bad "future" minimize future
bad "none of none|asan|tsan" minimize --sanitizer msan empty
bad "no fault 'other'" minimize --fault other empty
bad "not a time" minimize --time 0 empty
bad "no plain file" minimize empty -o folder
bad "no plain file" minimize empty -o /dev/stdout
bad "cannot write" minimize empty -o empty/below
mkfifo pipe
ln -s future link
for name in pipe link; do
  bad "$name is no plain file; name another one" minimize empty -o $name
done
ln -s future linked.json
bad "linked.json is no plain file" minimize empty -o linked.bin
rm linked.json
[ -p pipe ] && [ -L link ] || fail "replaced"

# Neither the finding's record nor text gives its place to bytes.
: >v.bin
echo '{}' >v.json
bad "v.json would hold a program's bytes" minimize v.bin -o v.json
bad "out.rb would hold a program's bytes" minimize v.bin -o out.rb
bad "the record of v would take the place of v.json" minimize v.bin -o v
: >v
bad "the record of v would take the place of v.json" minimize v.bin -o v
bad "the record of ./v would take the place of ./v.json" minimize v.bin -o ./v
[ "$(cat v.json)" = '{}' ] || fail "the record is lost"
[ ! -e out.rb ] || fail "out.rb"
bad "v.bin is clean" minimize v.bin -o v.bin
rm v v.bin v.json
bad "empty is clean under plain; nothing to minimise" minimize empty
[ ! -e empty.min.bin ] || fail "a clean file has a result"

# What the record beside it says counts, so one that cannot be read is not passed over.
: >beside.bin
for record in '' '{"sanitizer": "none"' '[]' 'null'; do
  echo "$record" >beside.json
  bad "beside.json, beside beside.bin, is no record" minimize beside.bin
  bad "beside.json, beside beside.bin, is no record" corpus add beside.bin --corpus kept
done
rm beside.json
mkdir beside.json
bad "beside.json is a directory" minimize beside.bin
rmdir beside.json
echo '{"sanitizer": "odd"}' >beside.json
bad "the sanitizer 'odd', which there is not; say --sanitizer" minimize beside.bin
bad "is clean under plain" minimize --sanitizer none beside.bin
echo '{"faults": "odd"}' >beside.json
bad "the fault 'odd', which there is not; say --fault" minimize beside.bin
echo '{"harness": "odd"}' >beside.json
bad "the harness 'odd', which there is not; say --harness" minimize beside.bin
bad "is clean under plain" minimize --harness gc_events beside.bin
GCSTORM_BUILD=$work/nothing expect 3 "ci/build plain" minimize empty

# number NAME PLACE : from "… NAME BEFORE → AFTER, …" of the summary; PLACE 1: before, 2: after.
number() {
  sed -n "s/.*$1 \([0-9]*\) → \([0-9]*\).*/\\$2/p" summary
}

if "$gcstorm" run --fault shref_not_recorded empty >/dev/null 2>&1; then
  # This build has the faults.
  fault=(--fault shref_not_recorded)
  for harness in ractor_program gc_events; do
    rm -rf programs
    "$gcstorm" generate -o programs --count 40 --seed 5 --harness $harness >/dev/null
    "$gcstorm" run "${fault[@]}" programs/*.bin >verdicts || true
    found=$(awk '$1 == "finding" { print $2; exit }' verdicts)
    [ -n "$found" ] || { fail "no program of $harness shows the fault"; continue; }
    cp "$found" x.bin
    bucket=$(awk '$1 == "bucket" { print $2; exit }' verdicts)
    bad "not INV-OTHER" minimize "${fault[@]}" --bucket INV-OTHER x.bin
    "$gcstorm" minimize "${fault[@]}" --bucket "$bucket" x.bin >summary 2>log ||
      fail "minimize: exit $?"
    cmp -s x.bin "$found" || fail "the input was changed"
    [ "$(number ops 1)" -gt 20 ] || fail "$harness: a small program to begin with"
    [ "$(number ops 2)" -le 10 ] || fail "$harness: not small: $(cat summary)"
    [ "$(number bytes 2)" -eq "$(wc -c <x.min.bin)" ] || fail "bytes: $(cat summary)"
    expect 1 "$bucket" run "${fault[@]}" x.min.bin
    # A fixpoint; and its record says how to show it.
    expect 0 "$bucket" minimize x.min.bin -o again.bin
    expect 0 '"ended_early": false' minimize --json x.min.bin -o again.bin
    cmp x.min.bin again.bin || fail "$harness: not a fixpoint"
    grep -q "run --sanitizer none --fault shref_not_recorded x.min.bin" x.min.json ||
      fail "$harness: no record"
    # Closed files change nothing, but a summary that is lost is said.
    "$gcstorm" minimize x.min.bin -o again.bin >summary 2>&- || fail "stderr closed: exit $?"
    cmp x.min.bin again.bin || fail "stderr closed: another result"
    status=0
    "$gcstorm" minimize x.min.bin -o again.bin 2>log >&- || status=$?
    [ $status -eq 3 ] && grep -q "cannot write the output" log || fail "stdout closed: exit $status"
    cmp x.min.bin again.bin || fail "stdout closed: another result"
    # Text is as good as bytes.
    if [ $harness = ractor_program ]; then
      "$gcstorm" show x.bin >text.rb
      expect 0 "text.min.bin" minimize "${fault[@]}" text.rb
      cmp x.min.bin text.min.bin || fail "text has another result"
    fi
    # The same again, byte by byte; in place when asked.
    "$gcstorm" minimize "${fault[@]}" -o x.bin x.bin >/dev/null 2>&1 || fail "in place: exit $?"
    cmp x.bin x.min.bin || fail "$harness: another result"
    rm -f x.* again.*
  done
fi
finish
