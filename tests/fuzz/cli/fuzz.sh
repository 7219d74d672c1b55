#!/bin/bash
# A short campaign: clean on the clean core; a seeded fault is found, kept and shown again.
source "$(dirname "${BASH_SOURCE[0]}")/common.bash" "$@"

: >empty
if "$gcstorm" run --fault shref_not_recorded empty >/dev/null 2>&1; then
  # This build has the faults.
  status=0
  "$gcstorm" fuzz --fault shref_not_recorded --sanitizer none --time 40s --json >out.json 2>log ||
    status=$?
  if [ $status -ne 1 ]; then
    echo "fuzz --fault: exit $status"
    tail -5 log
    failures=$((failures + 1))
  else
    found=$(ls findings/*.bin | head -1)
    expect 1 "finding" run --fault shref_not_recorded "$found"
    expect 0 "" show "$found"
    # What a killed campaign left is judged by the next.
    mkdir later later/.new-999999999-1
    cp "$found" later/.new-999999999-1/left.bin
    printf 'ractor_program\nnone\nshref_not_recorded\n' >later/.new-999999999-1/.cell
    "$gcstorm" fuzz --fault shref_not_recorded --sanitizer none --time 2s --findings later \
      >/dev/null 2>&1 || true
    if [ -d later/.new-999999999-1 ] || ! ls later/*.bin >/dev/null 2>&1; then
      echo "a nest is lost"
      failures=$((failures + 1))
    fi
    # A later campaign that comes to the same bucket keeps the input that is there.
    cp "$found" first.bin
    for seed in 1 2 3; do
      "$gcstorm" fuzz --fault shref_not_recorded --sanitizer none --time 5s --seed $seed \
        >/dev/null 2>&1 || true
    done
    cmp first.bin "$found" || { echo "an earlier finding is replaced"; failures=$((failures + 1)); }
    [ -s "${found%.bin}.json" ] || { echo "no record"; failures=$((failures + 1)); }
  fi
else
  expect 0 "0 findings" fuzz --sanitizer none --time 4s --corpus corpus --jobs 2
  [ -n "$(ls corpus/ractor_program)" ] || { echo "no corpus"; failures=$((failures + 1)); }
  # The kept programs beside the builds are its first inputs.
  "$gcstorm" generate -o made --count 1 --seed 5 >/dev/null
  "$gcstorm" show made/seed5-000001.bin >p.rb
  rm -r corpus
  expect 0 "kept corpus/ractor_program" corpus add p.rb --seed one
  expect 0 "0 findings" fuzz ractor_program --sanitizer none --time 2s --corpus seeded --jobs 1
  expect 0 "0 findings" fuzz ractor_program --sanitizer none --time 2s --corpus bare --jobs 1 --no-seeds
  [ "$(find seeded -name 'seed-*' | wc -l)" = 1 ] || { echo "no seed"; failures=$((failures + 1)); }
  [ -z "$(find bare -name 'seed-*')" ] || { echo "--no-seeds"; failures=$((failures + 1)); }
  # What does not show again is kept, with what its target saw.
  mkdir -p holes/.new-999999999-1
  cp made/seed5-000001.bin holes/.new-999999999-1/left.bin
  echo '{"bucket":"seen:once"}' >holes/.new-999999999-1/left.json
  printf 'ractor_program\nnone\n\n' >holes/.new-999999999-1/.cell
  "$gcstorm" fuzz ractor_program --sanitizer none --time 1s --findings holes >log 2>&1 || true
  grep -q "0 findings, 1 unstable" log || { echo "no unstable input"; cat log; failures=$((failures + 1)); }
  cmp made/seed5-000001.bin holes/unstable/ractor_program-none-left.bin || failures=$((failures + 1))
  grep -q "seen:once" holes/unstable/ractor_program-none-left.json || failures=$((failures + 1))
  # What a killed afl-fuzz had in its queue goes to the corpus; a copy under judgement goes.
  mkdir -p holes/.new-999999999-1/.afl/default/queue queue/ractor_program
  cp made/seed5-000001.bin holes/.new-999999999-1/.afl/default/queue/id:000000,src:000000
  printf 'ractor_program\nnone\n\nafl\nsim\n%s\n' "$PWD/queue/ractor_program" \
    >holes/.new-999999999-1/.cell
  : >holes/.trial-999999999.bin
  "$gcstorm" fuzz ractor_program --sanitizer none --time 1s --findings holes >log 2>&1 || true
  [ -n "$(find queue -name 'afl-*')" ] || { echo "a queue is lost"; failures=$((failures + 1)); }
  [ -z "$(ls -d holes/.[nt]* 2>/dev/null)" ] || { ls -A holes; failures=$((failures + 1)); }
  echo '{' >corpus/ractor_program/manifest.json
  bad "manifest.json:" fuzz ractor_program --sanitizer none --time 2s --corpus seeded
  rm -r corpus
  # An interrupt ends it early, with a summary.
  "$gcstorm" fuzz --sanitizer none --time 100s --corpus corpus --jobs 1 >out 2>log &
  child=$!
  sleep 2
  kill -TERM $child
  wait $child || { echo "interrupted: exit $?"; failures=$((failures + 1)); }
  grep -q "interrupted" out || { echo "no summary"; failures=$((failures + 1)); }
fi
# A findings folder on a full disk: one line, no signal.
no_room=(fuzz ractor_program --sanitizer none --time 2s --corpus cramped --jobs 1 --findings full)
mkdir full
if [ "$(id -u)" -eq 0 ] && mount -t tmpfs -o size=16k none full 2>/dev/null; then
  head -c 16k /dev/zero >full/ballast 2>/dev/null || true
  expect 3 "no room for full/.new-" "${no_room[@]}"
  ! ls -d full/.new-* >/dev/null 2>&1 || { echo "a nest is left on a full disk"; failures=$((failures + 1)); }
  umount full
else
  (ulimit -f 1; expect 3 "full/.new-" "${no_room[@]}"; finish) || failures=$((failures + 1))
fi
# A target that does nothing is no clean campaign, nor is one that had no time.
dead() { # PROGRAM : a build whose target it is
  rm -rf dead
  mkdir -p dead/plain/harnesses
  for file in "$binaries"/gcstorm "$binaries"/harnesses/*; do
    ln -s "$file" "dead/plain/${file#"$binaries"/}"
  done
  printf '#!/bin/sh\n%s\n' "$1" >dead/target
  chmod +x dead/target
  ln -sf ../../target dead/plain/harnesses/ractor_program
  ln -s plain dead/plain-faults
}
dead true
GCSTORM_BUILD=$work/dead expect 3 "ractor_program (none) does not run: it ends at once, without an execution" \
  fuzz ractor_program --sanitizer none --time 20s --jobs 1 --corpus idle
dead "exec sleep 2"
for format in "" --json; do
  GCSTORM_BUILD=$work/dead expect 0 "ractor_program none: never ran; give it more --time" \
    fuzz ractor_program --sanitizer none --time 1s --jobs 1 --corpus idle $format
done
# Nothing is left behind.
if ls -d findings/.new-* >/dev/null 2>&1; then
  echo "a nest is left"
  failures=$((failures + 1))
fi
finish
