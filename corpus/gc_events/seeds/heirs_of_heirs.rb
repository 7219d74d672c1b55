# Three heaps end up in one: the third is absorbed by the second, which ends and is absorbed by the first.
# does: spaces 3, retired 3, absorbed 3

gc_events do
  create :s1
  start :s1
  create :s2
  start :s2
  create :s3
  start :s3
  o[1] = allocate :s1, 2
  o[2] = allocate :s2, 4
  o[3] = allocate :s3, 6
  promote o[3]
  retire :s3
  absorb :s2, :s3
  o[2][0] = o[3]
  forget o[3]
  retire :s2
  absorb :s1, :s2
  o[1][0] = o[2]
  forget o[2]
  collect :s1, :minor
  retire :s1
  absorb :s0, :s1
  o[0] = allocate :s0, 1
  o[0][0] = o[1]
  forget o[1]
  collect :s0, :minor
  verify
end
