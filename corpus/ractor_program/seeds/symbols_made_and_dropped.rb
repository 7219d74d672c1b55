# Main interns many names and drops them; its local collections clear dead entries under the VM lock while a worker interns on.
# does: ractors 1, values 1, local 4, global 1
# gcstorm: settings shareable_limit=64
# gcstorm: schedule policy=round_robin quantum=3

def b0(r1 = nil)
  r2 = Ractor.new(r1) { |x| b1(x) }
  r3 = Array.new(1, r1)
  r4 = G.string(1, 120)
  12.times do
    G.append(r4, 1, 121)
    r5 = -r4
    r3[0] = r5
    G.gc(:minor)
  end
  r3.clear
  G.gc(:global)
  r6 = r2.value
  return r6
end

def b1(r1 = nil)
  r2 = G.string(1, 109)
  8.times do
    G.append(r2, 1, 110)
    r3 = -r2
    r1 = r3
  end
  return r1
end
