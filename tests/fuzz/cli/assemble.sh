#!/bin/bash
# Text and bytes are two forms of one program; the text is Ruby without warnings.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
source "$(dirname "${BASH_SOURCE[0]}")/common.bash" "$@"

"$gcstorm" generate -o made --count 40 --seed 5 >/dev/null
"$gcstorm" generate -o made --count 20 --seed 6 --harness gc_events >/dev/null
for file in made/*.bin; do
  "$gcstorm" show "$file" >"${file%.bin}.rb"
  "$gcstorm" assemble "${file%.bin}.rb" -o "${file%.bin}.back"
  cmp "$file" "${file%.bin}.back" || failures=$((failures + 1))
done
"$gcstorm" show --prelude made/seed5-000001.bin >made/with-prelude.rb
"$gcstorm" assemble made/with-prelude.rb -o made/without.bin
"$gcstorm" generate -o events --count 1 --seed 5 --harness gc_events >/dev/null
bad "GC events run in gcstorm alone" show --prelude events/*.bin
cmp made/without.bin made/seed5-000001.bin || failures=$((failures + 1))

# What `ruby -wc` says, for all files at once.
warnings=$(ruby -e '$VERBOSE = true
  ARGV.each { |file| RubyVM::InstructionSequence.compile(File.read(file), file) }' made/*.rb 2>&1) ||
  warnings="ruby failed: $warnings"
[ -z "$warnings" ] || { echo "$warnings" | head; failures=$((failures + 1)); }

# The script of the reference: it parses, runs here and on a stock ruby, and text runs as bytes do.
sed -n '/^```ruby$/,/^```$/p' "$root/docs/PROGRAMS.md" | grep -v '^```' >by_hand.rb
expect 0 "1 clean" run by_hand.rb
expect 0 "" assemble by_hand.rb -o by_hand.bin
hash() { "$gcstorm" run --json "$1" | grep -o '"trace_hash": "[0-9a-f]*"'; }
[ "$(hash by_hand.rb)" = "$(hash by_hand.bin)" ] || failures=$((failures + 1))
"$gcstorm" show --prelude by_hand.bin >stock.rb
timeout 60 ruby stock.rb || { echo "a stock ruby: exit $?"; failures=$((failures + 1)); }

# The tables of the reference are those of the program.
for dialect in ractor events; do
  sed -n "/^<!-- $dialect -->\$/,/^<!-- end -->\$/p" "$root/docs/PROGRAMS.md" | grep '^|' >table
  "$gcstorm" assemble --reference $dialect | diff - table || failures=$((failures + 1))
done

printf 'def b0\n  r1 = Array.new(64, r0)\nend\n' >wrong.rb
bad "wrong.rb:2:18: expected a number from 0 to 63" assemble wrong.rb -o out
bad "wrong.rb:2:18" run wrong.rb
bad "wrong.rb:2:18" show wrong.rb
bad 'a\nb\x1b.rb' assemble $'a\nb\e.rb' -o out
bad "missing" assemble missing.rb -o out
bad "no file" assemble -o out
bad "-o OUT" assemble by_hand.rb
bad "made is no plain file" assemble by_hand.rb -o made
bad "cannot write" assemble by_hand.rb -o by_hand.rb/below

# What is there and is no plain file stays, and so does the text.
mkfifo pipe
ln -s by_hand.bin link
ln -s nowhere dangling
for name in pipe link dangling; do
  bad "$name is no plain file; name another one" assemble by_hand.rb -o $name
done
[ -p pipe ] && [ -L link ] && [ -L dangling ] || { echo "replaced"; failures=$((failures + 1)); }
cp by_hand.rb before
cp before text
bad "the text itself" assemble by_hand.rb -o ./by_hand.rb
bad "the text itself" assemble text -o text
bad "other.rb would hold a program's bytes" assemble by_hand.rb -o other.rb
cmp before by_hand.rb && cmp before text || failures=$((failures + 1))
echo mine >out.new
bad "out.new is in the way" assemble by_hand.rb -o out
[ "$(cat out.new)" = mine ] || failures=$((failures + 1))
[ ! -e out ] || failures=$((failures + 1))
finish
