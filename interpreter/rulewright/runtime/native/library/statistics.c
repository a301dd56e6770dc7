// What is counted of games: see game_statistics.py and statistics_code.py.

SYMBOL(COUNT_ROW); SYMBOL(COUNT_SIZE); SYMBOL(SEAT_FIRST); SYMBOL(SEAT_WIDTH); SYMBOL(HELD); SYMBOL(MEASURED);
SYMBOL(AHEAD); SYMBOL(LEAD_CHANGES); SYMBOL(LEADING); SYMBOL(POWERS); SYMBOL(MEASURES); SYMBOL(WIN);
SYMBOL(CHOICE_BITS); SYMBOL(CHOICE_COUNTS); SYMBOL(CHOICE_SUMS); SYMBOL(CHOICE_WIDTHS); SYMBOL(CHOICE_WORDS);

static inline int *number_of(int seat, int number) {
    return WORDS(COUNT_ROW) + NUMBER(SEAT_FIRST) + seat * NUMBER(SEAT_WIDTH) + number;
}

// The only item of one of a function's results, each of which has one.
#define RESULT(number) (WORDS(ANSWERS)[2 * (number) + 1])

static int call_with_fuel(int function, int seat) {
    WORD(ANSWER_END) = NUMBER(ANSWERS);
    CELL(FUEL) = NUMBER(FUEL_FOR_ONE);
    return call(function, seat);
}

// Note a seat's ranking key and powers; return whether the former fails. What cannot be worked out now stays as it was.
static int note_seat(int seat, int scored) {
    int *held = number_of(seat, NUMBER(HELD));
    WORD(ANSWER_END) = NUMBER(ANSWERS);
    if (!examine(seat)) {
        if (scored) *number_of(seat, 0) = RESULT(0);
        for (int power = 0; power < *WORDS(POWERS); power++) held[power] += RESULT(power + 1);
        return 0;
    }
    for (int *power = WORDS(POWERS), *last = last_of(power); power != last; held++)
        if (!call_with_fuel(*++power, seat)) *held += RESULT(0);
    if (call_with_fuel(NUMBER(LEADING), seat)) return 1;
    if (scored) *number_of(seat, 0) = RESULT(0);
    return 0;
}

// Note who leads, and who has which power.
void sample_round(void) {
    int fuel = CELL(FUEL), best = -2147483647 - 1, ahead = 0, failed = 0, *row = WORDS(COUNT_ROW);
    for (int seat = 0; seat < NUMBER(SEATS); seat++) {
        int scored = is_scored(seat);
        if (note_seat(seat, scored)) {
            failed |= scored;
        } else if (scored) {
            int key = *number_of(seat, 0);
            if (key == best) ahead = 0;
            if (key > best) {
                ahead = seat + 1;
                best = key;
            }
        }
    }
    CELL(FUEL) = fuel;
    if (failed || !ahead) return;
    if (row[NUMBER(AHEAD)] && row[NUMBER(AHEAD)] != ahead) row[NUMBER(LEAD_CHANGES)]++;
    row[NUMBER(AHEAD)] = ahead;
}

// Add a decision's choices, as bits, to what the game had so far, and count each once more.
void count_choices(u64 bits, u64 *choice_bits, int *counts) {
    *choice_bits |= bits;
    for (; bits; bits &= bits - 1) counts[__builtin_ctzll(bits)]++;
}

static i64 total_points(int *points) {
    i64 total = 0;
    for (int left = NUMBER(LINE_COUNT); left; left--) total += *points++;
    return total;
}

// Add one word of choices to the sums.
static inline void sum_up_word(u64 *choice_bits, int *counts, u8 *sums, v128_t games, v128_t points, double ended) {
    u64 bits = *choice_bits;
    *choice_bits = 0;
    for (; bits; bits &= bits - 1) {
        int choice = __builtin_ctzll(bits);
        u8 *sum = sums + 48 * choice;
        STORE(sum, wasm_f64x2_add(LOAD(sum), games));
        STORE(sum + 16, wasm_f64x2_add(LOAD(sum + 16), points));
        *(double *)(sum + 32) += ended * (double)(u32)counts[choice];
        counts[choice] = 0;
    }
}

// Add a game's choices, seat by seat, to the sums of all games: an entry has six numbers, the games, wins, points,
// squares of these, and how often it came. The game then has none, and one without a result adds none.
static void sum_up(int *row) {
    int width = NUMBER(LINE_COUNT) + 1, winners = 0, *counts = WORDS(CHOICE_COUNTS);
    double ended = !(CELL(LIMITED) & NUMBER(UNSCORED));
    u64 *choice_bits = (u64 *)CHOICE_BITS;
    u8 *sums = CHOICE_SUMS;
    row += 3;
    for (int seat = 0; seat < NUMBER(SEATS); seat++) winners += row[seat * width] == 1;
    for (int seat = 0; seat < NUMBER(SEATS); seat++, row += width) {
        double won = *row == 1 ? (double)(NUMBER(WIN) / winners) : 0, total = (double)total_points(row + 1);
        v128_t games = wasm_f64x2_make(ended, ended * won);
        v128_t points = wasm_f64x2_make(ended * total, ended * (total * total));
        for (int half = 0; half < 2; half++) {
            for (int word = 0; word < NUMBER(CHOICE_WORDS); word++) {
                int choices = WORDS(CHOICE_WIDTHS)[word];
                if (*choice_bits) sum_up_word(choice_bits, counts, sums, games, points, ended);
                choice_bits++;
                counts += choices;
                sums += 48 * choices;
            }
        }
    }
}

// Write a game's counts behind its results, and clear them; return 0, or how that failed.
int count_game(int *row) {
    u32 size = 4 * (u32)NUMBER(COUNT_SIZE);
    sample_round();
    for (int seat = 0; seat < NUMBER(SEATS); seat++) {
        int *measure = WORDS(MEASURES), *last = last_of(measure), *to = number_of(seat, NUMBER(MEASURED));
        while (measure != last) {
            int ended = call_with_fuel(*++measure, seat);
            if (ended) return ended;
            *to++ = RESULT(0);
        }
    }
    if (NUMBER(CHOICE_WORDS)) sum_up(row);
    __builtin_memcpy(row + NUMBER(ROW) - NUMBER(COUNT_SIZE), COUNT_ROW, size);
    __builtin_memset(COUNT_ROW, 0, size);
    return 0;
}
