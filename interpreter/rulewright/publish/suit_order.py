"""Order of suits in a hand: the edition's, but with red and black in turn, as players hold them."""

from __future__ import annotations

import re
from collections.abc import Iterable

from rulewright.model.pictures import PictureError, Pictures

_FILL = re.compile(r'fill="#([0-9a-fA-F]{6})"')
"""Colour of an area in a picture."""
_FEW = 3
"""Fewer suits keep their order."""
_WARM = 64
"""Least difference of red and blue, of 255, at which a colour is rather red or brown."""


def alternating_suits(suits: Iterable[str], pictures: Pictures) -> list[str]:
    """Order suits, given by the names of their signs' pictures, so that like colours are apart where that can be."""
    left, ordered = list(suits), list[str]()
    if len(left) < _FEW:
        return left
    while left:
        last = ordered and _is_warm(ordered[-1], pictures)
        other = [suit for suit in left if not ordered or _is_warm(suit, pictures) != last]
        ordered.append((other or left)[0])
        left.remove(ordered[-1])
    return ordered


def _is_warm(name: str, pictures: Pictures) -> bool:
    """Return whether a picture's uppermost colour is rather red or brown than blue or grey; False for a broken picture.
    name: of the picture."""
    try:
        fills = _FILL.findall(pictures.svg(name))
    except PictureError:
        return False
    red, _, blue = bytes.fromhex(fills[-1]) if fills else (0, 0, 0)
    return red - blue > _WARM
