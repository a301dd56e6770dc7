"""Warnings about rules that no text explains, and numbers in texts that no rule changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from lint_example import lay, warned
from rulewright.authoring.edition_check import examine
from rulewright.authoring.lint import lint
from rulewright.base.diagnostics import Report
from rulewright.game import library

EXPLAINED = [
    "setup: {text: Shuffle.}",
    "phases: {evening: {text: Everybody lays a card.}}",
    "scoring: {coins: {text: A point for each coin.}}",
]
"""Changes that give a text to all that is played."""
CHARMS = "pieces: {charm: {each: colour, starts in: deck, power in: street, noun: '{colour} charm'}}"


def inner(step: str, more: str = "") -> str:
    """Return a change: 'lay' runs the step 'wait', which is as given, and has `more` of its own."""
    return (
        f"phases: {{evening: {{steps: {{lay: {{{more}do: ["
        "choose 1 from hand into street: {ask: x}, add total price of street to coins, do wait]}, "
        f"wait: {step}}}}}}}"
    )


ASKING = "[choose up to 1 from hand into street: {ask: x}]"
NAP = "phases: {evening: {steps: {nap: [add 1 to coins]}}}"
UNTOLD = {
    "a phase": (
        EXPLAINED[:1] + EXPLAINED[2:] + ["phases: {dawn: {text: x, do: []}}"],
        "No text explains the phase 'evening'.",
    ),
    "the set-up": (EXPLAINED[1:], "No text explains the setup."),
    "a score line": (EXPLAINED[:2], "No text explains the score line 'coins'."),
    "a power": (
        [
            *EXPLAINED,
            CHARMS,
            "powers: {red: {change: {hand size: 2}}}",
            lay("move first 1 of charms in deck to street"),
        ],
        "No text explains the power 'red'.",
    ),
    "a role": (
        [*EXPLAINED, "roles: {robot: {joins: {2: optional}, change: {hand size: 2}}}"],
        "No text explains the role 'robot'.",
    ),
    "an option": ([*EXPLAINED, "options: {long: {change: {hand size: 2}}}"], "No text explains the option 'long'."),
    "a step that asks": (
        [*EXPLAINED, inner(ASKING)],
        "The step 'wait' asks somebody, and neither it nor the step 'lay', which does it, has a text.",
    ),
    "a step that asks besides": (
        [*EXPLAINED, inner(f"[add 1 to coins, {ASKING[1:-1]}]")],
        "The step 'wait' asks somebody, and neither it nor the step 'lay', which does it, has a text.",
    ),
    "a step of a hook": (
        [*EXPLAINED, inner("[]", "text: x, "), "options: {late: {before wait: do nap}}", NAP],
        "No text explains the step 'nap', nor the option 'late', which does it.",
    ),
}


@pytest.mark.parametrize("name", UNTOLD)
def test_rules_without_a_text_give_a_warning(tmp_path: Path, name: str) -> None:
    changes, message = UNTOLD[name]
    assert f"warning untold: {message}" in warned(tmp_path, *changes)


ENOUGH = {
    "all have a text": [],
    "a draft": ["options: {long: {change: {hand size: 2}}}", "setup: {text: x}", "phases: {evening: {text: ''}}"],
    "a step that works for a told phase": [inner("[add 1 to coins]")],
    "a step that asks, with a text": [inner(f"{{text: You may lay another., do: {ASKING}}}")],
    "a step that asks, done by one with a text": [inner(ASKING, "text: And perhaps another., ")],
    "an option that is told by its choices": [
        "options: {deal: {choices: {few: {text: x}, many: {text: y, change: {hand size: 4}}}}}"
    ],
    "a step of a told hook": [
        inner("[]", "text: x, "),
        "options: {late: {text: x, before wait: do nap}}",
        NAP,
    ],
}


@pytest.mark.parametrize("name", ENOUGH)
def test_explained_rules_give_no_warning(tmp_path: Path, name: str) -> None:
    before = [] if name == "a draft" else EXPLAINED
    assert warned(tmp_path, *before, *ENOUGH[name]) == []


VALUES = "values: {seat: {hand size: 6, fine: {by: number of seats, 2: 8, otherwise: 9}, bonus: 1}}"
PAYING = lay("add bonus to coins", "take fine from coins")


def hints(tmp_path: Path, *changes: str) -> dict[str, str]:
    """Return the hint for each number that stands bare in a text."""
    warned(tmp_path, *changes)
    _, report = examine(str(tmp_path / "edition.yaml"))
    diagnostics = [diagnostics for diagnostics in report.diagnostics if diagnostics.code == "unbound"]
    return {diagnostics.message.split("'")[1]: diagnostics.hint for diagnostics in diagnostics}


NAME_BOTH = "The rule's own sentence says {}, too: name it under 'values', and write {{NAME}} in both."
UNBOUND = {
    "digits of a value that is used": ("setup: {text: Draw 6.}", "6", "Write {hand size}."),
    "the same in words": ("setup: {text: Draw six.}", "six", "Write {hand size}."),
    "with a capital, at the end": ("setup: {text: Six}", "Six", "Write {hand size}."),
    "one of several cases": (
        "phases: {evening: {steps: {lay: {text: Pay eight., do: [choose 1 from hand into street: {ask: x}, "
        "take fine from coins, add total price of street to coins]}}}}",
        "eight",
        "Write {fine}.",
    ),
    "in words, where an inner step has it": ("phases: {evening: {text: Pay eight or nine.}}", "eight", "Write {fine}."),
    "with what an option changes": (
        "options: {long: {text: Draw seven., change: {hand size: 7}}}",
        "seven",
        "Write {hand size}.",
    ),
    "a number in the rule's own sentence": (
        "scoring: {coins: {text: Three points each., points: 3 * coins}}",
        "Three",
        NAME_BOTH.format(3),
    ),
    "a number in what an option does": (
        "options: {late: {text: Three more., before lay: add 3 to coins}}",
        "Three",
        NAME_BOTH.format(3),
    ),
    "a number that an option adds": (
        "options: {long: {text: Draw seven more., change: {hand size: +7}}}",
        "seven",
        NAME_BOTH.format(7),
    ),
    "pieces": ("setup: {text: Shuffle the 18 cards.}", "18", "Write {number of cards}."),
    "an attribute of a word": (
        lay("if any card in street has (colour is red and price is red's price): add 1 to coins")
        .replace("      lay:", "      lay:\n        text: A red one costs 2.\n        do:")
        .replace("\n        - ", "\n          - "),
        "2",
        "Write {red's price}.",
    ),
    "a table of a word": (
        "words: {colour: {red: {weight: [4, 7]}}}\n"
        + lay("add red's weight for 1 to coins")
        .replace("      lay:", "      lay:\n        text: A red one weighs 7.\n        do:")
        .replace("\n        - ", "\n          - "),
        "7",
        "Write {red's weight for 2}.",
    ),
    "another number in words": (
        "options: {late: {text: Nine or eleven more., before lay: add 11 to coins}}",
        "eleven",
        NAME_BOTH.format(11),
    ),
    "a number that ranks": (
        "ranking: {text: Four times the coins count., by: highest (4 * coins)}",
        "Four",
        NAME_BOTH.format(4),
    ),
    "a number of a power": (
        CHARMS
        + "\npowers: {red: {text: Draw nine., change: {hand size: 9}}}\n"
        + lay("move first 1 of charms in deck to street"),
        "nine",
        "Write {hand size}.",
    ),
    "a number of a role": (
        "roles: {robot: {text: Draw nine., joins: {2: optional}, change: {hand size: 9}}}",
        "nine",
        "Write {hand size}.",
    ),
    "a number of a hook, behind others": (
        "options: {late: {text: Five or seven more., before lay: [add 4 to coins, add 7 to coins]}}",
        "seven",
        NAME_BOTH.format(7),
    ),
    "a value of another rule": ("scoring: {coins: {text: Never 6.}}", "6", "Is it {hand size}? Else"),
    "a number of nobody": ("scoring: {coins: {text: Never 500.}}", "500", "Name it under 'values'"),
}


@pytest.mark.parametrize("name", UNBOUND)
def test_bare_numbers_equal_to_a_figure_give_a_warning(tmp_path: Path, name: str) -> None:
    change, number, hint = UNBOUND[name]
    copies = "pieces: {card: {copies: 3}}"
    hints_by_number = hints(tmp_path, VALUES, PAYING, copies, change)
    assert number in hints_by_number, hints_by_number
    assert hints_by_number[number].startswith(hint)


@pytest.mark.parametrize(
    "text",
    [
        "Draw {hand size}; one of your cards is red.",
        "With six players, draw {hand size}; with 2 or 3 players, too.",
        "For two, three or four players, or 6 to 12 people.",
        "Five of them, twelve moons, twenty-six things and a six-pack.",
        "On a6 or row6.",
        "{hand size + 6} and {number of cards where value is 2}",
    ],
)
def test_other_numbers_give_no_warning(tmp_path: Path, text: str) -> None:
    hints_by_number = hints(tmp_path, VALUES, PAYING, f'setup: {{text: "{text}"}}')
    assert hints_by_number == {}


def test_bare_numbers_are_underlined(tmp_path: Path) -> None:
    """The second number stands after slots."""
    change = 'setup: {text: "Draw {hand size} or {bonus} of them, and then six more, or 8."}'
    warned(tmp_path, VALUES, PAYING, change)
    lines = (tmp_path / "edition.yaml").read_text("utf-8").splitlines()
    _, report = examine(str(tmp_path / "edition.yaml"))
    places = [found.place for found in report.diagnostics if found.code == "unbound"]
    underlined = [lines[place.line - 1][place.column - 1 :][: place.length] for place in places]
    assert underlined == ["six", "8"]


def test_the_number_of_seats_is_no_figure(tmp_path: Path) -> None:
    change = lay("if number of seats is 4: add 1 to coins").replace(
        "      lay:", "      lay:\n        text: Four may sit here.\n        do:"
    )
    assert hints(tmp_path, change.replace("\n        - ", "\n          - ")) == {}


def test_a_number_of_other_things_is_not_that_of_a_figure() -> None:
    """'three sashimi' is not the number of days; 'three days' is."""
    edition = """
        rulewright: 1
        title: Counter
        players: 2
        words: {dish: {sashimi: {}, maki: {}}}
        pieces: {card: {each: dish, copies: 9, starts in: deck, noun: "{dish}"}}
        zones: {deck: {seen by: all}}
        values: {game: {days: 3}}
        counters: {game: {played: 0}}
        phases: {play: {text: A set of three THINGS counts., do: [add 1 to played, if played is days: end game]}}
        """
    for thing, warned_of in (("sashimi", False), ("days", True)):
        report = Report()
        lint(library.from_text(edition.replace("THINGS", thing)).edition, report)
        assert any(found.code == "unbound" for found in report.diagnostics) == warned_of, thing


@pytest.mark.parametrize(
    ("paid", "warned_of"), [("take price from coins", True), ("[add 1 to coins, add price to pot]", False)]
)
def test_a_number_of_what_a_sentence_pays_is_that_of_its_figure(paid: str, warned_of: bool) -> None:
    """'seven coins' is the price if 'price' is taken from coins."""
    edition = f"""
        rulewright: 1
        title: Counter
        players: 2
        values: {{game: {{price: 7}}}}
        counters: {{seat: {{coins: 9}}, game: {{pot: 0}}}}
        phases: {{play: {{text: Pay seven coins., do: [each seat: [may: {{ask: Pay?, do: {paid}}}], end game]}}}}
        """
    report = Report()
    lint(library.from_text(edition).edition, report)
    assert any(found.code == "unbound" for found in report.diagnostics) == warned_of
