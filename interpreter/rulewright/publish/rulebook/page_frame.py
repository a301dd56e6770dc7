"""What stands around the text of a page: its policy, colours and script, and contents that stay while one reads."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator
from functools import cache
from html import escape
from importlib.resources import files

from rulewright.publish.rulebook.model import Rulebook

HUES = 6
"""Colours that chapters take in turn: `.hue-0` and so on in the style sheet."""

_CONTENTS, _DARK = "_contents", "_dark"
"""Names on the page, as no rule's anchor is written; the script knows them, too."""

_MENU = '<path d="M3 6h18M3 12h18M3 18h18"/>'
_LENS = '<circle cx="10" cy="10" r="6.5"/><path d="M15 15l6 6"/>'
_CROSS = '<path d="M5 5l14 14M19 5L5 19"/>'


@cache
def _file(name: str) -> str:
    """A file beside this one, without what only its writers need."""
    lines = files(__package__).joinpath(name).read_text(encoding="utf-8").splitlines()
    return "\n".join(line.strip() for line in lines if line.strip() and not line.strip().startswith("// "))


def policy(more: str = "") -> str:
    """What a page may load and run, for a header or the page itself: its own style and its own scripts. more: a script
    that it has besides the usual one."""
    digests = (hashlib.sha256(script.encode()).digest() for script in (_file("rulebook.js"), more) if script)
    allowed = " ".join(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests)
    return f"default-src 'none'; style-src 'unsafe-inline'; script-src {allowed}"


def head(book: Rulebook, more: str = "") -> Iterator[str]:
    """All before the body. The dark colours are a sheet of their own, so that a switch can turn it on and off. more: a
    script besides the usual one."""
    yield '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{policy(more)}">'
    yield f"<title>{escape(f'{book.title} {book.edition}'.strip())}</title><style>{_file('rulebook.css')}</style>"
    media = "screen and (prefers-color-scheme: dark)"
    yield f'<style id="{_DARK}" media="{media}">{_file("rulebook.dark.css")}</style>'
    yield f"<script>{_file('rulebook.js')}</script>"
    yield f"<script>{more}</script>" if more else ""


def bar(book: Rulebook) -> str:
    """What stays at the top of a narrow screen: the way to the contents, where one is, the way to the search."""
    menu = f'<a class="menu" href="#{_CONTENTS}">{_icon(_MENU)}{_word(book, "Contents")}</a>'
    seek = f'<button class="seek" hidden aria-label="{_word(book, "Search the rulebook")}">{_icon(_LENS)}</button>'
    return f'<div class="bar">{menu}<span class="where"></span>{seek}</div>'


def contents(book: Rulebook) -> Iterator[str]:
    """The contents; with the script also a search and switches, which are hidden without it."""
    said = _word(book, "Search the rulebook")
    yield f'<nav id="{_CONTENTS}" aria-label="{_word(book, "Contents")}"><div class="tools seeking" hidden>'
    yield f'<label class="find">{_icon(_LENS)}<span class="unseen">{said}</span>'
    yield f'<input type="search" placeholder="{said}" autocomplete="off" aria-keyshortcuts="/"></label>'
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
    return escape(book.word(english))


def _icon(drawn: str) -> str:
    return f'<svg class="icon" aria-hidden="true" viewBox="0 0 24 24">{drawn}</svg>'
