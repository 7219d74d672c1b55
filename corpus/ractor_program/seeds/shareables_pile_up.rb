# A worker makes shareables and drops them, which no local collection may free: their growth past the limit starts a global one.
# does: ractors 1, values 1, promoted 30, global 1
# gcstorm: settings shareable_limit=8

def b0(r1 = nil)
  r2 = Ractor.new(r1) { |x| b1(x) }
  r3 = r2.value
  return r3
end

def b1(r1 = nil)
  30.times do
    r2 = Array.new(2, r1)
    Ractor.make_shareable(r2)
    r3 = G.object(r1, 2)
    G.field_set(r3, 0, r2)
  end
  return r3
end
