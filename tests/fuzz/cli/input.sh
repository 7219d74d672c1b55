#!/bin/bash
# Inputs: bad paths are exit 2 before anything runs; any bytes are a program.
source "$(dirname "${BASH_SOURCE[0]}")/common.bash" "$@"

: >empty
head -c 5000 /dev/urandom >random
head -c 2000000 /dev/zero >large
printf 'GCST\377\000\000\000rest' >future
mkdir folder
mkfifo pipe
for command in run show; do
  bad "missing" $command missing
  bad "directory" $command folder
  bad "raise --max-bytes" $command large
  bad "raise --max-bytes" $command --max-bytes 4999 random
  bad "no plain file" $command pipe
  bad "future" $command future
  if [ "$(id -u)" -ne 0 ]; then
    cp random secret
    chmod 000 secret
    bad "secret" $command secret
  fi
done
# One bad file among good ones: nothing runs.
bad "missing" run empty missing

# A trace never takes the place of the input, and never waits for a reader.
cp random traced
bad "the input itself" run --trace traced traced
bad "the input itself" run --trace ./traced traced
cmp random traced || failures=$((failures + 1))
echo '{}' >traced.json
bad "the record of the input" run --trace traced.json traced
bad "the record of the input" run --observations ./traced.json traced
[ "$(cat traced.json)" = '{}' ] || failures=$((failures + 1))
rm traced.json
bad "are one file" run --trace once --observations ./once traced
bad "no plain file" run --trace pipe random
bad "no plain file" run --trace /dev/null random
bad "runs in all" run --repeat 1000000 random random random random random random random random \
  random random random
bad "there twice" fuzz --sanitizer none,none
bad "more words" --version random
bad "is for --stats" generate -o made --json

# A name that is no UTF-8 is a name.
cp random $'odd\xff'
expect 0 "1 clean" run $'odd\xff'
expect 0 '"file": "odd?"' run --json $'odd\xff'

# Where no worker can start it is the machine that is to blame, not the input.
mkdir -p dead/plain/harnesses
printf '#!/bin/sh\necho no shadow memory >&2\nexit 1\n' >dead/plain/harnesses/gcstorm-worker
chmod +x dead/plain/harnesses/gcstorm-worker
GCSTORM_BUILD=$PWD/dead expect 3 "cannot run here: no shadow memory" run random

# stdin, stdout or stderr closed: the run is as ever, and only a lost output is a failure.
status=0
"$gcstorm" run random >out 2>&- || status=$?
[ $status -eq 0 ] && grep -q "1 clean" out || { echo "2>&-: exit $status"; cat out; failures=$((failures + 1)); }
"$gcstorm" run random >out <&- || failures=$((failures + 1))
for command in "run random" "run --json random" "show random" "generate -o closed --count 1"; do
  status=0
  "$gcstorm" $command >&- 2>err || status=$?
  [ $status -eq 3 ] && [ "$(wc -l <err)" -eq 1 ] && grep -q "cannot write the output" err ||
    { echo "$command >&-: exit $status"; cat err; failures=$((failures + 1)); }
done
status=0
"$gcstorm" run random >&- 2>&- <&- || status=$?
[ $status -eq 3 ] || { echo "all closed: exit $status"; failures=$((failures + 1)); }

expect 0 "3 clean" run empty random --max-bytes 5000 empty
expect 0 "3 clean" run --harness gc_events empty random empty
expect 0 "2 clean" run --max-bytes 2000000 large random
expect 0 "" show empty
expect 0 "" show random
expect 0 "" show --ops random
expect 0 "" show --schedule random
expect 0 "{" show --json random
expect 0 '"variants": 0,' show --json empty
printf '# gcstorm: confluent variants=3\ndef b0\nend\n' >confluent.rb
expect 0 '"variants": 3,' show --json confluent.rb
expect 0 "# gcstorm: confluent variants=3" show confluent.rb
# All that a program carries besides its ops; the first line is of version and dialect.
for file in random confluent.rb; do
  "$gcstorm" show "$file" | grep '^# gcstorm:' | sed 1d >comments
  for line in settings schedule stress; do
    grep -q "^# gcstorm: $line " comments || { echo "no $line"; failures=$((failures + 1)); }
  done
  "$gcstorm" show --schedule "$file" | cmp - comments || failures=$((failures + 1))
done
"$gcstorm" show --json confluent.rb >shown.json
ruby -rjson -e 'exit JSON.parse(File.read("shown.json"))["variants"] == 3' || failures=$((failures + 1))
expect 0 '"verdict": "clean"' run --json empty
finish
