"""Bidirectional text: inserted text keeps its own direction, and lines keep their order.

An isolate (Unicode Standard Annex 9) is put around a name, so that its letters and digits do not mix
with neighbouring text. Texts from files may hold such characters too; only pairs are left, so that none of them
affects the text around it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache

OPEN, CLOSE = "\u2068", "\u2069"
"""Start and end of an isolate, whose direction is that of its first letter."""
LEFT_TO_RIGHT, RIGHT_TO_LEFT = "\u200e", "\u200f"
"""Invisible marks that count as a letter of their direction."""
MARKS = OPEN + CLOSE + LEFT_TO_RIGHT + RIGHT_TO_LEFT
"""Characters of this module's: isolates, and marks of direction."""

OVERRIDES = re.compile("[\u202a-\u202e\u2066-\u2069]")
"""Characters that change the order of the text after them, OPEN and CLOSE among them."""
_PAIRS = re.compile(f"[{OPEN}{CLOSE}]")
"""Begin or end of an isolate."""
_ALL = re.compile(f"[{MARKS}]")
"""Any of MARKS."""
_NO_BREAK = re.compile("[\xa0\u202f]")
"""No-break blanks, wide and narrow."""
_GAPS = re.compile(" {2,}")
"""Gaps between columns, at which an ordinary line is split."""
_BLANKS = re.compile(" +")
"""Gaps at which a line of a drawing is split."""
_LINE_CHARACTERS = frozenset("│┌┐└┘├┤┬┴┼╴╶╵╷")
"""Characters by which a line is known as one of a drawing."""


@lru_cache(maxsize=10_000)
def runs_right_to_left(text: str) -> bool:
    """Whether any character of a text is written from right to left, or is an Arabic digit."""
    return not text.isascii() and any(unicodedata.bidirectional(c) in ("R", "AL", "AN") for c in text)


def balance(text: str) -> str:
    """Return a text with paired isolate marks only."""
    return _close_isolates(text)[0]


def isolate(text: str) -> str:
    """Enclose a text in an isolate; '' stays as it is."""
    return f"{OPEN}{balance(text)}{CLOSE}" if text else ""


def plain_text(text: str) -> str:
    """Remove direction marks, and make all blanks plain, as typed."""
    return _NO_BREAK.sub(" ", _ALL.sub("", text))


def isolate_lines(lines: Iterable[str]) -> list[str]:
    """Close all open isolates at the end of each line of a broken text, and open them again in the next."""
    result, depth = [], 0
    for line in lines:
        whole, depth = _close_isolates(OPEN * depth + line)
        result.append(whole)
    return result


def fix_order(parts: Sequence[str], right_to_left: bool) -> list[str]:
    """Return the parts of one line with marks that fix its direction and its columns, which are separated by repeated
    blanks.

    right_to_left: direction of the language; without it, a line changes only if it holds such letters. In line
    drawings, which would fall apart from right to left, every blank separates columns.
    """
    whole = "".join(parts)
    if not right_to_left and not runs_right_to_left(whole):
        return list(parts)
    is_drawing = not _LINE_CHARACTERS.isdisjoint(whole)
    mark = RIGHT_TO_LEFT if right_to_left and not is_drawing else LEFT_TO_RIGHT
    gaps = (_BLANKS if is_drawing else _GAPS).finditer(whole)
    places = {0, *(place for gap in gaps for place in gap.span())}
    result, position = [], 0
    for part in parts:
        result.append(
            "".join(mark * (position + number in places) + character for number, character in enumerate(part))
        )
        position += len(part)
    return result


def _close_isolates(text: str) -> tuple[str, int]:
    """Balance a text; return it with the number of isolates closed at its end."""
    if not _PAIRS.search(text):
        return text, 0
    characters, depth = [], 0
    for character in text:
        if character == CLOSE and depth == 0:
            continue
        depth += (character == OPEN) - (character == CLOSE)
        characters.append(character)
    return "".join(characters) + CLOSE * depth, depth
