# Six Ractors compute fib as a tree of calls, each call a pair [fib(n - 2), fib(n - 1)]; each answers [i, tree].
# does: ractors 6, values 6, absorbed 6, local 6

def b0(r1 = nil)
  r2 = Array.new(0, r1)
  r3 = 0
  6.times do
    r4 = Ractor.new(r3) { |x| b1(x) }
    r2 << r4
  end
  r5 = {}
  6.times do
    r6 = r2.pop
    r7 = r6.value
    r5[r6] = r7
  end
  return r5
end

def b1(r1 = nil)
  r2 = Array.new(2, r1)
  r3 = Array.new(2, r1)
  12.times do
    r4 = Array.new(2, r2)
    r4[1] = r3
    r2 = r3
    r3 = r4
  end
  r5 = Array.new(2, r1)
  r5[1] = r3
  return r5
end
