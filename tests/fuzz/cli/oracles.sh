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
only shadow stores INV-INTACT:Hash copy_thaws_hash
only shadow stores INV-GONE:String interned_never_die
only shadow stores INV-GONE: interior_words_pin
only shadow stores INV-GONE: major_keeps_old
only stores shadow INV-BARRIER:Array fill_without_barrier
only stores shadow INV-BARRIER:Array shareable_without_barrier
only stores shadow INV-BARRIER:Object class_without_barrier

# Seen at the store, though no collection runs at all.
cat >shift.rb <<'RUBY'
# gcstorm: program version=1 dialect=ractor

def b0(r1 = nil)
  r0 = r2 = r3 = r4 = r5 = r6 = r7 = r8 = r9 = r10 = r11 = r12 = r13 = r14 = r15 = nil
  G.registers { [r0, r1, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15] }
  r2 = t { {} }
  r3 = t { 1 }
  r4 = t { 2 }
  t { r2[r3] = r2 }
  t { r2[r4] = r2 }
  r5 = t { r2.delete(r3) }
end
RUBY
expect 0 "1 clean" run --fault shift_without_barrier --oracles none shift.rb
expect 0 "1 clean" run --fault shift_without_barrier --oracles shadow shift.rb
expect 1 "bucket INV-BARRIER:Hash" run --fault shift_without_barrier shift.rb
finish
