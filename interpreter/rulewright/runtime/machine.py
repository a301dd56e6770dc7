"""Reference executor of programs, for every game at a table."""

from __future__ import annotations

from collections.abc import Callable, MutableSequence, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from rulewright.program.blocks import Blocks
from rulewright.program.form import Program
from rulewright.program.state_layout import (
    ANSWERS,
    FUEL,
    GAME_OVER,
    LIMITED,
    ME,
    NOTHING,
    PARKED,
    PC,
    PHASE,
    RANDOM,
    RANDOM_CELLS,
    WAITING,
)
from rulewright.runtime import rng
from rulewright.runtime.operations import (
    ENDLESS_RULES,
    FUEL_BETWEEN_DECISIONS,
    TOO_MUCH_WORK,
    Events,
    OpenDecision,
    OutOfFuel,
    RuleError,
)
from rulewright.runtime.random_answers import RandomAnswers, pick
from rulewright.runtime.rng import Chance, seeded
from rulewright.runtime.state import State, clone

if TYPE_CHECKING:
    from rulewright.runtime.python_backend import BlockFunction, CompiledFunction, Translation

__all__ = [
    "FUEL_BETWEEN_DECISIONS",
    "Events",
    "Machine",
    "OpenDecision",
    "RuleError",
    "end_at_limit",
    "reset_waiting_seats",
    "resume_after",
]


def reset_waiting_seats(program: Program, s: MutableSequence[Any]) -> None:
    """Reset the waiting seats of an `at once`, in a state, to being asked, for an executor that answers by itself."""
    for sealed in program.sealed:
        if sealed.block == s[PC]:
            for seat in range(program.layout.seats):
                if s[sealed.next_block + seat] == WAITING:
                    s[sealed.next_block + seat] = s[sealed.ask_block + seat]


def resume_after(program: Program, s: MutableSequence[Any], decision: OpenDecision) -> None:
    """Set, in a state, the block that continues after an answer, and count the answer."""
    s[ANSWERS] += 1
    site = program.sites[decision.site]
    if site.sealed < 0:
        s[PC] = site.resume
    else:
        sealed = program.sealed[site.sealed]
        s[sealed.next_block + decision.seat] = PARKED if site.parks else site.resume
        s[sealed.parked_block + decision.seat] = site.resume


def end_at_limit(program: Program, s: MutableSequence[Any]) -> bool:
    """End a game, in its state, that has reached its limit of answers before a question; return whether it did."""
    if s[PC] == GAME_OVER or s[ANSWERS] < program.limit.answers:
        return False
    s[PC], s[LIMITED] = GAME_OVER, 1
    return True


class Machine:
    """Executor of one program. It holds no game: it can run any number of states."""

    def __init__(self, program: Program, blocks: Blocks | None = None, chance: Chance = rng) -> None:
        """Prepare a machine. blocks: result of `stopping_blocks`, if known; chance: source of chance, by default the
        generator in each state."""
        self.program = program
        self._sealed_at = {sealed.block: sealed for sealed in program.sealed}
        self._prepared_blocks, self._chance, self._prunes = blocks, chance, True
        self._new_state = self._without_seed()

    def __reduce__(self) -> tuple[type[Machine], tuple[Program]]:
        """Pickle the program only."""
        return Machine, (self.program,)

    @cached_property
    def _translation(self) -> Translation:
        """Python functions of the program, on first use."""
        from rulewright.runtime.python_backend import Translation  # noqa: PLC0415 - unused if all runs in native code

        return Translation(self.program, self._prepared_blocks, self._chance, self._prunes)

    @cached_property
    def unpruned(self) -> Machine:
        """A machine of this program whose blocks read the same cells however often they have run, to monitor reads."""
        machine = Machine(self.program, self._prepared_blocks, self._chance)
        machine._prunes = False
        return machine

    @cached_property
    def _functions(self) -> list[CompiledFunction]:
        """Python functions of the program's functions, by number."""
        return self._translation.functions()

    @cached_property
    def _blocks(self) -> list[BlockFunction]:
        """Functions of blocks that stop at questions."""
        return self._translation.blocks()

    @cached_property
    def _playing(self) -> list[BlockFunction]:
        """Functions of blocks that answer at random."""
        return self._translation.blocks(playing=True)

    def new(self, seed: int, roles: Sequence[int] = (), options: Sequence[int] | None = None) -> State:
        """Return a state before its set-up. roles: of each seat, -1 for none; options: index of each option's
        choice."""
        layout = self.program.layout
        state = clone(self._new_state)
        state[RANDOM : RANDOM + RANDOM_CELLS] = seeded(seed)
        state[layout.role : layout.role + min(len(roles), layout.seats)] = roles[: layout.seats]
        if options is not None:
            state[layout.option : layout.option + len(options)] = options
        return state

    def _without_seed(self) -> State:
        """Return the common part of all new states."""
        program, layout = self.program, self.program.layout
        state: State = [0] * layout.size
        for cell in layout.sets:
            state[cell] = ()
        state[PC] = program.start
        state[PHASE] = -1
        for piece, address in enumerate(program.starts):
            state[address] += (piece,)
            state[layout.piece_zones + piece] = address
        for face in layout.faces.values():
            state[face.cell] = face.first
        for seat in range(layout.seats):
            state[layout.role + seat] = NOTHING
        for index, option in enumerate(program.options):
            state[layout.option + index] = option.default
        for counter in layout.counters:
            if counter.type.many:
                continue  # sets start empty
            for cell in range(counter.cells):
                state[counter.address + cell] = counter.initial(cell)
        for piece, marks in layout.marked.items():
            for mark, start in marks:
                state[mark.address + piece] = start
        return state

    def run(self, s: State, out: Events | None = None) -> list[OpenDecision]:
        """Run a state, in place, until a seat must answer, and return the open decisions; none if the game is over, by
        its rules or its limit.

        out: receives emitted texts, as (text, acting seat, arguments); None to leave them out, and the arguments of
        questions. Raises RuleError; the state is then unusable.
        """
        s[FUEL] = FUEL_BETWEEN_DECISIONS
        decisions: list[OpenDecision] = []
        if s[PC] == GAME_OVER:
            return decisions
        self._run_blocks(self._blocks, s, out, decisions)
        s[FUEL] = FUEL_BETWEEN_DECISIONS
        return [] if end_at_limit(self.program, s) else decisions

    def _run_blocks(self, blocks: list[BlockFunction], s: State, out: Events | None, third: Any) -> None:
        """Run blocks until one returns no next block. third: third argument of each block. Raises RuleError if the fuel
        is spent."""
        block: BlockFunction | None = blocks[s[PC]]
        try:
            while block is not None:
                block = block(s, out, third)
        except OutOfFuel as error:
            step = self.program.blocks.get(error.args[0], "the game")
            raise RuleError(ENDLESS_RULES.format(step=step)) from None

    def play_out(self, s: State, random: Callable[[], float]) -> None:
        """Play a state, in place, to the end of the game, answering every decision at random; faster than asking.

        random: returns numbers from 0 to less than 1. Raises RuleError.
        """
        s[FUEL] = FUEL_BETWEEN_DECISIONS
        reset_waiting_seats(self.program, s)
        if s[PC] != GAME_OVER:
            self._run_blocks(self._playing, s, None, random)
            end_at_limit(self.program, s)
        s[FUEL] = FUEL_BETWEEN_DECISIONS

    def open_decisions(self, s: State, out: Events | None = None, only: int | None = None) -> list[OpenDecision]:
        """Return the open decisions without running on.

        out: None, to leave out the arguments of their texts, which is faster; [] to compute them. only: of one seat;
        sealed answers of others are not read. Raises RuleError.
        """
        if s[PC] == GAME_OVER:
            return []
        decisions: list[OpenDecision] = []
        sealed = self._sealed_at.get(s[PC])
        if sealed is None:
            self._blocks[s[PC]](s, out, decisions)
            decisions = decisions if only is None else [decision for decision in decisions if decision.seat == only]
        else:
            me = s[ME]
            for seat in s[sealed.seats]:
                if only in (None, seat) and s[sealed.next_block + seat] == WAITING:
                    s[ME] = seat
                    self._blocks[s[sealed.ask_block + seat]](s, out, decisions)
            s[ME] = me
        s[FUEL] = FUEL_BETWEEN_DECISIONS  # reading costs no fuel
        zone_cells, cell = (
            self.program.layout.piece_zones,
            list.__getitem__,
        )  # bypasses a list that monitors reads of pieces
        for decision in decisions:
            if self.program.sites[decision.site].element.base == "piece":
                decision.spots = tuple([cell(s, zone_cells + piece) for piece in decision.candidates])
        return decisions

    def random_answer(self, s: State, decision: OpenDecision, random: Callable[[], float]) -> tuple[int, ...]:
        """Return a random answer to an open decision, all equally likely. random: returns numbers from 0 to less than
        1."""
        site, seat = self.program.sites[decision.site], decision.seat
        if site.element.base != "piece":
            return pick(random, decision.candidates, decision.least, decision.most)
        by_place = site.distinguishes_places(s, seat)
        return self._random_answers.pick_alike(
            s, random, decision.candidates, decision.least, decision.most, seat, by_place
        )

    @cached_property
    def _random_answers(self) -> RandomAnswers:
        """Source of random answers to questions about pieces."""
        return RandomAnswers(self.program)

    def simultaneous_seats(self, s: State) -> list[int]:
        """Return the seats of an open `at once`; none outside of one."""
        sealed = self._sealed_at.get(s[PC])
        return [] if sealed is None else list(s[sealed.seats])

    def answer(self, s: State, decision: OpenDecision, choice: Sequence[int]) -> None:
        """Store a checked answer in the state, and count it. Call `run` when no other seat must answer first."""
        site = self.program.sites[decision.site]
        s[site.slot + decision.seat if site.per_seat else site.slot] = tuple(choice)
        if self.program.layout.shown_pieces >= 0:
            s[self.program.layout.shown_pieces] = ()
        resume_after(self.program, s, decision)

    def call(self, function: int, s: State, seat: int) -> list[list[int]]:
        """Return the results of one of the program's functions, given by its number, for a seat: a vector for each.
        Raises RuleError."""
        fuel, s[FUEL] = s[FUEL], FUEL_BETWEEN_DECISIONS
        try:
            return self._functions[function](s, seat)
        except OutOfFuel:
            raise RuleError(TOO_MUCH_WORK) from None
        finally:
            s[FUEL] = fuel  # reading costs no fuel
