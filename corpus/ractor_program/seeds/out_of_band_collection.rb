# Workers of a server collect between requests, when nobody waits: minor after each, full after every batch.
# does: ractors 2, received 16, values 2, local 10, major 2

def b0(r1 = nil)
  r2 = Ractor::Port.new
  r3 = Ractor.new(r2) { |x| b1(x) }
  r4 = Ractor.new(r2) { |x| b1(x) }
  4.times do
    r5 = G.string(10, 113)
    r3.send(r5)
    r4.send(r5)
    r1 = r2.receive
    r1 = r2.receive
  end
  r6 = r3.value
  r7 = r4.value
  r6 << r7
  r6 << r1
  return r6
end

def b1(r1 = nil)
  r2 = Array.new(1, r1)
  4.times do
    r3 = Ractor.receive
    r4 = Array.new(8, r3)
    r2[0] = r4
    r1.send(r3)
    G.gc(:minor)
  end
  G.gc(:major)
  return r2
end
