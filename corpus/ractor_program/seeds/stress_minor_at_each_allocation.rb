# `GC.stress = true`: a minor collection at every allocation of a program that builds, shares and passes a list on.
# does: ractors 1, received 2, values 1, local 20
# gcstorm: stress point=allocate action=minor every=1

def b0(r1 = nil)
  r2 = Ractor.new(r1) { |x| b1(x) }
  r3 = nil
  6.times do
    r4 = Array.new(2, r3)
    r3 = r4
  end
  r2.send(r3)
  Ractor.make_shareable(r3)
  r2.send(r3)
  r5 = r2.value
  return r5
end

def b1(r1 = nil)
  r2 = Ractor.receive
  r3 = Ractor.receive
  r4 = Array.new(2, r2)
  r4[1] = r3
  return r4
end
