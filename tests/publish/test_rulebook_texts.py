"""Recorded rulebooks: their words stay the same until somebody records them anew."""

from __future__ import annotations

import re

import pytest

import rulebooks
from game_servers import GUESSING
from rulewright.game import library
from rulewright.publish.rulebook import book as making
from rulewright.publish.rulebook import markdown
from rulewright.publish.rulebook.rulebook_builder import RulebookBuilder
from shipped_books import book

RECORD = "If the change is meant, record the books again (python tools/rulebooks.py) and read the difference."


@pytest.mark.rotating(2)
@pytest.mark.parametrize(("name", "language"), rulebooks.books())
def test_a_book_has_the_recorded_words(name: str, language: str) -> None:
    assert markdown.text(book(name, language)) == rulebooks.file(name, language).read_text(encoding="utf-8"), RECORD


def test_every_book_is_recorded_once_and_nothing_else() -> None:
    files = [rulebooks.file(name, language) for name, language in rulebooks.books()]
    assert sorted(files) == sorted(rulebooks.FOLDER.rglob("*.*")), RECORD


@pytest.mark.parametrize(("name", "language"), rulebooks.books())
def test_no_sentence_ends_twice(name: str, language: str) -> None:
    assert not re.search(r"[^.]\.\.(\s|$)", markdown.text(book(name, language)))


def test_a_game_without_credits_is_its_writers_own() -> None:
    """The book of such a game names no other publisher."""
    book = markdown.text(making.rulebook(RulebookBuilder(library.from_text(GUESSING, "guessing.yaml"), "en")))
    assert "# Guessing" in book and "independently" not in book
    theirs = library.from_text(f"credits: Designed by Ada Muster\n{GUESSING}", "guessing.yaml")
    assert "independently" in markdown.text(making.rulebook(RulebookBuilder(theirs, "en")))
