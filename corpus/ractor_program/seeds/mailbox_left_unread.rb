# A worker ends with messages unread: they are dropped with its queue, and the sender's snapshots lose their pins.
# does: ractors 1, received 1, values 1, global 1, local 1

def b0(r1 = nil)
  r2 = Ractor.new(r1) { |x| b1(x) }
  r3 = Array.new(0, r1)
  5.times do
    r4 = {}
    r3 << r4
    r2.send(r3)
  end
  r5 = r2.value
  r3 = nil
  G.gc(:major)
  G.gc(:global)
  return r5
end

def b1(r1 = nil)
  r1 = Ractor.receive
  return r1
end
