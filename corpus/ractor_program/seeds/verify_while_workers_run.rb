# GC.verify_internal_consistency in the middle of everything: messages under way, shareables, a Ractor that collects.
# does: ractors 2, received 4, values 2, local 2, stopped 2
# gcstorm: schedule policy=round_robin quantum=3

def b0(r1 = nil)
  r2 = Ractor.new(r1) { |x| b1(x) }
  r3 = Ractor.new(r1) { |x| b1(x) }
  r4 = Array.new(3, r1)
  r2.send(r4)
  r3.send(r4)
  GC.verify_internal_consistency
  Ractor.make_shareable(r4)
  r2.send(r4)
  r3.send(r4)
  GC.verify_internal_consistency
  r5 = r2.value
  r6 = r3.value
  r7 = Array.new(1, r5)
  r7 << r6
  return r7
end

def b1(r1 = nil)
  r2 = Array.new(1, r1)
  2.times do
    r3 = Ractor.receive
    r2 << r3
    G.gc(:major)
  end
  return r2
end
