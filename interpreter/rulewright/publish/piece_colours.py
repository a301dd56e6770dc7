"""Colours of pieces without a picture: those that their words are named after."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from rulewright.model.declarations import NUMBER, NUMBERS, Kind
from rulewright.model.edition import Edition
from rulewright.publish.abbreviations import abbreviate

ColourPair = tuple[str, str]
"""Fill colour of a piece, and colour of the text on it."""

_INK, _CREAM = "#2e2430", "#fffdf6"
"""Dark and light colour of text on pieces and of pieces in black and white."""
COLOURS: Mapping[str, ColourPair] = {
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
"""Fill and text colours by English word; each fill is light or dark enough for its text to be readable."""


def piece_colour(edition: Edition, kind: Kind, row: Sequence[int]) -> tuple[str, ColourPair] | None:
    """Return the first attribute of a piece that names a colour, and that colour; None if none does."""
    for (name, list_name), value in zip(kind.attributes.items(), row, strict=True):
        if (
            list_name not in NUMBERS
            and value >= 0
            and (colour := COLOURS.get(edition.words[list_name].words[value].name))
        ):
            return name, colour
    return None


def disc_letters(names: Iterable[str]) -> Mapping[str, str]:
    """Return the text on discs without a picture, by name: its abbreviation among these names, with a capital; its
    first two letters, if three cannot tell all apart."""
    abbreviations = abbreviate(tuple(dict.fromkeys(names)))
    return {name: (name[:2] if short.isdigit() else short).capitalize() for name, short in abbreviations.items()}


def other_colour(edition: Edition, kind: Kind, row: Sequence[int]) -> str:
    """Return the colour that readers may choose for a piece's pictures, as its looks have it for the first of its words
    that has one; '' for none."""
    look = edition.looks.get(kind.name)
    colours = look.colours if look else {}
    pairs = zip(kind.attributes.values(), row, strict=True)
    words = (edition.words[name].words[value].name for name, value in pairs if name != NUMBER and value >= 0)
    return next((colours[word] for word in words if word in colours), "")
