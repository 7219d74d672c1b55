# Every request gets a Ractor of its own, short-lived, which answers to the port it was given; nobody asks for its value.
# does: ractors 8, received 8, retired 8, global 1
# gcstorm: settings zombie_limit=1

def b0(r1 = nil)
  r2 = Ractor::Port.new
  r3 = Array.new(0, r1)
  8.times do
    r4 = Ractor.new(r2) { |x| b1(x) }
    r5 = r2.receive
    r3 << r5
    r4.join
  end
  10.times do
    r6 = Array.new(2, r3)
    r3[0] = r6
  end
end

def b1(r1 = nil)
  r2 = {}
  6.times do
    r3 = G.string(4, 72)
    r2[r3] = r3
  end
  r1.send(r2)
end
