# Three Ractors in a ring: each is told its neighbour, and a token goes round twice, until the next in the ring has ended.
# does: ractors 3, received 9, values 3
# refused: send

def b0(r1 = nil)
  r2 = Ractor.new(r1) { |x| b1(x) }
  r3 = Ractor.new(r1) { |x| b1(x) }
  r4 = Ractor.new(r1) { |x| b1(x) }
  r2.send(r3)
  r3.send(r4)
  r4.send(r2)
  r5 = Array.new(0, r1)
  r2.send(r5)
  r6 = r2.value
  r7 = r3.value
  r8 = r4.value
  r6 << r7
  r6 << r8
  return r6
end

def b1(r1 = nil)
  r2 = Ractor.receive
  r3 = G.string(2, 114)
  2.times do
    r1 = Ractor.receive
    r1 << r3
    r2.send(r1)
  end
  return r1
end
