// All answers as first: what an answer is worth is learnt, too, from the games in which its seat gave it later (AMAF).
// Where answers are many, most have been tried rarely; where they mean the same later, such as a space of a board that is
// taken, this tells them apart long before.
//
// Sources: Gelly and Silver, "Monte-Carlo tree search and rapid action value estimation in computer Go", 2011; of answers
// that even this does not know, what they were worth in all games: Sironi and Winands, "Comparison of rapid action value
// estimation variants for general game playing", 2016 (HRAVE).

SYMBOL(AMAF);

#define MOST_LOGGED 1024
#define KEY_BITS 12
// Games after which what an answer was worth in all games counts as much as what it was worth after a node.
#define DOUBT 8

// What was worth how much in how many games.
struct estimate {
    int count;
    float total;
};

// is_wanted: whether any node looks at this. count: of the answers of the game that is played on, of each of which the seat
// and its key follow; game: its number. Of each key: the last game in which it was given, and what it was worth in all.
struct amaf {
    int is_wanted, count, game, unused;
    struct {
        short seat, key;
    } logged[MOST_LOGGED];
    int last_game[1 << KEY_BITS];
    struct estimate all_games[1 << KEY_BITS];
};
#define ALL_AS_FIRST ((struct amaf *)AMAF)

static inline int key_of(int site, int seat, int item) {
    u32 number = (u32)item * 2654435761u + (u32)site * 2246822519u + (u32)seat * 3266489917u;
    return (int)((number ^ (number >> 15)) * 2654435761u >> (32 - KEY_BITS));
}

static void begin_amaf(void) { __builtin_memset(AMAF, 0, sizeof(struct amaf)); }

// Note an answer that was given at random, if it is a single candidate.
void log_answer(int site, int seat, int *set) {
    struct amaf *amaf = ALL_AS_FIRST;
    if (*set != 1 || amaf->count >= MOST_LOGGED) return;
    amaf->logged[amaf->count].seat = (short)seat;
    amaf->logged[amaf->count++].key = (short)key_of(site, seat, set[1]);
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
        amaf->last_game[key] = amaf->game;
        add_to(amaf->all_games + key, worth[amaf->logged[n].seat]);
    }
}

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
