# Main and a worker both call GC.start at once: the barrier serialises them, and the second cycle is wasted work, no error.
# does: ractors 2, values 2, global 6
# gcstorm: schedule policy=round_robin quantum=1

def b0(r1 = nil)
  r2 = Ractor.new(r1) { |x| b1(x) }
  r3 = Ractor.new(r1) { |x| b1(x) }
  2.times do
    r4 = Array.new(2, r2)
    G.gc(:global)
    r4 << r3
  end
  r5 = r2.value
  r6 = r3.value
  r7 = Array.new(1, r5)
  r7 << r6
  return r7
end

def b1(r1 = nil)
  r2 = Array.new(3, r1)
  2.times do
    G.gc(:global)
    r3 = r2.dup
    r2[0] = r3
  end
  return r2
end
