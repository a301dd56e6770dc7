"""Effects of one answer: log lines, moved pieces, changed counters, next questions.

They are stored with each answer, to show what differs once the rules have changed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from rulewright.game.game import Game
from rulewright.i18n.localizer import ENGLISH
from rulewright.model.declarations import SEAT
from rulewright.program.state_layout import PHASE, ROUND
from rulewright.publish.labels import Labels
from rulewright.runtime.state import State
from rulewright.runtime.view import MAKER, owner_value, piece_names, scores
from rulewright.server.views.seat_view import zone_key

MAX_STORED_CHOICES = 40
"""Maximum number of choices stored by name; of more, only the number is stored."""


class NodeQuestion(Struct, frozen=True):
    """Question to a seat. count: number of candidates; offered: keys of the choices, none if there are too many."""

    seat: int
    prompt: str
    least: int
    most: int
    count: int
    offered: tuple[str, ...] = ()


class AnswerEffects(Struct, frozen=True, rename={"questions": "asked", "progress": "where"}):
    """Effects of an answer. zones, counters: by name, owner and word, new contents of those that changed; points: by
    seat, likewise; progress: phase and round; over: whether the game is."""

    lines: tuple[str, ...]
    zones: Mapping[str, tuple[str, ...]]
    counters: Mapping[str, str]
    points: Mapping[str, str]
    questions: tuple[NodeQuestion, ...]
    progress: str = ""
    over: bool = False


def effects(labels: Labels, game: Game, before: Game | None) -> AnswerEffects:
    """Collect the effects of a game's last answer, with nothing hidden. before: the game before it; None for the
    effects of the set-up; labels: of any game with these rules."""
    state = game.state
    previous_state = before.state if before is not None else None
    program, phase = game.program, state[PHASE]
    return AnswerEffects(
        lines=tuple(line.text for line in game.log.lines(MAKER, before.log.length if before is not None else 0)),
        zones=dict(_changed_zones(game, state, previous_state)),
        counters=dict(_changed_counters(labels, game, state, previous_state)),
        points=dict(_changed_points(game, state, previous_state)),
        questions=tuple(_questions(game)),
        progress=f"{program.phases[phase][0] if phase >= 0 else ''} {state[ROUND]}",
        over=game.over,
    )


def _changed_zones(game: Game, state: State, previous: State | None) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the zones whose pieces have changed; all that hold some, if there is no state before."""
    for space in game.program.layout.zones:
        if previous is None or state[space.address] != previous[space.address]:
            pieces = piece_names(game.program, state, space)
            if pieces if previous is None else pieces != piece_names(game.program, previous, space):
                yield zone_key(game.program, space), pieces


def _changed_counters(labels: Labels, game: Game, state: State, previous: State | None) -> Iterator[tuple[str, str]]:
    """Yield the counters that have changed, with their text."""
    program = game.program
    for counter in program.layout.counters:
        for owner in range(counter.owners) if counter.of else (-1,):
            cells = list(counter.cells_of(owner))
            if previous is not None and all(state[cell] == previous[cell] for cell in cells):
                continue
            name = str(owner) if counter.of == SEAT else program.words[counter.of][owner] if counter.of else ""
            if previous is not None or any(state[cell] != counter.initial(n) for n, cell in enumerate(cells)):
                yield (
                    f"{counter.name}/{name}",
                    labels.counter_value(counter.name, owner_value(program, state, counter, owner)),
                )


def _changed_points(game: Game, state: State, previous: State | None) -> Iterator[tuple[str, str]]:
    """Yield the seats whose points have changed, with the points."""
    for seat, role in enumerate(game.roles):
        now = scores(game.machine, state, seat, MAKER, role, False)
        then = scores(game.machine, previous, seat, MAKER, role, False) if previous is not None else None
        if now is not None and (then is None or now.known != then.known) and (then is not None or now.known):
            yield str(seat), str(now.known)


def _questions(game: Game) -> Iterator[NodeQuestion]:
    """Yield the open questions, in English and without labels of choices, which take long."""
    localizer = game.localizer(ENGLISH)
    for decision in [] if game.over else game.machine.open_decisions(game.state, []):
        prompt = localizer.say(
            game.messages.text(game.program.sites[decision.site].ask, decision.arguments, decision.seat)
        )
        keys = game.offer(decision).keys(decision.candidates) if len(decision.candidates) <= MAX_STORED_CHOICES else ()
        yield NodeQuestion(decision.seat, prompt, decision.least, decision.most, len(decision.candidates), tuple(keys))
