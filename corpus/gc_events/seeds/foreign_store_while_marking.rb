# One objspace marks while the other stores a private object of its own into a shareable of the first.
# does: spaces 1, promoted 1, local 3, swept 3

gc_events do
  create :s1
  start :s1
  o[0] = allocate :s0, 2
  promote o[0]
  o[1] = allocate :s0, 2
  o[1][0] = o[0]
  o[2] = allocate :s1, 2
  o[3] = allocate :s1, 1
  o[2][0] = o[3]
  local_start :s0, :major
  local_mark :s0, 1
  o[0][1] = o[2]
  forget o[2]
  forget o[3]
  local_finish :s0
  collect :s1, :minor
  collect :s1, :major
  sweep_rest :s0
  verify
end
