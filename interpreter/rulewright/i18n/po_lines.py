"""Strict reader of a catalog's lines, like gettext's; Babel takes some errors for text."""

from __future__ import annotations

import re
from collections.abc import Iterator

_LINE = re.compile(r'(?:(msgctxt|msgid_plural|msgid|msgstr(?:\[[0-9]+\])?)\s*)?"((?:[^"\\]|\\.)*)"')
"""Line of a catalog with a text, without comments."""
_EXPECTED = 'expected a text in quotes, as in msgstr "…"; a quote inside it is written \\"'
"""Message on a line that is none."""


class PoLineError(ValueError):
    """Error: an invalid line; the text says why. line: from 1."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.line = line


def entries(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield the line, from 1, the context and the English text of each message that is not obsolete, the head's ''
    among them; texts with their escapes. Raises PoLineError."""
    first_line, keyword, texts = 0, "", {"": ""}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        match = _LINE.fullmatch(line.strip())
        if match is None or not (match[1] or keyword):
            raise PoLineError(_EXPECTED, number)
        if match[1] == "msgctxt" or (match[1] == "msgid" and keyword != "msgctxt"):
            first_line, texts = number, {}
        if match[1] in texts or (match[1] and match[1] not in ("msgctxt", "msgid") and "msgid" not in texts):
            raise PoLineError(f"there is a {match[1]} too many", number)
        keyword = match[1] or keyword
        texts[keyword] = texts.get(keyword, "") + match[2]
        if match[1] in ("msgstr", "msgstr[0]"):
            yield first_line, texts.get("msgctxt", ""), texts["msgid"]
    if keyword and not keyword.startswith("msgstr"):
        raise PoLineError("a msgstr is missing", first_line)
