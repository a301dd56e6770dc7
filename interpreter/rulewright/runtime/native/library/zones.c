// Zones: pieces on their way from one to another.

#define MASK_OF(zone) IN_STATE(MASKS, 16 * (zone))
#define ZONE_OF(piece) CELL_OF(AT, piece)
#define IS_COUNTED(zone) (NUMBER(COUNTED) && COUNTED[(u32)(zone)])

static inline v128_t bit_of_piece(int piece) { return LOAD(&BITS[16 * (u32)piece]); }

static inline void toggle(int zone, v128_t mask) { STORE(MASK_OF(zone), wasm_v128_xor(LOAD(MASK_OF(zone)), mask)); }

// Note that a piece of one zone now lies in another.
static inline void place(int piece, int from, int zone) {
    if (NUMBER(MASKED)) {
        toggle(from, bit_of_piece(piece));
        toggle(zone, bit_of_piece(piece));
    }
    ZONE_OF(piece) = zone;
}

// Lay pieces onto a zone, the first lowest.
static void lay(int zone, int *p, int n) {
    int *set = set_of(zone), *to = set + 1 + *set;
    *set += n;
    for (int *end = p + n; p != end; p++) {
        int piece = *p;
        *to++ = piece;
        place(piece, ZONE_OF(piece), zone);
    }
}

// Lay pieces that all come from one other zone: each mask changes once.
static void lay_from(int source, int zone, int *p, int n) {
    int *set = set_of(zone), *to = set + 1 + *set;
    v128_t mask = NO_BITS;
    *set += n;
    for (int *end = p + n; p != end; p++) {
        int piece = *p;
        *to++ = piece;
        ZONE_OF(piece) = zone;
        if (NUMBER(MASKED)) mask = wasm_v128_or(mask, bit_of_piece(piece));
    }
    if (NUMBER(MASKED)) {
        toggle(source, mask);
        toggle(zone, mask);
    }
}

// Lay one piece that is out of its zone's list already.
static inline void lay_one(int piece, int from, int zone) {
    int *set = set_of(zone), size = *set + 1;
    set[0] = size;
    set[size] = piece;
    place(piece, from, zone);
}

static void lay_under(int zone, int *p, int n) {
    int *set = set_of(zone);
    copy_back(set + 1 + n, set + 1, *set);
    *set += n;
    for (; n; n--) {
        int piece = *p++;
        *++set = piece;
        place(piece, ZONE_OF(piece), zone);
    }
}

// Lanes at a match or above it; all of them where the last lane below is.
static inline v128_t from_match(v128_t below, v128_t match) {
    match = wasm_v128_or(match, wasm_i8x16_shuffle(match, match, 0, 1, 2, 3, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11));
    return wasm_v128_or(
        wasm_v128_or(match, wasm_i8x16_shuffle(match, match, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7)),
        wasm_i32x4_shuffle(below, below, 3, 3, 3, 3));
}

// Take one piece out of the list of its zone: what is at it or above it comes from one place further, eight at a time.
// What stands behind the zone stays as it is.
static inline void take_one(int piece, int zone) {
    int *p = set_of(zone), *last = p + *p;
    *p -= 1;
    if (IS_COUNTED(zone)) return;
    v128_t wanted = wasm_i32x4_splat(piece), next = LOAD(p + 1), match = NO_BITS;
    do {
        v128_t left = wasm_i32x4_splat((int)((u8 *)last - (u8 *)p)), one = next, two = LOAD(p + 5);
        next = LOAD(p + 9);
        match = from_match(match, wasm_i32x4_eq(one, wanted));
        STORE(p + 1, wasm_v128_bitselect(wasm_i32x4_shuffle(one, two, 1, 2, 3, 4), one,
                                         wasm_v128_and(match, wasm_i32x4_le(LANES(4, 8, 12, 16), left))));
        match = from_match(match, wasm_i32x4_eq(two, wanted));
        STORE(p + 5, wasm_v128_bitselect(wasm_i32x4_shuffle(two, next, 1, 2, 3, 4), two,
                                         wasm_v128_and(match, wasm_i32x4_le(LANES(20, 24, 28, 32), left))));
        p += 8;
    } while (p < last);
}

// Take pieces out of where they lie, with one walk through each of their zones.
static void take(int *p, int n) {
    mark_all(p, n, 1);
    for (int *end = p + n; p != end; p++) {
        int piece = *p, zone = ZONE_OF(piece);
        if (!*mark_of(piece)) continue;
        int *set = set_of(zone);
        if (IS_COUNTED(zone)) {
            *mark_of(piece) = 0;
            *set -= 1;
            continue;
        }
        int *from = set + 1, *to = from, *last = from + *set;
        do {
            int other = *from++;
            *to = other;
            to += 1 - *mark_of(other);
            *mark_of(other) = 0;
        } while (from != last);
        *set = (int)(to - set) - 1;
    }
}

static void move_some(int *p, int n, int zone, int under) {
    take(p, n);
    if (under) {
        back(WORDS(TEMPORARY), p, n, n);
        lay_under(zone, WORDS(TEMPORARY), n);
    } else {
        lay(zone, p, n);
    }
}

static void move_one(int piece, int zone) {
    int from = ZONE_OF(piece);
    take_one(piece, from);
    lay_one(piece, from, zone);
}

static void move_one_under(int piece, int zone) {
    *WORDS(ORDER) = piece;
    move_some(WORDS(ORDER), 1, zone, 1);
}

// Move a piece onto a zone. under: 1 for the bottom.
INLINED void move(int piece, int zone, int under) {
    if (under) move_one_under(piece, zone);
    else move_one(piece, zone);
}

// Move several pieces onto a zone.
void move_several(int *p, int n, int zone) {
    if (n > 4) {
        move_some(p, n, zone, 0);
        return;
    }
    for (int *end = p + n; p != end; p++) move_one(*p, zone);
}

static void move_all_under(int *p, int n, int zone) {
    if (n) move_some(p, n, zone, 1);
}

// Move pieces onto a zone. under: 1 for the bottom.
INLINED void move_all(int *p, int n, int zone, int under) {
    if (under) move_all_under(p, n, zone);
    else if (n == 1) move_one(*p, zone);
    else if (n) move_several(p, n, zone);
}

static void spill_some(int source, int zone) {
    if (source == zone) return;
    int *p = set_of(source), *set = set_of(zone), n = *p;
    *p++ = 0;
    copy(set + 1 + *set, p, n);
    *set += n;
    for (int *end = p + n; p != end; p++) ZONE_OF(*p) = zone;
    if (NUMBER(MASKED)) {
        toggle(zone, LOAD(MASK_OF(source)));
        STORE(MASK_OF(source), NO_BITS);
    }
}

// Lay one piece that was alone in its zone.
static void spill_one(int source, int zone) {
    int *set = set_of(source);
    *set = 0;
    lay_one(set[1], source, zone);
}

// Move all pieces of a zone onto another.
INLINED void spill(int source, int zone) {
    int size = *set_of(source);
    if (size == 1) spill_one(source, zone);
    else if (size) spill_some(source, zone);
}

// Move the pieces whose entry in a table is a value.
void sift(int source, int zone, int *table, int value) {
    int *set = set_of(source), *from = set + 1, *to = from, *last = from + *set, *moved = WORDS(TEMPORARY);
    if (from == last) return;
    do {
        int piece = *from, out = table[piece] == value;
        *moved = piece;
        *to = piece;
        moved += out;
        to += 1 - out;
    } while (++from != last);
    *set = (int)(to - set) - 1;
    lay_from(source, zone, WORDS(TEMPORARY), (int)(moved - WORDS(TEMPORARY)));
}

void shuffle(int zone);

// Move all pieces of a zone onto another, and shuffle that.
void pour(int source, int zone) {
    spill(source, zone);
    shuffle(zone);
}

static void deal_some(int source, int zone, i64 count, int under, int refill) {
    while (count > 0) {
        int *set = set_of(source), dealt = among(*set, count);
        if (dealt) {
            *set -= dealt;
            int *p = set + 1 + *set;
            if (under) {
                copy(WORDS(TEMPORARY), p, dealt);
                lay_under(zone, WORDS(TEMPORARY), dealt);
            } else {
                back(WORDS(TEMPORARY), p, dealt, count);
                lay_from(source, zone, WORDS(TEMPORARY), dealt);
            }
            count -= (u32)dealt;
        }
        if (!count || refill < 0 || !*set_of(refill)) return;
        pour(refill, source);
    }
}

// Move so many pieces from the top of a zone. under: 1 for the bottom; refill: zone that is shuffled in when it is
// empty, or -1.
void deal(int source, int zone, i64 count, int under, int refill) {
    int *set = set_of(source), size = *set;
    if (count == 1 && size && !under) {
        *set = size - 1;
        lay_one(set[size], source, zone);
    } else {
        deal_some(source, zone, count, under, refill);
    }
}

static void exchange(int zone, int one, int other) {
    int *p = set_of(zone);
    for (int n = *p++; n; n--, p++) {
        int piece = *p;
        if (piece == one) *p = other;
        if (piece == other) *p = one;
    }
}

// Let two pieces change places.
void swap(int one, int other) {
    int first = ZONE_OF(one), second = ZONE_OF(other);
    exchange(first, one, other);
    if (first != second) exchange(second, one, other);
    place(one, first, second);
    place(other, second, first);
}

// Shuffle as Fisher and Yates do: a chosen item changes places with the last that is left, several chosen by one number.
// BATCHES holds, for so many that are left, how many are left then, and the limit of that number.
void shuffle(int zone) {
    int *set = set_of(zone), *last = set + *set;
    u32 left = (u32)*set;
    burn((int)left);
    while (left > 1) {
        u32 then = ((u32 *)BATCHES)[2 * left];
        u64 number = fair(((u32 *)BATCHES)[2 * left + 1]);
        do {
            number *= left;
            int *at = set + 1 + (u32)(number >> 32), item = *at;
            number &= 0xffffffff;
            *at = *last;
            *last-- = item;
        } while (--left > then);
    }
}
