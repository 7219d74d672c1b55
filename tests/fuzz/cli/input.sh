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

expect 0 "3 clean" run empty random --max-bytes 5000 empty
expect 0 "3 clean" run --harness gc_events empty random empty
expect 0 "2 clean" run --max-bytes 2000000 large random
expect 0 "" show empty
expect 0 "" show random
expect 0 "" show --ops random
expect 0 "" show --schedule random
expect 0 "{" show --json random
expect 0 '"verdict": "clean"' run --json empty
finish
