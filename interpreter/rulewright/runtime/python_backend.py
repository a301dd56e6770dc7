"""Translation of programs to Python functions, each when it is called first.

`python_source` writes them; here are the values and operations that the names in them stand for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from itertools import compress, count
from types import CodeType
from typing import Any

from rulewright.program.blocks import Blocks, Node, flatten
from rulewright.program.form import Program
from rulewright.program.instructions import Instruction
from rulewright.program.passes.simplification import simplify
from rulewright.runtime import rng
from rulewright.runtime.operations import (
    VALUE_OPERATIONS,
    Events,
    OpenDecision,
    fail_at_foreign_position,
    state_operations,
)
from rulewright.runtime.piece_memory import PieceMemory
from rulewright.runtime.python_source import function_source
from rulewright.runtime.rng import Chance
from rulewright.runtime.state import State

BlockFunction = Callable[[State, Events | None, list[OpenDecision]], Any]
"""Function that runs a block on a state, which it changes, and returns the function to run next, None to stop.

Other parameters: where emitted events go, None to emit none and to leave out the arguments of questions; where open
decisions go.
"""
CompiledFunction = Callable[[State, int], list[list[int]]]
"""Function of a state and a seat, which changes neither; returns what its code answers: vectors of numbers."""

OFTEN = 100
"""Number of calls of a block after which it is optimized."""
MAX_CACHED = 4096
"""Maximum functions in the cache, of some kilobytes each: a game has some hundred."""


class Translation:
    """Python functions of one program. Blocks and functions are lists by number, of stubs that translate when they are
    called."""

    def __init__(
        self, program: Program, stopping_blocks: Blocks | None = None, chance: Chance = rng, prunes: bool = True
    ) -> None:
        """prunes: whether a block that is called often is made shorter, after which it may read fewer cells."""
        self._program, self._stopping, self._prunes = program, stopping_blocks, prunes
        self._names: dict[str, Any] = {**state_operations(program, chance), **VALUE_OPERATIONS}
        self._names |= {f"T{n}": table for n, table in enumerate(program.tables)}
        # calling a list's method is faster than a tuple's
        self._names |= {f"of_T{n}": list(table).__getitem__ for n, table in enumerate(program.tables)}
        self._names |= {f"in_T{n}": frozenset(compress(count(), table)) for n, table in enumerate(program.tables)}
        self._names["MOST"] = program.limit.answers
        self._names |= {f"P{n}": place for n, place in enumerate(program.places)}

    def blocks(self, playing: bool = False) -> list[BlockFunction]:
        """Return the function of each block, at the block's number.

        playing: return blocks that answer at random instead of asking, and emit nothing. Their third parameter is then
        a function that returns random numbers from 0 to less than 1.
        """
        program = self._program
        bodies = _rollout_blocks(program) if playing else self._stopping or _stopping_blocks(program)
        result: list[Any] = [fail_at_foreign_position] * (max(bodies) + 1)
        names = {**self._names, "B": result}
        if not playing and program.layout.memory >= 0:
            names |= PieceMemory(program, self._names).operations()
        for number, body in bodies.items():
            shorter = partial(self._pruned, body) if self._prunes and not playing else None
            self._define_lazily(f"b{number}", "s, out, asked", partial(flatten, body), result, number, names, shorter)
        return result

    def _pruned(self, body: list[Node]) -> Sequence[Instruction]:
        """Return a block's code without instructions whose results nothing needs."""
        return flatten(simplify(body, self._program.layout, self._program.tables))

    def functions(self) -> list[CompiledFunction]:
        """Return the program's functions; their parameter, a seat, is register 0."""
        result: list[Any] = [None] * len(self._program.functions)
        names = dict(self._names)
        for number, function in enumerate(self._program.functions):
            self._define_lazily(f"f{number}", "s, r0", partial(tuple, function.code), result, number, names)
        return result

    def _define_lazily(
        self,
        name: str,
        parameters: str,
        code: Callable[[], Sequence[Instruction]],
        table: list[Any],
        number: int,
        names: dict[str, Any],
        shorter: Callable[[], Sequence[Instruction]] | None = None,
    ) -> None:
        """Put a stub into table[number] that translates the function on its first call: few are needed. code: returns
        the instructions; names: globals of the functions; shorter: returns optimized code, for frequent calls."""

        def translated(code: Sequence[Instruction]) -> Callable[..., Any]:
            source = function_source(self._program, name, parameters, code, number)
            exec(_compile(source), names)  # whole numbers and lines of `python_source`, nothing else
            return put(names[name])

        def put(function: Callable[..., Any]) -> Callable[..., Any]:
            names[name] = table[number] = function
            return function

        def first(*arguments: Any) -> Any:
            function = translated(code())
            return (put(counting(function)) if shorter else function)(*arguments)

        def counting(function: Callable[..., Any]) -> Callable[..., Any]:
            calls = iter(range(OFTEN))

            def counted(*arguments: Any) -> Any:
                if next(calls, None) is None and shorter:
                    return translated(shorter())(*arguments)
                return function(*arguments)

            return counted

        put(first)


@lru_cache(MAX_CACHED)
def _compile(source: str) -> CodeType:
    """Compile a source, cached: most blocks of a changed or reloaded edition are the same."""
    return compile(source, "<program>", "exec")


def _stopping_blocks(program: Program) -> Blocks:
    """Return a program's blocks as games run them, which stop at decisions."""
    from rulewright.program.decision_pipeline import stopping_blocks  # noqa: PLC0415 - cached for unchanged editions

    return stopping_blocks(program)


def _rollout_blocks(program: Program) -> Blocks:
    """Return a program's blocks that answer at random."""
    from rulewright.program.rollout_pipeline import rollout_blocks  # noqa: PLC0415 - slow, and unused in games of people

    return rollout_blocks(program)
