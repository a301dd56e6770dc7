"""Names that are nearly the same: each is read as it is written, or a warning says which is meant."""

from __future__ import annotations

from copy import deepcopy
from functools import cache
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Any

import pytest
import yaml

from rulewright.authoring.edition_check import examine
from rulewright.authoring.lint import lint
from rulewright.base.diagnostics import Diagnostic, EditionError, Report
from rulewright.game import library

BASE: dict[str, Any] = yaml.load(
    """
    rulewright: 1
    title: Names
    players: 2
    words: {colour: {red: {price: 1}, blue: {price: 2}}}
    pieces: {card: {has: {colour: colour, rank: 1 to 3}, starts in: deck, noun: "{colour} {rank}"}}
    zones: {deck: {seen by: all}, hand: {of: seat, seen by: all}}
    counters: {seat: {gold: 0}, game: {trump: colour}}
    phases: {play: {do: [{each seat: []}, end game]}}
    """,
    yaml.BaseLoader,
)

NUMBER = [
    "add NAME to gold",
    "if NAME is more than 1: [add 1 to gold]",
    "add number of cards where (rank is NAME) to gold",
    "add number of cards where (rank is more than NAME) to gold",
    "let counted be NAME",
    "log: '{NAME} {cards where rank is NAME}'",
]
OF_CARDS = [
    "add total NAME of deck to gold",
    "move cards in deck where NAME is 1 to hand",
    "log: '{deck with highest NAME}'",
]
SET = ["add number of NAME to gold", "move deck where (NAME is not empty) to hand", "log: '{NAME}'"]

# What can be named: where it is declared, and what sentences say of it. NAME is its name.
SORTS: dict[str, tuple[Any, list[str]]] = {
    "attribute of pieces": (
        {"pieces": {"card": {"has": {"NAME": "1 to 2"}}}},
        OF_CARDS,
    ),
    "attribute of words": (
        {"words": {"colour": {"red": {"NAME": "2"}, "blue": {"NAME": "1"}}}},
        [*OF_CARDS, "add red's NAME to gold", "set trump to first 1 of (colours where NAME is 2)"],
    ),
    "word": (
        {"words": {"colour": {"NAME": {"price": "3"}}}},
        ["move cards in deck where colour is NAME to hand", "set trump to NAME", "if trump is NAME: [add 1 to gold]"],
    ),
    "word list": ({"words": {"NAME": {"oak": {}, "elm": {}}}}, ["add number of NAME to gold", "log: '{NAME}'"]),
    "kind": (
        {"pieces": {"NAME": {"starts in": "deck", "noun": "disc NAME"}}},
        ["move first 1 of (NAME in deck) to hand", "add number of NAME in hand to gold", "add number of NAME to gold"],
    ),
    "zone": ({"zones": {"NAME": {"seen by": "all"}}}, ["move first 1 of deck to NAME", *SET]),
    "zone of seats": (
        {"zones": {"NAME": {"of": "seat", "seen by": "all"}}},
        ["move first 1 of deck to NAME", *SET, "log: '{seats where NAME is empty}'"],
    ),
    "value": ({"values": {"game": {"NAME": "3"}}}, NUMBER),
    "value of seats": ({"values": {"seat": {"NAME": "3"}}}, [*NUMBER, "log: '{seats with highest NAME}'"]),
    "term": ({"terms": {"game": {"NAME": "number of deck"}}}, NUMBER),
    "term for": (
        {"terms": {"seat": {"NAME": {"for": {"shade": "colour"}, "is": "shade's price"}}}},
        ["add NAME for red to gold", "move cards in deck where (rank is (NAME for red)) to hand"],
    ),
    "counter": ({"counters": {"game": {"NAME": "2"}}}, ["add 1 to NAME", *NUMBER]),
    "counter of seats": (
        {"counters": {"seat": {"NAME": "2"}}},
        ["add 1 to NAME", *NUMBER, "log: '{total NAME of seats}'"],
    ),
    "option": ({"options": {"NAME": {"text": "Odd."}}}, ["if NAME: [add 1 to gold]", "log: '{deck where (NAME)}'"]),
    "name": ({}, ["let NAME be number of hand + 1", *NUMBER]),
    "name of a thing": ({}, ["let NAME be first 1 of hand", "add number of cards where it is among NAME to gold"]),
}
IN_ONE_PLACE = [{"name", "name of a thing"}, {"zone", "zone of seats"}]
NAMES = [("pip", "pip"), ("pips", "pip"), ("die", "dice")]


def with_name(node: Any, name: str) -> Any:
    if isinstance(node, dict):
        return {with_name(key, name): with_name(inner, name) for key, inner in node.items()}
    return [with_name(item, name) for item in node] if isinstance(node, list) else str(node).replace("NAME", name)


def merged(base: Any, more: Any) -> Any:
    if not isinstance(base, dict) or not isinstance(more, dict):
        return more
    return {
        key: merged(base[key], more[key]) if key in base and key in more else (more.get(key, base.get(key)))
        for key in {**base, **more}
    }


@cache
def compile_two(one: str, other: str, a: str, b: str) -> tuple[Any, list[Diagnostic]]:
    """Compile an edition that has two kinds of things with two names; return its program and its diagnostics."""
    tree = deepcopy(BASE)
    for sort, name in ((one, a), (other, b)):
        declared, sentences = SORTS[sort]
        tree = merged(tree, with_name(declared, name))
        tree["phases"]["play"]["do"][0]["each seat"] += [
            yaml.safe_load(s) if s.startswith(("log:", "if ")) else s for s in with_name(sentences, name)
        ]
    slots = [f"{{{name}}}" for sort, name in ((one, a), (other, b)) if sort == "attribute of pieces"]
    tree["pieces"]["card"]["noun"] += " ".join(["", *slots])
    try:
        rules = library.from_text(yaml.safe_dump(tree, sort_keys=False, width=1000))
    except EditionError as error:
        return None, error.report.diagnostics
    report = Report()
    lint(rules.edition, report)
    program = rules.machine(2).program
    return (program.code, program.functions, program.tables), report.diagnostics


PAIRS = list(combinations_with_replacement(SORTS, 2))
CHECKED = [
    pytest.param(*pair, marks=[pytest.mark.long] if at % 3 else [], id="/".join(pair)) for at, pair in enumerate(PAIRS)
]


@pytest.mark.parametrize(("one", "other"), CHECKED)
def test_two_things_with_similar_names(one: str, other: str) -> None:
    """Each name means the thing with exactly that name, or a warning says what else it could mean."""
    distinct, diagnostics = compile_two(one, other, "alder", "birch")
    assert distinct is not None, [f"{t.code} {t.message}" for t in diagnostics]
    assert "two-meanings" not in {t.code for t in diagnostics}
    for a, b in NAMES:
        if a == b and (one == other or {one, other} in IN_ONE_PLACE):
            continue
        program, diagnostics = compile_two(one, other, a, b)
        if program is not None and "two-meanings" not in {found.code for found in diagnostics}:
            assert program == distinct, (a, b, [f"{t.code} {t.message}" for t in diagnostics])


def warnings_of(changes: dict[str, Any], *sentences: str) -> list[str]:
    tree = merged(deepcopy(BASE), changes)
    tree["phases"]["play"]["do"] = [{"each seat": list(sentences)}, "end game"]
    report = Report()
    lint(library.from_text(yaml.safe_dump(tree, sort_keys=False)).edition, report)
    return [f"{found.message} {found.hint}" for found in report.diagnostics if found.code == "two-meanings"]


def test_an_attribute_and_a_term_that_differ_by_an_s() -> None:
    """Regression: the attribute was read in silence where the term was meant."""
    changes = {
        "pieces": {"card": {"has": {"pip": "1 to 6"}, "noun": "{colour} {rank} {pip}"}},
        "terms": {"game": {"pips": "number of deck"}},
    }
    (warning,) = warnings_of(changes, "add number of cards in hand where (rank is pips) to gold")
    assert warning.startswith("'pips' is the term 'pips' here (line ")
    assert "not the attribute 'pip' of a card (line " in warning
    assert warning.endswith("If the attribute is meant, say 'its pip'. Else give one of the two another name.")
    assert not warnings_of(changes, "add number of cards in hand where (rank is its pip) to gold", "add pips to gold")


@pytest.mark.parametrize(
    ("changes", "handed", "code"),
    [
        ({"pieces": {"discs": {"starts in": "deck"}}}, "discs", "'discs' is several of them here, not one"),
        ({"pieces": {"discs": {"starts in": "deck"}}}, "disc", ""),
        ({"pieces": {"disc": {"starts in": "deck"}}}, "discs", ""),
        ({"words": {"trees": {"oak": {}, "elm": {}}}}, "trees", "'trees' is one of them here, not several"),
        ({"words": {"trees": {"oak": {}, "elm": {}}}}, "tree", ""),
        ({"words": {"tree": {"oak": {}, "elm": {}}}}, "trees", ""),
        ({"words": {"species": {"oak": {}, "elm": {}}}}, "species", ""),
    ],
)
def test_a_plural_name_can_mean_one_or_several(changes: Any, handed: str, code: str) -> None:
    step = {"phases": {"play": {"do": ["end game"], "steps": {"take": {"for": {"taken": handed}, "do": ["end game"]}}}}}
    warnings = warnings_of(merged(changes, step), f"do take for first 1 of {next(iter(next(iter(changes.values()))))}")
    assert [text.partition(":")[0] for text in warnings] == ([code] if code else [])


def test_a_meaning_of_the_wrong_type_gives_no_warning() -> None:
    """A counter may have the name of a word: nothing can be added to a word, and no number is set to one."""
    changes = {"words": {"colour": {"pip": {}}}, "counters": {"game": {"pip": "0"}}}
    assert not warnings_of(changes, "add 1 to pip", "add pip to gold", "set trump to red")


PAINT: dict[str, Any] = {"paint": {"red": {}, "white": {}}, "dye": {"red": {}, "white": {}}}


@pytest.mark.parametrize(
    ("cats", "word", "message"),
    [
        ({"tom": {"likes": "red"}, "kit": {"likes": "blue"}}, "tom's likes's price", ""),  # only a colour is blue
        ({"tom": {"colour": "red"}}, "tom's colour's price", ""),
        ({"tom": {"speed": {"red": "5", "blue": "6"}}}, "tom's speed for red", ""),
        ({"tom": {"likes": ["blue", "red"]}}, "(tom's likes for 2)'s price", ""),
        ({"tom": {"likes": "red"}}, "0", "ambiguous-word: 'red' is a word of colour and of paint and"),
        ({"tom": {"likes": ["red"]}}, "0", "ambiguous-word: 'red' is a word of colour and of paint and"),
        (
            {"tom": {"speed": {"red": "5", "white": "6"}}},
            "0",
            "ambiguous-word: These are the words of paint and",
        ),
        ({"tom": {"likes": "blue"}, "kit": {"likes": "white"}}, "0", "type: 'likes' holds words of 'colour', such as"),
        (
            {"tom": {"likes": "blue"}, "kit": {"likes": "3"}},
            "0",
            "type: 'likes' holds words of 'colour', such as",
        ),
        ({"tom": {"likes": ["3", "blue"]}}, "0", "type: 'likes' holds numbers, such as '3'; 'blue' is none of them."),
    ],
)
def test_an_attribute_that_is_a_word_of_two_lists(cats: Any, word: str, message: str) -> None:
    """The word belongs to the list that has all values of the attribute, or that has its name; else there is a
    warning."""
    tree = merged(deepcopy(BASE), {"words": {**PAINT, "cat": cats}})
    tree["phases"]["play"]["do"][0]["each seat"] = [f"add {word} to gold"]
    try:
        library.from_text(yaml.safe_dump(tree, sort_keys=False))
    except EditionError as error:
        (diagnostic,) = error.report.diagnostics
        assert message and f"{diagnostic.code}: {diagnostic.message}".startswith(message)
    else:
        assert not message


def test_a_new_name_leaves_the_name_of_the_other_number() -> None:
    """`town` stays the one town where `towns` is made after it."""
    tree = deepcopy(BASE)
    tree["phases"]["play"]["do"][0]["each seat"] = [
        "let mark be red",
        "let marks be colours where price is 2",
        "set trump to mark",
        "add total price of marks to gold",
    ]
    assert compiled_alike(tree, "marks", "others")


@pytest.mark.parametrize(
    ("sentences", "expected"),
    [
        (["let sum be 1", {"each card in hand": ["let sum be sum + 1"]}], ["'sum'"]),
        (["let sum be 1", {"if hand is empty": ["let sum be 2"]}, "add sum to gold"], ["'sum'"]),
        (["let sum be 1", {"if hand is empty": ["let sum be 2", "add sum to gold"]}], []),
        (["let sum be 1", "add sum to gold", "let sum be sum + 1", "add sum to gold"], []),
        (["choose 1 from hand as lot", {"if hand is empty": ["let lot be deck"]}, "move lot to deck"], ["'lot'"]),
        ([{"each card in hand as lot": [{"each card in deck as lot": []}, "move lot to deck"]}], ["'lot'"]),
        ([{"each card in hand as lot": ["move lot to deck"]}, {"each card in deck as lot": []}], []),
    ],
)  # fmt: skip
def test_a_name_that_an_inner_list_rebinds(sentences: list[Any], expected: list[str]) -> None:
    """The new value ends with the inner list; a later reader may expect it to stay."""
    warnings = warnings_of({}, *sentences)
    assert [text.partition(" is the one made before here; the one that line ")[0] for text in warnings] == expected


def test_a_table_and_a_term_that_both_take_a_number() -> None:
    changes = {
        "words": {"colour": {"red": {"worth": ["2", "1"]}, "blue": {"worth": ["1", "3"]}}},
        "terms": {"game": {"worth": {"for": {"place": "number"}, "is": "place + 1"}}},
    }
    (warning,) = warnings_of(
        changes, "add number of cards where (rank is (worth for 2)) to gold", "add worth for 1 to gold"
    )
    assert warning.startswith("'worth for' is a table of words here, not the term 'worth' (line ")


OF_THE_LANGUAGE = {"players": "player", "opponents": "opponent", "seats": "seat", "you": "you", "nobody": "nobody"}


@pytest.mark.parametrize("sort", ["word list", "kind", "zone", "zone of seats", "value"])
@pytest.mark.parametrize("name", OF_THE_LANGUAGE)
def test_a_name_of_the_language(sort: str, name: str) -> None:
    """A name that is also a word of the language gives a warning."""
    declared, sentences = SORTS[sort]
    sentences = [sentence for sentence in with_name(sentences, name) if not sentence.startswith("log")]
    try:
        assert any("the language's own" in text for text in warnings_of(with_name(declared, name), *sentences[-2:]))
    except EditionError as error:
        assert {found.code for found in error.report.diagnostics} <= {"type", "name-taken"}


def test_a_new_name_may_be_the_singular_of_a_word_of_the_language() -> None:
    for one in ("piece", "player", "opponent"):
        assert not warnings_of({}, f"let {one} be first 1 of {one}s", f"add number of ({one} plus {one}s) to gold")
    (warning,) = warnings_of({}, "let players be first 1 of seats", "add number of players to gold")
    assert warning.startswith("'players' is the name made here, not the language's own 'players'.")


def test_a_condition_after_two_sets() -> None:
    """The author may mean the condition for the second set alone."""
    (warning,) = warnings_of({}, "let found be (deck where rank is 1) plus hands of seats where rank is 2")
    assert warning.startswith("'where rank is 2' looks at all that stands before it, not at 'hands of seats' alone.")
    assert not warnings_of({}, "let found be (deck where rank is 1) plus (hands of seats where rank is 2)")
    assert not warnings_of({}, "let found be deck plus hands of seats where rank is 2")


def compiled_alike(tree: Any, name: str, other: str) -> bool:
    """Return whether an edition is the same with another name."""
    text = yaml.safe_dump(tree, sort_keys=False)
    programs = [library.from_text(text.replace(name, new)).machine(2).program for new in (name, other)]
    return programs[0].code == programs[1].code


def test_a_name_made_here_that_is_a_word_with_a_table() -> None:
    """A piece has the attributes of its words, so the answer and the word both have a toll."""
    changes = {
        "words": {
            "gate": {"north": {}, "south": {}},
            "colour": {"red": {"toll": {"north": "1", "south": "2"}}, "blue": {"toll": {"north": "3", "south": "4"}}},
        }
    }
    (warning,) = warnings_of(changes, "let red be bottom 1 of deck", "add red's toll for north to gold")
    assert warning.startswith("'red' is the name made here, not the word 'red' of 'colour' (line ")
    assert not warnings_of(changes, "let found be bottom 1 of deck", "add found's toll for north to gold")


TWO_WAYS = """\
rulewright: 1
title: Two ways
players: 2
words: {marble: {red: {crown: 3}, blue: {crown: 4}}}
pieces:
  flower: {each: marble, noun: "flower {marble}", starts in: tulip}
  PENNY: {has: {torch: marble, marble: marble}, noun: "coin {torch} {marble}", starts in: tulip}
zones: {tulip: {seen by: all}}
scoring: {crowns: {points: total crown of tulip}}
phases: {play: {do: [end game]}}
"""


@pytest.mark.parametrize("penny", ["apple", "penny"])
def test_an_attribute_of_two_attributes_gives_a_warning(penny: str, tmp_path: Path) -> None:
    """The attribute used to be that of the kind that comes first in the alphabet, without a warning."""
    file = tmp_path / "ways.yaml"
    file.write_text(TWO_WAYS.replace("PENNY", penny))
    _, report = examine(str(file))
    warnings = [found.message for found in report.warnings if found.code == "two-meanings"]
    assert warnings == ["'crown' is that of its 'marble' here, not that of its 'torch'."]
    machine = library.load(str(file)).machine(2)
    s = machine.new(1)
    machine.run(s)
    assert machine.call(machine.program.scoring[0].function, s, 0)[0][0] == 21


BOX_AND_WORD = """\
rulewright: 1
title: A box and a word
players: 2
words: {room: {attic: , hall: }}
pieces: {coin: {has: {value: 1 to 4}, starts in: bag, noun: "{value}"}}
zones: {bag: {seen by: all}, shelf: {of: room, seen by: all}, ZONE: {seen by: all}}
phases: {play: {do: [move coins in attic to bag, end game]}}
"""


@pytest.mark.parametrize("zone, count", [("attic", 1), ("cellar", 0)])
def test_a_zone_with_the_name_of_a_word_gives_a_warning(zone: str, count: int, tmp_path: Path) -> None:
    file = tmp_path / "box.yaml"
    file.write_text(BOX_AND_WORD.replace("ZONE", zone))
    _, report = examine(str(file))
    assert [found.code for found in report.warnings].count("two-meanings") == count


WAYS_OF_WORDS = """\
rulewright: 1
title: Ways of words
players: 2
words:
  suit: {red: {rank: 1, reach: [5, 6]}, blue: {rank: 2, reach: [7, 8]}}
  bird: {wren: {loves: red, hates: blue}, lark: {loves: blue, hates: red}}
pieces: {card: {has: {bird: bird}, starts in: deck, noun: "{bird}"}}
zones: {deck: {seen by: all}}
counters: {game: {gold: 0}}
phases: {play: {do: [SENTENCE, end game]}}
"""


@pytest.mark.parametrize(
    "sentence",
    [
        "add wren's rank to gold",
        "add total rank of deck to gold",
        "move cards in deck where rank is 1 to deck",
        "add wren's reach for 1 to gold",
        "move cards in deck where (reach for 1 is 5) to deck",
    ],
)
def test_an_attribute_of_two_attributes_of_a_word_gives_a_warning(sentence: str, tmp_path: Path) -> None:
    file = tmp_path / "ways.yaml"
    file.write_text(WAYS_OF_WORDS.replace("SENTENCE", sentence))
    _, report = examine(str(file))
    assert not report.errors
    [warning] = [found.message for found in report.warnings if found.code == "two-meanings"]
    assert "'loves'" in warning and "'hates'" in warning and warning.index("loves") < warning.index("hates")


def test_an_owner_without_the_attribute_could_be_another_that_has_it(tmp_path: Path) -> None:
    file = tmp_path / "ways.yaml"
    text = WAYS_OF_WORDS.replace("SENTENCE", "add wren's rank to gold").replace(
        "zones:", "values: {game: {wren: 3}}\nzones:"
    )
    file.write_text(text)
    _, report = examine(str(file))
    [error] = report.errors
    assert error.message == "A number has no 'rank'."
    assert error.hint.startswith("'wren' is the value 'wren' here (line 8), not the word 'wren' of 'bird' (line 6)")


def test_an_attribute_called_like_its_list_in_the_plural_could_be_all_of_them() -> None:
    def count_warnings(name: str) -> int:
        changed = {
            "words": {name: {"disc": {"price": 1}, "slab": {"price": 2}}},
            "pieces": {"tile": {"has": {name: name}, "starts in": "deck", "noun": f"tile {{{name}}}"}},
        }
        return len(warnings_of(changed, f"move tiles in deck where {name} is not among hexes to top of deck"))

    assert count_warnings("hexes") == count_warnings("hex") == 1


@pytest.mark.parametrize(
    "sentence, count",
    [
        ("set gold to number of cards where rank is gold + 1", 1),
        ("set gold to number of deck where rank is at least gold * 2", 1),
        ("set gold to total rank of deck where rank is at most 2 - 1", 1),
        ("set gold to 1 + number of deck where rank is 2 + gold", 1),
        ("set gold to number of deck where (rank is gold + 1)", 0),
        ("set gold to number of deck where (rank is gold) + 1", 0),
        ("set gold to (number of deck where rank is gold) + 1", 0),
        ("set gold to 1 + number of deck where rank is gold", 0),
        ("set gold to number of deck where colour is red + 1", 0),  # no word is added to
        ("set gold to number of deck + 1", 0),
        ("move first 1 of deck where rank is 2 to hand", 1),
        ("move first 1 of (deck where rank is 2) to hand", 0),
        ("move top 2 of deck with highest rank to hand", 1),
        ("move top 2 of deck where rank is 2 with highest (colour's price) to hand", 1),
        ("move deck with highest rank to hand", 0),
    ],
)
def test_an_ambiguous_condition_gives_a_warning(sentence: str, count: int) -> None:
    assert len(warnings_of({}, sentence)) == count


def test_two_attributes_of_a_word_with_the_attribute_give_a_whole_message(tmp_path: Path) -> None:
    """Pieces have an attribute with the name itself; words do not."""
    file = tmp_path / "field.yaml"
    file.write_text(
        """
rulewright: 1
title: Field
players: 2
words:
  lord: {fox: {}, owl: {}}
  line: {one: {owner: fox}, two: {owner: owl}}
  rim: {left: {owner: fox}, right: {owner: owl}}
boards: {field: {of: plot, spaces: {a: {line: one, rim: left, next to: b}, b: {line: two, rim: right}}}}
phases: {play: {text: Nothing., do: [log: "{number of plots where owner is fox}.", end game]}}
""",
        encoding="utf-8",
    )
    _, report = examine(str(file))
    (diagnostic,) = [diagnostic for diagnostic in report.diagnostics if diagnostic.code == "two-meanings"]
    assert diagnostic.message == "'owner' is that of its 'line' here, not that of its 'rim'."
    assert diagnostic.hint == """Where that is possible, say whose it is, as in "its line's owner"."""
