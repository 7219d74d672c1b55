# The benchmarks-game workload: short-lived trees of Arrays, each soon garbage, in two Ractors at once.
# does: ractors 2, values 2, local 8
# gcstorm: schedule policy=round_robin quantum=8

def b0(r1 = nil)
  r2 = Ractor.new(r1) { |x| b1(x) }
  r3 = Ractor.new(r1) { |x| b1(x) }
  r4 = r2.value
  r5 = r3.value
  r6 = Array.new(2, r4)
  r6[1] = r5
  return r6
end

def b1(r1 = nil)
  r7 = Array.new(1, r1)
  20.times do
    r2 = Array.new(3, r1)
    r3 = Array.new(3, r1)
    r4 = Array.new(3, r2)
    r4[1] = r3
    r5 = Array.new(3, r2)
    r6 = Array.new(3, r4)
    r6[1] = r5
    r7[0] = r6
  end
  return r7
end
