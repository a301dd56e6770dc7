"""HTML by short functions: text is escaped wherever it goes in; only what these functions made goes in as it is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from rulewright.base.diagnostics import readable

GENERATOR = '<meta name="generator" content="Rulewright">'
"""Says in a page's first lines who made it."""

_STYLE = """
:root { color-scheme: light dark; --paper: #fff; --ink: #1b1b1f; --faint: #5c5f66; --line: #d5d7dc; --shade: #f4f5f7 }
@media (prefers-color-scheme: dark) {
  :root { --paper: #16181d; --ink: #e8e8ea; --faint: #a5a8b0; --line: #3a3d45; --shade: #20232a }
}
* { box-sizing: border-box }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.55 system-ui, sans-serif }
main { max-width: 46rem; margin: 0 auto; padding: 1.2rem 1rem 4rem }
h1 { font-size: 1.7rem; line-height: 1.2; margin: .5rem 0 }
h2 { font-size: 1.25rem; margin: 2.6rem 0 .4rem; padding-top: .6rem; border-top: 1px solid var(--line) }
h3 { font-size: 1.02rem; margin: 1.4rem 0 .3rem }
p, ul { margin: .5rem 0; overflow-wrap: anywhere }
.faint { color: var(--faint); font-size: .92rem }
.findings { background: var(--shade); border-radius: .5rem; padding: .7rem 1rem .7rem 2rem; line-height: 1.5 }
.findings li { margin: .35rem 0 }
nav a { display: inline-block; margin-right: .9rem }
a { color: inherit }
figure { margin: .8rem 0 }
svg { width: 100%; height: auto; max-width: 42rem; display: block }
svg text { font-family: system-ui, sans-serif !important }
.wide { overflow-x: auto }
table { border-collapse: collapse; font-size: .88rem; margin: .5rem 0; font-variant-numeric: tabular-nums }
th, td { text-align: left; padding: .22rem .9rem .22rem 0; border-bottom: 1px solid var(--line); vertical-align: top }
td { white-space: nowrap } th[scope=row] { min-width: 7rem }
summary { cursor: pointer; color: var(--faint); font-size: .92rem }
@media print {
  :root { --paper: #fff; --ink: #000; --faint: #444; --line: #bbb; --shade: #fff }
  main { max-width: none } figure, tr { break-inside: avoid } h2, h3 { break-after: avoid } nav { display: none }
}
"""


class Html(str):
    """Text that is markup already."""

    __slots__ = ()


def tag(name: str, *children: str, **attributes: str) -> Html:
    """An element. Children that are not Html are escaped, and so are attributes; a `_` ends Python's own words."""
    given = "".join(f' {key.rstrip("_").replace("_", "-")}="{escape(value)}"' for key, value in attributes.items())
    return Html(f"<{name}{given}>{''.join(map(_ready, children))}</{name}>")


def joined(*parts: str) -> Html:
    """Parts one after the other."""
    return Html("\n".join(map(_ready, parts)))


def paragraph(text: str, faint: bool = False) -> Html:
    return tag("p", text, class_="faint") if faint else tag("p", text)


def bullets(items: Iterable[str], **attributes: str) -> Html:
    return tag("ul", *(tag("li", item) for item in items), **attributes)


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Html:
    """A table whose first column names its rows; it scrolls by itself where the page is too narrow."""
    lines = (tag("tr", tag("th", row[0], scope="row"), *(tag("td", cell) for cell in row[1:])) for row in rows)
    heading = tag("tr", *(tag("th", title, scope="col") for title in head))
    return tag("div", tag("table", tag("thead", heading), tag("tbody", *lines)), class_="wide", tabindex="0")


def picture(svg: str, numbers: Html) -> Html:
    """A plot, and its numbers to open."""
    return joined(tag("figure", Html(svg)), tag("details", tag("summary", "The numbers"), numbers))


def section(name: str, title: str, *children: str) -> Html:
    return tag("section", tag("h2", title), *children, id=name)


def page(title: str, *children: str, language: str = "en") -> str:
    """A whole document that needs nothing beside itself."""
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    head = (
        Html('<meta charset="utf-8">'),
        Html(GENERATOR),
        Html('<meta name="viewport" content="width=device-width, initial-scale=1">'),
        Html(f'<meta http-equiv="Content-Security-Policy" content="{policy}">'),
        tag("title", title),
        tag("style", Html(_STYLE)),
    )
    body = tag("body", tag("main", *children))
    return f"<!DOCTYPE html>\n{tag('html', tag('head', *head), body, lang=language)}\n"


def _ready(text: str) -> str:
    return text if isinstance(text, Html) else escape(readable(text))
