/* Wild Cards 2022 for four, played at random, by hand in C: what `benchmark_simulate.py` and others measure against.

   wild_cards GAMES SEED prints the means of rounds, decisions and points by line of a seat, and the share of wins by
   seat. Answers are drawn as the engine draws them: each is as likely as any other, and equal cards or animals are one
   choice. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEATS = 4, SPECIES = 6, ANIMALS = 42, REMOVED = 6, DISPLAY = 3, CARDS = 46, LIMIT = 10, WILD = 3, NOBODY = -1 };
enum { PEACOCK, SQUIRREL, EAGLE, IBEX, LION, MEERKAT };
enum { REFILL = WILD << 3 | 7, KINDS = 32 }; /* a card is its habitat and its worth */

static const int8_t HOME[SPECIES] = {0, 0, 2, 2, 1, 1};

typedef struct {
    uint8_t hand[CARDS], payment[LIMIT + 2], bid, offer[LIMIT + 2];
    int8_t cards, paid, offered, refill, exchanged, herd[SPECIES], tokens;
} Seat;

typedef struct {
    Seat seat[SEATS];
    uint8_t animals[ANIMALS], display[DISPLAY], deck[CARDS], discard[CARDS + 1];
    int8_t leader[SPECIES];
    int animal_count, displayed, deck_count, discarded, talisman, used, rounds, decisions;
} Game;

static uint32_t a, b, c, counter;

static inline uint32_t bits(void) {
    uint32_t result = a + b + counter++;
    a = b ^ (b >> 9);
    b = c + (c << 3);
    c = ((c << 21) | (c >> 11)) + result;
    return result;
}

static inline int below(int limit) { return (int)(((uint64_t)bits() * (uint32_t)limit) >> 32); }

static void shuffle(uint8_t *items, int count) {
    for (; count > 1; count--) {
        int at = below(count);
        uint8_t item = items[at];
        items[at] = items[count - 1];
        items[count - 1] = item;
    }
}

static void draw(Game *g, Seat *s, int wanted) {
    while (wanted-- > 0 && s->cards < LIMIT) {
        if (!g->deck_count) {
            if (!g->discarded) return;
            memcpy(g->deck, g->discard, g->discarded);
            g->deck_count = g->discarded;
            g->discarded = 0;
            shuffle(g->deck, g->deck_count);
        }
        s->hand[s->cards++] = g->deck[--g->deck_count];
    }
}

static inline double fraction(void) { return bits() * 0x1p-32; }

/* from least to most cards of a hand, every set of kinds as likely as any other; gives how many */
static int take(Seat *s, int least, int most, uint8_t *to) {
    uint8_t count[KINDS] = {0}, taken[KINDS] = {0}, kind[LIMIT + 1];
    double ways[LIMIT + 2][LIMIT + 2];
    int kinds = 0, wanted = least, kept = 0, given = 0;
    if (most > s->cards) most = s->cards;
    for (int k = 0; k < s->cards; k++)
        if (!count[s->hand[k]]++) kind[kinds++] = s->hand[k];
    for (int n = 0; n <= most; n++) ways[kinds][n] = !n;
    for (int k = kinds; k--;)
        for (int n = 0; n <= most; n++) {
            ways[k][n] = 0;
            for (int some = 0; some <= n && some <= count[kind[k]]; some++) ways[k][n] += ways[k + 1][n - some];
        }
    if (least < most) {
        double left = 0;
        for (int n = least; n <= most; n++) left += ways[0][n];
        for (left *= fraction(); wanted < most && left >= ways[0][wanted]; wanted++) left -= ways[0][wanted];
    }
    for (int k = 0; k < kinds && wanted; k++) {
        int some = 0, top = count[kind[k]] < wanted ? count[kind[k]] : wanted;
        for (double left = fraction() * ways[k][wanted]; some < top && left >= ways[k + 1][wanted - some]; some++)
            left -= ways[k + 1][wanted - some];
        taken[kind[k]] = some;
        wanted -= some;
    }
    for (int at = 0; at < s->cards; at++) {
        uint8_t card = s->hand[at];
        int chosen = taken[card] > 0;
        to[given] = s->hand[kept] = card;
        taken[card] -= chosen;
        given += chosen;
        kept += !chosen;
    }
    s->cards = kept;
    return given;
}

/* one of so many things, or, with none, none: equal ones are one choice; gives its place or -1 */
static inline int one_of(const uint8_t *items, int count, int none) {
    for (;;) {
        int at = below(count + none) - none, first = 0;
        while (at > 0 && items[first] != items[at]) first++;
        if (at < 0 || first == at) return at;
    }
}

static inline int leads(Game *g, int seat, int kind) {
    int mine = g->seat[seat].herd[kind], most = 0;
    for (int other = 0; other < SEATS; other++)
        if (g->seat[other].herd[kind] > most) most = g->seat[other].herd[kind];
    return mine && mine == most;
}

static void claim(Game *g, int seat, int kind) {
    if (g->leader[kind] != seat && leads(g, seat, kind)) g->leader[kind] = seat;
}

static void lose(Game *g, int seat, int kind) {
    if (g->leader[kind] != seat || leads(g, seat, kind)) return;
    int best = 1, heir = NOBODY;
    for (int other = 0; other < SEATS; other++) {
        int herd = g->seat[other].herd[kind];
        if (other == seat || herd < best) continue;
        heir = herd > best || heir == NOBODY ? other : SEATS;
        best = herd;
    }
    g->leader[kind] = heir == SEATS ? NOBODY : heir;
}

static void place_bids(Game *g) {
    for (int n = 0; n < SEATS; n++) {
        Seat *s = &g->seat[n];
        int most = g->leader[EAGLE] == n ? 2 : 1;
        g->decisions++;
        if (s->refill) s->hand[s->cards++] = REFILL;
        s->offered = take(s, 1, most, s->offer);
        if (s->refill) {
            s->refill = s->cards && s->hand[s->cards - 1] == REFILL;
            s->cards -= s->refill;
        }
    }
    for (int n = 0; n < SEATS; n++) {
        Seat *s = &g->seat[n];
        s->bid = s->offer[0];
        if (s->offered == 2) {
            int mine = one_of(s->offer, 2, 0);
            uint8_t other = s->offer[1 - mine];
            g->decisions++;
            s->bid = s->offer[mine];
            if (other == REFILL) s->refill = 1;
            else s->hand[s->cards++] = other;
        }
    }
}

static void exchange(Game *g) {
    for (int again = 1; again;) {
        again = 0;
        for (int k = 1; k <= SEATS; k++) {
            int n = (g->talisman + k) & 3, count = 0, gained, given = 0;
            Seat *s = &g->seat[n];
            if (s->bid != REFILL || g->leader[MEERKAT] != n || s->exchanged) continue;
            s->exchanged = again = 1;
            for (int kind = 0; kind < SPECIES; kind++) count += s->herd[kind];
            if (!count || !g->displayed) continue;
            g->decisions++;
            if (!below(2)) continue;
            g->decisions += 2;
            for (int kind = count = 0; kind < SPECIES; kind++) count += s->herd[kind] > 0;
            for (int at = below(count); !s->herd[given] || at--; given++) {}
            int place = one_of(g->display, g->displayed, 0);
            gained = g->display[place];
            g->display[place] = given;
            s->herd[given]--;
            s->herd[gained]++;
            claim(g, n, gained);
            lose(g, n, given);
        }
    }
}

static void refill(Game *g) {
    for (int k = 1; k <= SEATS; k++) {
        int n = (g->talisman + k) & 3;
        Seat *s = &g->seat[n];
        if (s->bid != REFILL) continue;
        g->decisions += s->cards > 0;
        g->discarded += take(s, 0, s->cards, g->discard + g->discarded);
        int size = g->leader[SQUIRREL] == n ? 10 : 7;
        draw(g, s, size - s->cards);
        s->refill = 1;
        s->exchanged = 0;
    }
}

static inline int value(const Seat *s) { return s->bid & 7; }
static inline int owed(const Seat *s) { return value(s) - 1 - s->paid; }

static void pay(Game *g, Seat *s) {
    if (!owed(s) || s->cards < owed(s)) return;
    g->decisions++;
    s->paid += take(s, owed(s), owed(s), s->payment + s->paid);
}

static void acquire(Game *g, int n) {
    Seat *s = &g->seat[n];
    if (g->displayed && s->cards >= owed(s)) {
        g->decisions++;
        int at = one_of(g->display, g->displayed, 1);
        if (at >= 0) {
            int kind = g->display[at], home = HOME[kind];
            pay(g, s);
            g->display[at] = g->display[--g->displayed];
            s->herd[kind]++;
            claim(g, n, kind);
            int fits = s->bid >> 3 == WILD || s->bid >> 3 == home;
            for (int k = 0; k < s->paid; k++) fits &= s->payment[k] >> 3 == WILD || s->payment[k] >> 3 == home;
            if (fits) s->tokens += 2;
            return;
        }
    }
    s->hand[s->cards++] = s->bid;
    for (int k = 0; k < s->paid; k++) s->hand[s->cards++] = s->payment[k];
    s->bid = s->paid = 0;
    draw(g, s, 2);
}

/* four keys, the greatest first, without a branch on them */
static inline void sort(int *keys) {
    static const uint8_t PAIRS[5][2] = {{0, 1}, {2, 3}, {0, 2}, {1, 3}, {1, 2}};
    for (int k = 0; k < 5; k++) {
        int one = keys[PAIRS[k][0]], other = keys[PAIRS[k][1]];
        keys[PAIRS[k][0]] = one > other ? one : other;
        keys[PAIRS[k][1]] = one > other ? other : one;
    }
}

static void tie(Game *g, int *keys, int count) {
    for (int k = 0; k < count && g->displayed; k++) pay(g, &g->seat[keys[k] & 3]);
    for (int k = 0; k < count; k++) {
        int n = keys[k] & 3, total = 0;
        Seat *s = &g->seat[n];
        for (int p = 0; p < s->paid; p++) total += s->payment[p] & 7;
        keys[k] = ((s->paid == value(s) - 1) << 8 | (g->leader[LION] == n) << 7 | total) << 4 | (keys[k] & 15);
    }
    for (int k = count; k < SEATS; k++) keys[k] = -1;
    sort(keys);
    for (int first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && keys[end] >> 4 == keys[first] >> 4;) end++;
        if (end - first > 1 && g->displayed && keys[first] >> 12) g->used = 1;
        for (int k = first; k < end; k++) acquire(g, keys[k] & 3);
    }
}

static void acquire_all(Game *g) {
    int keys[SEATS], count = 0;
    for (int k = 0; k < SEATS; k++) { /* clockwise, the owner of the talisman last */
        int n = (g->talisman + 1 + k) & 3, bids = g->seat[n].bid != REFILL;
        keys[k] = bids ? value(&g->seat[n]) << 4 | (3 - k) << 2 | n : -1;
        count += bids;
    }
    sort(keys);
    for (int first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && keys[end] >> 4 == keys[first] >> 4;) end++;
        if (end - first == 1) {
            acquire(g, keys[first] & 3);
        } else {
            int tied[SEATS];
            memcpy(tied, keys + first, sizeof(int) * (end - first));
            tie(g, tied, end - first);
        }
    }
}

static int next_round(Game *g) {
    for (int k = 1; k <= SEATS; k++) {
        int n = (g->talisman + k) & 3;
        Seat *s = &g->seat[n];
        if (s->bid && s->bid != REFILL) {
            if (g->leader[IBEX] == n && s->bid >> 3 != WILD) {
                g->decisions++;
                if (below(2) && s->cards < LIMIT) s->hand[s->cards++] = s->bid, s->bid = 0;
            }
            if (s->bid) g->discard[g->discarded++] = s->bid;
            for (int p = 0; p < s->paid; p++) g->discard[g->discarded++] = s->payment[p];
        }
        s->bid = s->paid = 0;
    }
    if (g->animal_count < DISPLAY) return 0;
    for (g->displayed = 0; g->displayed < DISPLAY;) g->display[g->displayed++] = g->animals[--g->animal_count];
    if (g->used) g->talisman = (g->talisman + 1) & 3;
    g->used = 0;
    return 1;
}

static void play(Game *g) {
    memset(g, 0, sizeof *g);
    memset(g->leader, NOBODY, sizeof g->leader);
    for (int n = 0; n < ANIMALS; n++) g->animals[n] = n % SPECIES;
    for (int habitat = 0; habitat < 4; habitat++)
        for (int worth = 1; worth <= 4; worth++)
            for (int k = habitat == WILD ? 1 : 6 - worth; k; k--) g->deck[g->deck_count++] = habitat << 3 | worth;
    shuffle(g->animals, ANIMALS);
    shuffle(g->deck, CARDS);
    g->animal_count = ANIMALS - REMOVED;
    while (g->displayed < DISPLAY) g->display[g->displayed++] = g->animals[--g->animal_count];
    for (int n = 0; n < SEATS; n++) {
        draw(g, &g->seat[n], 7);
        g->seat[n].refill = 1;
    }
    g->talisman = below(SEATS);
    do {
        g->rounds++;
        place_bids(g);
        exchange(g);
        refill(g);
        acquire_all(g);
    } while (next_round(g));
}

int main(int argc, char **argv) {
    long games = argc > 1 ? atol(argv[1]) : 100000, first = argc > 2 ? atol(argv[2]) : 1;
    double rounds = 0, decisions = 0, points[4] = {0}, wins[SEATS] = {0};
    Game g;
    for (long number = 0; number < games; number++) {
        int score[SEATS], best = -1, winners = 0;
        a = (uint32_t)(first + number), b = 0, c = 0, counter = 1;
        for (int k = 0; k < 12; k++) bits();
        play(&g);
        rounds += g.rounds, decisions += g.decisions;
        for (int n = 0; n < SEATS; n++) {
            int one = 0, two = 0, crowns = 0, all = 0;
            for (int kind = 0; kind < SPECIES; kind++) {
                int herd = g.seat[n].herd[kind];
                all += herd;
                if (herd > one) two = one, one = herd;
                else if (herd > two) two = herd;
                if (g.leader[kind] == n) crowns += kind == PEACOCK ? 3 : 1;
            }
            points[0] += 2 * one, points[1] += two, points[2] += crowns, points[3] += g.seat[n].tokens;
            score[n] = (2 * one + two + crowns + g.seat[n].tokens) << 8 | all;
            if (score[n] > best) best = score[n];
        }
        for (int n = 0; n < SEATS; n++) winners += score[n] == best;
        for (int n = 0; n < SEATS; n++) wins[n] += score[n] == best ? 1.0 / winners : 0;
    }
    printf("%.4f %.4f", rounds / games, decisions / games);
    for (int k = 0; k < 4; k++) printf(" %.4f", points[k] / games / SEATS);
    for (int n = 0; n < SEATS; n++) printf(" %.4f", wins[n] / games);
    printf("\n");
    return 0;
}
