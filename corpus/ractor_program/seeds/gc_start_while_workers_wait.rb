# GC.start in main while three workers stand in receive: a blocked Ractor is stopped already, and its heap is walked all the same.
# does: ractors 3, received 6, values 3, global 2

def b0(r1 = nil)
  r2 = Array.new(0, r1)
  r3 = Ractor::Port.new
  3.times do
    r4 = Ractor.new(r3) { |x| b1(x) }
    r2 << r4
    r1 = r3.receive
  end
  G.gc(:global)
  r5 = r2.dup
  3.times do
    r4 = r5.pop
    r4.send(r1)
  end
  G.gc(:global)
  3.times do
    r4 = r2.pop
    r6 = r4.value
    r5 << r6
  end
  return r5
end

def b1(r1 = nil)
  r2 = Array.new(2, r1)
  r3 = G.string(4, 119)
  r2[0] = r3
  r3 = nil
  r1.send(r3)
  r1 = Ractor.receive
  r3 = r2[0]
  return r3
end
