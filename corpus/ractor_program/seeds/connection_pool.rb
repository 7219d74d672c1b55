# A pool lends two connections to three clients: check out, use, check in; who comes third waits in the pool's queue.
# does: ractors 4, received 18, values 3

def b0(r1 = nil)
  r2 = Ractor.new(r1) { |x| b1(x) }
  r3 = Array.new(0, r1)
  3.times do
    r4 = Ractor.new(r2) { |x| b2(x) }
    r3 << r4
  end
  r5 = {}
  3.times do
    r4 = r3.pop
    r6 = r4.value
    r5[r4] = r6
  end
  return r5
end

def b1(r1 = nil)
  r2 = Ractor::Port.new
  r3 = G.object(r1, 2)
  r4 = G.object(r1, 4)
  r5 = Array.new(1, r3)
  r5 << r4
  6.times do
    r6 = Ractor.receive
    r7 = r5.pop
    r8 = Array.new(1, r2)
    r8 << r7
    r6.send(r8)
    r7 = r2.receive
    r5 << r7
  end
end

def b2(r1 = nil)
  r2 = Ractor.current
  2.times do
    r1.send(r2)
    r3 = Ractor.receive
    r4 = r3[1]
    r5 = G.string(3, 117)
    G.field_set(r4, 0, r5)
    r6 = r3[0]
    r6.send(r4)
  end
  return r4
end
