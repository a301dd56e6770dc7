// A search for the best answer to a question, where nothing is hidden: a tree of answers, grown by tries. A try follows
// the answers that are best so far to a new one, plays on from there at random, and adds what the end is worth to every
// answer on its way. The tree lies in TREE; once that is full, no more is added.
//
// What comes after the same answers is the same, unless the game's chance was asked: it is then told apart by what all
// can see. Every second node keeps the state in which its question is asked; a try begins at the last one on its way.

SYMBOL(SEARCH); SYMBOL(TREE_END); SYMBOL(SOURCES); SYMBOL(GLANCE_OF_ALL);

#define DEEPEST 512
#define MOST_OUTCOMES 256
#define MOST_COMPARED 512
// The game's generator has this count when its stream begins, and a greater one when it was asked.
#define UNASKED 13
#define ENOUGH -1
#define NO_KEY -1
// Answers that win at once are looked for among so many at most; after as many looks, only where one in so many finds one.
#define MOST_LOOKED_AT 32
#define FIRST_LOOKS 256
#define RARE 16
// Where there are fewer answers, each is tried often enough.
#define FEWEST_FOR_AMAF 8

enum { UNKNOWN, LOST, EVEN, WON };
#define NOBODY -1

// Where a seat is asked: cell of the answer and whether each seat has its own; block that continues; what candidates are,
// as bits: 1 pieces, 2 numbers, 4 where a turn begins; cell that says whether equal ones differ by their places, or -1; in
// an `at once` the first cells of the block with which a seat goes on, or -1, and of that with which it goes on when it
// has waited for effects; whether it waits.
struct source {
    int slot, per_seat, resume, pieces, by_place, next_block, parked_block, parks;
};

// A question with its candidates in the order of the offer. Behind them stands for each the place of the one before it
// that looks alike, or -1.
struct question {
    int source, seat, least, most, size, items[];
};

// One more candidate of an answer, by its place, or ENOUGH. known: its result for who is asked, if that is certain;
// open: whether chance decides what follows, which is then a list of nodes; key, as_first: what amaf.c knows of it.
struct choice {
    int place, visits;
    double total;
    struct node *next;
    u8 known, open;
    short key;
    struct estimate as_first;
};

// What follows an answer, or the rest of an answer after so many picks. seen: what of it all see; choices: none before
// its second visit; winner: unknown, NOBODY, or 1 + the side that wins for certain; lead, points: see leads.c.
struct node {
    i64 seen;
    struct node *other, *above;
    struct choice *before, *choices;
    struct question *question;
    struct kept_state *state;
    int count, visits;
    short picks, winner;
    float lead;
    int points[2];
};

struct step {
    struct node *node;
    struct choice *choice;
};

// What the host orders and reads: number of the next try; tries to make; rollouts from a leaf and their most decisions;
// whether two sides contend, and whether all play together; how far the tree is filled; failed tries; whether a win that
// is certain may still be a higher one; the root, and values to add to its choices by their places, from ENOUGH on, or
// none; weights of the place at the end and before it, and of rare answers; value of new ones; twice what leads are
// divided by; weight of rare answers where all answers count as first ones, and how far that misleads, or less than 0
// where they do not; weight of leads, and of how many candidates seats have in rollouts, with two sides; how often answers
// that win at once were looked for, and found; how often a side's points were kept or fell from one answer to the next.
// Behind: of each seat its side, then the middle of its leads.
struct search {
    i64 number;
    int tries, rollouts, most, two_sides, together, free, failed, by_margin;
    struct node *root;
    float *preferences;
    double at_end, before_end, exploration, first_value, scale, amaf_exploration, amaf_bias, lead_weight;
    double freedom_weight;
    int looked, won_at_once, kept, fell;
    int side_of[];
};

#define HERE ((struct search *)SEARCH)
#define EVEN_SEATS ((NUMBER(SEATS) + 1) & ~1)
#define MIDDLES ((double *)(HERE->side_of + EVEN_SEATS))
#define WORTH (MIDDLES + NUMBER(SEATS))
#define SUMS (WORTH + NUMBER(SEATS))
#define AVERAGES (SUMS + NUMBER(SEATS))
#define WORTH_OF_GAME (AVERAGES + NUMBER(SEATS))
#define PATH ((struct step *)(WORTH_OF_GAME + NUMBER(SEATS)))
#define PICKS ((int *)(PATH + DEEPEST))

static void *reserve(u32 size) {
    size = (size + 7) & ~7u;
    if (size > (u32)NUMBER(TREE_END) - (u32)HERE->free) return 0;
    u8 *place = (u8 *)(__UINTPTR_TYPE__)HERE->free;
    HERE->free += (int)size;
    return place;
}

static void give_back_from(void *end) { HERE->free = ((int)(__UINTPTR_TYPE__)end + 7) & ~7; }

static inline struct question *asked(void) { return (struct question *)ASKED; }

static inline struct source *source_of(struct question *question) { return (struct source *)SOURCES + question->source; }

static inline int *alike_before(struct question *question) { return question->items + question->size; }

static inline int side_of(int seat) { return HERE->side_of[seat]; }

// ── what an end is worth ──

// tanh, to within a fortieth
static inline double bent(double x) {
    if (x >= 3) return 1;
    if (x <= -3) return -1;
    return x * (27 + x * x) / (27 + 9 * x * x);
}

// ln, to within a hundredth
static inline double logarithm(int number) {
    int power = 31 - __builtin_clz((u32)number | 1);
    double part = (double)number / (double)(1u << power);
    return 0.6931 * (power + (2 - part / 3) * part - 1.6667);
}

// The place of a seat in a row of results, with the points of its lines behind it.
static inline int *of_seat(int *row, int seat) { return row + 3 + seat * (NUMBER(LINE_COUNT) + 1); }

// Add up the points of each seat.
static void add_points(int *row) {
    for (int seat = 0; seat < NUMBER(SEATS); seat++) {
        int *line = of_seat(row, seat), sum = 0;
        for (int left = NUMBER(LINE_COUNT); left; left--) sum += *++line;
        SUMS[seat] = sum;
    }
}

// Work out how far each seat is ahead: its points, less the average of the other sides' averages.
static void work_out_leads(int *row) {
    double all = 0;
    int sides = 0;
    add_points(row);
    if (HERE->together) return;
    for (int seat = 0; seat < NUMBER(SEATS); seat++) {
        double sum = 0;
        int partners = 0, first = 1;
        if (!*of_seat(row, seat)) continue;
        for (int other = 0; other < NUMBER(SEATS); other++) {
            if (side_of(other) != side_of(seat) || !*of_seat(row, other)) continue;
            sum += SUMS[other];
            partners++;
            first &= other >= seat;
        }
        AVERAGES[seat] = sum / partners;
        if (!first) continue;
        all += AVERAGES[seat];
        sides++;
    }
    if (sides < 2) return;
    for (int seat = 0; seat < NUMBER(SEATS); seat++)
        SUMS[seat] = *of_seat(row, seat) ? AVERAGES[seat] - (all - AVERAGES[seat]) / (sides - 1) : 0;
}

// The share of the seats of other sides that a seat is placed before; ties count half.
static double share_beaten(int *row, int seat) {
    int place = *of_seat(row, seat), others = 0, halves = 0;
    for (int other = 0; other < NUMBER(SEATS); other++) {
        int there = *of_seat(row, other);
        if (!there || side_of(other) == side_of(seat)) continue;
        others++;
        halves += 2 * (place < there) + (place == there);
    }
    return place && others ? (double)halves / (2 * others) : 0.5;
}

// Add to each seat's worth its part of an end, from 0 to 1.
static void add_worth(int *row) {
    int over = HERE->most < 0 || row[1] < HERE->most;
    double weight = HERE->together ? 0 : over ? HERE->at_end : HERE->before_end;
    if (weight < 1) work_out_leads(row);
    for (int seat = 0; seat < NUMBER(SEATS); seat++) {
        double worth = weight > 0 ? weight * share_beaten(row, seat) : 0;
        if (weight < 1) worth += (1 - weight) * (0.5 + 0.5 * bent((SUMS[seat] - MIDDLES[seat]) / HERE->scale));
        WORTH_OF_GAME[seat] = worth;
        WORTH[seat] += worth / HERE->rollouts;
    }
}

static void set_worth(double worth) {
    for (int seat = 0; seat < NUMBER(SEATS); seat++) WORTH[seat] = worth;
}

// The side that alone wins, plus 1, or NOBODY.
static int winner_in(int *row) {
    int winner = NOBODY;
    for (int seat = 0; seat < NUMBER(SEATS); seat++) {
        if (*of_seat(row, seat) != 1) continue;
        if (winner != NOBODY && winner != 1 + side_of(seat)) return NOBODY;
        winner = 1 + side_of(seat);
    }
    return winner;
}

static inline int known_to(int seat, int winner) {
    if (!winner) return UNKNOWN;
    return winner == NOBODY ? EVEN : winner == 1 + side_of(seat) ? WON : LOST;
}

static void settle(int winner) {
    for (int seat = 0; seat < NUMBER(SEATS); seat++) WORTH[seat] = 0.5 * (known_to(seat, winner) - LOST);
}

// ── answers ──

// Note of each candidate which one before it looks alike to who is asked.
static void compare_candidates(struct question *question) {
    struct source *source = source_of(question);
    int *before = alike_before(question), *last_alike = WORDS(TEMPORARY), seat = question->seat;
    int differ = !(source->pieces & 1) || question->size > MOST_COMPARED;
    if (source->by_place >= 0) differ |= CELL_OF(CELLS, source->by_place + seat * source->per_seat);
    for (int place = 0; place < question->size; place++) {
        int first = differ ? place : first_alike(question->items, place, seat);
        before[place] = first == place ? -1 : last_alike[first];
        if (!differ) last_alike[first] = place;
    }
}

// Whether a candidate may be chosen after those in PICKS: in their order, and of those that look alike the first.
static int may_follow(struct question *question, int place, int picks) {
    int before = alike_before(question)[place];
    if (before < 0) return 1;
    for (int n = 0; n < picks; n++)
        if (PICKS[n] == before) return 1;
    return 0;
}

static inline int least_place(int picks) { return picks ? PICKS[picks - 1] + 1 : 0; }

// Add picks at random; return how many there are then.
static int pick_on(struct question *question, int picks) {
    while (picks < question->most) {
        int chosen = ENOUGH, ways = picks >= question->least;
        for (int place = least_place(picks); place < question->size; place++)
            if (question->size - place >= question->least - picks && may_follow(question, place, picks) && !chance(++ways))
                chosen = place;
        if (chosen == ENOUGH) break;
        PICKS[picks++] = chosen;
    }
    return picks;
}

// Add the first candidates while picks are missing; return how many there are then.
static int fill_up(struct question *question, int picks) {
    for (int place = 0; picks < question->least && place < question->size; place++) {
        int n = 0;
        while (n < picks && PICKS[n] != place) n++;
        if (n == picks) PICKS[picks++] = place;
    }
    return picks;
}

// Put an answer into the state, and let the block after its question be next.
static void put_answer(struct question *question, int picks, int whole) {
    struct source *source = source_of(question);
    int *slot = (int *)in_state(WORDS(SETS)[source->slot + question->seat * source->per_seat]);
    *slot = picks;
    for (int n = 0; n < picks; n++) slot[1 + n] = question->items[whole ? n : PICKS[n]];
    CELL(GIVEN)++;
    CELL(PC) = source->resume;
}

static int end_at_limit(int ended) {
    if (ended != NUMBER(ENDED_ASKING) || CELL(GIVEN) < NUMBER(LIMIT)) return ended;
    CELL(PC) = NUMBER(GAME_OVER);
    CELL(LIMITED) = 1;
    return NUMBER(ENDED_OVER);
}

// Run on to a question that can be answered in more than one way, or to the end.
static int run_on(void) {
    for (;;) {
        CELL(FUEL) = NUMBER(FUEL_FOR_ONE);
        WORD(PLAYING) = 0;
        WORD(ASKED_END) = NUMBER(ASKED);
        int ended = end_at_limit(advance());
        if (ended != NUMBER(ENDED_ASKING)) return ended;
        struct question *question = asked();
        if (question->size > question->least && question->most > 0) return ended;
        put_answer(question, question->most > 0 ? question->size : 0, 1);
    }
}

// ── the tree ──

static struct node *new_node(struct node *above, struct choice *before) {
    struct node *node = reserve(sizeof(struct node));
    if (!node) return 0;
    __builtin_memset(node, 0, sizeof(struct node));
    node->above = above;
    node->before = before;
    node->lead = -1;
    return node;
}

// Whether it pays to look at what a node's answers were worth later, too.
static inline int uses_amaf(struct node *node) { return HERE->amaf_bias >= 0 && node->count >= FEWEST_FOR_AMAF; }

// Give a node its choices, in any order, if there is room; return whether there was.
static int list_choices(struct node *node) {
    struct question *question = node->question;
    int picks = 0;
    for (struct node *part = node; part->picks; part = part->above) PICKS[part->picks - 1] = part->before->place;
    picks = node->picks;
    int left = question->size - least_place(picks);
    struct choice *choices = reserve((u32)(left + 1) * (u32)sizeof(struct choice)), *to = choices;
    if (!choices) return 0;
    for (int place = picks >= question->least ? ENOUGH : least_place(picks); place < question->size; place++) {
        if (place >= 0 && place < least_place(picks)) continue;
        if (place >= 0 && (question->size - place < question->least - picks || !may_follow(question, place, picks))) continue;
        struct choice *other = choices + chance((int)(to - choices) + 1);
        *to++ = *other;
        *other = (struct choice){.place = place};
        int item = place < 0 ? NO_ITEM : question->items[place];
        other->key = place < 0 && picks ? NO_KEY : (short)key_of(question->source, question->seat, item);
    }
    if (to == choices) *to++ = (struct choice){.place = ENOUGH, .key = NO_KEY};
    give_back_from(to);
    node->choices = choices;
    node->count = (int)(to - choices);
    ALL_AS_FIRST->is_wanted |= uses_amaf(node);
    return 1;
}

// Take the question that is asked, and its state if there is room, into a node; return whether there was for what it
// needs. A state that came by chance does not come again.
static int expand(struct node *node) {
    int needs_state = !node->before || node->before->open;
    struct question *question = asked();
    u32 size = (u32)sizeof(struct question) + 4 * (u32)question->size;
    struct question *own = reserve(size + 4 * (u32)question->size);
    if (!own) return 0;
    __builtin_memcpy(own, question, size);
    compare_candidates(own);
    node->question = own;
    if (needs_state || !node->above->state) node->state = keep_state();
    return (node->state || !needs_state) && list_choices(node);
}

// Whether more picks of the same answer may follow a choice of a node.
static inline int goes_on(struct node *node, struct choice *choice) {
    return choice->place != ENOUGH && node->picks + 1 < node->question->most && choice->place + 1 < node->question->size;
}

#include "leads.c"

static struct choice *best_choice(struct node *node) {
    double most = -10, weight = HERE->exploration * __builtin_sqrt(logarithm(node->visits + 1));
    struct choice *best = node->choices;
    int is_root = node == HERE->root, with_amaf = uses_amaf(node);
    int side = side_of(node->question->seat), with_leads = HERE->lead_weight > 0 && HERE->two_sides && keeps_points();
    if (with_amaf) weight *= HERE->amaf_exploration / HERE->exploration;
    float *preferences = is_root ? HERE->preferences : 0;
    for (struct choice *choice = best, *last = best + node->count; choice != last; choice++) {
        double bound = HERE->first_value;
        if (choice->known && !HERE->by_margin) {
            if (choice->known == WON) return choice;
            if (is_root) continue;  // below, a mean has to tell what the best choice is worth
            bound = choice->known == LOST ? -0.5 : 0.5;
        } else if (with_amaf && choice->key >= 0) {
            bound = worth_with_amaf(choice->visits, choice->total, &choice->as_first, choice->key, HERE->first_value,
                                    HERE->amaf_bias);
            bound += weight / __builtin_sqrt(choice->visits + 1) - (choice->known == LOST);
            bound += expected_of(choice->key, choice->visits);
        } else if (choice->visits) {
            bound = (choice->total + weight * __builtin_sqrt(choice->visits)) / choice->visits - (choice->known == LOST);
            float lead = with_leads ? lead_after(choice, side) : NO_LEAD;
            if (lead >= 0) bound += HERE->lead_weight * (lead - choice->total / choice->visits);
        }
        if (preferences) bound += preferences[1 + choice->place];
        if (bound > most) {
            most = bound;
            best = choice;
        }
    }
    return best;
}

// What a node's choices make certain: one that wins, or all.
static int winner_at(struct node *node) {
    int most = UNKNOWN, least = WON, winner = UNKNOWN;
    for (struct choice *choice = node->choices, *last = choice + node->count; choice != last; choice++) {
        if (choice->known < least) least = choice->known;
        if (choice->known > most) most = choice->known;
        if (choice->known == LOST) winner = choice->next->winner;
    }
    if (most == WON) return 1 + side_of(node->question->seat);
    return least == UNKNOWN ? UNKNOWN : most == EVEN ? NOBODY : winner;
}

// Carry what has become certain up the tree.
static void prove(struct node *node) {
    while (node->winner && node->before && !node->before->open) {
        struct node *above = node->above;
        node->before->known = (short)known_to(above->question->seat, node->winner);
        if (above->winner || !(above->winner = winner_at(above))) return;
        node = above;
    }
}

// Find or add the node that stands for the state after a choice; 0 where there is no room.
static struct node *node_after(struct node *above, struct choice *choice) {
    i64 seen = 0;
    int outcomes = 0;
    if (GAME_CHANCE[3] != UNASKED) {
        choice->open = 1;
        seen = glance(WORDS(GLANCE_OF_ALL));
    }
    for (struct node *node = choice->next; node; node = node->other, outcomes++)
        if (node->seen == seen) return node;
    struct node *node = outcomes < MOST_OUTCOMES ? new_node(above, choice) : 0;
    if (!node) return 0;
    node->seen = seen;
    node->other = choice->next;
    choice->next = node;
    return node;
}

// ── a try ──

// Take a game that was played on from the end of a path into what answers on the path, and others there, are worth.
static void learn_from_rollout(struct step *end) {
    learn_from_game(WORTH_OF_GAME);
    while (end-- != PATH) {
        struct node *node = end->node;
        double worth = WORTH_OF_GAME[node->question->seat];
        if (end->choice->key >= 0) mark_given(end->choice->key);
        if (!uses_amaf(node)) continue;
        for (struct choice *choice = node->choices, *last = choice + node->count; choice != last; choice++)
            if (choice->key >= 0 && was_given(choice->key)) add_to(&choice->as_first, worth);
    }
}

// Add to each seat's worth how many candidates its side had for an answer of the last game, against the other side.
static void add_freedom(void) {
    double one = 0, other = 0;
    int asked_one = 0, asked_other = 0;
    for (int seat = 0; seat < NUMBER(SEATS) && seat < MOST_SEATS; seat++) {
        double offered = ALL_AS_FIRST->offered[seat];
        int asked = ALL_AS_FIRST->asked[seat], is_other = side_of(seat);
        one += is_other ? 0 : offered;
        other += is_other ? offered : 0;
        asked_one += is_other ? 0 : asked;
        asked_other += is_other ? asked : 0;
    }
    if (!asked_one || !asked_other || one + other <= 0) return;
    one /= asked_one;
    other /= asked_other;
    double worth = HERE->freedom_weight * (one - other) / (one + other);
    for (int seat = 0; seat < NUMBER(SEATS); seat++) {
        double part = side_of(seat) ? -worth : worth;
        WORTH_OF_GAME[seat] += part;
        WORTH[seat] += part / HERE->rollouts;
    }
}

// Play on at random from the state at the end of a path, 0 if none, as often as is ordered; return 0, or how that failed.
static int roll_out(struct step *end) {
    int left = HERE->rollouts, *row = WORDS(RESULTS), given = CELL(GIVEN);
    u32 most = (u32)HERE->most;
    WORD(PLAYING) = 1;
    WORD(MOST) = most >= (u32)(NUMBER(LIMIT) - given) ? NUMBER(LIMIT) : given + (int)most;
    if (left > 1) __builtin_memcpy(TEMPLATE, IN_STATE(CELLS, 0), (u32)NUMBER(STATE_SIZE));
    for (;;) {
        struct amaf *amaf = ALL_AS_FIRST;
        __builtin_memset(amaf->asked, 0, sizeof(amaf->asked) + sizeof(amaf->offered));
        amaf->count = 0;
        amaf->replies_too = amaf->is_wanted;
        amaf->before = end ? end[-1].choice->key : NO_KEY;
        int ended = finish_game(row);
        amaf->replies_too = 0;
        if (ended) return ended;
        add_worth(row);
        if (HERE->freedom_weight > 0) add_freedom();
        if (end && amaf->is_wanted) learn_from_rollout(end);
        if (!--left) return 0;
        take_up_template();
        seed(GAME_CHANCE, HERE->number, (u32)(2 + left));
    }
}

// Play the choices of a path from the last kept state on; return how that ended.
static int replay(struct step *from, struct step *end) {
    take_up_state(from->node->state);
    seed(GAME_CHANCE, HERE->number, 0);
    int picks = 0, ended = NUMBER(ENDED_ASKING);
    for (struct step *step = from; step != end; step++) {
        struct question *question = step->node->question;
        if (step->choice->place != ENOUGH) PICKS[picks++] = step->choice->place;
        if (goes_on(step->node, step->choice)) {
            if (step + 1 != end) continue;
            picks = pick_on(question, picks);
        }
        put_answer(question, fill_up(question, picks), 0);
        picks = 0;
        ended = run_on();
        if (ended != NUMBER(ENDED_ASKING)) return ended;
    }
    return ended;
}

// Whether who is asked can win at once; if not, the state is as before.
static int can_win_at_once(void) {
    struct question *question = asked();
    int size = question->size, seat = question->seat, *row = WORDS(RESULTS), wins = 0;
    if (!HERE->two_sides || HERE->by_margin || question->most != 1 || size > MOST_LOOKED_AT) return 0;
    if (HERE->looked > FIRST_LOOKS && HERE->won_at_once * RARE < HERE->looked) return 0;
    struct question *own = reserve((u32)sizeof(struct question) + 4 * (u32)size);
    if (!own) return 0;
    __builtin_memcpy(own, question, (u32)sizeof(struct question) + 4 * (u32)size);
    __builtin_memcpy(TEMPLATE, IN_STATE(CELLS, 0), (u32)NUMBER(STATE_SIZE));
    for (int place = 0; place < size && !wins; place++) {
        PICKS[0] = place;
        put_answer(own, 1, 0);
        CELL(FUEL) = NUMBER(FUEL_FOR_ONE);
        WORD(PLAYING) = 0;
        WORD(ASKED_END) = NUMBER(ASKED);
        if (end_at_limit(advance()) == NUMBER(ENDED_OVER) && GAME_CHANCE[3] == UNASKED && !write_result(row, 0))
            wins = winner_in(row) == 1 + side_of(seat);
        take_up_template();
    }
    give_back_from(own);
    HERE->looked++;
    HERE->won_at_once += wins;
    return wins ? 1 + side_of(seat) : 0;
}

static void back_up(struct step *end) {
    if (HERE->lead_weight > 0 && HERE->two_sides)
        for (struct step *step = end; step != PATH && update_lead(step[-1].node);) step--;
    for (struct step *step = PATH; step != end; step++) {
        step->node->visits++;
        step->choice->visits++;
        step->choice->total += WORTH[step->node->question->seat];
    }
}

// Find the worth of the state at the end of a path, and return 0; or return the node from which the try goes on: a new
// one, or the last one again.
static struct node *arrive(struct step *from, struct step *end) {
    struct step *last = end - 1;
    int parted = goes_on(last->node, last->choice), deepest = end == PATH + DEEPEST, *row = WORDS(RESULTS);
    if (parted && last->choice->next && !deepest) {
        struct node *part = last->choice->next;
        if (part->choices || list_choices(part)) return part;
    }
    int ended = replay(from, end);
    if (parted && !last->choice->next) {
        struct node *part = new_node(last->node, last->choice);
        if (part) {
            part->picks = last->node->picks + 1;
            part->question = last->node->question;
            last->choice->next = part;
        }
    } else if (!parted && ended == NUMBER(ENDED_ASKING)) {
        struct node *node = node_after(last->node, last->choice);
        int is_new = node && !node->visits++;
        if (is_new && HERE->lead_weight > 0 && HERE->two_sides && !write_result(row, CELL(GIVEN))) set_lead(node, row);
        if (node && !is_new && !deepest && (node->choices || expand(node))) return node;
        if (is_new && GAME_CHANCE[3] == UNASKED && (node->winner = can_win_at_once())) {
            prove(node);
            if (!last->node->winner) return last->node;  // what is a mistake for certain says nothing of the rest
            settle(node->winner);
            return 0;
        }
    }
    if (ended == NUMBER(ENDED_OVER)) {
        ended = write_result(row, CELL(GIVEN));
        if (!ended) {
            set_worth(0);
            int left = HERE->rollouts;
            while (left--) add_worth(row);
        }
        if (!ended && HERE->two_sides && !parted && GAME_CHANCE[3] == UNASKED) {
            struct node *node = node_after(last->node, last->choice);
            if (node) {
                node->winner = (short)winner_in(row);
                if (HERE->lead_weight > 0) set_lead(node, row);
                prove(node);
            }
        }
    } else if (ended == NUMBER(ENDED_ASKING)) {
        set_worth(0);
        ended = roll_out(end);
    }
    if (ended) {
        HERE->failed++;
        WORD(ENDED) = ended;
        set_worth(0);
    }
    return 0;
}

static void try_once(void) {
    struct node *node = HERE->root;
    struct step *from = PATH, *end = PATH;
    for (;;) {
        if (node->state) from = end;
        struct choice *choice = best_choice(node);
        end->node = node;
        end->choice = choice;
        end++;
        node = choice->open ? 0 : choice->next;
        if (node && node->winner && !HERE->by_margin) {
            settle(node->winner);
            break;
        }
        if (node && node->choices && end != PATH + DEEPEST) continue;
        node = arrive(from, end);
        if (!node) break;
        if (node == end[-1].node) end--;
    }
    back_up(end);
}

// ── for the host ──

// Plant a tree at the question of the state; return how the run to it ended.
EXPORTED int search_begin(void) {
    HERE->free = NUMBER(TREE);
    HERE->failed = 0;
    HERE->preferences = 0;
    begin_amaf();
    seed(ANSWER_CHANCE, HERE->number, 1);
    seed(GAME_CHANCE, HERE->number, 0);
    int ended = run_on();
    if (ended != NUMBER(ENDED_ASKING)) return ended;
    HERE->root = keep_base() ? new_node(0, 0) : 0;
    return HERE->root && expand(HERE->root) ? ended : NUMBER(ENDED_OVER);
}

// Make room for values that are added to those of the root's choices; return where it is.
EXPORTED float *search_preferences(int size) {
    return HERE->preferences = reserve((u32)size);
}

// Expect of an answer to the root's kind of question, by whichever seat, so many thousandths more than of others.
EXPORTED void search_expect(int place, int thousandths) {
    struct question *question = HERE->root->question;
    for (int seat = 0; seat < NUMBER(SEATS); seat++)
        ALL_AS_FIRST->expected[key_of(question->source, seat, question->items[place])] = (float)thousandths / 1000;
}

// Make the tries that are ordered, fewer if the result becomes certain and nothing else counts; return how many were made.
EXPORTED int search_on(void) {
    int made = 0;
    while (made < HERE->tries && (!HERE->root->winner || HERE->by_margin)) {
        try_once();
        HERE->number++;
        made++;
    }
    return made;
}
