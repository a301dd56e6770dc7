"""Rulebook as PDF, for reading and for printing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

from rulewright.publish.printing import typesetting
from rulewright.publish.rulebook.model import BookBlock, Example, Rulebook, Setup, ambiguous_names
from rulewright.publish.scores import ScoreSheet

_last: list[tuple[str, str, str]] = []
"""Language, title and edition of the last book."""


def document(book: Rulebook, paper: str = "a4") -> bytes:
    """Typeset the whole book, with the examples for print. paper: a4 or a5. Raises PrintingError."""
    current = (book.language, book.title, book.edition)
    if _last and _last != [current]:
        typesetting.clear_cache()  # else each book of a long session would stay in memory for another ten
    _last[:] = [current]
    return typesetting.pdf("rulebook", template_data(book, paper))


def template_data(book: Rulebook, paper: str) -> dict[str, Any]:
    """Return the data of the template: the book as JSON, without the blocks that are not printed and chapters without
    any others. paper: a4 or a5."""
    pocket = paper == "a5"
    chapters = [
        replace(chapter, blocks=tuple(block for block in chapter.blocks if _is_printed(block, pocket)))
        for chapter in book.chapters
    ]
    book_data: dict[str, Any] = to_json(
        replace(book, chapters=tuple(chapter for chapter in chapters if chapter.blocks))
    )
    return {**book_data, "paper": paper}


def _is_printed(block: BookBlock, pocket: bool) -> bool:
    """Return whether a book on paper includes a block: a pocket edition has no score sheet, which is cut out
    separately."""
    return block.printed if isinstance(block, Example) else not (pocket and isinstance(block, ScoreSheet))


def to_json(value: Any) -> Any:
    """Turn the model into JSON; each block has its kind, and each table the ambiguous names of its pieces."""
    if isinstance(value, tuple):
        return [to_json(item) for item in value]
    if isinstance(value, Mapping):
        return {key: to_json(item) for key, item in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        tables = (
            [value.position]
            if isinstance(value, Setup)
            else [value.before, value.after]
            if isinstance(value, Example)
            else []
        )
        extra = {"unclear": sorted(ambiguous_names(*tables))} if tables else {}
        fields_ = {field.name: to_json(getattr(value, field.name)) for field in fields(value)}
        return {"kind": type(value).__name__} | fields_ | extra
    return value
