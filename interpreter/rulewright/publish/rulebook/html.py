"""A rulebook as one page of HTML that needs nothing else: it is read on a phone, and printed.

Without its script it says the same; examples are folded, since a page has all of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape

from rulewright.publish.drawing import SPACE as DRAWN
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
    Piece,
    PrintedTable,
    Reference,
    Rule,
    Rulebook,
    Rulings,
    ScoreTable,
    Setup,
    ShownTable,
    ShownZone,
    Tableau,
    acts,
    unclear,
)
from rulewright.publish.rulebook.page_frame import HUES
from rulewright.publish.rulebook.piece_pictures import DrawnPieces
from rulewright.publish.rulebook.shared_pictures import DrawnOnce
from rulewright.publish.scores import ScoreSheet

SPACE = 2.1
"""Width of a space of a board in an example, in rem."""

MOST_BESIDE = 3
"""Cards that lie side by side; more overlap."""


def page(book: Rulebook, script: str = "") -> str:
    """The whole page. script: what it runs besides its own, where it is shown in another page."""
    return "\n".join(filter(None, _Page(book, script).lines())) + "\n"


class _Page:
    """One page being written."""

    def __init__(self, book: Rulebook, script: str) -> None:
        self.book, self.script = book, script
        self.drawn = DrawnOnce()
        self.on_pieces = DrawnPieces(self.drawn)

    def lines(self) -> Iterator[str]:
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
        yield f"{self.drawn.all()}</body></html>"

    def title(self) -> Iterator[str]:
        book = self.book
        yield "<header>"
        if book.cover:
            yield f'<div class="cover">{self.ornament(book.cover)}</div>'
        edition = f' <span class="edition">{escape(book.edition)}</span>' if book.edition else ""
        yield f'<div class="about"><h1>{escape(book.title)}{edition}</h1><p class="lead">{escape(book.text)}</p>'
        facts = (f"<div><dt>{escape(name)}</dt><dd>{escape(value)}</dd></div>" for name, value in book.facts)
        yield f'<dl class="facts">{"".join(facts)}</dl><p class="credits">{escape(book.credits)}</p></div></header>'

    def chapter(self, number: int, chapter: Chapter) -> Iterator[str]:
        yield f'<section class="hue-{number % HUES}" id="{escape(chapter.anchor)}">'
        yield f'<h2><span class="number">{number + 1}</span> <span>{escape(chapter.title)}</span>'
        yield f"{self.mark(chapter.mark)}{self.ornament(chapter.picture)}</h2>"
        for place, block in enumerate(chapter.blocks, 1):
            yield from self.block(block, f"{chapter.anchor}.{place}")
        yield "</section>"

    def block(self, block: BookBlock, place: str) -> Iterator[str]:
        """place: an anchor for what has none of its own."""
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
                yield f"{_ruled(block.rulings)}{_see(block.see)}</aside>"
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
                yield f'<h3>{escape(title)}</h3><ul class="reference">{"".join(map(self.glance, rules))}</ul>'
            case Rulings(rulings):
                yield f'<ol class="rulings">{"".join(map(self.ruling, rulings))}</ol>'
            case ScoreSheet():
                yield from self.sheet(block)
            case Changes():
                yield from self.changes(block)

    # ── words ──

    def rule(self, rule: Rule, level: str) -> str:
        beside = f'<div class="beside">{self.ornament(rule.picture)}{self.mark(rule.mark)}</div>'
        number = f'<span class="step">{rule.number}</span> ' if rule.number else ""
        words = f"<{level}>{number}{escape(rule.title)}</{level}><p>{escape(rule.text)}{_ruled(rule.rulings)}</p>"
        words += _see(rule.see)
        empty = "" if rule.picture else " noted" if rule.mark else " plain"
        at = f' id="{escape(rule.anchor)}"' if rule.anchor else ""
        return f'<div class="rule{empty}"{at}>{beside}<div>{words}</div></div>'

    def ruling(self, rule: Rule) -> str:
        words = f"<strong>{escape(rule.title)}</strong> {escape(rule.text)}"
        return f'<li id="{escape(rule.anchor)}">{words}{_see(rule.see)}</li>'

    def glance(self, rule: Rule) -> str:
        words = f"<h3>{escape(rule.title)} {self.mark(rule.mark)}</h3><p>{escape(rule.text)}</p>"
        return f'<li id="{escape(rule.anchor)}">{self.ornament(rule.picture)}<div>{words}</div></li>'

    def mark(self, mark: str) -> str:
        return f'<span class="mark {escape(mark)}">{self.word(mark.capitalize())}</span>' if mark else ""

    def word(self, english: str) -> str:
        return escape(self.book.word(english))

    # ── pieces, and where they lie ──

    def gallery(self, gallery: Gallery) -> str:
        total = sum(piece.count for piece in gallery.pieces)
        mark = f" {self.mark(gallery.mark)}" if gallery.mark else ""
        head = f'<h3>{escape(gallery.title)} <span class="total">{total}</span>{mark}</h3>' if gallery.title else ""
        text = f"<p>{escape(gallery.text)}</p>" if gallery.text else ""
        sorts = f"<div>{text}{self.pieces(gallery.pieces)}{self.key(gallery.key)}</div>"
        return f'<div class="gallery" id="{escape(gallery.anchor)}">{head}{sorts}</div>'

    def key(self, key: Sequence[tuple[str, str]]) -> str:
        """What signs stand for."""
        told = "".join(f"<li>{self.ornament(sign)}{escape(words)}</li>" for sign, words in key)
        return f'<ul class="key">{told}</ul>' if told else ""

    def pieces(self, pieces: Sequence[Piece]) -> str:
        return f'<ul class="pieces">{"".join(self.piece(piece, True) for piece in pieces)}</ul>'

    def laid(self, pieces: Sequence[Piece], unclear: set[str]) -> str:
        """Pieces on a table: without words, where pictures tell which they are."""
        named = [piece.name in unclear or not (piece.picture or (piece.hidden and piece.card)) for piece in pieces]
        alike = not any(named) and all(piece.card and not piece.marks for piece in pieces)
        fan = " fan" if len(pieces) > MOST_BESIDE and alike else ""
        told = "".join(map(self.piece, pieces, named))
        return f'<ul class="pieces lying{fan}">{told}</ul>'

    def piece(self, piece: Piece, named: bool) -> str:
        drawn = self.on_pieces.drawn(piece)
        name = piece.name
        if piece.corner and not piece.hidden and piece.corner not in name:
            name = f"{name} {piece.corner}"
        counted = f' <b class="count" aria-hidden="true">×{piece.count}</b>' if piece.count > 1 else ""
        named = named and not (piece.disc and piece.name == piece.corner)
        shown = f'<span class="name" aria-hidden="true">{escape(name)}</span>' if named else ""
        told = f'{shown}<span class="unseen">{escape(piece.told)}</span>'
        if piece.chart and named:
            return f'<li class="chart">{drawn}{counted}{told}</li>'
        how = ' class="decides"' if piece.decides else ""
        return f"<li{how}>{drawn}{counted}{told}{self.fate(piece)}</li>"

    def fate(self, piece: Piece) -> str:
        """By which numbers the course tells of a piece, and where it goes then."""
        discs = "".join(f'<b class="disc">{number}</b>' for number in piece.marks)
        goes = f'<span class="goes">{escape(piece.goes)}</span>' if piece.goes else ""
        return f' <span class="fate">{discs}{goes}</span>' if discs else ""

    def places(self, places: Iterable[ShownZone], unclear: set[str]) -> str:
        told = (
            f'<div class="place"><p class="label">{escape(place.name)}{self.note(place)}</p>'
            f"{self.laid(place.pieces, unclear)}</div>"
            for place in places
            if place.pieces
        )
        return f'<div class="places">{"".join(told)}</div>'

    def note(self, place: ShownZone) -> str:
        later = f' <b class="goes">{escape(place.later)}</b>' if place.later else ""
        return f' <span class="note">{escape(place.note)}{later}</span>' if place.note else ""

    def owned(self, tableau: Tableau) -> str:
        """Whose it is, and what words can say of it."""
        told = (
            f' <span class="told"><i>{escape(place.name)}</i>{self.note(place) or " –"}</span>'
            for place in tableau.places
            if not place.pieces
        )
        return f"<b>{escape(tableau.owner) or self.word('Table')}</b>{''.join(told)}"

    def tableau(self, tableau: Tableau, unclear: set[str]) -> str:
        whose = "tableau" if tableau.owner else "tableau shared"
        places = self.places(tableau.places, unclear) if any(place.pieces for place in tableau.places) else ""
        return f'<div class="{whose}"><p class="owner">{self.owned(tableau)}</p>{places}</div>'

    def position(self, position: ShownTable, unclear: set[str]) -> Iterator[str]:
        """Boards, then everybody in a panel; if nobody has pieces, all in a line."""
        if position.boards:
            yield f'<div class="boards">{"".join(self.board(board, SPACE) for board in position.boards)}</div>'
        full = position.tableaus if any(place.pieces for each in position.tableaus for place in each.places) else ()
        others = [] if full else [f'<span class="told">{self.owned(found)}</span>' for found in position.tableaus]
        yield '<div class="position">'
        yield from (self.tableau(tableau, unclear) for tableau in full)
        if others:
            yield f'<div class="tableau"><p class="owner">{" ".join(others)}</p></div>'
        yield "</div>"

    def board(self, drawing: Drawing, space: float = 0) -> str:
        """A board. space: how wide one of it is at most, in rem; 0 for as wide as there is room."""
        if not drawing.picture:
            return ""
        drawn = self.picture(drawing.picture, drawing.text)
        wide = self.drawn.width(drawing.picture) / DRAWN * space
        most = f' style="max-width: {wide:.1f}rem"' if wide else ""
        return f'<div class="board"{most}>{drawn}</div>{"" if space else self.key(drawing.key)}'

    def setup(self, setup: Setup) -> Iterator[str]:
        shared = [tableau for tableau in setup.position.tableaus if not tableau.owner]
        seats = [tableau for tableau in setup.position.tableaus if tableau.owner]
        half = len(seats) // 2
        names = unclear(setup.position)
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
        steps = "ol" if flow.ordered else "ul"
        yield f'<div class="flow"><{steps}>'
        yield from (f"<li>{self.ornament(step.picture)}{_link(step)}</li>" for step in flow.steps)
        yield f"</{steps}>{f'<p>{escape(flow.ends)}</p>' if flow.ends else ''}</div>"

    def example(self, example: Example) -> Iterator[str]:
        heading = f'<h3><span class="tag">{self.word("Example")}</span> <span>{escape(example.title)}</span></h3>'
        yield f'<article class="example" id="{escape(example.anchor)}"><details><summary>{heading}</summary>'
        if example.text:
            yield f"<p>{escape(example.text)}</p>"
        names, boards = unclear(example.before, example.after), bool(example.before.boards or example.after.boards)
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
        first, told = acts(course)
        yield from map(_said, first)
        yield "<ol>"
        for text, said in told:
            yield f"<li>{escape(text)}{''.join(map(_said, said))}</li>"
        yield "</ol>"

    # ── tables ──

    def scores(self, scores: ScoreTable) -> str:
        def row(cells: Sequence[str], tag: str) -> str:
            how = [' class="won"' if at in scores.winners else "" for at in range(len(scores.players))]
            told = (f"<{tag}{won}>{escape(cell)}</{tag}>" for won, cell in zip(how, cells[1:], strict=True))
            return f'<tr><th scope="row">{escape(cells[0])}</th>{"".join(told)}</tr>'

        heads = row(("", *scores.players), "th").replace('<th scope="row"></th>', "<td></td>")
        total = f"<tfoot>{row(scores.total, 'td')}</tfoot>" if scores.total else ""
        rows = "".join(row(line, "td") for line in scores.rows)
        return f'<table class="scores"><thead>{heads}</thead><tbody>{rows}</tbody>{total}</table>'

    def table(self, table: PrintedTable, place: str) -> Iterator[str]:
        heads = "".join(f'<th scope="col">{escape(head)}</th>' for head in table.heads)
        yield f'<div class="wide" id="{escape(place)}"><h3>{escape(table.title)}</h3>'
        yield '<table class="what">'
        yield f"<thead><tr><td></td>{heads}</tr></thead><tbody>"
        for first, *others in table.rows:
            named = zip(table.heads, others, strict=True)
            cells = "".join(f'<td data-name="{escape(head)}">{escape(cell) or "–"}</td>' for head, cell in named)
            yield f'<tr><th scope="row">{escape(first)}</th>{cells}</tr>'
        yield "</tbody></table></div>"

    def sheet(self, sheet: ScoreSheet) -> Iterator[str]:
        cells = "<td></td>" * sheet.columns
        heads = (f'<th scope="col">{self.word("Player")} {number + 1}</th>' for number in range(sheet.columns))
        yield f'<div class="wide"><table class="sheet"><thead><tr><td></td>{"".join(heads)}</tr></thead><tbody>'
        yield from (f'<tr><th scope="row">{escape(line)}</th>{cells}</tr>' for line in sheet.lines)
        yield f'</tbody><tfoot><tr><th scope="row">{escape(sheet.total)}</th>{cells}</tr></tfoot></table></div>'

    def changes(self, changes: Changes) -> Iterator[str]:
        before, after = escape(changes.before), escape(changes.after)
        heads = f'<td></td><th scope="col">{before}</th><th scope="col">{after}</th>'
        yield f'<table class="changes"><thead><tr>{heads}</tr></thead><tbody>'
        for change in changes.changes:
            yield f'<tr><th scope="row">{_link(change.link)} {self.mark(change.mark)}</th>'
            for text, name in ((change.before, before), (change.after, after)):
                yield f'<td data-name="{name}">{escape(text) or "–"}</td>'
            yield "</tr>"
        yield "</tbody></table>"

    # ── pictures ──

    def picture(self, svg: str, told: str) -> str:
        """A picture that says what the words around it do not."""
        return self.drawn.use(svg, f'role="img" aria-label="{escape(told)}"') if svg else ""

    def ornament(self, svg: str) -> str:
        """A picture that says nothing that the words beside it do not."""
        return self.drawn.use(svg, 'aria-hidden="true"') if svg else ""


def _link(link: Link) -> str:
    title = escape(link.title)
    return f'<a href="#{escape(link.anchor)}">{title}</a>' if link.anchor else title


def _said(text: str) -> str:
    return f'<span class="said">{escape(text)}</span>'


def _see(links: Iterable[Link]) -> str:
    """Where one may read on."""
    told = " ".join(f"<span>{_link(to)}</span>" for to in links)
    return f'<p class="see">{told}</p>' if told else ""


def _ruled(links: Iterable[Link]) -> str:
    """The numbers of the rulings on a rule."""
    return "".join(f' <a class="ruled" href="#{escape(to.anchor)}">§{escape(to.title)}</a>' for to in links)
