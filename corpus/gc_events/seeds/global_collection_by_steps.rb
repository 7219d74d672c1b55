# The seven steps of a global collection over three objspaces, one by one, with the world checked in between.
# does: spaces 2, global 1, stopped 2

gc_events do
  create :s1
  start :s1
  create :s2
  start :s2
  o[0] = allocate :s0, 3
  o[1] = allocate :s1, 5
  o[2] = allocate :s2, 1
  promote o[1]
  o[0][0] = o[1]
  o[2][0] = o[1]
  forget o[1]
  o[3] = allocate :s1, 9
  forget o[3]
  stop :s2
  settle
  clear
  mark
  verify
  weak
  sweep
  verify
  budget
  recount
  resume :s2
  o[4] = allocate :s1, 9
  verify
end
