"""HTML and SVG from short functions: text is escaped, only results of these functions are not."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from importlib.resources import files

from rulewright.base.diagnostics import readable

GENERATOR = '<meta name="generator" content="Rulewright">'
"""Mark in a page's first lines that Rulewright made it."""


_MAX_PHONE_COLUMNS = 3
"""Columns that fit on a phone side by side."""


class Html(str):
    """Text that is markup already."""

    __slots__ = ()


def tag(name: str, *children: str, **attributes: str) -> Html:
    """Return an element.

    Children that are not Html are escaped, and so are attributes, of which empty ones are left out; a `_` stands for a
    hyphen, and a trailing one avoids Python's keywords.
    """
    present = {key.rstrip("_").replace("_", "-"): value for key, value in attributes.items() if value}
    attribute_text = "".join(f' {key}="{escape(readable(value))}"' for key, value in present.items())
    return Html(f"<{name}{attribute_text}>{''.join(map(_ready, children))}</{name}>")


def join_lines(*parts: str) -> Html:
    """Return parts joined by line breaks; those that are not Html are escaped."""
    return Html("\n".join(map(_ready, parts)))


def paragraph(*text: str, faint: bool = False) -> Html:
    """Return a paragraph. faint: in a paler colour."""
    return tag("p", *text, class_="faint" if faint else "")


def bullets(items: Iterable[str], **attributes: str) -> Html:
    """Return a list with bullets, as HTML. attributes: of the list."""
    return tag("ul", *(tag("li", item) for item in items), **attributes)


def table(head: Sequence[str], rows: Iterable[Sequence[str]], name: str = "", naming: int = 1) -> Html:
    """Return a table whose first columns name its rows.

    On a phone, a table of many columns shows each row as a block, with each cell beside its column's title; others
    scroll by themselves where the page is too narrow. name: label for screen readers; naming: number of columns that
    name a row.
    """
    body = []
    for row in rows:
        cells = list(zip(head, row, strict=True))
        names = (tag("th", cell, scope="row", data_of=title) for title, cell in cells[:naming])
        body.append(tag("tr", *names, *(tag("td", cell, data_of=title) for title, cell in cells[naming:])))
    heading = tag("tr", *(tag("th", title, scope="col") if title else tag("td") for title in head))
    inner = tag(
        "table", tag("thead", heading), tag("tbody", *body), class_="blocks" if len(head) > _MAX_PHONE_COLUMNS else ""
    )
    return tag("div", inner, class_="wide", tabindex="0", role="region", aria_label=name or head[0] or head[-1])


def fold(summary: str, *children: str) -> Html:
    """Return content that opens when its summary is clicked."""
    return tag("details", tag("summary", summary), *children)


def section(name: str, title: str, *children: str) -> Html:
    """Return a section with a heading. name: for links to it."""
    return tag("section", tag("h2", title), *children, id=name)


def page(title: str, *children: str, language: str = "en", right_to_left: bool = False) -> str:
    """Return a whole self-contained document. language: as Python writes it, such as pt_BR."""
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    head = (
        Html('<meta charset="utf-8">'),
        Html(GENERATOR),
        Html('<meta name="viewport" content="width=device-width, initial-scale=1">'),
        Html(f'<meta http-equiv="Content-Security-Policy" content="{policy}">'),
        tag("title", title),
        tag("style", Html(files(__package__).joinpath("page.css").read_text(encoding="utf-8"))),
    )
    body = tag("body", tag("main", *children))
    whole = tag("html", tag("head", *head), body, lang=language.replace("_", "-"), dir="rtl" if right_to_left else "")
    return f"<!DOCTYPE html>\n{whole}\n"


def _ready(text: str) -> str:
    """Return markup as it is, and text escaped."""
    return text if isinstance(text, Html) else escape(readable(text))
