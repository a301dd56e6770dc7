"""Rulebook as one self-contained page of HTML, to be read on a phone, and printed.

Without its script it has the same content; examples are folded, since a page has all of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape

from rulewright.publish.rulebook import page_frame
from rulewright.publish.rulebook.model import (
    BookBlock,
    Box,
    Changes,
    Chapter,
    Drawing,
    Example,
    ExampleLine,
    Flow,
    Gallery,
    Link,
    Paragraph,
    PrintedTable,
    Reference,
    Rule,
    Rulebook,
    Rulings,
    ScoreTable,
    Setup,
    ambiguous_names,
    group_acts,
)
from rulewright.publish.rulebook.page_frame import HUES
from rulewright.publish.rulebook.table_html import TableHtml
from rulewright.publish.scores import ScoreSheet


def page(book: Rulebook, script: str = "") -> str:
    """Return the whole page. script: additional script, where it is shown inside another page."""
    return "\n".join(filter(None, _Page(book, script).lines())) + "\n"


class _Page(TableHtml):
    """Writer of one page."""

    def __init__(self, book: Rulebook, script: str) -> None:
        super().__init__(book)
        self.script = script

    def lines(self) -> Iterator[str]:
        """Yield the whole page in HTML."""
        book = self.book
        direction = "rtl" if book.right_to_left else "ltr"
        yield "<!DOCTYPE html>"
        yield f'<html lang="{escape(book.language.replace("_", "-"))}" dir="{direction}"><head>'
        yield from page_frame.head(book, self.script)
        yield "</head><body>"
        yield from self.title()
        yield page_frame.bar(book)
        yield '<div class="book">'
        yield from page_frame.contents(book)
        yield "<main>"
        for number, chapter in enumerate(book.chapters):
            yield from self.chapter(number, chapter)
        yield "</main></div>"
        yield f"{self.pictures.definitions()}</body></html>"

    def title(self) -> Iterator[str]:
        """Yield the title, with the cover and facts about the game."""
        book = self.book
        yield "<header>"
        if book.cover:
            yield f'<div class="cover">{self.ornament(book.cover)}</div>'
        edition = f' <span class="edition">{escape(book.edition)}</span>' if book.edition else ""
        yield f'<div class="about"><h1>{escape(book.title)}{edition}</h1><p class="lead">{escape(book.text)}</p>'
        facts = (f"<div><dt>{escape(name)}</dt><dd>{escape(value)}</dd></div>" for name, value in book.facts)
        yield f'<dl class="facts">{"".join(facts)}</dl><p class="credits">{escape(book.credits)}</p></div></header>'

    def chapter(self, number: int, chapter: Chapter) -> Iterator[str]:
        """Yield a chapter. number: its place in the book, from 0."""
        yield f'<section class="hue-{number % HUES}" id="{escape(chapter.anchor)}">'
        yield f'<h2><span class="number">{number + 1}</span> <span>{escape(chapter.title)}</span>'
        yield f"{self.mark(chapter.mark)}{self.ornament(chapter.picture)}</h2>"
        for place, block in enumerate(chapter.blocks, 1):
            yield from self.block(block, f"{chapter.anchor}.{place}")
        yield "</section>"

    def block(self, block: BookBlock, place: str) -> Iterator[str]:
        """Yield a block. place: anchor for a block without its own."""
        match block:
            case Paragraph(text):
                yield f'<p class="text">{escape(text)}</p>'
            case Rule():
                yield self.rule(block, "h3")
            case Box(title, blocks):
                yield f'<aside id="{escape(block.anchor or place)}">'
                yield f"<h3>{self.ornament(block.picture)}{escape(title)} {self.mark(block.mark)}</h3>"
                for inner in blocks:
                    yield self.rule(inner, "h4") if isinstance(inner, Rule) else f"<p>{escape(inner.text)}</p>"
                yield f"{_ruling_links(block.rulings)}{_related_links(block.see)}</aside>"
            case PrintedTable():
                yield from self.table(block, place)
            case Gallery():
                yield self.gallery(block)
            case Drawing():
                yield self.board(block)
            case Setup():
                yield from self.setup(block)
            case Flow():
                yield from self.flow(block)
            case Example():
                yield from self.example(block)
            case Reference(title, rules):
                yield f'<h3>{escape(title)}</h3><ul class="reference">{"".join(map(self.brief_rule, rules))}</ul>'
            case Rulings(rulings):
                yield f'<ol class="rulings">{"".join(map(self.ruling, rulings))}</ol>'
            case ScoreSheet():
                yield from self.sheet(block)
            case Changes():
                yield from self.changes(block)

    # ── words ──

    def rule(self, rule: Rule, level: str) -> str:
        """Return a rule with its picture and links. level: tag of its heading."""
        aside = f'<div class="beside">{self.ornament(rule.picture)}{self.mark(rule.mark)}</div>'
        number = f'<span class="step">{rule.number}</span> ' if rule.number else ""
        words = (
            f"<{level}>{number}{escape(rule.title)}</{level}><p>{escape(rule.text)}{_ruling_links(rule.rulings)}</p>"
        )
        words += _related_links(rule.see)
        empty = "" if rule.picture else " noted" if rule.mark else " plain"
        id_ = f' id="{escape(rule.anchor)}"' if rule.anchor else ""
        return f'<div class="rule{empty}"{id_}>{aside}<div>{words}</div></div>'

    def ruling(self, rule: Rule) -> str:
        """Return a ruling as an item of a list."""
        words = f"<strong>{escape(rule.title)}</strong> {escape(rule.text)}"
        return f'<li id="{escape(rule.anchor)}">{words}{_related_links(rule.see)}</li>'

    def brief_rule(self, rule: Rule) -> str:
        """Return a rule of the player aid as an item of a list."""
        words = f"<h3>{escape(rule.title)} {self.mark(rule.mark)}</h3><p>{escape(rule.text)}</p>"
        return f'<li id="{escape(rule.anchor)}">{self.ornament(rule.picture)}<div>{words}</div></li>'

    def mark(self, mark: str) -> str:
        """Return the mark of a change in the book's language; '' without one."""
        return f'<span class="mark {escape(mark)}">{self.word(mark.capitalize())}</span>' if mark else ""

    # ── components and set-up ──

    def gallery(self, gallery: Gallery) -> str:
        """Return a gallery of kinds of pieces."""
        total = sum(piece.count for piece in gallery.pieces)
        mark = f" {self.mark(gallery.mark)}" if gallery.mark else ""
        head = f'<h3>{escape(gallery.title)} <span class="total">{total}</span>{mark}</h3>' if gallery.title else ""
        text = f"<p>{escape(gallery.text)}</p>" if gallery.text else ""
        sorts = f"<div>{text}{self.pieces(gallery.pieces)}{self.key(gallery.key)}</div>"
        return f'<div class="gallery" id="{escape(gallery.anchor)}">{head}{sorts}</div>'

    def setup(self, setup: Setup) -> Iterator[str]:
        """Yield the table as it is set up, half of the seats above and half below."""
        shared = [tableau for tableau in setup.position.tableaus if not tableau.owner]
        seats = [tableau for tableau in setup.position.tableaus if tableau.owner]
        half = len(seats) // 2
        names = ambiguous_names(setup.position)
        yield '<figure class="setup"><div class="felt">'
        for row in (seats[:half], shared, seats[half:][::-1]):
            if row is shared:
                yield from map(self.board, setup.position.boards)
            if row:
                yield '<div class="row">'
                yield from (self.tableau(tableau, names) for tableau in row)
                yield "</div>"
        yield f"</div><figcaption>{escape(setup.caption)}</figcaption></figure>"

    # ── what happens ──

    def flow(self, flow: Flow) -> Iterator[str]:
        """Yield the cycle of a round, and how it ends."""
        steps = "ol" if flow.ordered else "ul"
        yield f'<div class="flow"><{steps}>'
        yield from (f"<li>{self.ornament(step.picture)}{_link(step)}</li>" for step in flow.steps)
        yield f"</{steps}>{f'<p>{escape(flow.ends)}</p>' if flow.ends else ''}</div>"

    def example(self, example: Example) -> Iterator[str]:
        """Yield an example, folded: the position before it, its course, and the position after it."""
        heading = f'<h3><span class="tag">{self.word("Example")}</span> <span>{escape(example.title)}</span></h3>'
        yield f'<article class="example" id="{escape(example.anchor)}"><details><summary>{heading}</summary>'
        if example.text:
            yield f"<p>{escape(example.text)}</p>"
        names, boards = (
            ambiguous_names(example.before, example.after),
            bool(example.before.boards or example.after.boards),
        )
        yield f'<div class="played{" with-board" if boards else ""}">'
        if example.before.tableaus or example.before.boards:
            yield f'<div class="before">{"".join(self.position(example.before, names))}</div>'
        if example.course or example.scores is not None:
            yield '<div class="course">'
            yield from self.course(example.course)
            if example.scores is not None:
                yield self.scores(example.scores)
            yield "</div>"
        if example.after.tableaus or example.after.boards:
            yield f'<div class="after"><p class="label">{self.word("Outcome")}</p>'
            yield f"{''.join(self.position(example.after, names))}</div>"
        yield "</div></details></article>"

    def course(self, course: Sequence[ExampleLine]) -> Iterator[str]:
        """Yield what happens in an example, as a list of acts with explanations."""
        first, acts_ = group_acts(course)
        yield from map(_explanation, first)
        yield "<ol>"
        for text, explanations in acts_:
            yield f"<li>{escape(text)}{''.join(map(_explanation, explanations))}</li>"
        yield "</ol>"

    # ── tables ──

    def scores(self, scores: ScoreTable) -> str:
        """Return a table of scores."""

        def row(cells: Sequence[str], tag: str) -> str:
            attributes = [' class="won"' if index in scores.winners else "" for index in range(len(scores.players))]
            tagged_cells = (
                f"<{tag}{won}>{escape(cell)}</{tag}>" for won, cell in zip(attributes, cells[1:], strict=True)
            )
            return f'<tr><th scope="row">{escape(cells[0])}</th>{"".join(tagged_cells)}</tr>'

        heads = row(("", *scores.players), "th").replace('<th scope="row"></th>', "<td></td>")
        total = f"<tfoot>{row(scores.total, 'td')}</tfoot>" if scores.total else ""
        rows = "".join(row(line, "td") for line in scores.rows)
        return f'<table class="scores"><thead>{heads}</thead><tbody>{rows}</tbody>{total}</table>'

    def table(self, table: PrintedTable, place: str) -> Iterator[str]:
        """Yield a table. place: its anchor."""
        heads = "".join(f'<th scope="col">{escape(head)}</th>' for head in table.heads)
        yield f'<div class="wide" id="{escape(place)}"><h3>{escape(table.title)}</h3>'
        yield '<table class="what">'
        yield f"<thead><tr><td></td>{heads}</tr></thead><tbody>"
        for first, *others in table.rows:
            cells_by_head = zip(table.heads, others, strict=True)
            cells = "".join(
                f'<td data-name="{escape(head)}">{escape(cell) or "–"}</td>' for head, cell in cells_by_head
            )
            yield f'<tr><th scope="row">{escape(first)}</th>{cells}</tr>'
        yield "</tbody></table></div>"

    def sheet(self, sheet: ScoreSheet) -> Iterator[str]:
        """Yield an empty score sheet, with a column for each player."""
        cells = "<td></td>" * sheet.columns
        heads = (f'<th scope="col">{self.word("Player")} {number + 1}</th>' for number in range(sheet.columns))
        yield f'<div class="wide"><table class="sheet"><thead><tr><td></td>{"".join(heads)}</tr></thead><tbody>'
        yield from (f'<tr><th scope="row">{escape(line)}</th>{cells}</tr>' for line in sheet.lines)
        yield f'</tbody><tfoot><tr><th scope="row">{escape(sheet.total)}</th>{cells}</tr></tfoot></table></div>'

    def changes(self, changes: Changes) -> Iterator[str]:
        """Yield the table of what a variant changed."""
        before, after = escape(changes.before), escape(changes.after)
        heads = f'<td></td><th scope="col">{before}</th><th scope="col">{after}</th>'
        yield f'<table class="changes"><thead><tr>{heads}</tr></thead><tbody>'
        for change in changes.changes:
            yield f'<tr><th scope="row">{_link(change.link)} {self.mark(change.mark)}</th>'
            for text, name in ((change.before, before), (change.after, after)):
                yield f'<td data-name="{name}">{escape(text) or "–"}</td>'
            yield "</tr>"
        yield "</tbody></table>"


def _link(link: Link) -> str:
    """Return a link, or only its title without an anchor."""
    title = escape(link.title)
    return f'<a href="#{escape(link.anchor)}">{title}</a>' if link.anchor else title


def _explanation(text: str) -> str:
    """Return an explanation in an example."""
    return f'<span class="said">{escape(text)}</span>'


def _related_links(links: Iterable[Link]) -> str:
    """Return the links to related rules."""
    items = " ".join(f"<span>{_link(to)}</span>" for to in links)
    return f'<p class="see">{items}</p>' if items else ""


def _ruling_links(links: Iterable[Link]) -> str:
    """Return the numbers of the rulings on a rule."""
    return "".join(f' <a class="ruled" href="#{escape(to.anchor)}">§{escape(to.title)}</a>' for to in links)
