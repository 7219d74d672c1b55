#!/bin/bash
# What only O3, only O8 or only O4's livelock rule sees: each fault below is silent for every other
# oracle in the same program, and has its bucket with the one that it is made for.  Without a fault
# all are silent, in Ractor programs and in GC events.
source "$(dirname "${BASH_SOURCE[0]}")/common.bash" "$@"

expect 0 "1500 programs" generate -o programs --count 1500 --seed 5
find programs -name '*.bin' | sort >names
mapfile -t files <names
expect 0 "1500 clean" run "${files[@]}"
bad "oracles" run --oracles nobody "${files[0]}"
expect 0 "1500 programs" generate --harness gc_events -o events --count 1500 --seed 5
find events -name '*.bin' | sort >names
mapfile -t files <names
expect 0 "1500 clean" run "${files[@]}"

# Takes the first block of a program as text.
by_hand() {
  {
    printf '# gcstorm: program version=1 dialect=ractor\n\ndef b0(r1 = nil)\n'
    printf '  r0 = r2 = r3 = r4 = r5 = r6 = r7 = r8 = r9 = r10 = r11 = r12 = r13 = r14 = r15 = nil\n'
    printf '  G.registers { [r0, r1, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15] }\n'
    cat
    printf 'end\n'
  } >"$4.rb"
  judge "$@"
}

# Takes GC events as text.
events_by_hand() {
  {
    printf '# gcstorm: settings page_size=65536 heap_limit=4194304\n\ngc_events do\n'
    cat
    printf 'end\n'
  } >"$4.rb"
  judge "$@"
}

judge() {
  local oracle=$1 other=$2 rule=$3 fault=$4
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
  # The second cycle first ends the sweep of the one before.
  printf '  r3 = t { nil }\n  r4 = t { nil }\n  t { G.gc(:major) }\n  t { G.gc(:major) }\n'
} | by_hand shadow stores INV-GONE:Object major_keeps_old
by_hand stores shadow INV-BARRIER:Array shareable_without_barrier <<'RUBY'
  3.times do
    r2 = t { Ractor::Port.new }
  end
  r3 = t { Array.new(62, r0) }
  t { r3 << r2 }
RUBY
by_hand stores shadow INV-BARRIER:Array fill_without_barrier <<'RUBY'
  r2 = t { Ractor::Port.new }
  r3 = t { Array.new(63, r2) }
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
  r3 = t { G.object(r2, 24) }
RUBY
by_hand stores shadow INV-BARRIER:Hash shift_without_barrier <<'RUBY'
  r2 = t { {} }
  r3 = t { 1 }
  r4 = t { 2 }
  t { r2[r3] = r2 }
  t { r2[r4] = r2 }
  r5 = t { r2.delete(r3) }
RUBY
{
  printf '  o[0] = allocate :s0, 1\n'
  for ((i = 0; i < 4; i++)); do
    printf '  repeat 62, 4\n  o[1] = allocate :s0, 1\n  o[1][0] = o[0]\n'
    printf '  o[0] = allocate :s0, 1\n  o[0][0] = o[1]\n'
  done
  printf '  repeat 4, 1\n  collect :s0, :minor\n'
  printf '  forget o[0]\n  forget o[1]\n  collect :s0, :major\n  sweep_rest :s0\n'
} | events_by_hand shadow stores INV-GONE:record major_keeps_old
{
  printf '  create :s1\n  start :s1\n'
  for ((i = 0; i < 2; i++)); do
    printf '  repeat 63, 1\n  o[5] = allocate :s1, 0\n'
  done
  printf '  promote o[5]\n  o[0] = allocate :s0, 2\n'
  printf '  local_start :s0, :major\n  local_finish :s0\n  o[0][0] = o[5]\n'
} | events_by_hand stores shadow INV-BARRIER:record foreign_child_without_barrier

# A sixth Ractor has two messages on its default port and waits for one on another: it waits for
# ever, which is the program's affair; with the fault it looks again for ever, which is ours.
cat >receive_polls_full_queue.rb <<'RUBY'
def b0(r1 = nil)
  5.times do
    r2 = Ractor.new(r0) { |x| b1(x) }
  end
  r2 = Ractor.new(r0) { |x| b2(x) }
  r3 = 1
  r2.send(r3)
  r2.send(r3)
  r4 = r2.value
end

def b1(r1 = nil)
end

def b2(r1 = nil)
  r2 = Ractor::Port.new
  r3 = r2.receive
end
RUBY
expect 0 "1 clean" run receive_polls_full_queue.rb
for oracles in none all; do
  expect 1 "bucket INV-LIVELOCK:port_receive" \
    run --fault receive_polls_full_queue --oracles $oracles receive_polls_full_queue.rb
done
sed 's/5\.times/4.times/' receive_polls_full_queue.rb >five.rb
expect 0 "1 clean" run --fault receive_polls_full_queue five.rb
finish
