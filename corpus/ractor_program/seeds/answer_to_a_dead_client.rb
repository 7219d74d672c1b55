# A client asks and ends before the answer: the server's send is refused, its snapshot is garbage, and it serves the next.
# does: ractors 3, received 3, values 2
# refused: send

def b0(r1 = nil)
  r2 = Ractor.new(r1) { |x| b1(x) }
  r3 = Ractor.new(r2) { |x| b2(x) }
  r3.join
  r2.send(r3)
  r4 = Ractor.new(r2) { |x| b3(x) }
  r5 = r4.value
  r6 = r2.value
  r5 << r6
  return r5
end

def b1(r1 = nil)
  r2 = Array.new(5, r1)
  2.times do
    r3 = Ractor.receive
    r3.send(r2)
  end
  G.gc(:major)
  return r2
end

def b2(r1 = nil)
  r2 = Array.new(2, r1)
  return r2
end

def b3(r1 = nil)
  r2 = Ractor.current
  r1.send(r2)
  r3 = Ractor.receive
  return r3
end
