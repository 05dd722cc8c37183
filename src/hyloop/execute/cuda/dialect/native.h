// The dialect for speed on a CPU: the 32 threads of a hypergraph are the lanes of a few vectors, and a flag of each
// thread is a bit, so that a vote is free. Vectors are those of GCC and Clang; what these cannot say (a comparison as
// bits, a choice by bits, a lane named by another lane) is said for AVX-512, AVX2, and in a loop for any other CPU.

#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512BW__)
#define WIDE 1
#else
#define WIDE 0
#endif
#if defined(__AVX2__)
#include <immintrin.h>
#endif

#define INSIDE static inline __attribute__((always_inline))
#define UNROLL _Pragma("GCC unroll 8")
#define FULL 0xffffffffu
#define ONE_THREAD

// A piece is 64 bytes of numbers; Lanes are 32 of them.
template <class E> struct Lanes {
  typedef E Piece __attribute__((vector_size(64)));
  enum { EACH = 64 / sizeof(E), PIECES = 32 / EACH };
  Piece p[PIECES];
  Lanes() {}
  Lanes(E all) { UNROLL for (int k = 0; k < PIECES; ++k) p[k] = Piece{} + all; }
  template <class F> explicit Lanes(const Lanes<F> &o) {
    E x[32];
    for (int t = 0; t < 32; ++t) x[t] = (E)o.lane(t);
    __builtin_memcpy(p, x, sizeof(p));
  }
  E lane(int t) const {
    E x;
    __builtin_memcpy(&x, (const char *)p + t * sizeof(E), sizeof(E));
    return x;
  }
};
typedef Lanes<N> T;
typedef Lanes<int> I;
typedef Lanes<unsigned> U;
struct B {
  unsigned bits;
  B() {}
  B(bool all) : bits(all ? FULL : 0u) {}
  static B of(unsigned bits) { B c; c.bits = bits; return c; }
};

#define EACH_PIECE(E) UNROLL for (int k = 0; k < Lanes<E>::PIECES; ++k)
#define LANEWISE(name, E, expression)                                     \
  INSIDE Lanes<E> name(const Lanes<E> &a, const Lanes<E> &b) {            \
    Lanes<E> c;                                                           \
    EACH_PIECE(E) c.p[k] = expression;                                    \
    return c;                                                             \
  }

// -- comparisons as bits, choices by bits

#if WIDE
INSIDE unsigned less(__m512i a, __m512i b, int) { return _mm512_cmplt_epi32_mask(a, b); }
INSIDE unsigned equal(__m512i a, __m512i b, int) { return _mm512_cmpeq_epi32_mask(a, b); }
INSIDE unsigned less(__m512i a, __m512i b, long long) { return _mm512_cmplt_epi64_mask(a, b); }
INSIDE unsigned equal(__m512i a, __m512i b, long long) { return _mm512_cmpeq_epi64_mask(a, b); }
INSIDE unsigned equal(__m512i a, __m512i b, unsigned) { return _mm512_cmpeq_epi32_mask(a, b); }
#define COMPARED(function, E) function((__m512i)a.p[k], (__m512i)b.p[k], (E)0)
INSIDE __m512i chosen_of(unsigned c, __m512i a, __m512i b, int) { return _mm512_mask_blend_epi32((__mmask16)c, b, a); }
INSIDE __m512i chosen_of(unsigned c, __m512i a, __m512i b, unsigned) { return _mm512_mask_blend_epi32((__mmask16)c, b, a); }
INSIDE __m512i chosen_of(unsigned c, __m512i a, __m512i b, long long) { return _mm512_mask_blend_epi64((__mmask8)c, b, a); }
#define CHOSEN(E) (Lanes<E>::Piece) chosen_of(c.bits >> (k * Lanes<E>::EACH), (__m512i)a.p[k], (__m512i)b.p[k], (E)0)
#else
#if defined(__AVX2__)
template <class P> INSIDE unsigned bits_of(P c, int) {
  __m256i x[2];
  __builtin_memcpy(x, &c, 64);
  return (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(x[0])) |
         (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(x[1])) << 8;
}
template <class P> INSIDE unsigned bits_of(P c, long long) {
  __m256i x[2];
  __builtin_memcpy(x, &c, 64);
  return (unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(x[0])) |
         (unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(x[1])) << 4;
}
template <class P> INSIDE unsigned bits_of(P c, unsigned) { return bits_of(c, 0); }
#else
template <class P, class E> INSIDE unsigned bits_of(P c, E) {
  unsigned a = 0;
  for (int t = 0; t < (int)(64 / sizeof(E)); ++t) a |= (unsigned)(c[t] != 0) << t;
  return a;
}
#endif
template <class P, class E> INSIDE unsigned less(P a, P b, E e) { return bits_of(a < b, e); }
template <class P, class E> INSIDE unsigned equal(P a, P b, E e) { return bits_of(a == b, e); }
#define COMPARED(function, E) function(a.p[k], b.p[k], (E)0)
template <class P, class E> INSIDE P chosen_of(unsigned c, P a, P b, E) {
  P bit;
  for (int t = 0; t < (int)(64 / sizeof(E)); ++t) bit[t] = (E)1 << t;
  return ((P{} + (E)c) & bit) != 0 ? a : b;
}
#define CHOSEN(E) chosen_of(c.bits >> (k * Lanes<E>::EACH), a.p[k], b.p[k], (E)0)
#endif

#define COMPARISON(name, E, function, flip)                               \
  INSIDE B name(const Lanes<E> &a, const Lanes<E> &b) {                   \
    unsigned c = 0;                                                       \
    EACH_PIECE(E) c |= COMPARED(function, E) << (k * Lanes<E>::EACH);     \
    return B::of(flip c);                                                 \
  }
#define CHOICE(E)                                                                     \
  INSIDE Lanes<E> pick(B c, const Lanes<E> &a, const Lanes<E> &b) {                   \
    Lanes<E> d;                                                                       \
    EACH_PIECE(E) d.p[k] = CHOSEN(E);                                                 \
    return d;                                                                         \
  }
#define NUMBERS(E)                         \
  LANEWISE(operator+, E, a.p[k] + b.p[k])  \
  LANEWISE(operator-, E, a.p[k] - b.p[k])  \
  LANEWISE(operator*, E, a.p[k] * b.p[k])  \
  COMPARISON(operator<, E, less, )         \
  COMPARISON(operator>=, E, less, ~)       \
  COMPARISON(operator==, E, equal, )       \
  COMPARISON(operator!=, E, equal, ~)
#define BITS(E)                             \
  LANEWISE(operator&, E, a.p[k] & b.p[k])   \
  LANEWISE(operator|, E, a.p[k] | b.p[k])   \
  LANEWISE(operator>>, E, a.p[k] >> b.p[k]) \
  LANEWISE(operator<<, E, a.p[k] << b.p[k]) \
  CHOICE(E)
NUMBERS(N)
#if N_BITS != 32
NUMBERS(int)
BITS(N)
#endif
BITS(int)
BITS(unsigned)
LANEWISE(larger, N, a.p[k] > b.p[k] ? a.p[k] : b.p[k])

INSIDE I thread_number() { I c; EACH_PIECE(int) for (int t = 0; t < 16; ++t) c.p[k][t] = k * 16 + t; return c; }
INSIDE T select(B c, const T &a, const T &b) { return pick(c, a, b); }
INSIDE B operator|(B a, B b) { return B::of(a.bits | b.bits); }
INSIDE B both(B a, B b) { return B::of(a.bits & b.bits); }
INSIDE T magnitude(const T &a) { return larger(a, T(0) - a); }
INSIDE N magnitude(N a) { return a < 0 ? -a : a; }
INSIDE U chosen(B c, const U &a) { return pick(c, a, U(0u)); }
INSIDE bool still(B c) { return c.bits != 0; }

// -- memory

template <class A> INSIDE T numbers_from(const A *from, int at, B where) {
  N x[32] = {};
  for (unsigned left = where.bits; left; left &= left - 1) x[__builtin_ctz(left)] = (N)from[at + __builtin_ctz(left)];
  T c;
  __builtin_memcpy(c.p, x, sizeof(c.p));
  return c;
}
INSIDE void put_from(N *to, int at, const T &value, B where) {
  if ((where.bits & (where.bits + 1)) == 0) {  // the first so many
    __builtin_memcpy(to + at, value.p, sizeof(N) * __builtin_popcount(where.bits));
    return;
  }
  for (unsigned left = where.bits; left; left &= left - 1) to[at + __builtin_ctz(left)] = value.lane(__builtin_ctz(left));
}
template <class A> INSIDE void put_one(A *to, int at, A value) { to[at] = value; }
INSIDE int ones(unsigned a) { return __builtin_popcount(a); }
INSIDE int first_one(unsigned a) { return __builtin_ffs((int)a) - 1; }
INSIDE B has_bit(const T &a, int bit) { return (a & T((N)1 << bit)) != T(0); }
INSIDE B has_bit_of(const U &a, int bit) {
  const U b = a & U(1u << bit);
  unsigned c = 0;
  const U a0 = U(0u);
  { const U &a = b, &b = a0; EACH_PIECE(unsigned) c |= COMPARED(equal, unsigned) << (k * 16); }
  return B::of(~c);
}
INSIDE int quotient(long long a, long long b, int most) { return a < 0 ? 0 : (a / b > most ? most : (int)(a / b)); }
INSIDE int nearest_row(N a, N b, int up, int last) {
  if (b != 1) return quotient((long long)a + b - 1 + up, 2LL * (b < 1 ? 1 : b), last);
  const long long half = ((long long)a + up) >> 1;  // a division would take longer than all the rest
  return half < 0 ? 0 : half > last ? last : (int)half;
}
INSIDE I nearest_row(const T &a, const T &b, int up, int last) {
  int x[32];
  for (int t = 0; t < 32; ++t) x[t] = nearest_row(a.lane(t), b.lane(t), up, last);
  I c;
  __builtin_memcpy(c.p, x, sizeof(x));
  return c;
}
INSIDE T common(const U &a, unsigned b) {
  const U both = a & U(b);
#if N_BITS == 32 && defined(__AVX512VPOPCNTDQ__)
  T c;
  EACH_PIECE(int) c.p[k] = (T::Piece)_mm512_popcnt_epi32((__m512i)both.p[k]);
  return c;
#else
  N x[32];
  for (int t = 0; t < 32; ++t) x[t] = __builtin_popcount(both.lane(t));
  T c;
  __builtin_memcpy(c.p, x, sizeof(c.p));
  return c;
#endif
}

// -- together

INSIDE N group_max(const T &a) {
#if WIDE && N_BITS == 32
  return _mm512_reduce_max_epi32((__m512i)(a.p[0] > a.p[1] ? a.p[0] : a.p[1]));
#else
  N c = a.lane(0);
  for (int t = 1; t < 32; ++t) c = a.lane(t) > c ? a.lane(t) : c;
  return c;
#endif
}
INSIDE N group_add(const T &a) { N c = 0; for (int t = 0; t < 32; ++t) c += a.lane(t); return c; }
INSIDE bool group_any(B c) { return still(c); }
INSIDE unsigned long long any_bits(const T &a) {
  T::Piece c = a.p[0];
  UNROLL for (int k = 1; k < T::PIECES; ++k) c |= a.p[k];
  unsigned long long x[8], d = 0;
  __builtin_memcpy(x, &c, 64);
  for (int t = 0; t < 8; ++t) d |= x[t];
  return d;
}
INSIDE unsigned warp_or_low(const T &a) {
  const unsigned long long c = any_bits(a);
  return N_BITS == 32 ? (unsigned)c | (unsigned)(c >> 32) : (unsigned)c;
}
INSIDE unsigned warp_or_high(const T &a) { return N_BITS == 32 ? 0u : (unsigned)(any_bits(a) >> 32); }
INSIDE unsigned votes(B c) { return c.bits; }
INSIDE N from_thread(const T &a, int thread) { return a.lane(thread & 31); }
INSIDE T from_threads(const T &a, const I &thread) {
  T c;
#if WIDE && N_BITS == 32
  EACH_PIECE(int) c.p[k] = (T::Piece)_mm512_permutex2var_epi32((__m512i)a.p[0], (__m512i)thread.p[k], (__m512i)a.p[1]);
#else
  N x[32];
  for (int t = 0; t < 32; ++t) x[t] = a.lane(thread.lane(t) & 31);
  __builtin_memcpy(c.p, x, sizeof(c.p));
#endif
  return c;
}
