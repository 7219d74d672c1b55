# One Ractor reads commands and data from ports of its own, data first; it told main of them through its first message.
# does: ractors 1, received 8, values 1

def b0(r1 = nil)
  r2 = Ractor.current
  r3 = Ractor.new(r2) { |x| b1(x) }
  r4 = Ractor.receive
  r5 = r4[0]
  r6 = r4[1]
  3.times do
    r7 = G.string(1, 99)
    r5.send(r7)
    r8 = Array.new(6, r7)
    r6.send(r8)
  end
  r3.send(r1)
  r9 = r3.value
  return r9
end

def b1(r1 = nil)
  r2 = Ractor::Port.new
  r3 = Ractor::Port.new
  r4 = Array.new(1, r2)
  r4 << r3
  r1.send(r4)
  r5 = {}
  3.times do
    r6 = r3.receive
    r7 = r2.receive
    r5[r7] = r6
  end
  r1 = Ractor.receive
  r5[r1] = r1
  return r5
end
