
extern "C" __global__ void __launch_bounds__(WIDTH * GROUPS) run(const unsigned long long *table, const int count) {
  const int g = blockIdx.x * GROUPS + threadIdx.x / WIDTH;
  if (g < count) one(table, ((const int *)table[0])[g]);
}
