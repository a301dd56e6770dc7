"""The examples in the documents run, and together they show the whole language."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
import yaml
from lark import Token

from documents import Block, Example, as_text, blocks, documented, examples
from project_folders import SPEC
from rulewright.authoring import scenarios
from rulewright.base.diagnostics import EditionError
from rulewright.game import library
from rulewright.game.game import Game
from rulewright.runtime.machine import RuleError
from rulewright.syntax import sentence_errors, sentence_grammar, sentences
from rulewright.syntax.tree import CLASSES, Node


def as_files(example: Example, folder: Path) -> Path:
    """Write a variant's file, with its base's beside it."""
    (folder / "workbench.yaml").write_text(as_text(example.base), encoding="utf-8")
    file = folder / "variant.yaml"
    file.write_text(as_text(example.edition), encoding="utf-8")
    return file


@pytest.mark.parametrize("example", [e for e in documented() if e.cases], ids=lambda e: e.label)
def test_cases_pass(example: Example, tmp_path: Path) -> None:
    file = tmp_path / "cases.yaml"
    cases = yaml.load(example.cases, yaml.BaseLoader)
    edition = str(as_files(example, tmp_path)) if example.base else example.edition
    file.write_text(as_text({"edition": edition, **cases}), encoding="utf-8")
    out = io.StringIO()
    assert scenarios.run([str(file)], out) == 0, f"{example.location}\n{out.getvalue()}"
    assert out.getvalue() == f"{len(cases['cases'])} passed, 0 failed\n"


@pytest.mark.parametrize("example", [e for e in documented() if e.errors], ids=lambda e: e.label)
def test_errors_are_reported(example: Example, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(EditionError) as raised:
        if example.base:
            library.load(str(as_files(example, tmp_path)))
        else:
            library.from_text(as_text(example.edition))
    errors = [f"error[{e.code}]: {e.message}" for e in raised.value.report.errors]
    assert errors == list(example.errors), example.location


@pytest.mark.parametrize("example", [e for e in documented() if e.stop], ids=lambda e: e.label)
def test_games_stop_with_a_message(example: Example) -> None:
    rules = library.from_text(as_text(example.edition))
    with pytest.raises(RuleError) as raised:
        Game.start(rules, ["Ada", "Ben"], seed=1)
    assert example.stop in str(raised.value)


def test_every_example_edition_is_run() -> None:
    editions = sum(block.words[:2] == ("yaml", "edition") for block in blocks(SPEC / "LANGUAGE.md"))
    fragments = sum(block.words[:2] == ("yaml", "fragment") for block in blocks(SPEC / "LANGUAGE.md"))
    run = {as_text(example.edition) for example in documented() if not example.errors}
    assert editions and fragments
    assert len(run) >= editions + fragments


def test_no_block_is_skipped() -> None:
    """A block with a mistyped first line would look tested and never run."""
    known = {"yaml": {"edition", "fragment", "variant", "bad", "cases"}, "text": {"error", "stop"}}
    for block in blocks(SPEC / "LANGUAGE.md"):
        assert block.words[1] in known[block.words[0]], block.location


# ── reserved words ──


def test_reserved_words_are_listed() -> None:
    """LANGUAGE.md lists them in the section on names, and no others."""
    text = (SPEC / "LANGUAGE.md").read_text(encoding="utf-8")
    listed = re.search(r"(?m)^These words are reserved: (.*)\.$", text)
    assert listed is not None
    assert re.findall(r"`([^`]+)`", listed[1]) == sorted(sentence_grammar.reserved())


def test_words_are_reserved_only_where_names_may_stand() -> None:
    """Words in single quotes in the grammar never stand next to a name, or instead of one; all others do."""
    grammar = sentence_grammar.grammar()
    states = sentence_grammar.parser().parser.parser._parse_table.states
    with_names = [actions for actions in states.values() if "NAME" in actions]
    instead = {terminal for actions in with_names for terminal in actions}
    next_to = {terminal for actions in with_names for terminal in states.get(actions["NAME"][1], ())}
    for terminal, (phrase, *_) in grammar.spellings.items():
        if terminal.startswith("_"):
            assert (f'"{phrase}"' in sentence_grammar.grammar_text()) == (terminal in instead | next_to), terminal


@pytest.mark.parametrize("word", sorted(sentence_grammar.reserved()))
def test_every_reserved_word_has_an_alternative(word: str) -> None:
    for name in (word, f"{word} card", f"card {word} deck"):
        other = sentence_grammar.unreserved(name)
        assert other and not sentence_grammar.reserved_in(other), name
        assert sentence_grammar.unreserved(name, [other]) == f"other {other}"
        sentences.parse(f"let {other} be 3", "statement")


@pytest.mark.parametrize(
    ("with_parentheses", "without"),
    [
        ("choose 1 from ( deck ) into hand", "choose 1 from (deck) into hand"),
        ("move (top 1 of deck) to (hand)", "move top 1 of deck to (hand)"),
        ("move first 1 of ((last 2 of row)) to deck", "move first 1 of last 2 of row to deck"),
        ("choose 1 from (cards in deck) into hand", "choose 1 from cards in deck into hand"),
        ("add (number of (neighbours of a1)) to pot", "add (number of neighbours of a1) to pot"),
        ("move cards in ((red) of deck) to row", "move cards in (red) of deck to row"),
        ("move top 1 of (row plus deck) to hand", "move top 1 of (row plus deck) to hand"),
    ],
)
def test_redundant_parentheses_around_sets_are_removed(with_parentheses: str, without: str) -> None:
    assert sentences.parse(with_parentheses, "statement") == sentences.parse(without, "statement")
    assert sentences.canonical_spelling(with_parentheses, "statement") == without


# ── the whole language ──


GRAMMAR = SPEC / "sentences.lark"


def phrases_of_the_grammar() -> dict[str, set[str]]:
    """Return the phrases of each terminal that stands for several, such as 'is at least'."""
    text = GRAMMAR.read_text(encoding="utf-8")
    bodies = re.findall(r"^([A-Z]+): (.*(?:\n +\|.*)*)", text, re.MULTILINE)
    by_name = {name: {"".join(one) for one in re.findall(r""""([^"]+)"|'([^'"]+)'""", body)} for name, body in bodies}
    return {name: phrases for name, phrases in by_name.items() if phrases}


@pytest.fixture
def executed(monkeypatch: pytest.MonkeyPatch) -> set[tuple[str, str]]:
    """Return all sentences in the editions that are played, each with its start rule."""
    parse, texts = sentences.parse, set()

    def remembered(text: str, start: str) -> Node:
        texts.add((text, start))
        return parse(text, start)

    monkeypatch.setattr(sentences, "parse", remembered)
    for example in documented():
        if not example.errors and not example.base:
            library.from_text(as_text(example.edition))
    return texts


def readable(texts: set[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    for text, start in texts:
        with suppress(sentence_errors.SentenceError):
            sentences.parse(text, start)
            yield text, start


def test_reference_shows_every_rule_of_the_grammar(executed: set[tuple[str, str]]) -> None:
    rules = {node.rule for text, start in readable(executed) for node in sentences.parse(text, start).walk()}
    missing = sorted(CLASSES.keys() - rules)
    assert not missing, f"spec/LANGUAGE.md: add an example with a case that says: {', '.join(missing)}"
    assert not rules - CLASSES.keys()


def alternatives_of_the_grammar() -> dict[str, list[str]]:
    """Return the words of each named alternative of the grammar that has any; what may be left out is left out."""
    result: dict[str, list[str]] = {}
    for body, name in re.findall(r"(?m)^ *(?:\??\w+ *:|\|) *(.*?) -> (\w+)$", GRAMMAR.read_text(encoding="utf-8")):
        sure = re.sub(r"\([^()]*\|[^()]*\)|\[[^\]]*\]|\([^()]*\)[?*+]|\"[^\"]*\"\?", "", body.rpartition(" | ")[2])
        if words := ["".join(pair) for pair in re.findall(r""""([^"]+)"|'([^'"]+)'""", sure)]:
            result.setdefault(name, words)
    return result


def test_reference_has_a_row_for_every_sentence_and_function() -> None:
    text = (SPEC / "LANGUAGE.md").read_text(encoding="utf-8")
    cells = re.findall(r"(?m)^\| ((?:[^|\\]|\\.)*) \|", text)
    forms = [form for cell in cells for form in re.findall(r"`([^`]+)`", cell)]
    every = alternatives_of_the_grammar()
    assert len(every) > 80 and "number_of" in every
    for name, words in every.items():
        pattern = ".*".join(
            rf"(?<!\w){re.escape(word)}(?!\w)" if word[0].isalpha() else re.escape(word) for word in words
        )
        assert any(re.search(pattern, form) for form in forms), (
            f"spec/LANGUAGE.md: add a row for '{' … '.join(words)}' ({name}) to a table of its like"
        )


def test_reference_shows_every_phrase_of_the_grammar(executed: set[tuple[str, str]]) -> None:
    phrases_shown: dict[str, set[str]] = {}
    for text, start in readable(executed):
        for token in (
            sentence_grammar.parser().parse(text, start=start).scan_values(lambda value: isinstance(value, Token))
        ):
            phrases_shown.setdefault(token.type, set()).add(" ".join(token.split()))
    for name, phrases in phrases_of_the_grammar().items():
        missing = phrases - phrases_shown.get(name, set())
        assert not missing or name == "POSSESSIVE", f"spec/LANGUAGE.md: add an example that says: {sorted(missing)}"


def test_reference_describes_every_key_of_an_edition() -> None:
    text = (SPEC / "LANGUAGE.md").read_text(encoding="utf-8")
    schema = json.loads((SPEC / "edition.schema.json").read_text(encoding="utf-8"))
    parts = [schema, *(schema["$defs"][name] for name in ("piece", "zone", "change set", "role", "option"))]
    keys = {key for part in parts for key in part["properties"]}
    assert len(keys) > 30
    assert not {key for key in keys if f"`{key}`" not in text}


# ── scenarios in SCENARIOS.md ──


@pytest.mark.parametrize("block", [b for b in blocks(SPEC / "SCENARIOS.md") if b.words == ("yaml",)],
                         ids=lambda b: b.location)  # fmt: skip
def test_scenarios_pass(block: Block, tmp_path: Path) -> None:
    """Blocks of the documents that are whole files of cases."""
    read = yaml.load(block.text, yaml.BaseLoader)
    if not isinstance(read, dict) or not {"edition", "cases"} <= read.keys():
        pytest.skip("a part of a file")
    file = tmp_path / "cases.yaml"
    file.write_text(block.text, encoding="utf-8")
    out = io.StringIO()
    assert scenarios.run([str(file)], out) == 0, f"{block.location}\n{out.getvalue()}"


# ── these tests can fail ──


def test_wrong_example_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "DOCUMENT.md"
    file.write_text(
        "```yaml edition a\nrulewright: 1\ntitle: A\nplayers: 2\nphases: {p: {do: end game}}\n```\n"
        "```yaml fragment a\ncounters: {game: {pot: 3}}\n```\n"
        "```yaml cases\nseats: [Ada, Ben]\ncases: {x: {expect: {pot: 4}}}\n```\n"
        "```yaml bad a\nplayers: 3 to 2\n```\n"
        "```text error\nerror[empty-span]: something else\n```\n",
        encoding="utf-8",
    )
    cases, errors = examples(file)
    assert cases.edition["players"] == "2" and cases.edition["counters"] == {"game": {"pot": "3"}}
    with pytest.raises(AssertionError, match="1 failed"):
        test_cases_pass(cases, tmp_path)
    with pytest.raises(AssertionError, match="A span goes from"):
        test_errors_are_reported(errors, tmp_path, monkeypatch)
