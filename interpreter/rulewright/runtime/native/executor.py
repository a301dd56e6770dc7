"""A program as native code: runs states to the next decision, and plays whole games out, thousands in one call."""

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
from rulewright.program.form import ANSWERS, FUEL, GAME_OVER, PC, RANDOM, RANDOM_CELLS, ROUND, Program
from rulewright.runtime.game_statistics import StatisticsLayout
from rulewright.runtime.machine import end_at_limit, reset_waiting_seats, resume_after
from rulewright.runtime.native import memory
from rulewright.runtime.native.engine import CannotRun, Instance
from rulewright.runtime.native.fallback import Fallback
from rulewright.runtime.native.memory import Memory, MemoryNeeds
from rulewright.runtime.native.results import CountedGames, GameResult, GameResults, parse_result, stopped_words
from rulewright.runtime.native.statistics_memory import StatisticsMemory
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
    ("run", "play_on", "play_on_often", "glance"),
    ("play", "run"),
)  # what can be called of the library


class NativeCode:
    """One program's native code, and its memory. Raises CannotRun and Unbounded."""

    def __init__(
        self,
        program: Program,
        blocks: Blocks,
        functions: Sequence[int],
        exports: Sequence[str],
        statistics: StatisticsMemory | None = None,
        further: Callable[[Memory], tuple[Mapping[str, int], int]] | None = None,
    ) -> None:
        from rulewright.runtime.native import emit  # noqa: PLC0415 - cached code has been emitted

        binary, layout = emit.emit_module(program, blocks, functions, exports, statistics, further)
        self._attach(program, layout, Instance(binary))

    def _attach(self, program: Program, layout: Memory, instance: Instance) -> None:
        self.program, self.memory = program, layout
        self._instance, self._words = instance, instance.words
        for address, data in layout.constants():
            instance.write(address, data)

    def _word(self, address: int) -> int:
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
    """Runs one program, as `Machine` does. functions: those to be called.

    Raises CannotRun where there is no WebAssembly, and Unbounded for a program that native code cannot hold.
    """

    notice = ""

    def __init__(self, program: Program, functions: Sequence[int] = ()) -> None:
        from rulewright.program.decision_pipeline import decision_blocks  # noqa: PLC0415 - whole games need none of it

        super().__init__(program, decision_blocks(program, telling=False), functions, STEP_BY_STEP)
        first = self.memory.state // memory.WORD
        self.cells = cast(MutableSequence[int], self._words[first : first + program.layout.size])

    def run(self, s: State) -> list[OpenDecision]:
        """Run on until somebody must answer, and give the open decisions, without their texts' arguments.

        Raises RuleError; the state is then of no use.
        """
        s[FUEL] = FUEL_BETWEEN_DECISIONS
        if s[PC] == GAME_OVER:
            return []
        self._put(s)
        self._check(self._instance.functions["run"]())
        s[:] = self._state()
        s[FUEL] = FUEL_BETWEEN_DECISIONS
        return [] if end_at_limit(self.program, s) else self._open_decisions()

    def play_out(self, s: State, seed: int) -> None:
        """Play on to the end with every decision answered at random, as `Machine.play_out` with fractions(seed) does.

        Raises RuleError.
        """
        if s[PC] != GAME_OVER:
            self._put(s)
            self.play_on(seed)
            s[:] = self._state()
        s[FUEL] = FUEL_BETWEEN_DECISIONS

    def games(self, new: State, seeds: range) -> GameResults:
        """Whole games, each from a new state with another seed, and played on as `play_out` does. Raises RuleError."""
        return self._bulk.games(new, seeds)

    @cached_property
    def _bulk(self) -> Bulk | Fallback:
        try:
            return Bulk(self.program)
        except Unbounded:  # of what is a register in whole games only
            return Fallback(self.program, "")

    def call(self, function: int, s: State, seat: int) -> list[list[int]]:
        """The results of one of the functions that this executor was made with. Raises RuleError."""
        start = list(s)
        start[FUEL] = FUEL_BETWEEN_DECISIONS
        self._put(start)
        self._check(self._instance.call("call", function, seat))
        return list(self._read_vectors(self.memory.answers, self._word(memory.ANSWER_END)))

    # ── step by step ──

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
        return parse_result(self._played_on("play_on", seed, most, 1)[0], len(self.program.scoring))

    def play_on_often(
        self,
        seed: int,
        most: int | None,
        times: int,
        until: float = math.inf,
    ) -> list[list[int]]:
        return self._played_on("play_on_often", seed, most, min(times, self.memory.at_once))

    def _played_on(self, function: str, seed: int, most: int | None, times: int) -> list[list[int]]:
        reset_waiting_seats(self.program, self.cells)
        limit = memory.TO_THE_END if most is None else most
        self._instance.write(self.memory.orders, memory.ORDERS.pack(_signed(seed), limit, times))
        self._instance.functions[function]()
        words, first, width = self._words, self.memory.results // memory.WORD, self.memory.row
        if ended := words[memory.ENDED // memory.WORD]:
            self._check(ended)
        return [words[row : row + width].tolist() for row in range(first, first + times * width, width)]

    def state_bytes(self) -> bytes:
        """The state as it lies in memory now."""
        return self._instance.read(self.memory.state, self.memory.state_size)

    def _put(self, s: State) -> None:
        self._instance.write(self.memory.state, self.memory.pack(s))

    def _state(self) -> State:
        return self.memory.unpack(self.state_bytes())

    def _open_decisions(self) -> list[OpenDecision]:
        words, questions = self._words, []
        word, end = self.memory.questions // memory.WORD, words[memory.ASKED_END // memory.WORD] // memory.WORD
        while word < end:
            first, word = word + 5, word + 5 + words[word + 4]
            site, seat, least, most = words[first - 5 : first - 1]
            questions.append(OpenDecision(site, seat, words[first:word].tolist(), least, most, ()))
        return questions

    def _read_vectors(self, start: int, end: int) -> Iterator[list[int]]:
        """Yield the vectors that stand between two addresses."""
        data = self._instance.read(start, end - start)
        offset = 0
        while offset < len(data):
            items = memory.vector_at(data, offset)
            yield list(items)
            offset += (1 + len(items)) * memory.WORD


@record
class CachedCode:
    """Native code for whole games in the cache. begins_alike: whether its first block waits."""

    compiled: bytes
    needs: MemoryNeeds
    begins_alike: bool


class Bulk(NativeCode):
    """Plays whole games at random, thousands in a call, and counts what happens in them, if anything is to be counted.

    key: of the program in the cache, '' for none. Raises CannotRun where there is no
    WebAssembly, and Unbounded for a program that native code cannot hold.
    """

    def __init__(self, program: Program, counting: StatisticsLayout | None = None, key: str = "") -> None:
        self._statistics = statistics = None if counting is None else StatisticsMemory(counting)
        key = key and cache.key("whole games", key, counting is not None)
        if not (key and self._from_cache(program, cache.get(key))):
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

    def _from_cache(self, program: Program, cached: object) -> bool:
        """Whether the cached code can be used."""
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
        """Play games, each from a new state with another seed, without counting. Raises RuleError."""
        self._begin(new)
        words = array("i")
        while (done := len(words) // self.memory.row) < len(seeds):
            more, stopped = self._some(seeds[done:])
            if stopped is not None:
                raise stopped
            words.frombytes(more)
        return GameResults(self.program.layout.seats, len(self.program.scoring), words)

    def counted(self, new: State, seeds: range) -> CountedGames:
        """Play games, and count what happens in them. A game that stops is noted, and the others go on."""
        assert self._statistics is not None
        self._instance.write(*self._statistics.initial_content())
        words, sums, stopped = array("i"), array("d"), dict[int, str]()
        try:
            self._begin(new)
        except RuleError as error:
            words.extend(stopped_words(*self._reached(), self.memory.row) * len(seeds))
            stopped = dict.fromkeys(range(len(seeds)), str(error))
        while (done := len(words) // self.memory.row) < len(seeds):
            more, error_ = self._some(seeds[done:])
            words.frombytes(more)
            if error_ is not None:
                stopped[len(words) // self.memory.row] = str(error_)
                words.extend(stopped_words(*self._reached(), self.memory.row))
                self._instance.write(*self._statistics.cleared_content())
        sums.frombytes(self._instance.read(*self._statistics.sums_extent()))
        return CountedGames(words, sums, stopped)

    def _begin(self, new: State) -> None:
        """Keep what each game begins from. Raises RuleError."""
        self._instance.write(
            self.memory.template, self._state_after_common_start(new) if self._begins_alike else self.memory.pack(new)
        )

    def _some(self, seeds: range) -> tuple[bytes, RuleError | None]:
        """The rows of the first of these games, as many as one call plays, and what has stopped the one behind them."""
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

    def _reached(self) -> tuple[int, int]:
        """Return the round of the game that was played last, and how many answers it has had."""
        return self._word(self.memory.cell(ROUND)), self._word(self.memory.cell(ANSWERS))

    def _state_after_common_start(self, new: State) -> bytes:
        """The state after what all games begin with. Raises RuleError."""
        self._instance.write(self.memory.state, self.memory.pack(new))
        self._check(self._instance.call("run"))
        return self._instance.read(self.memory.state, self.memory.state_size)


def _signed(seed: int) -> int:
    """The lowest 64 bits as WebAssembly takes them."""
    return (seed + 2**63) % 2**64 - 2**63
