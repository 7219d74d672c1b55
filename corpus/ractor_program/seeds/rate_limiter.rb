# A limiter hands out tokens from a bucket and refuses when it is empty; a refused worker comes again after the refill.
# does: ractors 2, received 12, values 1

def b0(r1 = nil)
  r2 = Ractor.new(r1) { |x| b1(x) }
  r3 = Ractor.new(r2) { |x| b2(x) }
  r4 = r3.value
  return r4
end

def b1(r1 = nil)
  r2 = Array.new(2, r1)
  r3 = Ractor.current
  r2[0] = r3
  r2[1] = r3
  2.times do
    r4 = Ractor.receive
    r5 = r2.pop
    r4.send(r5)
    r4 = Ractor.receive
    r5 = r2.pop
    r4.send(r5)
    r4 = Ractor.receive
    r5 = r2.pop
    r4.send(r5)
    r2 << r3
    r2 << r3
  end
end

def b2(r1 = nil)
  r2 = Ractor.current
  r3 = Array.new(0, r1)
  6.times do
    r1.send(r2)
    r4 = Ractor.receive
    unless r4.nil?
      r5 = G.string(2, 111)
      r3 << r5
    end
  end
  return r3
end
