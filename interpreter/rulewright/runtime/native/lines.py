"""Instructions -> lines of WebAssembly: what every instruction means to the native module.

What takes more than a line is a function of library.wat.
"""

from __future__ import annotations

from rulewright.program.form import GAME_OVER
from rulewright.program.instructions import IN_BULK, PARTS
from rulewright.runtime.native.memory import ASKING, DIVIDED, FAILED, GREW, OVER, SPENT

_STRETCH = "(i32.add (i32.add {1} (i32.shl {3} (i32.const 2))) (i32.shl {i2} (i32.const 2)))"
"""Where stands where a stretch begins."""

# {0}, {1} … are the operands: registers to set, values as i64 (as {i0}, {i1} … as i32), plain numbers and addresses as
# i32, vectors as address and size. {to} is where the items of a new vector go, {cell} the address of cell k + v, {set}
# that of the set in it. What begins with '{0} = ' sets a register, or the size of a new vector.
LINES = {
    "copy": "{0} = {1}",
    "add": "{0} = (i64.add {1} {2})",
    "subtract": "{0} = (i64.sub {1} {2})",
    "multiply": "{0} = (i64.mul {1} {2})",
    "divide_down": "(if (i64.eqz {2}) (then (return (call $error {divided} {3}))))\n{0} = (call $divide_down {1} {2})",
    "divide_up": "(if (i64.eqz {2}) (then (return (call $error {divided} {3}))))\n{0} = (call $divide_up {1} {2})",
    "checked": "(if (call $too_large {1}) (then (return (call $error {grew} {2}))))\n{0} = {1}",
    "equal": "{0} = (i64.extend_i32_u (i64.eq {1} {2}))",
    "unequal": "{0} = (i64.extend_i32_u (i64.ne {1} {2}))",
    "less": "{0} = (i64.extend_i32_u (i64.lt_s {1} {2}))",
    "at_most": "{0} = (i64.extend_i32_u (i64.le_s {1} {2}))",
    "shared": "{0} = (i64.and {1} {2})",
    "not": "{0} = (i64.extend_i32_u (i64.eqz {1}))",
    "load": "{0} = (i64.load32_s {cell})",
    "store": "(i64.store32 {cell} {2})",
    "store_block": "(i32.store {cell} {2})",
    "count": "(if (call $too_large {2}) (then (return (call $error {grew} {3}))))\n(i64.store32 {cell} {2})",
    "table": "{0} = (i64.load32_s (i32.add {1} (i32.shl {i2} (i32.const 2))))",
    "if": "(i64.ne {0} (i64.const 0))\nif",
    "spend": "(if (call $spend) (then (return (call $error {spent} {0}))))",
    "goto_value": "(local.set $block {i0})\n(br $next)",
    "halt": "(i32.store (global.get $PC) {over})\n(return {ended})",
    "wait": "(i32.store (global.get $PC) {0})\n(return {asking})",
    "fail": "(return (call $error {failed} {0}))",
    "vector": "{0} = (i32.const 0)",
    "one": "(i64.store32 {to} {1})\n{0} = (i64.ne {1} (i64.const -1))",
    "numbers": "{0} = (call $numbers {to} {1} {2} {3})",
    "length": "{0} = (i64.extend_i32_u {n1})",
    "empty": "{0} = (i64.extend_i32_u (i32.eqz {n1}))",
    "item": "{0} = (call $item {1} {2})",
    "has": "{0} = (call $has {1} {2})",
    "fixed": "{0} = (i32.const {length})",
    "row": "{0} = (select {3} (i32.const 0) (i64.ge_s {2} (i64.const 0)))",
    "stretch": f"{{0}} = (i32.sub (i32.load offset=4 {_STRETCH}) (i32.load {_STRETCH}))",
    "read": "{0} = (i32.load {set})",
    "keep": "(call $keep {set} {0})",
    "as_tuple": "{0} = {n1}",
    "join": "{0} = (call $join {to} {1} {2})",
    "unite": "{0} = (call $unite {to} {1} {2})",
    "greatest": "{0} = (call $greatest {1})",
    "smallest": "{0} = (call $smallest {1})",
    "longest_run": "{0} = (call $longest_run {1})",
    "tally": "{0} = (call $tally {1} {2})",
    "none_of": "{0} = (call $none_of {1} {2})",
    "filter": "{0} = (call $filter {to} {1} {2})",
    "count_of": "{0} = (call $count_of {1} {2} {3})",
    "select": "{0} = (call $select {to} {1} {2} {3})",
    "within": "{0} = (call $within {to} {1} {2} {3})",
    "entries": "{0} = (call $entries {to} {1} {2})",
    "images": "{0} = (call $images {to} {1} {2})",
    "lying": "{0} = (call $lying {to} {1} {2} {3})",
    "gather": "{0} = (call $gather {to} {1} {2})",
    "beside": "{0} = (call $beside {to} {1} {2} {3})",
    "reached": "{0} = (call $reached {to} {1} {2} {3} {4})",
    "slice": "{0} = (call $among (i32.sub {n1} (call $among {n1} {2})) {3})",
    "front": "{0} = (call $among {n1} {2})",
    "back": "{0} = (call $back {to} {1} {2})",
    "largest_group": "{0} = (call $largest_group {to} {1} {a2} {3})",
    "move": "(call $move {i0} {i1} {i2})",
    "move_all": "(call $move_all {0} {i1} {i2})",
    "fitting": "{0} = (call $fitting {to} {1} {2} {3})",
    "spill": "(call $spill {i0} {i1})",
    "sift": "(call $sift {i0} {i1} {2} {i3})",
    "deal": "(call $deal {i0} {i1} {2} {i3} {i4})",
    "pour": "(call $pour {i0} {i1})",
    "shuffle": "(call $shuffle {i0})",
    "swap": "(call $swap {i0} {i1})",
    "random": "{0} = (call $below {1})",
}
# What is written by a method of its own: it has a varying number of operands, changes a vector, or directs the way.
WRITTEN = (
    frozenset(["push", "append", "draw", "sort", "rank", "ask", "answer", "tell"])
    | frozenset(["goto", "for", "loop", "else", "end", "break", "again"])
    | frozenset(["pick", "pick_one", "pick_up_to_one", "pick_alike", "noted"])
)
assert LINES.keys() | WRITTEN == IN_BULK

# What can be done with numbers one after the other that are not written down.
OF_SPANS = frozenset(["empty", "length", "pick_one", "pick_up_to_one"])

# Of vectors that never have more than four items, which need no loop.
OF_FEW = ("keep", "copy", "join")

# Of vectors that never have more than one, which need no branch.
OF_ONE = ("count_of", "tally")

# Where the items of what is only a part of something else begin.
STARTS = {
    "read": "(i32.add {set} (i32.const 4))",
    "as_tuple": "{a1}",
    "front": "{a1}",
    "slice": "(i32.add {a1} (i32.shl (call $among {n1} {2}) (i32.const 2)))",
    "fixed": "{1}",
    "row": "(i32.add {1} (i32.shl (i32.mul {i2} {3}) (i32.const 2)))",
    "stretch": f"(i32.add {{1}} (i32.shl (i32.load {_STRETCH}) (i32.const 2)))",
}
assert STARTS.keys() == PARTS

_NUMBERS = {
    "divided": DIVIDED,
    "grew": GREW,
    "spent": SPENT,
    "failed": FAILED,
    "asking": ASKING,
    "ended": OVER,
    "over": GAME_OVER,
}
SPELT = {name: f"(i32.const {number})" for name, number in _NUMBERS.items()}
"""Other words in braces."""

DIVIDED_BY_KNOWN = "{0} = (i64.sub (i64.div_s {1} {2}) (i64.extend_i32_u (i64.lt_s (i64.rem_s {1} {2}) (i64.const 0))))"
"""`divide_down` by a number that is known and more than 0: the compiler of WebAssembly multiplies instead."""
