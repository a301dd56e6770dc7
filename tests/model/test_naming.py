"""Names: those that contain words of the language are read as declared; those with another meaning are refused."""

from __future__ import annotations

from itertools import combinations

import pytest

from rulewright.base.diagnostics import Diagnostic, EditionError, SourcePlace
from rulewright.editing.fixes import fixes
from rulewright.game import library
from rulewright.game.game import Game
from rulewright.syntax import messages

RULES = """
rulewright: 1
title: Names
players: 2
words: {colour: {red: {}, blue: {}}, port: {haven: {}}}
boards: {sea: {of: reef, size: 2 by 2, directions: way}}
pieces:
  joker: {copies: 2, starts in: deck}
  tile: {has: {colour: colour, height: 1 to 2}, starts in: deck, noun: "{colour} {height}"}
zones: {deck: {seen by: all}, hand: {of: seat, seen by: all}}
values: {game: {bonus: 1, wave: 2}}
terms: {game: {double: {for: {amount: number}, is: amount * 2}}}
counters: {game: {pot: 0, last winner: seat}, seat: {gold: 0}}
options: {long game: {text: More rounds.}}
phases:
  play:
    do:
      - do pay for (1)
      - if long game: add 1 to pot
      - end game
    steps:
      pay: {for: {amount: number}, do: [add amount to pot]}
"""


def errors_of(text: str) -> list[str]:
    """Return the errors of an edition: 'code: message hint'."""
    try:
        library.from_text(text)
    except EditionError as error:
        return [f"{found.code}: {found.message} {found.hint}".strip() for found in error.report.errors]
    return []


def renamed(*names: tuple[str, str]) -> str:
    text = RULES
    for old, new in names:
        assert old in text
        text = text.replace(old, new)
    return text


# What is called otherwise, and how: nothing else can be meant by it, however often a sentence says it.
LONG = [
    ("long game", "no repeats"),
    ("long game", "draw after empty"),
    ("bonus", "year of plenty"),
    ("pot", "asked for"),
    ("pot", "play again to"),
    ("amount", "how many by now"),
    ("pay", "count to the end"),
    ("joker", "contract in play"),
    ("haven", "end of summer"),
    ("colour", "mood at night"),
    ("deck", "top shelf"),
    ("last winner", "first player"),
    ("hand", "first joker"),
]


@pytest.mark.parametrize(("old", "new"), LONG, ids=[new for _, new in LONG])
def test_a_name_may_hold_words_of_the_language(old: str, new: str) -> None:
    assert errors_of(renamed((old, new))) == []


# What is called otherwise, how, and why it cannot be.
OWN = "says something already"
REFUSED = [
    ("long game", "no jokers", "'jokers' is a kind of piece"),
    ("long game", "no pieces", "'pieces' is the language's own"),
    ("long game", "any joker", "'joker' is a kind of piece"),
    ("long game", "joker in hand", "'joker' is a kind of piece and 'hand' is a zone"),
    ("bonus", "number of tiles", "'tiles' is a kind of piece"),
    ("bonus", "highest gold", "'gold' is a counter"),
    ("bonus", "end of red", "'red' is a word"),
    ("bonus", "my gold", "'gold' is a counter"),
    ("hand", "first wave", "'wave' is a value"),
    ("pot", "gold for red", "'gold' is a counter and 'red' is a word"),
    ("pay", "what joker says", "'joker' is a kind of piece"),
    ("haven", "neighbours of a1", "'a1' is a word"),
]


@pytest.mark.parametrize(("old", "new", "reason"), REFUSED, ids=[new for _, new, _ in REFUSED])
def test_a_name_with_another_meaning_is_refused_at_its_declaration(old: str, new: str, reason: str) -> None:
    (error,) = errors_of(renamed((old, new)))
    assert error.startswith(f"name-keyword: '{new}' says something already: {reason}. Say '"), error


SORTS = ["long game", "bonus", "double", "pot", "gold", "pay", "joker", "red", "haven", "reef", "way", "deck", "height"]
SORTS += ["colour", "amount"]


@pytest.mark.parametrize("old", SORTS)
@pytest.mark.parametrize(("word", "code"), [("where", "keyword"), ("first", "keyword"), ("you", "taken")])
def test_no_name_is_a_word_of_the_language(old: str, word: str, code: str) -> None:
    errors = {line.partition(".")[0] for line in errors_of(renamed((old, word)))}
    expected = {
        "keyword": f"name-keyword: A name cannot be '{word}', which is a word of the language",
        "taken": f"name-taken: '{word}' is what the language itself calls whoever acts",
    }
    assert errors == {expected[code]}


# Things that share their names, and where another of each is declared.
THINGS = {
    "word list": ("words: {", "words: {NEW: {oak: {}}, "),
    "board": ("directions: way}}", "directions: way}, lake: {of: NEW, size: 2 by 2}}"),
    "kind": ("pieces:", "pieces:\n  NEW: {copies: 2, starts in: deck}"),
    "zone": ("zones: {", "zones: {NEW: {seen by: all}, "),
    "value": ("values: {game: {", "values: {game: {NEW: 3, "),
    "term": ("terms: {game: {", "terms: {game: {NEW: pot, "),
    "counter": ("counters: {game: {", "counters: {game: {NEW: 0, "),
    "counter of seats": ("seat: {gold: 0}", "seat: {gold: 0, NEW: 0}"),
    "option": ("options: {", "options: {NEW: {text: Odd.}, "),
}


def declared(*names: tuple[str, str]) -> str:
    text = RULES
    for sort, name in names:
        old, new = THINGS[sort]
        text = text.replace(old, new.replace("NEW", name))
    return text


@pytest.mark.parametrize(("one", "other"), [("pip", "pip"), ("pip", "pips"), ("shelf", "shelves"), ("mice", "mouse")])
@pytest.mark.parametrize(("first", "second"), list(combinations(THINGS, 2)))
def test_singular_and_plural_are_one_name_where_they_are_declared(
    first: str, second: str, one: str, other: str
) -> None:
    (error,) = errors_of(declared((first, one), (second, other)))
    assert error.startswith("name-twice: '") and "' is declared already, in '" in error
    assert error.endswith(f"Say 'other {other}', for example.") or error.endswith(f"Say 'other {one}', for example.")
    assert errors_of(declared((first, one), (second, f"other {other}"))) == []


MADE_HERE = {
    "a parameter": ("amount: number}, do: [add amount to pot]", "NEW: number}, do: [add NEW to pot]"),
    "a parameter of a term": ("{amount: number}, is: amount * 2", "{NEW: number}, is: NEW * 2"),
    "a let": ("- do pay for (1)", "- let NEW be 3"),
    "a choice": ("- do pay for (1)", "- each seat: [choose 1 from jokers as NEW]"),
    "a loop": ("- do pay for (1)", "- each joker as NEW: move NEW to deck"),
}


@pytest.mark.parametrize("statement", MADE_HERE)
@pytest.mark.parametrize("thing", [thing for thing in THINGS if thing not in ("word list", "board")])
@pytest.mark.parametrize(("name", "new"), [("pip", "pip"), ("pip", "pips"), ("shelf", "shelves"), ("mouse", "mice")])
def test_a_local_name_cannot_hide_a_declared_one(statement: str, thing: str, name: str, new: str) -> None:
    old, sentence = MADE_HERE[statement]
    text = declared((thing, name))
    assert old in text
    (error,) = errors_of(text.replace(old, sentence.replace("NEW", new)))
    assert error.startswith(f"name-taken: '{new}' is the name of a"), error
    assert errors_of(text.replace(old, sentence.replace("NEW", f"other {new}"))) == []


@pytest.mark.parametrize("statement", MADE_HERE)
def test_a_local_name_may_be_that_of_an_option_with_choices(statement: str) -> None:
    old, sentence = MADE_HERE[statement]
    text = RULES.replace("options: {", "options: {pip: {choices: {small: {text: Small.}, large: {text: Large.}}}, ")
    assert errors_of(text.replace(old, sentence.replace("NEW", "pip"))) == []


@pytest.mark.parametrize("old", ["bonus", "pot", "joker", "deck", "haven", "pay"])
@pytest.mark.parametrize("word", ["seats", "nobody", "opponents"])
def test_no_name_is_one_that_the_language_defines(old: str, word: str) -> None:
    (error,) = errors_of(renamed((old, word)))
    assert error.startswith(f"name-taken: '{word}' is what the language itself calls ")


def test_a_parameter_may_be_called_player() -> None:
    definition = ("{amount: number}, do: [add amount to pot]", "{player: seat}, do: [set last winner to player]")
    assert errors_of(renamed(definition, ("do pay for (1)", "each seat: do pay for (you)"))) == []


@pytest.mark.parametrize(("option", "line_"), [("no", "5 6"), ("yes", "5 1")])
def test_declared_names_take_precedence(option: str, line_: str) -> None:
    """The longest name wins, in conditions, sums and texts."""
    adding = "- if not no repeats: add year of plenty to pot\n      - log: '{year of plenty} {pot}'"
    text = renamed(
        ("bonus: 1", "year of plenty: 5"), ("long game", "no repeats"), ("- if no repeats: add 1 to pot", adding)
    )
    game = Game.start(library.from_text(text), ["Ada", "Ben"], options={"no repeats": option}, seed=1)
    assert line_ in [line.text for line in game.log.lines(None)]


def test_a_local_name_does_not_extend_another_name() -> None:
    text = renamed(("long game", "no repeats"), ("- do pay for (1)", "- let repeats be jokers"))
    assert errors_of(text) == [
        "name-taken: With 'repeats', 'no repeats' would say two things; that is the name of an option. "
        "Say 'other repeats', for example."
    ]


def test_a_local_name_may_be_column() -> None:
    loop = "- each columns as column: move column to deck"
    text = renamed(("{game: {double:", "{game: {columns: jokers, double:"), ("- do pay for (1)", loop))
    assert errors_of(text) == []
    assert errors_of(text.replace("as column: move column", "as columns: move columns")) == [
        "name-taken: 'columns' is the name of a figure already; choose another."
    ]
    assert errors_of(renamed(("- do pay for (1)", "- let bonus be 3")))[0].startswith("name-taken: 'bonus' is the name")


# ── one mistake, one message ──


FOLLOWING = {
    "a number that is chosen": ["choose number from 1 to nonsense as length", "log: '{length}'"],
    "a thing that is chosen": ["choose 1 from nonsense as length", "log: '{length}'"],
    "one that is named before its order": ["each nonsense as length by highest height: [log: '{length}']"],
}


@pytest.mark.parametrize("sentences", FOLLOWING.values(), ids=FOLLOWING)
def test_names_of_a_wrong_sentence_give_no_further_errors(sentences: list[str]) -> None:
    text = renamed(("- do pay for (1)", "- each seat:\n" + "\n".join(f"          - {each}" for each in sentences)))
    (error,) = errors_of(text)
    assert error.startswith("unknown-name: Nothing here is called 'nonsense'."), error


LEADING_ON = {
    "a keyword that is misspelt": (
        ("title: Names", "title: Names\nranking: hihest gold"),
        "syntax: I cannot read 'hihest' here. Did you mean 'highest' for 'hihest'?",
    ),
    "far too many copies": (
        ("copies: 2", "copies: 100000000"),
        "wrong-value: Expected a number of copies, 0 to 1000, not '100000000'. How many there are",
    ),
    "may choose": (
        ("- do pay for (1)", "- each seat:\n          - may choose 1 from deck into hand: {ask: Which?}"),
        "unknown-key: Nothing can stand below this sentence, or it is misspelt. Say 'choose up to 1 …';",
    ),
    "a list below may": (
        ("- do pay for (1)", "- each seat:\n          - may: [add 1 to pot]"),
        "wrong-shape: Expected ask and do, not a list. Write 'do:' above the list, beside 'ask: …'.",
    ),
}


@pytest.mark.parametrize(("change", "expected"), LEADING_ON.values(), ids=LEADING_ON)
def test_messages_have_helpful_hints(change: tuple[str, str], expected: str) -> None:
    (error,) = errors_of(renamed(change))
    assert error.startswith(expected), error


def test_a_fix_that_changes_nothing_is_not_offered() -> None:
    place = SourcePlace("x", 1, 9, 9)
    lines = ["copies: 100000000"]
    problem = messages.WRONG_VALUE(expected="a number of copies", given="100000000", limits=("0", "1000"))
    assert [fix.new for fix in fixes(Diagnostic(place, problem), lines)] == ["1000"]
    whole = messages.WRONG_VALUE(expected="a whole number", given="100000000", limits=("0",))
    assert list(fixes(Diagnostic(place, whole), lines)) == []


def test_a_table_row_with_only_otherwise_has_the_index_of_the_others() -> None:
    table = "colour: {red: {worth: {otherwise: 3}}, blue: {worth: {haven: 5, otherwise: 1}}}"
    text = renamed(
        ("colour: {red: {}, blue: {}}", table),
        ("- do pay for (1)", "- log: \"{red's worth for haven} {blue's worth for haven}\""),
    )
    game = Game.start(library.from_text(text), ["Ada", "Ben"], seed=1)
    assert "3 5" in [line.text for line in game.log.lines(None)]
    (error,) = errors_of(text.replace("haven: 5, ", ""))
    assert error.startswith("table: This table says nothing but 'otherwise', so I cannot tell by which list it goes.")
