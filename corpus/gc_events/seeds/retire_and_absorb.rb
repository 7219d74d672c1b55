# A Ractor's end: its last collection, a zombie with a pending value, and an heir that takes the pages and collects fully.
# does: spaces 1, retired 1, absorbed 1, local 2

gc_events do
  create :s1
  start :s1
  o[0] = allocate :s1, 3
  o[1] = allocate :s1, 20
  o[0][1] = o[1]
  o[2] = allocate :s1, 7
  forget o[1]
  forget o[2]
  malloc :s1, 10
  retire :s1
  absorb :s0, :s1
  o[3] = allocate :s0, 3
  o[3][0] = o[0]
  forget o[0]
  collect :s0, :minor
  verify
end
