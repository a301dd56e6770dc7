"""`rulewright explain`: kind, place, value, uses and changes of a name."""

from __future__ import annotations

from pathlib import Path

import pytest

from example_counts import some_editions
from rulewright import cli
from rulewright.authoring.explanations import Explainer, UnknownName, explain, names
from rulewright.game import library
from rulewright.game.game import Game
from rulewright.model.constant_evaluation import FigureEvaluator
from rulewright.model.declarations import canonical
from rulewright.model.edition import Edition
from rulewright.model.references import uses
from rulewright.model.symbols import find

MARKET = """\
rulewright: 1
title: Market
players: 2 to 4
words:
  colour: {red: {rank: 3}, blue: {rank: 1}}
pieces:
  card: {has: {colour: colour, value: 1 to 2}, starts in: deck, noun: "{colour} {value}"}
  badge: {each: colour, starts in: row, noun: "{colour} badge", power in: front}
zones:
  deck: {seen by: nobody, pile: yes}
  row: {seen by: all}
  hand: {of: seat, seen by: owner, at most: hand limit, counting: card}
  front: {of: seat, seen by: all}
counters:
  seat: {coins: {starts at: 0, noun: coin}}
values:
  game:
    prize: {by: number of seats, 2: 7, 3: 9, 4: 9}
  seat:
    hand limit: {is: 10, text: How many cards you may hold.}
    wage: hand limit - 8
    worth: coins * 2
terms:
  seat: {herd: {for: {kind: colour}, is: number of cards in front where colour is kind}}
setup:
  do: [each seat: do deal]
  steps:
    deal: [move top 1 of deck to hand]
phases:
  sell:
    title: The sale
    text: You may hold {hand limit}.
    do:
      - each seat: do bargain
      - end game
    steps:
      bargain:
        title: Bargaining
        text: Show a card.
        do:
          - choose up to 1 from hand into front:
              ask: Show which of {hand}?
          - if any card in front has (colour is red): add wage to coins
          - log: "{seat} has {coins}."
powers:
  red:
    text: You hold more.
    change: {hand limit: 12}
roles:
  bot:
    title: Botty
    joins: {2: optional}
    change: {hand limit: +1}
    instead of bargain: []
scoring:
  coins: {title: Purse, points: worth}
options:
  long hands:
    text: All hold {hand limit}.
    change: {hand limit: 14}
  usual pay:
    default: yes
    change: {wage: 4}
  size:
    choices:
      small: {text: Few cards.}
      large: {text: Many cards., change: {hand limit: +5}}
ranking: highest score, lowest coins
"""


@pytest.fixture(scope="module")
def market() -> Edition:
    return library.from_text(MARKET, "market.yaml").edition


def line(text: str) -> str:
    """Return the place of the first line with a text."""
    number = next(number for number, found in enumerate(MARKET.splitlines(), 1) if text in found)
    return f"market.yaml:{number}"


def explain_one(edition: Edition, name: str) -> dict[str, tuple[str, ...]]:
    [explanation] = explain(edition, name)
    return {"kind": (explanation.kind,)} | {row.label: row.lines for row in explanation.rows}


def test_a_value_is_shown_with_every_change(market: Edition) -> None:
    rows = explain_one(market, "hand limit")
    assert rows["kind"] == ("value of each seat",)
    assert rows["text"] == ("How many cards you may hold.",)
    assert rows["is"] == (
        "10",
        "12 with the power of the red",
        "11 for Botty",
        "14 with the option 'long hands'",
        "15 with 'large' of the option 'size'",
    )
    assert rows["stands in"] == (line("hand limit: {is: 10"),)
    assert rows["changed by"] == (
        f"power 'red': 12 ({line('change: {hand limit: 12}')})",
        f"role 'bot': +1 ({line('change: {hand limit: +1}')})",
        f"option 'long hands': 14 ({line('change: {hand limit: 14}')})",
        f"option 'size', choice 'large': +5 ({line('large:')})",
    )
    assert rows["used by"] == (
        f"zone 'hand' ({line('at most: hand limit')})",
        f"value 'wage' ({line('wage: hand limit')})",
        f"phase 'sell' ({line('text: You may hold {hand limit}')})",
        f"option 'long hands' ({line('All hold {hand limit}')})",
    )


@pytest.mark.parametrize(
    ("name", "label", "lines"),
    [
        ("prize", "is", ("7 with 2 seats, 9 with 3, 9 with 4",)),
        ("wage", "is", ("4", "2 without the option 'usual pay'")),
        ("worth", "is", ("coins * 2",)),
        ("worth", "used by", ("score line 'coins' (market.yaml:{points: worth})",)),
        ("herd", "kind", ("term of each seat",)),
        ("counters.coins", "called", ("coin",)),
        ("hand", "at most", ("hand limit (counting card)",)),
        ("deck", "of", ("the table",)),
        ("card", "there are", ("4: 1 red 1, 1 red 2, 1 blue 1, 1 blue 2",)),
        ("badge", "gives powers", ("in the front",)),
        ("words.red", "has", ("rank: 3",)),
        ("words.red", "used by", ("step 'bargain' (market.yaml:{colour is red})",)),
        ("powers.red", "changes", ("hand limit: 12",)),
        ("powers.red", "given by", ("badge in the front",)),
        ("value", "is", ("1 or 2",)),
        ("bargain", "kind", ("step of the phase 'The sale'",)),
        ("Bargaining", "kind", ("step of the phase 'The sale'",)),
        ("bargain", "done by", ("phase 'sell' (market.yaml:{do bargain})",)),
        ("bargain", "at this step", ("role 'bot': instead of bargain (market.yaml:{instead of bargain})",)),
        ("deal", "kind", ("step of the setup",)),
        ("sell", "text", ("You may hold 10.",)),
        ("long hands", "text", ("All hold 14.",)),
        ("size", "usually", ("small",)),
        ("size", "choices", ("small: Few cards.", "large: Many cards.")),
        ("large", "kind", ("choice of the option 'size'",)),
        ("bot", "joins", ("2 (if wanted) people",)),
        ("Purse", "points", ("worth",)),
        ("ranking", "by", ("highest score, lowest coins",)),
        ("HAND  limits", "kind", ("value of each seat",)),
        ("values.hand limit", "kind", ("value of each seat",)),
        ("values.seat.hand limit", "kind", ("value of each seat",)),
    ],
)
def test_a_name_is_explained_by_its_kind(market: Edition, name: str, label: str, lines: tuple[str, ...]) -> None:
    expected = []
    for text in lines:
        before, separator, rest = text.partition("market.yaml:{")
        expected.append(f"{before}{line(rest.removesuffix('})'))})" if separator else text)
    assert explain_one(market, name)[label] == tuple(expected)


def test_one_name_may_be_several_things(market: Edition) -> None:
    assert [found.kind for found in explain(market, "red")] == ["word of the list 'colour'", "power"]


def test_an_unknown_name_has_a_nearest(market: Edition) -> None:
    with pytest.raises(UnknownName, match=r"^Market has nothing called 'hand limti'. Did you mean 'hand limit'\?$"):
        explain(market, "hand limti")
    with pytest.raises(UnknownName, match=r"'rulewright explain market.yaml' lists the names"):
        explain(market, "xyz")
    with pytest.raises(UnknownName, match=r"Did you mean 'zones.deck'"):
        explain(market, "zones.dekc")


@pytest.mark.rotating(3)
@pytest.mark.parametrize("name", library.available())
def test_every_name_can_be_explained(name: str) -> None:
    edition = library.load(name).edition
    explainer = Explainer(edition)
    for entry in explainer.entries:
        assert any(found.path == entry.path for found in find(edition, entry.dotted, explainer.entries))
        [explain_on_island] = [found for found in explainer.explain(entry.dotted) if found.name == entry.name][:1]
        assert any(row.label == "stands in" for row in explain_on_island.rows)


@pytest.mark.rotating(3)
@pytest.mark.parametrize("name", library.available())
def test_every_use_is_underlined(name: str) -> None:
    """The place of every use underlines the name, in whichever file it stands."""
    edition = library.load(name).edition
    found_uses = uses(edition)
    files = {use.place.file for use in found_uses}
    lines = {file: Path(file).read_text(encoding="utf-8").split("\n") for file in files}
    wrong = []
    for use in found_uses:
        place = use.place
        text = lines[place.file][place.line - 1][place.column - 1 :][: place.length].strip("\"'")
        if canonical(text) != use.name and not use.name.startswith(text):
            wrong.append((use, text))
    assert len(found_uses) > 25 and not wrong


# ── what figures amount to ──


@pytest.mark.parametrize(
    "name",
    some_editions(
        "wild-cards/2022", "wildlife/2002", "classics/backgammon", "classics/hearts", "classics/hex", "classics/yacht"
    ),
)
def test_figures_have_the_value_that_they_have_in_a_game(name: str) -> None:
    """The machine computes the same at the beginning of a game."""
    rules = library.load(name)
    compared = 0
    for seats in rules.edition.seat_counts():
        table = FigureEvaluator(rules.edition, seats)
        game = Game.start(rules, [f"P{number}" for number in range(seats)], seed=1)
        for key in game.program.rules:
            # Texts of powers and options tell of figures as they are with them.
            text = text_of_rule(rules.edition, key) if key.partition(".")[0] in ("setup", "phases", "steps") else ""
            if text and all(table.expression(slot) is not None for slot in slots(text)):
                for slot in slots(text):
                    text = text.replace(f"{{{slot}}}", str(table.expression(slot)))
                    compared += 1
                assert game.rule_texts.rule(key, 0) == " ".join(text.split())
    assert compared > 3 or rules.edition.series  # small games have hardly any


def slots(text: str) -> list[str]:
    return [part.partition("}")[0] for part in text.split("{")[1:]]


def text_of_rule(edition: Edition, key: str) -> str:
    """Return a rule's text as the edition has it."""
    symbols = [entry for entry in find(edition, key) if entry.text("text")]
    text = symbols[0].text("text") if symbols else None
    return text.text if text else ""


@pytest.mark.parametrize(
    ("expression", "amount"),
    [
        ("7 / 2 rounded up", 4), ("-7 / 2 rounded down", -4), ("1 / 0 rounded up", None), ("2 * 3 - 1", 5),
        ("highest of (1, hand limit)", 10), ("lowest of (1, 3)", 1), ("number of seats", 3), ("yes", True),
        ("usual pay", True), ("long hands", False), ("number of hand", None), ("coins", None), ("3 +", None),
        ("herd", None), ("999999999 * 999999999", None),
    ],
)  # fmt: skip
def test_constant_expressions_are_evaluated(market: Edition, expression: str, amount: int | None) -> None:
    assert FigureEvaluator(market, 3).expression(expression) == amount


def test_a_circular_figure_has_no_value() -> None:
    """A checked edition has no circular figure, but explanations come before the check, too."""
    edition = library.from_text(MARKET, "market.yaml").edition
    edition.figures["wage"].body.text = "worth"
    edition.figures["worth"].body.text = "wage"
    assert FigureEvaluator(edition, 2, {"usual pay": "no"}).figure("wage") is None


ISLAND = """\
rulewright: 1
title: Island
players: 2
words:
  area: {north: {rent: [3, 1]}, south: {}}
boards:
  island:
    of: space
    neighbours: hexagonal
    map: |
      nns
      s.n
    legend: {n: {area: north}, s: {area: south}}
  lake:
    of: harbour
    spaces: {arn: {next to: [bell]}, bell: {area: south}}
pieces: {tile: {copies: 3, starts in: box}}
zones: {box: {seen by: all}, ground: {of: space, seen by: all}}
values: {area: {worth: 2}}
counters: {space: {visits: 0}}
terms: {seat: {free: spaces where ground is empty}}
phases: {play: {do: [{log: "{number of neighbours of bell} {north's worth} {a1's visits}"}, end game]}}
"""


def explain_on_island(name: str) -> tuple[str, dict[str, tuple[str, ...]]]:
    (explanation,) = explain(library.from_text(ISLAND, "island.yaml").edition, name)
    return f"{explanation.name}: {explanation.kind}", {row.label: row.lines for row in explanation.rows}


def test_boards_are_explained() -> None:
    """Boards are known by their name and by that of their spaces."""
    for name in ("island", "space", "spaces"):
        title, rows = explain_on_island(name)
        assert title == "island: board"
        assert rows["map"] == ("nns", "s.n") and rows["there are"] == ("5",) and rows["neighbours"] == ("hexagonal",)
        assert rows["used by"] == ("zone 'ground' (island.yaml:18)", "term 'free' (island.yaml:21)")


def test_spaces_are_explained() -> None:
    title, rows = explain_on_island("c2")
    assert title == "c2: space of the board 'island'"
    assert rows["has"] == ("area: north",) and rows["next to"] == ("c1",)
    title, rows = explain_on_island("bell")
    assert title == "bell: harbour of the board 'lake'"
    assert rows["next to"] == ("arn",) and len(rows["used by"]) == 2


def test_zones_and_attributes_of_words_are_explained() -> None:
    assert explain_on_island("worth")[0] == "worth: value of each area"
    assert explain_on_island("visits")[0] == "visits: counter of each space"
    assert explain_on_island("north")[1]["has"] == ("rent: 3, 1",)


# ── the command ──


@pytest.mark.rotating(2)
def test_the_command_explains(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["explain", "2022", "hand", "limit"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("hand limit – value of each seat\n  is: 10\n  stands in: ")
    assert "\n    zone 'hand' (" in out


def test_the_command_lists_the_names(capsys: pytest.CaptureFixture[str], market: Edition) -> None:
    assert cli.main(["explain", "2022"]) == 0
    out = capsys.readouterr().out
    assert "\nPower: peacock, squirrel, " in out
    assert names(market)["value"] == ["prize", "hand limit", "wage", "worth"]


def test_the_command_refuses_unknown_names(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["explain", "2022", "talismn"]) == 2
    assert (
        capsys.readouterr().err
        == "rulewright: Wild Cards 2022 has nothing called 'talismn'. Did you mean 'talisman'?\n"
    )


def test_a_counter_by_words_tells_where_each_starts() -> None:
    seat = "  seat: {coins: {starts at: 0, noun: coin}"
    rules = library.from_text(MARKET.replace(seat, f"{seat}, price: {{for: colour, starts at: {{red: 2, blue: 5}}}}"))
    assert rules.edition.initial_text(rules.edition.counters["price"]) == "red 2, blue 5"
