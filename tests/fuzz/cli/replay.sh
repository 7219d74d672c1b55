#!/bin/bash
# The same bytes, the same trace: in one process, in two, and alone or among others.
source "$(dirname "${BASH_SOURCE[0]}")/common.bash" "$@"

expect 0 "20 programs" generate -o programs --count 20 --seed 7
expect 0 "60 clean" run --repeat 3 programs/*.bin
"$gcstorm" run programs/*.bin >together
for program in programs/*.bin; do
  "$gcstorm" run "$program" | grep -v '^1 clean'
done >alone
grep -v ' with a finding' together | cmp - alone || failures=$((failures + 1))

first=$(ls programs/*.bin | head -1)
expect 0 "1 clean" run --trace trace.json "$first"
[ -s trace.json ] || { echo "no trace"; failures=$((failures + 1)); }

# Clean here, where the record beside the file tells of other options.
cp "$first" told.bin
echo '{"sanitizer":"tsan","host":"sim","faults":"","run":"gcstorm run --sanitizer tsan told.bin"}' >told.json
expect 0 "tells of other options: gcstorm run --sanitizer tsan" run told.bin

# More files than one worker process gets at once.
files=()
for ((i = 0; i < 300; i++)); do files+=("$first"); done
expect 0 "300 clean" run "${files[@]}"
finish
