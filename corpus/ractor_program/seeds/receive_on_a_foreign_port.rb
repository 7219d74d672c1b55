# Only a port's owner may receive on it: a worker that tries is refused, though a message is there, and sends a complaint instead.
# (Where the prelude stands in for ports, the worker gets the message.)
# does: ractors 1, received 1, values 1
# refused: port_receive

def b0(r1 = nil)
  r2 = Ractor::Port.new
  r3 = Ractor.new(r2) { |x| b1(x) }
  r2.send(r3)
  r4 = r3.value
  r5 = r2.receive
  r4[0] = r5
  return r4
end

def b1(r1 = nil)
  r2 = r1.receive
  r3 = Array.new(2, r2)
  r4 = G.string(3, 33)
  r1.send(r4)
  return r3
end
