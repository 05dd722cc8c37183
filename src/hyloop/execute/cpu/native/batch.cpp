// A packed batch on the native engine, by one call: encode, the engine's own functions `begin` and `run`, compare.
// What the layout says is given as lists of terms, what the plan says as flags of columns: `batch.py` makes them.

#include <cstring>

typedef long long L;
typedef int (*Begin)(L *);
typedef L (*Run)(L *, L);

enum { FILL, POSITION, POINTER, MARK, WEIGHTS, EVERYWHERE, ENTRIES, CARDINALITY, NUMBERS, QUARTERS };
enum { ROW_ZERO, ROWS, VERTICES, HYPEREDGES, PAST_VERTICES, PAST_HYPEREDGES };
enum { CONSTANT, NUMBER, VECTOR };

struct Term { L column, what, region, part, input; double value; };  // region of entries: what they are an array of
struct Column { L first_known, rest, place; double first, constant; };
struct Kind { L by_vertex, role, slot; };       // a matrix, and where the context has its lists
struct Fixed { L brought, kind; };              // a product that is computed once, of a sum of columns

// One input: an address, and whether each hypergraph has one number, or each vertex or hyperedge.
struct Input { const L *values; };

struct Job {
  const int *vertices, *hyperedges, *vertex_at, *hyperedge_at, *member_at, *member;
  const unsigned char *role;
  const L *weight, *limit, *state_at;
  const void *state;                            // what to compare with, 32 or 64 bits a number
  const int *iterations;
  const unsigned char *halted;
  unsigned char *found;                         // 0: equal; 1: not, or not to be computed by integers
  L bits, least, columns, terms, kinds, fixed, halt, count;
  const Term *term;
  const Column *column;
  const Kind *kind;
  const Fixed *once;
  const double *weights;                        // of each fixed product, one for each column
  const Input *input;
  Begin begin;
  Run run;
  L *context;
  double *X, *first, *rest, *body, *brought, *sum, *valid;
  L *flags, *counts, *start, *next;
  int *target;
  double *brought_first, *brought_rest;
  L vectors, brought_vectors, brought_numbers, layers, listed, padded, most;  // most: entries of a hypergraph
  L slot_rows, slot_stopped, slot_iterations;
};

struct Range { L from, to; };
static Range range_of(L region, L n_v, L n_e, L size) {
  switch (region) {
    case ROW_ZERO: return {0, 1};
    case ROWS: return {1, size};
    case VERTICES: return {1, n_v + 1};
    case HYPEREDGES: return {1, n_e + 1};
    case PAST_VERTICES: return {n_v + 1, size};
  }
  return {n_e + 1, size};
}

static void encode(const Job &job, L g, L n_v, L n_e, L size) {
  memset(job.X, 0, sizeof(double) * job.columns * size);
  for (L t = 0; t < job.terms; ++t) {
    const Term &term = job.term[t];
    double *X = job.X + term.column * size;
    const Range in = range_of(term.region, n_v, n_e, size);
    const L *given = term.input >= 0 ? job.input[term.input].values : nullptr;
    switch (term.what) {
      case FILL: for (L j = in.from; j < in.to; ++j) X[j] += term.value; break;
      case POSITION: for (L j = 1; j < size; ++j) X[j] += (double)(term.part ? j * j : j); break;
      case POINTER: {
        const L to = given ? given[g] : (L)term.value;
        X[0] += (double)(term.part ? to * to : to);
        break;
      }
      case MARK: X[given[g]] += term.value; break;
      case WEIGHTS: for (L j = 0; j < n_e; ++j) X[1 + j] += (double)job.weight[job.hyperedge_at[g] + j]; break;
      case EVERYWHERE: for (L j = 0; j < size; ++j) X[j] += (double)given[g]; break;
      case ENTRIES: {
        const L at = (term.region == VERTICES ? job.vertex_at : job.hyperedge_at)[g];
        for (L j = in.from; j < in.to; ++j) X[j] += (double)given[at + j - 1];
        break;
      }
      case CARDINALITY: for (L j = 0; j < size; ++j) X[j] += (double)(term.region == VERTICES ? n_v : n_e); break;
      case NUMBERS: for (L j = in.from; j < in.to; ++j) X[j] += (double)j; break;
      case QUARTERS: for (L j = 0; j < size; ++j) X[j] += (double)(j * j / 4); break;
    }
  }
}

// The lists of a matrix: where the entries of each row begin, and the rows that it is added to.
static void list(const Job &job, const Kind &kind, L number, L g, L n_e, L rows) {
  L *start = job.start + number * (job.padded + 1);
  int *target = job.target + number * job.most;
  const int *at = job.member_at + job.hyperedge_at[g];
  if (!kind.by_vertex) {
    L count = 0;
    for (L e = 0; e < rows; ++e) {
      start[e] = count;
      for (int m = e < n_e ? at[e] : 0; e < n_e && m < at[e + 1]; ++m)
        if (job.role[m] & kind.role) target[count++] = job.member[m];
    }
    for (L e = rows; e <= job.padded; ++e) start[e] = count;
    return;
  }
  memset(start, 0, sizeof(L) * (job.padded + 1));
  for (int m = at[0]; m < at[n_e]; ++m) if (job.role[m] & kind.role) ++start[job.member[m] + 1];
  for (L v = 0; v < job.padded; ++v) start[v + 1] += start[v];
  memcpy(job.next, start, sizeof(L) * job.padded);
  for (L e = 0; e < n_e; ++e)
    for (int m = at[e]; m < at[e + 1]; ++m)
      if (job.role[m] & kind.role) target[job.next[job.member[m]]++] = (int)e;
}

static void place(const Job &job, L size) {
  memset(job.body, 0, sizeof(double) * job.vectors * job.padded);
  memset(job.brought, 0, sizeof(double) * job.brought_vectors * job.padded);
  memset(job.flags, 0, sizeof(L) * job.layers);
  memset(job.counts, 0, sizeof(L) * job.listed);
  memset(job.brought_first, 0, sizeof(double) * job.brought_numbers);
  memset(job.brought_rest, 0, sizeof(double) * job.brought_numbers);
  for (L c = 0; c < job.columns; ++c) {
    const double *X = job.X + c * size;
    job.first[c] = X[0];
    job.rest[c] = X[1];
    if (job.column[c].place >= 0) memcpy(job.body + job.column[c].place * job.padded, X + 1, sizeof(double) * (size - 1));
  }
  for (L j = 0; j < job.padded; ++j) job.valid[j] = j < size - 1 ? 0 : -__builtin_inf();
}

static void multiply_once(const Job &job, L size) {
  for (L p = 0; p < job.fixed; ++p) {
    const Fixed &fixed = job.once[p];
    memset(job.sum, 0, sizeof(double) * size);
    for (L c = 0; c < job.columns; ++c) {
      const double weight = job.weights[p * job.columns + c];
      if (weight != 0) for (L j = 0; j < size; ++j) job.sum[j] += weight * job.X[c * size + j];
    }
    double *found = job.brought + fixed.brought * job.padded;
    const L *start = job.start + fixed.kind * (job.padded + 1);
    const int *target = job.target + fixed.kind * job.most;
    for (L j = 0; j < size - 1; ++j)
      if (job.sum[j + 1] != 0) for (L m = start[j]; m < start[j + 1]; ++m) found[target[m]] += job.sum[j + 1];
  }
}

template <class A> static bool same(const Job &job, const A *state, L size) {
  bool good = true;
  for (L c = 0; c < job.columns; ++c, state += size) {
    const Column &column = job.column[c];
    good &= (double)state[0] == (column.first_known ? column.first : job.first[c]);
    if (column.rest == VECTOR) {
      const double *body = job.body + column.place * job.padded;
      int differ = 0;
      for (L j = 1; j < size; ++j) differ |= (double)state[j] != body[j - 1];
      good &= !differ;
    } else {
      const double value = column.rest == NUMBER ? job.rest[c] : column.constant;
      int differ = 0;
      for (L j = 1; j < size; ++j) differ |= (double)state[j] != value;
      good &= !differ;
    }
  }
  return good;
}

extern "C" void compare(const Job *given) {
  const Job &job = *given;
  for (L g = 0; g < job.count; ++g) {
    const L n_v = job.vertices[g], n_e = job.hyperedges[g];
    L rows = n_v > n_e ? n_v : n_e;
    if (rows < job.least) rows = job.least;
    encode(job, g, n_v, n_e, rows + 1);
    for (L k = 0; k < job.kinds; ++k) list(job, job.kind[k], k, g, n_e, rows);
    place(job, rows + 1);
    multiply_once(job, rows + 1);
    job.context[job.slot_rows] = rows;
    job.context[job.slot_stopped] = -1;
    job.context[job.slot_iterations] = 0;
    job.begin(job.context);
    job.run(job.context, job.limit[g]);
    const Column &halt = job.column[job.halt];
    const bool halted = (halt.first_known ? halt.first : job.first[job.halt]) == 1;
    bool good = job.context[job.slot_stopped] < 0 && job.context[job.slot_iterations] == job.iterations[g] &&
                halted == (bool)job.halted[g];
    if (good) {
      good = job.bits == 32 ? same(job, (const int *)job.state + job.state_at[g], rows + 1)
                            : same(job, (const L *)job.state + job.state_at[g], rows + 1);
    }
    job.found[g] = !good;
  }
}
