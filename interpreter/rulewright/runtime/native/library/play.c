// Whole games, and games from a state on.

// What the host orders: the first seed; how many games, or of one the most decisions; and how often it is played.
struct orders {
    i64 seed;
    int count, times;
};
#define THE_ORDERS ((struct orders *)ORDERS)

// Run to the next question.
EXPORTED int run(void) {
    WORD(PLAYING) = 0;
    WORD(ASKED_END) = NUMBER(ASKED);
    return advance();
}

static inline i64 mixed(i64 number, i64 more) {
    u64 product = (u64)(number ^ more) * (u64)-7046029254386353131;
    return (i64)(product ^ (product >> 29));
}

// A number for what the pieces in some zones show, in order, with their marks, and for all counters. Each list of
// addresses begins with its length.
EXPORTED i64 glance(int *list) {
    i64 number = (u32)(__UINTPTR_TYPE__)list;
    for (int *last = last_of(list); list != last;) {
        int *p = (int *)*++list, *top = last_of(p);
        number = mixed(number, *p);
        while (p != top) {
            int piece = *++p;
            number = mixed(number, looks(piece));
            for (int *mark = WORDS(MARKED), *end = last_of(mark); mark != end;)
                number = mixed(number, ((int *)*++mark)[piece]);
        }
    }
    list = WORDS(COUNTERS);
    for (int *last = last_of(list); list != last;) number = mixed(number, *(int *)*++list);
    return number;
}

// ── results ──

// A seat has a place and points: it is scored, and the game did not come to its limit without a result.
static int counts(int seat) { return is_scored(seat) & !(CELL(LIMITED) & NUMBER(UNSCORED)); }

static int is_ahead(int one, int other) {
    int *a = WORDS(KEYS) + one * NUMBER(KEY_COUNT), *b = WORDS(KEYS) + other * NUMBER(KEY_COUNT);
    for (int left = NUMBER(KEY_COUNT); left; left--, a++, b++)
        if (*a != *b) return *a > *b;
    return 0;
}

// The best of a seat and its partners.
static int best(int seat) {
    if (!NUMBER(HAS_SIDES)) return seat;
    int best = seat;
    for (int other = 0; other < NUMBER(SEATS); other++)
        if (is_scored(other) && CELL_OF(SIDE_OF, other) == CELL_OF(SIDE_OF, seat) && is_ahead(other, best)) best = other;
    return best;
}

static int rank_of_seat(int seat) {
    if (!counts(seat)) return 0;
    int place = 1, own = best(seat);
    for (int other = 0; other < NUMBER(SEATS); other++)
        if (is_scored(other)) place += is_ahead(best(other), own);
    return place;
}

// Work out a seat's ranking keys and the points of its lines.
static int score(int seat, int *keys, int *lines) {
    WORD(ANSWER_END) = NUMBER(ANSWERS);
    int ended = points(seat);
    if (ended) return ended;
    int *answer = WORDS(ANSWERS) + 1;
    for (int n = 0; n < NUMBER(KEY_COUNT); n++, answer += 2) keys[n] = *answer;
    for (int n = 0; n < NUMBER(LINE_COUNT); n++, answer += 2) lines[n] = *answer;
    return 0;
}

// Write the row of a game's results: rounds, decisions after so many, whether it came to its limit; and of each seat its
// place, or 0, and the points of each line. What does not count is not worked out, for that may fail.
static int write_result(int *row, int given) {
    int *keys = WORDS(KEYS), width = NUMBER(LINE_COUNT) + 1;
    *row++ = CELL(ROUND);
    *row++ = CELL(GIVEN) - given;
    *row++ = CELL(LIMITED);
    int *of_seat = row;
    for (int seat = 0; seat < NUMBER(SEATS); seat++, of_seat += width, keys += NUMBER(KEY_COUNT)) {
        if (counts(seat)) {
            int ended = score(seat, keys, of_seat + 1);
            if (ended) return ended;
        } else {
            for (int n = 1; n < width; n++) of_seat[n] = 0;
        }
    }
    for (int seat = 0; seat < NUMBER(SEATS); seat++, row += width) *row = rank_of_seat(seat);
    return 0;
}

// ── games ──

// Play the state to its end or to a limit, and write the row of its results; return 0, or how that failed.
static int finish_game(int *row) {
    int given = CELL(GIVEN);
    CELL(FUEL) = NUMBER(FUEL_FOR_ONE);
    int ended = advance();
    if (ended == NUMBER(ENDED_ASKING) && CELL(GIVEN) >= NUMBER(LIMIT)) {
        CELL(PC) = NUMBER(GAME_OVER);
        CELL(LIMITED) = 1;
    }
    if (ended == NUMBER(ENDED_OVER) || ended == NUMBER(ENDED_ASKING)) ended = write_result(row, given);
    WORD(ENDED) = ended;
    return ended;
}

static int play_game(i64 number, int *row) {
    seed(ANSWER_CHANCE, number, 1);
    return finish_game(row);
}

static inline void take_up_template(void) { __builtin_memcpy(IN_STATE(CELLS, 0), TEMPLATE, (u32)NUMBER(STATE_SIZE)); }

// Count what happened in a game; a module that does not count has another function of this name.
__attribute__((weak)) int count_game(int *row);

// Play so many games from the template, with seeds for the game and for the answers from the first on. PLAYED_OUT
// becomes how many came to their end.
EXPORTED void play(void) {
    i64 number = THE_ORDERS->seed;
    int games = THE_ORDERS->count, game = 0, *row = WORDS(RESULTS);
    for (; game != games; game++, number++, row += NUMBER(ROW)) {
        take_up_template();
        seed(GAME_CHANCE, number, 0);
        if (play_game(number, row)) break;
        if ((WORD(ENDED) = count_game(row))) break;
    }
    WORD(PLAYED_OUT) = game;
}

static void stop_as_ordered(void) {
    u32 most = (u32)THE_ORDERS->count;
    WORD(PLAYING) = 1;
    WORD(MOST) = most >= (u32)(NUMBER(LIMIT) - CELL(GIVEN)) ? NUMBER(LIMIT) : CELL(GIVEN) + (int)most;
}

// Play on from the state, for at most so many decisions as are ordered, if that is not -1.
EXPORTED void play_on(void) {
    stop_as_ordered();
    play_game(THE_ORDERS->seed, WORDS(RESULTS));
}

// Play on as often as is ordered, each time from this state with seeds for the game and for the answers.
EXPORTED void play_on_often(void) {
    stop_as_ordered();
    i64 number = THE_ORDERS->seed;
    int left = THE_ORDERS->times, *row = WORDS(RESULTS);
    __builtin_memcpy(TEMPLATE, IN_STATE(CELLS, 0), (u32)NUMBER(STATE_SIZE));
    for (;;) {
        seed(GAME_CHANCE, number, 0);
        if (play_game(number, row) || !--left) return;
        take_up_template();
        row += NUMBER(ROW);
        number++;
    }
}
