// What the library knows of a program: symbols that are given addresses and numbers when it is joined to generated code.
//
// A vector is the address of its first item and the number of its items; items are 32-bit integers. A function that
// makes a vector is given the address where the items go, and returns how many there are. Behind every vector and set
// there is room for eight more items, so that eight can be written at a time; what stands behind the last item has no
// meaning. Only zones for one piece have no such room.
//
// A set in the state is its size, then its items; SETS holds the place of each cell's set. A zone is named by its cell.
// A zone also has a mask of 16 bytes with one bit for each piece, at MASKS; programs with more than 128 pieces have
// none (MASKED is 0). A zone whose byte at COUNTED is 1 has no list, only its size; COUNTED is 0 where there are none.
//
// A branch that goes either way by chance costs more than several instructions: some loops write an item in any case,
// and move on only where it is kept.

#include <wasm_simd128.h>

typedef long long i64;
typedef unsigned long long u64;
typedef unsigned u32;
typedef unsigned char u8;

// ── symbols ──

#define SYMBOL(name) extern u8 name[] __attribute__((weak))
#define NUMBER(name) ((int)(__UINTPTR_TYPE__)(name))
#define WORD(name) (*(int *)(name))
#define WORDS(name) ((int *)(name))

// The state of the game that is being played begins here() bytes from where its symbols count from.
int here(void) __attribute__((const));
#define IN_STATE(name, offset) (&(name)[(u32)(here() + (offset))])
#define CELL(name) (*(int *)IN_STATE(name, 0))
#define CELL_OF(name, index) (*(int *)IN_STATE(name, 4 * (index)))

// Entry of the table that generated code names where it calls an INLINED function: the address is known there.
SYMBOL(TABLE);
#define ENTRY_OF(name, index) (((int *)(name))[(u32)(index)])
#define ENTRY(index) (((int *)TABLE)[(u32)(index)])

// Copied to where generated code calls it.
#define INLINED __attribute__((visibility("hidden")))
// Called by the host.
#define EXPORTED

// words shared with the host, and numbers of a run's ending
SYMBOL(ERROR); SYMBOL(PLAYING); SYMBOL(MOST); SYMBOL(ASKED_END); SYMBOL(ANSWER_END); SYMBOL(ENDED);
SYMBOL(PLAYED_OUT); SYMBOL(CHANCE); SYMBOL(ORDERS); SYMBOL(ASKED); SYMBOL(ANSWERS); SYMBOL(RESULTS);
SYMBOL(ENDED_ASKING); SYMBOL(ENDED_OVER); SYMBOL(GAME_OVER);

// the state
SYMBOL(CELLS); SYMBOL(PC); SYMBOL(FUEL); SYMBOL(RANDOM); SYMBOL(ROUND); SYMBOL(GIVEN); SYMBOL(LIMITED); SYMBOL(AT);
SYMBOL(MASKS); SYMBOL(SIDE_OF); SYMBOL(STATE_SIZE); SYMBOL(TEMPLATE);

// tables and room to work in
SYMBOL(SETS); SYMBOL(COUNTED); SYMBOL(BITS); SYMBOL(ONES); SYMBOL(MARKS); SYMBOL(BATCHES); SYMBOL(COLUMNS);
SYMBOL(ORDER); SYMBOL(SORTED); SYMBOL(TEMPORARY); SYMBOL(WAYS); SYMBOL(SHOWN); SYMBOL(SHOWN_MARKS); SYMBOL(SIGHT);
SYMBOL(UNLIKE); SYMBOL(COUNTERS); SYMBOL(MARKED); SYMBOL(KEYS);

// numbers
SYMBOL(MASKED); SYMBOL(SIGHT_WIDTH); SYMBOL(SEATS); SYMBOL(KEY_COUNT); SYMBOL(LINE_COUNT); SYMBOL(ROW); SYMBOL(LIMIT);
SYMBOL(UNSCORED); SYMBOL(HAS_SIDES); SYMBOL(FUEL_FOR_ONE);

// ── functions of generated code ──

// Run the state on until somebody is asked or the game is over; return how that ended.
int advance(void);
// Return whether a seat is scored.
int is_scored(int seat);
// Work out the seat's ranking keys and points into ANSWERS; return 0, or how that failed.
int points(i64 seat);
// Call one of the program's functions for a seat; its results stand in ANSWERS. Return 0, or how that failed.
int call(int function, i64 seat);
// Work out a seat's ranking key and powers into ANSWERS; return 0, or how that failed.
int examine(i64 seat);
