# Ractors that come and go one after the other: each lives on the pages that the one before it gave back.
# does: ractors 5, values 5, pages_taken 10, pages_given 2, global 5

def b0(r1 = nil)
  5.times do
    r2 = Ractor.new(r1) { |x| b1(x) }
    r1 = r2.value
    G.gc(:global)
  end
end

def b1(r1 = nil)
  r2 = Array.new(0, r1)
  25.times do
    r3 = G.object(r1, 5)
    r2 << r3
  end
end
