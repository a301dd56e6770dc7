// All answers as first: what an answer is worth is learnt, too, from the games in which its seat gave it later (AMAF).
// Where answers are many, most have been tried rarely; where they mean the same later, such as a space of a board that is
// taken, this tells them apart long before.
//
// The games themselves are played better by what was learnt: whoever replies to an answer as won the last time replies so
// again, until it loses.
//
// Sources: Gelly and Silver, "Monte-Carlo tree search and rapid action value estimation in computer Go", 2011; of answers
// that even this does not know, what they were worth in all games: Sironi and Winands, "Comparison of rapid action value
// estimation variants for general game playing", 2016 (HRAVE); replies: Baier and Drake, "The power of forgetting:
// improving the last-good-reply policy in Monte Carlo Go", 2010.

SYMBOL(AMAF);

#define MOST_LOGGED 1024
#define MOST_SEATS 8
#define NO_ITEM -1
#define KEY_BITS 12
// Games after which what an answer was worth in all games counts as much as what it was worth after a node.
#define DOUBT 8
// Tries after which half of what was expected of an answer counts.
#define TRUST 30

// What was worth how much in how many games.
struct estimate {
    int count;
    float total;
};

// A candidate that follows another answer; one more than its key, or 0 for no reply.
struct reply {
    int item, key_and_one;
};

// is_wanted: whether any node looks at this. replies_too: whether a game of a search is played on, in which known replies
// are given. asked, offered: how many answers each seat has given in it, and among how many candidates. count: of the
// answers of that game of which the item, the seat and its key follow; game: its number; before: key of the answer before
// it. Of each key: the last game in which it was given, what it was worth in all, the last reply of another seat that won,
// and what is added to its value before it is tried.
struct amaf {
    int is_wanted, replies_too, count, game, before, unused;
    int asked[MOST_SEATS], offered[MOST_SEATS];
    struct {
        int item;
        short seat, key;
    } logged[MOST_LOGGED];
    int last_game[1 << KEY_BITS];
    struct estimate all_games[1 << KEY_BITS];
    struct reply replies[1 << KEY_BITS];
    float expected[1 << KEY_BITS];
};
#define ALL_AS_FIRST ((struct amaf *)AMAF)

static inline int key_of(int site, int seat, int item) {
    u32 number = (u32)item * 2654435761u + (u32)site * 2246822519u + (u32)seat * 3266489917u;
    return (int)((number ^ (number >> 15)) * 2654435761u >> (32 - KEY_BITS));
}

static void begin_amaf(void) { __builtin_memset(AMAF, 0, sizeof(struct amaf)); }

static inline int has_item(int *p, int n, int item) {
    for (int *end = p + n; p != end; p++)
        if (*p == item) return 1;
    return 0;
}

// The candidate that was worth something when it last followed the answer before; else one that was drawn.
static int known_reply(int site, int seat, int drawn, int *p, int n) {
    struct amaf *amaf = ALL_AS_FIRST;
    int before = amaf->count ? amaf->logged[amaf->count - 1].key : amaf->before;
    if (before < 0) return drawn;
    struct reply reply = amaf->replies[before];
    int is_known = reply.key_and_one == 1 + key_of(site, seat, reply.item) && has_item(p, n, reply.item);
    return is_known ? reply.item : drawn;
}

// Note an answer that was given at random to so many candidates, if it is a single one or none; where a better reply is
// known, that is given.
void log_answer(int site, int seat, int *set, int *p, int n) {
    struct amaf *amaf = ALL_AS_FIRST;
    if (seat < MOST_SEATS) {
        amaf->asked[seat]++;
        amaf->offered[seat] += n;
    }
    if (*set > 1 || amaf->count >= MOST_LOGGED) return;
    if (*set && amaf->replies_too) set[1] = known_reply(site, seat, set[1], p, n);
    int item = *set ? set[1] : NO_ITEM;
    amaf->logged[amaf->count].item = item;
    amaf->logged[amaf->count].seat = (short)seat;
    amaf->logged[amaf->count++].key = (short)key_of(site, seat, item);
}

static inline void add_to(struct estimate *estimate, double worth) {
    estimate->count++;
    estimate->total += (float)worth;
}

// Take the answers of a game and what it was worth to each seat into what is known of all games.
static void learn_from_game(double *worth) {
    struct amaf *amaf = ALL_AS_FIRST;
    amaf->game++;
    for (int n = 0; n < amaf->count; n++) {
        int key = amaf->logged[n].key;
        int seat = amaf->logged[n].seat, before = n ? amaf->logged[n - 1].key : amaf->before;
        amaf->last_game[key] = amaf->game;
        add_to(amaf->all_games + key, worth[seat]);
        if (before < 0 || (n && amaf->logged[n - 1].seat == seat)) continue;
        struct reply *reply = amaf->replies + before;
        if (worth[seat] > 0.5)
            *reply = (struct reply){amaf->logged[n].item, 1 + key};
        else if (reply->key_and_one == 1 + key)
            reply->key_and_one = 0;
    }
}

static inline double expected_of(int key, int tries) { return (double)ALL_AS_FIRST->expected[key] * TRUST / (TRUST + tries); }

static inline int was_given(int key) { return ALL_AS_FIRST->last_game[key] == ALL_AS_FIRST->game; }

static inline void mark_given(int key) { ALL_AS_FIRST->last_game[key] = ALL_AS_FIRST->game; }

// What an answer seems to be worth, by its own tries and by those games; own: of games after its node; first: what a new one
// is worth of which nothing is known. bias: by how much the games mislead; the greater, the fewer own tries outweigh them.
static inline double worth_with_amaf(int tries, double total, struct estimate *own, int key, double first, double bias) {
    struct estimate *all = ALL_AS_FIRST->all_games + key;
    double games = own->count, worth = own->total;
    if (all->count) {
        games += DOUBT;
        worth += DOUBT * (double)all->total / all->count;
    }
    if (!games) return tries ? total / tries : first;
    double share = games / (games + tries + games * tries * bias);
    return share * worth / games + (tries ? (1 - share) * total / tries : 0);
}
