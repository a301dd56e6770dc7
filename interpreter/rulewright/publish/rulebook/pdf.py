"""A rulebook as PDF, for reading and for printing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

from rulewright.publish.printing import typesetting
from rulewright.publish.rulebook.model import BookBlock, Example, Rulebook, Setup, unclear
from rulewright.publish.scores import ScoreSheet

_last: list[tuple[str, str, str]] = []
"""Of the book that was set last, its language, title and edition."""


def document(book: Rulebook, paper: str = "a4") -> bytes:
    """The whole book, with the examples that are to be printed. paper: a4 or a5."""
    this = (book.language, book.title, book.edition)
    if _last and _last != [this]:
        typesetting.forget()  # else each book of a long session would stay in memory for another ten
    _last[:] = [this]
    return typesetting.pdf("rulebook", data(book, paper))


def data(book: Rulebook, paper: str) -> dict[str, Any]:
    """What the template is told."""
    pocket = paper == "a5"
    chapters = [
        replace(chapter, blocks=tuple(block for block in chapter.blocks if _on_paper(block, pocket)))
        for chapter in book.chapters
    ]
    told: dict[str, Any] = plain(replace(book, chapters=tuple(chapter for chapter in chapters if chapter.blocks)))
    return {**told, "paper": paper}


def _on_paper(block: BookBlock, pocket: bool) -> bool:
    """Whether a book on paper has a block: a pocket edition has no sheet to write on, which is cut out by itself."""
    return block.printed if isinstance(block, Example) else not (pocket and isinstance(block, ScoreSheet))


def plain(what: Any) -> Any:
    """The model as JSON; each block says of which kind it is, and tables which of their pieces need names."""
    if isinstance(what, tuple):
        return [plain(item) for item in what]
    if isinstance(what, Mapping):
        return {key: plain(value) for key, value in what.items()}
    if is_dataclass(what) and not isinstance(what, type):
        shown = (
            [what.position]
            if isinstance(what, Setup)
            else [what.before, what.after]
            if isinstance(what, Example)
            else []
        )
        more = {"unclear": sorted(unclear(*shown))} if shown else {}
        told = {field.name: plain(getattr(what, field.name)) for field in fields(what)}
        return {"kind": type(what).__name__} | told | more
    return what
