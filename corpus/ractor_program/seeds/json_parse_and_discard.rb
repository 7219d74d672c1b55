# Each worker parses the same document again and again and throws the records away: nothing crosses between workers.
# does: ractors 3, values 3, local 3
# gcstorm: settings page_size=2048 malloc_limit=512

def b0(r1 = nil)
  r2 = Array.new(0, r1)
  3.times do
    r3 = Ractor.new(r1) { |x| b1(x) }
    r2 << r3
  end
  r5 = Array.new(0, r1)
  3.times do
    r3 = r2.pop
    r4 = r3.value
    r5 << r4
  end
end

def b1(r1 = nil)
  r2 = G.string(1, 107)
  r2 = -r2
  15.times do
    r3 = {}
    r4 = G.string(8, 118)
    r3[r2] = r4
    r5 = Array.new(4, r4)
    r3[r4] = r5
  end
  return r2
end
