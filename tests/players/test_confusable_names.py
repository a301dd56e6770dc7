"""Names of players that look alike or empty, and names that must be told apart all the same."""

from __future__ import annotations

import pytest

from rulewright.game import library
from rulewright.players.confusable_names import are_confusable, is_visible
from rulewright.players.seating import SeatingError, read_seats, spare_names

CONFUSABLE = [
    ("Ann", "ANN"), ("Ann", "\u0410nn"), ("ann", "\u0410NN"), ("Bob", "\u0412\u043eb"), ("Ann", "\uff21\uff4e\uff4e"),
    ("Ann", "A nn"), ("Ann", "Ann\ufe0f"), ("Ann", "An\u034fn"), ("Ian", "lan"), ("Al", "A1"), ("Bo", "B0"),
    ("Stra\u00dfe", "STRASSE"), ("Jos\u00e9", "Jose\u0301"), ("Leo", "\U0001d40beo"), ("ian", "\u0406an"),
]  # fmt: skip
DIFFERENT = [
    ("Ann", "Anna"), ("Jose", "Jos\u00e9"), ("Lan", "Lam"), ("Player 1", "Player 2"),
    ("\u0410\u043d\u043d\u0430", "Anna"),
    ("Ann", "Ann."), ("\u2764\ufe0f", "\u2b50"),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other"), CONFUSABLE)
def test_names_that_look_alike_are_refused(one: str, other: str) -> None:
    assert are_confusable(one, other) and are_confusable(other, one)


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_names_that_differ_are_accepted(one: str, other: str) -> None:
    assert not are_confusable(one, other) and not are_confusable(other, one)


def test_invisible_names_are_refused() -> None:
    for name in ("", " ", "\u3164", "\u2800", "\u200b", "\ufe0f", "\u0301", "\u115f\u1160"):
        assert not is_visible(name)
    for name in ("a", "7", "\u2764\ufe0f", "?", "\u05d0"):
        assert is_visible(name)


@pytest.mark.parametrize("seats", ["Ann,\u0410nn", "Ann,\u3164", "you,Yo\u03c5"])
def test_names_in_the_terminal_must_differ_too(seats: str) -> None:
    with pytest.raises(SeatingError):
        read_seats(seats, library.load("2022").edition)


def test_bots_get_other_names() -> None:
    assert next(spare_names(["\u0410da"])) == "Ben"
