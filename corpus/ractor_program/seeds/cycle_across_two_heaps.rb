# Two shareable Procs of two Ractors name each other, and soon nobody names them: a cycle for a global collection only.
# (A stock ruby freezes the environment of a shareable Proc: there the two never meet.)
# does: ractors 1, values 1, promoted 2, local 1, global 1

def b0(r1 = nil)
  r2 = G.closure(1, r1)
  Ractor.make_shareable(r2)
  r3 = Ractor.new(r2) { |x| b1(x) }
  r2 = nil
  r3.join
  G.gc(:major)
  GC.verify_internal_consistency
  G.gc(:global)
  r2 = r3.value
  return r2
end

def b1(r1 = nil)
  r2 = G.closure(1, r1)
  Ractor.make_shareable(r2)
  G.env_set(r1, 0, r2)
  G.gc(:major)
end
