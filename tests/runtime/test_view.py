"""Views of one small game for each reader. Other tests hold for the views of every game."""

from __future__ import annotations

import pytest

from rulewright.game.choices import AnswerError
from rulewright.runtime.view import NARRATOR, ScoreView, View, ranks, sees_zone
from small_games.kiosk import kiosk

RED, BLUE = ("red card",), ("blue card",)


def zone_contents(view: View) -> dict[str, tuple[str, ...] | None]:
    """Return the pieces of each zone, by its name and owner."""
    assert len(view.zones) == 9 and [zone.name for zone in view.zones if zone.pile] == ["deck"]
    return {f"{zone.name} {zone.word or zone.owner}": zone.pieces for zone in view.zones}


@pytest.mark.parametrize("reader", [None, 0, 1, 2, NARRATOR])
def test_each_reader_has_its_view(reader: int | None) -> None:
    view = kiosk().view(reader)
    assert (view.seat, view.round, view.phase, view.over) == (reader, 1, "play", False)
    own = range(3) if reader == NARRATOR else [reader]
    assert zone_contents(view) == {
        "deck None": None,
        **{f"hand {seat}": RED if seat in own else None for seat in range(3)},
        **{f"front {seat}": BLUE if seat in own else None for seat in range(3)},
        "pile red": RED,
        "pile blue": (),
    }
    assert [zone.count for zone in view.zones] == [1] * 8 + [0]
    assert view.zone("pile", word="red").pieces == RED and view.zone("hand", 1).owner == 1
    with pytest.raises(KeyError):
        view.zone("pile")
    assert view.counters == {
        "open": True,
        "trump": "blue",
        "lucky": None,
        "turn": 0,
        "days": 3,
        "debt": -2,
        "gold": (2, 2, 2),
        "worth": {"red": 2, "blue": 2},
    }
    assert view.counters["open"] is True
    assert view.roles == (None, None, "bot") and view.options == {"late": "yes", "tax": "high"}
    hidden = ScoreView((("gold", None), ("hand", None), ("days", 3)))
    display = ScoreView((("gold", 12), ("hand", 1), ("days", 3)))
    assert view.scores == (*(display if seat == reader else hidden for seat in (0, 1)), None)
    assert (hidden.total, display.total) == (None, 16)
    assert view.powers == (*(("blue",) if seat == reader else () for seat in (0, 1)), ()), "none for a bot"
    assert view.waiting == (0, 1)


def test_others_see_only_that_answers_are_missing() -> None:
    game = kiosk()
    game.answer(0, [])
    assert [game.view(reader).waiting for reader in (None, 0, 1, 2, NARRATOR)] == [(0, 1), (1,), (0, 1), (0, 1), (0, 1)]
    with pytest.raises(AnswerError):
        game.answer(0, [])


def test_all_scores_are_visible_at_the_end() -> None:
    game = kiosk()
    for seat in (0, 1):
        game.answer(seat, [])
    for reader in (None, 0, 1, 2, NARRATOR):
        view = game.view(reader)
        assert view.over and view.waiting == ()
        assert [score and score.total for score in view.scores] == [16, 16, None]
        assert (view.zone("hand", 1).pieces is None) == (reader not in (1, NARRATOR)), "cards stay hidden"
    assert ranks(game.machine, game.state) == {0: 1, 1: 1}
    gold = next(counter.address for counter in game.program.layout.counters if counter.name == "gold")
    s = game.state
    s[gold + 1] += 1
    assert ranks(game.machine, s) == {0: 2, 1: 1}


def test_powers_of_visible_pieces_are_visible() -> None:
    game = kiosk("front: {of: seat, seen by: owner}", "front: {of: seat, seen by: all}")
    for reader in (None, 0, 1, 2, NARRATOR):
        assert game.view(reader).powers == (("blue",), ("blue",), ())
        gold = [score and dict(score.lines)["gold"] for score in game.view(reader).scores]
        assert gold == [12, 12, None], "what a power that lies open is worth is no secret"


@pytest.mark.parametrize(("scored", "expected"), [("yes", {0: 1, 1: 1}), ("no", {})])
def test_a_game_at_its_limit_has_ranks_only_where_it_counts(scored: str, expected: dict[int, int]) -> None:
    game = kiosk("ranking:", f"limit: {{answers: 1, scored: {scored}}}\nranking:")
    game.answer(0, [])
    assert game.view(None).over and ranks(game.machine, game.state) == expected


def test_visibility_of_zones() -> None:
    by_name = {f"{space.name} {space.owner}": space for space in kiosk().program.layout.zones}
    readers = (None, 0, 1, 2, NARRATOR)
    for name, seeing in {"deck -1": (), "hand 1": (1, NARRATOR), "front 0": (0, NARRATOR), "pile 1": readers}.items():
        assert tuple(reader for reader in readers if sees_zone(by_name[name], reader)) == seeing
