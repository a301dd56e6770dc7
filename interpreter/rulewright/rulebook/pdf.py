"""A rulebook as PDF, for reading and for printing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from rulewright.printing import typesetting
from rulewright.rulebook.model import Rulebook, unclear


def document(book: Rulebook, paper: str = "a4") -> bytes:
    """The whole book. paper: a4 or a5."""
    return typesetting.pdf("rulebook", {**plain(book), "paper": paper, "unclear": sorted(unclear(book))})


def plain(what: Any) -> Any:
    """The model as JSON; each block says of which kind it is."""
    if isinstance(what, tuple):
        return [plain(item) for item in what]
    if isinstance(what, Mapping):
        return {key: plain(value) for key, value in what.items()}
    if is_dataclass(what) and not isinstance(what, type):
        return {"kind": type(what).__name__} | {field.name: plain(getattr(what, field.name)) for field in fields(what)}
    return what
