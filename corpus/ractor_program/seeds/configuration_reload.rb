# A new frozen configuration replaces the old one while workers run: only a global collection may reclaim the old one.
# does: ractors 2, received 6, values 2, global 1, promoted 6
# gcstorm: schedule policy=round_robin quantum=6

def b0(r1 = nil)
  r2 = Ractor.new(r1) { |x| b1(x) }
  r3 = Ractor.new(r1) { |x| b1(x) }
  3.times do
    r4 = {}
    r5 = G.string(6, 118)
    r4[r5] = r5
    Ractor.make_shareable(r4)
    r2.send(r4)
    r3.send(r4)
    r4 = nil
    r5 = nil
    G.gc(:major)
  end
  G.gc(:global)
  r6 = r2.value
  r7 = r3.value
  r8 = Array.new(1, r6)
  r8 << r7
  return r8
end

def b1(r1 = nil)
  r2 = G.object(r1, 1)
  3.times do
    r3 = Ractor.receive
    G.field_set(r2, 0, r3)
    G.gc(:minor)
  end
  return r2
end
