# `ractors << Ractor.new { work }` four times, then `ractors.each(&:take)`: the handles stand in an Array.
# does: ractors 4, values 4, absorbed 4, local 4

def b0(r1 = nil)
  r2 = Array.new(0, r1)
  4.times do
    r3 = Ractor.new(r1) { |x| b1(x) }
    r2 << r3
  end
  r4 = Array.new(0, r1)
  4.times do
    r5 = r2.pop
    r6 = r5.value
    r4 << r6
  end
  return r4
end

def b1(r1 = nil)
  r3 = Array.new(2, r1)
  30.times do
    r2 = Array.new(3, r1)
    r3[0] = r2
  end
  return r3
end
