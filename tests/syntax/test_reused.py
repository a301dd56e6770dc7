"""A file that is read again and again while somebody types: what is reused is what would have been read anew."""

from __future__ import annotations

import random

import pytest

from rulewright.base.diagnostics import Report
from rulewright.model import reader
from rulewright.model.editions import available
from rulewright.model.entries import entries
from rulewright.model.references import uses
from rulewright.syntax import reused, yaml_reader
from rulewright.syntax.reused import ReusedSections, reusing

FILES = ("wild-cards/2022", "classics/reversi", "classics/hearts")


@pytest.mark.parametrize("name", FILES)
def test_the_same_as_if_read_anew(name: str) -> None:
    """After changes by chance: nodes, their places, what is wrong, and what the edition names."""
    path, chance, kept = available()[name], random.Random(name), ReusedSections()
    text = path.read_text("utf-8")
    for _ in range(12):
        at = chance.randrange(len(text))
        text = text[:at] + chance.choice(["\n", " ", "x", "", '"', "- ", "a: b\n"]) + text[at + chance.randrange(3) :]
        with reusing(kept):
            told = Report()
            again = yaml_reader.read(None, text, told, "file")
            edition = reader.read(path, told, name, text=text)
            named = (entries(edition), uses(edition), edition.hash, edition.plays) if edition else None
        anew = Report()
        assert again == yaml_reader.read(None, text, anew, "file")
        fresh = reader.read(path, anew, name, text=text)
        assert named == ((entries(fresh), uses(fresh), fresh.hash, fresh.plays) if fresh else None)
        assert told.diagnostics == anew.diagnostics


def test_what_has_not_changed_is_the_same_node() -> None:
    kept = ReusedSections()
    with reusing(kept):
        before = yaml_reader.read(None, "a: {x: 1}\nb: 2\n", Report(), "file")
    with reusing(kept):
        after = yaml_reader.read(None, "a: {x: 1}\nb: 3\n", Report(), "file")
    assert before is not None and after is not None
    assert before.get("a") is after.get("a") and before.get("b") is not after.get("b")  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "text", ["a: &x 1\nb: *x\n", "a: 1\n---\nb: 2\n", "a: {x: 1,\nb: 2}\n", "a: 1\na: 2\n", "- a\n"]
)
def test_what_is_not_read_section_by_section(text: str) -> None:
    with reusing(ReusedSections()):
        told, anew = Report(), Report()
        found = yaml_reader.read(None, text, told, "file")
    assert found == yaml_reader.read(None, text, anew, "file") and told.diagnostics == anew.diagnostics


def test_nothing_is_kept_that_is_not_asked_for() -> None:
    assert reused.sections("a: 1\n", "file", lambda _: None) is None
