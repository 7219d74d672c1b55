# `Ractor.select(*rs)` until none is left: results come in the order in which Ractors end, through one port of main's.
# does: ractors 6, received 6, local 1
# gcstorm: schedule policy=round_robin quantum=5

def b0(r1 = nil)
  r2 = Ractor::Port.new
  6.times do
    r3 = Ractor.new(r2) { |x| b1(x) }
    r3.send(r2)
  end
  r4 = {}
  6.times do
    r5 = r2.receive
    r6 = r5[0]
    r4[r6] = r5
  end
  return r4
end

def b1(r1 = nil)
  r2 = Ractor.current
  r3 = Array.new(2, r2)
  15.times do
    r4 = G.string(3, 102)
    r3[1] = r4
  end
  r1.send(r3)
end
