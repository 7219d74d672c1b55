# Every worker logs to one Ractor that nobody waits for: it batches lines into a buffer and drops each batch when it is full.
# does: ractors 4, received 18, values 1, local 2
# gcstorm: settings malloc_limit=512

def b0(r1 = nil)
  r2 = Ractor.new(r1) { |x| b1(x) }
  3.times do
    r3 = Ractor.new(r2) { |x| b2(x) }
    r3.send(r2)
  end
  r4 = r2.value
  return r4
end

def b1(r1 = nil)
  r2 = Array.new(0, r1)
  6.times do
    r3 = Ractor.receive
    r2 << r3
    r3 = Ractor.receive
    r2 << r3
    r3 = Ractor.receive
    G.append(r3, 4, 10)
    r2.clear
    r2 << r3
  end
  return r2
end

def b2(r1 = nil)
  r2 = G.string(3, 91)
  6.times do
    r3 = r2.dup
    G.append(r3, 6, 93)
    r1.send(r3)
  end
end
