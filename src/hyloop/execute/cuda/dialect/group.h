// What a layer needs, in terms of the dialect: vectors with ROWS numbers for each thread, scans, pointers, products.
// Row 0 is a number apart; row j >= 1 is number j - 1 here, kept by thread (j - 1) % WIDTH.

struct V { T x[ROWS]; };
struct VB { B x[ROWS]; };
struct Rows { int count; I number[ROWS]; VB here; };
#define EACH_ROW UNROLL for (int r = 0; r < ROWS; ++r)
#define EACH_WORD UNROLL for (int q = 0; q < ROWS; ++q)

INSIDE Rows rows_for(int count) {
  Rows rows;
  rows.count = count;
  EACH_ROW { rows.number[r] = thread_number() + r * WIDTH; rows.here.x[r] = rows.number[r] < count; }
  return rows;
}

// -- arithmetic

INSIDE V spread(N a) { V c; EACH_ROW c.x[r] = T(a); return c; }
INSIDE V as_vector(N a) { return spread(a); }
INSIDE V as_vector(const V &a) { return a; }
INSIDE V operator+(const V &a, const V &b) { V c; EACH_ROW c.x[r] = a.x[r] + b.x[r]; return c; }
INSIDE V operator-(const V &a, const V &b) { V c; EACH_ROW c.x[r] = a.x[r] - b.x[r]; return c; }
INSIDE V operator+(const V &a, N b) { V c; EACH_ROW c.x[r] = a.x[r] + T(b); return c; }
INSIDE V operator+(N a, const V &b) { return b + a; }
INSIDE V operator-(const V &a, N b) { V c; EACH_ROW c.x[r] = a.x[r] - T(b); return c; }
INSIDE V operator-(N a, const V &b) { V c; EACH_ROW c.x[r] = T(a) - b.x[r]; return c; }
INSIDE V operator*(N a, const V &b) { V c; EACH_ROW c.x[r] = T(a) * b.x[r]; return c; }
INSIDE V relu(const V &a) { V c; EACH_ROW c.x[r] = larger(a.x[r], T(0)); return c; }
INSIDE N relu(N a) { return a > 0 ? a : 0; }
INSIDE V magnitude(const V &a) { V c; EACH_ROW c.x[r] = magnitude(a.x[r]); return c; }
// relu(b - |a|): with b = 1, whether a is 0
INSIDE V tent(const V &a, const V &b) { V c; EACH_ROW c.x[r] = larger(b.x[r] - magnitude(a.x[r]), T(0)); return c; }
INSIDE V tent(const V &a, N b) { return tent(a, spread(b)); }
INSIDE V tent(N a, const V &b) { return tent(spread(a), b); }
INSIDE N tent(N a, N b) { return relu(b - (a < 0 ? -a : a)); }

// -- what the encoder writes

INSIDE V row_numbers(const Rows &rows) { V c; EACH_ROW c.x[r] = T(rows.number[r] + 1); return c; }
INSIDE V squares(const Rows &rows) { V c = row_numbers(rows); EACH_ROW c.x[r] = c.x[r] * c.x[r]; return c; }
INSIDE V quarter_squares(const Rows &rows) { V c = squares(rows); EACH_ROW c.x[r] = c.x[r] >> T(2); return c; }
INSIDE V filled(const Rows &rows, int after, int last, const V &value) {  // on rows after < j <= last
  V c;
  EACH_ROW c.x[r] = select(both(rows.number[r] >= I(after), rows.number[r] < I(last)), value.x[r], T(0));
  return c;
}
INSIDE V marked(const Rows &rows, N at, N value) {
  V c = row_numbers(rows);
  EACH_ROW c.x[r] = select(c.x[r] == T(at), T(value), T(0));
  return c;
}
INSIDE V entries(const N *from, int at, int count, const Rows &rows) {
  V c;
  EACH_ROW c.x[r] = numbers_from(from, at + r * WIDTH, rows.number[r] < I(count));
  return c;
}

// -- scans: the rows with the largest score, and the average of a value over them

struct Best { int count; bool first; VB wins; unsigned bits[ROWS]; };

INSIDE Best best_of(const V &score, N first_score, const Rows &rows) {
  Best best;
  T most = T(first_score);
  EACH_ROW most = larger(most, select(rows.here.x[r], score.x[r], T(first_score)));
  const N largest = group_max(most);
  best.first = first_score == largest;
  best.count = best.first;
  EACH_ROW best.wins.x[r] = both(rows.here.x[r], score.x[r] == T(largest));
#if WIDTH == 32
  EACH_ROW { best.bits[r] = votes(best.wins.x[r]); best.count += ones(best.bits[r]); }
#else
  EACH_ROW best.count += group_count(best.wins.x[r]);
#endif
  return best;
}

// The value of the only best row.
INSIDE N winner(const Best &best, const V &value, N first_value, int place) {
#if WIDTH == 32
  T found = value.x[0];
  unsigned bits = best.bits[0];
  UNROLL for (int r = 1; r < ROWS; ++r) if (best.bits[r]) { found = value.x[r]; bits = best.bits[r]; }
  const N body = from_thread(found, first_one(bits) & 31);
  return best.first ? first_value : body;
#else
  if (best.first) return first_value;
  EACH_ROW keep_slot(place, value.x[r], best.wins.x[r]);
  meet();
  return slot(place);
#endif
}

INSIDE N average(const Best &best, const V &value, N first_value, bool &wrong) {
  T sum = T(0);
  EACH_ROW sum = sum + select(best.wins.x[r], value.x[r], T(0));
  const N total = group_add(sum) + (best.first ? first_value : 0);
  if (total % best.count) wrong = true;
  return total / best.count;
}

// -- pointers: the row nearest to a number, or both rows if there are two

struct Near { int low, high; };
struct Nears { I low[ROWS], high[ROWS]; };

INSIDE Near nearest(N doubled, N by, int last, bool &wrong) {
  if (by < 1) wrong = true;
  Near near;
  near.low = nearest_row(doubled, by, 0, last);
  near.high = nearest_row(doubled, by, 1, last);
  return near;
}

INSIDE N at_row(const V &value, N first, int row, int place) {
#if WIDTH == 32
  T found = value.x[0];
  UNROLL for (int r = 1; r < ROWS; ++r) if ((row - 1) / 32 == r) found = value.x[r];
  const N body = from_thread(found, (row - 1) & 31);
  return row == 0 ? first : body;
#else
  if (row == 0) return first;
  EACH_ROW keep_slot(place, value.x[r], thread_number() == I(row - 1 - r * WIDTH));
  meet();
  return slot(place);
#endif
}

INSIDE N read(const Near &near, const V &value, N first, bool &wrong, int place) {
  const N low = at_row(value, first, near.low, place);
  if (near.low == near.high) return low;
  const N sum = low + at_row(value, first, near.high, place + 1);
  if (sum & 1) wrong = true;
  return sum >> 1;
}

INSIDE Nears nearest(const V &doubled, const V &by, const Rows &rows, bool &wrong) {
  Nears near;
  B bad = B(false);
  EACH_ROW {
    near.low[r] = nearest_row(doubled.x[r], by.x[r], 0, rows.count);
    near.high[r] = nearest_row(doubled.x[r], by.x[r], 1, rows.count);
    bad = bad | both(rows.here.x[r], by.x[r] < T(1));
  }
  if (group_any(bad)) wrong = true;
  return near;
}

INSIDE V at_rows(const V &value, N first, const I *row, const Rows &rows) {
  V found;
#if WIDTH == 32
  EACH_ROW {
    const I number = row[r] - 1;
    found.x[r] = T(first);
    EACH_WORD {
      const T here = from_threads(value.x[q], number & I(31));
      found.x[r] = select(both(number >= I(0), (number >> I(5)) == I(q)), here, found.x[r]);
    }
  }
#else
  EACH_ROW keep_row(rows.number[r], value.x[r], rows.here.x[r]);
  meet();
  EACH_ROW {
    const B inside = row[r] >= I(1);
    found.x[r] = select(inside, kept_row(where_index(inside, row[r] - 1)), T(first));
  }
  meet();
#endif
  return found;
}

INSIDE V gather(const Nears &near, const V &value, N first, const Rows &rows, bool &wrong) {
  const V low = at_rows(value, first, near.low, rows);
  B differ = B(false);
  EACH_ROW differ = differ | both(rows.here.x[r], near.low[r] != near.high[r]);
  if (!group_any(differ)) return low;
  const V high = at_rows(value, first, near.high, rows);
  V found;
  B odd = B(false);
  EACH_ROW {
    const T sum = low.x[r] + high.x[r];
    odd = odd | both(rows.here.x[r], has_bit(sum, 0));
    found.x[r] = sum >> T(1);
  }
  if (group_any(odd)) wrong = true;
  return found;
}

// -- products with the incidence. An entry has a role: 1 in all, 2 if the vertex is a tail, 4 if it is a head.

#if WIDTH == 32

struct Masks { U word[ROWS][ROWS]; };  // of a row: the rows that it receives from, as bits

#ifdef ONE_THREAD

INSIDE Masks masks_of(const int *start, const int *target, const unsigned char *role, int wanted, int base, int count,
                      const Rows &) {
  unsigned word[ROWS][ROWS][32] = {};
  for (int e = 0; e < count; ++e)
    for (int at = start[base + e]; at < start[base + e + 1]; ++at)
      if (role[at] & wanted) word[e >> 5][target[at] >> 5][e & 31] |= 1u << (target[at] & 31);
  Masks m;
  __builtin_memcpy(m.word, word, sizeof(word));
  return m;
}

INSIDE Masks transposed(const Masks &m) {
  unsigned word[ROWS][ROWS][32], found[ROWS][ROWS][32] = {};
  __builtin_memcpy(word, m.word, sizeof(word));
  EACH_ROW EACH_WORD for (int t = 0; t < 32; ++t)
    for (unsigned left = word[r][q][t]; left; left &= left - 1) found[q][r][first_one(left)] |= 1u << t;
  Masks c;
  __builtin_memcpy(c.word, found, sizeof(found));
  return c;
}

#else

INSIDE Masks masks_of(const int *start, const int *target, const unsigned char *role, int wanted, int base, int count,
                      const Rows &rows) {
  Masks m;
  EACH_ROW {
    EACH_WORD m.word[r][q] = U(0u);
    const B here = rows.number[r] < I(count);
    I at = index_at(start, rows.number[r] + base, here);
    const I end = index_at(start, rows.number[r] + base + 1, here);
    while (still(at < end)) {
      const B more = at < end;
      const I to = index_at(target, at, more);
      const B taken = both(more, (role_at(role, at, more) & I(wanted)) != I(0));
      EACH_WORD m.word[r][q] = m.word[r][q] | chosen(both(taken, (to >> I(5)) == I(q)), one_bit(to & I(31)));
      at = at + 1;
    }
  }
  return m;
}

INSIDE Masks transposed(const Masks &m) {
  Masks c;
  EACH_ROW EACH_WORD c.word[r][q] = U(0u);
  for (int t = 0; t < 32; ++t)
    EACH_ROW EACH_WORD {
      const unsigned bits = votes(has_bit_of(m.word[r][q], t));
      c.word[q][r] = c.word[q][r] | chosen(thread_number() == I(t), U(bits));
    }
  return c;
}

#endif

INSIDE void add_bits(V &found, const Masks &m, const V &y, unsigned left, int shift) {
  for (; left; left &= left - 1) {
    const int bit = first_one(left) + shift;
    unsigned set[ROWS];
    EACH_ROW set[r] = votes(has_bit(y.x[r], bit));
    EACH_ROW {
      T sum = T(0);
      EACH_WORD sum = sum + common(m.word[r][q], set[q]);
      found.x[r] = found.x[r] + (sum << T(bit));
    }
  }
}

INSIDE V product_of_ones(const Masks &m, const V &x) {
  V found = spread(0);
  add_bits(found, m, x, 1u, 0);
  return found;
}

INSIDE V product(const Masks &m, const V &x) {  // no row receives from rows that are not there
  V found = spread(0);
  T seen = T(0);
  EACH_ROW seen = seen | x.x[r];
  if (!group_any((seen & T(-2)) != T(0))) {  // only zeros and ones
    add_bits(found, m, x, 1u, 0);
    return found;
  }
  const unsigned low = warp_or_low(seen), high = warp_or_high(seen);
  unsigned set[ROWS];
  int many = 0;
  EACH_ROW { set[r] = votes(x.x[r] != T(0)); many += ones(set[r]); }
  if (many < ones(low) + ones(high)) {
    EACH_WORD for (unsigned left = set[q]; left; left &= left - 1) {
      const int thread = first_one(left);
      const N value = from_thread(x.x[q], thread);
      EACH_ROW found.x[r] = found.x[r] + select(has_bit_of(m.word[r][q], thread), T(value), T(0));
    }
    return found;
  }
  add_bits(found, m, x, low, 0);
  if (high) add_bits(found, m, x, high, 32);
  return found;
}

#else

// Every row that is not 0 is added to the rows that it is incident with. Sums of integers do not depend on the order.
INSIDE V product(const int *start, const int *target, const unsigned char *role, int wanted, int base, int count,
                 const V &x, const Rows &rows) {
  V found;
  EACH_ROW keep_row(rows.number[r], T(0), B(true));
  meet();
  EACH_ROW {
    const B here = both(rows.number[r] < I(count), x.x[r] != T(0));
    I at = index_at(start, rows.number[r] + base, here);
    const I end = index_at(start, rows.number[r] + base + 1, here);
    while (still(at < end)) {
      const B more = at < end;
      const I to = index_at(target, at, more);
      add_to_row(to, x.x[r], both(more, (role_at(role, at, more) & I(wanted)) != I(0)));
      at = at + 1;
    }
  }
  meet();
  EACH_ROW found.x[r] = kept_row(rows.number[r]);
  meet();
  return found;
}

#endif

// -- what is watched: whether a vector was ever negative

INSIDE void watch(V &signs, const V &value) { EACH_ROW signs.x[r] = signs.x[r] | value.x[r]; }
INSIDE void watch(V &signs, N value) { EACH_ROW signs.x[r] = signs.x[r] | T(value); }
INSIDE bool negative(const V &signs, const Rows &rows) {
  B any = B(false);
  EACH_ROW any = any | both(rows.here.x[r], signs.x[r] < T(0));
  return group_any(any);
}

// -- what is read at the end

INSIDE void put_rows(N *to, int at, int count, const V &value, const Rows &rows) {
  EACH_ROW put_from(to, at + r * WIDTH, value.x[r], rows.number[r] < I(count));
}
