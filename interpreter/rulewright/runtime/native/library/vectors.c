// Vectors: what is copied, counted, filtered and looked for among items.

#define LOAD(address) wasm_v128_load(address)
#define STORE(address, value) wasm_v128_store(address, value)
#define LANES(a, b, c, d) wasm_i32x4_const(a, b, c, d)

static inline int *set_of(int cell) { return (int *)(here() + ((int *)SETS)[(u32)cell]); }

// Address in the state that a table holds.
static inline u8 *in_state(int place) { return (u8 *)(here() + place); }

// Copy items, four at a time and at least four. Where both overlap, `to` is before them.
INLINED int copy(int *to, int *p, int n) {
    int *end = p + n;
    do {
        STORE(to, LOAD(p));
        to += 4;
        p += 4;
    } while (p < end);
    return n;
}

// Copy at most four items.
INLINED int copy_few(int *to, int *p, int n) {
    STORE(to, LOAD(p));
    return n;
}

// Write the items of two vectors, one behind the other.
INLINED int join(int *to, int *p, int n, int *q, int m) {
    copy(to, p, n);
    copy(to + n, q, m);
    return n + m;
}

// Join two vectors of at most four items.
INLINED int join_few(int *to, int *p, int n, int *q, int m) {
    STORE(to, LOAD(p));
    STORE(to + n, LOAD(q));
    return n + m;
}

// Copy where `to` is behind `p` and both overlap.
static void copy_back(int *to, int *p, int n) {
    while (n) {
        n--;
        to[n] = p[n];
    }
}

// Store items as the set at an address.
INLINED void keep(int *set, int *p, int n) {
    *set = n;
    copy(set + 1, p, n);
}

// Store at most four items as the set at an address.
INLINED void keep_few(int *set, int *p, int n) {
    *set = n;
    STORE(set + 1, LOAD(p));
}

// Add an answer to ANSWERS.
void answer(int *p, int n) {
    int *to = (int *)WORD(ANSWER_END);
    keep(to, p, n);
    WORD(ANSWER_END) = (int)(to + 1 + n);
}

// Add an answer of at most one item.
INLINED void answer_one(int *p, int n) {
    int *to = (int *)WORD(ANSWER_END);
    to[0] = n;
    to[1] = *p;
    WORD(ANSWER_END) = (int)(to + 1 + n);
}

// Return an item; an index of -1 is the last.
INLINED i64 item(int *p, int n, i64 index) { return p[(int)index + (n & (int)(index >> 63))]; }

// Return how many numbers there are from first to last, at most so many.
INLINED int span(i64 first, i64 last, i64 most) {
    i64 n = last - first + 1;
    n = n < most ? n : most;
    return (int)(n > 0 ? n : 0);
}

// Write the numbers from first to last, at most so many.
int numbers(int *to, i64 first, i64 last, int most) {
    i64 n = last - first + 1;
    if (n <= 0) return 0;
    if (n > (i64)(u32)most) n = (u32)most;
    v128_t items = wasm_i32x4_add(wasm_i32x4_splat((int)first), LANES(0, 1, 2, 3));
    int *end = to + (int)n;
    do {
        STORE(to, items);
        items = wasm_i32x4_add(items, LANES(4, 4, 4, 4));
        to += 4;
    } while (to < end);
    return (int)n;
}

// Return whether a number is among the items, four at a time.
i64 has(int *p, int n, i64 item) {
    v128_t items = wasm_i32x4_splat((int)item);
    int match = 0;
    while (n > 0) {
        match = wasm_i32x4_bitmask(wasm_i32x4_eq(items, LOAD(p)));
        if (n < 4) match &= (1 << n) - 1;
        if (match) break;
        p += 4;
        n -= 4;
    }
    return (match != 0) & (item == (i64)(int)item);
}

// Return the greatest item, 0 without items.
i64 greatest(int *p, int n) {
    if (!n) return 0;
    int best = *p;
    do {
        best = *p > best ? *p : best;
        p++;
    } while (--n);
    return best;
}

// Return the smallest item, 0 without items.
i64 smallest(int *p, int n) {
    if (!n) return 0;
    int best = *p;
    do {
        best = *p < best ? *p : best;
        p++;
    } while (--n);
    return best;
}

static void sort_numbers(int *p, int n);

// Return how many consecutive numbers are among the items.
i64 longest_run(int *p, int n) {
    int *items = WORDS(TEMPORARY);
    i64 longest = 0, length = 0, previous = 0x7fffffffffff;
    copy(items, p, n);
    sort_numbers(items, n);
    for (int *end = items + n; items != end; items++) {
        i64 number = *items;
        if (number == previous) continue;
        length = number == previous + 1 ? length + 1 : 1;
        if (length > longest) longest = length;
        previous = number;
    }
    return longest;
}

// ── items looked up in TABLE ──

// Return the sum of the items' entries.
INLINED i64 tally(int *p, int n) {
    i64 total = 0;
    for (; n; n--) total += ENTRY(*p++);
    return total;
}

// Return the entry of the only item, 0 without items.
INLINED i64 tally_one(int *p, int n) { return (i64)(u32)n * ENTRY(*p); }

// Return whether all items' entries are 0.
INLINED i64 none_of(int *p, int n) {
    int *end = p + n;
    while (p != end && !ENTRY(*p)) p++;
    return p == end;
}

// Return how many items have an entry of this value.
INLINED i64 count_of(int *p, int n, i64 value) {
    int total = 0;
    for (; n; n--) total += ENTRY(*p++) == (int)value;
    return (u32)total;
}

// Return whether the only item has an entry of this value.
INLINED i64 count_of_one(int *p, int n, i64 value) { return (u32)(n & (ENTRY(*p) == (int)value)); }

#define KEEP_WHERE(condition)                                                                                          \
    int *start = to;                                                                                                   \
    for (int *end = p + n; p != end; p++) {                                                                            \
        int item = *p;                                                                                                 \
        *to = item;                                                                                                    \
        to += (condition);                                                                                             \
    }                                                                                                                  \
    return (int)(to - start);

// Write the items whose entries are not 0.
INLINED int filter(int *to, int *p, int n) { KEEP_WHERE(ENTRY(item) != 0) }

// Like filter, where all entries are 0 or 1.
INLINED int filter_flagged(int *to, int *p, int n) { KEEP_WHERE(ENTRY(item)) }

// Write the items whose entries are this value.
INLINED int select(int *to, int *p, int n, i64 value) { KEEP_WHERE(ENTRY(item) == (int)value) }

// Write the items' entries.
INLINED int entries(int *to, int *p, int n) {
    for (int left = n; left; left--) *to++ = ENTRY(*p++);
    return n;
}

// ── items looked up in a table ──

// Select the first item only.
int select_one(int *to, int *p, int n, int *table, i64 value) {
    for (int *end = p + n; p != end; p++) {
        *to = *p;
        if (table[*p] == value) return 1;
    }
    return 0;
}

// Write the first items for which there is room. room: for those whose entry is not 0.
int fitting(int *to, int *p, int n, int *table, i64 room) {
    if ((i64)(u32)n <= room) return copy(to, p, n);
    int *start = to;
    for (int *end = p + n; p != end; p++) {
        int item = *p;
        *to = item;
        if (!table[item]) {
            to++;
        } else if (room > 0) {
            to++;
            room--;
        }
    }
    return (int)(to - start);
}

// Return how many of n items are taken where so many are wanted: from 0 to n.
INLINED int among(int n, i64 count) {
    int some = count <= 0 ? 0 : (int)count;
    return count >= (i64)(u32)n ? n : some;
}

// Write the last items, the last first.
INLINED int back(int *to, int *p, int n, i64 count) {
    int size = among(n, count), *end = to + size;
    p += n;
    do {
        p -= 4;
        v128_t items = LOAD(p);
        STORE(to, wasm_i32x4_shuffle(items, items, 3, 2, 1, 0));
        to += 4;
    } while (to < end);
    return size;
}

// Write all that is in the sets of the cells from a cell on, by items.
int gather(int *to, int *p, int n, int cell) {
    int *start = to;
    for (; n; n--) {
        int *set = set_of(cell + *p++);
        to += copy(to, set + 1, *set);
    }
    return (int)(to - start);
}

// ── marks: a byte for each number of a piece, seat, word or nothing (-1); all are 0 between operations ──

static inline u8 *mark_of(int item) { return (u8 *)(NUMBER(MARKS) + item); }

static void mark_all(int *p, int n, int mark) {
    for (int *end = p + n; p != end; p++) *mark_of(*p) = (u8)mark;
}

// Drop repeated items in place.
static int once(int *p, int n) {
    int *start = p, *to = p;
    for (int *end = p + n; p != end; p++) {
        int item = *p;
        if (*mark_of(item)) continue;
        *mark_of(item) = 1;
        *to++ = item;
    }
    n = (int)(to - start);
    mark_all(start, n, 0);
    return n;
}

// Write the items of two vectors, each once.
int unite(int *to, int *p, int n, int *q, int m) { return once(to, join(to, p, n, q, m)); }

// Write the items' entries, each once, without -1.
int images(int *to, int *p, int n, int *table) {
    for (int i = 0; i != n; i++) to[i] = table[p[i]];
    *mark_of(-1) = 1;
    n = once(to, n);
    *mark_of(-1) = 0;
    return n;
}

// Sort marked items, none of which is below 0, and remove their marks: many of them by a walk over all marks.
static void in_order(int *p, int n) {
    if (n < 16) {
        mark_all(p, n, 0);
        sort_numbers(p, n);
        return;
    }
    int *end = p + n;
    for (int at = 0; p != end; at++) {
        u8 mark = *mark_of(at);
        *mark_of(at) = 0;
        *p = at;
        p += mark;
    }
}

// Write the entries, in a table, of what the cells of some pieces hold; each once, without -1, in order.
int lying(int *to, int *p, int n, int *table, int cell) {
    int *start = to;
    *mark_of(-1) = 1;
    for (int *end = p + n; p != end; p++) {
        int place = table[CELL_OF(CELLS, cell + *p)];
        *to = place;
        to += !*mark_of(place);
        *mark_of(place) = 1;
    }
    *mark_of(-1) = 0;
    n = (int)(to - start);
    in_order(start, n);
    return n;
}

// Write the items whose entries are among others.
int within(int *to, int *p, int n, int *table, int *q, int m) {
    int *start = to;
    mark_all(q, m, 1);
    for (; n; n--) {
        int item = *p++;
        *to = item;
        to += *mark_of(table[item]);
    }
    mark_all(q, m, 0);
    return (int)(to - start);
}

// Fill a map, whose bytes are 1 for the numbers below a bound that are items. The byte before that of 0 is nothing's.
void map(u8 *map, int bound, int *p, int n) {
    u8 *at = map - 1, *last = map + bound;
    do {
        STORE(at, wasm_i64x2_const(0, 0));
        at += 16;
    } while (at <= last);
    for (int *end = p + n; p != end; p++) map[(u32)*p < (u32)bound ? *p : bound] = 1;
}

// Like within, by a map of the third vector.
int within_map(int *to, int *p, int n, int *table, u8 *map) {
    int *start = to;
    for (int *end = p + n; p != end; p++) {
        int item = *p;
        *to = item;
        to += map[table[item]];
    }
    return (int)(to - start);
}

// Write what is in the rows of the items and is none of them.
int beside(int *to, int *p, int n, int *table, int width) {
    int *start = to;
    mark_all(p, n, 1);
    *mark_of(-1) = 1;
    for (int i = 0; i != n; i++) {
        int *row = table + p[i] * width;
        for (int j = 0; j < width; j++) {
            int other = row[j];
            if (*mark_of(other)) continue;
            *mark_of(other) = 1;
            *to++ = other;
        }
    }
    mark_all(p, n, 0);
    *mark_of(-1) = 0;
    n = (int)(to - start);
    in_order(start, n);
    return n;
}

static inline int *reach_row(int item, int *edge, int *table, int width) {
    int *row = table + item * width, *end = row + width;
    do {
        int other = *row;
        int is_new = *mark_of(other) == 1;
        *mark_of(other) += (u8)is_new;
        *edge = other;
        edge += is_new;
    } while (++row != end);
    return edge;
}

// Flood fill: what can be reached of the land (q, m), in its order. A large land takes fuel.
int reached(int *to, int *p, int n, int *q, int m, int *table, int width) {
    int *start = to, *edge = WORDS(TEMPORARY);
    burn((u32)m >> 4);
    mark_all(q, m, 1);
    for (int i = 0; i != n; i++) {
        int item = p[i];
        if (*mark_of(item) == 1) {
            *mark_of(item) = 2;
            *edge++ = item;
        }
        edge = reach_row(item, edge, table, width);
    }
    for (int *at = WORDS(TEMPORARY); at != edge; at++) edge = reach_row(*at, edge, table, width);
    for (; m; m--) {
        int item = *q++;
        *to = item;
        to += *mark_of(item) >> 1;
        *mark_of(item) = 0;
    }
    return (int)(to - start);
}
