# Only words on the machine stack name these objects: a real one keeps its object, one inside or past it or left over may or may not.
# (A stock ruby's stack cannot be written: there an Array holds them.)
# does: local 2, global 1

def b0(r1 = nil)
  r2 = Array.new(3, r1)
  G.stack_push(r2, :reference)
  r2 = G.string(4, 97)
  G.stack_push(r2, :interior)
  r2 = G.object(r1, 3)
  G.stack_push(r2, :past_end)
  r2 = {}
  G.stack_push(r2, :stale)
  G.stack_push(r2, :lookalike)
  r2 = nil
  G.gc(:major)
  G.gc(:global)
  r3 = G.stack_load(4)
  r3 << r3
  G.stack_pop(5)
  G.gc(:major)
  return r3
end
