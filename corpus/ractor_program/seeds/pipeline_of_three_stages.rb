# Main feeds a pipeline of three: parse, transform, collect; each stage knows the next one alone.
# does: ractors 3, received 18, values 1

def b0(r1 = nil)
  r2 = Ractor.new(r1) { |x| b3(x) }
  r3 = Ractor.new(r2) { |x| b2(x) }
  r4 = Ractor.new(r3) { |x| b1(x) }
  6.times do
    r5 = G.string(3, 61)
    r4.send(r5)
  end
  r6 = r2.value
  return r6
end

def b1(r1 = nil)
  6.times do
    r2 = Ractor.receive
    r3 = {}
    r3[r2] = r2
    r1.send(r3)
  end
end

def b2(r1 = nil)
  6.times do
    r2 = Ractor.receive
    r3 = Array.new(2, r2)
    r1.send(r3)
  end
end

def b3(r1 = nil)
  r2 = Array.new(0, r1)
  6.times do
    r3 = Ractor.receive
    r2 << r3
  end
  return r2
end
