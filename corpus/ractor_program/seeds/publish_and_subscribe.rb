# A broker takes subscriptions, then hands every item on to all subscribers: one snapshot a receiver of the same graph.
# does: ractors 4, received 18, values 3

def b0(r1 = nil)
  r2 = Ractor.new(r1) { |x| b1(x) }
  r3 = Ractor.new(r2) { |x| b2(x) }
  r4 = Ractor.new(r2) { |x| b2(x) }
  r5 = Ractor.new(r2) { |x| b2(x) }
  r6 = r3.value
  r7 = r4.value
  r8 = r5.value
  r6 << r7
  r6 << r8
  return r6
end

def b1(r1 = nil)
  r2 = Ractor.receive
  r3 = Ractor.receive
  r4 = Ractor.receive
  r5 = Array.new(2, r1)
  r5[0] = r5
  5.times do
    r6 = G.string(3, 110)
    r5[1] = r6
    r2.send(r5)
    r3.send(r5)
    r4.send(r5)
  end
end

def b2(r1 = nil)
  r2 = Ractor.current
  r1.send(r2)
  r3 = Array.new(0, r1)
  5.times do
    r4 = Ractor.receive
    r3 << r4
  end
  return r3
end
