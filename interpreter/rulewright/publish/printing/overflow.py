"""Texts that do not fit on what is cut out, told with the name of the card or part that they stand on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from rulewright.publish.printing.typesetting import NoRoom, PrintingError

_MOST_TOLD = 12

_SAID = {
    "index": "the corner of '{name}' is too long for it",
    "name": "the name '{name}' is too long for its card",
    "text": "the text of '{name}' is too long for its card",
    "label": "the name '{name}' is too long for its part: make it wider, or give it a picture",
    "number": "what stands in the middle of '{name}' is too long for it",
    "width": "'{name}' is wider than the paper",
    "chart": "the chart '{name}' is higher than the paper",
    "line": "the score line '{name}' is too long for its sheet",
}


def told(name: str, part: str) -> str:
    """What does not fit, in words."""
    return _SAID[part].format(name=name)


@contextmanager
def naming(things: Sequence[Mapping[str, Any]]) -> Iterator[None]:
    """Where cards or parts are set: raise PrintingError with the names of all that do not fit."""
    try:
        yield
    except NoRoom as error:
        wrong = [told(things[number]["name"], part) for number, part in error.parts]
        more = [f"and {len(wrong) - _MOST_TOLD} more"] if len(wrong) > _MOST_TOLD else []
        first, *others = [*wrong[:_MOST_TOLD], *more]
        text = "; ".join([first[0].upper() + first[1:], *others])
        raise PrintingError(f"{text}. Even small letters need more room.") from None
