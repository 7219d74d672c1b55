# Shared mutable state retrofitted: one Ractor owns the table, three others ask it to change, since none may touch it.
# does: ractors 4, received 12, values 1

def b0(r1 = nil)
  r2 = Ractor.new(r1) { |x| b1(x) }
  3.times do
    r3 = Ractor.new(r2) { |x| b2(x) }
    r3.join
  end
  r4 = r2.value
  return r4
end

def b1(r1 = nil)
  r2 = {}
  12.times do
    r3 = Ractor.receive
    r4 = r3[0]
    r5 = r3[1]
    r2[r4] = r5
  end
  return r2
end

def b2(r1 = nil)
  r2 = Ractor.current
  r3 = Array.new(2, r2)
  4.times do
    r4 = G.string(2, 43)
    r3[1] = r4
    r1.send(r3)
  end
end
