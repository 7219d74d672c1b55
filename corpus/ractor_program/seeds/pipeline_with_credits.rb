# Back pressure: the consumer sends a credit for every item it is ready for, and the producer sends none without one.
# does: ractors 2, received 18, values 1, local 2
# gcstorm: schedule policy=round_robin quantum=4

def b0(r1 = nil)
  r2 = Ractor.new(r1) { |x| b1(x) }
  r3 = Ractor.new(r2) { |x| b2(x) }
  r4 = r3.value
  return r4
end

def b1(r1 = nil)
  r2 = Array.new(0, r1)
  9.times do
    r3 = Ractor.receive
    r4 = G.string(7, 105)
    r2 << r4
    r3.send(r2)
    r2.clear
  end
end

def b2(r1 = nil)
  r2 = Ractor::Port.new
  r1.send(r2)
  r1.send(r2)
  r3 = {}
  7.times do
    r4 = r2.receive
    r3[r4] = r4
    r1.send(r2)
  end
  r4 = r2.receive
  r3[r4] = r1
  r4 = r2.receive
  r3[r4] = r1
  return r3
end
