# A dead Ractor's heap holds a shareable that a living one uses: it outlives two global collections as a zombie's, and an absorb.
# does: spaces 2, retired 1, absorbed 1, global 2

gc_events do
  create :s1
  start :s1
  create :s2
  start :s2
  o[0] = allocate :s1, 3
  promote o[0]
  o[1] = allocate :s2, 1
  o[1][0] = o[0]
  forget o[0]
  retire :s1
  collect :s2, :global
  collect :s2, :major
  collect :s0, :global
  absorb :s2, :s1
  o[1][0] = nil
  collect :s2, :major
  collect :s2, :global
  verify
end
