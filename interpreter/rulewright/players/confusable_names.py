"""Confusable names: names that people at one table could take for each other.

The rule is narrow. Two names are confusable if they are equal without regard to capitals, to the width and form of
letters (Unicode's NFKC), to spaces and to invisible characters; or if they become equal when letters of Greek and
Cyrillic stand for the Latin letters that look the same, I, l, 1 and | for each other, and 0 for O. Accents make a
difference, and so does everything else.
"""

from __future__ import annotations

import re
from unicodedata import category, normalize

_LOOKALIKES = """
    A 0391 0410   B 0392 0412   C 03F9 0421   E 0395 0415   H 0397 041D   I 0399 0406 04C0   J 037F 0408   K 039A 041A
    M 039C 041C   N 039D        O 039F 041E   P 03A1 0420   S 0405        T 03A4 0422        X 03A7 0425   Y 03A5 04AE
    Z 0396        a 03B1 0430   c 03F2 0441   d 0501        e 0435        h 04BB             i 03B9 0456   j 03F3 0458
    l 04CF        o 03BF 043E 0585 p 03C1 0440 q 051B       s 0455        u 03C5 057D        v 03BD 0475   w 051D
    x 0445        y 0443
"""
"""Latin letters, each with the code points that are drawn the same, by Unicode's table of confusables (UTS 39)."""
MAX_COMBINING_MARKS = 4
"""Limit of combining marks over and under one letter: Hebrew, Vietnamese and Tibetan need no more."""
_INVISIBLE = "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"
"""Characters that count as parts of words, or as printed, and show nothing."""

_STROKES = str.maketrans("I1|0", "lllO")
"""Characters that are one stroke, as the same letter."""


def _latin_by_code_point() -> dict[int, str]:
    """Map the code points of Greek and Cyrillic letters to the Latin letters that look the same."""
    letters: dict[int, str] = {}
    for letter, codes in re.findall(r"([A-Za-z])((?: +[0-9A-F]{4})+)", " ".join(_LOOKALIKES.split())):
        letters |= {int(code, 16): letter for code in codes.split()}
    return letters


_LATIN = _latin_by_code_point()
"""Code point that looks like a Latin letter -> that letter."""


def is_visible(name: str) -> bool:
    """Return whether a name shows anything."""
    return any(category(letter)[0] in "LNSP" for letter in _visible_letters(name))


def has_stacked_marks(text: str) -> bool:
    """Return whether a letter carries more combining marks than any script needs, over the lines around it."""
    marks = 0
    for letter in normalize("NFC", text):
        marks = marks + 1 if category(letter) in ("Mn", "Me") else 0
        if marks > MAX_COMBINING_MARKS:
            return True
    return False


def are_confusable(one: str, other: str) -> bool:
    """Return whether people could take one name for the other."""
    first, second = (_visible_letters(name).translate(_LATIN) for name in (one, other))
    return first.casefold() == second.casefold() or _merge_strokes(first) == _merge_strokes(second)


def _visible_letters(name: str) -> str:
    """Reduce a name to its visible letters, in their usual forms."""
    visible = (letter for letter in normalize("NFKC", name) if not letter.isspace() and not _is_invisible(letter))
    return "".join(visible)


def _is_invisible(letter: str) -> bool:
    return letter in _INVISIBLE or "\ufe00" <= letter <= "\ufe0f" or category(letter) in ("Cc", "Cf")


def _merge_strokes(name: str) -> str:
    return name.translate(_STROKES).casefold()
