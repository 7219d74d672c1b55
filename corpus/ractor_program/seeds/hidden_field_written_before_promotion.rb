# make_shareable does not reach hidden fields: the edges that it leaves behind are recorded as it promotes their parents.
# does: local 2, promoted 2

def b0(r1 = nil)
  r2 = G.object(r1, 1)
  r3 = G.object(r1, 1)
  G.field_set(r2, 0, r3)
  r4 = Array.new(3, r1)
  G.hidden_set(r2, r4)
  r5 = G.string(5, 104)
  G.hidden_set(r3, r5)
  r4 = nil
  r5 = nil
  Ractor.make_shareable(r2)
  G.gc(:major)
  r6 = G.hidden_get(r2)
  r7 = G.hidden_get(r3)
  r6[0] = r7
  G.gc(:minor)
  return r6
end
