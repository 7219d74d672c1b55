#!/bin/bash
# What is kept is held to what it did; files and manifest that disagree are said in one line.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
source "$(dirname "${BASH_SOURCE[0]}")/common.bash" "$@"

# The committed corpus; the buckets of its faults are those of the plain build.
expect 0 ", 0 differ" corpus check --corpus "$root/corpus" --sanitizer none --no-faults
if [ "$(basename "$binaries")" = plain-faults ]; then
  expect 0 ", 0 differ" corpus check --corpus "$root/corpus" --sanitizer none
fi

"$gcstorm" generate -o made --count 3 --seed 5 >/dev/null
for n in 1 2; do "$gcstorm" show made/seed5-00000$n.bin >p$n.rb; done
bad "no entries" corpus check --corpus kept --sanitizer none
expect 0 "kept kept/ractor_program/seeds/one.rb" corpus add p1.rb --corpus kept --seed one
expect 0 "already kept: kept/ractor_program/seeds/one.rb" corpus add p1.rb --corpus kept --seed two
bad "another program" corpus add p2.rb --corpus kept --seed one
bad "nothing says what made/seed5-000003.bin showed" corpus add made/seed5-000003.bin --corpus kept
bad "nothing.bin: No such file" corpus add nothing.bin --corpus kept
bad "made is a directory" corpus add made --corpus kept
mkfifo waits
bad "waits is no plain file" corpus add waits --corpus kept
if [ "$(id -u)" -ne 0 ]; then
  cp p1.rb secret.bin
  chmod 000 secret.bin
  bad "secret.bin: Permission denied" corpus add secret.bin --corpus kept
fi
[ ! -e kept/ractor_program/regressions ] || { echo "a clean file is kept"; failures=$((failures + 1)); }

# Too large is said with the option that helps; what it reads is kept in its canonical form.
head -c 1500000 /dev/zero >large
bad "more than 1048576; raise --max-bytes" corpus add large --corpus zeros --source zeros
bad "more than 99; raise --max-bytes" corpus add p1.rb --corpus zeros --seed one --max-bytes 99
expect 0 "kept zeros/" corpus add large --corpus zeros --source zeros --max-bytes 1500000
expect 0 "1 run, 0 differ" corpus check --corpus zeros --sanitizer none
bad "--max-bytes are for add" corpus check --max-bytes 10
bad "not for add" corpus add p1.rb --corpus kept --seed three --jobs 2
expect 0 "kept kept/ractor_program/regressions/clean-" corpus add made/seed5-000003.bin \
  --corpus kept --source 'a "<&> b'
expect 0 "2 runs, 0 differ" corpus check --corpus kept --sanitizer none --junit out.xml
ruby -rrexml/document -e 'd = REXML::Document.new(File.read("out.xml"))
  exit d.root.elements["testsuite"].attributes["tests"] == "2"' || failures=$((failures + 1))

mkfifo pipe
ln -s out.xml link.xml
bad "pipe is no plain file; name another one" corpus check --corpus kept --junit pipe
bad "link.xml is no plain file; name another one" corpus check --corpus kept --junit link.xml
[ -p pipe ] && [ -L link.xml ] || failures=$((failures + 1))
ln -s nowhere kept/ractor_program/seeds/taken.rb
bad "taken.rb is no plain file; move it away" corpus add p2.rb --corpus kept --seed taken
rm kept/ractor_program/seeds/taken.rb

# Another trace is a difference; JUnit counts it.
manifest=kept/ractor_program/manifest.json
cp $manifest good.json
sed -i 's/"trace_hash": "[0-9a-f]*"/"trace_hash": "0"/' $manifest
expect 1 "2 runs, 2 differ" corpus check --corpus kept --sanitizer none --junit out.xml
ruby -rrexml/document -e 'd = REXML::Document.new(File.read("out.xml"))
  exit d.root.elements["testsuite"].attributes["failures"] == "2"' || failures=$((failures + 1))

# JSON says the same; many workers print what one prints.
"$gcstorm" corpus check --corpus kept --sanitizer none --json >out.json || true
ruby -rjson -e 'j = JSON.parse(File.read("out.json"))
  exit j["runs"] == 2 && j["differ"] == 2 && j["entries"].none? { _1["same"] }' ||
  failures=$((failures + 1))
for jobs in 1 7; do
  "$gcstorm" corpus check --corpus "$root/corpus" --sanitizer none --no-faults --jobs $jobs \
    --json >jobs$jobs
done
cmp jobs1 jobs7 || failures=$((failures + 1))

# Without a manifest nothing is added beside files that it would forget.
cp -r kept bared
rm bared/ractor_program/manifest.json
bad "manifest.json is missing, but" corpus add --corpus bared "$(ls kept/ractor_program/seeds/*.rb | head -1)" --seed another
bad "manifest.json is missing, but" corpus check --corpus bared --sanitizer none
# Traces and contents are recorded anew, and only what changed is named.
expect 0 "trace 0 → " corpus record --corpus kept --sanitizer none
cmp $manifest good.json || failures=$((failures + 1))
expect 0 "0 changed" corpus record --corpus kept --sanitizer none
echo '# a comment' >>kept/ractor_program/seeds/one.rb
expect 0 "seeds/one.rb: content" corpus record --corpus kept --sanitizer none
expect 0 "2 runs, 0 differ" corpus check --corpus kept --sanitizer none
cp p1.rb kept/ractor_program/seeds/one.rb
cp good.json $manifest

# An interrupt ends it with what was done so far.
status=0
timeout --preserve-status -s TERM 0.05 "$gcstorm" corpus check --corpus "$root/corpus" \
  --sanitizer none --no-faults --jobs 1 >out 2>&1 || status=$?
[ $status -ne 130 ] || grep -q interrupted: out || failures=$((failures + 1))
# It may come before the handler is there, or after the last run.
case $status in 0 | 130 | 143) ;; *) cat out; failures=$((failures + 1)) ;; esac

expect 0 "1 seed, 1 regression, " corpus stats --corpus kept

bad "nothing has no entries" corpus stats --corpus nothing
bad "nothing has no entries" corpus stats --corpus nothing --json
bad "not for stats" corpus stats --corpus kept --jobs 2

rm $manifest
mkdir $manifest
bad "manifest.json is a directory" corpus check --corpus kept
bad "manifest.json is a directory" corpus add p2.rb --corpus kept --seed three
rmdir $manifest
: >$manifest
bad "manifest.json:1: " corpus check --corpus kept
printf '{\n"entries": [,]}' >$manifest
bad "manifest.json:2: " corpus check --corpus kept
echo '{' >$manifest
bad "correct or restore it" corpus check --corpus kept
bad "manifest.json:" corpus add p2.rb --corpus kept --seed three
cp good.json $manifest
echo '# tampered' >>kept/ractor_program/seeds/one.rb
bad "not what was added" corpus check --corpus kept
rm kept/ractor_program/seeds/one.rb
for what in check record; do
  bad "kept/ractor_program/manifest.json: entry 2: kept/ractor_program/seeds/one.rb:" corpus $what --corpus kept
done
cp p1.rb kept/ractor_program/seeds/one.rb
# What an entry is to be run with is there, or else it would be left out.
for what in check record stats; do
  for field in '"sanitizer": "foo"' '"sanitizer": ""' '"sanitizer": 1' '"faults": "budget_skipped", "bucket": "x"'; do
    sed "s/\"file\": \"seeds/$field, &/" good.json >$manifest
    bad "kept/ractor_program/manifest.json: entry 2 (seeds/one.rb): sanitizer '" corpus $what --corpus kept
  done
  sed 's/"file": "seeds/"faults": "budget_skipped,other", "bucket": "x", "sanitizer": "none", &/' good.json >$manifest
  bad "kept/ractor_program/manifest.json: entry 2 (seeds/one.rb): no fault 'other'" corpus $what --corpus kept
done
cp good.json $manifest
cp p2.rb kept/ractor_program/seeds/stray.rb
bad "stray.rb is not in the manifest" corpus check --corpus kept
expect 0 "stray.rb" corpus add kept/ractor_program/seeds/stray.rb --corpus kept --seed stray
expect 0 "3 runs, 0 differ" corpus check --corpus kept --sanitizer none

# Killed anywhere in an add, what was kept is still whole, and adding again completes it.
for delay in 0.001 0.003 0.005 0.008 0.012 0.02; do
  { timeout -s KILL $delay "$gcstorm" corpus add p2.rb --corpus killed --seed two; } >/dev/null 2>&1 || true
  expect 0 "killed/ractor_program/seeds/two.rb" corpus add p2.rb --corpus killed --seed two
  expect 0 "1 run, 0 differ" corpus check --corpus killed --sanitizer none
  rm -r killed
done

# A finding of a seeded fault, as its record says it: found with the fault, clean without.
# The text is the minimised program of such a finding, so that the test does not wait for a fuzzer.
: >empty
if "$gcstorm" run --fault shref_not_recorded empty >/dev/null 2>&1; then
  # This build has the faults.
  cat >found.rb <<'END'
# gcstorm: program version=1 dialect=ractor
# gcstorm: settings page_size=1024 arena_pages=16 heap_limit=262144 initial_budget=1 growth=50 free_wanted=20 empty_kept=0 malloc_limit=2048 old_limit=8 shareable_limit=32 zombie_limit=2 offheap_limit=65536
# gcstorm: schedule policy=run quantum=1 depth=0 seed=0
# gcstorm: stress point=allocate action=none every=0

def b0(r1 = nil)
  r0 = r2 = r3 = r4 = r5 = r6 = r7 = r8 = r9 = r10 = r11 = r12 = r13 = r14 = r15 = nil
  G.registers { [r0, r1, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15] }
  r2 = t { Class.new }
  r1 = t { G.object(r0, 0) }
  t { G.constant_set(r2, 0, r1) }
  t { G.gc(:global) }
  r0
end

G.main { b0 }
END
  "$gcstorm" assemble found.rb -o found.bin
  echo '{"faults": "shref_not_recorded", "sanitizer": "none"}' >found.json
  expect 0 "kept whole/ractor_program/regressions/inv-" corpus add found.bin --corpus whole \
    --no-minimize
  cmp found.bin whole/ractor_program/regressions/*.bin || failures=$((failures + 1))
  expect 0 "minimised: ops" corpus add found.bin --corpus kept
  expect 0 "already kept" corpus add found.bin --corpus kept
  # As small as minimize makes it, with the bucket that it had.
  "$gcstorm" minimize found.bin -o least.bin --time 60s >/dev/null 2>&1
  cmp least.bin kept/ractor_program/regressions/inv-*.bin || failures=$((failures + 1))
  ruby -rjson -e 'a, b = ARGV.map { |f| JSON.parse(File.read(f))["entries"].find { _1["bucket"] } }
    exit a["bucket"] == b["bucket"]' whole/ractor_program/manifest.json $manifest ||
    failures=$((failures + 1))
  cp found.bin threads.bin
  echo '{"faults": "shref_not_recorded", "sanitizer": "none", "host": "threads"}' >threads.json
  bad "found on threads" corpus add threads.bin --corpus kept
  # Its cause is fixed: clean without faults, named by the rule that its record has.
  cp found.bin fixed.bin
  echo '{"faults": "", "sanitizer": "none", "finding": {"rule": "INV-SHREF", "bucket": "INV-SHREF:x"}}' \
    >fixed.json
  expect 0 "kept fixed/ractor_program/regressions/inv-shref-" corpus add fixed.bin --corpus fixed
  grep -q '"source": "INV-SHREF:x, fixed"' fixed/ractor_program/manifest.json ||
    failures=$((failures + 1))
  expect 0 "5 runs, 0 differ" corpus check --corpus kept --sanitizer none
  sed -i 's/"bucket": "INV/"bucket": "OTHER/' $manifest
  expect 1 "5 runs, 1 differ" corpus check --corpus kept --sanitizer none
  cp $manifest before.json
  expect 1 "nothing was written" corpus record --corpus kept --sanitizer none
  cmp $manifest before.json || failures=$((failures + 1))
  bad "is clean with --fault" corpus add p2.rb --corpus kept --fault budget_skipped
fi
bad "say check" corpus
bad "for add" corpus check --no-minimize
bad "--junit" corpus record --junit x.xml
bad "small letters" corpus add p1.rb --corpus kept --seed ../x
finish
