# Main puts work into its own queue and takes it out again: sender and receiver of the snapshot are one heap.
# does: received 8, local 2

def b0(r1 = nil)
  r2 = Ractor.current
  r3 = Array.new(0, r1)
  r2.send(r3)
  8.times do
    r4 = Ractor.receive
    r5 = G.string(4, 109)
    r4 << r5
    r2.send(r4)
  end
  G.gc(:major)
  return r4
end
