# Main sends each worker the rest of its work and then nil; a worker that gets nil ends with what it has done.
# does: ractors 2, received 8, values 2, absorbed 2

def b0(r1 = nil)
  r2 = Ractor.new(r1) { |x| b1(x) }
  r3 = Ractor.new(r1) { |x| b1(x) }
  r4 = Array.new(2, r2)
  3.times do
    r2.send(r4)
    r3.send(r4)
  end
  r2.send(r1)
  r3.send(r1)
  r5 = r2.value
  r6 = r3.value
  r5 << r6
  return r5
end

def b1(r1 = nil)
  r2 = Array.new(0, r1)
  r3 = r2
  40.times do
    unless r3.nil?
      r3 = Ractor.receive
      r2 << r3
    end
  end
  return r2
end
