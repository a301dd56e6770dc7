"""Questions, answers and lines of the log never count what is not there: 'no bids yet', not 'highest bid: 0'."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

import pytest

from rulewright.game import library
from rulewright.game.game import Game
from rulewright.i18n import languages
from whole_games import NAMES, answer_to

ANSWERS = 200
LANGUAGES = ("en", "de", "it", "nl", "fr")
NUMBERED_ENDS = "classics/dominoes"
"""A game that names the ends of a line by numbers: '0' is such a name."""
_NONE_OF = re.compile(r"(?<![\w.,:−-])0 [^\W\d]|: 0\b")
"""Nothing, told as a number."""


def readings(name: str, texts: list[str]) -> Iterator[str]:
    """Yield the texts of a random game, in some languages."""
    rules = library.load(name)
    game, rng = Game.start(rules, NAMES[: rules.edition.seat_counts()[-1]], seed=1), random.Random(1)
    for _ in range(ANSWERS):
        if not (seats := game.pending.seats):
            break
        for language in texts:
            if (decision := game.decision(seats[0], language)) is not None:
                yield from (decision.prompt, decision.none, *(choice.label for choice in decision.choices))
        assert decision is not None
        game.answer(seats[0], answer_to(decision, rng))
    for language in texts:
        yield from (line.text for line in game.log.lines(None, language=language))


@pytest.mark.rotating(3)
@pytest.mark.parametrize("name", [name for name in library.available() if name != NUMBERED_ENDS])
def test_empty_sets_are_worded_without_a_number(name: str) -> None:
    texts = [language for language in LANGUAGES if language == "en" or languages.is_translated(name, language)]
    lines = set(readings(name, texts))
    assert len(lines) > 10
    assert [text for text in sorted(lines) if _NONE_OF.search(text)] == []
