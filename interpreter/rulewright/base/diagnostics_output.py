"""Diagnostics for other programs: editors and continuous integration."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from urllib.parse import quote

from rulewright.base.diagnostics import Diagnostic, SourcePlace, escape_controls

Translator = Callable[[str], str]


def as_json(diagnostics: Sequence[Diagnostic], translate: Translator = str) -> str:
    """Return diagnostics as a JSON array. Lines and columns count from 1, in characters; the end column is
    exclusive."""
    entries = [
        {
            "file": diagnostic.place.file,
            "range": _range(diagnostic.place),
            "severity": diagnostic.severity,
            "code": diagnostic.code,
            "message": diagnostic.message_and_hint(translate)[0],
            "arguments": dict(diagnostic.problem.arguments),
            "hint": diagnostic.message_and_hint(translate)[1],
            "related": [
                {"file": other.place.file, "range": _range(other.place), "message": other.wording.render(translate)}
                for other in diagnostic.related
            ],
            "fixes": [
                {
                    "title": fix.title.render(translate),
                    "range": {"start": _point(fix.start), "end": _point(fix.end)},
                    "new": fix.new,
                }
                for fix in diagnostic.fixes
            ],
        }
        for diagnostic in diagnostics
    ]
    return json.dumps(entries, indent=2, default=str) + "\n"


def as_sarif(diagnostics: Sequence[Diagnostic], translate: Translator = str) -> str:
    """Return diagnostics as a log in SARIF, for code hosts and editors. Source: OASIS, "SARIF Version 2.1.0", 2020."""
    rules = [{"id": code} for code in dict.fromkeys(diagnostic.code for diagnostic in diagnostics)]
    driver = {"name": "rulewright", "version": version("rulewright"), "rules": rules}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(one, translate) for one in diagnostics],
    }
    return json.dumps({"$schema": SARIF_SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def as_github(diagnostics: Sequence[Diagnostic], translate: Translator = str) -> str:
    """Return diagnostics as GitHub workflow commands, shown at the lines of a change."""
    return "".join(f"{_command(diagnostic, translate)}\n" for diagnostic in diagnostics)


SARIF_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
FORMATTERS: Mapping[str, Callable[[Sequence[Diagnostic], Translator], str]] = {
    "json": as_json,
    "sarif": as_sarif,
    "github": as_github,
}
"""Functions that write diagnostics in a format, by the names of `check --format`."""


def _result(diagnostic: Diagnostic, translate: Translator) -> dict[str, object]:
    """Return a diagnostic as a SARIF result."""
    place = diagnostic.place
    artifact = {"uri": _uri(place.file)}
    region = _region(*_ends(place))
    result: dict[str, object] = {
        "ruleId": diagnostic.code,
        "level": diagnostic.severity,
        "message": {"text": " ".join(diagnostic.message_and_hint(translate)).strip()},
        "locations": [{"physicalLocation": {"artifactLocation": artifact, "region": region}}],
    }
    if diagnostic.related:
        result["relatedLocations"] = [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": _uri(other.place.file)},
                    "region": _region(*_ends(other.place)),
                },
                "message": {"text": other.wording.render(translate)},
            }
            for other in diagnostic.related
        ]
    if diagnostic.fixes:
        result["fixes"] = [
            {
                "description": {"text": fix.title.render(translate)},
                "artifactChanges": [
                    {
                        "artifactLocation": artifact,
                        "replacements": [
                            {"deletedRegion": _region(fix.start, fix.end), "insertedContent": {"text": fix.new}}
                        ],
                    }
                ],
            }
            for fix in diagnostic.fixes
        ]
    return result


def _uri(file: str) -> str:
    """Return an absolute path as a file URI, a relative one as a relative reference."""
    path = Path(file)
    return path.as_uri() if path.is_absolute() else quote(path.as_posix())


def _region(start: tuple[int, int], end: tuple[int, int]) -> dict[str, int]:
    return {"startLine": start[0], "startColumn": start[1], "endLine": end[0], "endColumn": end[1]}


def _point(position: tuple[int, int]) -> dict[str, int]:
    return {"line": position[0], "column": position[1]}


def _ends(place: SourcePlace) -> tuple[tuple[int, int], tuple[int, int]]:
    return (place.line, place.column), (place.line, place.column + place.length)


def _range(place: SourcePlace) -> dict[str, dict[str, int]]:
    """Return a place as a range of `as_json`."""
    start, end = map(_point, _ends(place))
    return {"start": start, "end": end}


def _command(diagnostic: Diagnostic, translate: Translator) -> str:
    """Return a diagnostic as a GitHub workflow command."""
    place = diagnostic.place
    properties = {
        "file": escape_controls(place.file),
        "line": place.line,
        "col": place.column,
        "endColumn": place.column + place.length,
        "title": diagnostic.code,
    }
    parameters = ",".join(f"{name}={_property(str(value))}" for name, value in properties.items())
    text = "\n".join(filter(None, diagnostic.message_and_hint(translate)))
    return f"::{diagnostic.severity} {parameters}::{_data(text)}"


def _data(text: str) -> str:
    """Escape the text of a workflow command, so that it ends neither its line nor the command."""
    lines = [escape_controls(line) for line in text.replace("%", "%25").split("\n")]
    return "%0A".join(lines)


def _property(text: str) -> str:
    """Escape the value of a property of a workflow command."""
    return _data(text).replace(":", "%3A").replace(",", "%2C")
