#!/bin/bash
# Wrong options and values: one clear line and exit 2, whatever the subcommand.
source "$(dirname "${BASH_SOURCE[0]}")/common.bash" "$@"

: >empty
bad "no command"
bad "no command 'frobnicate'" frobnicate
expect 0 "Usage" --help
expect 0 "gcstorm 0" --version
expect 0 GCSTORM_BUILD --help
expect 0 GCSTORM_BUILD doctor --help
for command in run show minimize assemble corpus generate fuzz faults doctor; do
  expect 0 "Usage: gcstorm $command" "$command" --help
  bad "unknown option --frobnicate" "$command" --frobnicate
done
bad "no file" run
bad "none of none|asan|tsan" run --sanitizer msan x
bad "needs a value" run --sanitizer
bad "takes no value" run --json=yes x
bad "none of off|cycles|phases" run --verify always x
bad "no fault 'frobnicate'" run --fault frobnicate x
bad "not a number" run --repeat 0 x
bad "--perturb needs --host threads" run --perturb 7 empty
bad "--perturb needs --host threads" run --host sim --perturb 0 empty
bad "--variants needs --host sim" run --host threads --variants 3 empty
bad "--observations needs --host sim" run --host threads --observations out empty
for command in "run empty" "minimize empty" "corpus stats" "generate -o out" fuzz doctor; do
  GCSTORM_ORACLES=nobody bad "GCSTORM_ORACLES is 'nobody'; it must be all, none, shadow or stores" \
    $command
done
GCSTORM_ORACLES=nobody expect 0 Usage run --help
GCSTORM_ORACLES=shadow expect 0 "1 clean" run empty
bad "not a number" run --repeat -1 x
bad "not a number" run --max-bytes 1k x
bad "none of ractor_program" run --harness other x
bad "no file" show
bad "one file" show a b
bad "exclude each other" show --ops --json empty
bad "-o DIR" generate
bad "not a number" generate -o out --count 0
bad "not a number" generate -o out --seed x
bad "not a number" generate -o out --seed 99999999999999999999999
bad "no profile" generate -o out --profile other
bad "unexpected word" generate -o out more
[ ! -e out ]
bad "not a time" fuzz --time 0
bad "not a time" fuzz --time 10d
bad "not a time" fuzz --time -5s
bad "not a time" fuzz --time 99999999999999999999s
bad "is none of" fuzz --sanitizer asan,msan
bad "is none of" fuzz --sanitizer ""
bad "none of libfuzzer|afl" fuzz --engine honggfuzz
bad "none of libfuzzer|afl" fuzz --engine ""
bad "needs a value" fuzz --engine
bad "--engine afl has none" fuzz --engine afl --sanitizer asan
bad "--engine afl has none" fuzz --engine afl --sanitizer none,tsan
bad "no harness" fuzz other
for option in "--host sim" "--host threads" "--engine libfuzzer" "--engine afl" "--time 5s" \
  "--sanitizer asan"; do
  bad "--soak has its own" fuzz --soak 5s $option
done
bad "not a number" fuzz --jobs 0
bad "no fault" fuzz --fault shref_not_recorded,other
bad "say what" faults
bad "one action, list, is all there is" faults remove
expect 0 shref_not_recorded faults list
expect 0 '"id": "shref_not_recorded"' faults list --json
# Without afl-fuzz the package is named; with it, the build.
mkdir nothing afl-fuzz-only
ln -s /bin/true afl-fuzz-only/afl-fuzz
PATH=$work/nothing expect 3 "apt-get install afl++" fuzz --engine afl
PATH=$work/afl-fuzz-only expect 3 "run ci/build afl" fuzz --engine afl
PATH=$work/nothing expect 3 "apt-get install afl++" doctor
finish
