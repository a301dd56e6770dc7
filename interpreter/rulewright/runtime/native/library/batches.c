// Many games that go on together, each by one action at a time.
//
// The record of a game holds its state, what is asked, what has been chosen of the answer so far, and what each seat did
// last; OF_… are places in it.

SYMBOL(OF_ASKED); SYMBOL(OF_SEAT); SYMBOL(OF_LEAST); SYMBOL(OF_MOST); SYMBOL(OF_COUNT); SYMBOL(OF_ITEMS);
SYMBOL(OF_ACTIONS); SYMBOL(OF_PICKS); SYMBOL(OF_TAKEN); SYMBOL(OF_LAST);

// tables: what each site, `at once`, seat and zone is
SYMBOL(SITES); SYMBOL(SEALED); SYMBOL(SEALED_END); SYMBOL(SEAT_ORDER); SYMBOL(PIECE_ACTIONS); SYMBOL(EQUAL_PIECES);
SYMBOL(SINGLE); SYMBOL(SINGLE_SIZE); SYMBOL(BY_MASK); SYMBOL(BY_MASK_SIZE); SYMBOL(SEEN); SYMBOL(SEEN_SIZE);
SYMBOL(COUNTER_VIEWS); SYMBOL(COUNTER_VIEWS_SIZE);

// what is shared with the host, a part for each game
SYMBOL(ACTIONS); SYMBOL(TURNS); SYMBOL(DONE); SYMBOL(RESULT_ROWS); SYMBOL(ACTION_MASKS); SYMBOL(VECTORS); SYMBOL(GAMES);
SYMBOL(SAMPLED); SYMBOL(NEXT_SEED); SYMBOL(SAMPLER); SYMBOL(ACTION_COUNTS); SYMBOL(PREFETCHED);

// numbers
SYMBOL(GAME_COUNT); SYMBOL(GAME_SIZE); SYMBOL(STATE_BEHIND); SYMBOL(ACTION_COUNT); SYMBOL(VECTOR_SIZE);
SYMBOL(ZONE_CELLS); SYMBOL(TYPES); SYMBOL(MOST_NUMBERS); SYMBOL(PLACES); SYMBOL(HAS_FACES); SYMBOL(WAITING);
SYMBOL(PARKED); SYMBOL(PHASE); SYMBOL(ROLE); SYMBOL(ROLE_COUNT); SYMBOL(PREFETCHED_LINES);

// where parts of an observation begin, or -1
SYMBOL(O_SEAT); SYMBOL(O_ROUND); SYMBOL(O_PHASE); SYMBOL(O_WAITING); SYMBOL(O_ROLES); SYMBOL(O_SITES); SYMBOL(O_LAST);
SYMBOL(O_SPAN); SYMBOL(O_PICKS);

// Set where the state of the game that is played begins. Compilers take here() for a constant: whoever sets it must not
// name anything in the state, and call functions that are OF_ONE_GAME.
void set_here(int address);
#define OF_ONE_GAME __attribute__((noinline))

#define FIELD(game, name) (*(int *)&(name)[(u32)(game)])
#define FIELD_OF(game, name, index) (*(int *)&(name)[(u32)((game) + 4 * (index))])

enum action_kind { BY_NUMBER, BY_SEAT, BY_PLACE, BY_PIECE };
enum counter_kind { AS_NUMBER, AS_WORD, AS_SEAT, AS_PARTS };

struct site {
    int slot, per_seat, by_place_per_seat, sealed, resume, kind, first, by_place, parks, alike, unused[2];
};

struct sealed {
    int block, next_block, ask_block, parked_block, seats, unused[3];
};

static inline struct site *site_of(int game) { return (struct site *)SITES + FIELD(game, OF_ASKED); }

static inline int *cell_of_seat(int place, int seat) { return (int *)in_state(place) + seat; }

// Whether equal pieces are told apart by their places.
static int tells_apart(struct site *site, int seat) {
    return site->by_place >= 0 && *cell_of_seat(site->by_place, seat * site->by_place_per_seat) != 0;
}

// How many seats one is on from another.
static inline int seats_from(int one, int other) {
    return (int)((u32)(one - other + NUMBER(SEATS)) % (u32)NUMBER(SEATS));
}

static inline int is_by_number(int game) { return site_of(game)->kind == BY_NUMBER; }

// ── actions ──

// The action by which the candidate at a place is chosen.
static int action_of(int game, int place) {
    struct site *site = site_of(game);
    int seat = FIELD(game, OF_SEAT), item = FIELD_OF(game, OF_ITEMS, place);
    switch (site->kind) {
        case BY_NUMBER: return site->first + item;
        case BY_SEAT: return site->first + seats_from(item, seat);
        case BY_PLACE: return place < NUMBER(MOST_NUMBERS) ? site->first + place : -1;
    }
    int row = seat * NUMBER(ZONE_CELLS) + CELL_OF(AT, item);
    int action = ENTRY_OF(PIECE_ACTIONS, row * NUMBER(TYPES) + (int)looks(item)), equal = ENTRY_OF(EQUAL_PIECES, row);
    if (equal > 1 && tells_apart(site, seat)) {
        int before = ENTRY_OF(ACTION_COUNTS, action)++;
        return action + (before < equal ? before : equal - 1);
    }
    return action;
}

static void clear_counts(void) { __builtin_memset(ACTION_COUNTS, 0, 4 * (u32)NUMBER(ACTION_COUNT)); }

// Write the actions of all candidates behind them.
static void list_actions(int game) {
    int count = FIELD(game, OF_COUNT);
    if (site_of(game)->by_place >= 0) clear_counts();
    if (is_by_number(game) && FIELD(game, OF_MOST) <= 1) return;  // the candidates themselves will do
    for (int place = 0; place < count; place++) FIELD_OF(game, OF_ACTIONS, place) = action_of(game, place);
}

// Count the candidates of each action that are left, without those chosen.
static void count_left(int game) {
    int count = FIELD(game, OF_COUNT), taken = FIELD(game, OF_TAKEN);
    clear_counts();
    for (int place = 0; place < count; place++) {
        int action = FIELD_OF(game, OF_ACTIONS, place);
        if (action >= 0) ENTRY_OF(ACTION_COUNTS, action)++;
    }
    for (int place = 0; place < taken; place++) ENTRY_OF(ACTION_COUNTS, FIELD_OF(game, OF_PICKS, place))--;
}

// Few bytes at a time where there are not many: a call of the system takes longer.
static inline void clear(u8 *to, int size) {
    if (size > 1024) {
        __builtin_memset(to, 0, (u32)size);
        return;
    }
    for (; size >= 16; size -= 16, to += 16) STORE(to, NO_BITS);
    for (; size > 0; size--) *to++ = 0;
}

// Mark each action that can be taken; return how many there are besides 'done'.
static int allow(int game, u8 *mask) {
    int taken = FIELD(game, OF_TAKEN), least = FIELD(game, OF_LEAST), count = FIELD(game, OF_COUNT);
    clear(mask, NUMBER(ACTION_COUNT));
    if (taken >= least) mask[0] = 1;
    if (taken >= FIELD(game, OF_MOST)) return 0;
    if (!taken && least <= 1) {  // all candidates
        if (is_by_number(game)) {
            u8 *first = mask + site_of(game)->first;
            for (int place = 0; place < count; place++) first[FIELD_OF(game, OF_ITEMS, place)] = 1;
            return count;
        }
        for (int place = 0; place < count; place++) {
            int action = FIELD_OF(game, OF_ACTIONS, place);
            if (action >= 0) mask[action] = 1;
        }
        return count;
    }
    count_left(game);
    int last = taken ? FIELD_OF(game, OF_PICKS, taken - 1) : 0, behind = 0, allowed = 0;
    for (int action = NUMBER(ACTION_COUNT) - 1; action >= last && action; action--) {
        int left = ENTRY_OF(ACTION_COUNTS, action);
        behind += left;
        if (left > 0 && taken + behind >= least) {
            mask[action] = 1;
            allowed++;
        }
    }
    return allowed;
}

// ── answers ──

// Where the answer goes.
static int *slot_of(int game) {
    struct site *site = site_of(game);
    return set_of(site->slot + site->per_seat * FIELD(game, OF_SEAT));
}

// Note an answer, and where the game goes on after it.
static void go_on_from_answer(int game) {
    struct site *site = site_of(game);
    int seat = FIELD(game, OF_SEAT);
    CELL(GIVEN)++;
    if (site->sealed < 0) {
        CELL(PC) = site->resume;
        return;
    }
    struct sealed *sealed = (struct sealed *)SEALED + site->sealed;
    *cell_of_seat(sealed->next_block, seat) = site->parks ? NUMBER(PARKED) : site->resume;
    *cell_of_seat(sealed->parked_block, seat) = site->resume;
}

// Write the first candidate of the only action chosen.
static void give_one(int game, int *set) {
    int action = FIELD(game, OF_PICKS), place = 0;
    if (is_by_number(game)) {
        set[1] = action - site_of(game)->first;
        return;
    }
    while (FIELD_OF(game, OF_ACTIONS, place) != action) place++;
    set[1] = FIELD_OF(game, OF_ITEMS, place);
}

// Put what has been chosen into the state.
static void give(int game) {
    int taken = FIELD(game, OF_TAKEN), *set = slot_of(game);
    *set = taken;
    if (taken == 1) give_one(game, set);
    if (taken > 1) {
        int count = FIELD(game, OF_COUNT), *to = set;
        clear_counts();
        for (int place = 0; place < taken; place++) ENTRY_OF(ACTION_COUNTS, FIELD_OF(game, OF_PICKS, place))++;
        for (int place = 0; place < count; place++) {
            int action = FIELD_OF(game, OF_ACTIONS, place);
            if (action < 0 || ENTRY_OF(ACTION_COUNTS, action) <= 0) continue;
            ENTRY_OF(ACTION_COUNTS, action)--;
            *++to = FIELD_OF(game, OF_ITEMS, place);
        }
    }
    go_on_from_answer(game);
}

// Write a random answer at an address; return its size.
static int answer_at_random(int game, int *to) {
    struct site *site = site_of(game);
    int seat = FIELD(game, OF_SEAT), *items = &FIELD(game, OF_ITEMS), count = FIELD(game, OF_COUNT);
    i64 least = FIELD(game, OF_LEAST), most = FIELD(game, OF_MOST);
    if (site->alike && !tells_apart(site, seat)) return pick_alike(to, items, count, least, most, seat);
    return pick(to, items, count, least, most);
}

// ── games ──

// The `at once` that is open, or 0.
static struct sealed *open_sealed(void) {
    struct sealed *sealed = (struct sealed *)SEALED, *end = (struct sealed *)SEALED_END;
    for (; sealed < end; sealed++)
        if (sealed->block == CELL(PC)) return sealed;
    return 0;
}

static void ask_waiting_seats(void) {
    struct sealed *sealed = open_sealed();
    if (!sealed) return;
    for (int seat = 0; seat < NUMBER(SEATS); seat++) {
        int *next = cell_of_seat(sealed->next_block, seat);
        if (*next == NUMBER(WAITING)) *next = *cell_of_seat(sealed->ask_block, seat);
    }
}

static inline int *next_question(int *question) { return question + 5 + question[4]; }

// Copy the question of the first seat that is asked, seats that answer by chance before all others; return whether it
// is to be answered by chance.
static int take_question(int game) {
    int *best = WORDS(ASKED), *end = (int *)WORD(ASKED_END);
    for (int *question = best; question < end; question = next_question(question))
        if (ENTRY_OF(SEAT_ORDER, question[1]) < ENTRY_OF(SEAT_ORDER, best[1])) best = question;
    int *to = &FIELD(game, OF_ASKED);
    for (int *from = best, *last = next_question(best); from != last;) *to++ = *from++;
    if (FIELD(game, OF_MOST) > FIELD(game, OF_COUNT)) FIELD(game, OF_MOST) = FIELD(game, OF_COUNT);
    if (FIELD(game, OF_LEAST) > FIELD(game, OF_MOST)) FIELD(game, OF_LEAST) = FIELD(game, OF_MOST);
    FIELD(game, OF_TAKEN) = 0;
    return ENTRY_OF(SEAT_ORDER, best[1]) < 0;
}

// Run on until an agent is asked, virtual players answering at random; return how that ended.
static int run_game(int game) {
    for (;;) {
        ask_waiting_seats();
        CELL(FUEL) = NUMBER(FUEL_FOR_ONE);
        int ended = run();
        if (ended != NUMBER(ENDED_ASKING)) return ended;
        if (CELL(GIVEN) >= NUMBER(LIMIT)) {
            CELL(PC) = NUMBER(GAME_OVER);
            CELL(LIMITED) = 1;
            return NUMBER(ENDED_OVER);
        }
        if (!take_question(game)) break;
        int *set = slot_of(game);
        *set = answer_at_random(game, set + 1);
        go_on_from_answer(game);
    }
    list_actions(game);
    return NUMBER(ENDED_ASKING);
}

static int begin_game(int game) {
    i64 *next_seed = (i64 *)NEXT_SEED;
    take_up_template();
    seed(GAME_CHANCE, (*next_seed)++, 0);
    for (int seat = 0; seat < NUMBER(SEATS); seat++) FIELD_OF(game, OF_LAST, seat) = -1;
    return run_game(game);
}

// Take an action in one game, which begins here(); -1 begins it anew. mask: of the actions possible then; row: of the
// results, where the game ends. Set done where it has ended. Return 0, or how it failed.
OF_ONE_GAME static int act(int game, int action, u8 *mask, int *row, u8 *done) {
    int ended;
    *done = 0;
    if (action < 0) {
        ended = begin_game(game);
    } else {
        FIELD_OF(game, OF_LAST, FIELD(game, OF_SEAT)) = action;
        if (action) {
            FIELD_OF(game, OF_PICKS, FIELD(game, OF_TAKEN)++) = action;
            if (allow(game, mask)) return 0;
        }
        give(game);
        ended = run_game(game);
    }
    while (ended != NUMBER(ENDED_ASKING)) {
        if (ended != NUMBER(ENDED_OVER)) return ended;
        *done = 1;
        if ((ended = write_result(row, 0))) return ended;
        ended = begin_game(game);
    }
    allow(game, mask);
    return 0;
}

// ── observations ──

static inline void set_one(float *to, int place) { to[place] = 1; }

// Where pieces have one face, columns are by piece.
static inline int look_of(int piece) { return NUMBER(HAS_FACES) ? (int)looks(piece) : piece; }

// A row of zones for one piece, whether it lies there or not: the first set, how many bytes they have in all, where the
// first begins, how far from it the next one does, and the columns of types.
struct single {
    int sets, size, first, step, columns;
};

static void observe_singles(struct single *row, struct single *end, u8 *to) {
    for (; row != end; row++) {
        int *set = (int *)in_state(row->sets), *last = set + row->size / 4, *columns = (int *)row->columns;
        u8 *at = to + row->first;
        for (; set != last; set += 2, at += row->step) ((float *)at)[columns[look_of(set[1])]] = (float)*set;
    }
}

// A zone whose pieces are counted column by column: its mask, that of the column, and where.
struct by_mask {
    int zone, column, place;
};

static void observe_masks(struct by_mask *column, struct by_mask *end, float *to) {
    for (; column != end; column++)
        to[column->place] =
            (float)size_of_bits(wasm_v128_and(LOAD(in_state(column->zone)), LOAD((u8 *)column->column)));
}

// Another zone: its set, where it begins, the columns of types or 0, tops or -1, places or -1, how many columns.
struct seen {
    int set, first, columns, tops, places, width;
};

static void observe_zone(struct seen *zone, float *to) {
    int *set = (int *)in_state(zone->set), *columns = (int *)zone->columns, size = *set, column = 0;
    if (!size) return;
    if (!columns) {
        to[zone->first] = (float)size;
        return;
    }
    for (int n = 1; n <= size; n++) {
        column = columns[look_of(set[n])];
        to[zone->first + column] += 1;
    }
    if (zone->tops >= 0) set_one(to, zone->tops + column);
    if (zone->places < 0) return;
    for (int n = 1, place = zone->places; n <= size && n <= NUMBER(PLACES); n++, place += zone->width)
        set_one(to, place + columns[look_of(set[n])]);
}

// A counter: its cell, how it is told, and where.
struct counter_view {
    int cell, kind, place;
};

static void observe_counter(struct counter_view *counter, int me, float *to) {
    int value = *(int *)in_state(counter->cell);
    switch (counter->kind) {
        case AS_NUMBER: to[counter->place] = (float)value; return;
        case AS_PARTS: to[counter->place] = (float)((double)value / 100); return;
        case AS_SEAT:
            if (value >= 0) set_one(to, counter->place + seats_from(value, me));
            return;
        default:
            if (value >= 0) set_one(to, counter->place + value);
    }
}

static void observe_waiting(int me, float *to) {
    struct sealed *sealed = open_sealed();
    if (!sealed) {
        set_one(to, NUMBER(O_WAITING));
        return;
    }
    for (int *seats = (int *)in_state(sealed->seats), *last = last_of(seats); seats != last;)
        set_one(to, NUMBER(O_WAITING) + seats_from(*++seats, me));
}

// What the seat is asked, and has chosen and done.
static void observe_question(int game, int me, float *to) {
    int taken = FIELD(game, OF_TAKEN), last = FIELD_OF(game, OF_LAST, me);
    set_one(to, NUMBER(O_SITES) + FIELD(game, OF_ASKED));
    if (NUMBER(O_LAST) >= 0 && last >= 0) set_one(to, NUMBER(O_LAST) + last);
    if (NUMBER(O_SPAN) < 0) return;
    float *span = to + NUMBER(O_SPAN);
    int least = FIELD(game, OF_LEAST) - taken;
    if (least > 0) span[0] = (float)least;
    span[1] = (float)(FIELD(game, OF_MOST) - taken);
    for (int n = 0; n < taken; n++) to[NUMBER(O_PICKS) + FIELD_OF(game, OF_PICKS, n)] += 1;
}

#define OF_ME(type, table) (struct type *)(NUMBER(table) + me * NUMBER(table##_SIZE))

// Write what the seat that is asked sees.
OF_ONE_GAME static void observe(int game, u8 *vector) {
    int me = FIELD(game, OF_SEAT), phase = CELL(PHASE);
    float *to = (float *)vector;
    clear(vector, NUMBER(VECTOR_SIZE));
    set_one(to, NUMBER(O_SEAT) + me);
    to[NUMBER(O_ROUND)] = (float)CELL(ROUND);
    if (phase >= 0) set_one(to, NUMBER(O_PHASE) + phase);
    observe_waiting(me, to);
    for (int seat = 0; seat < NUMBER(SEATS); seat++) {
        int role = CELL_OF(ROLE, seat);
        if (role >= 0) set_one(to, NUMBER(O_ROLES) + role + seats_from(seat, me) * NUMBER(ROLE_COUNT));
    }
    observe_singles(OF_ME(single, SINGLE), (struct single *)((u8 *)OF_ME(single, SINGLE) + NUMBER(SINGLE_SIZE)), vector);
    observe_masks(OF_ME(by_mask, BY_MASK), (struct by_mask *)((u8 *)OF_ME(by_mask, BY_MASK) + NUMBER(BY_MASK_SIZE)), to);
    struct seen *zone = OF_ME(seen, SEEN), *zones_end = (struct seen *)((u8 *)zone + NUMBER(SEEN_SIZE));
    for (; zone != zones_end; zone++) observe_zone(zone, to);
    struct counter_view *counter = OF_ME(counter_view, COUNTER_VIEWS);
    struct counter_view *counters_end = (struct counter_view *)((u8 *)counter + NUMBER(COUNTER_VIEWS_SIZE));
    for (; counter != counters_end; counter++) observe_counter(counter, me, to);
    observe_question(game, me, to);
}

// ── all games ──

// The first game that cannot take the action it is given, or -1.
EXPORTED int refused(void) {
    u8 *mask = ACTION_MASKS;
    for (int n = 0; n < NUMBER(GAME_COUNT); n++, mask += NUMBER(ACTION_COUNT)) {
        u32 action = (u32)ENTRY_OF(ACTIONS, n);
        if (action >= (u32)NUMBER(ACTION_COUNT) || !mask[action]) return n;
    }
    return -1;
}

// Which of the next sixteen actions can be taken, as bits.
static inline u32 possible(u8 *at, u8 *end) {
    u32 left = (u32)(end - at);
    return wasm_i8x16_bitmask(wasm_i8x16_ne(LOAD(at), NO_BITS)) & ((1u << (left < 16 ? left : 16)) - 1);
}

// Draw for each game an action that it can take, each as likely as the others.
EXPORTED void sample(void) {
    u8 *mask = ACTION_MASKS;
    for (int n = 0; n < NUMBER(GAME_COUNT); n++) {
        u8 *end = mask + NUMBER(ACTION_COUNT);
        u32 left = 0, bits;
        for (u8 *at = mask; at < end; at += 16) left += (u32)__builtin_popcount(possible(at, end));
        left = (u32)(((u64)next_bits((u32 *)SAMPLER) * left) >> 32);
        u8 *at = mask;
        for (;; at += 16) {
            bits = possible(at, end);
            u32 size = (u32)__builtin_popcount(bits);
            if (size > left) break;
            left -= size;
            if (at + 16 >= end) break;
        }
        for (; left; left--) bits &= bits - 1;
        ENTRY_OF(SAMPLED, n) = (int)(at - mask) + __builtin_ctz(bits);
        mask = end;
    }
}

// Read a byte of each line of the next game's memory, so that it comes near while this one is played: one after the
// other, where the game asks for them, takes longer. What is read is not used.
static void prefetch(int game) {
    i64 bits = 0;
    for (int line = 0; line < NUMBER(PREFETCHED_LINES); line++) bits |= *(i64 *)(game + 64 * line);
    *(i64 *)PREFETCHED = bits | FIELD(game, OF_ASKED) | FIELD(game, OF_ACTIONS) | FIELD(game, OF_TAKEN);
}

// Take one step in all games. Return 0, or how one failed, whose number is PLAYED_OUT.
EXPORTED int step(void) {
    int game = NUMBER(GAMES);
    for (int n = 0; n < NUMBER(GAME_COUNT); n++, game += NUMBER(GAME_SIZE)) {
        prefetch(game + NUMBER(GAME_SIZE));
        set_here(game - NUMBER(STATE_BEHIND));
        int ended = act(game, ENTRY_OF(ACTIONS, n), ACTION_MASKS + n * NUMBER(ACTION_COUNT),
                        WORDS(RESULT_ROWS) + n * NUMBER(ROW), DONE + n);
        if (ended) {
            WORD(PLAYED_OUT) = n;
            return ended;
        }
        observe(game, VECTORS + n * NUMBER(VECTOR_SIZE));
        ENTRY_OF(TURNS, n) = FIELD(game, OF_SEAT);
    }
    return 0;
}
