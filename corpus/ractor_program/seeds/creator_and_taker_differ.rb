# A creates B and C calls B.value: from then on the value lives in C's heap, while A still has B's handle and collects.
# does: ractors 2, received 1, values 2, absorbed 2, local 2, global 1
# gcstorm: schedule policy=round_robin quantum=5

def b0(r1 = nil)
  r2 = Ractor.new(r1) { |x| b1(x) }
  r3 = Ractor.new(r2) { |x| b2(x) }
  G.gc(:major)
  r3.send(r1)
  r3.join
  G.gc(:global)
  r4 = r3.value
  r5 = Array.new(1, r2)
  r5 << r4
  return r5
end

def b1(r1 = nil)
  r2 = Array.new(5, r1)
  r3 = Array.new(2, r2)
  return r3
end

def b2(r1 = nil)
  r2 = r1.value
  G.gc(:major)
  r1 = Ractor.receive
  r2 << r1
  return r2
end
