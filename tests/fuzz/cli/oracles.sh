#!/bin/bash
# What only O3 or only O8 sees: each fault below is silent for every other oracle over the same
# programs, and has its bucket with the one that it is made for.  Without a fault both are silent.
source "$(dirname "${BASH_SOURCE[0]}")/common.bash" "$@"

expect 0 "1500 programs" generate -o programs --count 1500 --seed 5
find programs -name '*.bin' | sort >names
mapfile -t files <names
expect 0 "1500 clean" run "${files[@]}"
bad "oracles" run --oracles nobody "${files[0]}"

only() {
  local oracle=$1 other=$2 rule=$3 fault=$4
  expect 0 "1500 clean, 0 with" run --fault "$fault" --oracles none "${files[@]}"
  expect 0 "1500 clean, 0 with" run --fault "$fault" --oracles "$other" "${files[@]}"
  expect 1 "bucket $rule" run --fault "$fault" --oracles "$oracle" "${files[@]}"
  expect 1 "bucket $rule" run --fault "$fault" "${files[@]}"
}

only shadow stores INV-INTACT:String copy_drops_byte
only shadow stores INV-INTACT:Array growth_drops_element
only shadow stores INV-GONE:String interned_never_die
only shadow stores INV-GONE: interior_words_pin
only shadow stores INV-GONE: major_keeps_old
only stores shadow INV-BARRIER:Array fill_without_barrier
only stores shadow INV-BARRIER:Array shareable_without_barrier

# What generated programs seldom do, by hand: the first block of a program in text.
by_hand() {
  local oracle=$1 other=$2 rule=$3 fault=$4
  {
    printf '# gcstorm: program version=1 dialect=ractor\n\ndef b0(r1 = nil)\n'
    printf '  r0 = r2 = r3 = r4 = r5 = r6 = r7 = r8 = r9 = r10 = r11 = r12 = r13 = r14 = r15 = nil\n'
    printf '  G.registers { [r0, r1, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15] }\n'
    cat
    printf 'end\n'
  } >"$fault.rb"
  expect 0 "1 clean" run "$fault.rb"
  expect 0 "1 clean" run --fault "$fault" --oracles none "$fault.rb"
  expect 0 "1 clean" run --fault "$fault" --oracles "$other" "$fault.rb"
  expect 1 "bucket $rule" run --fault "$fault" --oracles "$oracle" "$fault.rb"
  expect 1 "bucket $rule" run --fault "$fault" "$fault.rb"
}

by_hand shadow stores INV-INTACT:Hash copy_thaws_hash <<'RUBY'
  r2 = t { {} }
  t { r2.freeze }
  r3 = t { Ractor::Port.new }
  t { r3.send(r2) }
  r4 = t { r3.receive }
  t { G.gc(:global) }
RUBY
# Seen at the store, though no collection runs at all.
by_hand stores shadow INV-BARRIER:Object class_without_barrier <<'RUBY'
  r2 = t { Class.new }
  r3 = t { G.object(r2, 20) }
RUBY
by_hand stores shadow INV-BARRIER:Hash shift_without_barrier <<'RUBY'
  r2 = t { {} }
  r3 = t { 1 }
  r4 = t { 2 }
  t { r2[r3] = r2 }
  t { r2[r4] = r2 }
  r5 = t { r2.delete(r3) }
RUBY
finish
