# A class holds constants, frozen ones for all and a private one for its creator; workers make instances and read them.
# does: ractors 2, values 2, promoted 1
# refused: constant_get

def b0(r1 = nil)
  r2 = Class.new
  r3 = Array.new(4, r1)
  Ractor.make_shareable(r3)
  G.constant_set(r2, 0, r3)
  r4 = G.string(4, 80)
  G.constant_set(r2, 1, r4)
  r4 = nil
  r5 = Ractor.new(r2) { |x| b1(x) }
  r6 = Ractor.new(r2) { |x| b1(x) }
  G.gc(:major)
  r7 = r5.value
  r8 = r6.value
  r9 = Array.new(1, r7)
  r9 << r8
  r10 = G.constant_get(r2, 1)
  r9 << r10
  return r9
end

def b1(r1 = nil)
  r2 = G.object(r1, 2)
  r3 = G.constant_get(r1, 0)
  G.field_set(r2, 0, r3)
  r4 = G.constant_get(r1, 1)
  G.field_set(r2, 1, r4)
  return r2
end
