
extern "C" void run(const unsigned long long *table, const int count) {
  for (int g = 0; g < count; ++g) one(table, ((const int *)table[0])[g]);
}
