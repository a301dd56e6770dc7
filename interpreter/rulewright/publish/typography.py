"""Typographic apostrophes and quotes for books and cards; editions may be typed with those of a keyboard."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

_OPENING = re.compile(r"(?:^|(?<=[\s(]))'(?=\w)")
"""Straight quote that begins a word: an opening single quote."""
_APOSTROPHE = re.compile(r"(?<=\w)'(?!\d)")
"""Straight quote behind a letter: an apostrophe or a closing single quote."""


def typeset(content: Any) -> Any:
    """Return texts, or records, sequences and mappings of texts, with typographic signs; SVG is unchanged."""
    if isinstance(content, str):
        return content if content.startswith("<") else _APOSTROPHE.sub("’", _OPENING.sub("\u2018", content))
    if isinstance(content, tuple):
        return tuple(map(typeset, content))
    if isinstance(content, list):
        return list(map(typeset, content))
    if isinstance(content, Mapping):
        return {key: typeset(value) for key, value in content.items()}
    if is_dataclass(content) and not isinstance(content, type):
        return replace(content, **{it.name: typeset(getattr(content, it.name)) for it in fields(content)})
    return content
