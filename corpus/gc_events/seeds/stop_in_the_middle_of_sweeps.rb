# The world stops while two objspaces have swept some of their pages and not the others: settling ends both sweeps.
# does: spaces 1, local 2, swept 2, global 1

gc_events do
  create :s1
  start :s1
  o[0] = allocate :s0, 1
  o[1] = allocate :s1, 1
  repeat 40, 4
  o[2] = allocate :s0, 5
  o[3] = allocate :s1, 8
  forget o[2]
  forget o[3]
  local_start :s0, :major
  local_finish :s0
  sweep_page :s0
  local_start :s1, :major
  local_finish :s1
  sweep_page :s1
  stop :s0
  settle
  clear
  mark
  weak
  sweep
  budget
  recount
  resume :s0
  verify
end
