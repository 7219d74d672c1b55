# Two Ractors intern the same contents while collections sweep the weak table: there is one String, or a new one, never a dead one.
# does: ractors 2, values 2, global 4
# gcstorm: schedule policy=round_robin quantum=2

def b0(r1 = nil)
  r2 = Ractor.new(r1) { |x| b1(x) }
  r3 = Ractor.new(r1) { |x| b1(x) }
  4.times do
    r4 = G.string(2, 105)
    r4 = -r4
    r4 = nil
    G.gc(:global)
  end
  r5 = r2.value
  r6 = r3.value
  r7 = {}
  r7[r5] = r6
  return r7
end

def b1(r1 = nil)
  r4 = Array.new(0, r1)
  4.times do
    r2 = G.string(2, 105)
    r3 = -r2
    r4 << r3
    r2 = G.string(3, 106)
    r2 = -r2
  end
  return r3
end
