"""Every sentence is our own: nothing that people read has eight words in a row with a published rulebook."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

import pytest
from babel.messages.pofile import read_po

from project_folders import ROOT
from rulewright.base import resources
from rulewright.game import library
from rulewright.i18n import languages
from rulewright.publish.rulebook import markdown
from rulewright.syntax.source import MappingNode, Node, Scalar, SequenceNode
from shipped_books import book

PUBLISHED = ROOT.parent / "shared" / "rules"
RUN = 8
EDITIONS = ["wild-cards/2020", "wild-cards/2022", "wildlife/2002"]
FOR_PEOPLE = ("text", "title", "ask", "none", "log", "credits")

pytestmark = pytest.mark.skipif(not PUBLISHED.is_dir(), reason="The published rulebooks are not here.")


def words(text: str) -> list[str]:
    """Words without capitals, punctuation and the hyphens at ends of lines."""
    return re.findall(r"[^\W_]+", re.sub(r"(?<=\w)[-\u00ad]\s*\n\s*(?=\w)", "", text).casefold())


def runs(text: str) -> dict[tuple[str, ...], None]:
    output = words(text)
    results = (tuple(output[at : at + RUN]) for at in range(len(output) - RUN + 1))
    return dict.fromkeys(run for run in results if any(word.isalpha() for word in run))  # figures are facts


@cache
def published() -> frozenset[tuple[str, ...]]:
    files = [path for path in sorted(PUBLISHED.iterdir()) if path.suffix in (".txt", ".md")]
    return frozenset(run for path in files for run in runs(path.read_text("utf-8")))


def texts_of(node: Node, key: str = "") -> Iterator[str]:
    """Yield the texts of an edition, with its slots as they are written, and without them."""
    match node:
        case Scalar():
            if key in FOR_PEOPLE:
                yield from (node.text, re.sub(r"\{[^{}]*\}", " ", node.text))
        case MappingNode():
            for inner, value in node.items():
                yield from texts_of(value, inner.text)
        case SequenceNode():
            for item in node.items:
                yield from texts_of(item, key)


def borrowed(texts: Iterator[str]) -> dict[str, str]:
    """The runs that are not our own, each with the text that has it."""
    return {" ".join(run): text for text in texts for run in runs(text) if run in published()}


@pytest.mark.parametrize("name", EDITIONS)
def test_editions_speak_in_their_own_words(name: str) -> None:
    tree = library.load(name).edition.tree
    assert len(list(texts_of(tree))) > 100
    assert not borrowed(texts_of(tree))


@pytest.mark.rotating(4)
@pytest.mark.parametrize("language", languages.languages())
@pytest.mark.parametrize("name", EDITIONS)
def test_rulebooks_speak_in_their_own_words(name: str, language: str) -> None:
    """Generated sentences count as well, with their figures. The list of pieces is a fact, not a sentence."""
    lines = markdown.text(book(name, language)).splitlines()
    assert not borrowed(line for line in lines if " × " not in line)


@pytest.mark.rotating(4)
def test_translations_speak_in_their_own_words() -> None:
    catalogs = sorted(resources.folder("locales").rglob("*.po"))
    assert catalogs
    for path in catalogs:
        with path.open("rb") as file:
            outputs = [message.string or () for message in read_po(file) if message.id]
        texts = [text for string in outputs for text in ([string] if isinstance(string, str) else string)]
        assert not borrowed(iter(texts)), path


def test_a_borrowed_sentence_is_found() -> None:
    sentence = (PUBLISHED / "wild-cards-2022-en.txt").read_text("utf-8").partition("If you bid the")[2][:120]
    assert borrowed(iter([f"IF YOU bid, the {sentence}!"]))
