# A Ractor sends itself copy after copy, which nobody reads, until its heap is full; NoMemoryError is no end, and it drains the queue.
# (A stock ruby has no such limit: there every copy arrives.)
# does: ractors 1, received 15, values 1, out_of_memory 1, local 3
# refused: array_get, receive, send
# gcstorm: settings heap_limit=65536

def b0(r1 = nil)
  r2 = Ractor.new(r1) { |x| b1(x) }
  r3 = r2.value
  return r3
end

def b1(r1 = nil)
  r2 = nil
  40.times do
    r3 = Array.new(1, r2)
    r2 = r3
  end
  r4 = Ractor.current
  50.times do
    r4.send(r2)
  end
  20.times do
    r3 = Ractor.receive
    r2 = r3[0]
  end
  return r2
end
