"""What one answer brought about: what was told, what moved, what was counted, who is asked next.

It is kept with each answer, so that it can be seen what comes out otherwise once the rules have changed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rulewright.base.records import record
from rulewright.game.game import Game
from rulewright.i18n.localizer import ENGLISH
from rulewright.model.declarations import SEAT
from rulewright.program.form import PHASE, ROUND, Program, StateZone
from rulewright.publish.labels import Labels
from rulewright.runtime.state import State
from rulewright.runtime.view import MAKER, held_by, piece_names, scores

MOST_OFFERED = 40
"""Choices of a question that are kept by their names; of more, only how many there are."""


@record
class NodeQuestion:
    """What a seat is asked. offered: the keys of the choices, none where there are too many to keep."""

    seat: int
    prompt: str
    least: int
    most: int
    count: int
    offered: tuple[str, ...] = ()


@record
class NodeLook:
    """Zones and counters by name, owner and word, each as it is afterwards, where it was something else before; points
    by seat, likewise; where: phase and round; over: whether the game is."""

    lines: tuple[str, ...]
    zones: Mapping[str, tuple[str, ...]]
    counters: Mapping[str, str]
    points: Mapping[str, str]
    asked: tuple[NodeQuestion, ...]
    where: str = ""
    over: bool = False


def zone_key(game: Game, space: StateZone) -> str:
    """The name of a zone among all of a game, as the page has it."""
    return key_of(game.program, space)


def key_of(program: Program, space: StateZone) -> str:
    """The same, where only the program is known."""
    word = program.words[space.of][space.owner] if space.of in program.words else ""
    return "/".join((space.name, str(space.owner) if space.of == SEAT else "", word))


def look(labels: Labels, game: Game, before: Game | None) -> NodeLook:
    """What has come of the last answer, or of the beginning. labels: of any game with these rules."""
    state = game.state
    was = before.state if before is not None else None
    program, phase = game.program, state[PHASE]
    return NodeLook(
        lines=tuple(line.text for line in game.log(MAKER, before.log_length if before is not None else 0)),
        zones=dict(_zones(game, state, was)),
        counters=dict(_counters(labels, game, state, was)),
        points=dict(_points(game, state, was)),
        asked=tuple(_questions(game)),
        where=f"{program.phases[phase][0] if phase >= 0 else ''} {state[ROUND]}",
        over=game.over,
    )


def _zones(game: Game, state: State, was: State | None) -> Iterator[tuple[str, tuple[str, ...]]]:
    for space in game.program.layout.spaces:
        if was is None or state[space.address] != was[space.address]:
            pieces = piece_names(game.program, state, space)
            if pieces if was is None else pieces != piece_names(game.program, was, space):
                yield zone_key(game, space), pieces


def _counters(labels: Labels, game: Game, state: State, was: State | None) -> Iterator[tuple[str, str]]:
    program = game.program
    for counter in program.layout.counters:
        for owner in range(counter.owners) if counter.of else (-1,):
            cells = list(counter.cells_of(owner))
            if was is not None and all(state[cell] == was[cell] for cell in cells):
                continue
            name = str(owner) if counter.of == SEAT else program.words[counter.of][owner] if counter.of else ""
            if was is not None or any(state[cell] != counter.starts(n) for n, cell in enumerate(cells)):
                yield f"{counter.name}/{name}", labels.held(counter.name, held_by(program, state, counter, owner))


def _points(game: Game, state: State, was: State | None) -> Iterator[tuple[str, str]]:
    for seat, role in enumerate(game.roles):
        now = scores(game.machine, state, seat, MAKER, role, False)
        then = scores(game.machine, was, seat, MAKER, role, False) if was is not None else None
        if now is not None and (then is None or now.known != then.known) and (then is not None or now.known):
            yield str(seat), str(now.known)


def _questions(game: Game) -> Iterator[NodeQuestion]:
    """What is asked; the labels of choices, which take long, are not needed."""
    speech = game.speech(ENGLISH)
    for asked in [] if game.over else game.machine.asked(game.state, []):
        prompt = speech.say(game.messages.text(game.program.sites[asked.site].ask, asked.arguments, asked.seat))
        keys = game.keys(asked, asked.candidates) if len(asked.candidates) <= MOST_OFFERED else ()
        yield NodeQuestion(asked.seat, prompt, asked.least, asked.most, len(asked.candidates), tuple(keys))
