/* libfuzzer.c - the functions that libFuzzer looks up by name. */
#include "fuzz/mutate/harness.h"
#include "fuzz/mutate/mutate.h"

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *data1, size_t size1, const uint8_t *data2,
                                 size_t size2, uint8_t *out, size_t max_out_size,
                                 unsigned int seed);

size_t
LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
  return mutate_input(data, size, max_size, harness_dialect(), seed);
}

size_t
LLVMFuzzerCustomCrossOver(const uint8_t *data1, size_t size1, const uint8_t *data2, size_t size2,
                          uint8_t *out, size_t max_out_size, unsigned int seed)
{
  return crossover_input(data1, size1, data2, size2, out, max_out_size, harness_dialect(), seed);
}
