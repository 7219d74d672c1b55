# A shareable points at a private object: the record holds through a local cycle, is cleared and made anew by a global one.
# does: promoted 1, local 2, global 1

gc_events do
  o[0] = allocate :s0, 2
  promote o[0]
  o[1] = allocate :s0, 1
  o[0][1] = o[1]
  forget o[1]
  collect :s0, :major
  collect :s0, :global
  collect :s0, :major
  o[0][1] = nil
  collect :s0, :global
  verify
end
