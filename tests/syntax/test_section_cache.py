"""A file that is read again while somebody types: reused sections equal those read anew."""

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
    """Return a text with a random change, anywhere or among the phases: of a character, a word or whole lines."""
    offset = chance.randrange(text.find("\nphases:") if chance.random() < 0.7 else 0, len(text))
    if chance.random() < 0.4:
        lines, line = text.split("\n"), text.count("\n", 0, offset)
        kind = chance.choice(["again", "gone", "empty", "comment", "deeper"])
        new = {"again": [lines[line]] * 2, "gone": [], "empty": ["", lines[line]]}.get(kind, [])
        new = [f"# {lines[line]}"] if kind == "comment" else [f"  {lines[line]}"] if kind == "deeper" else new
        return "\n".join([*lines[:line], *new, *lines[line + 1 :]])
    return (
        text[:offset] + chance.choice(["\n", " ", "x", "", '"', "- ", "a: b\n"]) + text[offset + chance.randrange(3) :]
    )


@pytest.mark.rotating(2)
@pytest.mark.parametrize("rounds", [8, pytest.param(100, marks=pytest.mark.long)])
@pytest.mark.parametrize("name", FILES)
def test_reused_sections_equal_those_read_anew(name: str, rounds: int) -> None:
    """Nodes, places, diagnostics and names are the same after random changes."""
    path, chance, sections = available()[name], random.Random(f"{name} {rounds}"), SectionCache()
    original = text = path.read_text("utf-8")
    for _ in range(rounds):
        text = in_the_middle(text, chance)
        with use_section_cache(sections):
            report = Report()
            again = yaml_reader.read(None, text, report, "file")
            edition = reader.read(path, report, name, text=text)
            names = (symbols(edition), uses(edition), edition.hash, edition.play_digest) if edition else None
        anew = Report()
        assert again == yaml_reader.read(None, text, anew, "file")
        uncached = reader.read(path, anew, name, text=text)
        assert names == ((symbols(uncached), uses(uncached), uncached.hash, uncached.play_digest) if uncached else None)
        assert report.diagnostics == anew.diagnostics
        text = text if again is not None else original  # what YAML does not read is soon nothing but that


def test_unchanged_sections_are_the_same_nodes() -> None:
    sections = SectionCache()
    with use_section_cache(sections):
        before = yaml_reader.read(None, "a: {x: 1}\nb: 2\n", Report(), "file")
    with use_section_cache(sections):
        after = yaml_reader.read(None, "a: {x: 1}\nb: 3\n", Report(), "file")
    assert isinstance(before, MappingNode) and isinstance(after, MappingNode)
    assert before.get("a") is after.get("a") and before.get("b") is not after.get("b")


def test_only_the_changed_entry_of_a_large_section_is_read() -> None:
    entry = "  {}:\n    do:\n      - end game\n"
    text = "phases:\n" + "".join(entry.format(name) for name in ("dawn", "day", "dusk", "night", "sleep"))
    read: list[Node] = []
    sections = SectionCache()
    for changed in (text, text.replace("end game", "end  game", 1)):
        with use_section_cache(sections):
            node = yaml_reader.read(None, changed, Report(), "file")
        assert isinstance(node, MappingNode)
        read.append(node.entries["phases"])
    before, after = read
    assert isinstance(before, MappingNode) and isinstance(after, MappingNode)
    same = [name for name in before.entries if before.entries[name] is after.entries[name]]
    assert same == ["day", "dusk", "night", "sleep"]


def test_moved_sections_are_not_read_again() -> None:
    sections, read = SectionCache(), list[str]()

    def reading(text: str, depth: int) -> Node | None:
        read.append(text.strip())
        return yaml_reader.read(None, text, Report(), "file")

    for text in ("a: 1\nb: 2\nc: 3\n", "a: 1\n\nb: 2\nc: 3\n"):
        with use_section_cache(sections):
            nodes = section_cache.read_sections(text, "file", reading)
    assert read == ["a: 1", "b: 2", "c: 3", "a: 1"]
    assert nodes is not None and [node.place.line for node in nodes] == [1, 3, 4]


@pytest.mark.parametrize(
    "text", ["a: &x 1\nb: *x\n", "a: 1\n---\nb: 2\n", "a: {x: 1,\nb: 2}\n", "a: 1\na: 2\n", "- a\n", " x\na: 1\n"]
)
def test_files_that_cannot_be_read_by_sections(text: str) -> None:
    with use_section_cache(SectionCache()):
        report, anew = Report(), Report()
        node = yaml_reader.read(None, text, report, "file")
    assert node == yaml_reader.read(None, text, anew, "file") and report.diagnostics == anew.diagnostics


def test_sections_are_read_only_within_a_cache() -> None:
    assert section_cache.read_sections("a: 1\n", "file", lambda _text, _depth: None) is None
