# Workers ask for work by sending their own port; a queue in main answers, with nil when there is nothing more to do.
# does: ractors 3, received 22, values 3

def b0(r1 = nil)
  r2 = Ractor.current
  r3 = Array.new(0, r1)
  3.times do
    r4 = Ractor.new(r2) { |x| b1(x) }
    r3 << r4
  end
  8.times do
    r5 = Ractor.receive
    r6 = G.string(4, 119)
    r5.send(r6)
  end
  3.times do
    r5 = Ractor.receive
    r5.send(r1)
  end
  r7 = Array.new(0, r1)
  3.times do
    r4 = r3.pop
    r8 = r4.value
    r7 << r8
  end
  return r7
end

def b1(r1 = nil)
  r2 = Ractor::Port.new
  r3 = Array.new(0, r1)
  r4 = r2
  9.times do
    unless r4.nil?
      r1.send(r2)
      r4 = r2.receive
      r3 << r4
    end
  end
  return r3
end
