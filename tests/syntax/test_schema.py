"""The schema of editions, and its messages."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from example_counts import few
from rulewright.base.diagnostics import Report, SourcePlace
from rulewright.game import library
from rulewright.syntax import messages, schema, schema_validation, sentences
from rulewright.syntax.flow_nodes import Do
from rulewright.syntax.yaml_reader import read

EDITIONS = sorted(library.available().values())

SMALLEST = """\
rulewright: 1
title: Small
players: 2
phases: {play: {do: []}}
"""

LARGE = """\
rulewright: 1
title: Large
players: 2 to 4
words:
  suit:
    red:
    blue: {strength: 3}
pieces:
  card: {each: suit, has: {rank: 1 to 2}, copies: [1, 2], starts in: deck}
zones:
  deck: {seen by: nobody, pile: yes}
  hand: {of: seat, holds: [card], seen by: owner}
values:
  game:
    size: {by: number of seats, 2: 4}
  seat:
    limit: {is: 3, text: How many.}
counters:
  game: {rounds: 0}
setup:
  do: shuffle deck
phases:
  play:
    do:
      - if deck is empty: end game
        otherwise: do draw
      - choose one:
          ask: What now?
          among:
            stop: {do: end game}
      - may: {ask: Once more?, do: do draw}
    steps:
      draw:
        for: {who: seats}
        do: move top 1 of deck to hand
roles:
  robot:
    joins: {2: optional}
    instead of draw: [end game]
options:
  open:
    default: yes
    choices:
      little: {text: A little.}
      much: {text: Much., change: {limit: +2}}
scoring:
  cards: {points: number of hand}
ranking: highest score
"""


def findings(text: str, file: str = schema.EDITION) -> list[str]:
    """Return all errors as '`underlined text` code: message | hint'."""
    report = Report()
    node = read(None, text, report, "x.yaml")
    assert node is not None and report.ok, report.render()
    assert schema_validation.validate(node, report, file) == report.ok
    return [f"{underlined(text, e.place)} {e.code}: {e.message} | {e.hint}" for e in report.errors]


def underlined(text: str, place: SourcePlace) -> str:
    line = text.split("\n")[place.line - 1]
    return f"`{line[place.column - 1 :][: place.length]}`"


# ── the schema ──


def schemas(schema: Any, path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield every schema within a schema, with its path."""
    if isinstance(schema, dict):
        yield path, schema
        for keyword in ("properties", "patternProperties", "$defs"):
            for name, inner in schema.get(keyword, {}).items():
                yield from schemas(inner, f"{path}/{keyword}/{name}")
        for keyword in ("additionalProperties", "propertyNames", "items", "if", "then", "else"):
            yield from schemas(schema.get(keyword), f"{path}/{keyword}")
        for number, inner in enumerate(schema.get("anyOf", ())):
            yield from schemas(inner, f"{path}/anyOf/{number}")


def test_the_schema_is_valid() -> None:
    Draft202012Validator.check_schema(schema.load())


def test_every_key_is_described() -> None:
    described = [
        path
        for path, inner in schemas(schema.load())
        if re.search(r"/(properties|patternProperties)/[^/]+$|/additionalProperties$", path)
    ]
    assert len(described) > 100
    for path, inner in schemas(schema.load()):
        if path in described:
            assert re.fullmatch(r"[A-Za-z].{8,}[.?'\")]", inner.get("description", "")), path


def test_every_schema_that_can_fail_has_a_title() -> None:
    """A schema of texts, lists or mappings that can fail has a title, because messages say 'Expected {title}'."""
    for path, inner in schemas(schema.load()):
        if {"enum", "pattern", "anyOf"} & inner.keys() and "errorMessage" not in inner:
            assert inner.get("title"), path


def test_everything_defined_is_used_and_everything_used_defined() -> None:
    used = {inner["$ref"] for _, inner in schemas(schema.load()) if "$ref" in inner}
    assert used == {f"#/$defs/{name}" for name in schema.load()["$defs"]}


def test_patterns_mean_the_same_in_an_editor() -> None:
    """Editors read patterns as JavaScript: some classes know only ASCII there, and \\Z or (?P…) are unknown."""
    text = json.dumps(schema.load())
    patterns = re.findall(r'"pattern": "([^"]*)"', text) + [
        pattern for _, inner in schemas(schema.load()) for pattern in inner.get("patternProperties", {})
    ]
    assert len(patterns) > 10
    assert not [pattern for pattern in patterns if re.search(r"\\[dDwWbBAZ]|\(\?[P<]", pattern)]


@pytest.mark.parametrize(
    ("name", "good"),
    [
        ("hand limit", True), ("größe 2x", False), ("größe x2", True), ("日本", True), ("Hand", False),
        ("hand  limit", False), ("hand-limit", False), ("2nd", False), ("", False), ("a ", False),
        ("a_b", False), ("a–b", False),
    ],
)  # fmt: skip
def test_valid_and_invalid_names(name: str, good: bool) -> None:
    assert bool(re.search(schema.load()["$defs"]["name"]["pattern"], name)) is good


@pytest.mark.parametrize("name", ["hand limit", "größe", "日本", "x2 y"])
def test_names_are_names_in_sentences(name: str) -> None:
    sentence = sentences.statement(f"do {name}")
    assert isinstance(sentence, Do) and sentence.step.text == name


# ── what is valid ──


@pytest.mark.parametrize("path", EDITIONS, ids=lambda path: f"{path.parent.name} {path.stem}")
def test_editions_are_valid(path: Any) -> None:
    text = path.read_text(encoding="utf-8")
    assert findings(text, schema.VARIANT if "\nextends: " in text else schema.EDITION) == []


@pytest.mark.parametrize("path", EDITIONS, ids=lambda path: f"{path.parent.name} {path.stem}")
def test_editions_are_valid_for_an_editor(path: Any) -> None:
    """Editors resolve `yes` and `3` before they validate; JSON then turns all keys into texts."""
    resolved = json.loads(json.dumps(yaml.safe_load(path.read_text(encoding="utf-8"))))
    whole = schema.load(schema.VARIANT if "extends" in resolved else schema.EDITION)
    assert [error.message for error in Draft202012Validator(whole).iter_errors(resolved)] == []


def test_schema_of_variants_is_made_from_that_of_editions() -> None:
    """Run `rulewright schema variant --out spec/variant.schema.json` after a change."""
    assert schema.load(schema.VARIANT) == schema.variant(schema.load())


@pytest.mark.parametrize("text", [SMALLEST, LARGE])
def test_valid_fragments_are_accepted(text: str) -> None:
    assert findings(text) == []


@pytest.mark.parametrize(
    "do",
    [
        "end game", "[]", "[end game]", "[{log: '{seat} wins'}]", "[{each seat: do x}]",
        "[{if a: do x, otherwise: [do y]}]",
        "[{all seats at once: do x}]", "[{as you: do x}]",
        "[{repeat 3 times: do x}]", "[{choose 1 from a as b: {ask: c, none: d}}]",
        "[{choose 1 from a as b: {}}]",
        "[{choose number from 1 to 3 as b: {ask: c}}]", "[{may as x: {ask: b, do: []}}]",
        "[{choose one as x: {ask: a, none: b, among: {c: {text: d, if: e, do: f}}}}]",
    ],
)  # fmt: skip
def test_valid_bodies_are_accepted(do: str) -> None:
    assert findings(SMALLEST.replace("[]", do)) == []


def test_a_step_may_be_just_its_sentences() -> None:
    assert findings(SMALLEST.replace("{do: []}", "{do: [], steps: {a: end game, b: [end game]}}")) == []


# ── what is not ──

NAME = "a name: lowercase words with single spaces between them, each beginning with a letter"
BODY = "a sentence, or a list of sentences that begin with '- '"

WRONG = [
    # what is replaced in LARGE, by what, where that is seen, how it is told
    # keys
    ("title: Large", "tittle: Large", "tittle", "unknown-key: 'tittle' is not known here. | Did you mean"),
    ("zones:", "zone:", "zone", "unknown-key: 'zone' is not known here. | Did you mean 'zones'?"),
    ("of: seat", "off: seat", "off", "unknown-key: 'off' is not known here. | Did you mean 'of'? Known"),
    ("  ask: What", "  asks: What", "asks", "unknown-key: 'asks' is not known here. | Did you mean 'ask'?"),
    ("{points: ", "{point: ", "point", "unknown-key: 'point' is not known here. | Did you mean 'points'?"),
    ("{text: A", "{x: y, text: A", "x", "unknown-key: 'x' is not known here. | Known here: title, text,"),
    ("instead of d", "insted of d", "insted of draw", "unknown-key: 'insted of draw' is not known here. | "
     "Did you mean 'instead'? Known here: title, like, text, joins, scored, uses powers, change, before …, after"),
    ("otherwise", "else", "else", "unknown-key: Nothing can stand below this sentence, or it is misspelt. | "
     "Say 'otherwise'."),
    ("- if deck", "- iff deck", "iff deck is empty", "unknown-key: Nothing can stand below this sentence,"),
    ("    - may:", "    - each seat: do draw\n        may:", "each seat: do draw",
     "wrong-shape: Each sentence of a list is an item of its own and begins with '- '."),
    ("if deck is empty: end game\n        otherwise", "otherwise", "otherwise: do draw", "wrong-shape: An "
     "'otherwise:' stands below the 'if …' it belongs to, in the same column, without a dash."),
    ("- if deck is empty", "- each seat", "each seat", "bad-name: Only an 'if …' has an 'otherwise:'."),
    ("title: Large\n", "", "rulewright: 1", "missing-key: 'title' is missing. | title: The name of the game"),
    (", starts in: deck", "", "card", "missing-key: 'starts in' is missing in 'card'. | starts in: The"),
    ("seen by: nobody, ", "", "deck", "missing-key: 'seen by' is missing in 'deck'. | seen by: Who sees"),
    ("ask: Once more?, ", "", "may", "missing-key: 'ask' is missing in 'may'."),
    ("{do: end game}", "{if: open}", "stop", "missing-key: 'do' is missing in 'stop'. | do: What happens if"),
    ("text: A little.", "change: {limit: 1}", "little", "missing-key: 'text' is missing in 'little'."),
    # names
    ("hand: {of", "Hand-Zone: {of", "Hand-Zone", f"bad-name: 'Hand-Zone' cannot stand here; expected "
     f"{NAME}. | Write 'hand zone'."),
    ("each: suit", "each: Suit", "Suit", f"wrong-value: Expected {NAME}, not 'Suit'. | Write 'suit'."),
    ("{2: opt", "{two: opt", "two", "bad-name: 'two' cannot stand here; expected a number of people."),
    ("{by: number", "{is: 3, by: number", "is", "bad-name: 'is' cannot stand here; expected a case, which"),
    # values
    ("rulewright: 1", "rulewright: 2", "2", "wrong-value: Expected 1, the version of the rule language,"),
    ("2 to 4", "2-4", "2-4", "wrong-value: Expected a whole number, or a span such as '2 to 5', not '2-4'."),
    ("pile: yes", "pile: true", "true", "wrong-value: Expected yes or no, not 'true'. | yes if the pieces"),
    ("by: owner", "by: ownr", "ownr", "wrong-value: Expected all, owner or nobody, not 'ownr'. | Did you"),
    ("2: optional", "2: always", "always", "wrong-value: Expected required or optional, not 'always'. |"),
    ("[1, 2]", "[1, x]", "x", "wrong-value: Expected a number of copies, 0 to 1000, not 'x'. | How many there are of"),
    # shapes
    ("{points: number of hand}", "3", "3", "wrong-value: Expected title, text and points, not '3'. | A"),
    ("do: shuffle deck", "do: {shuffle: deck}", "{shuffle: deck}", f"wrong-shape: Expected {BODY}, "
     "not names with something behind a colon. | The sentences that set the game up"),
    ("do: shuffle deck", "do:", "do", f"nothing-here: Nothing stands here; expected {BODY}. | The"),
    ("[end game]", "[[end game]]", "[end game]", "wrong-shape: Expected a sentence, not a list. | What"),
    ("[end game]", "['']", "''", "wrong-value: Expected a sentence, not ''."),
    ("[end game]", "[{}]", "{}", "wrong-shape: Nothing stands here; at least one entry is expected."),
    ("What now?", "{seat}", "{seat}", "wrong-shape: Expected a text, not names with something behind a "
     "colon. | A text that begins with { or [ must stand in quotes."),
    ("How many.", "", "text", "nothing-here: Nothing stands here; expected a text. | What this figure is,"),
    ("little: {text: A little.}", "", "much: {text: Much., change: {limit: +2}}", "wrong-shape: At least 2"),
    ("{rounds: 0}", "{rounds: }", "rounds", "nothing-here: Nothing stands here; expected what the counter"),
    ("phases:\n", "phases:\n  x: []\n", "[]", "wrong-shape: Expected title, text, do and steps, not a"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new", "underlined", "message"), WRONG, ids=[f"{row[0]!r} {row[1]!r}" for row in WRONG]
)
def test_invalid_fragments_give_a_message(old: str, new: str, underlined: str, message: str) -> None:
    assert LARGE.count(old) >= 1
    [error] = findings(LARGE.replace(old, new, 1))
    assert error.startswith(f"`{underlined}` {message}")
    words = error.replace(underlined, "").partition(" ")[2]
    assert not re.search(r"schema|propert|valid|object|array|string|None|dict|null", words)


@pytest.mark.parametrize(("text", "expected"), [("- a\n", "not a list"), ("hello\n", "not 'hello'")])
def test_another_kind_of_file_is_refused_with_a_hint(text: str, expected: str) -> None:
    [error] = findings(text)
    assert f"Expected an edition: the rules of one game, {expected}." in error


def test_all_missing_keys_are_named() -> None:
    assert [found.split(" | ")[0] for found in findings("{}")] == [
        f"`{{}}` missing-key: '{key}' is missing." for key in ("rulewright", "title", "players", "phases")
    ]


def test_long_texts_and_control_characters_are_shown_short() -> None:
    [error] = findings(SMALLEST.replace("players: 2", "players: " + "x" * 5000))
    assert len(error.partition("` ")[2]) < 300 and "xxx…'" in error


# ── size ──


def test_deep_nesting_fits_the_stack() -> None:
    do = "end game"
    for _ in range(17):
        do = f"[{{if x: {do}}}]"
    assert findings(SMALLEST.replace("[]", do)) == []
    assert "not a list" in findings(SMALLEST.replace("[]", do.replace("end game", "[[a]]")))[0]


@pytest.mark.rotating(3)
@pytest.mark.parametrize(
    "text",
    [
        SMALLEST + "words:\n" + "".join(f" A{n}: 1\n" for n in range(20_000)),
        SMALLEST + "".join(f"key{n}: 1\n" for n in range(4_000)),
        SMALLEST + "words: {a: {b: {noun: '" + "a" * 900_000 + "||'}}}\n",
        SMALLEST.replace("[]", "{? choose" + " " * 900_000 + "x : {}}"),
        SMALLEST.replace("play", "? '" + "a " * 400_000 + "-'\n  "),
    ],
    ids=["names", "keys", "noun", "choose", "name"],
)
def test_large_files_do_not_hang(text: str) -> None:
    """Work for every pair of names, or back and forth through a text, would take hours here."""
    report = Report()
    node = read(None, text, report, "x.yaml")
    if node is not None:
        schema_validation.validate(node, report)
    assert report.errors


# ── anything at all ──

SOME_TEXTS = ["", "a", "3", "yes", "end game", "A", "2 to 5", "{x}"]
SOME_KEYS = [
    "title", "do", "text", "if a", "otherwise", "choose one", "among", "ask", "may", "is", "by", "log", "for",
    "before x", "change", "steps", "a", "3", "game", "seat", "each x", "noun", "X",
]  # fmt: skip
TREES = st.recursive(
    st.sampled_from(SOME_TEXTS),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(SOME_KEYS), inner, max_size=4),
    max_leaves=12,
)


@pytest.mark.rotating(2)
@given(st.dictionaries(st.sampled_from(sorted(schema.load()["properties"])), TREES))
@few(200)
def test_any_tree_gets_an_answer(tree: dict[str, Any]) -> None:
    report = Report()
    node = read(None, json.dumps(tree), report, "x.yaml")
    assert node is not None
    assert schema_validation.validate(node, report) == report.ok


def test_a_message_of_the_schema_is_the_template_that_fixes_are_registered_for() -> None:
    report = Report()
    text = "rulewright: 1\ntitle: T\nplayers: 2\nphases: {play: {do: [{drink tea: []}]}}\n"
    node = read(None, text, report, "t.yaml")
    assert node is not None
    assert not schema_validation.validate(node, report)
    assert [error.problem for error in report.errors] == [messages.NOTHING_BELOW_SENTENCE()]


def test_a_wrong_value_comes_with_its_choices_limits_and_grammars() -> None:
    report = Report()
    text = "rulewright: 1\ntitle: T\nplayers: two\nmemory: maybe\nlimit: {answers: 0}\nphases: {play: {do: []}}\n"
    node = read(None, text, report, "t.yaml")
    assert node is not None
    schema_validation.validate(node, report)
    players, memory, answers = (error.problem for error in report.errors)
    assert players.items("grammars") == ("span",)
    assert memory.items("choices") == ("yes", "no")
    assert answers.items("limits") == ("1", "100000")
