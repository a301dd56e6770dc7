"""A file that is read again and again while somebody types: what is reused is what would have been read anew."""

from __future__ import annotations

import random

import pytest

from rulewright.base.diagnostics import Report
from rulewright.model import reader
from rulewright.model.editions import available
from rulewright.model.references import uses
from rulewright.model.symbols import symbols
from rulewright.syntax import section_cache, yaml_reader
from rulewright.syntax.section_cache import SectionCache, use_section_cache
from rulewright.syntax.source import MappingNode, Node

FILES = ("wild-cards/2022", "classics/reversi", "classics/hearts")


def in_the_middle(text: str, chance: random.Random) -> str:
    """The text after a change by chance: anywhere, or among the phases, of a character, a word or whole lines."""
    at = chance.randrange(text.find("\nphases:") if chance.random() < 0.7 else 0, len(text))
    if chance.random() < 0.4:
        lines, line = text.split("\n"), text.count("\n", 0, at)
        kind = chance.choice(["again", "gone", "empty", "comment", "deeper"])
        new = {"again": [lines[line]] * 2, "gone": [], "empty": ["", lines[line]]}.get(kind, [])
        new = [f"# {lines[line]}"] if kind == "comment" else [f"  {lines[line]}"] if kind == "deeper" else new
        return "\n".join([*lines[:line], *new, *lines[line + 1 :]])
    return text[:at] + chance.choice(["\n", " ", "x", "", '"', "- ", "a: b\n"]) + text[at + chance.randrange(3) :]


@pytest.mark.parametrize("rounds", [8, pytest.param(100, marks=pytest.mark.long)])
@pytest.mark.parametrize("name", FILES)
def test_the_same_as_if_read_anew(name: str, rounds: int) -> None:
    """After changes by chance: nodes, their places, what is wrong, and what the edition names."""
    path, chance, kept = available()[name], random.Random(f"{name} {rounds}"), SectionCache()
    written = text = path.read_text("utf-8")
    for _ in range(rounds):
        text = in_the_middle(text, chance)
        with use_section_cache(kept):
            told = Report()
            again = yaml_reader.read(None, text, told, "file")
            edition = reader.read(path, told, name, text=text)
            named = (symbols(edition), uses(edition), edition.hash, edition.plays) if edition else None
        anew = Report()
        assert again == yaml_reader.read(None, text, anew, "file")
        fresh = reader.read(path, anew, name, text=text)
        assert named == ((symbols(fresh), uses(fresh), fresh.hash, fresh.plays) if fresh else None)
        assert told.diagnostics == anew.diagnostics
        text = text if again is not None else written  # what YAML does not read is soon nothing but that


def test_what_has_not_changed_is_the_same_node() -> None:
    kept = SectionCache()
    with use_section_cache(kept):
        before = yaml_reader.read(None, "a: {x: 1}\nb: 2\n", Report(), "file")
    with use_section_cache(kept):
        after = yaml_reader.read(None, "a: {x: 1}\nb: 3\n", Report(), "file")
    assert isinstance(before, MappingNode) and isinstance(after, MappingNode)
    assert before.get("a") is after.get("a") and before.get("b") is not after.get("b")


def test_of_a_large_section_only_the_entry_that_changed_is_read() -> None:
    entry = "  {}:\n    do:\n      - end game\n"
    text = "phases:\n" + "".join(entry.format(name) for name in ("dawn", "day", "dusk", "night", "sleep"))
    read: list[Node] = []
    kept = SectionCache()
    for changed in (text, text.replace("end game", "end  game", 1)):
        with use_section_cache(kept):
            found = yaml_reader.read(None, changed, Report(), "file")
        assert isinstance(found, MappingNode)
        read.append(found.entries["phases"])
    before, after = read
    assert isinstance(before, MappingNode) and isinstance(after, MappingNode)
    same = [name for name in before.entries if before.entries[name] is after.entries[name]]
    assert same == ["day", "dusk", "night", "sleep"]


def test_what_has_only_moved_is_not_read_again() -> None:
    kept, read = SectionCache(), list[str]()

    def reading(text: str, depth: int) -> Node | None:
        read.append(text.strip())
        return yaml_reader.read(None, text, Report(), "file")

    for text in ("a: 1\nb: 2\nc: 3\n", "a: 1\n\nb: 2\nc: 3\n"):
        with use_section_cache(kept):
            found = section_cache.read_sections(text, "file", reading)
    assert read == ["a: 1", "b: 2", "c: 3", "a: 1"]
    assert found is not None and [node.place.line for node in found] == [1, 3, 4]


@pytest.mark.parametrize(
    "text", ["a: &x 1\nb: *x\n", "a: 1\n---\nb: 2\n", "a: {x: 1,\nb: 2}\n", "a: 1\na: 2\n", "- a\n", " x\na: 1\n"]
)
def test_what_is_not_read_section_by_section(text: str) -> None:
    with use_section_cache(SectionCache()):
        told, anew = Report(), Report()
        found = yaml_reader.read(None, text, told, "file")
    assert found == yaml_reader.read(None, text, anew, "file") and told.diagnostics == anew.diagnostics


def test_nothing_is_kept_that_is_not_asked_for() -> None:
    assert section_cache.read_sections("a: 1\n", "file", lambda _text, _depth: None) is None
