# Off-heap bytes are charged and given back, by a Ractor that ends in debt: the heir has its counter, the limit its collection.
# does: spaces 1, retired 1, absorbed 1, local 2

gc_events do
  create :s1
  start :s1
  o[0] = allocate :s1, 2
  malloc :s0, 20
  malloc :s1, 30
  malloc :s1, 40
  o[1] = allocate :s1, 2
  malloc :s1, 5
  retire :s1
  absorb :s0, :s1
  malloc :s0, 254
  o[2] = allocate :s0, 4
  malloc :s0, 255
  o[3] = allocate :s0, 4
  verify
end
