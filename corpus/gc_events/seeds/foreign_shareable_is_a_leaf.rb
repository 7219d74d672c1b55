# Two objspaces collect locally, interleaved; each refers to the other's shareable, marks nothing there and frees none of its own.
# does: spaces 1, promoted 2, local 2, swept 2

gc_events do
  create :s1
  start :s1
  o[0] = allocate :s0, 2
  o[1] = allocate :s1, 2
  o[2] = allocate :s0, 1
  o[3] = allocate :s1, 1
  promote o[2]
  promote o[3]
  o[0][0] = o[3]
  o[1][0] = o[2]
  forget o[2]
  forget o[3]
  local_start :s0, :major
  local_start :s1, :major
  local_mark :s0, 1
  local_mark :s1, 2
  local_finish :s1
  local_finish :s0
  sweep_rest :s0
  sweep_rest :s1
  verify
end
