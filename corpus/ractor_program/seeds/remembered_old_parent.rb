# An old Array gets young elements again and again: only the remembered set tells a minor collection of them.
# does: local 8, major 1

def b0(r1 = nil)
  r2 = Array.new(4, r1)
  G.gc(:minor)
  G.gc(:minor)
  G.gc(:minor)
  G.gc(:major)
  5.times do
    r3 = Array.new(1, r1)
    r2[2] = r3
    r3 = nil
    G.gc(:minor)
    r4 = r2[2]
    r4 << r2
  end
  return r2
end
