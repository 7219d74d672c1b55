# Workers fill their pages to the last slot with live objects and then wait: after a global collection each must be able to allocate.
# does: ractors 2, received 2, values 2, global 1
# gcstorm: settings growth=10 initial_budget=1

def b0(r1 = nil)
  r2 = Ractor.new(r1) { |x| b1(x) }
  r3 = Ractor.new(r1) { |x| b1(x) }
  4.times do
    Thread.pass
  end
  G.gc(:global)
  r2.send(r1)
  r3.send(r1)
  r4 = r2.value
  r5 = r3.value
  r6 = Array.new(1, r4)
  r6 << r5
  return r6
end

def b1(r1 = nil)
  r2 = nil
  28.times do
    r3 = Array.new(1, r2)
    r2 = r3
  end
  r1 = Ractor.receive
  12.times do
    r3 = Array.new(1, r2)
    r2 = r3
  end
  return r2
end
