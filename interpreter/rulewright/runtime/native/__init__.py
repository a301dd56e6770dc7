"""Whole games in bulk, and games step by step: a program as WebAssembly, run inside this process by wasmtime.

    program ──rollout_pipeline, decision_pipeline──▶ blocks ──emit, codegen──▶ module ──engine──▶ executor ──▶ results

`meanings` has the meaning of every instruction, written with the typed operations of `webassembly`. What takes more
than a few operations is a function in C (`library/`), compiled once into `library.wasm`, an object whose functions
`assembler` joins with generated code: short ones are copied to where they are called, and the program's addresses and
numbers are put in for their symbols. Nothing can be reached from inside: the module imports nothing, its work is
limited by the program's own fuel, and the host reads and writes numbers in its memory.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Protocol

from rulewright.i18n.localizer import Phrase, phrase
from rulewright.program.form import Program
from rulewright.runtime.native.engine import CannotRun
from rulewright.runtime.native.executor import Bulk, Native
from rulewright.runtime.native.fallback import Fallback
from rulewright.runtime.native.information_trees import InformationTrees, LearnedTerms
from rulewright.runtime.native.results import GAME_WORDS, GameResult, GameResults, parse_result
from rulewright.runtime.native.tree import EndTerms, SearchTerms, Tree, is_searched_natively
from rulewright.runtime.native.vectors import TooLong, Unbounded
from rulewright.runtime.operations import OpenDecision
from rulewright.runtime.state import State

__all__ = [
    "GAME_WORDS",
    "Bulk",
    "CannotRun",
    "EndTerms",
    "Executor",
    "Fallback",
    "GameResult",
    "GameResults",
    "InformationTrees",
    "LearnedTerms",
    "Native",
    "SearchTerms",
    "TooLong",
    "Tree",
    "Unbounded",
    "executor",
    "fallback_notice",
    "is_searched_natively",
    "parse_result",
]


class Executor(Protocol):
    """Executor of one program that answers decisions at random or by its caller. One seed gives one game, whichever
    executor plays it. notice: why games are slower than native code, for people; '' if they are not."""

    notice: str

    def play_out(self, s: State, seed: int) -> None:
        """Play a state to its end in place, every decision answered at random. Raises RuleError."""

    def games(self, new: State, seeds: range) -> GameResults:
        """Play a game from a copy of a new state for each seed, every decision answered at random, and return the
        results. Raises RuleError."""

    @property
    def cells(self) -> Sequence[Any]:
        """Cells of the loaded state, by their numbers; only those that hold no sets are of use."""

    @property
    def tree(self) -> Tree | None:
        """Tree of searches in native code; None where there is none."""

    @property
    def information_trees(self) -> InformationTrees | None:
        """Trees of searches among worlds in native code; None where there are none."""

    def pack(self, s: State) -> Any:
        """Return a state in the form that `load_state` takes, any number of times."""

    def load_state(self, packed: Any, rng_state: Sequence[int]) -> None:
        """Load a state, with other cells of its random generator, for the steps that follow."""

    def state_copy(self) -> Any:
        """Return the loaded state, as `pack` does."""

    def answer(self, decision: OpenDecision, answer: Sequence[int]) -> None:
        """Put an answer into the loaded state, as `Machine.answer` does."""

    def resume(self) -> list[OpenDecision]:
        """Run the loaded state, as `Machine.run` does. Raises RuleError."""

    def view_hash(self, seat: int, public: bool) -> int:
        """Return a hash of the pieces in the zones that the seat sees, with all their marks, and of the counters that
        hold one value each; public: of those in the zones that all see. Left out: sets in counters, the number of
        pieces in other zones, round and phase. Only hashes of one executor can be compared."""

    def play_on(self, seed: int, most: int | None = None) -> GameResult:
        """Play the loaded state to its end, every decision answered at random, and return the result; the state is then
        of no use. most: number of decisions after which a game is broken off and counts as it stands. Raises
        RuleError."""

    def play_on_often(
        self, seed: int, most: int | None, times: int, until: float = math.inf, turn: int = -1
    ) -> list[list[int]]:
        """Play the loaded state to its end several times, with this seed and the next ones for chance and for answers;
        return the words of each result, for `parse_result`. turn: seat at the end of whose turn a game is broken off,
        or -1. It may return fewer than `times`. until: time limit on the
        monotonic clock, which native code ignores. Raises OutOfTime and RuleError."""


def executor(program: Program) -> Executor:
    """Return the native executor of a program, or the machine with a notice where there is none."""
    try:
        return Native(program)
    except (CannotRun, Unbounded) as error:
        return Fallback(program, str(fallback_notice(error)))


def fallback_notice(error: CannotRun | Unbounded) -> Phrase:
    """Return a notice for people why the machine plays instead of native code."""
    if isinstance(error, CannotRun):
        return phrase(
            "simulation",
            "Games are played by the machine, which is slower: {library} cannot be loaded ({why}).",
            library="wasmtime",
            why=str(error),
        )
    if isinstance(error, TooLong):
        return phrase(
            "simulation", "Games are played by the machine, which is slower: the rules are too long for native code."
        )
    return phrase("simulation", "Games are played by the machine, which is slower: a set may grow without a bound.")
