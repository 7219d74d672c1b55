# A worker has marked and sweeps lazily, page by page as it allocates, when main starts a global collection: it settles first.
# does: ractors 1, received 1, values 1, local 3, global 2
# gcstorm: schedule policy=round_robin quantum=4

def b0(r1 = nil)
  r2 = Ractor.new(r1) { |x| b1(x) }
  r2.send(r1)
  3.times do
    Thread.pass
    G.gc(:global)
  end
  r3 = r2.value
  return r3
end

def b1(r1 = nil)
  r2 = Array.new(0, r1)
  r1 = Ractor.receive
  24.times do
    r3 = G.object(r1, 4)
    r2 << r3
    r3 = G.object(r1, 4)
  end
  G.gc(:major)
  6.times do
    r3 = G.object(r1, 4)
    G.field_set(r3, 1, r2)
  end
  return r2
end
