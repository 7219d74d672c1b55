# One Ractor does allocation-heavy work while main waits for its value: the N=1 row of every benchmark.
# does: ractors 1, values 1, local 4, absorbed 1

def b0(r1 = nil)
  r2 = Ractor.new(r1) { |x| b1(x) }
  r3 = r2.value
  return r3
end

def b1(r1 = nil)
  r2 = Array.new(0, r1)
  40.times do
    r3 = G.string(4, 97)
    r2 << r3
  end
  return r2
end
