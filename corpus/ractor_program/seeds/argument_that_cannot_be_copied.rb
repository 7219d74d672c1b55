# Ractor.new with an argument that holds a Proc raises before there is a Ractor; made shareable, the Proc goes through.
# does: ractors 1, values 1, promoted 1
# refused: ractor_new, send

def b0(r1 = nil)
  r2 = G.closure(2, r1)
  r3 = Array.new(2, r2)
  r4 = Ractor.new(r3) { |x| b1(x) }
  r5 = Ractor.current
  r5.send(r3)
  Ractor.make_shareable(r2)
  r6 = Ractor.new(r3) { |x| b1(x) }
  r7 = r6.value
  r8 = Array.new(1, r4)
  r8 << r7
  return r8
end

def b1(r1 = nil)
  r2 = r1[0]
  r3 = Array.new(3, r2)
  return r3
end
