# A Ractor starts two of its own and passes their values on: each heap is absorbed by its parent before that is by main.
# does: ractors 3, values 3, absorbed 3

def b0(r1 = nil)
  r2 = Ractor.new(r1) { |x| b1(x) }
  r3 = r2.value
  G.gc(:major)
  return r3
end

def b1(r1 = nil)
  r2 = Ractor.new(r1) { |x| b2(x) }
  r3 = Ractor.new(r1) { |x| b2(x) }
  r4 = r2.value
  r5 = r3.value
  r4 << r5
  return r4
end

def b2(r1 = nil)
  r2 = Array.new(0, r1)
  14.times do
    r3 = Array.new(1, r2)
    r2 << r3
  end
  return r2
end
