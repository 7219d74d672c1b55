# The third page allocation fails, and the two after it: the collector collects, gives nil, and stays sound.
# does: ractors 1, values 1, local 2
# gcstorm: fail page nth=4 count=3

def b0(r1 = nil)
  r2 = Ractor.new(r1) { |x| b1(x) }
  r3 = Array.new(0, r1)
  16.times do
    r4 = G.string(1, 70)
    r3 << r4
  end
  r5 = r2.value
  r3 << r5
  return r3
end

def b1(r1 = nil)
  r2 = {}
  16.times do
    r3 = Array.new(2, r1)
    r2[r3] = r3
  end
  return r2
end
