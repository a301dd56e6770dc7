"""Variants: editions that extend others, and change sets that conflict."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from call_limit import patience
from rulewright.base.diagnostics import EditionError, Report
from rulewright.game import library
from rulewright.game.game import Game
from rulewright.model.reader import read

BASE = """\
rulewright: 1
title: Base
players: 2
text: About it.
words:
  colour: {red: {rank: 1}, blue: {rank: 2}}
pieces:
  card: {each: colour, copies: 4, starts in: deck, power in: front, noun: "{colour} card"}
zones:
  deck: {seen by: nobody, pile: yes}
  hand: {of: seat, seen by: owner, at most: hand limit}
  front: {of: seat, seen by: all}
values:
  seat: {hand limit: 3, wage: {by: number of seats, 2: 5, 3: 4}}
counters:
  seat: {gold: 0}
setup:
  do:
    - each seat: do deal
  steps:
    deal: move top 2 of deck to hand
phases:
  earn:
    do:
      - each seat: do pay
    steps:
      pay: add wage to gold
  finish: {do: end game}
powers:
  red: {text: More., change: {wage: +1}}
scoring:
  gold: {points: gold}
options:
  rich: {text: Richer., change: {wage: 9}}
"""

HEAD = "rulewright: 1\nextends: base.yaml\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "base.yaml").write_text(BASE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def loaded(text: str, name: str = "variant.yaml") -> library.Rules:
    Path(name).parent.mkdir(exist_ok=True)
    Path(name).write_text(text, encoding="utf-8")
    return library.load(name)


def errors(text: str, name: str = "variant.yaml") -> list[str]:
    with pytest.raises(EditionError) as raised:
        loaded(text, name)
    return [f"{e.place.file}:{e.place.line} {e.code}: {e.message} {e.hint}".strip() for e in raised.value.report.errors]


def gold(rules: library.Rules, seats: int = 2, **options: str) -> list[float]:
    game = Game.start(rules, ["Ada", "Ben", "Cora"][:seats], options=options, seed=1)
    assert game.over
    return sorted(standing.total for standing in game.standings())


def test_an_empty_variant_equals_its_base() -> None:
    rules = loaded(HEAD)
    assert rules.hash == library.load("base.yaml").hash
    assert rules.edition.bases == ("base.yaml",) and gold(rules) == [5, 5]


def test_the_header_replaces_that_of_the_base() -> None:
    edition = loaded(HEAD + "title: Other\nplayers: 2 to 3\nround: [finish, earn]\n").edition
    assert (edition.title, edition.people, edition.seats) == ("Other", (2, 3), (2, 3))
    assert [phase.name for phase in edition.phases] == ["finish", "earn"]
    assert edition.text is not None and edition.text.text == "About it."


def test_changes_merge_by_name() -> None:
    rules = loaded(
        HEAD + "players: 2 to 3\nchange: {values: {seat: {wage: {3: 40}}}, powers: {red: {text: Much more.}}}\n"
    )
    assert gold(rules) == [5, 5] and gold(rules, 3) == [40, 40, 40]
    (red,) = (changes for changes in rules.edition.change_sets if changes.name == "red")
    assert red.text is not None and red.text.text == "Much more." and red.changes["wage"][0] == "add"


@pytest.mark.parametrize("wage", ["7", "{by: number of seats, 2: 7}", "gold + 7"])
def test_a_changed_value_may_have_another_form(wage: str) -> None:
    assert gold(loaded(f"{HEAD}change:\n  values:\n    seat:\n      wage: {wage}\n")) == [7, 7]


NEWS = """\
words: {colour: {green: {rank: 3}}}
counters: {game: {pot: 4}}
powers: {green: {change: {wage: +2}}}
phases: {earn: {steps: {steal: add pot to gold}}}
change:
  phases:
    earn:
      do:
        - each seat: do pay
        - each seat: do steal
"""


def test_new_declarations_are_added() -> None:
    rules = loaded(HEAD + NEWS)
    assert gold(rules) == [9, 9]
    assert [word.name for word in rules.edition.words["colour"].words] == ["red", "blue", "green"]


def test_removed_declarations_are_gone() -> None:
    rules = loaded(HEAD + "remove: [options.rich, powers, setup.steps.deal]\nchange: {setup: {do: shuffle deck}}\n")
    assert not rules.edition.options and not rules.edition.change_sets
    assert list(rules.edition.steps) == ["pay"]


def test_a_removed_declaration_can_be_declared_again() -> None:
    rules = loaded(HEAD + "remove: [options.rich]\noptions: {rich: {text: Poorer., change: {wage: 1}}}\n")
    assert gold(rules, rich="yes") == [1, 1]


def test_nested_declarations_are_removed_too() -> None:
    (error, *_) = errors(HEAD + "remove: [words.colour.red]\n")
    assert error.endswith("It is removed in variant.yaml, line 3.")


def test_a_phase_that_a_variant_leaves_out_may_have_any_name() -> None:
    Path("base.yaml").write_text(
        BASE.replace("  finish: {do: end game}", "  next to last: {do: end game}"), encoding="utf-8"
    )
    assert [phase.name for phase in loaded(HEAD + "round: [earn]\n").edition.phases] == ["earn"]


def test_variant_of_a_variant() -> None:
    Path("middle").mkdir()
    Path("middle/one.yaml").write_text(
        "rulewright: 1\nextends: ../base.yaml\nchange: {values: {seat: {wage: 6, hand limit: 4}}}\n", encoding="utf-8"
    )
    rules = loaded("rulewright: 1\nextends: middle/one.yaml\nchange: {values: {seat: {wage: 8}}}\n")
    assert gold(rules) == [8, 8] and rules.edition.bases == ("middle/one.yaml", "../base.yaml")


@pytest.mark.rotating(2)
def test_a_shipped_edition_can_be_extended_by_its_name() -> None:
    name = next(iter(library.available()))
    assert loaded(f"rulewright: 1\nextends: {name}\ntitle: Mine\n").edition.title == "Mine"


NOTHING = "nothing-to-change: There is no"
MISFITS = {
    "change: {values: {seat: {hand limt: 4}}}": f"{NOTHING} 'values.seat.hand limt' in base.yaml. Did you mean 'hand l",
    "change: {power: {}}": "unknown-key: 'power' is not known here. Did you mean 'powers'?",
    "change: {powers: {green: {text: x}}}": f"{NOTHING} 'powers.green' in base.yaml. What is new stands outside 'chang",
    "counters: {seat: {gold: 1}}": "already-there: 'counters.seat.gold' stands in base.yaml already. What is to be d",
    "remove: [powers.rod]": f"{NOTHING} 'powers.rod' in base.yaml. Did you mean 'red'?",
    "remove: [title.x]": f"{NOTHING} 'title.x' in base.yaml.",
    "remove: [powers.red, powers.red]": "nothing-to-change: 'powers.red' is removed already, in line 3.",
    "change: {values: {seat: {hand limit: +2}}}": "signed: Does 'hand limit' become '+2', or is that added? Here noth",
    "remove: powers": "wrong-value: Expected a list of names, parts joined by points, as in options.long hands, not",
    "change: {values: {seat: hand limit 12}}": "missing-colon: A colon, with a space behind it, is missing between",
    "chnage: {}": "unknown-key: 'chnage' is not known here. Did you mean 'change'?",
    "round: [earn, finsh]": "unknown-name: There is no phase called 'finsh'. Did you mean 'finish'?",
    "round: [earn, earn]": "name-twice: 'earn' is played already in this round.",
}


@pytest.mark.parametrize(("text", "message"), MISFITS.items())
def test_mistakes_of_a_variant_are_reported_there(text: str, message: str) -> None:
    messages = errors(HEAD + text + "\n")
    assert [error for error in messages if error.startswith(f"variant.yaml:3 {message}")], messages


def test_uses_of_removed_names_are_reported_where_they_stand() -> None:
    messages = errors(HEAD + "remove: [values.seat.wage]\n")
    assert [error.partition(" ")[0] for error in messages] == ["base.yaml:27", "base.yaml:30", "base.yaml:34"]
    assert all(error.endswith("It is removed in variant.yaml, line 3.") for error in messages)
    assert errors(HEAD + "change: {values: {seat: {wage: gol}}}\n")[0].startswith("variant.yaml:3 unknown-name")


def test_a_changed_base_changes_the_rules() -> None:
    game = Game.start(loaded(HEAD), ["Ada", "Ben"], seed=1)
    Path("base.yaml").write_text(BASE.replace("2: 5", "2: 6"), encoding="utf-8")
    again = Game.load(game.save(), library.load("variant.yaml"))
    assert again.rules_changed and again.names == game.names, "it goes on by the rules that it carries"
    Path("base.yaml").write_text(BASE.replace("hand limit", "hand size"), encoding="utf-8")
    (error,) = errors(HEAD + "change: {values: {seat: {hand limit: 4}}}\n")
    assert "There is no 'values.seat.hand limit' in base.yaml." in error


def test_errors_of_a_base_are_reported() -> None:
    Path("base.yaml").write_text(BASE.replace("players:", "plyers:"), encoding="utf-8")
    assert errors(HEAD)[0].startswith("base.yaml:3 unknown-key: 'plyers' is not known here.")


@pytest.mark.parametrize(
    ("base", "message"),
    [
        ("nowhere.yaml", "no-file: There is no file 'nowhere.yaml' beside this one."),
        ("/etc/base.yaml", "bad-path: An edition is extended by its name, or by a path"),
        ("a\\\\base.yaml", "bad-path: An edition is extended by its name, or by a path"),
        ("wild-crads/2022", "unknown-edition: There is no edition 'wild-crads/2022'."),
        ("/etc/passwd", "unknown-edition: There is no edition '/etc/passwd'."),
        ("variant.yaml", "endless-extends: This extends 'variant.yaml', which in the end extends this."),
        ("[a]", "wrong-shape"),
    ],
)
def test_an_impossible_base_is_refused(base: str, message: str) -> None:
    (error,) = errors(f"rulewright: 1\nextends: {base}\n")
    assert error.startswith(f"variant.yaml:2 {message}"), error


def test_long_chain_is_refused() -> None:
    for number in range(1, 15):
        base = f"v{number - 1}.yaml" if number > 1 else "base.yaml"
        Path(f"v{number}.yaml").write_text(f"rulewright: 1\nextends: {base}\n", encoding="utf-8")
    assert "endless-extends" in errors("rulewright: 1\nextends: v14.yaml\n")[0]


def test_aliases_of_the_base_stay_apart() -> None:
    """Two lists that are aliases in the file are changed one at a time."""
    text = BASE.replace("  colour: {", "  metal: &list {").replace(
        "blue: {rank: 2}}", "blue: {rank: 2}}\n  colour: *list"
    )
    Path("base.yaml").write_text(text, encoding="utf-8")
    rules = loaded(HEAD + "change: {words: {colour: {red: {rank: 7}}}}\n")
    assert [rules.edition.words[name].words[0].attributes["rank"] for name in ("metal", "colour")] == [1, 7]


# ── change sets that contradict each other ──


def conflicting(powers: str) -> Any:
    return HEAD + "powers: {" + powers + "}\n"


@pytest.mark.parametrize(
    "powers",
    [
        "blue: {change: {hand limit: 4}}",
        "blue: {change: {wage: 4}}",  # one adds, one sets
        "blue: {instead of pay: add 3 to gold}",
    ],
)
def test_compatible_powers_are_accepted(powers: str) -> None:
    loaded(conflicting(powers))


RED = "change: {powers: {red: {change: {wage: 7}}}}\n"


def test_two_powers_that_set_one_value_conflict() -> None:
    (error,) = errors(conflicting("blue: {change: {wage: 4}}") + RED)
    assert error == (
        "variant.yaml:3 conflict: 'wage' is set here and by the power 'red' (variant.yaml:4); a seat can have both. "
        "Say which counts: 'overrules: red' in 'blue', or the other way round."
    )


@pytest.mark.parametrize("powers", ["blue: {change: {wage: 7}}", "blue: {overrules: red, change: {wage: 4}}"])
def test_powers_that_agree_or_are_ordered_do_not_conflict(powers: str) -> None:
    loaded(conflicting(powers) + RED)


def test_an_earlier_power_can_overrule_a_later_one() -> None:
    text = HEAD + "remove: [powers]\npowers: {red: {overrules: [blue], change: {wage: 7}}, blue: {change: {wage: 4}}}\n"
    assert [changes.name for changes in loaded(text).edition.change_sets] == ["blue", "red", "rich"]


@pytest.mark.parametrize("order", ["ash elm yew", "elm ash yew", "elm yew ash", "yew elm ash"])
def test_overruling_one_of_two_equal_options_leaves_the_other_conflict(order: str) -> None:
    powers = {"ash": "{change: {wage: 4}}", "elm": "{change: {wage: 4}}", "yew": "{overrules: ash, change: {wage: 7}}"}
    options = ", ".join(f"{name}: {powers[name].replace('wage', 'hand limit')}" for name in order.split())
    (error,) = errors(f"{HEAD}options: {{{options}}}\n")
    assert "'hand limit' is set here and by the option" in error
    assert "elm" in error and "yew" in error and "ash" not in error


def test_two_powers_that_replace_one_step_conflict() -> None:
    text = HEAD + "remove: [powers]\npowers: {red: {instead of pay: []}, blue: {instead of pay: []}}\n"
    (error,) = errors(text)
    assert "conflict: This stands instead of 'pay', and so does the power 'red' (variant.yaml:4)" in error


def test_two_options_that_set_one_value_conflict() -> None:
    (error,) = errors(HEAD + "options: {poor: {change: {wage: 1}}}\n")
    assert "'wage' is set here and by the option 'rich' (base.yaml:" in error and "both can be chosen" in error
    choices = "{poor: {text: a, change: {hand limit: 1}}, fair: {text: b, change: {hand limit: 2}}}"
    loaded(f"{HEAD}options: {{state: {{choices: {choices}}}}}\n")


@pytest.mark.parametrize(
    ("powers", "code"),
    [(f"blue: {{overrules: {name}}}", "unknown-name") for name in ("rd", "blue", "blu")],
)
def test_overruling_an_unknown_power_is_refused(powers: str, code: str) -> None:
    (error,) = errors(conflicting(powers))
    assert f"variant.yaml:3 {code}: There is no other power called" in error
    assert error.endswith("Did you mean 'red'?") == ("Did you mean" in error) == ("rd" in powers), "not itself"


def test_overruling_in_a_circle_is_refused() -> None:
    text = HEAD + "powers: {blue: {overrules: red}}\nchange: {powers: {red: {overrules: blue}}}\n"
    assert "variant.yaml:4 circular: These overrule each other: " in errors(text)[0]
    circle = "options:\n  ash: {}\n  elm: {overrules: oak}\n  oak: {overrules: elm}\n  yew: {}\n"
    assert re.match(r"variant.yaml:[56] circular: ", errors(HEAD + circle)[0])


@pytest.mark.parametrize("change", ["change: {wage: N}", "instead of pay: [add N to gold]"])
def test_roles_do_not_conflict(change: str) -> None:
    """A seat has one role at most."""
    roles = ", ".join(f"{name}: {{{change.replace('N', str(n))}}}" for n, name in enumerate(["ant", "bee"]))
    loaded(f"{HEAD}roles: {{{roles}}}\n")


def test_overruling_is_transitive() -> None:
    options = "high: {overrules: middle, change: {wage: 7}}, middle: {overrules: low}, low: {change: {wage: 4}}"
    loaded(f"{HEAD}remove: [options]\noptions: {{{options}}}\n")
    (error,) = errors(f"{HEAD}remove: [options]\noptions: {{{options.replace('{overrules: low}', '{}')}}}\n")
    assert "variant.yaml:4 conflict: 'wage'" in error


def test_every_choice_of_an_option_is_compared_with_other_options() -> None:
    """Other choices that agree do not hide a conflict."""
    choices = "{poor: {text: a, change: {wage: 9}}, fair: {text: b, change: {wage: 2}}}"
    messages = errors(f"{HEAD}options:\n  state: {{choices: {choices}}}\n  thrift: {{change: {{wage: 2}}}}\n")
    conflicts = [text.split(";")[0] for text in messages]
    assert conflicts == [
        "variant.yaml:4 conflict: 'wage' is set here and by the option 'rich' (base.yaml:34)",
        "variant.yaml:5 conflict: 'wage' is set here and by the option 'rich' (base.yaml:34)",
    ]
    messages = errors(
        f"{HEAD}remove: [options]\noptions:\n  state: {{choices: {choices}}}\n  thrift: {{change: {{wage: 9}}}}\n"
    )
    conflicts = [text.split(";")[0] for text in messages]
    assert conflicts == ["variant.yaml:6 conflict: 'wage' is set here and by the option 'state' (variant.yaml:5)"]


@pytest.mark.rotating(4)
@pytest.mark.parametrize("entry", ["change: {wage: {n}}", "overrules: o{n}", "instead of pay: []"])
def test_thousands_of_options_do_not_hang_or_break(entry: str) -> None:
    """Neither conflicts nor chains of `overrules` cost too much."""
    letters = [f"o{a}{b}{c}" for a in "abcdefghij" for b in "abcdefghij" for c in "abcdefghijklmnopqrst"]
    entries = [entry.replace("o{n}", other).replace("{n}", str(n)) for n, other in enumerate(letters[1:])]
    lines = [f"  {name}: {{{text}}}" for name, text in zip(letters, entries, strict=False)]
    text = "\n".join([HEAD + "options:", *lines, f"  {letters[-1]}: {{}}", ""])
    report = Report()
    with patience(8_000_000):
        read(
            None,
            report,
            "variant",
            text=BASE.replace("  rich: {text: Richer., change: {wage: 9}}", text.split("options:\n")[1]),
        )
    assert ("overrules" in entry) == report.ok
