# GC.start in main while three workers stand in receive: a blocked Ractor is stopped already and its heap is walked all the same.
# does: ractors 3, received 3, values 3, global 2

def b0(r1 = nil)
  r2 = Array.new(0, r1)
  3.times do
    r3 = Ractor.new(r1) { |x| b1(x) }
    r2 << r3
    Thread.pass
  end
  G.gc(:global)
  r4 = r2.dup
  3.times do
    r3 = r4.pop
    r3.send(r1)
  end
  G.gc(:global)
  3.times do
    r3 = r2.pop
    r5 = r3.value
    r4 << r5
  end
  return r4
end

def b1(r1 = nil)
  r2 = Array.new(2, r1)
  r3 = G.string(4, 119)
  r2[0] = r3
  r3 = nil
  r1 = Ractor.receive
  r3 = r2[0]
  return r3
end
