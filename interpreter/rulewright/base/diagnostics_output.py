"""Diagnostics for other programs: editors and continuous integration."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence

from rulewright.base.diagnostics import Diagnostic, SourcePlace, visible


def as_json(found: Sequence[Diagnostic]) -> str:
    """One array. Lines and columns count from 1, in characters; the end is the column behind the last one."""
    entries = [
        {
            "file": diagnostic.place.file,
            "range": _range(diagnostic.place),
            "severity": diagnostic.severity,
            "code": diagnostic.code,
            "message": diagnostic.message,
            "hint": diagnostic.hint,
        }
        for diagnostic in found
    ]
    return json.dumps(entries, indent=2) + "\n"


def as_github(found: Sequence[Diagnostic]) -> str:
    """A workflow command for each: GitHub shows it at the line of the change that it is about."""
    return "".join(f"{_command(diagnostic)}\n" for diagnostic in found)


WRITTEN: Mapping[str, Callable[[Sequence[Diagnostic]], str]] = {"json": as_json, "github": as_github}


def _range(place: SourcePlace) -> dict[str, dict[str, int]]:
    start = {"line": place.line, "column": place.column}
    return {"start": start, "end": {"line": place.line, "column": place.column + place.length}}


def _command(found: Diagnostic) -> str:
    place = found.place
    properties = {
        "file": visible(place.file),
        "line": place.line,
        "col": place.column,
        "endColumn": place.column + place.length,
        "title": found.code,
    }
    written = ",".join(f"{name}={_property(str(value))}" for name, value in properties.items())
    text = f"{found.message}\n{found.hint}" if found.hint else found.message
    return f"::{found.severity} {written}::{_data(text)}"


def _data(text: str) -> str:
    """Written so that a text ends neither its line nor its command."""
    lines = [visible(line) for line in text.replace("%", "%25").split("\n")]
    return "%0A".join(lines)


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
