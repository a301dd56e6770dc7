"""Properties of every game of every edition: random whole games, checked at each decision."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from example_counts import few
from rulewright.game import library
from rulewright.game.choices import AnswerError
from rulewright.game.decisions import Decision
from rulewright.game.game import Game
from rulewright.game.log import LogLine
from rulewright.program.state_layout import ME, RANDOM, RANDOM_CELLS
from rulewright.runtime import state as states
from rulewright.runtime import view as views
from rulewright.runtime.view import View
from whole_games import (
    EDITIONS,
    MARKET,
    NAMES,
    Table,
    answer_to,
    check_state,
    everything,
    exchanged,
    fork,
    hidden_pair,
    is_long,
    logs,
    positions,
    readers,
    tables,
)

WILD_CARDS = [name for name in EDITIONS if name.startswith("wild-cards/")]

Zones = dict[tuple[str, int | None], list[str]]


# ── tables and games ──


any_table = given(tables())
wild_cards_table = given(tables(WILD_CARDS))


def played(table: Table) -> Game:
    game, rng = table.start()
    for _ in positions(game, rng):
        pass
    return game


def view_of(game: Game, reader: int | None) -> tuple[View, list[LogLine], Decision | None]:
    """All that a reader ever sees of a game."""
    return game.view(reader), game.log.lines(reader), None if reader is None else game.decision(reader)


# ── the state ──


@pytest.mark.rotating(2)
@few(25)
@any_table
def test_every_piece_is_in_one_place(table: Table) -> None:
    game, rng = table.start()
    for _ in positions(game, rng):
        check_state(game.rules, game.machine, game.state)
    check_state(game.rules, game.machine, game.state)


def without_log(question: Decision) -> Decision:
    """A decision as it is where nothing has been told yet: numbers that others have named stand in the log."""
    return replace(question, last_numbers=tuple(None for _ in question.last_numbers))


@few(10)
@any_table
def test_states_survive_json_at_every_decision(table: Table) -> None:
    game, rng = table.start()
    twin = fork(game)
    for decision, keys in positions(game, rng):
        restored = states.from_json(states.to_json(twin.state), game.program.layout)
        assert restored == twin.state == game.state
        twin = fork(twin, restored)
        assert twin.decisions() == [without_log(asked) for asked in game.decisions()] and not twin.log.lines(None)
        before = len(game.log.lines(None))
        twin.answer(decision.seat, keys, decision.id)
        game_after = fork(game)
        game_after.answer(decision.seat, keys, decision.id)
        assert logs(twin) == logs(game_after) and len(game.log.lines(None)) == before
    assert (twin.over or is_long(twin)) and twin.state == game.state and twin.standings() == game.standings()


@few(20)
@any_table
def test_recorded_game_replays(table: Table) -> None:
    game, rng = table.from_the_start()
    half = json.loads(json.dumps(game.save()))
    for number, _ in enumerate(positions(game, rng)):
        if number == 40:
            half = json.loads(json.dumps(game.save()))
            assert everything(Game.load(half, game.rules)) == everything(game)
    whole = json.loads(json.dumps(game.save()))
    assert everything(Game.load(whole, game.rules)) == everything(game)
    assert whole["answers"][: len(half["answers"])] == half["answers"]
    assert {key: whole[key] for key in whole if key != "answers"} == {
        key: half[key] for key in half if key != "answers"
    }


@few(10)
@given(tables(), tables())
def test_games_on_one_machine_are_independent(first: Table, second: Table) -> None:
    alone = [played(first).state, played(second).state]
    games = [table.start() for table in (first, second)]
    walks = [positions(game, rng) for game, rng in games]
    while walks:
        walks = [walk for walk in walks if next(walk, None)]
    assert [game.state for game, _ in games] == alone


@few(10)
@any_table
def test_clones_are_independent(table: Table) -> None:
    game, rng = table.start()
    for decision, keys in positions(game, rng):
        before = game.state
        other = states.clone(before)
        [question] = [question for question in game.machine.open_decisions(other) if question.seat == decision.seat]
        game.machine.answer(other, question, question.candidates[: question.most])
        game.machine.run(other)
        spoilt = game.state
        spoilt[:] = [7] * len(spoilt)
        fork(game).answer(decision.seat, keys)
        assert game.state == before


# ── deciding ──


def wrong_answers(
    game: Game, decision: Decision, keys: list[str], rng: random.Random
) -> Iterator[tuple[int, list[str], str | None]]:
    """Answers to refuse, as seat, keys and decision."""
    seat, offered = decision.seat, [choice.key for choice in decision.choices for _ in range(choice.count)]
    yield seat, keys, f"{decision.id}s"
    yield seat, [*offered, *offered], None
    yield seat, [*keys[1:], "no such thing"], decision.id
    yield seat, [*keys[1:], ""], decision.id
    if decision.least:
        yield seat, rng.sample(offered, decision.least - 1), decision.id
    if decision.most < len(offered):
        yield seat, rng.sample(offered, decision.most + 1), decision.id
    for choice in decision.choices:
        if choice.count < decision.most:
            yield seat, [choice.key] * (choice.count + 1), decision.id
    questions = {other.seat: other for other in game.decisions()}
    for other in (-1, len(game.names), *range(len(game.names))):
        if other not in questions:
            yield other, keys, None
            yield other, keys, decision.id
        else:
            foreign = {choice.key for choice in questions[other].choices} - set(offered)
            yield from ((seat, [*keys[1:], key], decision.id) for key in sorted(foreign))


@few(12)
@any_table
def test_exactly_the_offered_answers_are_accepted(table: Table) -> None:
    game, rng = table.start()
    for number, (decision, keys) in enumerate(positions(game, rng)):
        offered = [choice.key for choice in decision.choices for _ in range(choice.count)]
        assert len({choice.key for choice in decision.choices}) == len(decision.choices)
        assert 0 <= decision.least <= decision.most <= len(offered) and decision.most > 0
        for size in {decision.least, decision.most}:
            twins, some = (fork(game), fork(game)), rng.sample(offered, size)
            twins[0].answer(decision.seat, some, decision.id)
            twins[1].answer(decision.seat, some)
            assert twins[0].state == twins[1].state
            fork(game).answer(decision.seat, some[::-1])  # in another order, which may lead elsewhere
        for choice in decision.choices:
            others = list(offered)
            others.remove(choice.key)
            size = rng.randint(max(decision.least, 1), decision.most)
            fork(game).answer(decision.seat, [choice.key, *rng.sample(others, size - 1)])
        if number % 5:
            continue
        before = game.state, game.save(), logs(game), game.decisions()
        for seat, wrong, name in wrong_answers(game, decision, keys, rng):
            with pytest.raises(AnswerError):
                game.answer(seat, wrong, name)
            assert (game.state, game.save()) == before[:2], (seat, wrong, name)
        assert (logs(game), game.decisions()) == before[2:]
    for seat in range(len(game.names)) if game.over else ():
        with pytest.raises(AnswerError):
            game.answer(seat, [])


@few(15)
@any_table
def test_sealed_answers_reveal_nothing(table: Table) -> None:
    """Seats of a simultaneous decision learn nothing before the last answer; the order of answers does not matter."""
    game, rng = table.start()
    for _ in positions(game, rng):
        answers = [(decision, answer_to(decision, rng)) for decision in game.decisions()]
        if len(answers) < 2:
            continue
        orders = list(permutations(answers))
        ends = []
        for order in rng.sample(orders, min(3, len(orders))):
            table_now = fork(game)
            before = {reader: view_of(table_now, reader) for reader in readers(game)}
            for number, (decision, keys) in enumerate(order, 1):
                table_now.answer(decision.seat, keys, decision.id)
                del before[decision.seat]
                if number < len(order):
                    assert {reader: view_of(table_now, reader) for reader in before} == before
                    before[decision.seat] = view_of(table_now, decision.seat)
            end = table_now.state
            end[ME] *= not game.machine.simultaneous_seats(end)  # whose turn it was is nothing while they decide
            ends.append((end, table_now.decisions(), logs(table_now)))
        assert all(end == ends[0] for end in ends)


# ── hidden and seen ──


@few(20)
@any_table
def test_hidden_state_is_invisible(table: Table) -> None:
    """States that differ only in what a seat cannot see are one to it, now and after the next answer."""
    game, rng = table.start()
    machine, layout = game.machine, game.program.layout
    owners = {space.address: space.owner for space in layout.zones}
    compared = followed = 0
    for decision, keys in positions(game, rng):
        viewer = rng.choice(readers(game))
        if (pair := hidden_pair(game, viewer, rng)) is None:
            continue
        state = exchanged(game.state, layout, *pair)
        check_state(game.rules, machine, state)
        questions = [[(a.seat, a.site) for a in machine.open_decisions(s)] for s in (game.state, state)]
        if questions[0] != questions[1]:
            continue
        twins = fork(game), fork(game, state)
        assert view_of(twins[0], viewer) == view_of(twins[1], viewer)
        compared += 1
        zones = [game.state[layout.piece_zones + piece] for piece in pair]
        if decision.seat in (owners[zone] for zone in zones):
            continue
        if twins[0].decision(decision.seat) != twins[1].decision(decision.seat):
            continue
        for twin in twins:
            twin.answer(decision.seat, keys, decision.id)
        if any(twin.history.answers[-1].revealing for twin in twins):
            continue  # what was hidden may have been shown and covered again
        if not twins[0].over and all(
            twin.state[zone] == s[zone] for twin, s in zip(twins, (game.state, state), strict=True) for zone in zones
        ):
            assert view_of(twins[0], viewer) == view_of(twins[1], viewer)
            followed += 1
    if table.edition in WILD_CARDS:
        assert compared > 20 and followed > 5


@few(10)
@given(st.integers(0, 2**53 - 1))
def test_powers_of_hidden_pieces_are_hidden(seed: int) -> None:
    rules = library.from_text(MARKET.replace("power in: till", "power in: purse"))
    game = Game.start(rules, NAMES[:2], seed=seed)
    for viewer in readers(game):
        if pair := hidden_pair(game, viewer, random.Random(seed)):
            other = fork(game, exchanged(game.state, game.program.layout, *pair))
            assert view_of(fork(game), viewer) == view_of(other, viewer)


@few(15)
@any_table
def test_views_show_what_zones_allow(table: Table) -> None:
    game, rng = table.start()
    for _ in positions(game, rng):
        viewer = rng.choice(readers(game))
        s, view = game.state, game.view(viewer)
        for space, zone in zip(game.program.layout.zones, view.zones, strict=True):
            names = views.piece_names(game.program, s, space)
            public = space.seen_by == "all" or (space.seen_by == "owner" and space.owner == viewer)
            assert (zone.name, zone.count) == (space.name, len(s[space.address]))
            assert zone.pieces == (names if public else None)
        assert all(decision.seat in game.view(None).waiting for decision in game.decisions())


# ── taking back ──


@pytest.mark.rotating(3)
@few(15)
@any_table
def test_undo_restores_the_position(table: Table) -> None:
    game, rng = table.start()
    layout = game.program.layout
    spaces = {space.address: space for space in layout.zones}
    for decision, keys in positions(game, rng):
        now = fork(game)
        start, before = now.state, everything(now)
        now.answer(decision.seat, keys)
        state, after = now.state, everything(now)
        moves = [
            (spaces[start[cell]], spaces[state[cell]])
            for cell in range(layout.piece_zones, layout.piece_zones + layout.pieces)
        ]
        view = any(views.sees_zone(there, seat) and not views.sees_zone(here, seat)
                    for here, there in moves for seat in range(layout.seats))  # fmt: skip
        chance = start[RANDOM : RANDOM + RANDOM_CELLS] != state[RANDOM : RANDOM + RANDOM_CELLS]
        if now.can_undo(decision.seat):
            assert not view and not chance
            now.undo(decision.seat)
            assert everything(now) == before
            now.answer(decision.seat, keys)
            assert everything(now) == after
        for seat in (-1, *range(len(game.names))):
            if seat != decision.seat or view or chance or now.over:
                with pytest.raises(AnswerError):
                    now.undo(seat)
                assert now.state == state
        others = [other for other in now.decisions() if other.seat != decision.seat]
        if others:
            now.answer(others[0].seat, answer_to(others[0], rng))
            if now.pending.is_sealed(decision.seat) and not view and not chance:
                both, ready = [*now.state[:ME], *now.state[ME + 1 :]], now.pending.ready
                now.undo(decision.seat)
                assert decision.seat in dict(now.pending.ids)
                now.answer(decision.seat, keys)
                assert [*now.state[:ME], *now.state[ME + 1 :]] == both
                assert now.pending.ready == ready
            elif others[0].seat in now.pending.ready:
                with pytest.raises(AnswerError):
                    now.undo(decision.seat)


@pytest.mark.rotating(3)
def test_undo_works_answer_by_answer() -> None:
    """A player who picks an animal and may still pay for it in several ways can undo the pick; and so on."""
    undone, enough = 0, 8
    game, rng = Table(WILD_CARDS[0], (None,) * 4, {}, 0, 0).start()
    past: list[tuple[Any, ...]] = []
    for decision, _ in positions(game, rng):
        past.append(everything(game))
        if not game.can_undo(decision.seat):
            continue
        trial = Game.load(game.save(), game.rules)
        while trial.can_undo(decision.seat):
            trial.undo(decision.seat)
            undone += 1
            assert everything(trial) == past[len(trial.save()["answers"])]
        if undone >= enough:
            return
    raise AssertionError(f"only {undone} answers were taken back")


# ── Wild Cards by the book ──


def zones_of(game: Game) -> Zones:
    """Return the contents of all zones, hidden or not."""
    s, program = game.state, game.program
    return {
        (space.name, space.owner if space.owner >= 0 else None): list(views.piece_names(program, s, space))
        for space in program.layout.zones
    }


def check_table(game: Game, zones: Zones) -> None:
    for seat, role in enumerate(game.roles):
        hand, pile, offer, bid = (zones.get((name, seat), []) for name in ("hand", "pile", "offer", "bid"))
        assert len(hand) - hand.count("refill card") <= 10
        assert (hand + pile + offer + bid).count("refill card") == 1 and len(bid) <= 1
        assert len(offer) <= (2 if "eagle leader" in zones["front", seat] and role is None else 1)
        assert not (role and zones["payment", seat])
    assert len(zones["display", None]) < len(game.names)


def check_leaders(game: Game, zones: Zones, pad: Leaders) -> None:
    view = game.view(None)
    for seat, role in enumerate(game.roles):
        species = {name.removesuffix(" leader") for name in zones["front", seat] if name != "Talisman"}
        assert species == {kind for kind, owner in pad.owner.items() if owner == seat}
        assert all(pad.herds[seat][kind] == max(herd[kind] for herd in pad.herds) > 0 for kind in species)
        assert Counter(zones["collection", seat]) == +pad.herds[seat]
        assert set(view.powers[seat]) == (set() if role else species)


class Leaders:
    """Herds and leaders, kept by hand from what the log tells (rulings 13 and 14)."""

    def __init__(self, game: Game) -> None:
        self.game, self.read = game, 0
        self.herds: list[Counter[str]] = [Counter() for _ in game.names]
        self.owner: dict[str, int | None] = {}

    def listen(self) -> None:
        for line in self.game.log.lines(None, self.read):
            self.read += 1
            if match := re.fullmatch(r"(\w+) took the (\w+)\.", line.text):
                seat = self.game.names.index(match[1])
                self.herds[seat][match[2]] += 1
                self.claim(seat, match[2])
            elif match := re.fullmatch(r"(\w+) exchanged the (\w+) for the (\w+), thanks to .*\.", line.text):
                seat = self.game.names.index(match[1])
                self.herds[seat][match[2]] -= 1
                self.herds[seat][match[3]] += 1
                self.claim(seat, match[3])
                self.lose(seat, match[2])

    def most_of_others(self, seat: int, kind: str) -> int:
        return max(herd[kind] for other, herd in enumerate(self.herds) if other != seat)

    def claim(self, seat: int, kind: str) -> None:
        lead = self.herds[seat][kind] - self.most_of_others(seat, kind)
        strict = self.game.options.get("first leader by majority") == "yes" and self.owner.get(kind) is None
        if lead >= strict:
            self.owner[kind] = seat

    def lose(self, seat: int, kind: str) -> None:
        mine, most = self.herds[seat][kind], self.most_of_others(seat, kind)
        if self.owner.get(kind) == seat and (mine == 0 or mine < most):
            clockwise = [*range(seat + 1, len(self.herds)), *range(seat)]
            heirs = [other for other in clockwise if self.herds[other][kind] == most > 0]
            goes_round = self.game.options.get("lost leader goes round") == "yes"
            self.owner[kind] = heirs[0] if len(heirs) == 1 or (heirs and goes_round) else None


def check_talisman(game: Game, zones: Zones) -> None:
    fronts = [seat for seat in range(len(game.names)) if "Talisman" in zones["front", seat]]
    has_talisman = any(type_.kind == "talisman" for type_ in game.program.types)
    assert [game.roles[seat] for seat in fronts] == ([None] if has_talisman else [])


@pytest.mark.rotating(3)
@few(25)
@wild_cards_table
def test_wild_cards_at_every_decision(table: Table) -> None:
    game, rng = table.start()
    pad, rounds = Leaders(game), 1
    for decision, _ in positions(game, rng):
        zones, view = zones_of(game), game.view(None)
        check_table(game, zones)
        pad.listen()
        check_leaders(game, zones, pad)
        check_talisman(game, zones)
        assert rounds <= view.round <= rounds + 1
        rounds = view.round
        assert table.roles[decision.seat] is None
        if decision.id == "place bid.offer":
            assert len(zones["display", None]) == len(game.names) - 1
            assert not any(zones[name, seat] for seat in range(len(game.names)) for name in ("bid", "payment"))
    zones = zones_of(game)
    pad.listen()
    check_leaders(game, zones, pad)
    assert rounds == {3: 14, 4: 12, 5: 10}[len(game.names)]
    assert all(zones["hand", seat] == ["refill card"] for seat, role in enumerate(game.roles) if role is None)


def points(zones: Zones, seat: int, lines: list[str], name: str) -> tuple[int, ...]:
    """The score pad, filled in by hand."""
    herds = [*sorted(Counter(zones["collection", seat]).values(), reverse=True), 0, 0]
    leaders = [piece for piece in zones["front", seat] if piece.endswith(" leader")]
    tokens = sum(line.startswith(f"{name} scored 2 points for the natural habitat,") for line in lines)
    return 2 * herds[0], herds[1], len(leaders) + 2 * ("peacock leader" in leaders), 2 * tokens


@pytest.mark.rotating(2)
@few(30)
@wild_cards_table
def test_scores_of_wild_cards(table: Table) -> None:
    game = played(table)
    zones, texts = zones_of(game), [line.text for line in game.log.lines(None)]
    people = [seat for seat, role in enumerate(game.roles) if role is None]
    lines = {seat: points(zones, seat, texts, game.names[seat]) for seat in people}
    rank_by = {seat: (sum(lines[seat]), len(zones["collection", seat])) for seat in people}
    ranks = {seat: 1 + sum(rank_by[other] > rank_by[seat] for other in people) for seat in people}
    standings = game.standings()
    assert [(s.seat, s.rank) for s in standings] == sorted(ranks.items(), key=lambda item: item[::-1])
    for log in standings:
        assert tuple(number for _, number in log.lines) == lines[log.seat]
        assert log.total == sum(lines[log.seat])
    for reader in readers(game):
        scores = game.view(reader).scores
        assert [score and score.total for score in scores] == [
            sum(lines[seat]) if seat in lines else None for seat in range(len(game.names))
        ]


# ── Wild Cards 2020: lots ──


def values(pieces: list[str]) -> list[int]:
    """Return the values of habitat cards; a refill card has none."""
    return [int(piece[-1]) for piece in pieces if piece[-1].isdigit()]


def check_lots(game: Game, zones: Zones, decision: Decision) -> None:
    """Lots lie on the table only while a tie is broken, and only those draw who are equal in everything so far."""
    seats = range(len(game.names))
    assert not any(zones["lot", seat] for seat in seats)
    if decision.id == "place bid.offer":
        assert not any(zones["offer", seat] for seat in seats)
    if not decision.id.startswith("pick lot."):
        assert not any(zones["used lots", seat] for seat in seats)
        return
    bids, payments, lots = ([values(zones[name, seat]) for seat in seats] for name in ("bid", "payment", "used lots"))
    so_far = [(bids[seat], sum(payments[seat]), lots[seat]) for seat in seats]
    cards_left = zones["habitat deck", None] or zones["habitat discard", None]
    assert zones["display", None]
    for question in game.decisions():
        assert question.id.startswith("pick lot.")
        assert (question.least, question.most) == (0 if cards_left else 1, 1)
        assert so_far.count(so_far[question.seat]) > 1
        assert len(payments[question.seat]) == bids[question.seat][0] - 1
        assert "lion leader" not in zones["front", question.seat]


def rounds_told(game: Game) -> Iterator[list[str]]:
    """Yield a spectator's log, cut into rounds."""
    lines: list[str] = []
    for line in game.log.lines(None):
        if line.heading and line.text == "Place bids":
            yield lines
            lines = []
        lines.append(line.text)
    yield lines


def ties_told(lines: list[str]) -> Iterable[list[tuple[list[int], int]]]:
    """Return, for each tie of a round, the lots of those who showed any, and the line in which each of them acted."""
    bids, totals, acted = {}, {}, {}
    lots: dict[str, list[int]] = {}
    ties: dict[tuple[str, str], list[tuple[list[int], int]]] = {}
    for number, line in enumerate(lines):
        if match := re.match(r"(\w+) bid a \w+ (\d)", line):
            bids[match[1]] = match[2]
        elif match := re.match(r"(\w+) paid .*, for a total of (\d+)\.", line):
            totals[match[1]] = match[2]
        elif match := re.fullmatch(r"(\w+) showed a \w+ (\d)\.", line):
            lots.setdefault(match[1], []).append(int(match[2]))
        elif match := re.match(r"(\w+) (took the \w+\.|passed)", line):
            acted[match[1]] = number
    for name, view in lots.items():
        ties.setdefault((bids[name], totals.get(name, "")), []).append((view, acted[name]))
    return ties.values()


@pytest.mark.rotating(3)
def test_lots_break_ties() -> None:
    broken = again = 0
    for seed in range(15):
        options = {"payment is lost": "yes" if seed % 2 else "no"}
        game, rng = Table("wild-cards/2020", (None,) * (3 + seed % 3), options, seed, seed).start()
        for decision, _ in positions(game, rng):
            check_lots(game, zones_of(game), decision)
        for text in rounds_told(game):
            for tie in ties_told(text):
                for (lots, acted), (others, later) in permutations(tie, 2):
                    if lots > others:
                        assert acted < later, text
                        broken += 1
                        again += len(lots) > 1
    assert broken > 15 and again > 2
