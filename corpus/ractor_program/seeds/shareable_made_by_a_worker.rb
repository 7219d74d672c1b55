# A worker makes a shareable, sends it away and drops it: the worker's own local collections may not free what main holds.
# does: ractors 1, received 2, values 1, local 2, promoted 1, global 1

def b0(r1 = nil)
  r2 = Ractor::Port.new
  r3 = Ractor.new(r2) { |x| b1(x) }
  r4 = r2.receive
  r3.send(r1)
  r5 = r3.value
  G.gc(:global)
  r6 = Array.new(2, r4)
  r6[1] = r5
  return r6
end

def b1(r1 = nil)
  r2 = G.string(12, 115)
  Ractor.make_shareable(r2)
  r1.send(r2)
  r2 = nil
  G.gc(:major)
  3.times do
    r2 = Array.new(8, r1)
    G.gc(:minor)
  end
  r3 = Ractor.receive
  return r3
end
