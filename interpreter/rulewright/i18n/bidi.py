"""Text that runs both ways: what is inserted keeps its own direction, and lines keep their order.

What Unicode calls an isolate (Unicode Standard Annex 9) stands around a name, so that its letters and digits do not mix
with what is beside it. Texts from files may hold such characters too; only pairs are left, so that none of them
reaches out of what it was inserted into.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache

OPEN, CLOSE = "\u2068", "\u2069"
"""The beginning and the end of an isolate, whose direction is that of its first letter."""
LEFT_TO_RIGHT, RIGHT_TO_LEFT = "\u200e", "\u200f"
"""A mark without width that counts as a letter of its direction."""
MARKS = OPEN + CLOSE + LEFT_TO_RIGHT + RIGHT_TO_LEFT

OVERRIDES = re.compile("[\u202a-\u202e\u2066-\u2069]")
"""Characters that change the order of what is behind them."""
_PAIRS = re.compile(f"[{OPEN}{CLOSE}]")
_ALL = re.compile(f"[{MARKS}]")
_NO_BREAK = re.compile("[\xa0\u202f]")
_GAPS = re.compile(" {2,}")
_BLANKS = re.compile(" +")
_DRAWN = frozenset("│┌┐└┘├┤┬┴┼╴╶╵╷")


@lru_cache(maxsize=10_000)
def runs_right_to_left(text: str) -> bool:
    """Whether any of a text is written from right to left."""
    return not text.isascii() and any(unicodedata.bidirectional(c) in ("R", "AL", "AN") for c in text)


def balanced(text: str) -> str:
    """A text in which every isolate that begins also ends, and no other ends."""
    return _closed(text)[0]


def isolated(text: str) -> str:
    """A text that stands for itself, whatever is beside it."""
    return f"{OPEN}{balanced(text)}{CLOSE}" if text else ""


def bare(text: str) -> str:
    """A text without marks of direction, and with plain blanks, as it is typed."""
    return _NO_BREAK.sub(" ", _ALL.sub("", text))


def over_lines(lines: Iterable[str]) -> list[str]:
    """The lines of a broken text: an isolate that goes on in the next line ends and begins again."""
    told, depth = [], 0
    for line in lines:
        whole, depth = _closed(OPEN * depth + line)
        told.append(whole)
    return told


def in_order(parts: Sequence[str], right_to_left: bool) -> list[str]:
    """The parts of a line with marks that hold its direction and its columns: blanks in a row stand between columns.

    In what is drawn with lines, which would fall apart from right to left, every blank does.
    """
    whole = "".join(parts)
    if not right_to_left and not runs_right_to_left(whole):
        return list(parts)
    drawn = not _DRAWN.isdisjoint(whole)
    mark = RIGHT_TO_LEFT if right_to_left and not drawn else LEFT_TO_RIGHT
    gaps = (_BLANKS if drawn else _GAPS).finditer(whole)
    places = {0, *(place for gap in gaps for place in gap.span())}
    told, at = [], 0
    for part in parts:
        told.append("".join(mark * (at + number in places) + character for number, character in enumerate(part)))
        at += len(part)
    return told


def _closed(text: str) -> tuple[str, int]:
    """A balanced text, and how many isolates had to be ended at its end."""
    if not _PAIRS.search(text):
        return text, 0
    kept, depth = [], 0
    for character in text:
        if character == CLOSE and depth == 0:
            continue
        depth += (character == OPEN) - (character == CLOSE)
        kept.append(character)
    return "".join(kept) + CLOSE * depth, depth
