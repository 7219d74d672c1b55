# Four Ractors write the slots of one shareable Proc in turn; each overwrites what the other left there.
# does: ractors 4, values 4, global 1, promoted 1
# gcstorm: schedule policy=round_robin quantum=2

def b0(r1 = nil)
  r2 = G.closure(3, r1)
  Ractor.make_shareable(r2)
  r3 = Array.new(0, r1)
  4.times do
    r4 = Ractor.new(r2) { |x| b1(x) }
    r3 << r4
  end
  G.gc(:global)
  4.times do
    r4 = r3.pop
    r5 = r4.value
    G.env_set(r2, 2, r5)
  end
end

def b1(r1 = nil)
  r2 = G.string(1, 48)
  6.times do
    r2 = r2.dup
    G.append(r2, 1, 49)
    G.env_set(r1, 0, r2)
  end
  return r2
end
