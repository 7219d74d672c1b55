# A pool of four: jobs are dealt out in turn, results come back through one port in whatever order.
# does: ractors 4, received 24
# gcstorm: schedule policy=round_robin quantum=6

def b0(r1 = nil)
  r2 = Ractor::Port.new
  r3 = Ractor.new(r2) { |x| b1(x) }
  r4 = Ractor.new(r2) { |x| b1(x) }
  r5 = Ractor.new(r2) { |x| b1(x) }
  r6 = Ractor.new(r2) { |x| b1(x) }
  3.times do
    r7 = Array.new(4, r1)
    r3.send(r7)
    r4.send(r7)
    r5.send(r7)
    r6.send(r7)
  end
  r8 = Array.new(0, r1)
  12.times do
    r9 = r2.receive
    r8 << r9
  end
  return r8
end

def b1(r1 = nil)
  3.times do
    r2 = Ractor.receive
    r3 = G.string(4, 106)
    r2[0] = r3
    r1.send(r2)
  end
end
