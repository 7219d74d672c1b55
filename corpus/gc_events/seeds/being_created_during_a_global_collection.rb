# An objspace whose thread has not started yet already holds objects: the creator's cover makes a global collection see it.
# does: spaces 1, global 1

gc_events do
  create :s1
  o[0] = allocate :s1, 4
  o[1] = allocate :s1, 2
  o[0][2] = o[1]
  forget o[1]
  o[2] = allocate :s1, 11
  forget o[2]
  stop :s0
  settle
  clear
  mark
  weak
  sweep
  budget
  recount
  resume :s0
  start :s1
  o[3] = allocate :s1, 11
  o[0][0] = o[3]
  collect :s1, :major
  verify
end
