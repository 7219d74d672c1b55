# A global collection at every receive: each message is found in the receiver's hands, half rebuilt or just so.
# does: ractors 2, received 6, global 6
# gcstorm: stress point=receive action=global every=1

def b0(r1 = nil)
  r2 = Ractor::Port.new
  r3 = Ractor.new(r2) { |x| b1(x) }
  r4 = Ractor.new(r2) { |x| b1(x) }
  r5 = {}
  4.times do
    r6 = r2.receive
    r5[r6] = r6
  end
  r3.send(r5)
  r4.send(r5)
  r3.join
  r4.join
  return r5
end

def b1(r1 = nil)
  2.times do
    r2 = G.string(2, 114)
    r3 = Array.new(2, r2)
    r1.send(r3)
  end
  r4 = Ractor.receive
  return r4
end
