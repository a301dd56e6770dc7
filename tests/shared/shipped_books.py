"""Rulebooks of the shipped editions, each made once for all tests of a process."""

from __future__ import annotations

from functools import cache

from rulewright.game import library
from rulewright.game.library import Rules
from rulewright.publish.rulebook import book as making
from rulewright.publish.rulebook import pdf
from rulewright.publish.rulebook.changes import base_builder
from rulewright.publish.rulebook.model import Rulebook
from rulewright.publish.rulebook.rulebook_builder import RulebookBuilder


@cache
def contents(name: str, language: str = "en", *options: tuple[str, str]) -> RulebookBuilder:
    """options: those that are not as usual, each with what is chosen."""
    return RulebookBuilder(library.load(name), language, dict(options))


@cache
def book(name: str, language: str = "en", *options: tuple[str, str], changes: bool = False) -> Rulebook:
    result = contents(name, language, *options)
    return making.rulebook(result, base_builder(result) if changes else None)


@cache
def document(name: str, language: str, paper: str) -> bytes:
    """The book as a PDF, which takes seconds."""
    return pdf.document(book(name, language), paper)


def contents_of(rules: Rules, language: str, *, played: bool = True) -> RulebookBuilder:
    """Return the books of an edition; those of a shipped one are made once."""
    shipped = rules.name in library.available() and rules.hash == library.load(rules.name).hash
    return contents(rules.name, language) if shipped else RulebookBuilder(rules, language, played=played)
