#!/bin/bash
# What only O3 or only O8 sees: each fault below is silent for every other oracle in the same
# program, and has its bucket with the one that it is made for.  Without a fault both are silent.
source "$(dirname "${BASH_SOURCE[0]}")/common.bash" "$@"

expect 0 "1500 programs" generate -o programs --count 1500 --seed 5
find programs -name '*.bin' | sort >names
mapfile -t files <names
expect 0 "1500 clean" run "${files[@]}"
bad "oracles" run --oracles nobody "${files[0]}"

# Takes the first block of a program as text.
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

by_hand shadow stores INV-INTACT:String copy_drops_byte <<'RUBY'
  r2 = t { G.string(60, 7) }
  r3 = t { Ractor::Port.new }
  t { r3.send(r2) }
  r4 = t { r3.receive }
  t { G.gc(:global) }
RUBY
by_hand shadow stores INV-INTACT:Array growth_drops_element <<'RUBY'
  r3 = t { 1 }
  r2 = t { Array.new(35, r3) }
  t { r2 << r3 }
  t { G.gc(:global) }
RUBY
{
  for ((i = 0; i < 20; i++)); do
    printf '  r2 = t { G.string(1, %d) }\n  r3 = t { -r2 }\n' $i
  done
  printf '  r2 = t { nil }\n  r3 = t { nil }\n  t { G.gc(:global) }\n'
} | by_hand shadow stores INV-GONE:String interned_never_die
{
  printf '  r2 = t { G.object(r0, 4) }\n'
  for ((i = 0; i < 6; i++)); do
    printf '  t { G.stack_push(r2, :interior) }\n'
  done
  printf '  r2 = t { nil }\n  t { G.gc(:global) }\n'
} | by_hand shadow stores INV-GONE:Object interior_words_pin
{
  for ((i = 0; i < 7; i++)); do
    printf '  60.times do\n    r3 = t { G.object(r0, 1) }\n    t { G.field_set(r3, 0, r4) }\n'
    printf '    r4 = t { r3 }\n  end\n'
  done
  printf '  4.times do\n    t { G.gc(:minor) }\n  end\n'
  printf '  r3 = t { nil }\n  r4 = t { nil }\n  t { G.gc(:major) }\n'
} | by_hand shadow stores INV-GONE:Object major_keeps_old
by_hand stores shadow INV-BARRIER:Array shareable_without_barrier <<'RUBY'
  r2 = t { Ractor::Port.new }
  r3 = t { Array.new(62, r0) }
  t { r3 << r2 }
RUBY
by_hand stores shadow INV-BARRIER:Array fill_without_barrier <<'RUBY'
  r2 = t { Ractor::Port.new }
  r3 = t { Array.new(62, r2) }
RUBY
by_hand shadow stores INV-INTACT:Hash copy_thaws_hash <<'RUBY'
  r2 = t { {} }
  7.times do
    r3 = t { G.object(r0, 1) }
    t { r2[r3] = r3 }
  end
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
