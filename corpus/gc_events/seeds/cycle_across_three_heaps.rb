# Three shareables of three objspaces name each other in a ring: no local collection may free them, a global one frees all.
# does: spaces 2, promoted 3, local 3, global 1

gc_events do
  create :s1
  start :s1
  create :s2
  start :s2
  o[0] = allocate :s0, 1
  o[1] = allocate :s1, 1
  o[2] = allocate :s2, 1
  promote o[0]
  promote o[1]
  promote o[2]
  o[0][0] = o[1]
  o[1][0] = o[2]
  o[2][0] = o[0]
  forget o[0]
  forget o[1]
  forget o[2]
  collect :s0, :major
  collect :s1, :major
  collect :s2, :major
  verify
  collect :s1, :global
  verify
end
