"""Messages beside the game: attendance, clocks, chat, fault reports, lessons and, after the game, reviews.

Nothing in them depends on what the seat may not see, over random short games.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from msgspec.json import encode

from clocks import TestClock
from example_counts import few
from indistinguishable_games import with_other_secrets, with_other_state
from rulewright.game.game import Game
from rulewright.players.seating import PERSON, Seat
from rulewright.publish.labels import Labels
from rulewright.publish.lessons import Course, LessonPoint, _LogRange
from rulewright.server import tokens
from rulewright.server.bots.trained_players import TrainedPlayers
from rulewright.server.limits import Limits
from rulewright.server.storage.records import LoggedAnswer, PinnedEdition, Rematch, TableRecord, TokenGrant
from rulewright.server.tables import fault_report
from rulewright.server.tables.table import Table
from rulewright.server.views import history, lesson_views
from rulewright.server.web.table_subscription import TableSubscription
from whole_games import EDITIONS, positions, readers
from whole_games import Table as RandomTable
from whole_games import tables as random_tables

SHORT = ("goofspiel", "market", "showdown", "classics/liars-dice")
TAUGHT = "wild-cards/2022"
EXAMPLES = 20
MOST_POSITIONS = 60
MINUTE = 60
HIDDEN = ("hidden",)


class Tables(SimpleNamespace):
    """Part of a server that a table without players needs; it stores nothing."""

    def __init__(self) -> None:
        super().__init__(limits=Limits(), clock=TestClock(), alarm=SimpleNamespace(wake=lambda: None), shared=False)
        self.bot_pool = SimpleNamespace(trained=TrainedPlayers())

    async def with_store(self, work: Callable[[Any], Any]) -> None:
        pass


def served(game: Game) -> Table:
    """A table with a clock, at which somebody has left the room, something was said and another game has begun."""
    tables: Any = Tables()
    people = tuple(Seat(name, PERSON, role) for name, role in zip(game.names, game.roles, strict=True))
    table = Table(
        tables,
        TableRecord(1, "", game.rules.hash, game.seed, {}, people),
        PinnedEdition.from_text("", [], ""),
        game.rules,
    )
    table.game = game
    table.rows = [LoggedAnswer(who, "", keys) for who, keys in game.history.answer_keys()]
    table.settings = {"clock": str(MINUTE)}
    table.clock.read(table.settings, None)
    table.attendance.away = {0: 1_000}
    table.chat.read({}, {7: (0, 1_000, "Hello", ""), 8: (0, 1_010, "", "hurry")})
    table.rematch = Rematch(2, (0,), game.names[0])
    asyncio.run(table.set_clock())
    return table


def played_on(table: Table, row: LoggedAnswer) -> None:
    """Somebody has answered a while later."""
    assert table.game is not None and row.take is not None
    clock: Any = table.tables.clock
    clock.go(MINUTE / 4)
    table.game.answer(row.seat, row.take)
    table.rows.append(row)
    asyncio.run(table.set_clock())


def sent(table: Table, seat: int | None) -> str:
    """All that a device is sent on coming, and the file about a fault."""
    assert table.game is not None
    entrance = TokenGrant(1, tokens.WATCH if seat is None else tokens.SEAT, seat)
    reader = TableSubscription(0, "token", entrance, table)
    return encode((list(reader.updates("en")), fault_report.report(table, Labels(table.game), seat))).decode()


def with_other_answers(game: Game, seat: int | None) -> Game:
    """Change the answers of seats that have sealed them."""
    opened = game.pending.opened
    game.history.answers = [
        replace(one, keys=HIDDEN) if number >= opened and one.seat != seat else one
        for number, one in enumerate(game.history.answers)
    ]
    game.pending.sealed = game.history.answers[opened:]
    return game


def some_positions(played: RandomTable, chance: random.Random, share: float) -> Iterator[tuple[Game, LoggedAnswer]]:
    """Some of the positions of a game's beginning, each with the answer that follows."""
    game, rng = played.start()
    for number, (decision, keys) in enumerate(positions(game, rng)):
        if number == MOST_POSITIONS:
            break
        if chance.random() < share:
            yield game, LoggedAnswer(decision.seat, decision.id, tuple(keys))


@few(EXAMPLES)
@given(random_tables(SHORT), st.integers(0, 2**32))
def test_messages_beside_the_game_reveal_nothing(played: RandomTable, seed: int) -> None:
    chance = random.Random(seed)
    for game, _ in some_positions(played, chance, 0.15):
        for seat in readers(game):
            other = with_other_answers(with_other_secrets(game, seat, chance), seat)
            if seat not in dict(game.pending.ids) and other.view(seat).waiting != game.view(seat).waiting:
                continue  # with those secrets somebody else would be asked, for all to see
            text = sent(served(game), seat)
            assert text == sent(served(other), seat)
            parts = '"deadline":1000060.0', '"away":{"0":1000}', '"Hello"', '"hurry"', '"rematch":"Ada"'
            assert all(part in text for part in parts)
            assert str(game.seed) not in text or game.seed < 10_000_000


@few(EXAMPLES)
@given(random_tables(("market",)), st.integers(0, 2**32))
def test_started_sealed_answers_are_not_announced(played: RandomTable, seed: int) -> None:
    """Neither by a clock, nor by numbers of questions or updates: others see an answer once somebody is ready."""
    for game, row in some_positions(played, random.Random(seed), 1.0):
        table = served(game.copy())
        others = [reader for reader in readers(game) if reader != row.seat]
        before = {reader: sent(table, reader) for reader in others}
        played_on(table, row)
        after = table.game
        assert after is not None
        if after.pending.at_once and after.pending.ready == game.pending.ready and after.log.length == game.log.length:
            assert before == {reader: sent(table, reader) for reader in others}


@few(EXAMPLES)
@given(random_tables(SHORT), st.integers(0, 2**32))
def test_reviews_reveal_nothing_hidden(played: RandomTable, seed: int) -> None:
    """Only what stayed hidden to the end, and was hidden at each decision, counts; it is the same at a pick and where
    that leads."""
    game, rng = played.start()
    for _ in positions(game, rng):
        continue
    chance = random.Random(seed)
    for seat in range(len(game.names)):
        own = len(history.own_decisions(game, seat))
        other = with_other_secrets(game, seat, chance)
        other.history.answers = [
            replace(one, before=with_other_state(game, one.before, seat, random.Random(seed)))
            if one.seat == seat
            else one
            for one in other.history.answers
        ]
        for number in chance.sample(range(own), min(own, 4)):
            text = history.review(Labels(game), seat, number)
            assert encode(text) == encode(history.review(Labels(other), seat, number))


def test_lessons_reveal_nothing_hidden() -> None:
    rules, chance, question = EDITIONS[TAUGHT], random.Random(7), 0
    one, other = Course(rules), Course(rules)
    for number, lesson in enumerate(one.lessons):
        moments = one.points(number)
        other._points[number] = tuple(otherwise(moment, lesson.seat, chance) for moment in moments)
        for index in range(len(moments)):
            text = encode(lesson_views._moment_view(one, number, index, "en"))
            assert text == encode(lesson_views._moment_view(other, number, index, "en"))
            question += b'"asked"' in text
    assert question


def otherwise(moment: LessonPoint, seat: int, chance: random.Random) -> LessonPoint:
    """Return the same with other hidden state, also in the games that explanations use."""
    parts: list[Any] = [
        part if isinstance(part, _LogRange) else replace(part, game=with_other_secrets(part.game, seat, chance))
        for part in moment.parts
    ]
    return replace(moment, game=with_other_secrets(moment.game, seat, chance), parts=tuple(parts))


def test_the_test_notices_leaks_beside_the_game() -> None:
    """The comparison can fail: for the one whose secrets they are, it does."""
    game, _ = RandomTable("market", (None, None), {}, 7, 7).start()
    for _ in range(2):
        decision = game.decisions()[0]
        game.answer(decision.seat, [decision.choices[0].key], decision.id)
    other = with_other_answers(with_other_secrets(game, 1, random.Random(3)), 1)
    assert sent(served(game), 1) == sent(served(other), 1)
    assert sent(served(game), 0) != sent(served(other), 0)
