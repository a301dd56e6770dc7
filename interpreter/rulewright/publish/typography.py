"""Typographic apostrophes and quotes for books and cards; editions may be typed with those of a keyboard."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

_OPENING = re.compile(r"(?:^|(?<=[\s(]))'(?=\w)")
_APOSTROPHE = re.compile(r"(?<=\w)'(?!\d)")


def typeset(what: Any) -> Any:
    """Return texts, or records, sequences and mappings of texts, with typographic signs; SVG is unchanged."""
    if isinstance(what, str):
        return what if what.startswith("<") else _APOSTROPHE.sub("’", _OPENING.sub("\u2018", what))
    if isinstance(what, tuple):
        return tuple(map(typeset, what))
    if isinstance(what, list):
        return list(map(typeset, what))
    if isinstance(what, Mapping):
        return {key: typeset(value) for key, value in what.items()}
    if is_dataclass(what) and not isinstance(what, type):
        return replace(what, **{it.name: typeset(getattr(what, it.name)) for it in fields(what)})
    return what
