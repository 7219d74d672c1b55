# Handlers are shareable Procs, each of which holds the next in its environment; a worker walks the chain for each request.
# does: ractors 1, received 3, values 1, promoted 3

def b0(r1 = nil)
  r2 = G.string(1, 47)
  Ractor.make_shareable(r2)
  r3 = G.closure(1, r2)
  r4 = G.closure(2, r3)
  r5 = G.closure(1, r4)
  Ractor.make_shareable(r5)
  r6 = Ractor.new(r5) { |x| b1(x) }
  3.times do
    r7 = {}
    r7[r2] = r2
    r6.send(r7)
  end
  r8 = r6.value
  return r8
end

def b1(r1 = nil)
  r2 = Array.new(0, r1)
  3.times do
    r3 = Ractor.receive
    r4 = G.env_get(r1, 0)
    r5 = G.env_get(r4, 1)
    r6 = G.env_get(r5, 0)
    r7 = r3[r6]
    r2 << r7
    r2 << r4
  end
  return r2
end
