"""Pieces, zones and boards of a rulebook, in HTML."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape

from rulewright.publish.board_grid import SPACE as DRAWN_SPACE
from rulewright.publish.rulebook.model import Drawing, Piece, Rulebook, ShownTable, ShownZone, Tableau
from rulewright.publish.rulebook.piece_pictures import PiecePictures
from rulewright.publish.rulebook.shared_pictures import SharedPictures

SPACE = 2.1
"""Width of a space of a board in an example, in rem."""

MAX_BESIDE = 3
"""Limit of cards side by side; more overlap."""


class TableHtml:
    """Writer of pieces and where they lie, with the pictures of one page."""

    def __init__(self, book: Rulebook) -> None:
        self.book, self.pictures = book, SharedPictures()
        self.piece_pictures = PiecePictures(self.pictures)

    def key(self, key: Sequence[tuple[str, str]]) -> str:
        """Return the legend of signs as HTML; '' without any. key: each sign as SVG, with its meaning."""
        items = "".join(f"<li>{self.ornament(sign)}{escape(words)}</li>" for sign, words in key)
        return f'<ul class="key">{items}</ul>' if items else ""

    def pieces(self, pieces: Sequence[Piece]) -> str:
        """Return a list of pieces as HTML, in their order."""
        return f'<ul class="pieces">{"".join(self.piece(piece, True) for piece in pieces)}</ul>'

    def pieces_on_table(self, pieces: Sequence[Piece], unclear: set[str]) -> str:
        """Return pieces on a table: without names where pictures identify them."""
        with_names = [piece.name in unclear or not (piece.picture or (piece.hidden and piece.card)) for piece in pieces]
        only_cards = not any(with_names) and all(piece.card and not piece.marks for piece in pieces)
        fan_class = " fan" if len(pieces) > MAX_BESIDE and only_cards else ""
        items = "".join(map(self.piece, pieces, with_names))
        return f'<ul class="pieces lying{fan_class}">{items}</ul>'

    def piece(self, piece: Piece, with_name: bool) -> str:
        """Return a piece as HTML, with its number. with_name: also with its name, unless that stands on it."""
        picture = self.piece_pictures.draw(piece)
        name = piece.name
        if piece.corner and not piece.hidden and piece.corner not in name:
            name = f"{name} {piece.corner}"
        count_html = f' <b class="count" aria-hidden="true">×{piece.count}</b>' if piece.count > 1 else ""
        with_name = with_name and not (piece.disc and piece.name == piece.corner)
        name_html = f'<span class="name" aria-hidden="true">{escape(name)}</span>' if with_name else ""
        texts = f'{name_html}<span class="unseen">{escape(piece.description)}</span>'
        if piece.chart and with_name:
            return f'<li class="chart">{picture}{count_html}{texts}</li>'
        attributes = ' class="decides"' if piece.decides else ""
        return f"<li{attributes}>{picture}{count_html}{texts}{self.piece_story(piece)}</li>"

    def piece_story(self, piece: Piece) -> str:
        """Return the numbers of the story's lines about a piece, and where it goes, as HTML; '' if no line is about
        it."""
        discs = "".join(f'<b class="disc">{number}</b>' for number in piece.marks)
        goes = f'<span class="goes">{escape(piece.goes)}</span>' if piece.goes else ""
        return f' <span class="fate">{discs}{goes}</span>' if discs else ""

    def places(self, places: Iterable[ShownZone], unclear: set[str]) -> str:
        """Return the zones that hold pieces. unclear: names that different pieces share."""
        items = (
            f'<div class="place"><p class="label">{escape(place.name)}{self.note(place)}</p>'
            f"{self.pieces_on_table(place.pieces, unclear)}</div>"
            for place in places
            if place.pieces
        )
        return f'<div class="places">{"".join(items)}</div>'

    def note(self, place: ShownZone) -> str:
        """Return a zone's note as HTML, with its counter's value after an example, if any; '' without a note."""
        later = f' <b class="goes">{escape(place.later)}</b>' if place.later else ""
        return f' <span class="note">{escape(place.note)}{later}</span>' if place.note else ""

    def owner_line(self, tableau: Tableau) -> str:
        """Return the owner of a tableau, and its places without pieces."""
        items = (
            f' <span class="told"><i>{escape(place.name)}</i>{self.note(place) or " –"}</span>'
            for place in tableau.places
            if not place.pieces
        )
        return f"<b>{escape(tableau.owner) or self.word('Table')}</b>{''.join(items)}"

    def tableau(self, tableau: Tableau, unclear: set[str]) -> str:
        """Return the panel of an owner, or of the shared zones, as HTML. unclear: names that different pieces share."""
        css_class = "tableau" if tableau.owner else "tableau shared"
        places = self.places(tableau.places, unclear) if any(place.pieces for place in tableau.places) else ""
        return f'<div class="{css_class}"><p class="owner">{self.owner_line(tableau)}</p>{places}</div>'

    def position(self, position: ShownTable, unclear: set[str]) -> Iterator[str]:
        """Yield boards, then a panel for each player; if nobody has pieces, all in a line."""
        if position.boards:
            yield f'<div class="boards">{"".join(self.board(board, SPACE) for board in position.boards)}</div>'
        full = position.tableaus if any(place.pieces for each in position.tableaus for place in each.places) else ()
        others = [] if full else [f'<span class="told">{self.owner_line(each)}</span>' for each in position.tableaus]
        yield '<div class="position">'
        yield from (self.tableau(tableau, unclear) for tableau in full)
        if others:
            yield f'<div class="tableau"><p class="owner">{" ".join(others)}</p></div>'
        yield "</div>"

    def board(self, drawing: Drawing, space: float = 0) -> str:
        """Return a board; '' without a picture. space: maximum width of a space, in rem; 0 for the available width,
        with the legend."""
        if not drawing.picture:
            return ""
        picture_html = self.picture(drawing.picture, drawing.text)
        width = self.pictures.width(drawing.picture) / DRAWN_SPACE * space
        style = f' style="max-width: {width:.1f}rem"' if width else ""
        return f'<div class="board"{style}>{picture_html}</div>{"" if space else self.key(drawing.key)}'

    def word(self, english: str) -> str:
        """Return a word of the page, in its language, escaped for HTML."""
        return escape(self.book.word(english))

    def picture(self, svg: str, description: str) -> str:
        """Return a picture that adds information to the text around it, as HTML; '' without one."""
        return self.pictures.use(svg, f'role="img" aria-label="{escape(description)}"') if svg else ""

    def ornament(self, svg: str) -> str:
        """Return a decorative picture, hidden from screen readers, as HTML; '' without one."""
        return self.pictures.use(svg, 'aria-hidden="true"') if svg else ""
