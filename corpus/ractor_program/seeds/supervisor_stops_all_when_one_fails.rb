# One for all: when one of three workers fails, the supervisor tells the others to stop and takes all three heaps.
# does: ractors 3, received 3, values 3, absorbed 3
# refused: value

def b0(r1 = nil)
  r2 = Ractor::Port.new
  r3 = Ractor.new(r2) { |x| b1(x) }
  r4 = Ractor.new(r2) { |x| b2(x) }
  r5 = Ractor.new(r2) { |x| b2(x) }
  r6 = r2.receive
  r4.send(r6)
  r5.send(r6)
  r7 = r3.value
  r8 = r4.value
  r9 = r5.value
  r10 = Array.new(1, r7)
  r10 << r8
  r10 << r9
  G.gc(:global)
  return r10
end

def b1(r1 = nil)
  r2 = {}
  r3 = G.string(4, 33)
  r2[r3] = r3
  r1.send(r3)
  raise G::Raised.new(r2)
end

def b2(r1 = nil)
  r2 = Array.new(7, r1)
  r3 = Ractor.receive
  r2 << r3
  return r2
end
