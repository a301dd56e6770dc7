"""The back of a box on one page, from a game's rulebook: what it is about, what is inside, for whom, how it looks."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rulewright.publish.printing import PAPERS, typesetting
from rulewright.publish.rulebook import pdf
from rulewright.publish.rulebook.model import Gallery, Rulebook, Setup

MOST_SHOWN = 4
"""Sorts of one kind of component that are drawn."""


def page(book: Rulebook, paper: str) -> bytes:
    """As PDF. paper: one of PAPERS. Raises PrintingError."""
    return typesetting.pdf("box", data(book, paper))


def previews(book: Rulebook, paper: str, dots_per_inch: float = 100.0) -> list[bytes]:
    """The same page as PNG."""
    return typesetting.png("box", data(book, paper), dots_per_inch)


def data(book: Rulebook, paper: str) -> dict[str, Any]:
    """What the template is told: the book without its chapters, what is inside, and the table."""
    blocks = [block for chapter in book.chapters for block in chapter.blocks]
    inside = [
        {
            "title": found.title,
            "count": sum(piece.count for piece in found.pieces),
            "pieces": [pdf.plain(piece) | {"count": 1} for piece in found.pieces[:MOST_SHOWN]],
        }
        for found in blocks
        if isinstance(found, Gallery)
    ]
    title = next((chapter.title for chapter in book.chapters if chapter.anchor == "components"), "")
    table = next((_seen(block) for block in blocks if isinstance(block, Setup)), None)
    told = pdf.data(book, "a4")
    return {
        **told,
        "chapters": [],
        "inside": inside,
        "inside-title": title,
        "table": pdf.plain(table) if table is not None else None,
        "sheet": PAPERS[paper],
    }


def _seen(setup: Setup) -> Setup:
    """The table as a picture: without the numbers of steps, and without what nobody would look at."""
    position = setup.position
    tableaus = tuple(
        replace(
            tableau,
            places=tuple(
                replace(place, numbers=()) for place in tableau.places if any(piece.picture for piece in place.pieces)
            ),
        )
        for tableau in position.tableaus
    )
    return replace(setup, position=replace(position, tableaus=tableaus))
