"""A rulebook as one page of HTML that needs nothing else: it is read on a phone, and printed."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from importlib.resources import files

from rulewright.rulebook.model import Block, Box, Chapter, Gallery, Paragraph, Piece, Rule, Rulebook


def page(book: Rulebook) -> str:
    """The whole page."""
    style = files(__package__).joinpath("rulebook.css").read_text(encoding="utf-8")
    return "\n".join(_page(book, style)) + "\n"


def _page(book: Rulebook, style: str) -> Iterator[str]:
    title = escape(f"{book.title} {book.edition}".strip())
    direction = "rtl" if book.right_to_left else "ltr"
    yield "<!DOCTYPE html>"
    yield f'<html lang="{escape(book.language.replace("_", "-"))}" dir="{direction}">'
    yield '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
    yield "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
    yield f"<title>{title}</title><style>{style}</style>"
    yield "<header>"
    if book.cover:
        yield f'<div class="cover">{_hidden(book.cover)}</div>'
    yield f'<h1>{escape(book.title)} <span class="edition">{escape(book.edition)}</span></h1>'
    yield f'<p class="lead">{escape(book.text)}</p>'
    facts = " · ".join(f"{escape(name)}: {escape(value)}" for name, value in book.facts)
    yield f'<p class="facts">{facts}</p></header>'
    yield f"<nav><h2>{escape(book.words['Contents'])}</h2><ol>"
    for chapter in book.chapters:
        yield f'<li><a href="#{escape(chapter.anchor)}">{escape(chapter.title)}</a></li>'
    yield "</ol></nav><main>"
    for chapter in book.chapters:
        yield from _chapter(chapter)
    yield "</main></html>"


def _chapter(chapter: Chapter) -> Iterator[str]:
    yield f'<section id="{escape(chapter.anchor)}"><h2>{escape(chapter.title)}</h2>'
    for block in chapter.blocks:
        yield from _block(block)
    yield "</section>"


def _block(block: Block) -> Iterator[str]:
    match block:
        case Paragraph(text):
            yield f"<p>{escape(text)}</p>"
        case Rule(anchor, title, text, picture):
            drawn = f'<div class="picture">{_hidden(picture)}</div>' if picture else ""
            words = f"<h3>{escape(title)}</h3><p>{escape(text)}</p>"
            yield f'<div class="rule" id="{escape(anchor)}">{drawn}<div>{words}</div></div>'
        case Gallery(pieces=pieces):
            yield '<ul class="gallery">'
            yield from map(_piece, pieces)
            yield "</ul>"
        case Box(title, blocks):
            yield f"<aside><h3>{escape(title)}</h3>"
            for inner in blocks:
                yield from _block(inner)
            yield "</aside>"


def _piece(piece: Piece) -> str:
    return f"<li>{_hidden(piece.picture)}<span>{escape(piece.name)}</span> <b>×{piece.count}</b></li>"


def _hidden(svg: str) -> str:
    """A picture that says nothing that the words beside it do not."""
    return svg.replace("<svg ", '<svg aria-hidden="true" focusable="false" ', 1)
