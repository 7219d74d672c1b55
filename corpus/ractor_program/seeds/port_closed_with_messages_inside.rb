# A port is closed while messages wait in it: they are dropped, whoever sends to it is refused, and so is its owner.
# does: ractors 1, received 2, values 1, global 1
# refused: port_receive, send

def b0(r1 = nil)
  r2 = Ractor::Port.new
  r3 = Ractor.new(r2) { |x| b1(x) }
  r4 = r2.receive
  r2.close
  r3.send(r4)
  r5 = r2.receive
  r6 = r3.value
  G.gc(:global)
  r7 = Array.new(1, r5)
  r7 << r6
  return r7
end

def b1(r1 = nil)
  r2 = Array.new(6, r1)
  4.times do
    r1.send(r2)
  end
  r3 = Ractor.receive
  r1.send(r3)
  return r3
end
