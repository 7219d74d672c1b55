# Ractor#value hands a big graph over without a copy: the pages change owner, and the caller writes into what was the other's.
# does: ractors 1, values 1, absorbed 1, local 3, pages_taken 4

def b0(r1 = nil)
  r2 = Ractor.new(r1) { |x| b1(x) }
  r3 = r2.value
  20.times do
    r4 = r3.pop
    r5 = Array.new(1, r4)
    r4[0] = r5
    G.gc(:minor)
  end
  return r3
end

def b1(r1 = nil)
  r2 = Array.new(0, r1)
  24.times do
    r3 = Array.new(2, r2)
    r2 << r3
  end
  return r2
end
