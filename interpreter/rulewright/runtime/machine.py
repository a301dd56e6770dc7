"""The machine: a program's reference executor, for every game at a table."""

from __future__ import annotations

from collections.abc import Callable, MutableSequence, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from rulewright.program.blocks import Blocks
from rulewright.program.form import (
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
    Program,
)
from rulewright.runtime import rng
from rulewright.runtime.operations import (
    FUEL_BETWEEN_DECISIONS,
    LABORIOUS,
    SPENT,
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
    "ask_again",
    "ended_here",
    "find_way",
]


def ask_again(program: Program, s: MutableSequence[Any]) -> None:
    """Who has been asked and is waited for goes back to being asked: by an executor that answers by itself."""
    for sealed in program.sealed:
        if sealed.block == s[PC]:
            for seat in range(program.layout.seats):
                if s[sealed.next_block + seat] == WAITING:
                    s[sealed.next_block + seat] = s[sealed.ask_block + seat]


def find_way(program: Program, s: MutableSequence[Any], asked: OpenDecision) -> None:
    """Where it goes on after an answer, which counts."""
    s[ANSWERS] += 1
    site = program.sites[asked.site]
    if site.sealed < 0:
        s[PC] = site.resume
    else:
        sealed = program.sealed[site.sealed]
        s[sealed.next_block + asked.seat] = PARKED if site.parks else site.resume
        s[sealed.parked_block + asked.seat] = site.resume


def ended_here(program: Program, s: MutableSequence[Any]) -> bool:
    """Ends a game in which somebody is to be asked after as many answers as its limit allows; gives whether it did."""
    if s[PC] == GAME_OVER or s[ANSWERS] < program.limit.answers:
        return False
    s[PC], s[LIMITED] = GAME_OVER, 1
    return True


class Machine:
    """Runs one program. Holds no game: any number of states may be run by it."""

    def __init__(self, program: Program, blocks: Blocks | None = None, chance: Chance = rng) -> None:
        """blocks: what `stopping` makes of the program, if that is known; chance: what decides, else the generator of
        each state."""
        self.program = program
        self._sealed_at = {sealed.block: sealed for sealed in program.sealed}
        self._known, self._chance, self._prunes = blocks, chance, True
        self._fresh = self._without_seed()

    def __reduce__(self) -> tuple[type[Machine], tuple[Program]]:
        """Other processes make theirs from the program."""
        return Machine, (self.program,)

    @cached_property
    def _translation(self) -> Translation:
        from rulewright.runtime.python_backend import Translation  # noqa: PLC0415 - native code may be all that runs

        return Translation(self.program, self._known, self._chance, self._prunes)

    @cached_property
    def unpruned(self) -> Machine:
        """A machine of this program whose blocks read the same cells however often they have run, to monitor reads."""
        machine = Machine(self.program, self._known, self._chance)
        machine._prunes = False
        return machine

    @cached_property
    def _functions(self) -> list[CompiledFunction]:
        return self._translation.functions()

    @cached_property
    def _blocks(self) -> list[BlockFunction]:
        return self._translation.blocks()

    @cached_property
    def _playing(self) -> list[BlockFunction]:
        return self._translation.blocks(playing=True)

    def new(self, seed: int, roles: Sequence[int] = (), options: Sequence[int] | None = None) -> State:
        """A state before its set-up. roles: of each seat, -1 for none; options: the index of each option's choice."""
        layout = self.program.layout
        state = clone(self._fresh)
        state[RANDOM : RANDOM + RANDOM_CELLS] = seeded(seed)
        state[layout.role : layout.role + min(len(roles), layout.seats)] = roles[: layout.seats]
        if options is not None:
            state[layout.option : layout.option + len(options)] = options
        return state

    def _without_seed(self) -> State:
        """What all new states have in common."""
        program, layout = self.program, self.program.layout
        state: State = [0] * layout.size
        for cell in layout.sets:
            state[cell] = ()
        state[PC] = program.start
        state[PHASE] = -1
        for piece, address in enumerate(program.starts):
            state[address] += (piece,)
            state[layout.at + piece] = address
        for face in layout.faces.values():
            state[face.cell] = face.first
        for seat in range(layout.seats):
            state[layout.role + seat] = NOTHING
        for index, option in enumerate(program.options):
            state[layout.option + index] = option.default
        for counter in layout.counters:
            if counter.type.many:
                continue  # empty, as all sets
            for cell in range(counter.cells):
                state[counter.address + cell] = counter.starts(cell)
        for piece, marks in layout.marked.items():
            for mark, start in marks:
                state[mark.address + piece] = start
        return state

    def run(self, s: State, out: Events | None = None) -> list[OpenDecision]:
        """Run on until somebody must answer, and give the open decisions; none when the game is over, by its rules or
        by its limit.

        out: where told texts go, as (text, arguments). Raises RuleError; the state is then of no use.
        """
        s[FUEL] = FUEL_BETWEEN_DECISIONS
        asked: list[OpenDecision] = []
        if s[PC] == GAME_OVER:
            return asked
        self._go(self._blocks, s, out, asked)
        s[FUEL] = FUEL_BETWEEN_DECISIONS
        return [] if ended_here(self.program, s) else asked

    def _go(self, blocks: list[BlockFunction], s: State, out: Events | None, third: Any) -> None:
        block: BlockFunction | None = blocks[s[PC]]
        try:
            while block is not None:
                block = block(s, out, third)
        except OutOfFuel as error:
            step = self.program.blocks.get(error.args[0], "the game")
            raise RuleError(SPENT.format(step=step)) from None

    def play_out(self, s: State, random: Callable[[], float]) -> None:
        """Play on to the end of the game with every decision answered at random; quicker than asking.

        random: gives numbers from 0 to less than 1. Raises RuleError.
        """
        s[FUEL] = FUEL_BETWEEN_DECISIONS
        ask_again(self.program, s)
        if s[PC] != GAME_OVER:
            self._go(self._playing, s, None, random)
            ended_here(self.program, s)
        s[FUEL] = FUEL_BETWEEN_DECISIONS

    def asked(self, s: State, out: Events | None = None, only: int | None = None) -> list[OpenDecision]:
        """The decisions that are open now, without going on. only: of one seat; what others seal is not looked at."""
        if s[PC] == GAME_OVER:
            return []
        asked: list[OpenDecision] = []
        sealed = self._sealed_at.get(s[PC])
        if sealed is None:
            self._blocks[s[PC]](s, out, asked)
            asked = asked if only is None else [decision for decision in asked if decision.seat == only]
        else:
            me = s[ME]
            for seat in s[sealed.seats]:
                if only in (None, seat) and s[sealed.next_block + seat] == WAITING:
                    s[ME] = seat
                    self._blocks[s[sealed.ask_block + seat]](s, out, asked)
            s[ME] = me
        s[FUEL] = FUEL_BETWEEN_DECISIONS  # looking costs nothing
        at, cell = self.program.layout.at, list.__getitem__  # unseen, even where somebody watches who looks at pieces
        for decision in asked:
            if self.program.sites[decision.site].element.base == "piece":
                decision.spots = tuple([cell(s, at + piece) for piece in decision.candidates])
        return asked

    def random_answer(self, s: State, asked: OpenDecision, random: Callable[[], float]) -> tuple[int, ...]:
        """Return an answer to an open decision, each as likely as any other. random: gives numbers from 0 to less than
        1."""
        site, seat = self.program.sites[asked.site], asked.seat
        if site.element.base != "piece":
            return pick(random, asked.candidates, asked.least, asked.most)
        apart = site.apart(s, seat)
        return self._random_answers.pick_alike(s, random, asked.candidates, asked.least, asked.most, seat, apart)

    @cached_property
    def _random_answers(self) -> RandomAnswers:
        return RandomAnswers(self.program)

    def group(self, s: State) -> list[int]:
        """The seats that decide at once, while they do; else nobody."""
        sealed = self._sealed_at.get(s[PC])
        return [] if sealed is None else list(s[sealed.seats])

    def answer(self, s: State, asked: OpenDecision, chosen: Sequence[int]) -> None:
        """Put an answer, already checked, into the state. Call `run` when nobody need answer first."""
        site = self.program.sites[asked.site]
        s[site.slot + asked.seat if site.per_seat else site.slot] = tuple(chosen)
        if self.program.layout.shown >= 0:
            s[self.program.layout.shown] = ()
        find_way(self.program, s, asked)

    def call(self, function: int, s: State, seat: int) -> list[list[int]]:
        """The results of one of the program's functions. Raises RuleError."""
        fuel, s[FUEL] = s[FUEL], FUEL_BETWEEN_DECISIONS
        try:
            return self._functions[function](s, seat)
        except OutOfFuel:
            raise RuleError(LABORIOUS) from None
        finally:
            s[FUEL] = fuel  # looking costs nothing
