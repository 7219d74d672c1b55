# A sender runs far ahead of its receiver: snapshots pile up, pinned in the sender's heap, until they are taken at last.
# does: ractors 1, received 40, values 1, local 2

def b0(r1 = nil)
  r2 = Ractor.new(r1) { |x| b1(x) }
  40.times do
    r3 = Array.new(1, r1)
    r2.send(r3)
  end
  r3 = nil
  G.gc(:minor)
  r2.send(r3)
  G.gc(:major)
  r4 = r2.value
  G.gc(:major)
  return r4
end

def b1(r1 = nil)
  r2 = Array.new(0, r1)
  41.times do
    r3 = Ractor.receive
    r2 << r3
  end
  return r2
end
