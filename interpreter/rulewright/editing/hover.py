"""What is told beside a name or a key: what it is, in a few lines of Markdown; and what figures come to."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulewright.authoring.edition_texts import format_by_seats
from rulewright.authoring.explanations import Explanation
from rulewright.base.diagnostics import SourcePlace, visible
from rulewright.base.records import record
from rulewright.editing import cursor_context, navigation
from rulewright.editing.text_document import CATALOG, OpenFile
from rulewright.syntax import schema

_MARKUP = re.compile(r"([\\`*_{}\[\]<>#|])")
_MOST_LINES = 12
_PLAIN = re.compile(r"\s*-?\d+\s*")


@record
class HoverText:
    """text: Markdown, in which nothing of a file is markup; place: of what it is about, if that is a name."""

    text: str
    place: SourcePlace | None = None


def hover(sheet: OpenFile, line: int, column: int) -> HoverText | None:
    """What is told of what stands at a place; None where nothing is."""
    if (spot := navigation.at(sheet, line, column)) is not None and sheet.known is not None:
        told = [_told(sheet.known.explainer.explained(entry)) for entry in spot.entries]
        return HoverText("\n\n---\n\n".join(told), spot.place)
    return _of_key(sheet, line, column)


def figures(sheet: OpenFile, first: int, last: int) -> Iterator[tuple[int, str]]:
    """Lines, counted from 1, with what the figures that are declared there come to where that is not plain to see."""
    if sheet.known is None or sheet.known.lines != sheet.lines:
        return
    edition, wording = sheet.known.edition, sheet.known.explainer.wording
    for entry in sheet.known.entries:
        if entry.kind != "value" or entry.place.file != sheet.file or not first <= entry.place.line <= last:
            continue
        if _PLAIN.fullmatch(edition.figures[entry.name].body.text) and not edition.figures[entry.name].cases:
            continue
        if amounts := format_by_seats(wording.amounts(entry.name, edition.seat_counts())):
            yield entry.place.line, amounts


def _told(found: Explanation) -> str:
    lines = [f"**{_plain(found.title)}** – {_plain(found.kind)}"]
    for row in found.rows:
        shown = [_plain(text) for text in row.lines[:_MOST_LINES]]
        if row.label == "text":
            lines.append("\n".join(shown))
        elif len(shown) == 1:
            lines.append(f"*{row.label}*: {shown[0]}")
        else:
            more = [f"- and {len(row.lines) - _MOST_LINES} more"] if len(row.lines) > _MOST_LINES else []
            lines.append("\n".join([f"*{row.label}*:", *(f"- {text}" for text in shown), *more]))
    return "\n\n".join(lines)


def _of_key(sheet: OpenFile, line: int, column: int) -> HoverText | None:
    """What the language says of one of its own keys."""
    if line > len(sheet.lines) or sheet.kind == CATALOG:
        return None
    text = sheet.lines[line - 1]
    key = re.match(r"\s*(?:- +)*([^\s:#][^:#]*?)\s*:", text)
    if key is None or not key.start(1) < column <= key.end(1) + 1:
        return None
    context = cursor_context.at(sheet.lines, line, key.start(1) + 1, sheet.kind)
    shape = schema.keys(context.shape).get(key[1])
    if shape is None:
        return None
    title = next((part["title"] for part in [shape, *schema.alternatives(shape)] if "title" in part), "")
    return HoverText(
        "\n\n".join(filter(None, [f"**{key[1]}**: {_plain(title)}", _plain(shape.get("description", ""))]))
    )


def _plain(text: str) -> str:
    return _MARKUP.sub(r"\\\1", visible(" ".join(text.split())))
