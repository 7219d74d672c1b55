# Machine-stack words name objects: the address of one keeps it through a local and a global cycle, an address inside does not.
# does: local 2, global 1

gc_events do
  o[0] = allocate :s0, 3
  o[1] = allocate :s0, 3
  word[0] = o[0]
  word[20] = o[1]
  forget o[0]
  forget o[1]
  collect :s0, :major
  collect :s0, :global
  word[0] = 0
  collect :s0, :major
  verify
end
