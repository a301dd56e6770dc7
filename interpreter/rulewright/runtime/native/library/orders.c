// Sorting, ranking and groups. COLUMNS holds the addresses of the keys, the most important first.

static void sort_numbers(int *p, int n) {
    for (int *next = p + 1, *end = p + n; next < end; next++) {
        int number = *next, *at = next;
        for (; at != p && at[-1] > number; at--) *at = at[-1];
        *at = number;
    }
}

// Return whether position i comes before j by so many columns.
static inline int is_before(int i, int j, int columns) {
    int **column = (int **)COLUMNS, one, other;
    do {
        one = (*column)[i];
        other = (*column)[j];
        if (one != other) break;
        column++;
    } while (--columns);
    return one < other;
}

// Make ORDER the positions in order: each in turn goes before those that come after it.
static void order_many(int n, int columns) {
    int *order = WORDS(ORDER);
    for (int i = 0; i != n; i++) {
        int *place = order + i;
        for (; place != order; place--) {
            int other = place[-1];
            if (!is_before(i, other, columns)) break;
            *place = other;
        }
        *place = i;
    }
}

#define FURTHER_1(lanes) wasm_i32x4_shuffle(lanes, lanes, 1, 2, 3, 0)
#define FURTHER_2(lanes) wasm_i32x4_shuffle(lanes, lanes, 2, 3, 0, 1)
#define FURTHER_3(lanes) wasm_i32x4_shuffle(lanes, lanes, 3, 0, 1, 2)
#define COLUMN(place) LOAD(((int **)COLUMNS)[place])
#define ARE_THERE(n) wasm_i32x4_lt(LANES(0, 1, 2, 3), wasm_i32x4_splat(n))

// Lanes of items that come before another: those one, two and three places further on; of equals, the earlier.
struct before {
    v128_t one, two, three;
};
#define EARLIER {LANES(0, 0, 0, -1), LANES(0, 0, -1, -1), LANES(0, -1, -1, -1)}

static inline v128_t before_lanes(v128_t before, v128_t keys, v128_t others) {
    return wasm_v128_or(wasm_i32x4_lt(others, keys), wasm_v128_and(wasm_i32x4_eq(others, keys), before));
}

static inline void compare(struct before *before, v128_t keys) {
    before->one = before_lanes(before->one, keys, FURTHER_1(keys));
    before->two = before_lanes(before->two, keys, FURTHER_2(keys));
    before->three = before_lanes(before->three, keys, FURTHER_3(keys));
}

// The place of each of four, in bytes: how many come before it.
static inline v128_t offsets(struct before *before) {
    return wasm_i32x4_shl(
        wasm_i32x4_neg(wasm_i32x4_add(before->one, wasm_i32x4_add(before->two, before->three))), 2);
}

// The places of at most four, by the columns from the last to the first, and then by whether they are there at all.
static inline v128_t places(int n, int columns) {
    struct before before = EARLIER;
    do compare(&before, COLUMN(--columns));
    while (columns);
    compare(&before, ARE_THERE(n));
    return offsets(&before);
}

static inline void scatter(int *to, v128_t places, v128_t items) {
    u8 *at = (u8 *)to;
    *(int *)(at + wasm_i32x4_extract_lane(places, 0)) = wasm_i32x4_extract_lane(items, 0);
    *(int *)(at + wasm_i32x4_extract_lane(places, 1)) = wasm_i32x4_extract_lane(items, 1);
    *(int *)(at + wasm_i32x4_extract_lane(places, 2)) = wasm_i32x4_extract_lane(items, 2);
    *(int *)(at + wasm_i32x4_extract_lane(places, 3)) = wasm_i32x4_extract_lane(items, 3);
}

static void sort_by_order(int *p, int n) {
    int *sorted = WORDS(SORTED), *order = WORDS(ORDER);
    if (!n) return;
    for (int i = 0; i != n; i++) sorted[i] = p[order[i]];
    copy(p, sorted, n);
}

// Sort at most four items by columns of keys.
int sort_few(int *p, int n, int columns) {
    scatter(p, places(n, columns), LOAD(p));
    return n;
}

// Sort items by columns of keys, smallest first.
int sort(int *p, int n, int columns) {
    if (n <= 4) return sort_few(p, n, columns);
    order_many(n, columns);
    sort_by_order(p, n);
    return n;
}

// Sort; write at `to` how many are equal to each item.
int rank(int *p, int *to, int n, int columns) {
    int *order = WORDS(ORDER), size = 0;
    if (n > 4) order_many(n, columns);
    else scatter(order, places(n, columns), LANES(0, 1, 2, 3));
    sort_by_order(p, n);
    for (int i = 1; i <= n; i++) {
        size++;
        if (i != n && !is_before(order[i - 1], order[i], columns)) continue;
        for (int *end = to + size; to != end; to++) *to = size;
        size = 0;
    }
    return n;
}

// Rank at most four items, without ORDER.
//
// equal: whether those further on are there and have the same keys.
int rank_few(int *p, int *to, int n, int columns) {
    struct before before = EARLIER;
    v128_t one = LANES(-1, -1, -1, -1), two = one, three = one;
    do {
        v128_t keys = COLUMN(--columns);
        compare(&before, keys);
        one = wasm_v128_and(one, wasm_i32x4_eq(keys, FURTHER_1(keys)));
        two = wasm_v128_and(two, wasm_i32x4_eq(keys, FURTHER_2(keys)));
        three = wasm_v128_and(three, wasm_i32x4_eq(keys, FURTHER_3(keys)));
    } while (columns);
    v128_t there = ARE_THERE(n);
    compare(&before, there);
    one = wasm_v128_and(one, FURTHER_1(there));
    two = wasm_v128_and(two, FURTHER_2(there));
    three = wasm_v128_and(three, FURTHER_3(there));
    v128_t place = offsets(&before);
    scatter(p, place, LOAD(p));
    scatter(to, place, wasm_i32x4_sub(LANES(1, 1, 1, 1), wasm_i32x4_add(one, wasm_i32x4_add(two, three))));
    return n;
}

// Write the members of the rank-th largest group of items with equal keys. q: address of the keys.
//
// TEMPORARY holds of each item how many have its key, times 65536, less its number, or 0 once its group has come, four
// at a time. The greatest is that of the first item of the largest group: what lies behind the items never is, as it
// stands behind those whose key it may have.
int largest_group(int *to, int *p, int n, int *q, i64 rank) {
    int *sizes = WORDS(TEMPORARY), *end = q + n, *start = to, key;
    if (!n || rank < 1) return 0;
    v128_t places = LANES(0, 1, 2, 3);
    int *at = sizes;
    for (int *i = q; i < end; i += 4, at += 4) {
        v128_t keys = LOAD(i), size = LANES(0, 0, 0, 0);
        for (int *j = q; j != end; j++) size = wasm_i32x4_sub(size, wasm_i32x4_eq(keys, wasm_v128_load32_splat(j)));
        STORE(at, wasm_i32x4_sub(wasm_i32x4_shl(size, 16), places));
        places = wasm_i32x4_add(places, LANES(4, 4, 4, 4));
    }
    for (;;) {
        v128_t best = LANES(0, 0, 0, 0);
        for (int *j = sizes; j != at; j += 4) best = wasm_i32x4_max(best, LOAD(j));
        best = wasm_i32x4_max(best, FURTHER_2(best));
        best = wasm_i32x4_max(best, FURTHER_1(best));
        int greatest = wasm_i32x4_extract_lane(best, 0);
        if (!greatest) return 0;
        key = q[-greatest & 65535];
        if (!--rank) break;
        int *i = q;
        for (int *j = sizes; j != at; j += 4, i += 4)
            STORE(j, wasm_v128_andnot(LOAD(j), wasm_i32x4_eq(LOAD(i), wasm_i32x4_splat(key))));
    }
    do {
        *to = *p++;
        to += *q++ == key;
    } while (--n);
    return (int)(to - start);
}
