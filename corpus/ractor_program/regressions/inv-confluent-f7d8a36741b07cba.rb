# gcstorm: program version=1 dialect=ractor
# gcstorm: settings page_size=1024 arena_pages=16 heap_limit=262144 initial_budget=1 growth=50 free_wanted=20 empty_kept=0 malloc_limit=2048 old_limit=8 shareable_limit=32 zombie_limit=2 offheap_limit=65536
# gcstorm: schedule policy=run quantum=1 depth=0 seed=0
# gcstorm: confluent variants=1
# gcstorm: stress point=allocate action=none every=0

def b0(r1 = nil)
  r0 = r2 = r3 = r4 = r5 = r6 = r7 = r8 = r9 = r10 = r11 = r12 = r13 = r14 = r15 = nil
  G.registers { [r0, r1, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15] }
  r4 = t { {} }
  r0 = t { Ractor.new(r4) { |x| b1(x) } }
  r3 = t { {} }
  r5 = t { Ractor.new(r3) { |x| b1(x) } }
  r0 = t { r5.value }
  t { G.gc(:minor) }
  r1 = t { Array.new(0, r0) }
  43.times do
    r2 = t { G.string(6, 0) }
    t { Ractor.make_shareable(r2) }
    t { r1 << r0 }
  end
  r0 = t { r1[31] }
  r0
end

def b1(r1 = nil)
  r0 = r2 = r3 = r4 = r5 = r6 = r7 = r8 = r9 = r10 = r11 = r12 = r13 = r14 = r15 = nil
  G.registers { [r0, r1, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15] }
  r6 = t { {} }
  r2 = t { G.object(r0, 1) }
  r8 = t { G.string(2, 0) }
  r5 = t { G.object(r0, 1) }
  t { G.gc(:major) }
  r3 = t { G.object(r0, 1) }
  8.times do
    r7 = t { G.object(r0, 1) }
    t { G.field_set(r7, 0, r3) }
    r3 = t { r7 }
  end
  r0 = t { G.string(2, 0) }
  r0 = t { G.object(r4, 1) }
  t { G.gc(:major) }
  r0
end

G.main { b0 }
