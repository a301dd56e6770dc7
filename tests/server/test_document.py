"""A document over the wire: changes make of what a page has what the server has."""

from __future__ import annotations

import random
import zlib
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.json import decode, encode

from example_counts import few
from rulewright.game import library
from rulewright.game.game import Game
from rulewright.publish.labels import Labels
from rulewright.server.views import seat_view
from rulewright.server.views.document import LogChange, Now, ScoreNow, Update, ZoneNow
from rulewright.server.views.merge_patches import merge_patch, merge_patch_between
from rulewright.server.views.replies import ServerMessage, Updates
from rulewright.server.web.protocol import ClientMessage
from whole_games import Table, answer_to, positions, tables

FROM_CLIENTS = """again agree analyse answer back chat concede explain fill gesture hello language leave look propose
    record rematch replace report review save say scores share sit stand try undo why"""
FROM_SERVERS = """analysed explained kept past recorded refused rematch replaced reported reviewed save scores seated
    shared tried updates"""


def test_message_types_do_not_follow_class_names() -> None:
    """Pages of an older version and saved recordings know messages by these types."""
    for messages, types in ((ClientMessage, FROM_CLIENTS), (ServerMessage, FROM_SERVERS)):
        assert sorted(message.__struct_config__.tag for message in get_args(messages)) == types.split()


@pytest.mark.rotating(10)
@few(30)
@given(tables(), st.integers(0, 2**32))
def test_patches_give_the_new_document(table: Table, seed: int) -> None:
    game, rng = table.start()
    seat = random.Random(seed).choice((None, *range(len(game.names))))
    before: Now | None = None
    page: object = {}
    for number, _ in enumerate(positions(game, rng)):
        if number == 60:
            break
        after = document_now(game, seat)
        page = merge_patch(page, decode(encode(merge_patch_between(before, after))))
        assert page == decode(encode(after))
        before = after


def document_now(game: Game, seat: int | None) -> Now:
    return seat_view.now(Labels(game), seat, game.log.length)


def test_default_values_are_left_out() -> None:
    before = Now(
        round=2, waiting=(1,), scores={"0": ScoreNow("1 point", (("a", 1),), 1)}, zones={"hand": ZoneNow("h", 3)}
    )
    after = Now(round=2, zones={"hand": ZoneNow("h", 0)})
    assert merge_patch_between(before, after) == {"waiting": None, "scores": None, "zones": {"hand": {"count": None}}}
    assert merge_patch_between(after, after) == {}


@pytest.mark.rotating(3)
@pytest.mark.parametrize(("edition", "most"), [("wild-cards/2022", 1_000), ("wildlife/2002", 3_000)])
def test_a_change_is_small(edition: str, most: int) -> None:
    """The size is measured compressed, even where a round ends and a question begins."""
    game, rng, text = Game.start(library.load(edition), ["Ada", "Ben", "Cora", "Dan"], seed=3), random.Random(1), 0
    before, sizes = None, list[int]()
    while len(sizes) < 80:
        now, lines = document_now(game, 0), seat_view.lines(Labels(game), 0, text, game.history.steps())
        update = Update(1, {"now": merge_patch_between(before, now)}, 0, LogChange(text, lines))
        sizes.append(len(zlib.compress(encode(Updates((update,))))))
        before, text = now, text + len(lines)
        decision = rng.choice(game.decisions())
        game.answer(decision.seat, answer_to(decision, rng))
    assert max(sizes[1:]) < most
