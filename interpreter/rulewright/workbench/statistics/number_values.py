"""The numbers of an edition that a designer turns, and how another number is written into its text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rulewright.base.diagnostics import Report
from rulewright.base.records import record
from rulewright.i18n.localizer import phrase
from rulewright.model.declarations import Edition, Figure
from rulewright.simulation.settings import plain_numbers
from rulewright.syntax import yaml_reader
from rulewright.syntax.source import MappingNode
from rulewright.workbench.core.workspace import BenchError

_LEAST_SPAN = 4


@record
class NumberValue:
    """A value that is a plain number. of: whose, as in the edition; line: where it stands, 0 where that is in an
    edition that is extended; least, most: a span in which it may be tried."""

    name: str
    of: str
    now: int
    line: int
    least: int
    most: int


def listed(edition: Edition) -> list[NumberValue]:
    """All of them, in the order of the edition."""
    return [_told(edition, edition.figures[name]) for name in plain_numbers(edition)]


def _told(edition: Edition, figure: Figure) -> NumberValue:
    now = int(figure.body.text)
    reach = max(_LEAST_SPAN, abs(now) // 2)
    least = now - reach if now < 0 else max(0, now - reach)
    line = figure.body.place.line if figure.body.place.file == edition.file else 0
    return NumberValue(figure.name, figure.of or "game", now, line, least, now + reach)


def taken(text: str, edition: Edition, name: str, number: int) -> str:
    """A text with another number for a value, and nothing else changed: where the value stands, or, of one that the
    edition has from another, among what it changes. Raises BenchError."""
    if name not in plain_numbers(edition):
        raise BenchError(phrase("errors", "There is no number called '{name}'.", name=name))
    figure = edition.figures[name]
    if figure.body.place.file == edition.file:
        return _replaced(text, figure, number)
    return _changed(text, ["change", "values", figure.of or "game"], f"{name}: {number}")


def all_taken(text: str, edition: Edition, numbers: Mapping[str, int]) -> str:
    """The same for several values: from the end of the file on, so that nothing moves before its turn. Raises
    BenchError."""
    known = [name for name in numbers if name in edition.figures]
    here = [name for name in known if edition.figures[name].body.place.file == edition.file]
    here.sort(key=lambda name: (edition.figures[name].body.place.line, edition.figures[name].body.place.column))
    for name in (*reversed(here), *(name for name in numbers if name not in here)):
        text = taken(text, edition, name, numbers[name])
    return text


def _replaced(text: str, figure: Figure, number: int) -> str:
    lines, place = text.split("\n"), figure.body.place
    written = figure.body.text.strip()
    line = lines[place.line - 1] if place.line <= len(lines) else ""
    begin = place.column - 1
    if line[begin : begin + len(written)] != written:
        raise BenchError(
            phrase("errors", "The number of '{name}' has just been changed. Look at it again.", name=figure.name)
        )
    lines[place.line - 1] = f"{line[:begin]}{number}{line[begin + len(written) :]}"
    return "\n".join(lines)


def _changed(text: str, path: list[str], entry: str) -> str:
    """An entry below keys, of which those that are missing are written, too."""
    node = yaml_reader.read(None, text, Report(), "")
    while path and isinstance(node, MappingNode) and isinstance(inner := node.get(path[0]), MappingNode):
        node, path = inner, path[1:]
    if not isinstance(node, MappingNode) or not node.keys or (path and path[0] in node.keys):
        raise BenchError(phrase("errors", "Mend the mistakes in the file first."))
    lines = text.split("\n")
    if "change" in path:
        body = "\n".join(_nested(path, entry, 0))
        return f"{text.rstrip()}\n\n{body}\n"
    first = next(iter(node.keys.values())).place
    before = lines[first.line - 1][: first.column - 1]
    if before.strip():  # in braces
        opened = "".join(f"{key}: {{" for key in path)
        flow = f"{opened}{entry}{'}' * len(path)}, "
        lines[first.line - 1] = f"{before}{flow}{lines[first.line - 1][first.column - 1 :]}"
    else:
        lines[first.line - 1 : first.line - 1] = _nested(path, entry, len(before))
    return "\n".join(lines)


def _nested(path: list[str], entry: str, indent: int) -> Iterator[str]:
    for depth, key in enumerate(path):
        yield f"{' ' * (indent + 2 * depth)}{key}:"
    yield f"{' ' * (indent + 2 * len(path))}{entry}"
