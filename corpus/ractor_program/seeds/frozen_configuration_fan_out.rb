# A configuration, frozen whole, goes to four workers by reference; they keep it while main forgets it.
# does: ractors 4, values 4, promoted 4, local 4, global 1

def b0(r1 = nil)
  r2 = {}
  r3 = G.string(2, 104)
  r4 = G.string(3, 112)
  r2[r3] = r4
  r5 = Array.new(3, r4)
  r2[r4] = r5
  Ractor.make_shareable(r2)
  r6 = Array.new(0, r1)
  4.times do
    r7 = Ractor.new(r2) { |x| b1(x) }
    r6 << r7
  end
  r2 = nil
  r3 = nil
  r4 = nil
  r5 = nil
  G.gc(:global)
  r9 = Array.new(0, r1)
  4.times do
    r7 = r6.pop
    r8 = r7.value
    r9 << r8
  end
end

def b1(r1 = nil)
  r2 = {}
  10.times do
    r3 = Array.new(2, r1)
    r2[r1] = r3
  end
  G.gc(:major)
  return r2
end
