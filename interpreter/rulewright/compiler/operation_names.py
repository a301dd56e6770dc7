"""Names of instructions as types, so that a misspelt one is a type error, and so is one that the compiler may not write
as it likes.

Where seats remember hidden pieces, whoever moves some or turns them must say what seats still know of them. These
instructions are written by methods of `Emitter` alone, which ask for that; `op` does not take their names.
"""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

from rulewright.program.instructions import OPERATIONS

NumberOperation: TypeAlias = Literal[
    "copy", "add", "subtract", "multiply", "divide_down", "divide_up", "checked", "equal", "unequal", "less",
    "at_most", "shared", "not", "load", "table", "for", "length", "empty", "item", "has", "greatest",
    "smallest", "longest_run", "tally", "none_of", "count_of", "random",
]  # fmt: skip
"""Instructions that set a register."""

VectorOperation: TypeAlias = Literal[
    "vector", "one", "numbers", "fixed", "row", "stretch", "read", "as_tuple", "join", "unite", "filter",
    "select", "within", "entries", "images", "lying", "gather", "beside", "reached", "slice", "front", "back",
    "largest_group", "fitting", "pick", "pick_one", "pick_up_to_one", "pick_alike",
]  # fmt: skip
"""Instructions that make a vector."""

OtherOperation: TypeAlias = Literal[
    "store", "store_block", "count", "if", "else", "end", "loop", "spend", "break", "again", "block", "goto",
    "goto_value", "halt", "fail", "push", "keep", "append", "sort", "rank", "spill", "deal", "pour", "shuffle",
    "swap", "show", "draw", "ask", "wait", "told", "tell", "answer", "noted",
]  # fmt: skip
"""Instructions without a result, or that change one of their vectors."""

PlainOperation: TypeAlias = NumberOperation | VectorOperation | OtherOperation
"""Instructions that any part of the compiler may write."""

_OF_KNOWLEDGE = frozenset(["move", "move_all", "sift", "mingle", "forget"])
"""Instructions of methods of `Emitter`, which ask what seats still know of the pieces."""


def _check_names() -> None:
    """Raise NotImplementedError if an instruction is in none of these types, or in the wrong one."""
    numbers, vectors, others = (
        frozenset(get_args(names)) for names in (NumberOperation, VectorOperation, OtherOperation)
    )
    expected: dict[str, frozenset[str]] = {"d": numbers, "N": vectors}
    for name, operation in OPERATIONS.items():
        if name not in _OF_KNOWLEDGE and name not in expected.get(operation.operands[:1], others):
            raise NotImplementedError(f"The instruction {name} is in no type of compiler/operation_names.py.")
    if unknown := (numbers | vectors | others | _OF_KNOWLEDGE) - OPERATIONS.keys():
        raise NotImplementedError(f"There are no instructions {', '.join(sorted(unknown))}.")


_check_names()
