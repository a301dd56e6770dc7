"""A rulebook as PDF, for reading and for printing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

from rulewright.publish.printing import typesetting
from rulewright.publish.rulebook.model import BookBlock, Example, Rulebook, Setup, unclear


def document(book: Rulebook, paper: str = "a4") -> bytes:
    """The whole book, with the examples that are to be printed. paper: a4 or a5."""
    return typesetting.pdf("rulebook", data(book, paper))


def data(book: Rulebook, paper: str) -> dict[str, Any]:
    """What the template is told."""
    chapters = [replace(chapter, blocks=tuple(filter(_on_paper, chapter.blocks))) for chapter in book.chapters]
    told: dict[str, Any] = plain(replace(book, chapters=tuple(chapter for chapter in chapters if chapter.blocks)))
    return {**told, "paper": paper}


def _on_paper(block: BookBlock) -> bool:
    return not isinstance(block, Example) or block.printed


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
