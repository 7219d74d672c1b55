# Messages wait in a queue through a local and a global collection of their sender, which has nothing else that names them.
# does: ractors 1, received 4, values 1, local 2, global 2

def b0(r1 = nil)
  r2 = Ractor.new(r1) { |x| b1(x) }
  r3 = Array.new(0, r1)
  4.times do
    r4 = G.string(2, 109)
    r3 << r4
    r2.send(r3)
  end
  r3 = nil
  G.gc(:major)
  G.gc(:global)
  G.gc(:minor)
  G.gc(:global)
  r5 = Ractor.current
  r2.send(r5)
  r6 = r2.value
  return r6
end

def b1(r1 = nil)
  r2 = Array.new(0, r1)
  Thread.pass
  5.times do
    r3 = Ractor.receive
    r2 << r3
  end
  return r2
end
