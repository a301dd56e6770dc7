"""`rulewright diff`: every difference between two small editions is listed by name, and nothing else."""

from __future__ import annotations

import copy
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from rulewright import cli
from rulewright.authoring.differences import TextChange, differences, text_changes
from rulewright.game import library
from rulewright.game.library import Rules

BASE = """\
rulewright: 1
title: Gardens
edition: first
players: 2 to 3
seats: 2 to 4
text: Grow things.
words:
  colour: {red: {rank: 1}, blue: {rank: 2}}
  season: {spring: {}, autumn: {}}
pieces:
  seed: {has: {colour: colour, value: 1 to 2}, copies: 3, starts in: bag, noun: "{colour} {value}"}
  badge: {each: colour, starts in: row, noun: "{colour} badge", power in: front}
  spade: {copies: 4, starts in: bag}
zones:
  bag: {seen by: nobody, pile: yes}
  row: {seen by: all}
  heap: {seen by: all, holds: seed}
  front: {of: seat, seen by: all}
  hand: {of: seat, seen by: owner, at most: hand limit, counting: seed, noun: basket}
counters:
  game: {over soon: no}
  seat: {coins: {starts at: 0, noun: coin}}
values:
  game:
    prize: {by: number of seats, 2: 5, 3: 6, 4: 7}
    opener: first 1 of seats
  seat:
    hand limit: 10
    seeds dealt: 3
    wage: hand limit - 8
terms:
  seat: {wealth: coins + wage}
setup:
  text: Everybody gets {seeds dealt} seeds.
  do: [each seat: do deal]
  steps:
    deal: [move top seeds dealt of bag to hand]
phases:
  sow:
    title: Sowing
    text: Lay a seed. The hand limit is {hand limit}. The prize is {prize}.
    do:
      - each seat: do plant
      - log: All have sown.
    steps:
      plant:
        text: Lay it in front of you.
        do:
          - choose up to 1 from hand into front:
              ask: Which?
              none: None.
  reap:
    title: Reaping
    text: Who has most gets the prize.
    do: [each seat with highest wealth: add prize to coins, end game]
powers:
  red:
    text: You may hold 12.
    change: {hand limit: 12}
  blue:
    text: You get a coin.
    may after plant if hand is not empty: {ask: "A coin?", do: [add 1 to coins]}
roles:
  mole:
    title: Molly
    text: It earns {wage}.
    joins: {2: optional}
    change: {wage: 4}
    instead of plant: []
scoring:
  coins: {text: A point for each coin., points: coins}
  seeds: {text: A point for each seed., points: number of front}
ranking: {text: The most points., by: highest score}
options:
  long hands: {text: "You may hold {hand limit}.", change: {hand limit: 15}}
  weather:
    text: How the weather is.
    choices:
      dry: {text: No rain.}
      wet: {text: Rain., change: {prize: 9}}
"""


def edited(changes: dict[str, Any]) -> dict[str, Any]:
    """Return the base's tree with other values at dotted paths; None removes one."""
    tree = copy.deepcopy(yaml.load(BASE, yaml.BaseLoader))
    for dotted, value in changes.items():
        *path, last = dotted.split(".")
        node = tree
        for key in path:
            node = node.setdefault(key, {})
        if value is None:
            del node[last]
        else:
            node[last] = value
    return dict(tree)


def edition(tree: Any) -> Rules:
    return library.from_text(yaml.safe_dump(tree, sort_keys=False, allow_unicode=True, width=1000))


@cache
def base() -> Rules:
    return edition(edited({}))


def list_text_changes(before: Rules, after: Rules) -> list[TextChange]:
    return text_changes(before.edition, after.edition)


def format_differences(before: Rules, after: Rules, language: str = "en") -> list[str]:
    """Format each difference as one line, with its section."""
    return [
        f"{section}: {found.sentence}" + f" [{found.before} | {found.after}]" * bool(found.before or found.after)
        for section, those in differences(before, after, language).items()
        for found in those
    ]


STEP = {"text": "Lay it in front of you.", "do": ["move top 1 of bag to front"]}

CASES: list[tuple[dict[str, Any], list[str]]] = [
    # players, words
    ({"players": "2 to 4"}, ["Players: Players: 2–4 instead of 2–3."]),
    ({"seats": "2 to 3", "values.game.prize": {"by": "number of seats", "2": "5", "3": "6"}},
     ["Players: Seats at the table: 2–3 instead of 2–4."]),
    ({"words.season.winter": {}}, ["Components: Season: winter is new."]),
    ({"words.season": None}, ["Components: Gone: Season (spring and autumn)."]),
    ({"words.mood": {"glad": {}}}, ["Components: New: Mood (glad)."]),
    ({"words.season.spring": None}, ["Components: Season: spring is gone."]),
    ({"words.colour.red.rank": "7"}, ["Components: Red, rank: 7 instead of 1."]),
    ({"words.season.spring": {"noun": "may"}}, ["Components: New name: may instead of spring."]),
    ({"words.colour.green": {"rank": "3"}},
     ["Components: Colour: green (rank: 3) is new.",
      "Components: Seeds: 18 instead of 12. [ | 3 green 1s and 3 green 2s]",
      "Components: Badges: 3 instead of 2. [ | 1 green badge]"]),
    # pieces
    ({"pieces.spade": None}, ["Components: Gone: 4 spades."]),
    ({"pieces.spade.copies": "5"}, ["Components: Spades: 5 instead of 4."]),
    ({"pieces.seed.copies": "4"}, ["Components: Seeds, of each sort: 4 instead of 3."]),
    ({"pieces.seed.copies": {"red": "3", "blue": ["3", "0"]}},
     ["Components: Seeds: 9 instead of 12. [3 blue 2s | ]"]),
    ({"pieces.seed.copies": ["3", "2"]},
     ["Components: Seeds: 10 instead of 12. [3 red 2s and 3 blue 2s | 2 red 2s and 2 blue 2s]"]),
    ({"pieces.stone": {"starts in": "row"}}, ["Components: New: 1 stone."]),
    ({"pieces.spade.starts in": "row"}, ["Components: Spades, place at the beginning: row instead of bag."]),
    ({"pieces.spade.noun": "shovel"}, ["Components: New name: shovel instead of spade."]),
    # zones, counters
    ({"zones.heap": None}, ["Components: Gone: Heap."]),
    ({"zones.pond": {"of": "seat", "seen by": "all"}}, ["Components: New: Pond (for each seat, seen by all)."]),
    ({"zones.hand.seen by": "all"}, ["Components: Basket: seen by all instead of seen by its owner."]),
    ({"zones.hand.at most": "4"}, ["Components: Basket, at most: 4 instead of hand limit."]),
    ({"zones.hand.noun": "bowl"}, ["Components: New name: bowl instead of basket."]),
    ({"zones.heap.holds": ["seed", "badge"]}, ["Components: Heap, for: seeds or badges instead of seeds."]),
    ({"counters.seat.coins.starts at": "2"}, ["Components: Coin, at the beginning: 2 instead of 0."]),
    ({"counters.seat.stars": "0"}, ["Components: New: Stars (for each seat)."]),
    ({"counters.seat.marks": {"starts at": "0", "shown": "no"}}, []),
    ({"counters.game.over soon": None}, []),
    # figures
    ({"values.seat.hand limit": "12"},
     ["Set-up and figures: Hand limit: 12 instead of 10.", "Set-up and figures: Wage: 4 instead of 2."]),
    ({"values.seat.seeds dealt": "4"}, ["Set-up and figures: Seeds dealt: 4 instead of 3."]),
    ({"values.game.prize": {"by": "number of seats", "2": "5", "3": "8", "4": "9"}},
     ["Set-up and figures: Prize with 3 seats: 8 instead of 6.",
      "Set-up and figures: Prize with 4 seats: 9 instead of 7."]),
    ({"values.game.prize": "number of seats + 3"}, []),
    ({"values.game.opener": "last 1 of seats"},
     ["Set-up and figures: Changed: Opener. [first 1 of seats | last 1 of seats]"]),
    ({"values.game.bait": "2"}, ["Set-up and figures: New: Bait (2)."]),
    ({"values.game.opener": None}, []),
    ({"terms.seat.wealth": "coins * 2"},
     ["Set-up and figures: Changed: Wealth. [coins + wage | coins * 2]"]),
    # set-up, phases, steps
    ({"setup": None}, ["Set-up and figures: Gone: Set-up. [Everybody gets 3 seeds. | ]"]),
    ({"setup.steps.deal": ["move bottom seeds dealt of bag to hand"]},
     ["Set-up and figures: Changed: Deal. "
      "[move top seeds dealt of bag to hand | move bottom seeds dealt of bag to hand]"]),
    ({"phases.water": {"text": "All get wet.", "do": []}},
     ["Phases and steps: A round has 3 phases instead of 2: Sowing, Reaping and Water.",
      "Phases and steps: New: Water. [ | All get wet.]"]),
    ({"round": ["reap", "sow"]},
     ["Phases and steps: The phases come in another order: Reaping and Sowing."]),
    ({"round": ["sow"]},
     ["Phases and steps: A round has 1 phase instead of 2: Sowing.",
      "Phases and steps: 'Reaping' is no longer a phase of its own."]),
    ({"phases.reap.title": "Harvest"},
     ["Phases and steps: New name: Harvest instead of Reaping."]),
    ({"phases.reap.text": "The richest gets the prize."},
     ["Phases and steps: Reworded: Reaping. [Who has most gets the prize. | The richest gets the prize.]"]),
    ({"phases.sow.text": "Lay a seed. The hand limit is {hand limit}. No more."},
     ["Phases and steps: Reworded: Sowing. [… The prize is 5, 6 or 7. | … No more.]"]),
    ({"phases.sow.text": "Lay a seed. The hand limit is 10. The prize is {prize}."}, []),
    ({"phases.sow.do": [{"each seat": "do plant"}, {"log": "Done."}]}, []),
    ({"phases.sow.steps.plant.do": ["choose up to 1 from hand into front"]}, []),
    ({"phases.sow.steps.plant": STEP},
     ["Phases and steps: Changed: Plant. [choose up to 1 from hand into front | move top 1 of bag to front]"]),
    ({"phases.sow.steps.plant": {**STEP, "text": "It comes from the bag."}},
     ["Phases and steps: Changed: Plant. [Lay it in front of you. | It comes from the bag.]"]),
    ({"phases.sow.steps.rake": {"text": "Tidy up.", "do": []}},
     ["Phases and steps: New: Rake. [ | Tidy up.]"]),
    ({"phases.sow.steps.rake": []}, []),
    # powers, roles, options, scoring
    ({"powers.red": None}, ["Powers: Gone: Red. [You may hold 12. | ]"]),
    ({"powers.red.text": "You may hold many."},
     ["Powers: Reworded: Red. [You may hold 12. | You may hold many.]"]),
    ({"powers.red.change.hand limit": "13"},
     ["Powers: Changed: Red. [hand limit: 12 | hand limit: 13]"]),
    ({"powers.blue.may after plant if hand is not empty": None, "powers.blue.change": {"wage": "+1"}},
     ["Powers: Changed: Blue. [may after plant if hand is not empty: add 1 to coins | wage +1]"]),
    ({"roles.mole": None}, ["Virtual players: Gone: Molly. [It earns 4. | ]"]),
    ({"roles.mole.joins": {"2": "required", "3": "optional"}},
     ["Virtual players: Molly, with so many people: 2 (always) or 3 instead of 2."]),
    ({"roles.mole.scored": "no"}, ["Virtual players: Molly is no longer scored."]),
    ({"roles.mole.scored": "yes"}, []),
    ({"options.long hands": None}, ["Options: Gone: Long hands. [You may hold 15. | ]"]),
    ({"options.long hands.default": "yes"},
     ["Set-up and figures: Hand limit: 15 instead of 10.",
      "Set-up and figures: Wage: 7 instead of 2.",
      "Options: Long hands, usually: yes instead of no."]),
    ({"options.weather.choices.hot": {"text": "Sun."}},
     ["Options: Weather: hot is new."]),
    ({"options.weather.choices.wet.text": "Much rain."},
     ["Options: Reworded: Weather, wet. [Rain. | Much rain.]"]),
    ({"options.fast": {"text": "Be quick."}}, ["Options: New: Fast (usually no). [ | Be quick.]"]),
    ({"scoring.coins": None}, ["Scoring: Gone: Coins. [A point for each coin. | ]"]),
    ({"scoring.coins.points": "coins * 2"},
     ["Scoring: Changed: Coins. [coins | coins * 2]"]),
    ({"ranking": {"text": "The fewest points.", "by": "lowest score"}},
     ["Scoring: Changed: Ranking. [The most points. | The fewest points.]"]),
    ({"title": "Parks", "edition": "second", "text": "Grow."}, []),
]  # fmt: skip


@pytest.mark.parametrize(("changes", "expected"), CASES, ids=[", ".join(changes) for changes, _ in CASES])
def test_differences_are_listed(changes: dict[str, Any], expected: list[str]) -> None:
    after = edition(edited(changes))
    assert format_differences(base(), after) == expected
    if expected:
        assert format_differences(after, base()) != expected
        assert list_text_changes(base(), after)


BOARDS: dict[str, Any] = {
    "boards": {
        "garden": {"of": "plot", "map": "rrb\nb.b", "legend": {"r": {"colour": "red"}, "b": {"colour": "blue"}}},
        "lake": {"of": "harbour", "spaces": {"arn": {"next to": "bell"}, "bell": {}, "corm": {}}},
    },
    "words.season.spring": {"yield": ["1", "2"]},
}

BOARD_CASES: list[tuple[dict[str, Any], list[str]]] = [
    ({"boards.garden": None}, ["Components: Gone: Garden (5 spaces)."]),
    ({"boards.pond": {"of": "spot", "spaces": {"deep": {}}}}, ["Components: New: Pond (1 space)."]),
    ({"boards.garden.map": "rbb\nb."},
     ["Components: Garden: c2 is gone.", "Components: B1, colour: blue instead of red."]),
    ({"boards.garden.map": "rrb\nrbr"},
     ["Components: Garden: b2 is new.", "Components: A2 and c2, colour: red instead of blue."]),
    ({"boards.garden.neighbours": "hexagonal"},
     ["Components: B1, next to: a1, c1 and a2 instead of a1 and c1.",
      "Components: A2, next to: a1 and b1 instead of a1."]),
    ({"boards.lake.spaces.corm": {"next to": ["arn", "bell"]}},
     ["Components: Arn, next to: bell and corm instead of bell.",
      "Components: Bell, next to: arn and corm instead of arn.",
      "Components: Corm, next to: arn and bell instead of nothing."]),
    ({"words.season.spring": {"yield": ["1", "3"]}}, ["Components: Spring, yield for 2: 3 instead of 2."]),
]  # fmt: skip


@pytest.mark.parametrize(("changes", "expected"), BOARD_CASES, ids=[", ".join(changes) for changes, _ in BOARD_CASES])
def test_differences_of_boards_and_tables_are_listed(changes: dict[str, Any], expected: list[str]) -> None:
    before, after = edition(edited(copy.deepcopy(BOARDS))), edition(edited(copy.deepcopy(BOARDS) | changes))
    assert format_differences(before, after) == expected
    assert format_differences(after, before) and list_text_changes(before, after)


# ── what is no difference ──


def reverse_names(node: Any) -> Any:
    """Return a tree with its names in reverse order, but for lists, phases, score lines and choices."""
    if not isinstance(node, dict):
        return node
    is_rule = any(pair <= node.keys() for pair in ({"sow", "reap"}, {"coins", "seeds"}, {"dry", "wet"}))
    keys = list(node) if is_rule else list(node)[::-1]
    return {key: reverse_names(node[key]) for key in keys}


SPELLED: list[dict[str, Any]] = [
    {"values.seat.hand limit": {"is": "10"}},
    {"counters.game.over soon": {"starts at": "no"}},
    {"phases.sow.steps.plant.text": "Lay   it in front\nof you."},
    {"setup.steps.deal": {"do": "move top seeds dealt of bag to hand"}},
    {"zones.heap.pile": "no"},
    {"roles.mole.scored": "yes"},
    {"zones.heap.holds": ["seed"]},
    {"ranking": {"by": "highest score", "text": "The most points."}},
]


def test_order_is_no_difference() -> None:
    assert not format_differences(base(), edition(reverse_names(edited({})))) and not list_text_changes(
        base(), edition(reverse_names(edited({})))
    )


@pytest.mark.parametrize("changes", SPELLED, ids=[next(iter(changes)) for changes in SPELLED])
def test_spelling_is_no_difference(changes: dict[str, Any]) -> None:
    after = edition(edited(changes))
    assert format_differences(base(), after) == []
    assert list_text_changes(base(), after) == []


@pytest.mark.rotating(3)
@pytest.mark.parametrize("name", library.available())
def test_an_edition_does_not_differ_from_itself(name: str) -> None:
    rules = library.load(name)
    assert not differences(rules, rules) and not list_text_changes(rules, rules)


# ── by dotted names ──


@pytest.mark.parametrize(
    ("changes", "name", "before", "after"),
    [
        ({"values.seat.hand limit": "12"}, "values.seat.hand limit", "10", "12"),
        ({"title": "Parks"}, "title", "Gardens", "Parks"),
        ({"zones.hand.at most": None}, "zones.hand.at most", "hand limit", ""),
        ({"words.season.winter": {}}, "words.season.winter", "", "nothing"),
        ({"zones.pond": {"seen by": "all"}}, "zones.pond", "", "there"),
        ({"roles": None}, "roles.mole", "there", ""),
        ({"phases.sow.steps.plant.do": []}, "phases.sow.steps.plant",
         "choose up to 1 from hand into front:\n  ask: Which?\n  none: None.", "nothing"),
        ({"phases.sow.do": [{"each seat": ["do plant"]}]}, "phases.sow.do",
         "each seat: do plant\nlog: All have sown.", "each seat:\n  do plant"),
        ({"options.weather.choices.wet.change.prize": "8"}, "options.weather.choices.wet.change.prize", "9", "8"),
    ],
)  # fmt: skip
def test_names_are_dotted(changes: dict[str, Any], name: str, before: str, after: str) -> None:
    [change] = list_text_changes(base(), edition(edited(changes)))
    assert (change.name, "\n".join(change.before), "\n".join(change.after)) == (name, before, after)


def test_orders_that_are_rules_are_compared() -> None:
    tree = edited({})
    tree["scoring"] = dict(list(tree["scoring"].items())[::-1])
    [change] = list_text_changes(base(), edition(tree))
    assert change.name == "scoring (order)" and change.after == ("seeds", "coins")
    assert format_differences(base(), edition(tree)) == [
        "Scoring: The score lines come in another order: Seeds and Coins."
    ]


def test_the_first_choice_is_the_default() -> None:
    tree = edited({})
    choices = tree["options"]["weather"]["choices"]
    tree["options"]["weather"]["choices"] = dict(list(choices.items())[::-1])
    assert "Options: Weather, usually: wet instead of dry." in format_differences(base(), edition(tree))
    assert [found.name for found in list_text_changes(base(), edition(tree))] == ["options.weather.choices (order)"]


# ── the command ──


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, changes in (
        ("a", {}),
        ("b", {"values.seat.hand limit": "12", "edition": "second"}),
        ("c", {"text": "x"}),
    ):
        text = yaml.safe_dump(edited(changes), sort_keys=False)
        (tmp_path / f"{name}.yaml").write_text(text, encoding="utf-8")
    return tmp_path


def test_the_command_describes_differences_to_players(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["diff", "a.yaml", "b.yaml"]) == 0
    assert capsys.readouterr().out == (
        "Set-up and figures\n- Hand limit: 12 instead of 10.\n- Wage: 4 instead of 2.\n\n"
    )
    assert cli.main(["diff", "a.yaml", "b.yaml", "--technical", "--exit-code"]) == 1
    assert capsys.readouterr().out.endswith("\nBy name\nedition: first → second\nvalues.seat.hand limit: 10 → 12\n")


def test_the_command_says_when_nothing_differs(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["diff", "a.yaml", "./a.yaml", "--exit-code"]) == 0
    assert capsys.readouterr().out == "a.yaml and ./a.yaml: no difference.\n"
    assert cli.main(["diff", "a.yaml", "c.yaml", "--exit-code"]) == 1
    assert capsys.readouterr().out.startswith("Nothing is played differently.")


def test_the_command_shows_both_texts(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tree = edited({"edition": "second", "powers.red.text": "You may hold many."})
    (files / "d.yaml").write_text(yaml.safe_dump(tree, sort_keys=False), encoding="utf-8")
    cli.main(["diff", "a.yaml", "d.yaml"])
    assert "    first: You may hold 12.\n    second: You may hold many.\n" in capsys.readouterr().out


def test_the_command_refuses_what_is_no_edition(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["diff", "a.yaml", "nowhere.yaml"]) == 2
    (files / "bad.yaml").write_text("rulewright: 1\n", encoding="utf-8")
    assert cli.main(["diff", "a.yaml", "bad.yaml", "--exit-code"]) == 2
    assert "Traceback" not in capsys.readouterr().err


# ── the editions of Wild Cards ──


def test_differences_between_2022_and_2020() -> None:
    sections = differences(library.load("wild-cards/2022"), library.load("wild-cards/2020"))
    sentences = {section: [difference.sentence for difference in those] for section, those in sections.items()}
    assert sentences["Players"] == ["Players: 3–5 instead of 2–5."]
    assert sentences["Components"][0] == "Gone: 1 Talisman."
    assert sentences["Phases and steps"][0].startswith("A round has 3 phases instead of 4: ")
    assert {
        "Changed: Still tied.",
        "Reworded: Acquire animals.",
        "Changed: Prepare the next round.",
    } <= set(sentences["Phases and steps"])
    assert "Powers" not in sentences
    assert "Scoring" not in sentences
    assert sentences["Virtual players"] == ["Gone: Leo."]
    assert "New: Payment is lost (usually no)." in sentences["Options"]
    figures = " ".join(sentences["Set-up and figures"])
    assert "Hand limit" not in figures and "Cards dealt" not in figures and "Animals removed" not in figures


# ── in other languages ──


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("de", [
            ("Personen", "Personen: 3–5 statt 2–5.", ""),
            ("Spielmaterial", "Neu: Stechkarte (je Platz, für alle sichtbar).", ""),
            ("Phasen und Schritte", "„Tiere erwerben“ ist keine eigene Phase mehr.", ""),
            ("Phasen und Schritte", "Anders formuliert: Tiere erwerben.", "Jetzt sind alle dran"),
            ("Phasen und Schritte", "Geändert: Nächste Runde vorbereiten.", "if talisman used"),
            ("Optionen", "Neu: Bezahlung ist verloren (normalerweise nein).", ""),
        ]),
        ("it", [
            ("Componenti", "Rimozione: 1 Talismano.", ""),
            ("Fasi e passi", "Modifica: Ancora in parità.", "Se anche i totali"),
            ("Giocatori virtuali", "Rimozione: Leo.", "Chiunque"),
        ]),
    ],
)  # fmt: skip
def test_differences_are_translated(language: str, expected: list[tuple[str, str, str]]) -> None:
    """Names and texts of both editions are in the language; sentences of rules stay as they are."""
    sections = differences(library.load("wild-cards/2022"), library.load("wild-cards/2020"), language)
    before = {(section, one.sentence): one.before for section, those in sections.items() for one in those}
    for section, sentence, text in expected:
        assert before[section, sentence].startswith(text)


def test_a_variant_may_have_its_own_catalog(tmp_path: Path) -> None:
    base = tmp_path / "garden.yaml"
    base.write_text(yaml.safe_dump(edited({}), sort_keys=False), encoding="utf-8")
    variant = "rulewright: 1\nextends: garden.yaml\ntitle: Park\nzones: {pond: {of: seat, seen by: owner}}\n"
    variant += "change: {phases: {reap: {text: 'The richest gets {prize} [coin|coins].'}}}\n"
    (tmp_path / "park.yaml").write_text(variant, encoding="utf-8")
    (tmp_path / "park.nl.po").write_text(
        'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\n"\n\n'
        'msgctxt "zones.pond"\nmsgid "pond"\nmsgstr "vijver [c]"\n\n'
        'msgctxt "phases.reap.text"\nmsgid "The richest gets {prize} [coin|coins]."\n'
        'msgstr "De rijkste krijgt {prize} [munt|munten]."\n',
        encoding="utf-8",
    )
    garden, park = (library.load(str(tmp_path / name)) for name in ("garden.yaml", "park.yaml"))
    assert format_differences(garden, park, "nl") == [
        "Spelmateriaal: Nieuw: Vijver (per plaats, alleen voor de eigenaar zichtbaar).",
        "Fasen en stappen: Anders verwoord: Reaping. "
        "[Who has most gets the prize. | De rijkste krijgt 5, 6 of 7 munten.]",
    ]


def test_the_command_speaks_other_languages(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cli.main(["diff", "a.yaml", "b.yaml", "--technical", "--lang", "nl"])
    assert capsys.readouterr().out == (
        "Voorbereiding en waarden\n- Hand limit: 12 in plaats van 10.\n- Wage: 4 in plaats van 2.\n\n"
        "Op naam\nedition: first → second\nvalues.seat.hand limit: 10 → 12\n"
    )
    cli.main(["diff", "a.yaml", "./a.yaml", "--lang", "de"])
    assert capsys.readouterr().out == "a.yaml und ./a.yaml: kein Unterschied.\n"
