# A worker raises with a payload: value raises RemoteError in main, its heap is absorbed all the same, and main starts another.
# does: ractors 2, values 2, absorbed 2
# refused: value

def b0(r1 = nil)
  r2 = G.string(2, 120)
  r3 = Ractor.new(r2) { |x| b1(x) }
  r4 = r3.value
  G.gc(:major)
  r5 = Ractor.new(r2) { |x| b2(x) }
  r6 = r5.value
  r7 = Array.new(1, r4)
  r7 << r6
  return r7
end

def b1(r1 = nil)
  r2 = Array.new(8, r1)
  r3 = {}
  r3[r1] = r2
  raise G::Raised.new(r3)
end

def b2(r1 = nil)
  r2 = r1.dup
  return r2
end
