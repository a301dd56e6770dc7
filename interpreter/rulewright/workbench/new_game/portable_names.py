"""File names that are valid on every system."""

from __future__ import annotations

import re
import unicodedata

from rulewright.i18n.localizer import Phrase, phrase

MAX_LENGTH, MAX_BYTES = 80, 200
"""Limits of one part of a path."""
_FORBIDDEN = '<>:"/\\|?*'
"""Characters that names on Windows cannot have."""
_RESERVED = re.compile(r"(?i)(con|prn|aux|nul|com\d|lpt\d)(\..*)?")
"""Names of devices on Windows, also with any suffix."""
_FORBIDDEN_FIRST = ".-~"
"""Characters that no name begins with: such files are hidden, or taken for options or backups."""


def obstacle(part: str) -> Phrase | None:
    """Say why a part of a path is not valid on every system; None if it is valid."""
    if not part:
        return phrase("errors", "it is empty")
    if len(part) > MAX_LENGTH or len(part.encode("utf-8", "replace")) > MAX_BYTES:
        return phrase("errors", "it is too long")
    if sign := next((sign for sign in part if not _is_plain(sign)), ""):
        return phrase("errors", "'{sign}' is in it", sign=_printable(sign))
    if part[0] in _FORBIDDEN_FIRST or _is_blank(part[0]):
        return phrase("errors", "it begins with '{sign}'", sign=part[0])
    if part[-1] == "." or _is_blank(part[-1]):
        return phrase("errors", "it ends with '{sign}'", sign=part[-1])
    return phrase("errors", "Windows keeps it for itself") if _RESERVED.fullmatch(part) else None


def _is_plain(sign: str) -> bool:
    """Return whether every system allows a character within a name."""
    return sign not in _FORBIDDEN and (sign.isprintable() or _is_blank(sign))


def _is_blank(sign: str) -> bool:
    return unicodedata.category(sign) == "Zs"


def _printable(sign: str) -> str:
    """Return a character, or its code if it cannot be shown."""
    return sign if sign.isprintable() else f"U+{ord(sign):04X}"
