# A shareable Object gets a private Hash as its hidden field: the write barrier records it, before and after a global collection.
# does: local 2, global 1, promoted 1

def b0(r1 = nil)
  r2 = G.object(r1, 2)
  Ractor.make_shareable(r2)
  r3 = {}
  G.hidden_set(r2, r3)
  r3 = nil
  G.gc(:major)
  r4 = G.hidden_get(r2)
  r4[r2] = r2
  r4 = nil
  G.gc(:global)
  G.gc(:minor)
  r5 = G.hidden_get(r2)
  return r5
end
