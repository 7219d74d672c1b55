# Ractors end and nobody takes their values: the pages of the dead pass the limit and start a global collection by themselves.
# does: ractors 4, retired 4, global 1
# gcstorm: settings zombie_limit=0

def b0(r1 = nil)
  r2 = Array.new(0, r1)
  4.times do
    r3 = Ractor.new(r1) { |x| b1(x) }
    r2 << r3
    r3.join
    r4 = Array.new(6, r2)
    r4 = Array.new(6, r4)
    r2[9] = r4
  end
  20.times do
    r5 = G.string(3, 35)
    r2[9] = r5
  end
end

def b1(r1 = nil)
  r2 = Array.new(0, r1)
  20.times do
    r3 = G.object(r1, 2)
    r2 << r3
  end
  return r2
end
