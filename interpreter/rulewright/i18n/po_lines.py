"""The lines of a catalog's file, read as strictly as gettext reads them; Babel takes some mistakes for text."""

from __future__ import annotations

import re
from collections.abc import Iterator

_LINE = re.compile(r'(?:(msgctxt|msgid_plural|msgid|msgstr(?:\[[0-9]+\])?)\s*)?"((?:[^"\\]|\\.)*)"')
_EXPECTED = 'expected a text in quotes, as in msgstr "…"; a quote inside it is written \\"'


class LineError(ValueError):
    """A line that cannot stand there; the text says why. line: counted from 1."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.line = line


def entries(text: str) -> Iterator[tuple[int, str, str]]:
    """For each text to translate its line, its context and its English text, as they are written. Raises LineError."""
    begun, keyword, found = 0, "", {"": ""}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        match = _LINE.fullmatch(line.strip())
        if match is None or not (match[1] or keyword):
            raise LineError(_EXPECTED, number)
        if match[1] == "msgctxt" or (match[1] == "msgid" and keyword != "msgctxt"):
            begun, found = number, {}
        if match[1] in found or (match[1] and match[1] not in ("msgctxt", "msgid") and "msgid" not in found):
            raise LineError(f"there is a {match[1]} too many", number)
        keyword = match[1] or keyword
        found[keyword] = found.get(keyword, "") + match[2]
        if match[1] in ("msgstr", "msgstr[0]"):
            yield begun, found.get("msgctxt", ""), found["msgid"]
    if keyword and not keyword.startswith("msgstr"):
        raise LineError("a msgstr is missing", begun)
