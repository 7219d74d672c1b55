# Main returns while Ractors have ended, run and wait: shutdown ends them all and merges what they leave.
# does: ractors 3, retired 2, absorbed 2
# refused: receive

def b0(r1 = nil)
  r2 = Ractor.new(r1) { |x| b1(x) }
  r2.join
  r3 = Ractor.new(r2) { |x| b2(x) }
  r4 = Ractor.new(r3) { |x| b2(x) }
  return r4
end

def b1(r1 = nil)
  r2 = Array.new(30, r1)
  return r2
end

def b2(r1 = nil)
  r2 = {}
  r2[r1] = r2
  r3 = Ractor.receive
  return r3
end
