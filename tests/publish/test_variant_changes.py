"""Changes of a variant, as its rulebook lists them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from example_counts import one_in
from rulewright.game import library
from rulewright.publish.rulebook.changes import (
    CHANGED,
    NEW,
    OTHER_CHOICE,
    REMOVED,
    UNWORDED,
    VariantDifference,
    base_builder,
    changes,
)
from rulewright.publish.rulebook.rulebook_builder import RulebookBuilder
from shipped_books import contents


def changes_of(
    name: str, language: str = "en", options: Mapping[str, str] | None = None
) -> tuple[VariantDifference, ...]:
    result = contents(name, language, *(options or {}).items())
    base = base_builder(result)
    assert base is not None
    return changes(result, base)


def by_key(all_: tuple[VariantDifference, ...]) -> dict[str, VariantDifference]:
    assert len({change.key for change in all_}) == len(all_)
    return {change.key: change for change in all_}


def test_changes_of_the_older_edition() -> None:
    first = by_key(changes_of("wild-cards/2020"))
    kinds = {kind: {key for key, change in first.items() if change.kind == kind} for kind in (NEW, REMOVED)}
    assert kinds[NEW] >= {"phases.resolve bids", "options.payment is lost"}
    assert kinds[REMOVED] >= {
        "pieces.talisman", "roles.leo", "options.talisman owner first", "options.leo keeps his card"
    }  # fmt: skip
    assert first["pieces.talisman"].before == "1" and first["pieces.talisman"].now == ""
    refill = first["steps.refill hands"]  # a phase there, a step here
    assert refill.kind == CHANGED and refill.before != refill.now != ""
    assert "powers.squirrel" not in first and "edition" not in first


def test_changes_are_the_same_in_every_language() -> None:
    english, italian = changes_of("wild-cards/2020"), changes_of("wild-cards/2020", "it")
    assert [(change.kind, change.key) for change in english] == [(change.kind, change.key) for change in italian]
    assert by_key(italian)["setup"].title == "Preparazione"
    assert by_key(italian)["steps.break tie"].title == "Ancora in parità"


@pytest.mark.rotating(2)
def test_options_that_differ_from_their_default() -> None:
    text = by_key(changes_of("wildlife/2002", options={"same abilities": "single"}))
    assert text.keys() >= {"steps.gain an ability", "options.same abilities"}
    choice = text["options.same abilities"]
    assert (choice.kind, choice.before, choice.now) == (OTHER_CHOICE, "Two", "Single")
    figure = text["steps.gain an ability"]
    assert figure.kind == CHANGED and figure.before != figure.now
    text = by_key(changes_of("wild-cards/2022", options={"even removal": "no"}))
    removal = text["steps.remove animals"]
    assert (removal.kind, removal.before, removal.now) == (UNWORDED, "", "")
    assert list(text) == ["steps.remove animals", "options.even removal"]


@pytest.mark.rotating(2)
def test_an_edition_of_its_own_has_no_base() -> None:
    assert base_builder(RulebookBuilder(library.load("wild-cards/2022"))) is None


VARIANTS = {
    "a figure that texts show": (
        "change: {values: {seat: {hand limit: 12}}}",
        {"zones.hand": CHANGED, "steps.pass": CHANGED},
    ),
    "a figure that none shows": (
        "change: {values: {seat: {bid size: 2}}}",
        {"steps.place bid": UNWORDED},
    ),
    "a step without a text": (
        "change: {phases: {place bids: {steps: {reveal bid: {do: [move offer to bid, log: Look.]}}}}}",
        {},  # what is said in the log is no rule
    ),
    "what an untold step does": (
        "change: {phases: {place bids: {steps: {reveal bid: {do: [move offer to bid, shuffle animal deck]}}}}}",
        {"steps.reveal bid": UNWORDED},
    ),
    "what a power does": ("change: {powers: {lion: {change: {tie strength: 3}}}}", {"powers.lion": UNWORDED}),
    "words alone": ("change: {powers: {lion: {text: Ties are yours.}}}", {"powers.lion": CHANGED}),
    "a title alone": ("change: {powers: {lion: {title: King}}}", {"powers.lion": CHANGED}),
    "another usual choice": (
        "change: {options: {even removal: {default: no}}}",
        {"steps.remove animals": UNWORDED, "options.even removal": OTHER_CHOICE},
    ),
    "scoring": (
        "change: {scoring: {tokens: {points: 2 * tokens}}}",
        {"scoring.tokens": UNWORDED},
    ),
    "how many": (
        "change: {pieces: {animal: {copies: 8}, refill card: {copies: 6}}}",
        {"pieces.refill card": CHANGED, "steps.finish": CHANGED},  # which tells how many there are
    ),
}


@pytest.mark.parametrize("name", one_in(4, VARIANTS))
def test_changes_of_variants(name: str, tmp_path: Path) -> None:
    text, expected = VARIANTS[name]
    file = tmp_path / "mine.yaml"
    file.write_text(f"rulewright: 1\nextends: wild-cards/2022\n{text}\n", encoding="utf-8")
    message = changes_of(str(file), "it")
    animals = [change for change in message if change.key == "pieces.animal"]
    assert {change.key: change.kind for change in message if change not in animals} == expected
    if name == "how many":
        assert [(change.title, change.before, change.now) for change in animals][:2] == [
            ("Pavone", "7", "8"), ("Scoiattolo", "7", "8")
        ]  # fmt: skip
        assert len(animals) == 6


@pytest.mark.rotating(5)
def test_changes_without_a_sentence_quote_the_edition(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    changes = (
        "values: {seat: {bid size: 2}}, scoring: {tokens: {points: 2 * tokens}}, "
        "phases: {place bids: {steps: {reveal bid: {do: [move offer to bid, shuffle animal deck]}}}}"
    )
    file.write_text(f"rulewright: 1\nextends: wild-cards/2022\nchange: {{{changes}}}\n", encoding="utf-8")
    lines = {key: (change.before, change.now) for key, change in by_key(changes_of(str(file))).items()}
    assert lines == {
        "steps.place bid": ("bid size: 1", "bid size: 2"),
        "steps.reveal bid": ("", "shuffle animal deck"),
        "scoring.tokens": ("tokens", "2 * tokens"),
    }


def test_a_variant_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    small = "rulewright: 1\ntitle: Small\nplayers: 2\nphases: {play: {text: Play., do: end game}}\n"
    (tmp_path / "base.yaml").write_text(small, encoding="utf-8")
    file = tmp_path / "sub" / "mine.yaml"
    change = "change: {phases: {play: {text: Play more.}}}\npieces: {coin: {copies: 3, starts in: box}}\n"
    file.write_text(
        f"rulewright: 1\nextends: ../base.yaml\n{change}zones: {{box: {{seen by: all}}}}\n", encoding="utf-8"
    )
    assert changes_of(str(file)) == (
        VariantDifference(NEW, "pieces.coin", "Coins", "", "3"),
        VariantDifference(CHANGED, "phases.play", "Play", "Play.", "Play more."),
    )


def test_a_figure_in_a_changed_text_is_no_separate_change() -> None:
    """The older edition has another course, and with it another player to start: its steps say so."""
    assert not [change.key for change in changes_of("wild-cards/2020") if change.key.startswith("values.")]
