# Objects, Strings and Arrays inside a slot and beside it: every size class has pages, holes and a sweep.
# does: local 2
# gcstorm: settings page_size=4096 initial_budget=2

def b0(r1 = nil)
  r2 = Array.new(0, r1)
  8.times do
    r3 = Class.new
    r4 = G.object(r3, 0)
    r4 = G.object(r3, 3)
    r2 << r4
    r4 = G.object(r3, 9)
    r4 = G.object(r3, 24)
    r2 << r4
    r4 = G.string(1, 65)
    r4 = G.string(63, 66)
    r2 << r4
    r4 = Array.new(2, r3)
    r4 = Array.new(12, r3)
    r4 = Array.new(63, r3)
    r2 << r4
    r4 = {}
    r2[0] = r4
  end
  G.gc(:major)
  return r2
end
