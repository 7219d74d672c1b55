# Strings and Arrays grow into buffers off the heap: malloc bytes, not slots, ask for the collections here.
# does: local 4, ractors 1, values 1
# gcstorm: settings malloc_limit=512 page_size=16384 initial_budget=4

def b0(r1 = nil)
  r2 = Ractor.new(r1) { |x| b1(x) }
  r3 = G.string(1, 48)
  10.times do
    G.append(r3, 6, 49)
    r4 = r3.dup
    G.append(r4, 3, 50)
  end
  r5 = r2.value
  r6 = Array.new(1, r5)
  r6 << r3
  return r6
end

def b1(r1 = nil)
  r2 = Array.new(1, r1)
  12.times do
    r3 = Array.new(40, r2)
    r3 << r3
  end
  return r3
end
