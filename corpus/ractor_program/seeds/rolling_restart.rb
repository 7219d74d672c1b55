# Workers are replaced one at a time while others serve: the old one is told to end, its heap is absorbed, a new one takes its place.
# does: ractors 4, received 8, values 4, absorbed 4, local 4

def b0(r1 = nil)
  r2 = Ractor.new(r1) { |x| b1(x) }
  r3 = Ractor.new(r1) { |x| b1(x) }
  r4 = Array.new(0, r1)
  2.times do
    r5 = G.string(6, 82)
    r2.send(r5)
    r2.send(r1)
    r6 = r2.value
    r4 << r6
    r2 = r3
    r3 = Ractor.new(r1) { |x| b1(x) }
  end
  r2.send(r4)
  r3.send(r4)
  r2.send(r1)
  r3.send(r1)
  r5 = r2.value
  r6 = r3.value
  r4 << r5
  r4 << r6
  return r4
end

def b1(r1 = nil)
  r2 = Ractor.receive
  r3 = Array.new(3, r2)
  r4 = Array.new(3, r3)
  r1 = Ractor.receive
  r4[0] = r1
  G.gc(:major)
  return r4
end
