"""Chance has the odds that it has in OpenSpiel: to the fraction in small games, by samples in large ones."""

from __future__ import annotations

import pytest

pyspiel = pytest.importorskip("pyspiel", reason="needs OpenSpiel")

from chance_odds import AllOfChance, Loaded, SampledChance  # noqa: E402 - they need OpenSpiel
from lockstep import Difference  # noqa: E402
from pairings import PAIRINGS, rules_of  # noqa: E402

LISTED = [name for name, pairing in PAIRINGS.items() if pairing.listed and pairing.fell]
SAMPLED = [name for name, pairing in PAIRINGS.items() if pairing.fell and not pairing.listed]
SAME_CHANCE = {"bridge", "hearts", "oh_hell"}
"""Editions that deal from a whole pack, as spades does: only with --long."""
GAMES = 250
"""Limits of each sample, fixed beforehand like the seeds. The samples find what is off by a fifth: see below."""
ANSWERS = {"blackjack": 6, "crazy_eights": 6}
"""Up to how many answers each game goes on, where cards are drawn; elsewhere chance comes before the first, or again
after it."""


def compare_odds(name: str, *changes: tuple[str, str], times: int = 6) -> None:
    odds = AllOfChance(PAIRINGS[name], rules_of(name, *changes))
    for seed in range(times):
        odds.some(seed, times)
    assert odds.compared >= times


@pytest.mark.parametrize("name", LISTED)
def test_enumerated_chance_has_the_same_odds(name: str) -> None:
    compare_odds(name)


def test_a_loaded_die_is_found() -> None:
    """Games alone would not find it: whatever falls here can fall there."""
    with pytest.raises(Difference, match="the odds are"):
        compare_odds("pig", ("{pips: 1 to 6}", "{pips: 1 to 5}"))


def sample(name: str, disabled: float | None = None) -> list[str]:
    """Return the unlikely cells of a sample; disabled: by how much its chance is off."""
    step = SampledChance(PAIRINGS[name], rules_of(name))
    step.sample(GAMES, ANSWERS.get(name, 1), *([] if disabled is None else [Loaded(disabled)]))
    return step.unlikely()


@pytest.mark.rotating(4)
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.long] if name in SAME_CHANCE else []) for name in SAMPLED]
)
def test_sampled_chance_has_the_same_odds(name: str) -> None:
    assert sample(name) == []


@pytest.mark.rotating(3)
@pytest.mark.parametrize("name, disabled", [("einstein_wurfelt_nicht", 0.2), ("goofspiel", 0.2), ("spades", 0.1)])
def test_biased_chance_is_found(name: str, disabled: float) -> None:
    """The die shows a six in one of five rolls; in one of five shuffles, or of ten, a certain card is on top."""
    assert sample(name, disabled) != []
