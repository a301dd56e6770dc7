"""Back of the game's box on one page, from its rulebook: description, components, facts, and a picture of the table."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rulewright.publish.printing import PAPERS, typesetting
from rulewright.publish.rulebook import pdf
from rulewright.publish.rulebook.model import Gallery, Rulebook, Setup

MAX_SHOWN = 4
"""Limit of drawn sorts of one kind of component."""


def page(book: Rulebook, paper: str) -> bytes:
    """Typeset the page as PDF. paper: one of PAPERS. Raises PrintingError."""
    return typesetting.pdf("box", template_data(book, paper))


def previews(book: Rulebook, paper: str, dots_per_inch: float = 100.0) -> list[bytes]:
    """Typeset the page as PNG. Raises PrintingError."""
    return typesetting.png("box", template_data(book, paper), dots_per_inch)


def template_data(book: Rulebook, paper: str) -> dict[str, Any]:
    """Return the data of the template: the book without its chapters, the components, and the table."""
    blocks = [block for chapter in book.chapters for block in chapter.blocks]
    components = [
        {
            "title": gallery.title,
            "count": sum(piece.count for piece in gallery.pieces),
            "pieces": [pdf.to_json(piece) | {"count": 1} for piece in gallery.pieces[:MAX_SHOWN]],
        }
        for gallery in blocks
        if isinstance(gallery, Gallery)
    ]
    title = next((chapter.title for chapter in book.chapters if chapter.anchor == "components"), "")
    table = next((_pictured_setup(block) for block in blocks if isinstance(block, Setup)), None)
    book_data = pdf.template_data(book, "a4")
    return {
        **book_data,
        "chapters": [],
        "inside": components,
        "inside-title": title,
        "table": pdf.to_json(table) if table is not None else None,
        "sheet": PAPERS[paper],
    }


def _pictured_setup(setup: Setup) -> Setup:
    """Return the table without the numbers of steps, and without zones that show no picture."""
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
