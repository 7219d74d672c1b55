# A Ractor owns the sessions of a server: workers fetch one by key, change their copy and send it back.
# does: ractors 3, received 18, values 2

def b0(r1 = nil)
  r2 = Ractor.new(r1) { |x| b1(x) }
  r3 = Ractor.new(r2) { |x| b2(x) }
  r4 = Ractor.new(r2) { |x| b2(x) }
  r5 = r3.value
  r6 = r4.value
  r5[1] = r6
  return r5
end

def b1(r1 = nil)
  r2 = {}
  r2[r1] = r2
  12.times do
    r3 = Ractor.receive
    r4 = r3[0]
    r5 = r3[1]
    unless r5.nil?
      r2[r4] = r5
    end
    r6 = r2[r4]
    r3[1] = r6
    r7 = r3[2]
    unless r7.nil?
      r7.send(r3)
    end
  end
end

def b2(r1 = nil)
  r2 = Ractor.current
  r3 = Array.new(3, r2)
  3.times do
    r4 = nil
    r3[1] = r4
    r3[2] = r2
    r1.send(r3)
    r3 = Ractor.receive
    r5 = G.string(2, 115)
    r6 = Array.new(2, r5)
    r3[1] = r6
    r3[2] = r4
    r1.send(r3)
  end
  return r3
end
