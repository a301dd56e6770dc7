"""The machine: a program's reference executor, for every game at a table."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.generator import seeded
from rulewright.program import FUEL, GAME_OVER, ME, PARKED, PC, PHASE, RANDOM, RANDOM_CELLS, WAITING, Program
from rulewright.state import State
from rulewright.translation import Asked, Events, OutOfFuel, RuleError, Translation, keep

__all__ = ["Asked", "Events", "Machine", "RuleError"]

FUEL_BETWEEN_DECISIONS = 1_000_000


class Machine:
    """Runs one program. Holds no game: any number of states may be run by it."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._sealed_at = {sealed.block: sealed for sealed in program.sealed}
        self._sealed_of = [program.sealed[s.sealed] if s.sealed >= 0 else None for s in program.sites]
        translation = Translation(program)
        self._blocks = translation.blocks()
        self._functions = translation.functions()

    def new(self, seed: int, roles: Sequence[int] = (), options: Sequence[int] | None = None) -> State:
        """A state before its set-up. roles: of each seat, -1 for none; options: the index of each option's choice."""
        program, layout = self.program, self.program.layout
        state = [0] * layout.size
        state[PC] = program.start
        state[PHASE] = -1
        state[RANDOM : RANDOM + RANDOM_CELLS] = seeded(seed)
        for piece, address in enumerate(program.starts):
            state[address] += 1
            state[address + state[address]] = piece
            state[layout.at + piece] = address
        for seat in range(layout.seats):
            state[layout.role + seat] = roles[seat] if seat < len(roles) else -1
        for index, option in enumerate(program.options):
            state[layout.option + index] = option.default if options is None else options[index]
        for counter in layout.counters:
            for seat in range(layout.seats if counter.per_seat else 1):
                state[counter.address + seat] = counter.start
        return state

    def run(self, s: State, out: Events | None = None) -> list[Asked]:
        """Run on until somebody must answer, and give the open decisions; none when the game is over.

        out: where told texts go, as (text, arguments). Raises RuleError; the state is then of no use.
        """
        blocks, sealed_of = self._blocks, self._sealed_of
        s[FUEL] = FUEL_BETWEEN_DECISIONS
        asked: list[Asked] = []
        pc = s[PC]
        if pc == GAME_OVER:
            return asked
        try:
            for _ in range(FUEL_BETWEEN_DECISIONS):
                to = blocks[pc](s, out)
                if to.__class__ is int:
                    pc = to
                elif to is None:
                    if s[PC] != GAME_OVER:
                        s[PC] = pc
                    break
                elif (sealed := sealed_of[to.site]) is None:
                    s[PC] = pc
                    asked.append(to)
                    break
                else:
                    s[sealed.ask_block + to.seat] = pc
                    s[sealed.next_block + to.seat] = WAITING
                    asked.append(to)
                    pc = sealed.block
            else:
                raise OutOfFuel
        except OutOfFuel:
            step = self.program.blocks.get(pc, "the game")
            raise RuleError(
                f"The rules never come to an end in '{step}': {FUEL_BETWEEN_DECISIONS:,} steps went by without "
                "anybody being asked. Look for a 'repeat' whose condition never changes, or phases that ask nobody."
            ) from None
        s[FUEL] = FUEL_BETWEEN_DECISIONS
        return asked

    def asked(self, s: State, out: Events | None = None) -> list[Asked]:
        """The decisions that are open now, without going on."""
        if s[PC] == GAME_OVER:
            return []
        sealed = self._sealed_at.get(s[PC])
        if sealed is None:
            asked = self._blocks[s[PC]](s, out)
            return [asked] if isinstance(asked, Asked) else []
        me, found = s[ME], []
        for seat in s[sealed.seats + 1 : sealed.seats + 1 + s[sealed.seats]]:
            if s[sealed.next_block + seat] == WAITING:
                s[ME] = seat
                found.append(self._blocks[s[sealed.ask_block + seat]](s, out))
        s[ME] = me
        return found

    def group(self, s: State) -> list[int]:
        """The seats that decide at once, while they do; else nobody."""
        sealed = self._sealed_at.get(s[PC])
        return [] if sealed is None else s[sealed.seats + 1 : sealed.seats + 1 + s[sealed.seats]]

    def answer(self, s: State, asked: Asked, chosen: Sequence[int]) -> None:
        """Put an answer, already checked, into the state. Call `run` when nobody need answer first."""
        site = self.program.sites[asked.site]
        keep(s, site.slot + site.stride * asked.seat, chosen)
        if site.sealed < 0:
            s[PC] = site.resume
        else:
            sealed = self.program.sealed[site.sealed]
            s[sealed.next_block + asked.seat] = PARKED if site.parks else site.resume
            s[sealed.parked_block + asked.seat] = site.resume

    def call(self, function: int, s: State, seat: int) -> list[list[int]]:
        """The results of one of the program's functions."""
        return self._functions[function](s, seat)
