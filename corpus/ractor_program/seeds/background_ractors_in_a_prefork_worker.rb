# A process that still relies on prefork, with two background Ractors: main serves and collects locally, they tick along.
# does: ractors 2, received 8, values 2, local 8
# gcstorm: schedule policy=round_robin quantum=7

def b0(r1 = nil)
  r2 = Ractor::Port.new
  r3 = Ractor.new(r2) { |x| b1(x) }
  r4 = Ractor.new(r2) { |x| b2(x) }
  8.times do
    r5 = {}
    r6 = r2.receive
    r5[r6] = r6
    r1 = Array.new(12, r5)
    G.gc(:minor)
  end
  G.gc(:major)
  r8 = r3.value
  r9 = r4.value
  r7 = Array.new(1, r8)
  r7 << r9
  return r7
end

def b1(r1 = nil)
  r2 = G.string(1, 104)
  4.times do
    r3 = Array.new(1, r2)
    r1.send(r3)
    Thread.pass
  end
  return r2
end

def b2(r1 = nil)
  r2 = {}
  4.times do
    r3 = G.string(4, 109)
    r3 = -r3
    r2[r3] = r3
    r1.send(r2)
  end
  return r2
end
