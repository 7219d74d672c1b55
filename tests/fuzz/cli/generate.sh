#!/bin/bash
# Same seed, same programs; and the programs are worth running.
source "$(dirname "${BASH_SOURCE[0]}")/common.bash" "$@"

expect 0 "10 programs" generate -o a --count 10 --seed 3
expect 0 "10 programs" generate -o b --count 10 --seed 3
diff -r a b || failures=$((failures + 1))
expect 0 "10 programs" generate -o c --count 10 --seed 4
for n in 1 5 10; do
  name=$(printf '%06d' "$n")
  if cmp -s "a/seed3-$name.bin" "c/seed4-$name.bin"; then
    echo "seeds 3 and 4 made the same program $n"
    failures=$((failures + 1))
  fi
done
expect 0 "worth of the programs (50 runs" generate -o d --count 50 --stats
expect 0 '"runs": 20' generate -o e --count 20 --stats --json
expect 0 "" generate -o f --count 20 --harness gc_events --stats
expect 0 "Ruby" show --help
expect 0 "" show a/seed3-000001.bin
mkdir g
ln -s nowhere g/seed3-000002.bin
bad "seed3-000002.bin is no plain file" generate -o g --count 2 --seed 3
[ -L g/seed3-000002.bin ] || failures=$((failures + 1))
finish
