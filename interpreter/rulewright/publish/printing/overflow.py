"""Messages about texts that do not fit, with the name of their card or part."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from rulewright.publish.printing.typesetting import NoRoom, PrintingError

_MAX_NAMED = 12
"""Limit of texts that a message names."""

_MESSAGES = {
    "index": "the corner of '{name}' is too long for it",
    "name": "the name '{name}' is too long for its card",
    "text": "the text of '{name}' is too long for its card",
    "label": "the name '{name}' is too long for its part: make it wider, or give it a picture",
    "number": "what stands in the middle of '{name}' is too long for it",
    "width": "'{name}' is wider than the paper",
    "chart": "the chart '{name}' is higher than the paper",
    "line": "the score line '{name}' is too long for its sheet",
}
"""Messages by the part of a card or sheet whose text does not fit."""


def overflow_message(name: str, part: str) -> str:
    """Return the message about a text that does not fit."""
    return _MESSAGES[part].format(name=name)


@contextmanager
def naming_overflow(things: Sequence[Mapping[str, Any]]) -> Iterator[None]:
    """Turn NoRoom into a PrintingError with the names of all cards or parts whose texts do not fit."""
    try:
        yield
    except NoRoom as error:
        messages = [overflow_message(things[number]["name"], part) for number, part in error.parts]
        more = [f"and {len(messages) - _MAX_NAMED} more"] if len(messages) > _MAX_NAMED else []
        first, *others = [*messages[:_MAX_NAMED], *more]
        text = "; ".join([first[0].upper() + first[1:], *others])
        raise PrintingError(f"{text}. Even small letters need more room.") from None
