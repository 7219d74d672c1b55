# A cache of the four last used: a Hash beside a list of its keys, the oldest of which goes for each that comes.
# does: local 6, major 2

def b0(r1 = nil)
  r2 = {}
  r3 = Array.new(4, r1)
  12.times do
    r4 = r3[3]
    r1 = r2.delete(r4)
    r4 = r3[2]
    r3[3] = r4
    r4 = r3[1]
    r3[2] = r4
    r4 = r3[0]
    r3[1] = r4
    r4 = Array.new(2, r1)
    r5 = G.string(5, 86)
    r2[r4] = r5
    r3[0] = r4
    r1 = nil
    G.gc(:minor)
  end
  G.gc(:major)
  G.gc(:major)
  return r2
end
