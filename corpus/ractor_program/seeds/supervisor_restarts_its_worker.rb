# A supervisor runs a worker that fails on every job but the last: it takes what the dead left, and starts the next one.
# does: ractors 6, received 5, values 6, absorbed 6
# refused: value

def b0(r1 = nil)
  r2 = Ractor.new(r1) { |x| b1(x) }
  r3 = r2.value
  return r3
end

def b1(r1 = nil)
  r2 = Array.new(0, r1)
  4.times do
    r3 = Ractor.new(r1) { |x| b2(x) }
    r4 = G.string(3, 106)
    r3.send(r4)
    r5 = r3.value
    r2 << r5
  end
  r3 = Ractor.new(r1) { |x| b2(x) }
  r3.send(r1)
  r4 = r3.value
  r2 << r4
  return r2
end

def b2(r1 = nil)
  r2 = Ractor.receive
  r3 = Array.new(4, r1)
  unless r2.nil?
    r3[0] = r2
    raise G::Raised.new(r3)
  end
  return r3
end
