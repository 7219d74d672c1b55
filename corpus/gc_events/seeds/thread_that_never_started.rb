# An objspace is disowned in creation: a zombie at once, walked by a global collection, then taken over.
# does: spaces 1, global 1, absorbed 1

gc_events do
  create :s3
  o[0] = allocate :s3, 2
  o[1] = allocate :s3, 2
  promote o[1]
  o[0][0] = o[1]
  forget o[1]
  disown :s3
  collect :s0, :global
  absorb :s0, :s3
  forget o[0]
  collect :s0, :major
  collect :s0, :global
  verify
end
