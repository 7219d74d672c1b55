# Ractors are started and forgotten: their handles die in a global collection, and main takes the heaps at its next safepoint.
# does: ractors 3, retired 3, absorbed 3, global 2
# gcstorm: settings zombie_limit=64

def b0(r1 = nil)
  3.times do
    r2 = Ractor.new(r1) { |x| b1(x) }
    r2.join
    r2 = nil
  end
  G.gc(:global)
  Thread.pass
  G.gc(:global)
  r3 = Array.new(4, r1)
  return r3
end

def b1(r1 = nil)
  r2 = Array.new(0, r1)
  9.times do
    r3 = G.object(r1, 2)
    r2 << r3
  end
  return r2
end
