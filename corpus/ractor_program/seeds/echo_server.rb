# A server answers to the port that stands in each request; two clients ask it and check nothing but that an answer comes.
# does: ractors 3, received 12, values 2

def b0(r1 = nil)
  r2 = Ractor.new(r1) { |x| b1(x) }
  r3 = Ractor.new(r2) { |x| b2(x) }
  r4 = Ractor.new(r2) { |x| b2(x) }
  r5 = r3.value
  r6 = r4.value
  r5 << r6
  return r5
end

def b1(r1 = nil)
  6.times do
    r2 = Ractor.receive
    r3 = r2[0]
    r3.send(r2)
  end
  return r1
end

def b2(r1 = nil)
  r2 = Ractor::Port.new
  r3 = Array.new(2, r2)
  3.times do
    r4 = G.string(2, 101)
    r3[1] = r4
    r1.send(r3)
    r3 = r2.receive
  end
  return r3
end
