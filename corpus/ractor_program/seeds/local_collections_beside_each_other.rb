# Three Ractors collect their own heaps at the same time, turn by turn; none waits for another and the world never stops.
# does: ractors 3, values 3, local 12
# gcstorm: schedule policy=pct depth=3 seed=7

def b0(r1 = nil)
  r2 = Array.new(0, r1)
  3.times do
    r3 = Ractor.new(r1) { |x| b1(x) }
    r2 << r3
  end
  r5 = Array.new(0, r1)
  3.times do
    r3 = r2.pop
    r4 = r3.value
    r5 << r4
  end
end

def b1(r1 = nil)
  r2 = Array.new(0, r1)
  4.times do
    r3 = Array.new(5, r2)
    r2 = Array.new(2, r3)
    G.gc(:minor)
  end
  G.gc(:major)
  return r2
end
