// The dialect on a CPU, in lock-step: a number "of each thread" is an array, and every operation is done by all threads
// before the next. It runs what the generator wrote, where there is no GPU; what it cannot show is a race.

#include <cstdio>
#include <cstdlib>

#define INSIDE static inline
#define UNROLL
#define FULL 0xffffffffu

template <class E> struct Lanes {
  E x[WIDTH];
  Lanes() {}
  Lanes(E all) { for (int t = 0; t < WIDTH; ++t) x[t] = all; }
  template <class F> explicit Lanes(const Lanes<F> &o) { for (int t = 0; t < WIDTH; ++t) x[t] = (E)o.x[t]; }
};
typedef Lanes<N> T;
typedef Lanes<int> I;
typedef Lanes<unsigned> U;
typedef Lanes<bool> B;

#define EACH for (int t = 0; t < WIDTH; ++t)
#define ARITHMETIC(E)                                                                                             \
  INSIDE Lanes<E> operator+(const Lanes<E> &a, const Lanes<E> &b) { Lanes<E> c; EACH c.x[t] = a.x[t] + b.x[t]; return c; } \
  INSIDE Lanes<E> operator-(const Lanes<E> &a, const Lanes<E> &b) { Lanes<E> c; EACH c.x[t] = a.x[t] - b.x[t]; return c; } \
  INSIDE Lanes<E> operator*(const Lanes<E> &a, const Lanes<E> &b) { Lanes<E> c; EACH c.x[t] = a.x[t] * b.x[t]; return c; } \
  INSIDE B operator<(const Lanes<E> &a, const Lanes<E> &b) { B c; EACH c.x[t] = a.x[t] < b.x[t]; return c; }       \
  INSIDE B operator>=(const Lanes<E> &a, const Lanes<E> &b) { B c; EACH c.x[t] = a.x[t] >= b.x[t]; return c; }     \
  INSIDE B operator==(const Lanes<E> &a, const Lanes<E> &b) { B c; EACH c.x[t] = a.x[t] == b.x[t]; return c; }     \
  INSIDE B operator!=(const Lanes<E> &a, const Lanes<E> &b) { B c; EACH c.x[t] = a.x[t] != b.x[t]; return c; }
#define BITS(E)                                                                                                   \
  INSIDE Lanes<E> operator&(const Lanes<E> &a, const Lanes<E> &b) { Lanes<E> c; EACH c.x[t] = a.x[t] & b.x[t]; return c; } \
  INSIDE Lanes<E> operator|(const Lanes<E> &a, const Lanes<E> &b) { Lanes<E> c; EACH c.x[t] = a.x[t] | b.x[t]; return c; } \
  INSIDE Lanes<E> operator>>(const Lanes<E> &a, const Lanes<E> &b) { Lanes<E> c; EACH c.x[t] = a.x[t] >> b.x[t]; return c; } \
  INSIDE Lanes<E> operator<<(const Lanes<E> &a, const Lanes<E> &b) { Lanes<E> c; EACH c.x[t] = a.x[t] << b.x[t]; return c; }
ARITHMETIC(N)
#if N_BITS != 32
ARITHMETIC(int)
BITS(N)
#endif
BITS(int)
BITS(unsigned)

INSIDE I thread_number() { I c; EACH c.x[t] = t; return c; }
INSIDE T select(B c, T a, T b) { EACH a.x[t] = c.x[t] ? a.x[t] : b.x[t]; return a; }
INSIDE B operator|(B a, B b) { EACH a.x[t] = a.x[t] | b.x[t]; return a; }
INSIDE T magnitude(T a) { EACH a.x[t] = a.x[t] < 0 ? -a.x[t] : a.x[t]; return a; }
INSIDE N magnitude(N a) { return a < 0 ? -a : a; }
INSIDE B both(B a, B b) { EACH a.x[t] = a.x[t] & b.x[t]; return a; }
INSIDE T larger(T a, T b) { EACH a.x[t] = b.x[t] > a.x[t] ? b.x[t] : a.x[t]; return a; }
INSIDE U chosen(B c, U a) { EACH a.x[t] = c.x[t] ? a.x[t] : 0u; return a; }
INSIDE bool still(B c) { bool a = false; EACH a |= c.x[t]; return a; }

template <class A> INSIDE T numbers_from(const A *from, int at, B where) {
  T c(0);
  EACH if (where.x[t]) c.x[t] = (N)from[at + t];
  return c;
}
INSIDE I index_at(const int *from, I at, B where) { I c(0); EACH if (where.x[t]) c.x[t] = from[at.x[t]]; return c; }
INSIDE I role_at(const unsigned char *from, I at, B where) { I c(0); EACH if (where.x[t]) c.x[t] = from[at.x[t]]; return c; }
INSIDE void put_from(N *to, int at, T value, B where) { EACH if (where.x[t]) to[at + t] = value.x[t]; }
template <class A> INSIDE void put_one(A *to, int at, A value) { to[at] = value; }
INSIDE I where_index(B c, I a) { EACH a.x[t] = c.x[t] ? a.x[t] : 0; return a; }
INSIDE int ones(unsigned a) { return __builtin_popcount(a); }
INSIDE int first_one(unsigned a) { return __builtin_ffs((int)a) - 1; }
INSIDE U one_bit(I at) { U c; EACH c.x[t] = 1u << at.x[t]; return c; }
INSIDE B has_bit(T a, int bit) { B c; EACH c.x[t] = (a.x[t] >> bit) & 1; return c; }
INSIDE B has_bit_of(U a, int bit) { B c; EACH c.x[t] = (a.x[t] >> bit) & 1; return c; }
INSIDE int quotient(long long a, long long b, int most) { return a < 0 ? 0 : (a / b > most ? most : (int)(a / b)); }
INSIDE I nearest_row(T a, T b, int up, int last) {
  I c;
  EACH c.x[t] = quotient((long long)a.x[t] + b.x[t] - 1 + up, 2LL * (b.x[t] < 1 ? 1 : b.x[t]), last);
  return c;
}
INSIDE int nearest_row(N a, N b, int up, int last) {
  return quotient((long long)a + b - 1 + up, 2LL * (b < 1 ? 1 : b), last);
}
INSIDE T common(U a, unsigned b) { T c; EACH c.x[t] = __builtin_popcount(a.x[t] & b); return c; }

INSIDE N group_max(T a) { N c = a.x[0]; EACH c = a.x[t] > c ? a.x[t] : c; return c; }
INSIDE N group_add(T a) { N c = 0; EACH c += a.x[t]; return c; }
INSIDE bool group_any(B c) { return still(c); }

#if WIDTH == 32

INSIDE unsigned warp_or_low(T a) { unsigned c = 0; EACH c |= (unsigned)(unsigned long long)a.x[t]; return c; }
INSIDE unsigned warp_or_high(T a) {
  unsigned long long c = 0;
  EACH c |= (unsigned long long)a.x[t];
  return N_BITS == 32 ? 0u : (unsigned)(c >> 32);
}
INSIDE unsigned votes(B c) { unsigned a = 0; EACH a |= (unsigned)c.x[t] << t; return a; }
INSIDE N from_thread(T a, int thread) { return a.x[thread & 31]; }
INSIDE T from_threads(T a, I thread) { T c; EACH c.x[t] = a.x[thread.x[t] & 31]; return c; }

#else

static N slots[SLOTS], rows_of[WIDTH * ROWS];
INSIDE void meet() {}
INSIDE int group_count(B c) { int a = 0; EACH a += c.x[t]; return a; }
INSIDE void keep_slot(int slot, T a, B where) { EACH if (where.x[t]) slots[slot] = a.x[t]; }
INSIDE N slot(int number) { return slots[number]; }
INSIDE void keep_row(I row, T a, B where) { EACH if (where.x[t]) rows_of[row.x[t]] = a.x[t]; }
INSIDE T kept_row(I row) { T c; EACH c.x[t] = rows_of[row.x[t]]; return c; }
INSIDE void add_to_row(I row, T a, B where) { EACH if (where.x[t]) rows_of[row.x[t]] += a.x[t]; }

#endif
#undef EACH
