// Numbers, errors and chance: what operations.py and rng.py do in Python.

// Note what an error is about; return its kind.
INLINED int fail(int kind, int argument) {
    WORD(ERROR) = argument;
    return kind;
}

// Return whether no cell can hold a number.
INLINED int too_large(i64 number) { return (u64)(number + 2147483647) > 4294967294u; }

// Divide, rounded down; traps for 0.
i64 divide_down(i64 a, i64 b) { return a / b - (((a % b) != 0) & ((a ^ b) < 0)); }

// Divide, rounded up; traps for 0.
i64 divide_up(i64 a, i64 b) { return -divide_down(-a, b); }

// Take fuel, even where there is too little.
INLINED void burn(int fuel) { CELL(FUEL) -= fuel; }

// Take a unit of fuel; return whether there was none.
INLINED int spend(void) {
    burn(1);
    return CELL(FUEL) < 0;
}

// ── chance: the generator sfc32 over four words ──

static inline u32 next_bits(u32 *generator) {
    u32 b = generator[1], c = generator[2], n = generator[3];
    u32 result = generator[0] + b + n;
    generator[0] = b ^ (b >> 9);
    generator[1] = c * 9;
    generator[2] = ((c << 21) | (c >> 11)) + result;
    generator[3] = n + 1;
    return result;
}

// Begin a stream of a random generator anew.
void seed(u32 *generator, i64 number, u32 stream) {
    u32 a = (u32)number, b = (u32)((u64)number >> 32), c = stream, n = 1;
    do {
        u32 result = a + b + n;
        a = b ^ (b >> 9);
        b = c * 9;
        c = ((c << 21) | (c >> 11)) + result;
        n++;
    } while (n <= 12);
    generator[0] = a;
    generator[1] = b;
    generator[2] = c;
    generator[3] = n;
}

#define GAME_CHANCE ((u32 *)IN_STATE(RANDOM, 0))
#define ANSWER_CHANCE ((u32 *)CHANCE)

// Return 32 bits whose product with the limit has a fair upper half.
static inline u64 fair(u64 limit) {
    u64 number = next_bits(GAME_CHANCE);
    u64 rest = (number * limit) & 0xffffffff;
    if (rest < limit) {
        u64 threshold = (0x100000000 - limit) % limit;
        while (rest < threshold) {
            number = next_bits(GAME_CHANCE);
            rest = (number * limit) & 0xffffffff;
        }
    }
    return number;
}

// Draw a number from 0 to less than a limit, by the game's generator.
i64 below(i64 limit) { return (i64)((fair((u64)limit) * (u64)limit) >> 32); }

// int(random() * limit), of the generator of answers
static inline int chance(int limit) { return (int)(((u64)next_bits(ANSWER_CHANCE) * (u32)limit) >> 32); }

static inline double fraction(void) { return (double)next_bits(ANSWER_CHANCE) * 0x1p-32; }
