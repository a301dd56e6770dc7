// A search for one seat's best answer where things are hidden, or several seats answer at once. Each try begins in one of
// the worlds that the host has drawn: states that agree with what the seat knows. Every seat has a tree of its own, of
// what it chose and what could then be seen, so that no choice depends on what its seat cannot know: of its own seat what
// that sees, of the others what all see. A try follows the best options in all trees to a new one, plays on from there,
// and adds what that is worth to each seat on its way.
//
// Source: Cowling, Powley and Whitehouse, "Information Set Monte Carlo Tree Search", 2012.

SYMBOL(INFORMATION); SYMBOL(SCHEDULES); SYMBOL(SCHEDULE_COUNT); SYMBOL(VISIBLE); SYMBOL(TURN); SYMBOL(QUESTION_SIZE); SYMBOL(VIEWS);

#define MOST_QUESTIONS 20
#define LONGEST_PATH 256
#define BUCKETS 65536
#define NO_MORE ((i64)1 << 40)
#define NUMBERS_FROM_LEAST 2
#define BEGINS_TURN 4
#define PAST_ALL 0x7fffffff

// An `at once`: the block at which it waits; first cells of the block with which each seat goes on, and of its question.
struct schedule {
    int block, next_block, ask_block, unused;
};

// An option of an information set: what was chosen, by a key that is the same in all worlds; its place among the
// candidates when it was first met, or ENOUGH; how often it could be chosen.
struct option {
    i64 key;
    double total;
    struct information_set *set;
    struct option *in_bucket, *other;
    int place, visits, available;
    float prior;
};

// What a seat knows when it chooses: after its option before, being asked at a source, with what it then sees.
struct information_set {
    i64 seen;
    struct option *before, *options;
    struct information_set *in_bucket;
    int source, visits;
};

struct turn {
    struct information_set *set;
    struct option *option;
    int seat;
};

// What the host orders: the seat; room for worlds, how many there are, and bytes of each; of a seat's words, which says whether the game is over, where a learned value
// is added up at the end of a turn, else 0; rollouts of a try, and how many of the best count there; how far places count
// there; and winning, of more than two sides. What it reads: the root, the first world, values to be added to the root's options by their
// places; weights of each word of a seat's results. Behind: what a search needs.
struct information {
    int seat, unused_too, room, worlds, world_size, learned, rollouts, best;
    double place_weight, win_weight;
    struct information_set *root;
    u8 *first_world;
    float *priors;
    double *weights;
    int prior_count, tries;
    // of a try: open questions; whether an answer needs no more picks, whether its option is new, the end of the path
    int open, enough, is_new, unused;
    struct turn *end;
    void **options, **sets;
    struct option *roots, **last, **found;
    struct turn *path;
    u8 *questions;
    int *order, *places, *sorted;
    i64 *keys;
    double *worths;
};

#define KNOWN ((struct information *)INFORMATION)
#define MOST_ITEMS (NUMBER(QUESTION_SIZE) / 4 - 4)

static inline struct question *question_of(int seat) {
    return (struct question *)(KNOWN->questions + seat * NUMBER(QUESTION_SIZE));
}

static inline u32 bucket_of(i64 one, i64 other) {
    i64 number = mixed(one, other);
    return (u32)(number ^ (number >> 32)) % BUCKETS;
}

// ── questions ──

// Let the seats that wait in an `at once` be asked again.
static void ask_waiting(void) {
    struct schedule *schedule = (struct schedule *)SCHEDULES;
    for (int left = NUMBER(SCHEDULE_COUNT); left; left--, schedule++) {
        if (schedule->block != CELL(PC)) continue;
        for (int seat = 0; seat < NUMBER(SEATS); seat++) {
            int *next = &CELL_OF(CELLS, schedule->next_block + seat);
            if (*next == -1) *next = CELL_OF(CELLS, schedule->ask_block + seat);
        }
    }
}

// Run on to questions, and note them behind those that are open; return how that ended.
static int run_to_questions(void) {
    CELL(FUEL) = NUMBER(FUEL_FOR_ONE);
    WORD(PLAYING) = 0;
    WORD(ASKED_END) = NUMBER(ASKED);
    int ended = end_at_limit(advance());
    if (ended != NUMBER(ENDED_ASKING)) return ended;
    for (int *from = WORDS(ASKED), *end = (int *)WORD(ASKED_END); from != end; from += 5 + from[4]) {
        struct question *question = question_of(from[1]);
        __builtin_memcpy(question, from, 4 * (u32)(5 + from[4]));
        if (question->most > question->size) question->most = question->size;
        if (question->least > question->most) question->least = question->most;
        KNOWN->order[KNOWN->open++] = from[1];
    }
    return ended;
}

// Put an answer into the state: the first candidates, or those in `places`.
static void answer_question(struct question *question, int count, int *places) {
    struct source *source = source_of(question);
    int seat = question->seat, *slot = (int *)in_state(WORDS(SETS)[source->slot + seat * source->per_seat]);
    *slot = count;
    for (int n = 0; n < count; n++) slot[1 + n] = question->items[places ? places[n] : n];
    CELL(GIVEN)++;
    if (source->next_block < 0) {
        CELL(PC) = source->resume;
        return;
    }
    CELL_OF(CELLS, source->next_block + seat) = source->parks ? -2 : source->resume;
    CELL_OF(CELLS, source->parked_block + seat) = source->resume;
}

// ── options ──

// What its seat knows of a candidate: the same number in all worlds.
static i64 look_at(struct question *question, int place) {
    int item = question->items[place];
    if (!(source_of(question)->pieces & 1)) return item;
    int zone = ZONE_OF(item);
    i64 key = mixed(zone + 1, NUMBER(SEATS));
    if (!VISIBLE[(u32)(question->seat * NUMBER(SIGHT_WIDTH) + zone)]) return key;
    key = mixed(key, looks(item) + 1);
    for (int *mark = WORDS(SHOWN_MARKS), *last = last_of(mark); mark != last;) key = mixed(key, ((int *)in_state(*++mark))[item]);
    return key;
}

// Write the keys of all candidates, and their places: by keys where several are chosen, else of each key the first.
// Return how many places there are.
static int list_keys(struct question *question) {
    struct source *source = source_of(question);
    i64 *keys = KNOWN->keys;
    int *sorted = KNOWN->sorted, count = 0, by_place = 0, differ = !(source->pieces & 1);
    if (source->by_place >= 0) by_place = CELL_OF(CELLS, source->by_place + question->seat * source->per_seat);
    for (int place = 0; place < question->size; place++) {
        i64 key = look_at(question, place);
        int equal = 0;
        if (!differ) for (int n = 0; n < place; n++) equal += (by_place ? look_at(question, n) : keys[n]) == key;
        if (by_place && equal) {
            key = mixed(key, equal);
            equal = 0;
        }
        keys[place] = key;
        if (question->most <= 1) {
            sorted[count] = place;
            count += !equal;
            continue;
        }
        int at = count++;
        for (; at && keys[sorted[at - 1]] > key; at--) sorted[at] = sorted[at - 1];
        sorted[at] = place;
    }
    return count;
}

static int has_one_key(struct question *question, int count) {
    i64 *keys = KNOWN->keys;
    return question->most <= 1 ? count == 1 : keys[KNOWN->sorted[0]] == keys[KNOWN->sorted[count - 1]];
}

// Find or add the set in which a seat chooses next; 0 where there is no room.
static struct information_set *set_after(struct option *before, int source, i64 seen) {
    void **bucket = KNOWN->sets + bucket_of(mixed((u32)(__UINTPTR_TYPE__)before, source), seen);
    for (struct information_set *set = *bucket; set; set = set->in_bucket)
        if (set->before == before && set->seen == seen && set->source == source) return set;
    struct information_set *set = reserve(sizeof(struct information_set));
    if (set) {
        *set = (struct information_set){.seen = seen, .before = before, .in_bucket = *bucket, .source = source};
        *bucket = set;
    }
    return set;
}

static struct option *find_option(struct information_set *set, i64 key) {
    for (struct option *option = KNOWN->options[bucket_of((u32)(__UINTPTR_TYPE__)set, key)]; option; option = option->in_bucket)
        if (option->set == set && option->key == key) return option;
    return 0;
}

static struct option *add_option(struct information_set *set, i64 key, int place) {
    void **bucket = KNOWN->options + bucket_of((u32)(__UINTPTR_TYPE__)set, key);
    struct option *option = reserve(sizeof(struct option));
    if (!option) return 0;
    *option = (struct option){.key = key, .set = set, .in_bucket = *bucket, .other = set->options, .place = place, .available = 1};
    if (set == KNOWN->root && place >= 0 && place < KNOWN->prior_count) option->prior = KNOWN->priors[place];
    *bucket = option;
    return set->options = option;
}

static inline i64 key_at(int place) { return place == ENOUGH ? NO_MORE : KNOWN->keys[place]; }

// Select by UCB1 one of the options at so many `places`, or a new one while few are known for as many visits (progressive
// widening); return its number there, or -1 where there is no room.
static int select_option(struct information_set *set, int count, int from_least) {
    struct option **found = KNOWN->found;
    int known = 0, best = -1, *places = KNOWN->places;
    double most = -10;
    for (int n = 0; n < count; n++) {
        struct option *option = found[n] = find_option(set, key_at(places[n]));
        if (!option) continue;
        known++;
        double visits = option->visits ? option->visits : 0.5;
        double bound = option->total / visits + option->prior + HERE->exploration * __builtin_sqrt(logarithm(++option->available) / visits);
        if (bound > most) {
            most = bound;
            best = n;
        }
    }
    if (best >= 0 && (known == count || known >= 3 + 2 * __builtin_sqrt(set->visits))) return best;
    int left = from_least && !known ? 0 : chance(count - known), n = 0;
    while (found[n] || left--) n++;
    found[n] = add_option(set, key_at(places[n]), places[n]);
    return found[n] ? n : best;
}

// Write into `places` what can be chosen after so many picks, the last of them at a position of `sorted`; return how
// many that are.
static int list_further(struct question *question, int size, int picks, int last) {
    int count = 0, *places = KNOWN->places, *sorted = KNOWN->sorted;
    KNOWN->enough = picks >= question->least;
    if (KNOWN->enough) places[count++] = ENOUGH;
    for (int at = last + 1; at < size; at++) {
        if (question->most > 1 && size - at < question->least - picks) break;
        if (question->most > 1 && at && at - 1 != last && KNOWN->keys[sorted[at]] == KNOWN->keys[sorted[at - 1]]) continue;
        places[count++] = sorted[at];
    }
    return count;
}

// Choose an answer into PICKS, pick by pick; after the first new option the rest is random. Return how many picks, or -1
// where there is no room.
static int choose(struct information_set *set, struct question *question, int size) {
    int picks = 0, last = -1, *places = KNOWN->places, *sorted = KNOWN->sorted;
    int from_least = source_of(question)->pieces & NUMBERS_FROM_LEAST;
    KNOWN->is_new = 0;
    while (picks < question->most) {
        int count = list_further(question, size, picks, last), chosen = 0;
        if (count == KNOWN->enough) break;
        if (KNOWN->is_new) {
            chosen = chance(count);
        } else {
            if (!set || KNOWN->end == KNOWN->path + LONGEST_PATH || (chosen = select_option(set, count, from_least)) < 0) return -1;
            struct option *option = KNOWN->found[chosen];
            struct turn *turn = KNOWN->end++;
            turn->set = set;
            turn->option = option;
            turn->seat = question->seat;
            KNOWN->is_new = !option->visits;
            if (!KNOWN->is_new && question->most > 1 && places[chosen] != ENOUGH) set = set_after(option, -1, 0);
        }
        if (places[chosen] == ENOUGH) break;
        for (last++; sorted[last] != places[chosen];) last++;
        PICKS[picks++] = places[chosen];
    }
    if (question->most > 1)  // in the order of the offer
        for (int n = 1; n < picks; n++)
            for (int at = n; at && PICKS[at - 1] > PICKS[at]; at--) {
                int place = PICKS[at];
                PICKS[at] = PICKS[at - 1];
                PICKS[at - 1] = place;
            }
    return picks;
}

// ── a try ──

// Follow the trees to a new option; return how that ended.
static int descend(void) {
    int me = KNOWN->seat, *order = KNOWN->order;
    for (int seat = 0; seat < NUMBER(SEATS); seat++) KNOWN->last[seat] = seat == me ? 0 : KNOWN->roots + seat;
    KNOWN->open = 0;
    KNOWN->end = KNOWN->path;
    ask_waiting();
    int ended = run_to_questions();
    for (int n = 1; n < KNOWN->open; n++)
        for (int at = n; at && order[at] == me; at--) {
            order[at] = order[at - 1];
            order[at - 1] = me;
        }
    for (int depth = 0; depth < MOST_QUESTIONS && KNOWN->open && ended == NUMBER(ENDED_ASKING); depth++) {
        struct question *question = question_of(order[0]);
        int seat = question->seat;
        if (KNOWN->learned && seat != me && (source_of(question)->pieces & BEGINS_TURN)) break;
        KNOWN->open--;
        for (int n = 0; n < KNOWN->open; n++) order[n] = order[n + 1];
        if (question->size <= question->least || !question->most) {
            answer_question(question, question->most, 0);
        } else {
            int size = list_keys(question);
            if (question->least == question->most && has_one_key(question, size)) {
                answer_question(question, question->least, 0);
            } else {
                struct option *before = KNOWN->last[seat];
                int *sees = seat == me ? (int *)ENTRY_OF(VIEWS, seat) : WORDS(GLANCE_OF_ALL);
                struct information_set *set = before ? set_after(before, question->source, glance(sees)) : KNOWN->root;
                int picks = choose(set, question, size);
                if (picks < 0) break;
                if (KNOWN->end != KNOWN->path && KNOWN->end[-1].seat == seat) KNOWN->last[seat] = KNOWN->end[-1].option;
                answer_question(question, picks, PICKS);
                if (KNOWN->is_new) break;
            }
        }
        ended = run_to_questions();
    }
    return ended;
}

// What a seat's place is worth: of two sides the winner has all; of more, winning counts beside those that it is placed
// before.
static double place_worth(int *row, int seat) {
    double share = share_beaten(row, seat);
    int place = *of_seat(row, seat), sides = 0, winners = 0, best = PAST_ALL;
    for (int one = 0; one < NUMBER(SEATS); one++) {
        int there = *of_seat(row, one), first = there != 0;
        for (int other = 0; other < one; other++) first &= !*of_seat(row, other) || side_of(other) != side_of(one);
        if (!first) continue;
        sides++;
        if (there < best) winners = 0;
        if (there <= best) {
            best = there;
            winners++;
        }
    }
    if (sides < 3 || !place) return share;
    return KNOWN->win_weight * (place == best ? 1.0 / winners : 0) + (1 - KNOWN->win_weight) * share;
}

// Write what one end of a turn is worth to each seat by what was learned.
static void write_learned_worth(int *row, double *worths) {
    int seats = NUMBER(SEATS);
    for (int seat = 0; seat < seats; seat++) {
        int *word = of_seat(row, seat);
        SUMS[seat] = 0;
        for (int n = 0; n <= NUMBER(LINE_COUNT); n++) SUMS[seat] += KNOWN->weights[n] * word[n];
    }
    int over = 0;
    for (int seat = 0; seat < seats; seat++) over |= of_seat(row, seat)[KNOWN->learned];
    for (int seat = 0; seat < seats; seat++) {
        double own = 0, others = 0;
        int partners = 0;
        for (int other = 0; other < seats; other++) {
            int is_partner = side_of(other) == side_of(seat);
            partners += is_partner;
            own += is_partner ? SUMS[other] : 0;
            others += is_partner ? 0 : SUMS[other];
        }
        double lead = own / partners - (partners < seats ? others / (seats - partners) : 0);
        worths[seat] = 0.5 + 0.5 * bent((lead - MIDDLES[seat]) / HERE->scale);
        if (over) worths[seat] += KNOWN->place_weight * (place_worth(row, seat) - worths[seat]);
    }
}

// Add to each seat's worth its part of the end of a rollout, from 0 to 1.
static void add_place_worth(int *row) {
    int over = HERE->most < 0 || row[1] < HERE->most;
    double weight = HERE->together ? 0 : over ? HERE->at_end : HERE->before_end;
    if (weight < 1) work_out_leads(row);
    for (int seat = 0; seat < NUMBER(SEATS); seat++) {
        double worth = weight > 0 ? weight * place_worth(row, seat) : 0;
        if (weight < 1) worth += (1 - weight) * (0.5 + 0.5 * bent((SUMS[seat] - MIDDLES[seat]) / HERE->scale));
        WORTH[seat] += worth / KNOWN->rollouts;
    }
}

// Add to each seat's worth the average of those ends of the turn that are the best for who decides.
static void add_best_worths(void) {
    int seats = NUMBER(SEATS), me = KNOWN->seat;
    for (int taken = 0; taken < KNOWN->best; taken++) {
        double *best = KNOWN->worths;
        for (int n = 1; n < KNOWN->rollouts; n++)
            if (KNOWN->worths[n * seats + me] > best[me]) best = KNOWN->worths + n * seats;
        for (int seat = 0; seat < seats; seat++) WORTH[seat] += best[seat] / KNOWN->best;
        best[me] = -1;
    }
}

// Play on at random from the state, as often as is ordered: to the end of the game or, by a learned value, of the turn.
// Return 0, or how that failed.
static int play_rest(void) {
    int *row = WORDS(RESULTS), given = CELL(GIVEN);
    u32 most = (u32)HERE->most;
    WORD(PLAYING) = 1;
    WORD(TURN) = KNOWN->learned ? KNOWN->seat + 1 : 0;
    WORD(MOST) = most >= (u32)(NUMBER(LIMIT) - given) ? NUMBER(LIMIT) : given + (int)most;
    if (KNOWN->rollouts > 1) __builtin_memcpy(TEMPLATE, IN_STATE(CELLS, 0), (u32)NUMBER(STATE_SIZE));
    set_worth(0);
    for (int n = 0; n < KNOWN->rollouts; n++) {
        if (n) {
            take_up_template();
            seed(GAME_CHANCE, HERE->number, (u32)(2 + n));
        }
        int ended = finish_game(row);
        if (ended) return ended;
        if (KNOWN->learned)
            write_learned_worth(row, KNOWN->worths + n * NUMBER(SEATS));
        else
            add_place_worth(row);
    }
    if (KNOWN->learned) add_best_worths();
    return 0;
}

static void try_in_world(void) {
    u8 *world = KNOWN->first_world + (u32)(KNOWN->tries % KNOWN->worlds) * (u32)KNOWN->world_size;
    __builtin_memcpy(HERE->side_of, world, 4 * (u32)NUMBER(SEATS));
    __builtin_memcpy(IN_STATE(CELLS, 0), world + 4 * EVEN_SEATS, (u32)NUMBER(STATE_SIZE));
    seed(GAME_CHANCE, HERE->number, 0);
    int ended = descend();
    if (ended == NUMBER(ENDED_ASKING) || ended == NUMBER(ENDED_OVER)) {
        ask_waiting();
        ended = play_rest();
    }
    struct turn *turn = KNOWN->path;
    if (ended) {  // the last option breaks the rules, or this world is one that they never come to
        HERE->failed++;
        set_worth(0);
        if (KNOWN->end != turn) turn = KNOWN->end - 1;
    }
    for (; turn != KNOWN->end; turn++) {
        turn->set->visits++;
        turn->option->visits++;
        turn->option->total += WORTH[turn->seat];
    }
}

// ── for the host ──

static int reserve_all(void) {
    int seats = NUMBER(SEATS), items = MOST_ITEMS;
    u32 before = (u32)HERE->free;
    KNOWN->options = reserve(4 * BUCKETS);
    KNOWN->sets = reserve(4 * BUCKETS);
    KNOWN->roots = reserve((u32)seats * (u32)sizeof(struct option));
    KNOWN->root = reserve(sizeof(struct information_set));
    if (!KNOWN->root) return 0;
    __builtin_memset((u8 *)(__UINTPTR_TYPE__)before, 0, (u32)HERE->free - before);
    KNOWN->last = reserve(4 * (u32)seats);
    KNOWN->found = reserve(4 * (u32)(items + 1));
    KNOWN->path = reserve(LONGEST_PATH * sizeof(struct turn));
    KNOWN->questions = reserve((u32)(seats * NUMBER(QUESTION_SIZE)));
    KNOWN->order = reserve(4 * (u32)seats);
    KNOWN->places = reserve(4 * (u32)(items + 1));
    KNOWN->sorted = reserve(4 * (u32)items);
    KNOWN->keys = reserve(8 * (u32)items);
    KNOWN->worths = reserve(8 * (u32)(seats * KNOWN->rollouts));
    KNOWN->weights = reserve(8 * (u32)(NUMBER(LINE_COUNT) + 1));
    KNOWN->priors = reserve(4 * (u32)KNOWN->prior_count);
    KNOWN->world_size = 4 * EVEN_SEATS + ((NUMBER(STATE_SIZE) + 7) & ~7);
    int most = (NUMBER(TREE_END) - HERE->free) / 2 / KNOWN->world_size;
    if (KNOWN->room > most) KNOWN->room = most;
    KNOWN->first_world = reserve((u32)KNOWN->room * (u32)KNOWN->world_size);
    return KNOWN->first_world && KNOWN->room;
}

// Begin trees without any option; return whether there is room.
EXPORTED int information_begin(void) {
    HERE->free = NUMBER(TREE);
    HERE->failed = 0;
    KNOWN->tries = 0;
    KNOWN->worlds = 0;
    seed(ANSWER_CHANCE, HERE->number, 1);
    return reserve_all();
}

// Make the tries that are ordered.
EXPORTED void information_on(void) {
    for (int left = HERE->tries; left > 0; left--) {
        try_in_world();
        KNOWN->tries++;
        HERE->number++;
    }
}

// Return the set in which more of the same answer is picked, or 0.
EXPORTED void *information_after(struct option *option) {
    struct information_set *set = KNOWN->sets[bucket_of(mixed((u32)(__UINTPTR_TYPE__)option, -1), 0)];
    while (set && (set->before != option || set->source != -1)) set = set->in_bucket;
    return set;
}
