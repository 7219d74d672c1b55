# A local collection taken step by step: start, two short drains, the rest, and a lazy sweep with allocation in between.
# does: local 1, swept 1

gc_events do
  o[0] = allocate :s0, 4
  o[1] = allocate :s0, 3
  o[0][0] = o[1]
  o[2] = allocate :s0, 2
  o[1][2] = o[2]
  o[3] = allocate :s0, 12
  o[4] = allocate :s0, 30
  forget o[1]
  forget o[2]
  forget o[3]
  forget o[4]
  local_start :s0, :major
  local_mark :s0, 1
  local_mark :s0, 1
  local_finish :s0
  sweep_page :s0
  o[5] = allocate :s0, 3
  o[0][1] = o[5]
  sweep_rest :s0
  verify
end
