"""Games on machines and in native code, by their states."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from hypothesis import strategies as st

from documents import as_text, documented
from rulewright.game import library
from rulewright.game.library import Rules
from rulewright.program.form import Setting
from rulewright.program.state_layout import RANDOM, RANDOM_CELLS
from rulewright.runtime import native
from rulewright.runtime.machine import Machine
from rulewright.runtime.operations import OpenDecision, RuleError
from rulewright.runtime.state import State, clone
from whole_games import EDITIONS, LONG, Loaded

Chance = Callable[[], float]


def on_to_the_end(machine: Machine, state: State, chance: Chance, decisions: int = 10_000) -> State:
    """Answer a number of decisions at random, in the order of the seats asked, as play_out does."""
    machine.run(state)
    while (questions := machine.open_decisions(state)) and decisions:
        first = questions[0]
        machine.answer(state, first, machine.random_answer(state, first, chance))
        machine.run(state)
        decisions -= 1
    return state


def table_top(machine: Machine, state: State) -> list[Any]:
    """Every zone and counter, and what chance will bring; left out are the machine's own notes."""
    layout = machine.program.layout
    counters = [state[c.address + index] for c in layout.counters for index in range(c.cells)]
    zones = [state[space.address] for space in layout.zones]
    return [
        zones,
        counters,
        state[layout.piece_zones : layout.piece_zones + layout.pieces],
        state[RANDOM : RANDOM + RANDOM_CELLS],
    ]


@st.composite
def tables(draw: st.DrawFn, to_the_end: bool = False) -> tuple[Rules, int, Setting]:
    """An edition, a number of seats, and who and what is at the table.

    to_the_end: for games that are played to their ends; of those that last longest, as few as can sit there.
    """
    name = draw(st.sampled_from(sorted(EDITIONS)))
    rules = EDITIONS[name]
    counts = list(rules.edition.seat_counts())
    seats = draw(st.sampled_from(counts[:1] if to_the_end and name in LONG else counts))
    roles = [-1] * seats
    for number in range(len(rules.machine(seats).program.roles)):
        if draw(st.booleans()):
            roles[draw(st.integers(0, seats - 1))] = number
    options = tuple(draw(st.integers(0, len(o.choices) - 1)) for o in rules.edition.options.values())
    return rules, seats, Setting(tuple(roles), options)


GAMES = Loaded(
    {
        **{name: partial(EDITIONS.__getitem__, name) for name in EDITIONS},
        **{
            example.location: partial(library.from_text, as_text(example.edition))
            for example in documented()
            if example.cases and not example.base
        },
    }
)
"""All editions, and the examples of the reference."""


def tried(work: Callable[..., Any], *arguments: Any) -> Any:
    """Return the result, or the text of its error."""
    try:
        return work(*arguments)
    except RuleError as error:
        return str(error)


def choices_of(decisions: Any) -> Any:
    """Decisions without the arguments of their texts, or an error's text."""
    if isinstance(decisions, str):
        return decisions
    return [(d.site, d.seat, tuple(d.candidates), d.least, d.most) for d in decisions]


def masks_of(native_: native.Native) -> slice:
    """Return the offset of the zones' masks in a state's bytes."""
    start = native_.memory.first_mask - native_.memory.state
    return slice(start, native_.memory.state_size)


def masks(native_: native.Native) -> bytes:
    """The masks of the zones as native code has kept them."""
    return native_.state_copy()[masks_of(native_)]


def but_memory(machine: Machine, s: State) -> list[Any]:
    """The cells of a state, without those of what players know, which native code does not keep."""
    layout = machine.program.layout
    return list(s) if layout.memory < 0 else [*s[: layout.memory], *s[layout.shown_pieces + 2 :]]


def same_game(machine: Machine, other: native.Native, s: State, chance: Callable[[], float], most: int) -> State:
    """Plays on, at most so many decisions, and compares the states after each; gives the last one."""
    t = clone(s)
    for _ in range(most):
        result, known = tried(other.run, t), tried(machine.run, s)
        assert choices_of(result) == choices_of(known)
        if isinstance(known, str):
            break
        assert but_memory(machine, t) == but_memory(machine, s)
        assert masks(other) == other.memory.pack(s)[masks_of(other)]
        open_: Sequence[OpenDecision] = machine.open_decisions(s)
        if not open_:
            break
        for decision in open_:
            answer = machine.random_answer(s, decision, chance)
            machine.answer(s, decision, answer)
            machine.answer(t, decision, answer)
    return s
