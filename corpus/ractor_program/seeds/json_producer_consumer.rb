# Main makes documents and deals them out in turn to two parsers, which parse and discard (by copy; there is no move).
# does: ractors 2, received 12, values 2, local 2

def b0(r1 = nil)
  r2 = Ractor.new(r1) { |x| b1(x) }
  r3 = Ractor.new(r1) { |x| b1(x) }
  6.times do
    r4 = G.string(30, 123)
    r2.send(r4)
    r5 = G.string(40, 91)
    r3.send(r5)
  end
  r6 = r2.value
  r7 = r3.value
  r8 = Array.new(1, r6)
  r8 << r7
  return r8
end

def b1(r1 = nil)
  r4 = Array.new(1, r1)
  6.times do
    r2 = Ractor.receive
    r3 = {}
    r3[r2] = r2
    r4[0] = r3
  end
  return r4
end
