#!/bin/bash
# Places that cannot be written are exit 2 before work begins.
source "$(dirname "${BASH_SOURCE[0]}")/common.bash" "$@"

: >file
bad "file" generate -o file/below
bad "is not a folder" generate -o file
bad "file" fuzz --findings file/below
bad "file" fuzz --corpus file/below --sanitizer none
bad "file/trace" run --trace file/trace file
bad "/proc" generate -o /proc/gcstorm
if [ "$(id -u)" -ne 0 ]; then
  mkdir closed
  chmod 555 closed
  bad "closed" generate -o closed
  bad "closed" fuzz --findings closed
  bad "closed" fuzz --corpus closed --sanitizer none
  bad "closed" run --trace closed/trace file
fi
GCSTORM_BUILD=$work/nothing expect 3 "ci/build plain" run file
GCSTORM_BUILD=$work/nothing expect 3 "ci/build asan" fuzz --sanitizer asan
finish
