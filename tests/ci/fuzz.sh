#!/bin/bash
# ci/fuzz takes every option of `gcstorm fuzz`, and says what is wrong before it installs or builds.  ci/install explains itself.
#   fuzz.sh GCSTORM
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
gcstorm=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

# ci/fuzz among programs that only say what they were called with.
mkdir -p "$work"/{ci,build,gc-core}
cp "$root/ci/fuzz" "$work/ci/"
cp "$root/gc-core/faults.def" "$work/gc-core/"
for name in ci/install ci/build build/gcstorm; do
  printf '#!/bin/sh\necho %s "$@"\n' $name >"$work/$name"
  chmod +x "$work/$name"
done

# does OUTPUT ARGUMENT… : the programs it calls, in order
does() {
  local text=$1 status=0 out
  shift
  out=$("$work/ci/fuzz" "$@" 2>&1 </dev/null) || status=$?
  if [ $status -ne 0 ] || [[ $out != $text ]]; then
    echo "ci/fuzz $*: exit $status, wanted '$text'; printed: $out"
    failures=$((failures + 1))
  fi
}

# bad TEXT ARGUMENT… : exit 2 and one line on stderr with the text; nothing is called.
bad() {
  local text=$1 status=0 out
  shift
  out=$("$work/ci/fuzz" "$@" 2>"$work/err" </dev/null) || status=$?
  if [ $status -ne 2 ] || [[ $(cat "$work/err") != *"$text"* ]] || [ "$(wc -l <"$work/err")" -ne 1 ] || [ -n "$out" ]; then
    echo "ci/fuzz $*: exit $status, wanted 2 and '$text'; printed: $out$(cat "$work/err")"
    failures=$((failures + 1))
  fi
}

does "ci/install core
ci/build plain asan tsan
build/gcstorm fuzz --time 60s"
does "ci/install core
ci/build plain asan tsan
build/gcstorm fuzz --soak 10m" --soak 10m
does "ci/install core
ci/build plain asan-faults tsan-faults
build/gcstorm fuzz --fault shref_not_recorded --soak 1h" --fault=shref_not_recorded --soak=1h
does "ci/install core
ci/build plain plain-faults tsan-faults
build/gcstorm fuzz --sanitizer none,tsan --fault shref_not_recorded --time 5s" \
  --sanitizer none,tsan --fault shref_not_recorded --time 5s
does "ci/install core afl
ci/build plain afl
build/gcstorm fuzz --engine afl gc_events --time 60s" --engine afl gc_events
does "ci/install core
ci/build plain asan tsan
build/gcstorm fuzz ractor_program gc_events --host threads --time 60s" --harness ractor_program,gc_events --host threads

# Each option of the command, with a value where it wants one.
value_of() {
  case $1 in
    --time | --soak) echo 5s ;;
    --engine) echo libfuzzer ;;
    --sanitizer) echo asan ;;
    --host) echo sim ;;
    --fault) echo shref_not_recorded ;;
    --jobs | --seed) echo 7 ;;
    *) echo "a b" ;;
  esac
}
options=0
while read -r option argument; do
  [ "$option" != --help ] || continue
  options=$((options + 1))
  if [[ $argument =~ ^[A-Z]|\| ]]; then
    does "*build/gcstorm fuzz*$option $(value_of "$option")*" "$option" "$(value_of "$option")"
    bad "$option needs a value" "$option"
    bad "$option needs a value" "$option="
  else
    does "*build/gcstorm fuzz*$option*" "$option"
    bad "$option takes no value" "$option=yes"
  fi
done < <("$gcstorm" fuzz --help | sed -nE 's/^ +(-., )?(--[a-z-]+) ?([^ ]*).*/\2 \3/p')
[ $options -ge 13 ] || { echo "only $options options in --help"; failures=$((failures + 1)); }

bad "unknown option --frobnicate" --frobnicate
bad "unknown option --frobnicate" --frobnicate=1
bad "unknown option -x" -x
for time in 0 0s 10d -5s 9999999h 99999999999999999999s soon; do
  bad "is no time" --time $time
  bad "is no time" --soak $time
done
bad "is no number from 1 to 256" --jobs 0
bad "is no number from 1 to 256" --jobs 257
bad "is no number from 0 to 2147483647" --seed 2147483648
bad "is no number" --seed x
bad "no harness 'other'" other
bad "no harness 'other'" --harness gc_events,other
bad "no engine 'honggfuzz'" --engine honggfuzz
bad "no host 'fibers'" --host fibers
bad "no sanitizer 'msan'" --sanitizer asan,msan
bad "there twice" --sanitizer asan,asan
bad "ends in a comma" --sanitizer asan,
bad "no fault 'other'" --fault shref_not_recorded,other
bad "no fault ''" --fault shref_not_recorded,,other
bad "--engine afl has none" --engine afl --sanitizer asan
bad "--engine afl cannot run there" --engine afl --host threads
for option in "--time 5s" "--sanitizer asan" "--engine libfuzzer" "--host sim"; do
  bad "--soak has its own" --soak 5s $option
done
does "*--soak T*Exit: 0 nothing found*" --help

for option in -h --help; do
  out=$("$root/ci/install" $option) || out=
  [[ $out == *"ci/install [core] [test] [afl]"*"Exit 3"* ]] || { echo "ci/install $option: $out"; failures=$((failures + 1)); }
done
status=0
out=$("$root/ci/install" other 2>&1) || status=$?
[ $status -eq 2 ] && [[ $out == *"no tier 'other'"* ]] || { echo "ci/install other: $out"; failures=$((failures + 1)); }
[ $failures -eq 0 ] || { echo "$failures failures"; exit 1; }
