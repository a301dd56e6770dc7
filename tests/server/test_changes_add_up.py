"""Updates add up: each reader's document is always the one that a new reader would get."""

from __future__ import annotations

import asyncio
import os
import random
from types import SimpleNamespace
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import convert, structs
from msgspec.json import decode, encode

import whole_games
from example_counts import few
from rulewright.game.game import Game
from rulewright.players.seating import PERSON, Seat
from rulewright.publish.labels import Labels
from rulewright.server import tokens
from rulewright.server.clock import Clock
from rulewright.server.garbage_collection import GarbageCollector
from rulewright.server.limits import Limits
from rulewright.server.storage.records import LoggedAnswer, PinnedEdition, TableRecord, TokenGrant
from rulewright.server.tables import log_rows
from rulewright.server.tables.table import Table
from rulewright.server.views import seat_view
from rulewright.server.views.document import Now
from rulewright.server.views.merge_patches import merge_own, merge_patch
from rulewright.server.web.table_subscription import TableSubscription
from whole_games import answer_to, tables

GAMES = int(os.environ.get("RULEWRIGHT_CHANGED_GAMES", "25"))
MOST_ROWS = 40
LANGUAGES = ("en", "de", "nl")


class Page:
    """Somebody at a table, with what a page keeps of it. seat: None for an onlooker."""

    def __init__(self, table: Table, seat: int | None, language: str) -> None:
        purpose = tokens.WATCH if seat is None else tokens.SEAT
        self.table, self.language = table, language
        self.entrance = TokenGrant(table.record.id, purpose, seat)
        self.come_back()

    def come_back(self) -> None:
        self.reader = TableSubscription(0, tokens.new(), self.entrance, self.table)
        self.document: dict[str, Any] = {}
        self.lines: list[Any] = []
        self.number = 0

    def read(self) -> None:
        for update in self.reader.updates(self.language):
            text = decode(encode(update))
            if text["number"] == 1:
                self.document, self.lines, self.number = {}, [], 0
            assert text["number"] == self.number + 1
            self.number = text["number"]
            self.document = merge_patch(self.document, text["change"])
            if "log" in text:
                self.lines[text["log"]["start"] :] = text["log"]["lines"]

    def check(self) -> None:
        """The whole, made anew."""
        seat, game = self.reader.seat, self.table.game
        assert game is not None
        labels = Labels(game, self.language)
        whole = seat_view.now(labels, seat, 0 if seat is None else self.table.question(seat))
        if seat is not None:
            question = None if self.table.is_away(seat) else whole.asked
            whole = structs.replace(whole, asked=question, may=self.table.possible_proposals(seat))
        view = merge_own(self.document["now"], self.document.get("own", {}))
        assert convert(view, Now) == convert(decode(encode(whole)), Now)
        assert self.lines == decode(encode(seat_view.lines(labels, seat, 0, game.history.steps())))
        assert self.document["language"] == labels.language


class Played(Table):
    """A table without a server, a disk or bots."""

    def __init__(self, picture: whole_games.Table) -> None:
        game, self.rng = picture.start()
        seats = tuple(Seat(name, PERSON, role) for name, role in zip(game.names, game.roles, strict=True))
        record = TableRecord(1, "", game.rules.hash, game.seed, game.options, seats)
        trained = SimpleNamespace(misfit=lambda *_: "")
        collector, bot_pool = GarbageCollector(lambda: 0), SimpleNamespace(trained=trained)
        tables = SimpleNamespace(
            limits=Limits(), clock=Clock(), shared=False, garbage_collector=collector, bot_pool=bot_pool
        )
        super().__init__(tables, record, PinnedEdition.from_text("", (), ""), game.rules)
        self.game = game
        quiet = SimpleNamespace(undo_seats=frozenset(), drive=lambda: None, on_answer=lambda _: None)
        self.bots = cast(Any, quiet)

        async def with_store(_: Any) -> None:
            return None

        tables.with_store = with_store

    def change(self, chance: random.Random) -> bool:
        """Somebody answers, takes an answer back, goes or comes back; whether anybody did."""
        game = self.game
        assert isinstance(game, Game)
        seat = chance.randrange(len(game.names))
        if chance.random() < 0.15 and (number := game.undoable_answer(seat)) is not None:
            row = log_rows.undo(seat, number)
        elif chance.random() < 0.1:
            row = log_rows.back(seat) if self.is_away(seat) else log_rows.away(seat, "random")
        elif not (decisions := game.decisions()):
            return False
        else:
            decision = chance.choice(decisions)
            row = LoggedAnswer(decision.seat, decision.id, tuple(answer_to(decision, self.rng)))
        asyncio.run(self.add(row))
        return True


@pytest.mark.rotating(10)
@few(GAMES)
@given(tables(), st.integers(0, 2**32))
def test_updates_add_up_to_the_document(picture: whole_games.Table, seed: int) -> None:
    chance = random.Random(seed)
    table = Played(picture)
    assert table.game is not None
    seats = [None, None, *range(len(table.game.names)), 0]
    pages = [Page(table, seat, chance.choice(LANGUAGES)) for seat in seats]
    for _ in range(MOST_ROWS):
        for page in pages:
            kind = chance.random()
            if kind < 0.03:
                page.come_back()
            elif kind < 0.06:
                page.reader.reset()  # has missed a change
            elif kind < 0.09:
                page.language = chance.choice(LANGUAGES)
            elif kind < 0.25:
                continue  # is slow
            page.read()
            page.check()
        if not table.change(chance):
            break


@pytest.mark.rotating(3)
def test_the_common_view_is_made_and_encoded_once() -> None:
    """Onlookers of one language are sent the very same bytes; a seat alone that is asked is asked in its own part."""
    table = Played(whole_games.Table("wild-cards/2022", (None, None, None), {}, 7, 7, 0))
    onlookers, player = [Page(table, None, "en") for _ in range(2)], Page(table, 0, "en")
    for page in (*onlookers, player):
        page.read()
    assert table.change(random.Random(1))
    updates = [list(page.reader.updates("en")) for page in (*onlookers, player)]
    first, second, third = ([dict(one.change).get("now") for one in told] for told in updates)
    assert first and all(one is other for one, other in zip(first, second, strict=True))
    assert all(one is other for one, other in zip(first, third, strict=True))
    assert "asked" not in decode(encode(onlookers[0].document))["now"] and "asked" in player.document["own"]


def test_a_renamed_player_is_renamed_everywhere() -> None:
    """A forgotten player gets another name, and the game is rebuilt."""
    table = Played(whole_games.Table("wild-cards/2022", (None, None, None), {}, 7, 7, 0))
    page = Page(table, 1, "en")
    for _ in range(8):
        page.read()
        table.change(random.Random(1))
    assert table.game is not None
    game = Game.load(table.game.save() | {"seats": [{"name": name} for name in ("Xa", "Xb", "Xc")]}, table.rules)
    assert game.names != table.game.names
    table.game = game
    table.backward += 1
    table.notify()
    page.read()
    page.check()
    assert any("Xa" in str(line) for line in page.lines)
