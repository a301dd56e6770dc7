"""Ends of a game by people instead of rules: somebody gives up or runs out of time, all agree on a draw, or the game is
called off."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rulewright.i18n.localizer import Phrase, phrase

CONCEDED, AGREED, CALLED_OFF = "concession", "draw", "called off"
"""Ways to end: the last opponent gave up, a draw by agreement, and without a result before anybody has really begun."""
_GIVEN_UP = "given up"
"""Key of saves for an end by a concession."""


def early_end_to_json(conceded: Sequence[int], late: frozenset[int], cut_off: str) -> Mapping[str, Any]:
    """Return the entries of a save about an early end: seats that gave up, and how the game was cut off. late: those
    who gave up because their time had run out."""
    return {
        **({"conceded": [*conceded], _GIVEN_UP: cut_off == CONCEDED} if conceded else {}),
        **({"out of time": sorted(late)} if late else {}),
        **({"ended": cut_off} if cut_off in (AGREED, CALLED_OFF) else {}),
    }


def early_end_from_json(save: Mapping[str, Any]) -> tuple[tuple[Any, ...], frozenset[int], str]:
    """Return the values that `early_end_to_json` wrote; the seats are not checked. Raises TypeError, ValueError."""
    conceded, late, ended = save.get("conceded", []), save.get("out of time", []), save.get("ended", "")
    if not isinstance(conceded, list) or not isinstance(late, list) or ended not in ("", AGREED, CALLED_OFF):
        raise ValueError
    if not set(late) <= set(conceded):
        raise ValueError
    return tuple(conceded), frozenset(late), ended or (CONCEDED if save.get(_GIVEN_UP, False) is True else "")


def early_end_texts(names: Sequence[str], conceded: Sequence[int], late: frozenset[int], cut_off: str) -> list[Phrase]:
    """Return phrases that say who has given up or run out of time, and how the game was cut off. late: those whose time
    had run out."""
    texts = [
        phrase("log", "{name} has run out of time.", name=names[seat])
        if seat in late
        else phrase("log", "{name} conceded.", name=names[seat])
        for seat in conceded
    ]
    if cut_off == AGREED:
        texts.append(phrase("log", "A draw by agreement."))
    if cut_off == CALLED_OFF:
        texts.append(phrase("log", "The game was called off."))
    return texts
