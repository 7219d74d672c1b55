# A shareable Proc's environment takes a private String: only the shref keeps it alive in its owner's local collections.
# does: ractors 1, values 1, local 2, promoted 1
# expects: nothing of a stock ruby, whose shareable Procs are frozen

def b0(r1 = nil)
  r2 = G.closure(2, r1)
  Ractor.make_shareable(r2)
  r3 = G.string(3, 112)
  G.env_set(r2, 0, r3)
  r3 = nil
  r4 = Ractor.new(r2) { |x| b1(x) }
  G.gc(:major)
  r5 = G.env_get(r2, 0)
  G.append(r5, 1, 113)
  r6 = r4.value
  G.gc(:minor)
  return r6
end

def b1(r1 = nil)
  r2 = G.string(2, 99)
  G.env_set(r1, 1, r2)
  r2 = nil
  G.gc(:major)
  r3 = G.env_get(r1, 1)
  return r3
end
