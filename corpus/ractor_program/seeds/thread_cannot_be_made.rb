# The second Ractor's thread cannot be started: its heap, already made and holding the argument, is handed back, not leaked.
# does: ractors 2, spaces 4, values 2, global 1
# refused: ractor_new
# gcstorm: fail thread nth=2 count=1

def b0(r1 = nil)
  r2 = Array.new(6, r1)
  r3 = Array.new(0, r1)
  3.times do
    r4 = Ractor.new(r2) { |x| b1(x) }
    unless r4.nil?
      r3 << r4
    end
  end
  G.gc(:global)
  2.times do
    r4 = r3.pop
    r5 = r4.value
    r2 << r5
  end
  return r2
end

def b1(r1 = nil)
  r1 << r1
  return r1
end
