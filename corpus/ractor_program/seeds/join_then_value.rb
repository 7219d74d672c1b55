# join only waits: the heap of the dead stays a zombie through a global collection, until value takes it over.
# does: ractors 2, values 2, retired 2, absorbed 2, global 1

def b0(r1 = nil)
  r2 = Ractor.new(r1) { |x| b1(x) }
  r3 = Ractor.new(r2) { |x| b1(x) }
  r2.join
  r3.join
  G.gc(:global)
  r4 = r3.value
  r5 = r2.value
  r4[0] = r5
  return r4
end

def b1(r1 = nil)
  r2 = Array.new(12, r1)
  r3 = G.string(6, 122)
  r2[1] = r3
  return r2
end
