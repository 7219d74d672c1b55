# Two Ractors send one message to and fro, and it grows by an element each time.
# does: ractors 1, received 12, values 1

def b0(r1 = nil)
  r2 = Ractor::Port.new
  r3 = Ractor.new(r2) { |x| b1(x) }
  r4 = Array.new(0, r1)
  6.times do
    r3.send(r4)
    r4 = r2.receive
    r4 << r1
  end
  r1 = r3.value
  return r4
end

def b1(r1 = nil)
  r2 = G.string(1, 112)
  6.times do
    r3 = Ractor.receive
    r3 << r2
    r1.send(r3)
  end
end
