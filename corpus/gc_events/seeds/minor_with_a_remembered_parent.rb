# An old parent is given a young child between two minor collections: the remembered set is all that keeps it.
# does: local 5, swept 5

gc_events do
  o[0] = allocate :s0, 6
  collect :s0, :minor
  collect :s0, :minor
  collect :s0, :minor
  collect :s0, :major
  o[1] = allocate :s0, 2
  o[0][3] = o[1]
  forget o[1]
  local_start :s0, :minor
  local_finish :s0
  sweep_rest :s0
  o[0][3] = nil
  collect :s0, :major
  verify
end
