// Questions, and random answers as random_answers.py gives them.

static inline int clamp_to_word(i64 number) {
    if (number > 2147483647) return 2147483647;
    return number < -2147483647 ? -2147483647 : (int)number;
}

// Add a question to ASKED.
void ask(int site, int seat, int *p, int n, i64 least, i64 most) {
    int *to = (int *)WORD(ASKED_END);
    to[0] = site;
    to[1] = seat;
    to[2] = clamp_to_word(least);
    to[3] = clamp_to_word(most);
    keep(to + 4, p, n);
    WORD(ASKED_END) = (int)(to + 5 + n);
}

// Pick one candidate at random.
INLINED int pick_one(int *to, int *p, int n) {
    *to = p[chance(n)];
    return 1;
}

// Pick one candidate or none at random.
INLINED int pick_up_to_one(int *to, int *p, int n) {
    int place = chance(n + 1);
    *to = p[place - 1];
    return place != 0;
}

// Pick one of n consecutive numbers.
INLINED int pick_number(int *to, int first, int n) {
    *to = first + chance(n);
    return 1;
}

// Pick one of n consecutive numbers, or none.
INLINED int pick_up_to_one_number(int *to, int first, int n) {
    int place = chance(n + 1);
    *to = first + place - 1;
    return place != 0;
}

// ── several of candidates that all differ ──

static inline int limit_of(int n, i64 most) { return most > (i64)(u32)n ? n : (int)(most > 0 ? most : 0); }

static inline int at_least_none(i64 least) { return (int)(least > 0 ? least : 0); }

// The number of sets with one more item.
static inline double next_size(double sets, int n, int wanted) { return sets * (double)(n - wanted) / (double)(wanted + 1); }

// How many of n things are chosen, from least to limit, all sets being equally likely.
static int size_of_set(int n, int least, int limit) {
    double sets = 1, left = 0;
    for (int size = least; size <= limit; size++) {
        left += sets;
        sets = next_size(sets, n, size);
    }
    left = fraction() * left;
    sets = 1;
    int size = least;
    while (size != limit && !(left < sets)) {
        left -= sets;
        sets = next_size(sets, n, size);
        size++;
    }
    return size;
}

// Pick from least to most candidates that all differ; all sets of them are equally likely.
int pick(int *to, int *p, int n, i64 least, i64 most) {
    int wanted = limit_of(n, most), *start = to;
    if (!wanted) return 0;
    if (wanted == 1) {
        if (least < 1) return pick_up_to_one(to, p, n);
    } else if (least < wanted) {
        wanted = size_of_set(n, at_least_none(least), wanted);
        if (!wanted) return 0;
    }
    if (wanted == 1) return pick_one(to, p, n);
    if (wanted == n) return copy(to, p, n);
    do {
        *to = *p++;
        int chosen = (u64)next_bits(ANSWER_CHANCE) * (u32)n < (u64)wanted << 32;
        to += chosen;
        wanted -= chosen;
        n--;
    } while (wanted);
    return (int)(to - start);
}

// ── candidates of which some look alike to a seat; of these the first are taken ──

#define BY_NOTHING 1
#define BY_LOOKS 2

// How a seat tells pieces in a zone apart: 0 as there is room for one, by nothing, or by what they show.
static inline int sight_of(int zone, int seat) { return SIGHT[(u32)(seat * NUMBER(SIGHT_WIDTH) + zone)]; }

// The number of what a piece shows.
static inline i64 looks(int piece) {
    int *shown = WORDS(SHOWN) + 2 * piece;
    return (i64)shown[0] + *(int *)in_state(shown[1]);
}

static inline int *last_of(int *list) { return list + *list; }

static int shows_alike(int one, int other) {
    if (looks(one) != looks(other)) return 0;
    for (int *mark = WORDS(SHOWN_MARKS), *last = last_of(mark); mark != last;) {
        int *marks = (int *)in_state(*++mark);
        if (marks[one] != marks[other]) return 0;
    }
    return 1;
}

// Return where the first candidate stands that looks to a seat like the one at a place.
static int first_alike(int *p, int place, int seat) {
    int item = p[place], zone = ZONE_OF(item), sight = sight_of(zone, seat), at = 0;
    if (!sight || (sight == BY_LOOKS && UNLIKE[(u32)item])) return place;
    for (; at != place; at++)
        if (ZONE_OF(p[at]) == zone && (sight == BY_NOTHING || shows_alike(p[at], item))) break;
    return at;
}

// Pick a candidate of which some may look alike to a seat; of these the first is taken. none: 1 where no candidate is an
// answer too, 0 elsewhere.
int pick_one_alike(int *to, int *p, int n, int none, int seat) {
    int place;
    do {
        place = chance(n + none) - none;
        if (place < 0) return 0;
    } while ((u32)first_alike(p, place, seat) < (u32)place);
    *to = p[place];
    return 1;
}

// Return how many kinds of candidates there are. TEMPORARY: the kind of each; ORDER: how many each kind has.
static int kinds_of(int *p, int n, int seat) {
    int *kind_of = WORDS(TEMPORARY), *sizes = WORDS(ORDER), kinds = 0;
    for (int place = 0; place < n; place++) {
        int first = first_alike(p, place, seat), kind = kind_of[first];
        if (first == place) {
            kind = kinds++;
            sizes[kind] = 0;
        }
        kind_of[place] = kind;
        sizes[kind]++;
    }
    return kinds;
}

// Fill WAYS: a row from each kind on, and one behind the last, of how many ways there are to choose 0 to limit.
static void count_ways(int kinds, int limit) {
    double *row = (double *)WAYS + kinds * (limit + 1);
    for (int size = 1; size <= limit; size++) row[size] = 0;
    row[0] = 1;
    do {
        double *rest = row;
        int count = WORDS(ORDER)[--kinds];
        row -= limit + 1;
        row[0] = rest[0];
        for (int size = 1; size <= limit; size++) {
            double sum = 0;
            for (int from = size; from >= 0 && from + count >= size; from--) sum += rest[from];
            row[size] = sum;
        }
    } while (kinds);
}

// How many are chosen, from least to limit, by the first of these rows.
static int size_in_row(int least, int limit) {
    double *ways = (double *)WAYS, left = 0;
    for (int size = least; size <= limit; size++) left += ways[size];
    left = fraction() * left;
    int size = least;
    for (; size != limit && !(left < ways[size]); size++) left -= ways[size];
    return size;
}

// Pick from least to most candidates, of which some may look alike to a seat; of these the first are taken.
int pick_alike(int *to, int *p, int n, i64 least, i64 most, int seat) {
    int limit = limit_of(n, most), *sizes = WORDS(ORDER), *start = to;
    if (!limit) return 0;
    if (limit == 1) return pick_one_alike(to, p, n, least < 1, seat);
    int kinds = kinds_of(p, n, seat);
    if (kinds == n) return pick(to, p, n, least, most);
    count_ways(kinds, limit);
    int wanted = least < limit ? size_in_row(at_least_none(least), limit) : limit;
    if (!wanted) return 0;
    if (wanted == n) return copy(to, p, n);
    double *ways = (double *)WAYS;
    for (int kind = 0; kind < kinds; kind++, ways += limit + 1) {
        int taken = 0;
        if (wanted) {
            int top = sizes[kind] < wanted ? sizes[kind] : wanted;
            double left = fraction() * ways[wanted], *rest = ways + limit + 1 + wanted;
            for (; taken != top && !(left < *rest); taken++) left -= *rest--;
        }
        sizes[kind] = taken;
        wanted -= taken;
    }
    for (int *kind = WORDS(TEMPORARY); n; n--) {
        int *left = sizes + *kind++, taken = *left != 0;
        *to = *p++;
        to += taken;
        *left -= taken;
    }
    return (int)(to - start);
}

// Keep so many of the items, chosen evenly, in their order.
int draw(int *p, int n, i64 count) {
    int *to = p, *start = p;
    for (; n && count > 0; n--, p++) {
        if (below(n) >= count) continue;
        *to++ = *p;
        count--;
    }
    return (int)(to - start);
}
