"""Numbers of an edition that a designer can vary, and edits of them in its text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rulewright.base.diagnostics import Report
from rulewright.base.records import record
from rulewright.i18n.localizer import phrase
from rulewright.model.declarations import Figure
from rulewright.model.edition import Edition
from rulewright.simulation.settings import plain_numbers
from rulewright.syntax import yaml_reader
from rulewright.syntax.source import MappingNode
from rulewright.workbench.core.workspace import BenchError

_MIN_SPAN = 4
"""Minimum distance from the present number to the ends of the range."""


@record
class NumberValue:
    """Value that is a plain number. of: its group, 'game' for none; line: where it is defined, 0 in an extended
    edition; least, most: range in which to try it.
    """

    name: str
    of: str
    now: int
    line: int
    least: int
    most: int


def list_values(edition: Edition) -> list[NumberValue]:
    """List the values that are plain numbers, in the order of the edition."""
    return [_describe_value(edition, edition.figures[name]) for name in plain_numbers(edition)]


def _describe_value(edition: Edition, figure: Figure) -> NumberValue:
    """Describe a value that is a plain number, with a range around it to try."""
    now = int(figure.body.text)
    reach = max(_MIN_SPAN, abs(now) // 2)
    least = now - reach if now < 0 else max(0, now - reach)
    line = figure.body.place.line if figure.body.place.file == edition.file else 0
    return NumberValue(figure.name, figure.of or "game", now, line, least, now + reach)


def set_number(text: str, edition: Edition, name: str, number: int) -> str:
    """Return the text with another number for one value and nothing else changed: at its definition, or, if inherited,
    among the edition's changes. Raises BenchError."""
    if name not in plain_numbers(edition):
        raise BenchError(phrase("errors", "There is no number called '{name}'.", name=name))
    figure = edition.figures[name]
    if figure.body.place.file == edition.file:
        return _text_with_number(text, figure, number)
    return _add_below(text, ["change", "values", figure.of or "game"], f"{name}: {number}")


def set_numbers(text: str, edition: Edition, numbers: Mapping[str, int]) -> str:
    """Return the text with other numbers for several values, edited from the end of the file so that places stay valid.
    Raises BenchError."""
    known = [name for name in numbers if name in edition.figures]
    own_names = [name for name in known if edition.figures[name].body.place.file == edition.file]
    own_names.sort(key=lambda name: (edition.figures[name].body.place.line, edition.figures[name].body.place.column))
    for name in (*reversed(own_names), *(name for name in numbers if name not in own_names)):
        text = set_number(text, edition, name, numbers[name])
    return text


def _text_with_number(text: str, figure: Figure, number: int) -> str:
    """Return the text with another number at a value's definition. Raises BenchError if it is not there."""
    lines, place = text.split("\n"), figure.body.place
    old_text = figure.body.text.strip()
    line = lines[place.line - 1] if place.line <= len(lines) else ""
    begin = place.column - 1
    if line[begin : begin + len(old_text)] != old_text:
        raise BenchError(
            phrase("errors", "The number of '{name}' has just been changed. Look at it again.", name=figure.name)
        )
    lines[place.line - 1] = f"{line[:begin]}{number}{line[begin + len(old_text) :]}"
    return "\n".join(lines)


def _add_below(text: str, path: list[str], entry: str) -> str:
    """Return the text with an entry below a path of keys, and with those keys that are missing. Raises BenchError."""
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
    if before.strip():  # a mapping in braces
        opened = "".join(f"{key}: {{" for key in path)
        flow = f"{opened}{entry}{'}' * len(path)}, "
        lines[first.line - 1] = f"{before}{flow}{lines[first.line - 1][first.column - 1 :]}"
    else:
        lines[first.line - 1 : first.line - 1] = _nested(path, entry, len(before))
    return "\n".join(lines)


def _nested(path: list[str], entry: str, indent: int) -> Iterator[str]:
    """Yield the lines of keys inside each other, with an entry innermost."""
    for depth, key in enumerate(path):
        yield f"{' ' * (indent + 2 * depth)}{key}:"
    yield f"{' ' * (indent + 2 * len(path))}{entry}"
