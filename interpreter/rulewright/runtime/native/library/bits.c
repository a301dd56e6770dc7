// Sets as bits: item n is bit n, of numbers below 128.

#define LOW(bits) ((u64)wasm_i64x2_extract_lane(bits, 0))
#define HIGH(bits) ((u64)wasm_i64x2_extract_lane(bits, 1))
#define NO_BITS wasm_i64x2_const(0, 0)

// Return the set of one item, or the empty set where the number cannot be an item.
INLINED v128_t bit_of(i64 item) { return LOAD(&ONES[((u64)item < 128 ? (u32)item : 128) << 4]); }

// Return the set of some items.
v128_t bits_of(int *p, int n) {
    v128_t bits = NO_BITS;
    for (int *end = p + n; p != end; p++) bits = wasm_v128_or(bits, bit_of(*p));
    return bits;
}

// Return whether a number is in a set.
INLINED i64 in_bits(v128_t bits, i64 item) {
    u64 word = (u64)item < 64 ? LOW(bits) : HIGH(bits);
    return (i64)((word >> (item & 63)) & ((u64)item < 128));
}

// Return how many items a set has.
INLINED i64 size_of_bits(v128_t bits) { return __builtin_popcountll(LOW(bits)) + __builtin_popcountll(HIGH(bits)); }

static inline int *list_word(int *to, u64 left, int first) {
    while (left) {
        *to++ = first + __builtin_ctzll(left);
        left &= left - 1;
    }
    return to;
}

// Write a set's items in ascending order.
int list_bits(int *to, v128_t bits) {
    to = list_word(to, LOW(bits), 0);
    list_word(to, HIGH(bits), 64);
    return (int)size_of_bits(bits);
}

static inline u32 place_of(i64 value, i64 first, i64 count) {
    u64 place = (u64)(value - first);
    return (u32)(place < (u64)count ? place : (u64)count);
}

// Return the set that belongs to a value, of so many; the one behind them is empty.
INLINED v128_t bits_at(u8 *sets, i64 first, i64 count, i64 value) {
    return LOAD(sets + (place_of(value, first, count) << 4));
}

// Return the union of the sets that belong to some values.
v128_t bits_of_values(u8 *sets, i64 first, i64 count, int *p, int n) {
    v128_t bits = NO_BITS;
    for (int *end = p + n; p != end; p++) bits = wasm_v128_or(bits, bits_at(sets, first, count, *p));
    return bits;
}

static inline v128_t spread_word(u8 *rows, u64 left) {
    v128_t bits = NO_BITS;
    while (left) {
        bits = wasm_v128_or(bits, LOAD(rows + ((u32)__builtin_ctzll(left) << 4)));
        left &= left - 1;
    }
    return bits;
}

// Return all that is in the rows of some items.
v128_t spread(u8 *rows, v128_t bits) {
    return wasm_v128_or(spread_word(rows, LOW(bits)), spread_word(rows + 1024, HIGH(bits)));
}

// Add a number below 64 to each item.
INLINED v128_t add_to_bits(v128_t bits, int number) {
    v128_t carried = wasm_u64x2_shr(bits, 64 - number);
    return wasm_v128_or(wasm_i64x2_shl(bits, number), wasm_i64x2_shuffle(NO_BITS, carried, 0, 2));
}

// Subtract a number below 64 from each item.
INLINED v128_t subtract_from_bits(v128_t bits, int number) {
    v128_t carried = wasm_i64x2_shl(bits, 64 - number);
    return wasm_v128_or(wasm_u64x2_shr(bits, number), wasm_i64x2_shuffle(NO_BITS, carried, 3, 0));
}

// Return what can be reached of the land from an edge, by a flood over rows. A large land takes fuel.
v128_t reached_bits(u8 *rows, v128_t edge, v128_t land) {
    burn((int)((u32)size_of_bits(land) >> 4));
    v128_t reached = wasm_v128_and(edge, land);
    do {
        edge = wasm_v128_andnot(wasm_v128_and(spread(rows, edge), land), reached);
        reached = wasm_v128_or(reached, edge);
    } while (wasm_v128_any_true(edge));
    return reached;
}

// Return the same as lying_bits, where all entries are below 63.
//
// -1 is bit 63.
v128_t lying_low_bits(int *p, int n, int *table, int cell) {
    u64 bits = 0;
    for (int *end = p + n; p != end; p++) bits |= 1ull << (table[CELL_OF(CELLS, cell + *p)] & 63);
    return wasm_i64x2_make((i64)(bits & 0x7fffffffffffffff), 0);
}

// Return the entries, in a table, of what the cells of some pieces hold; without -1.
v128_t lying_bits(int *p, int n, int *table, int cell) {
    v128_t bits = NO_BITS;
    for (int *end = p + n; p != end; p++) bits = wasm_v128_or(bits, bit_of(table[CELL_OF(CELLS, cell + *p)]));
    return bits;
}

// Return where the pieces with a value lie, less the cell of the first zone. The list begins with where those of each
// value do.
v128_t lying_of(int *list, i64 first, i64 count, i64 value, int cell) {
    v128_t bits = NO_BITS;
    int *start = list + place_of(value, first, count);
    for (int *p = list + start[0], *end = list + start[1]; p != end; p++)
        bits = wasm_v128_or(bits, bit_of(CELL_OF(AT, *p) - cell));
    return bits;
}

// Return the items whose zone is empty.
v128_t vacant(int *p, int n, int cell) {
    v128_t bits = NO_BITS;
    for (int *end = p + n; p != end; p++)
        if (!*set_of(cell + *p)) bits = wasm_v128_or(bits, bit_of(*p));
    return bits;
}

static inline int vacant_four(int *set) {
    return wasm_i32x4_bitmask(wasm_i32x4_eq(NO_BITS, wasm_i32x4_shuffle(LOAD(set), LOAD(set + 4), 0, 2, 4, 6)));
}

static inline i64 first_bits(u64 bits, i64 n) { return (i64)(bits & (~0ull >> ((64 - n) & 63))); }

// Eight at a time, of sets that lie eight bytes apart.
static i64 vacant_close(int *set, i64 n) {
    u64 bits = 0;
    if (!n) return 0;
    for (i64 item = 0; item < n; item += 8, set += 16)
        bits |= (u64)(u32)(vacant_four(set) | vacant_four(set + 8) << 4) << item;
    return first_bits(bits, n);
}

// Four at a time, of sets that lie so many bytes apart; what stands behind the last one does not count.
static i64 vacant_word(u8 *set, int stride, i64 n) {
    u64 bits = 0;
    if (!n) return 0;
    for (i64 item = 0; item < n; item += 4, set += 4 * stride) {
        u32 one = !*(int *)set, two = !*(int *)(set + stride);
        u32 three = !*(int *)(set + 2 * stride), four = !*(int *)(set + 3 * stride);
        bits |= (u64)(one | two << 1 | three << 2 | four << 3) << item;
    }
    return first_bits(bits, n);
}

#define LOW_PART(n) ((u64)(n) < 64 ? (n) : 64)
#define HIGH_PART(n) ((u64)(n) > 64 ? (n) - 64 : 0)

// Return which of the first n zones are empty, whose sets lie eight bytes apart.
v128_t vacant_close_row(int *set, i64 n) {
    return wasm_i64x2_make(vacant_close(set, LOW_PART(n)), vacant_close(set + 128, HIGH_PART(n)));
}

// Return which of the first n zones are empty, whose sets lie so many bytes apart.
v128_t vacant_row(u8 *set, int stride, i64 n) {
    return wasm_i64x2_make(vacant_word(set, stride, LOW_PART(n)), vacant_word(set + 64 * stride, stride, HIGH_PART(n)));
}
