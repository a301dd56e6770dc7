// States that nodes of a tree keep: of each only the blocks of 16 bytes that differ from the state of the root, which lies
// at the beginning of TREE. Few pieces have moved since then, and what is kept bounds how far a tree can grow.

SYMBOL(TREE);

// A block that differs, by its place in the state.
struct block {
    int place;
    u8 bytes[16];
};

struct kept_state {
    int count;
    struct block blocks[];
};

static void *reserve(u32 size);
static void give_back_from(void *end);

// Let the state be that of the root.
static int keep_base(void) {
    u8 *base = reserve((u32)NUMBER(STATE_SIZE));
    if (base) __builtin_memcpy(base, IN_STATE(CELLS, 0), (u32)NUMBER(STATE_SIZE));
    return base != 0;
}

// Keep the state; return 0 where there is no room.
static struct kept_state *keep_state(void) {
    u8 *state = IN_STATE(CELLS, 0);
    u32 size = (u32)NUMBER(STATE_SIZE);
    struct kept_state *kept = reserve((u32)sizeof(struct kept_state) + size / 16 * (u32)sizeof(struct block));
    if (!kept) return 0;
    struct block *to = kept->blocks;
    for (u32 place = 0; place < size; place += 16) {
        v128_t now = wasm_v128_load(state + place);
        if (!wasm_v128_any_true(wasm_v128_xor(now, wasm_v128_load(TREE + place)))) continue;
        to->place = (int)place;
        wasm_v128_store(to++->bytes, now);
    }
    kept->count = (int)(to - kept->blocks);
    give_back_from(to);
    return kept;
}

static void take_up_state(struct kept_state *kept) {
    u8 *state = IN_STATE(CELLS, 0);
    __builtin_memcpy(state, TREE, (u32)NUMBER(STATE_SIZE));
    for (struct block *block = kept->blocks, *end = block + kept->count; block != end; block++)
        wasm_v128_store(state + block->place, wasm_v128_load(block->bytes));
}
