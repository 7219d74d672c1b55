# A heap takes page after page for a chain of live objects, drops the chain, and gives empty pages back in a global collection.
# does: global 1, pages_taken 6, pages_given 4
# gcstorm: settings free_wanted=5

gc_events do
  o[0] = allocate :s0, 8
  o[1] = allocate :s0, 8
  repeat 20, 4
  o[0] = allocate :s0, 8
  o[0][7] = o[1]
  o[1] = allocate :s0, 8
  o[1][7] = o[0]
  verify
  forget o[0]
  forget o[1]
  collect :s0, :global
  repeat 12, 1
  o[3] = allocate :s0, 6
  verify
end
