#!/bin/bash
# Every seed of the corpus is a program that people can read, that does what its comments say, and
# that is the same program as bytes, as text, and in each build at hand.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
here=$root/tests/fuzz/cli
source "$here/common.bash" "$@"

# Builds beside this one count when nothing that their worker is made of is newer.
sanitizers=(none)
for preset in asan tsan; do
  worker=$(dirname "$binaries")/$preset/harnesses/gcstorm-worker
  if [ "$(basename "$binaries")" = plain ] && [ -x "$worker" ] &&
    [ -z "$(cd "$root" && find gc-core fuzz/program fuzz/exec harnesses/replay.c -type f \
      -newer "$worker" -print -quit)" ]; then
    ln -s "$(dirname "$binaries")/$preset" "builds/$preset"
    sanitizers+=("$preset")
  fi
done

seed_failed() {
  echo "$1"
  failures=$((failures + 1))
}

hashes() { # SANITIZER FILE…
  "$gcstorm" run --sanitizer "$1" --json "${@:2}" | grep -o '"trace_hash": *"[0-9a-f]*"'
}

for seeds in ractor_program:64 gc_events:12; do
  harness=${seeds%:*}
  folder=$root/corpus/$harness/seeds
  files=("$folder"/*.rb)
  [ ${#files[@]} -ge "${seeds#*:}" ] ||
    seed_failed "$folder: ${#files[@]} seeds, wanted ${seeds#*:}"
  mkdir "$harness"
  traces=()
  for file in "${files[@]}"; do
    name=$harness/$(basename "$file" .rb)
    expect 0 "" assemble "$file" -o "$name.bin"
    "$gcstorm" show "$name.bin" >"$name.rb"
    expect 0 "" assemble "$name.rb" -o "$name.back"
    cmp -s "$name.bin" "$name.back" || seed_failed "$file: printed and assembled, other bytes"
    expect 0 "1 clean" run --trace "$name.trace" "$name.bin"
    traces+=("$file" "$name.trace")
  done
  ruby "$here/seed_claims.rb" "${traces[@]}" || seed_failed "$folder: see above"

  # No two alike: neither in bytes nor but for the numbers in them.
  twins=$(md5sum "$harness"/*.bin | sort | uniq -w32 -D)
  [ -z "$twins" ] || seed_failed "the same program twice: $twins"
  for file in "$harness"/*.rb; do
    echo "$(grep -v '^#' "$file" | tr -d '0-9' | md5sum) $file"
  done >"$harness.shapes"
  twins=$(sort "$harness.shapes" | uniq -w32 -D)
  [ -z "$twins" ] || seed_failed "the same program but for numbers: $twins"

  for sanitizer in "${sanitizers[@]}"; do
    for ending in rb bin; do
      [ $ending = rb ] && from=$folder || from=$harness
      hashes "$sanitizer" "$from"/*.$ending >"$harness.hashes" ||
        seed_failed "$harness: $sanitizer: not clean from .$ending"
      [ -e "$harness.first" ] || cp "$harness.hashes" "$harness.first"
      cmp -s "$harness.first" "$harness.hashes" ||
        seed_failed "$harness: the traces of $sanitizer differ from .$ending"
    done
  done
done

# What `ruby -wc` says, for all files at once.
warnings=$(ruby -e '$VERBOSE = true
  ARGV.each { |file| RubyVM::InstructionSequence.compile(File.read(file), file) }' \
  "$root"/corpus/*/seeds/*.rb 2>&1) || warnings="ruby failed: $warnings"
[ -z "$warnings" ] || seed_failed "$warnings"

# The judge of claims can say no.
seed=$root/corpus/gc_events/seeds/one_local_cycle_by_steps.rb
sed 's/^# does: .*/# does: global 1/' "$seed" >claims_too_much.rb
sed 's/^# does: /# refused: store\n&/' "$seed" >claims_a_refusal.rb
for file in claims_too_much.rb claims_a_refusal.rb; do
  if ruby "$here/seed_claims.rb" $file gc_events/one_local_cycle_by_steps.trace >said; then
    seed_failed "$file was believed"
  fi
  [ "$(wc -l <said)" -eq 1 ] || seed_failed "$file: $(cat said)"
done
finish
