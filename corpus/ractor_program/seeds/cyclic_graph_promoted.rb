# make_shareable of a graph with a cycle and a shared leaf; afterwards the whole of it is reachable from another Ractor only.
# does: ractors 1, values 1, promoted 4, local 1, global 1

def b0(r1 = nil)
  r2 = Array.new(2, r1)
  r3 = {}
  r4 = G.object(r1, 2)
  r5 = G.string(9, 108)
  r2[0] = r3
  r3[r5] = r4
  G.field_set(r4, 0, r2)
  G.field_set(r4, 1, r5)
  Ractor.make_shareable(r2)
  r6 = Ractor.new(r2) { |x| b1(x) }
  r2 = nil
  r3 = nil
  r4 = nil
  r5 = nil
  G.gc(:major)
  G.gc(:global)
  r7 = r6.value
  return r7
end

def b1(r1 = nil)
  r2 = r1[0]
  r3 = Array.new(1, r2)
  G.gc(:minor)
  return r3
end
