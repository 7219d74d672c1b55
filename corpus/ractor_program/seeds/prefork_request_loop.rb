# A pre-forking server: workers start before the listener, which deals connections out; each parses, routes by a frozen table, answers.
# does: ractors 2, received 12, values 2, promoted 2, local 2

def b0(r1 = nil)
  r2 = {}
  r3 = G.string(1, 47)
  r4 = Array.new(2, r3)
  r2[r3] = r4
  Ractor.make_shareable(r2)
  r5 = Ractor.new(r2) { |x| b1(x) }
  r6 = Ractor.new(r2) { |x| b1(x) }
  r7 = Ractor::Port.new
  3.times do
    r8 = Array.new(1, r7)
    r9 = G.string(12, 71)
    r8 << r9
    r5.send(r8)
    r6.send(r8)
  end
  6.times do
    r1 = r7.receive
  end
  r10 = r5.value
  r11 = r6.value
  r10 << r11
  r10 << r1
  return r10
end

def b1(r1 = nil)
  r9 = Array.new(0, r1)
  3.times do
    r2 = Ractor.receive
    r3 = {}
    r4 = G.string(1, 47)
    r5 = r2[1]
    r3[r4] = r5
    r6 = r1[r4]
    r3[r5] = r6
    r9 << r6
    r7 = G.string(20, 60)
    r3[r7] = r6
    r8 = r2[0]
    r8.send(r3)
  end
  return r9
end
