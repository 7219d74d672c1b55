# Workers fill their pages with live objects, say so and wait: after a global collection each must be able to allocate at once.
# does: ractors 2, received 4, values 2, global 1
# gcstorm: settings growth=10

def b0(r1 = nil)
  r2 = Ractor::Port.new
  r3 = Ractor.new(r2) { |x| b1(x) }
  r4 = Ractor.new(r2) { |x| b1(x) }
  r5 = r2.receive
  r6 = r2.receive
  G.gc(:global)
  r3.send(r5)
  r4.send(r6)
  r5 = r3.value
  r6 = r4.value
  r7 = Array.new(1, r5)
  r7 << r6
  return r7
end

def b1(r1 = nil)
  r2 = nil
  28.times do
    r3 = Array.new(1, r2)
    r2 = r3
  end
  r3 = Ractor.current
  r1.send(r3)
  r1 = Ractor.receive
  12.times do
    r3 = Array.new(1, r2)
    r2 = r3
  end
  return r2
end
