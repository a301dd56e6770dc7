"""Names that look alike: whoever reads two of them at one table should be able to tell them apart.

The rule is limited, and plain. Two names look alike if they are the same without regard to capitals, to the width and
form of letters (Unicode's NFKC), to spaces and to characters that cannot be seen; and if they become so when letters of
Greek and Cyrillic are taken for those of the Latin script that look the same, and I, l, 1 and | for each other, and 0
for O. Accents make a difference, and so does everything else.
"""

from __future__ import annotations

import re
from unicodedata import category, normalize

# Latin letters, each with the code points that are drawn the same, by Unicode's table of confusables (UTS 39).
_DRAWN_ALIKE = """
    A 0391 0410   B 0392 0412   C 03F9 0421   E 0395 0415   H 0397 041D   I 0399 0406 04C0   J 037F 0408   K 039A 041A
    M 039C 041C   N 039D        O 039F 041E   P 03A1 0420   S 0405        T 03A4 0422        X 03A7 0425   Y 03A5 04AE
    Z 0396        a 03B1 0430   c 03F2 0441   d 0501        e 0435        h 04BB             i 03B9 0456   j 03F3 0458
    l 04CF        o 03BF 043E 0585 p 03C1 0440 q 051B       s 0455        u 03C5 057D        v 03BD 0475   w 051D
    x 0445        y 0443
"""
MOST_STACKED = 4
"""Signs over and under one letter: Hebrew, Vietnamese and Tibetan take no more."""
_UNSEEN = "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"
"""Characters that take part in words, or count as printed, and show nothing."""

_STROKES = str.maketrans("I1|0", "lllO")


def _latin() -> dict[int, str]:
    found: dict[int, str] = {}
    for letter, codes in re.findall(r"([A-Za-z])((?: +[0-9A-F]{4})+)", " ".join(_DRAWN_ALIKE.split())):
        found |= {int(code, 16): letter for code in codes.split()}
    return found


_LATIN = _latin()


def is_seen(name: str) -> bool:
    """Whether a name shows anything."""
    return any(category(letter)[0] in "LNSP" for letter in _bare(name))


def is_stacked(text: str) -> bool:
    """Whether more signs stand over or under one letter than people write: they would cover the lines around."""
    stacked = 0
    for letter in normalize("NFC", text):
        stacked = stacked + 1 if category(letter) in ("Mn", "Me") else 0
        if stacked > MOST_STACKED:
            return True
    return False


def are_alike(one: str, other: str) -> bool:
    """Whether people could take one name for the other."""
    first, second = (_bare(name).translate(_LATIN) for name in (one, other))
    return first.casefold() == second.casefold() or _strokes(first) == _strokes(second)


def _bare(name: str) -> str:
    """What can be seen of a name, in letters' usual forms."""
    seen = (letter for letter in normalize("NFKC", name) if not letter.isspace() and not _is_unseen(letter))
    return "".join(seen)


def _is_unseen(letter: str) -> bool:
    return letter in _UNSEEN or "\ufe00" <= letter <= "\ufe0f" or category(letter) in ("Cc", "Cf")


def _strokes(name: str) -> str:
    return name.translate(_STROKES).casefold()
