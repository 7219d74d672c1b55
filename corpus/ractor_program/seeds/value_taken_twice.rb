# The value can be taken once: a second call raises, in the Ractor that has it and in another that asks later.
# (Rubies without per-Ractor heaps answer differently.)
# does: ractors 2, values 2, absorbed 2
# refused: value

def b0(r1 = nil)
  r2 = Ractor.new(r1) { |x| b1(x) }
  r3 = r2.value
  r4 = r2.value
  r5 = Ractor.new(r2) { |x| b2(x) }
  r6 = r5.value
  r7 = Array.new(1, r3)
  r7 << r4
  r7 << r6
  return r7
end

def b1(r1 = nil)
  r2 = Array.new(3, r1)
  return r2
end

def b2(r1 = nil)
  r2 = r1.value
  return r2
end
