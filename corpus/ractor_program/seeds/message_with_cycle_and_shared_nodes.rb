# A message that is a graph: a cycle, a node reached twice, a shareable leaf that is not copied. Its identities survive.
# does: ractors 1, received 2, values 1, promoted 1, local 2

def b0(r1 = nil)
  r2 = Ractor.new(r1) { |x| b1(x) }
  r3 = G.string(3, 108)
  Ractor.make_shareable(r3)
  r4 = Array.new(3, r3)
  r5 = {}
  r5[r3] = r4
  r4[1] = r5
  r6 = G.object(r1, 2)
  G.field_set(r6, 0, r4)
  G.field_set(r6, 1, r5)
  r4[2] = r6
  r2.send(r6)
  r2.send(r4)
  r7 = r2.value
  return r7
end

def b1(r1 = nil)
  r2 = Ractor.receive
  r3 = G.field_get(r2, 0)
  r4 = r3[1]
  r4[r2] = r3
  G.gc(:minor)
  r1 = Ractor.receive
  r5 = Array.new(1, r4)
  r5 << r1
  G.gc(:major)
  return r5
end
