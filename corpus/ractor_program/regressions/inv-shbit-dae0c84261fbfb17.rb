# gcstorm: program version=1 dialect=ractor
# gcstorm: settings page_size=65536 arena_pages=16 heap_limit=262144 initial_budget=1 growth=50 free_wanted=20 empty_kept=0 malloc_limit=2048 old_limit=8 shareable_limit=32 zombie_limit=2 offheap_limit=65536
# gcstorm: schedule policy=run quantum=1 depth=0 seed=0
# gcstorm: stress point=allocate action=none every=0

def b0(r1 = nil)
  r0 = r2 = r3 = r4 = r5 = r6 = r7 = r8 = r9 = r10 = r11 = r12 = r13 = r14 = r15 = nil
  G.registers { [r0, r1, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15] }
  50.times do
    r0 = t { G.string(2, 0) }
    r0 = t { {} }
  end
  34.times do
    r0 = t { {} }
    r0 = t { nil }
    r0 = t { G.object(r0, 1) }
    r0 = t { Array.new(0, r0) }
    r0 = t { {} }
    r0 = t { Array.new(0, r0) }
    t { Ractor.make_shareable(r0) }
  end
  t { G.gc(:minor) }
  r0
end

G.main { b0 }
