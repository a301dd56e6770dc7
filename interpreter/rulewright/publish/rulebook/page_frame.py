"""Frame of a page: its security policy, colours and script, and a table of contents that stays visible."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator
from functools import cache
from html import escape
from importlib.resources import files

from rulewright.publish.rulebook.model import Rulebook

HUES = 6
"""Number of chapter colours: `.hue-0` and so on in the style sheet."""

_CONTENTS, _DARK = "_contents", "_dark"
"""Ids on the page that no rule's anchor can have; the script uses them, too."""

_MENU = '<path d="M3 6h18M3 12h18M3 18h18"/>'
_LENS = '<circle cx="10" cy="10" r="6.5"/><path d="M15 15l6 6"/>'
_CROSS = '<path d="M5 5l14 14M19 5L5 19"/>'


@cache
def _file(name: str) -> str:
    """Return the text of a file beside this one, without blank lines and lines that are comments of JavaScript."""
    lines = files(__package__).joinpath(name).read_text(encoding="utf-8").splitlines()
    return "\n".join(line.strip() for line in lines if line.strip() and not line.strip().startswith("// "))


def policy(extra_script: str = "") -> str:
    """Return the content security policy, for a header or the page itself: only its own style and scripts.

    extra_script: additional one.
    """
    digests = (hashlib.sha256(script.encode()).digest() for script in (_file("rulebook.js"), extra_script) if script)
    allowed = " ".join(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests)
    return f"default-src 'none'; style-src 'unsafe-inline'; script-src {allowed}"


def head(book: Rulebook, extra_script: str = "") -> Iterator[str]:
    """Yield the lines before the body. The dark colours are a separate sheet, so that a switch can toggle them.

    extra_script: additional one.
    """
    yield '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{policy(extra_script)}">'
    yield f"<title>{escape(f'{book.title} {book.edition}'.strip())}</title><style>{_file('rulebook.css')}</style>"
    media = "screen and (prefers-color-scheme: dark)"
    yield f'<style id="{_DARK}" media="{media}">{_file("rulebook.dark.css")}</style>'
    yield f"<script>{_file('rulebook.js')}</script>"
    yield f"<script>{extra_script}</script>" if extra_script else ""


def bar(book: Rulebook) -> str:
    """Return the bar at the top of a narrow screen: link to the contents, and a button for the search."""
    menu = f'<a class="menu" href="#{_CONTENTS}">{_icon(_MENU)}{_word(book, "Contents")}</a>'
    seek = f'<button class="seek" hidden aria-label="{_word(book, "Search the rulebook")}">{_icon(_LENS)}</button>'
    return f'<div class="bar">{menu}<span class="where"></span>{seek}</div>'


def contents(book: Rulebook) -> Iterator[str]:
    """Yield the table of contents; the script reveals a search and switches in it."""
    search_label = _word(book, "Search the rulebook")
    yield f'<nav id="{_CONTENTS}" aria-label="{_word(book, "Contents")}"><div class="tools seeking" hidden>'
    yield f'<label class="find">{_icon(_LENS)}<span class="unseen">{search_label}</span>'
    yield f'<input type="search" placeholder="{search_label}" autocomplete="off" aria-keyshortcuts="/"></label>'
    yield f'<button class="close" aria-label="{_word(book, "Close")}">{_icon(_CROSS)}</button>'
    yield f'<p class="count-found" role="status" data-found="{_word(book, "Found:")}"'
    yield f' data-none="{_word(book, "Nothing was found.")}"></p><ol class="found"></ol></div>'
    yield f'<h2>{_word(book, "Contents")}</h2><ol class="chapters">'
    for number, chapter in enumerate(book.chapters):
        link = f'<a href="#{escape(chapter.anchor)}">{escape(chapter.title)}</a>'
        yield f'<li class="hue-{number % HUES}">{link}</li>'
    yield '</ol><div class="tools" hidden>'
    yield f'<button class="unfold" aria-pressed="false">{_word(book, "Unfold all examples")}</button>'
    yield f'<button class="scheme" aria-pressed="false">{_word(book, "Dark colours")}</button>'
    yield f'</div><p class="toast" role="status" data-copied="{_word(book, "The link was copied.")}"></p></nav>'


def _word(book: Rulebook, english: str) -> str:
    """Return a fixed word in the book's language, escaped for HTML."""
    return escape(book.word(english))


def _icon(paths: str) -> str:
    """Return a small picture of these shapes, hidden from screen readers."""
    return f'<svg class="icon" aria-hidden="true" viewBox="0 0 24 24">{paths}</svg>'
