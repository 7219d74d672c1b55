# Mappers send their parts to one of two reducers each, by key; main merges what the reducers made.
# does: ractors 5, received 12, values 2, absorbed 2

def b0(r1 = nil)
  r2 = Ractor.new(r1) { |x| b2(x) }
  r3 = Ractor.new(r1) { |x| b2(x) }
  r4 = Array.new(1, r2)
  r4 << r3
  3.times do
    r5 = Ractor.new(r4) { |x| b1(x) }
    r4[2] = r5
  end
  r6 = r2.value
  r7 = r3.value
  r6[r7] = r7
  return r6
end

def b1(r1 = nil)
  r2 = r1[0]
  r3 = r1[1]
  2.times do
    r4 = G.string(1, 97)
    r2.send(r4)
    r5 = G.string(2, 98)
    r3.send(r5)
  end
end

def b2(r1 = nil)
  r2 = {}
  6.times do
    r3 = Ractor.receive
    r4 = r2[r3]
    r5 = Array.new(1, r4)
    r2[r3] = r5
  end
  r2[r1] = r1
  return r2
end
