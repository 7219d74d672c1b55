# Messages wait in a queue through local and global collections of their sender, which has nothing else that names them.
# does: ractors 1, received 6, values 1, local 2, global 2

def b0(r1 = nil)
  r2 = Ractor.current
  r2 = Ractor.new(r2) { |x| b1(x) }
  r5 = Ractor.receive
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
  r5.send(r3)
  r6 = r2.value
  return r6
end

def b1(r1 = nil)
  r2 = Ractor::Port.new
  r1.send(r2)
  r1 = r2.receive
  r2 = Array.new(0, r1)
  4.times do
    r3 = Ractor.receive
    r2 << r3
  end
  return r2
end
