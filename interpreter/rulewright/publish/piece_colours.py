"""The colours of pieces without a picture: those that their words are called by."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from rulewright.model.declarations import NUMBERS, Edition, Kind
from rulewright.publish.abbreviations import marks

Paint = tuple[str, str]
"""What fills a piece, and what is written on it."""

_INK, _CREAM = "#2e2430", "#fffdf6"
PAINTS: Mapping[str, Paint] = {
    "black": (_INK, _CREAM),
    "blue": ("#27508a", _CREAM),
    "brown": ("#6b4226", _CREAM),
    "gray": ("#6f757d", _CREAM),
    "green": ("#2f6b4f", _CREAM),
    "grey": ("#6f757d", _CREAM),
    "orange": ("#e98a2b", _INK),
    "pink": ("#eba3b0", _INK),
    "purple": ("#6a3d7c", _CREAM),
    "red": ("#b5432a", _CREAM),
    "violet": ("#6a3d7c", _CREAM),
    "white": (_CREAM, _INK),
    "yellow": ("#f6be45", _INK),
}
"""What can be read on each is dark or light enough."""


def painted(edition: Edition, kind: Kind, row: Sequence[int]) -> tuple[str, Paint] | None:
    """The attribute of a piece that names a colour, and that colour; None for no piece of one colour."""
    for (name, of), value in zip(kind.attributes.items(), row, strict=True):
        if of not in NUMBERS and value >= 0 and (found := PAINTS.get(edition.words[of].words[value].name)):
            return name, found
    return None


def letters(names: Iterable[str]) -> Mapping[str, str]:
    """What stands on discs without a picture: of each name its first letters, as many as tell it from the others."""
    found = marks(tuple(dict.fromkeys(names)))
    return {name: (name[:2] if mark.isdigit() else mark).capitalize() for name, mark in found.items()}
