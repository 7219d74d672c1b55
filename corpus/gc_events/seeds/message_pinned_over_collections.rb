# A message in flight names objects that nothing else does: pinned through a local and a global cycle, free once received.
# does: spaces 1, local 3, global 1

gc_events do
  create :s1
  start :s1
  o[0] = allocate :s0, 2
  o[1] = allocate :s0, 4
  o[0][0] = o[1]
  pin o[0]
  pin o[1]
  forget o[0]
  forget o[1]
  collect :s0, :major
  collect :s1, :global
  collect :s0, :minor
  unpin o[0]
  unpin o[1]
  collect :s1, :global
  collect :s0, :major
  verify
end
