# One class, made by main, has instances in three heaps; the class may die only when no heap has one any more.
# does: ractors 2, values 2, absorbed 2, global 2
# gcstorm: schedule policy=round_robin quantum=5

def b0(r1 = nil)
  r2 = Class.new
  r3 = Ractor.new(r2) { |x| b1(x) }
  r4 = Ractor.new(r2) { |x| b1(x) }
  r5 = G.object(r2, 2)
  r2 = nil
  G.gc(:global)
  r6 = r3.value
  G.field_set(r5, 0, r6)
  r7 = r4.value
  G.field_set(r5, 1, r7)
  r5 = r2
  G.gc(:global)
  return r5
end

def b1(r1 = nil)
  r2 = Array.new(0, r1)
  6.times do
    r3 = G.object(r1, 1)
    G.field_set(r3, 0, r2)
    r2 << r3
  end
  r1 = nil
  G.gc(:major)
  return r2
end
