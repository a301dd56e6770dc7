"""Messages to a seat, over random games of every edition: nothing depends on what that seat may not see."""

from __future__ import annotations

import os
import random
from collections.abc import Iterable, Sequence
from dataclasses import replace

from hypothesis import example, given
from hypothesis import strategies as st
from msgspec import structs
from msgspec.json import encode

from example_counts import few
from indistinguishable_games import other_pieces, with_other_secrets, with_other_states
from rulewright.game.choices import AnswerError
from rulewright.game.decisions import Decision
from rulewright.game.game import Game
from rulewright.program.appearance import type_with_marks
from rulewright.publish import outcome_texts
from rulewright.publish.labels import Labels
from rulewright.runtime.view import sees_zone
from rulewright.server.tables import outcome_preview, turns
from rulewright.server.views import explanations, history, seat_view, table_metadata
from rulewright.server.views.document import Now
from whole_games import Table, answer_to, positions, readers, tables

TOLD_BY_CHOICES = frozenset({"wolves"})
"""Editions whose rules offer choices by which one learns what others hold: whom a wolf may eat is no wolf."""
GAMES = int(os.environ.get("RULEWRIGHT_SECRET_GAMES", "40"))
MOST_LOOKED_AT = 5
READERS = 2
MOST_EXPLAINED = 6
MOST_LOOKED_BACK = 200


def sent(game: Game, seat: int | None, asked_about: Iterable[tuple[str, str]]) -> str:
    """All that a reader is sent of a game, as it goes over the wire. asked_about: what is to be explained."""
    labels = Labels(game)
    lines = [explanations.explain(labels, seat, what, name) for what, name in asked_about]
    log = seat_view.lines(labels, seat, 0, game.history.steps())
    tried, at_once = None, list[str]()
    if seat is not None and seat in dict(game.pending.ids):
        at_once = outcome_texts.picks_of_menu(game, seat)
        tried = outcome_preview.describe_outcomes(labels, seat, (0, ()), outcome_texts.outcomes_by_key(game, seat))
    turn = turns.turn_of_game(game, seat)
    return encode((seat_view.now(labels, seat, 0), log, lines, at_once, tried, turn)).decode()


def choices(game: Game, seat: int | None) -> list[str]:
    """Return the keys of what a reader may choose now."""
    decision = None if seat is None else game.decision(seat)
    return [choice.key for choice in decision.choices] if decision else []


def explainable(game: Game) -> list[tuple[str, str]]:
    """All that one may ask about."""
    edition = game.rules.edition
    lists: dict[str, Iterable[str]] = {
        "piece": (type_.name for type_ in game.program.types),
        "zone": edition.zones,
        "counter": edition.counters,
        "power": game.program.powers,
        "scoring": (line.name for line in edition.scoring),
        "phase": (phase.name for phase in edition.phases),
    }
    return [(what, name) for what, names in lists.items() for name in names]


def with_other_moments(game: Game, seat: int | None, rng: random.Random) -> Game:
    """Change hidden state in the snapshots between the last two decisions, and in their log."""
    other, candidates = game.copy(), 0 if seat is None else seat
    *earlier, last = game.history.answers
    other.history.answers = [
        *earlier,
        replace(last, moments=tuple(with_other_states(game, last.moments, candidates, rng))),
    ]
    number, states = game.history._line_states
    other.history._line_states = number, with_other_states(game, states, candidates, rng)
    other.log._events = [
        (text, place, other_pieces(game, text, arguments, seat)) for text, place, arguments in game.log._events
    ]
    return other


OPTIONS = (
    "same abilities: unlimited, bought cards expand: yes, charts auctioned: yes, rotating start player: yes,"
    " ties use up places: yes, pawns finish with two: yes"
)
PRUNED = Table(
    edition="wildlife/2002",
    roles=(None, None, None),
    options=dict(option.strip().split(": ") for option in OPTIONS.split(",")),
    seed=334,
    player=482,
    skip=1072,
)
"""A game in which a block has run so often, while it is looked at, that it is pruned, and reads less than before."""


@few(GAMES)
@example(PRUNED, 5146372)
@given(tables(), st.integers(0, 2**32))
def test_games_that_differ_only_in_hidden_state_send_the_same(table: Table, seed: int) -> None:
    game, rng = table.start()
    chance, looked = random.Random(seed), 0
    all_names, words = explainable(game), table_metadata.table_metadata(Labels(game))
    for _ in positions(game, rng):
        if looked == MOST_LOOKED_AT:
            break
        if chance.random() < 0.2:
            looked += 1
            assert table_metadata.table_metadata(Labels(game)) == words  # nothing that has happened is in it
            for seat in chance.sample(readers(game), READERS):
                names = chance.sample(all_names, min(len(all_names), MOST_EXPLAINED))
                text, other = sent(game, seat, names), with_other_secrets(game, seat, chance)
                if seat not in dict(game.pending.ids) and other.view(seat).waiting != game.view(seat).waiting:
                    continue  # with those secrets somebody else would be asked, for all to see
                if table.edition in TOLD_BY_CHOICES and choices(other, seat) != choices(game, seat):
                    continue
                assert text == sent(other, seat, names)
                assert str(game.seed) not in text or game.seed < 10_000


@few(GAMES)
@given(tables(), st.integers(0, 2**32))
def test_snapshots_that_differ_only_in_hidden_state_look_the_same(table: Table, seed: int) -> None:
    game, rng = table.start()
    chance, looked = random.Random(seed), 0
    for _ in positions(game, rng):
        if looked == MOST_LOOKED_AT:
            break
        if game.history.answers and game.history.answers[-1].moments and chance.random() < 0.5:
            looked += 1
            steps = game.history.steps()
            last = [number for number, step in enumerate(steps) if step.moment is not None][-1]
            for seat in readers(game):
                other = with_other_moments(game, seat, chance)
                assert other.history.steps() == steps
                assert shown_then(game, seat, last) == shown_then(other, seat, last)


def shown_then(game: Game, seat: int | None, number: int) -> str:
    """All that is told of a step, while it comes and when one looks back to it."""
    past = Labels(game.with_history(game.history.until(game.history.steps()[number])))
    everybody = seat_view.table_state(past, None, moves=seat_view.last_moves(past, None))
    own = {} if seat is None else seat_view.own(past, seat, 0, everybody, acts=False)
    return encode((history.past_state(Labels(game), seat, number), everybody, own)).decode()


@few(GAMES)
@given(tables(), st.integers(0, 2**32))
def test_worlds_that_go_on_alike_move_alike(table: Table, seed: int) -> None:
    """An answer is given in two worlds that look the same to a reader. Where the log and the views after it are the
    same, too, so are the moves: they tell no more."""
    game, rng = table.start()
    chance, looked = random.Random(seed), 0
    for decision, keys in positions(game, rng):
        if looked == MOST_LOOKED_AT:
            break
        if chance.random() < 0.2:
            looked += 1
            for seat in chance.sample(readers(game), READERS):
                worlds = [after_answer(one, decision, keys) for one in (game, with_other_secrets(game, seat, chance))]
                if None not in worlds:
                    (states, moves), (other_states, other_moves) = (
                        told_after(one, seat, game) for one in worlds if one
                    )
                    assert states != other_states or moves == other_moves


def after_answer(game: Game, decision: Decision, keys: Sequence[str]) -> Game | None:
    """Return the game after an answer; None if it is not offered."""
    after = game.copy()
    try:
        after.answer(decision.seat, keys, decision.id)
    except AnswerError:
        return None
    return after


def told_after(game: Game, seat: int | None, before: Game) -> tuple[object, object]:
    """Return what a reader is shown of each step since an earlier position, and what has moved there."""
    states: list[object] = [seat_view.lines(Labels(game), seat, before.log.length, game.history.steps())]
    moves = []
    for step in game.history.steps()[len(before.history.steps()) :]:
        past = Labels(game.with_history(game.history.until(step)))
        states.append((step, seat_view.table_state(past, seat)))
        moves.append(seat_view.last_moves(past, seat))
    return [*states, seat_view.table_state(Labels(game), seat)], [*moves, seat_view.last_moves(Labels(game), seat)]


@few(GAMES)
@given(tables())
def test_pieces_are_named_only_where_they_are_seen(table: Table) -> None:
    """Names of pieces occur besides the log only in visible zones and in choices."""
    game, rng = table.start()
    for number, _ in enumerate(positions(game, rng)):
        if number % 25:
            continue
        if number > 250:
            break
        for seat in readers(game):
            state = seat_view.now(Labels(game), seat, 0)
            names = {name for zone in state.zones.values() for name in zone.pieces or ()}
            names |= {choice.piece for choice in (state.asked.choices if state.asked else ())} - {""}
            known = {
                type_with_marks(game.program, game.program.appearance(game.history.present, piece)).name
                for space in game.program.layout.zones
                if sees_zone(space, seat)
                for piece in game.history.present[space.address]
            }
            assert names <= known


def test_the_test_notices_leaks() -> None:
    """The comparison can fail: with a spectator who sees all, it does."""
    game, rng = Table("goofspiel", (None, None), {}, 7, 7).start()
    for _ in range(8):
        decision = game.decisions()[0]
        game.answer(decision.seat, answer_to(decision, rng), decision.id)
    other = with_other_secrets(game, 0, random.Random(3))
    names = explainable(game)
    assert sent(game, 0, names) == sent(other, 0, names)
    assert sent(game, 1, names) != sent(other, 1, names)


@few(GAMES // 8)
@given(tables())
def test_earlier_positions_show_the_view_of_that_time(table: Table) -> None:
    """Neither more, though more is known by now, nor less."""
    game, rng = table.start()
    seats = readers(game)
    seen_then: dict[tuple[int, int], dict[int | None, Now]] = {}
    for number, _ in enumerate(positions(game, rng)):
        if number > MOST_LOOKED_BACK:
            break
        if all(game.log.length != lines for lines, _ in seen_then):
            place = game.log.length, len(game.history.answers)
            seen_then[place] = {seat: seat_view.table_state(Labels(game), seat) for seat in seats}
    steps = [(step.lines, step.answers) if step.moment is None else None for step in game.history.steps()]
    assert seen_then.keys() <= set(steps)
    for place in rng.sample(sorted(seen_then), min(len(seen_then), MOST_LOOKED_AT)):
        for seat in seats:
            then = seen_then[place][seat]
            state = history.past_state(Labels(game), seat, steps.index(place)).state
            assert structs.replace(state, moves=()) == then
