"""Templates of small games: texts with slots.

A slot is a name in angle brackets. A slot alone in its line becomes as many lines as its text has, or none; a line
with `<name!>` is left out if that slot is empty.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from rulewright.base.diagnostics import Report
from rulewright.syntax import yaml_reader
from rulewright.syntax.source import plain

_SLOT = re.compile(r"<([a-z][a-z ']*)!?>")
"""Slot of a template: `<NAME>`, or `<NAME!>`."""
_SLOT_LINE = re.compile(rf"( *){_SLOT.pattern}")
"""Line that is one slot, with its indentation, which all lines of the value get."""
_REQUIRED_SLOT = re.compile(r"<([a-z ]+)!>")
"""Slot whose line is left out if its value is empty."""
_FRAME = "_frame"
"""Name of the template that all others share."""


class TypedText(str):
    """Typed text, quoted already: no slots are looked for in it."""


@cache
def _read(name: str) -> dict[str, Any]:
    """Read a template file."""
    text = files(__package__).joinpath("templates", f"{name}.yaml").read_text(encoding="utf-8")
    node = yaml_reader.read(None, text, Report(), name)
    assert node is not None, name
    read: dict[str, Any] = plain(node)
    return read


def frame() -> Mapping[str, Any]:
    """Return the parts that all templates share: the head of a file, cards, boards, and ways to win."""
    return _read(_FRAME)


@cache
def turns() -> Mapping[str, Mapping[str, Any]]:
    """Return the templates by the name of a turn."""
    return {name: _read(name) for name in frame()["turns"]}


def fill(template: str, slots: Mapping[str, str]) -> str:
    """Fill in a template's slots, and those within their texts. Raises KeyError for a slot without a value."""

    def value(name: str) -> str:
        text = slots[name]
        return text if isinstance(text, TypedText) else fill(str(text), slots).removesuffix("\n")

    lines: list[str] = []
    for line in template.splitlines():
        if any(not value(name) for name in _REQUIRED_SLOT.findall(line)):
            continue
        if alone := _SLOT_LINE.fullmatch(line):
            lines += [f"{alone[1]}{inner}".rstrip() for inner in value(alone[2]).splitlines()]
        else:
            lines.append(_SLOT.sub(lambda slot: value(slot[1]), line))
    return "".join(f"{line}\n" for line in lines)
