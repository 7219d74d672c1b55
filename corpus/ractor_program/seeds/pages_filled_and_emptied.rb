# A heap grows by many pages, lets go of all, and gives them back to the pool; then it grows again.
# does: local 3, pages_taken 4, pages_given 2, global 1
# gcstorm: settings free_wanted=5

def b0(r1 = nil)
  r2 = Array.new(0, r1)
  30.times do
    r3 = Array.new(3, r1)
    r2 << r3
  end
  r2.clear
  r3 = nil
  G.gc(:major)
  G.gc(:global)
  20.times do
    r3 = {}
    r2 << r3
  end
  return r2
end
