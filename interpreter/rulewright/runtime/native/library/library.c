// The library of native code: everything that generated code calls. Built by tools/build_native_library.py.

#include "program.h"

#include "numbers.c"
#include "vectors.c"
#include "bits.c"
#include "orders.c"
#include "zones.c"
#include "answers.c"
#include "play.c"
#include "amaf.c"
#include "kept_states.c"
#include "tree.c"
#include "information.c"
#include "statistics.c"
#include "batches.c"
