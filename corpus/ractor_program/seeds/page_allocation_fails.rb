# The pool gets no memory for a second arena, time after time: collections make room where they can, and ops that find none give nil.
# (A stock ruby has the memory.)
# does: ractors 1, values 1, local 2, out_of_memory 1
# refused: array
# gcstorm: settings arena_pages=4
# gcstorm: fail page nth=2 count=16

def b0(r1 = nil)
  r2 = Ractor.new(r1) { |x| b1(x) }
  r3 = Array.new(0, r1)
  60.times do
    r4 = Array.new(2, r3)
    r3 << r4
  end
  r5 = r2.value
  r3 << r5
  return r3
end

def b1(r1 = nil)
  r2 = nil
  16.times do
    r3 = Array.new(2, r2)
    unless r3.nil?
      r2 = r3
    end
  end
  return r2
end
