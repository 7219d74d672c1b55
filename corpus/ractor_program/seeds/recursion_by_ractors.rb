# Each Ractor starts the next with what it has so far and takes its value: a recursion four deep, unwound by four absorbs.
# does: ractors 4, values 4, absorbed 4

def b0(r1 = nil)
  r2 = Array.new(1, r1)
  r3 = Ractor.new(r2) { |x| b1(x) }
  r4 = r3.value
  return r4
end

def b1(r1 = nil)
  r2 = G.string(1, 49)
  r1 << r2
  r3 = Ractor.new(r1) { |x| b2(x) }
  r4 = r3.value
  r4 << r2
  return r4
end

def b2(r1 = nil)
  r2 = G.string(2, 50)
  r1 << r2
  r3 = Ractor.new(r1) { |x| b3(x) }
  r4 = r3.value
  r4 << r2
  return r4
end

def b3(r1 = nil)
  r2 = G.string(3, 51)
  r1 << r2
  r3 = Ractor.new(r1) { |x| b4(x) }
  r4 = r3.value
  r4 << r2
  return r4
end

def b4(r1 = nil)
  G.gc(:major)
  return r1
end
