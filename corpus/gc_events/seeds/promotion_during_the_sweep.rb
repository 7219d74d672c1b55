# An object with a private child becomes shareable between marking and the end of the lazy sweep: page by page, nothing may be lost.
# does: promoted 1, local 2, swept 1

gc_events do
  o[0] = allocate :s0, 3
  o[1] = allocate :s0, 3
  o[2] = allocate :s0, 1
  o[1][0] = o[2]
  forget o[2]
  local_start :s0, :major
  local_mark :s0, 1
  local_finish :s0
  promote o[1]
  o[3] = allocate :s0, 2
  o[1][1] = o[3]
  forget o[3]
  sweep_page :s0
  forget o[1]
  sweep_rest :s0
  collect :s0, :major
  verify
end
