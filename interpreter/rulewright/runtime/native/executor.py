"""Native executor: runs states to the next decision, and plays thousands of whole games in one call."""

from __future__ import annotations

import math
import struct
from array import array
from collections.abc import Callable, Iterator, Mapping, MutableSequence, Sequence
from functools import cached_property
from typing import cast

from rulewright.base import cache
from rulewright.base.records import record
from rulewright.program.blocks import Blocks
from rulewright.program.form import Program
from rulewright.program.state_layout import ANSWERS, FUEL, GAME_OVER, PC, RANDOM, RANDOM_CELLS, ROUND
from rulewright.runtime.game_statistics import StatisticsLayout
from rulewright.runtime.machine import end_at_limit, reset_waiting_seats, resume_after
from rulewright.runtime.native import memory
from rulewright.runtime.native.engine import CannotRun, Instance
from rulewright.runtime.native.fallback import Fallback
from rulewright.runtime.native.information_trees import InformationTrees
from rulewright.runtime.native.memory import Memory, MemoryNeeds
from rulewright.runtime.native.results import CountedGames, GameResult, GameResults, parse_result, stopped_words
from rulewright.runtime.native.statistics_memory import StatisticsMemory
from rulewright.runtime.native.tree import Tree
from rulewright.runtime.native.vectors import UNPROVEN, Unbounded
from rulewright.runtime.operations import (
    DIVISION_BY_ZERO,
    ENDLESS_RULES,
    FOREIGN_POSITION,
    FUEL_BETWEEN_DECISIONS,
    NUMBER_TOO_LARGE,
    TOO_MUCH_WORK,
    OpenDecision,
    RuleError,
)
from rulewright.runtime.state import State

STEP_BY_STEP, IN_BULK = (
    (
        *(
            "run",
            "play_on",
            "play_on_often",
            "glance",
            "search_begin",
            "search_preferences",
            "search_expect",
            "search_on",
        ),
        *("information_begin", "information_on", "information_after"),
    ),
    ("play", "run"),
)
"""Exported functions of the library: of code for single steps, and of code for whole games."""


class NativeCode:
    """Instance of one program's native code. blocks … extra_layout: as of `emit_module`; memory: its layout. Raises
    CannotRun and Unbounded."""

    def __init__(
        self,
        program: Program,
        blocks: Blocks,
        functions: Sequence[int],
        exports: Sequence[str],
        statistics: StatisticsMemory | None = None,
        extra_layout: Callable[[Memory], tuple[Mapping[str, int], int]] | None = None,
    ) -> None:
        from rulewright.runtime.native import emit  # noqa: PLC0415 - cached code has been emitted

        binary, layout = emit.emit_module(program, blocks, functions, exports, statistics, extra_layout)
        self._attach(program, layout, Instance(binary))

    def _attach(self, program: Program, layout: Memory, instance: Instance) -> None:
        """Take an instance as this program's, and write the constants into its memory."""
        self.program, self.memory = program, layout
        self._instance, self._words = instance, instance.words
        for address, data in layout.constants():
            instance.write(address, data)

    def _word(self, address: int) -> int:
        """Return a number in memory, by its address."""
        return self._words[address // memory.WORD]

    def _check(self, ended: int) -> None:
        """Raise RuleError if a run ended with an error."""
        if ended in (memory.ASKING, memory.OVER):
            return
        argument, places = self._word(memory.ERROR), self.program.places
        match ended:
            case memory.FAILED:
                raise RuleError(places[argument])
            case memory.DIVISION_BY_ZERO:
                raise RuleError(DIVISION_BY_ZERO.format(place=places[argument]))
            case memory.NUMBER_TOO_LARGE:
                raise RuleError(NUMBER_TOO_LARGE.format(place=places[argument]))
            case memory.OUT_OF_FUEL if argument < 0:
                raise RuleError(TOO_MUCH_WORK)
            case memory.OUT_OF_FUEL:
                raise RuleError(ENDLESS_RULES.format(step=self.program.blocks.get(argument, "the game")))
            case memory.UNKNOWN_BLOCK:
                raise RuleError(FOREIGN_POSITION)
        raise RuleError(f"A set grows beyond {UNPROVEN:,} things.")


class Native(NativeCode):
    """Executor of one program, with the methods of `native.Executor`, which describes them, and `run` and `call` of
    `Machine`. functions: numbers of those that `call` takes. Raises CannotRun without WebAssembly, and Unbounded for a
    program that native code cannot hold."""

    notice = ""

    def __init__(self, program: Program, functions: Sequence[int] = ()) -> None:
        from rulewright.program.decision_pipeline import decision_blocks  # noqa: PLC0415 - whole games need none of it

        super().__init__(program, decision_blocks(program, telling=False), functions, STEP_BY_STEP)
        first = self.memory.state // memory.WORD
        self.cells = cast(MutableSequence[int], self._words[first : first + program.layout.size])

    def run(self, s: State) -> list[OpenDecision]:
        """Run a state, in place, until a seat must answer; return the open decisions, without arguments of their texts.
        Raises RuleError; the state is then of no use."""
        s[FUEL] = FUEL_BETWEEN_DECISIONS
        if s[PC] == GAME_OVER:
            return []
        self._write_state(s)
        self._check(self._instance.functions["run"]())
        s[:] = self._read_state()
        s[FUEL] = FUEL_BETWEEN_DECISIONS
        return [] if end_at_limit(self.program, s) else self._open_decisions()

    def play_out(self, s: State, seed: int) -> None:
        """Play a state, in place, to the end with random answers: those of `Machine.play_out` with fractions(seed).
        Raises RuleError."""
        if s[PC] != GAME_OVER:
            self._write_state(s)
            self.play_on(seed)
            s[:] = self._read_state()
        s[FUEL] = FUEL_BETWEEN_DECISIONS

    def games(self, new: State, seeds: range) -> GameResults:
        """Play whole games, each from a new state with another seed, as `play_out` does. Raises RuleError."""
        return self._bulk.games(new, seeds)

    @cached_property
    def _bulk(self) -> Bulk | Fallback:
        """Executor of whole games, on first use; the machine where a set may be too large for it."""
        try:
            return Bulk(self.program)
        except Unbounded:  # of what is a register in whole games only
            return Fallback(self.program, "")

    def call(self, function: int, s: State, seat: int) -> list[list[int]]:
        """Return the results of one of this executor's functions. Raises RuleError."""
        start = list(s)
        start[FUEL] = FUEL_BETWEEN_DECISIONS
        self._write_state(start)
        self._check(self._instance.call("call", function, seat))
        return list(self._read_vectors(self.memory.answers, self._word(memory.ANSWER_END)))

    # ── step by step ──

    @cached_property
    def tree(self) -> Tree:
        return Tree(self._instance, self.memory, self._check)

    @cached_property
    def information_trees(self) -> InformationTrees:
        return InformationTrees(self._instance, self.memory)

    def pack(self, s: State) -> bytes:
        return self.memory.pack(s)

    def load_state(self, packed: bytes, rng_state: Sequence[int]) -> None:
        self._instance.write(self.memory.state, packed)
        self._instance.write(self.memory.cell(RANDOM), struct.pack(f"<{RANDOM_CELLS}I", *rng_state))

    def answer(self, decision: OpenDecision, answer: Sequence[int]) -> None:
        """Write an answer into memory and prepare the block after its question."""
        site, words = self.program.sites[decision.site], self._words
        first = self.memory.set_at[site.slot + decision.seat if site.per_seat else site.slot] // memory.WORD
        for place, word in enumerate((len(answer), *answer), first):
            words[place] = word
        resume_after(self.program, self.cells, decision)

    def resume(self) -> list[OpenDecision]:
        self.cells[FUEL] = FUEL_BETWEEN_DECISIONS
        if self.cells[PC] == GAME_OVER:
            return []
        self._check(self._instance.functions["run"]())
        return [] if end_at_limit(self.program, self.cells) else self._open_decisions()

    def view_hash(self, seat: int, public: bool) -> int:
        number: int = self._instance.functions["glance"](self.memory.glances[0 if public else 1 + seat])
        return number

    def play_on(self, seed: int, most: int | None = None) -> GameResult:
        self._words[memory.TURN // memory.WORD] = 0
        return parse_result(self._run_play_on("play_on", seed, most, 1)[0], len(self.program.scoring))

    def play_on_often(
        self,
        seed: int,
        most: int | None,
        times: int,
        until: float = math.inf,
        turn: int = -1,
    ) -> list[list[int]]:
        self._words[memory.TURN // memory.WORD] = turn + 1
        return self._run_play_on("play_on_often", seed, most, min(times, self.memory.at_once))

    def _run_play_on(self, function: str, seed: int, most: int | None, times: int) -> list[list[int]]:
        """Call an exported function that plays on; return the words of each game's result. Raises RuleError."""
        reset_waiting_seats(self.program, self.cells)
        limit = memory.TO_THE_END if most is None else most
        self._instance.write(self.memory.orders, memory.ORDERS.pack(_signed(seed), limit, times))
        self._instance.functions[function]()
        words, first, width = self._words, self.memory.results // memory.WORD, self.memory.row
        if ended := words[memory.ENDED // memory.WORD]:
            self._check(ended)
        return [words[row : row + width].tolist() for row in range(first, first + times * width, width)]

    def state_copy(self) -> bytes:
        """Return the current state as it lies in memory."""
        return self._instance.read(self.memory.state, self.memory.state_size)

    def _write_state(self, s: State) -> None:
        """Load a state into memory."""
        self._instance.write(self.memory.state, self.memory.pack(s))

    def _read_state(self) -> State:
        """Return the loaded state."""
        return self.memory.unpack(self.state_copy())

    def _open_decisions(self) -> list[OpenDecision]:
        """Read the open decisions from memory."""
        words, questions = self._words, []
        word, end = self.memory.questions // memory.WORD, words[memory.ASKED_END // memory.WORD] // memory.WORD
        while word < end:
            first, word = word + 5, word + 5 + words[word + 4]
            site, seat, least, most = words[first - 5 : first - 1]
            questions.append(OpenDecision(site, seat, words[first:word].tolist(), least, most, ()))
        return questions

    def _read_vectors(self, start: int, end: int) -> Iterator[list[int]]:
        """Yield the vectors between two addresses."""
        data = self._instance.read(start, end - start)
        offset = 0
        while offset < len(data):
            items = memory.read_vector(data, offset)
            yield list(items)
            offset += (1 + len(items)) * memory.WORD


@record
class CachedCode:
    """Cached native code for whole games. compiled: as of `Instance.serialized`; begins_alike: whether all games share
    a start before their first chance or question."""

    compiled: bytes
    needs: MemoryNeeds
    begins_alike: bool


class Bulk(NativeCode):
    """Player of whole random games, thousands in a call, with or without statistics. counting: None to count nothing;
    key: of the program in the cache, '' for none. Raises CannotRun without WebAssembly, and Unbounded for a program
    that native code cannot hold."""

    def __init__(self, program: Program, counting: StatisticsLayout | None = None, key: str = "") -> None:
        self._statistics = statistics = None if counting is None else StatisticsMemory(counting)
        key = key and cache.key("whole games", key, counting is not None)
        if not (key and self._load_cached(program, cache.get(key))):
            from rulewright.program.rollout_pipeline import whole_game_blocks  # noqa: PLC0415 - as above

            blocks = whole_game_blocks(program, None if statistics is None else statistics.first_text)
            functions = () if statistics is None else sorted(set(statistics.functions))
            super().__init__(program, blocks, functions, IN_BULK, statistics)
            self._begins_alike = blocks[program.start][-1:] == [("wait", max(blocks))]
            if key:
                cache.store(key, CachedCode(self._instance.serialized(), self.memory.needs, self._begins_alike))
        if statistics is not None:
            for address, data in statistics.constants():
                self._instance.write(address, data)

    def _load_cached(self, program: Program, cached: object) -> bool:
        """Use cached code if there is some that runs here; return whether there is."""
        if not isinstance(cached, CachedCode):
            return False
        try:
            instance = Instance(b"", cached.compiled)
        except CannotRun:
            return False
        self._begins_alike = cached.begins_alike
        self._attach(program, Memory(program, cached.needs, self._statistics), instance)
        return True

    def games(self, new: State, seeds: range) -> GameResults:
        """Play games without statistics, each from a new state with another seed. Raises RuleError."""
        self._write_template(new)
        words = array("i")
        while (done := len(words) // self.memory.row) < len(seeds):
            more, stopped = self._play_batch(seeds[done:])
            if stopped is not None:
                raise stopped
            words.frombytes(more)
        return GameResults(self.program.layout.seats, len(self.program.scoring), words)

    def counted_games(self, new: State, seeds: range) -> CountedGames:
        """Play games with statistics, each from a new state with another seed. A game that fails is recorded as
        stopped, and the others go on. Fails without a `counting`."""
        assert self._statistics is not None
        self._instance.write(*self._statistics.initial_content())
        words, sums, stopped = array("i"), array("d"), dict[int, str]()
        try:
            self._write_template(new)
        except RuleError as error:
            words.extend(stopped_words(*self._progress(), self.memory.row) * len(seeds))
            stopped = dict.fromkeys(range(len(seeds)), str(error))
        while (done := len(words) // self.memory.row) < len(seeds):
            more, error_ = self._play_batch(seeds[done:])
            words.frombytes(more)
            if error_ is not None:
                stopped[len(words) // self.memory.row] = str(error_)
                words.extend(stopped_words(*self._progress(), self.memory.row))
                self._instance.write(*self._statistics.cleared_content())
        sums.frombytes(self._instance.read(*self._statistics.sums_extent()))
        return CountedGames(words, sums, stopped)

    def _write_template(self, new: State) -> None:
        """Write the state from which each game starts: past the common start, if there is one. Raises RuleError."""
        self._instance.write(
            self.memory.template, self._state_after_common_start(new) if self._begins_alike else self.memory.pack(new)
        )

    def _play_batch(self, seeds: range) -> tuple[bytes, RuleError | None]:
        """Play the first of these seeds, as many as one call takes. Return the rows of the games that ended, and the
        error that stopped the next one, if any."""
        count, error = min(self.memory.at_once, len(seeds)), None
        self._instance.write(self.memory.orders, memory.ORDERS.pack(_signed(seeds[0]), count, 1))
        self._instance.call("play")
        count_played = self._word(memory.PLAYED_OUT)
        if count_played < count:
            try:
                self._check(self._word(memory.ENDED))
            except RuleError as stopped:
                error = stopped
        return self._instance.read(self.memory.results, count_played * self.memory.row * memory.WORD), error

    def _progress(self) -> tuple[int, int]:
        """Return the round of the last game and its number of answers."""
        return self._word(self.memory.cell(ROUND)), self._word(self.memory.cell(ANSWERS))

    def _state_after_common_start(self, new: State) -> bytes:
        """Run the start that all games share; return the state after it. Raises RuleError."""
        self._instance.write(self.memory.state, self.memory.pack(new))
        self._check(self._instance.call("run"))
        return self._instance.read(self.memory.state, self.memory.state_size)


def _signed(seed: int) -> int:
    """Return the lowest 64 bits as a signed number."""
    return (seed + 2**63) % 2**64 - 2**63
