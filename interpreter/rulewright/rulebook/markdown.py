"""A rulebook as Markdown: its words, for whoever lays them out elsewhere. Pictures are left out."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulewright.rulebook.model import Block, Box, Gallery, Paragraph, Rule, Rulebook

_MEANT = re.compile(r"([\\`*_{}\[\]<>#|~&])|^(\s*)([-+]|\d+[.)])(?=\s)")


def text(book: Rulebook) -> str:
    """The whole text."""
    return "\n\n".join(_paragraphs(book)) + "\n"


def _paragraphs(book: Rulebook) -> Iterator[str]:
    yield f"# {_plain(f'{book.title} {book.edition}'.strip())}"
    yield _plain(book.text)
    yield "\n".join(f"- {_plain(name)}: {_plain(value)}" for name, value in book.facts)
    for chapter in book.chapters:
        yield f"## {_plain(chapter.title)}"
        for block in chapter.blocks:
            yield from _block(block, "###")


def _block(block: Block, heading: str) -> Iterator[str]:
    match block:
        case Paragraph(text):
            yield _plain(text)
        case Rule(_, title, text):
            yield f"{heading} {_plain(title)}"
            yield _plain(text)
        case Gallery(pieces=pieces):
            yield "\n".join(f"- {piece.count} × {_plain(piece.name)}" for piece in pieces)
        case Box(title, blocks):
            yield f"{heading} {_plain(title)}"
            for inner in blocks:
                yield from _block(inner, f"{heading}#")


def _plain(text: str) -> str:
    """A text without what Markdown takes for its own."""
    return _MEANT.sub(lambda found: f"\\{found[1]}" if found[1] else f"{found[2]}\\{found[3]}", " ".join(text.split()))
