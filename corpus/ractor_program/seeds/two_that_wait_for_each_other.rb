# Two Ractors wait, each for a message of the other, and main for both: gcstorm winds them down.
# (A stock ruby waits for ever.)
# does: ractors 2, retired 2
# refused: receive, value

def b0(r1 = nil)
  r2 = Ractor.new(r1) { |x| b1(x) }
  r3 = Ractor.new(r2) { |x| b1(x) }
  r2.send(r3)
  r4 = r3.value
  return r4
end

def b1(r1 = nil)
  r2 = Ractor.receive
  r3 = Array.new(2, r2)
  r4 = Ractor.receive
  r4.send(r3)
end
