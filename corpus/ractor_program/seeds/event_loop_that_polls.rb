# An event loop looks for a message without waiting and does its own work in between.
# (A stock ruby has no such receive: there it finds nothing.)
# does: ractors 1, received 1, values 1, local 2
# refused: try_receive
# gcstorm: schedule policy=round_robin quantum=2

def b0(r1 = nil)
  r2 = Ractor.new(r1) { |x| b1(x) }
  3.times do
    r3 = G.string(2, 101)
    r2.send(r3)
  end
  r4 = r2.value
  return r4
end

def b1(r1 = nil)
  r2 = Array.new(0, r1)
  14.times do
    r3 = G.try_receive
    unless r3.nil?
      r2 << r3
    end
    r3 = Array.new(6, r1)
    Thread.pass
  end
  r2 << r3
  return r2
end
