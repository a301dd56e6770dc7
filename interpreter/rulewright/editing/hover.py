"""Hover texts: the meaning of a name or a key, in a few lines of Markdown; and the values of figures."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from rulewright.authoring.edition_texts import format_by_seats
from rulewright.authoring.explanations import Explanation
from rulewright.base.diagnostics import SourcePlace, escape_controls
from rulewright.base.records import record
from rulewright.editing import cursor_context, navigation
from rulewright.editing.text_document import CATALOG, OpenFile
from rulewright.syntax import schema

_MARKUP = re.compile(r"([\\`*_{}\[\]<>#|])")
"""Characters that mean something in Markdown."""
_MAX_LINES = 12
"""Lines shown of each row of an explanation."""
_PLAIN = re.compile(r"\s*-?\d+\s*")
"""Formula of a value that is a plain number."""


@record
class HoverText:
    """Hover text. text: Markdown, with all markup from the file escaped; place: of the name, if it is about one."""

    text: str
    place: SourcePlace | None = None


def hover(open_file: OpenFile, line: int, column: int, translate: Callable[[str], str] = str) -> HoverText | None:
    """Return the hover text of a place, line and column from 1; None for none. translate: translates the descriptions
    of keys."""
    if (spot := navigation.spot_at(open_file, line, column)) is not None and open_file.known is not None:
        sections = [_as_markdown(open_file.known.explainer.explain_symbol(entry)) for entry in spot.entries]
        return HoverText("\n\n---\n\n".join(sections), spot.place)
    return _hover_of_key(open_file, line, column, translate)


def figures(open_file: OpenFile, first: int, last: int) -> Iterator[tuple[int, str]]:
    """Yield lines from `first` to `last`, from 1, with the amounts of the values declared there, unless obvious; none
    while the present text cannot be read."""
    if open_file.known is None or open_file.known.lines != open_file.lines:
        return
    edition, wording = open_file.known.edition, open_file.known.explainer.wording
    for entry in open_file.known.entries:
        if entry.kind != "value" or entry.place.file != open_file.file or not first <= entry.place.line <= last:
            continue
        if _PLAIN.fullmatch(edition.figures[entry.name].body.text) and not edition.figures[entry.name].cases:
            continue
        if amounts := format_by_seats(wording.amounts(entry.name, edition.seat_counts())):
            yield entry.place.line, amounts


def _as_markdown(explanation: Explanation) -> str:
    """Return an explanation as Markdown."""
    lines = [f"**{_escape_markdown(explanation.title)}** – {_escape_markdown(explanation.kind)}"]
    for row in explanation.rows:
        lines_shown = [_escape_markdown(text) for text in row.lines[:_MAX_LINES]]
        if row.label == "text":
            lines.append("\n".join(lines_shown))
        elif len(lines_shown) == 1:
            lines.append(f"*{row.label}*: {lines_shown[0]}")
        else:
            more = [f"- and {len(row.lines) - _MAX_LINES} more"] if len(row.lines) > _MAX_LINES else []
            lines.append("\n".join([f"*{row.label}*:", *(f"- {text}" for text in lines_shown), *more]))
    return "\n\n".join(lines)


def _hover_of_key(open_file: OpenFile, line: int, column: int, translate: Callable[[str], str]) -> HoverText | None:
    """Return the hover text of a key of the language."""
    if line > len(open_file.lines) or open_file.kind == CATALOG:
        return None
    text = open_file.lines[line - 1]
    key = re.match(r"\s*(?:- +)*([^\s:#][^:#]*?)\s*:", text)
    if key is None or not key.start(1) < column <= key.end(1) + 1:
        return None
    context = cursor_context.context_at(open_file.lines, line, key.start(1) + 1, open_file.kind)
    shape = schema.keys(context.shape).get(key[1])
    if shape is None:
        return None
    title = next((part["title"] for part in [shape, *schema.alternatives(shape)] if "title" in part), "")
    title, description = (_escape_markdown(translate(text)) for text in (title, shape.get("description", "")))
    return HoverText("\n\n".join(filter(None, [f"**{key[1]}**: {title}", description])))


def _escape_markdown(text: str) -> str:
    """Return a text on one line with Markdown's marks escaped."""
    return _MARKUP.sub(r"\\\1", escape_controls(" ".join(text.split())))
