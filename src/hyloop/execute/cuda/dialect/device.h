// The dialect on a GPU: a number of each thread, and what the threads of one hypergraph do together.
//
// Before this come: N (the type of all numbers), WIDTH (threads for one hypergraph), ROWS (rows for each thread).
// A hypergraph has a warp of its own (WIDTH = 32, several warps a block) or a whole block.

#define INSIDE static __device__ __forceinline__
#define UNROLL _Pragma("unroll")
#define GROUPS (WIDTH == 32 ? HYPERGRAPHS_A_BLOCK : 1)
#define FULL 0xffffffffu

typedef N T;         // a number of each thread
typedef int I;       // a small number of each thread
typedef unsigned U;  // 32 bits of each thread
typedef bool B;      // a flag of each thread

INSIDE I thread_number() { return threadIdx.x % WIDTH; }
INSIDE T select(B c, T a, T b) { return c ? a : b; }
INSIDE T magnitude(T a) { return a < 0 ? -a : a; }
INSIDE B both(B a, B b) { return a && b; }
INSIDE T larger(T a, T b) { return a > b ? a : b; }
INSIDE U chosen(B c, U a) { return c ? a : 0u; }
INSIDE bool still(B c) { return c; }  // a loop of one thread: others may leave it earlier

template <class A> INSIDE T numbers_from(const A *from, int at, B where) { return where ? (T)from[at + thread_number()] : (T)0; }
INSIDE I index_at(const int *from, I at, B where) { return where ? from[at] : 0; }
INSIDE I role_at(const unsigned char *from, I at, B where) { return where ? from[at] : 0; }
INSIDE void put_from(N *to, int at, T value, B where) { if (where) to[at + thread_number()] = value; }
template <class A> INSIDE void put_one(A *to, int at, A value) { if (thread_number() == 0) to[at] = value; }
INSIDE I where_index(B c, I a) { return c ? a : 0; }
INSIDE int ones(unsigned a) { return __popc(a); }
INSIDE int first_one(unsigned a) { return __ffs(a) - 1; }
INSIDE U one_bit(I at) { return 1u << at; }
INSIDE B has_bit(T a, int bit) { return (a >> bit) & 1; }
INSIDE B has_bit_of(U a, int bit) { return (a >> bit) & 1; }
INSIDE I quotient(long long a, long long b, int most) { return a < 0 ? 0 : (a / b > most ? most : (int)(a / b)); }
INSIDE I nearest_row(T a, T b, int up, int last) { return quotient((long long)a + b - 1 + up, 2LL * (b < 1 ? 1 : b), last); }
INSIDE T common(U a, unsigned b) { return (T)__popc(a & b); }

// -- together: every thread of the hypergraph calls these, and all get the same answer

#if N_BITS == 32
INSIDE N warp_max(T a) { return __reduce_max_sync(FULL, a); }
INSIDE N warp_add(T a) { return __reduce_add_sync(FULL, a); }
INSIDE unsigned warp_or_low(T a) { return __reduce_or_sync(FULL, (unsigned)a); }
INSIDE unsigned warp_or_high(T a) { return 0u; }
#else
INSIDE N warp_max(T a) {
  UNROLL for (int s = 16; s; s /= 2) { N b = __shfl_xor_sync(FULL, a, s); a = b > a ? b : a; }
  return a;
}
INSIDE N warp_add(T a) {
  UNROLL for (int s = 16; s; s /= 2) a += __shfl_xor_sync(FULL, a, s);
  return a;
}
INSIDE unsigned warp_or_low(T a) { return __reduce_or_sync(FULL, (unsigned)(unsigned long long)a); }
INSIDE unsigned warp_or_high(T a) { return __reduce_or_sync(FULL, (unsigned)((unsigned long long)a >> 32)); }
#endif

#if WIDTH == 32

INSIDE unsigned votes(B c) { return __ballot_sync(FULL, c); }
INSIDE N from_thread(T a, int thread) { return __shfl_sync(FULL, a, thread); }
INSIDE T from_threads(T a, I thread) { return __shfl_sync(FULL, a, thread); }
INSIDE N group_max(T a) { return warp_max(a); }
INSIDE N group_add(T a) { return warp_add(a); }
INSIDE bool group_any(B c) { return __any_sync(FULL, c); }

#else

__shared__ N slots[SLOTS];     // one number for all threads; each use takes the next
__shared__ N partial[2][32];  // one number a warp
__shared__ N rows_of[WIDTH * ROWS];

INSIDE void meet() { __syncthreads(); }
INSIDE bool group_any(B c) { return __syncthreads_or(c); }
INSIDE int group_count(B c) { return __syncthreads_count(c); }
INSIDE N group_max(T a) {
  a = warp_max(a);
  if (threadIdx.x % 32 == 0) partial[0][threadIdx.x / 32] = a;
  meet();
  a = warp_max(partial[0][threadIdx.x % 32 < WIDTH / 32 ? threadIdx.x % 32 : 0]);
  meet();
  return a;
}
INSIDE N group_add(T a) {
  a = warp_add(a);
  if (threadIdx.x % 32 == 0) partial[1][threadIdx.x / 32] = a;
  meet();
  a = warp_add(threadIdx.x % 32 < WIDTH / 32 ? partial[1][threadIdx.x % 32] : (N)0);
  meet();
  return a;
}
INSIDE void keep_slot(int slot, T a, B where) { if (where) slots[slot] = a; }
INSIDE N slot(int number) { return slots[number]; }
INSIDE void keep_row(I row, T a, B where) { if (where) rows_of[row] = a; }
INSIDE T kept_row(I row) { return rows_of[row]; }
INSIDE void add_to_row(I row, T a, B where) {
#if N_BITS == 32
  if (where) atomicAdd(&rows_of[row], a);
#else
  if (where) atomicAdd((unsigned long long *)&rows_of[row], (unsigned long long)a);
#endif
}

#endif
