# One Array cut into slices: each Ractor gets a copy of its slice as argument and answers with its part of the result.
# does: ractors 3, values 3, absorbed 3

def b0(r1 = nil)
  r2 = Array.new(8, r1)
  r3 = G.string(1, 49)
  r2[0] = r3
  r4 = Ractor.new(r2) { |x| b1(x) }
  r3 = G.string(2, 50)
  r2[0] = r3
  r5 = Ractor.new(r2) { |x| b1(x) }
  r3 = G.string(3, 51)
  r2[0] = r3
  r6 = Ractor.new(r2) { |x| b1(x) }
  r7 = Array.new(3, r1)
  r8 = r4.value
  r7[0] = r8
  r8 = r5.value
  r7[1] = r8
  r8 = r6.value
  r7[2] = r8
  return r7
end

def b1(r1 = nil)
  r2 = r1[0]
  4.times do
    G.append(r2, 1, 46)
    r3 = r2.dup
    r1 << r3
  end
  return r1
end
