"""Drawing of boards as SVG: ground in every space, lines between regions, coordinates at the rim, pieces on discs.

The grid is that of a map: squares, or hexagons of which odd rows are shifted by half. Each picture is defined once in a
drawing and used by a name that is a digest of its content, since many drawings may be on one page.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from hashlib import sha256
from html import escape
from xml.etree import ElementTree

from rulewright.base.records import record
from rulewright.program.board_coordinates import LOWERCASE, BoardCoordinates
from rulewright.publish.board_annotations import (
    BoardAnnotations,
    PieceOnSpace,
    arrival_place,
    arrival_sign,
    choice_sign,
    top_layer,
)
from rulewright.publish.board_edges import Edge
from rulewright.publish.board_grid import PILED, PLACE, SIDE, SPACE, Point, Position, board_grid

_MARGIN, _CUT = 150, 50
"""Margin around a board, and that of a part on its right and below, where the board goes on."""
_DISC, _FLAG = 84, 52
"""Radius of a disc, and of a flag."""
_SEED, _SEEDS = 27, 16
"""Radius of a seed in a pit, and how many are drawn."""
_GOLDEN = math.pi * (3 - math.sqrt(5))
"""Angle from seed to seed."""
_INK, _CREAM, _SAND, _SKY = "#2E2430", "#FFF6E3", "#F3D9A2", "#A5D3D9"
"""Colours: lines; light ground below them; land beneath the spaces; what lies around a board without a picture."""


@record
class Field:
    """Space as it is drawn.

    - region: lines are drawn between spaces of different regions
    - ground: SVG or ''
    - piece: on it, or None
    - flag: piece that stands for its region there, or None
    - sign: SVG of its kind, or ''
    """

    region: object
    ground: str = ""
    piece: PieceOnSpace | None = None
    flag: PieceOnSpace | None = None
    sign: str = ""


Roads = tuple[tuple[Position, Position], ...]
"""Pairs of spaces that roads join."""


@record
class BoardLooks:
    """Looks of a board itself.

    - kind: as declared
    - around: picture that fills its surroundings, or ''
    - gap: picture of places inside that are no spaces, gaps: these
    - edges: outer edges in colours
    - roads: places that these join
    - names: of spaces, instead of letters and numbers at the rim
    """

    kind: str = ""
    around: str = ""
    gap: str = ""
    gaps: tuple[Position, ...] = ()
    edges: tuple[Edge, ...] = ()
    roads: Roads = ()
    names: tuple[tuple[Position, str], ...] = ()


PLAIN = BoardLooks()
"""Looks of a board of which the edition says nothing."""
_DROPPED_ATTRIBUTES = re.compile(r'\s(?:xmlns|id|width|height|preserveAspectRatio)="[^"]*"')
"""Attributes of <svg> that a <symbol> does not take over."""
_TITLE = re.compile(r"(?s)<title(?:/>|>.*?</title>)")
"""Title of a picture."""

SHARED, SHARED_END, STAMP = "<!--once-->", "<!--end-->", "s"
"""Marks around a definition that a page may hold once for all its drawings, and first letter of stamps' names."""


@record
class StaticLayer:
    """Layer below pieces and annotations: surroundings, roads, grounds, lines and signs of a board; with the pictures
    that it uses, and its stamps."""

    svg: str
    pictures: dict[str, None]
    stamps: dict[str, None]


Window = tuple[int, int, int, int]
"""First column and row, last column and row."""


def board(
    fields: Mapping[Position, Field],
    hexagonal: bool = False,
    looks: BoardLooks = PLAIN,
    window: Window | None = None,
    annotations: BoardAnnotations | None = None,
    coordinates: BoardCoordinates = LOWERCASE,
) -> str:
    """Draw a board as SVG. looks: of the board itself; window: part to draw, None for the whole; annotations: drawn
    over it, or None; coordinates: names of columns and rows."""
    return _Drawing(fields, hexagonal, looks, window, coordinates).svg(annotations)


class _Drawing:
    """Drawing of a board with the pieces on its spaces. visible: spaces in the window or beside it, whose pieces are
    drawn; in_window: spaces in it alone. around: picture of what lies around the board, or ''; cut: whether only a
    window is drawn; names: of columns and rows; pictures_used, stamps: pictures, and shapes that are drawn in many
    places, in order of use."""

    def __init__(
        self,
        fields: Mapping[Position, Field],
        hexagonal: bool,
        looks: BoardLooks,
        window: Window | None,
        coordinates: BoardCoordinates = LOWERCASE,
    ) -> None:
        self.looks, self.kind = looks, looks.kind
        self.grid = board_grid(looks.kind, hexagonal, tuple(fields))
        self.center, self.corners = self.grid.center, self.grid.corners
        self.hexagonal, self.around, self.cut, self.names = hexagonal, looks.around, window is not None, coordinates
        self.fields = fields
        self.gaps = {place: Field(None, looks.gap) for place in looks.gaps}
        self.visible = list(fields) if window is None else [place for place in fields if _is_near(place, window)]
        self.in_window = list(fields) if window is None else [place for place in fields if _is_near(place, window, 0)]
        self.pictures_used: dict[str, None] = {}
        self.stamps: dict[str, None] = {}
        self.columns = [column for column, _ in self.in_window]
        self.rows = [row for _, row in self.in_window]

    def svg(self, annotations: BoardAnnotations | None = None) -> str:
        """Return the drawing as SVG. annotations: what happens on the board, drawn over it."""
        # all of it, whatever part is seen: drawings of one board have it in common, and a page may hold it once
        land = _static_layer(
            tuple((place, field.region, field.ground, field.sign) for place, field in self.fields.items()),
            self.hexagonal,
            self.looks,
        )
        body = [land.svg, *self.coordinates(), *self.pieces()]
        if annotations is not None:
            body += self.annotations(annotations)
        defs = "".join(map(_symbol, {**land.pictures, **self.pictures_used}))
        defs += "".join(map(_stamp_definition, {**land.stamps, **self.stamps}))
        left, top, width, height = map(round, self.frame(self.in_window, self.cut))
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{left} {top} {width} {height}">'
            f"<defs>{defs}</defs>{''.join(body)}</svg>"
        )

    def frame(self, places: Iterable[Position], cut: bool) -> tuple[float, float, float, float]:
        """Return left, top, width and height of a part of the board with its margins. cut: whether it is only a part,
        with less of them right and below."""
        corners = [corner for position in places for corner in self.corners(position)]
        left, top = (min(values) - _MARGIN for values in zip(*corners, strict=True))
        right, bottom = (max(values) + (_CUT if cut else _MARGIN) for values in zip(*corners, strict=True))
        return left, top, right - left, bottom - top

    # ── what is drawn, from the bottom up ──

    def static_layer(self) -> StaticLayer:
        """Draw the static layer."""
        svg = "".join([*self.background(), *self.road_lines(), *self.grounds(), *self.lines(), *self.signs()])
        return StaticLayer(_group(svg), self.pictures_used, self.stamps)

    def background(self) -> Iterator[str]:
        """Draw the surroundings, and a shore, so that the spaces are one piece of land."""
        left, top, width, height = self.frame(self.fields, cut=False)
        size = f'x="{left:.0f}" y="{top:.0f}" width="{width:.0f}" height="{height:.0f}"'
        if self.around or not self.looks.edges:
            yield f'<rect {size} rx="60" fill="{_first_fill(self.around) or _SKY}"/>'
        if self.around:
            across, down = range(round(width // SPACE)), range(round(height // SPACE))
            margin = (width % SPACE / 2, height % SPACE / 2)
            tile = self.use(self.around, 0, 0, SPACE, SPACE)
            yield from (
                self.stamp(tile, left + margin[0] + x * SPACE, top + margin[1] + y * SPACE)
                for y in down
                for x in across
            )
        outline = "".join(_path(self.corners(position)) for position in self.fields)
        yield f'<path d="{outline}" fill="{_SAND}" stroke="{_SAND}" stroke-width="72" stroke-linejoin="round"/>'
        for width, paint in ((88, _INK), (72, "")):
            for colour in dict.fromkeys(edge[4] for edge in self.looks.edges):
                path = "".join(f"M{x} {y}L{u} {v}" for x, y, u, v, own in self.looks.edges if own == colour)
                yield f'<path d="{path}" stroke="{paint or colour}" stroke-width="{width}" stroke-linecap="round"/>'

    def road_lines(self) -> Iterator[str]:
        """Draw the roads, each with an edge."""
        ends = (map(self.center, road) for road in self.looks.roads)
        path = "".join(f"M{x:.0f} {y:.0f}L{u:.0f} {v:.0f}" for (x, y), (u, v) in ends)
        for colour, width in ((_INK, 34), (_CREAM, 22)) if path else ():
            yield f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{width}" stroke-linecap="round"/>'

    def grounds(self) -> Iterator[str]:
        """Yield the ground of every space."""
        for position, field in {**self.gaps, **self.fields}.items():
            x, y = self.center(position)
            shape = _path((across - x, down - y) for across, down in self.corners(position))
            shape_svg = f'<path d="{shape}" fill="{_first_fill(field.ground) or _CREAM}"/>'
            if field.ground:
                height = SIDE if self.hexagonal else SPACE
                picture = self.use(field.ground, -SPACE / 2, -height / 2, SPACE, height)
                stretch = 1 if self.hexagonal else self.grid.box(position)[3] / SPACE
                shape_svg += picture if stretch == 1 else f'<g transform="scale(1 {stretch:.3f})">{picture}</g>'
            yield self.stamp(shape_svg, x, y)

    def lines(self) -> Iterator[str]:
        """Draw fine lines between all spaces, strong ones around regions."""
        edges: dict[tuple[tuple[int, int], ...], list[Field]] = {}
        for position, field in {**self.gaps, **self.fields}.items():
            corners = [(round(x), round(y)) for x, y in self.corners(position)]
            for start, end in zip(corners, [*corners[1:], corners[0]], strict=True):
                edges.setdefault(tuple(sorted((start, end))), []).append(field)
        inner = [edge for edge, beside in edges.items() if len(beside) == 2 and self.are_alike(*beside)]
        outer = [edge for edge in edges if edge not in set(inner)]
        for edges_, width, opacity in ((inner, 5, 0.5), (outer, 14, 1)):
            path = "".join(f"M{x} {y}L{u} {v}" for (x, y), (u, v) in edges_)
            yield (
                f'<path d="{path}" fill="none" stroke="{_INK}" stroke-width="{width}" stroke-opacity="{opacity}" '
                f'stroke-linecap="round"/>'
            )

    def are_alike(self, one: Field, other: Field) -> bool:
        """Return whether no strong line parts two spaces."""
        return bool(self.looks.edges or self.gaps) or one.region == other.region

    def signs(self) -> Iterator[str]:
        """Draw the sign of each space in its middle."""
        for position, field in self.fields.items():
            if field.sign:
                x, y = self.center(position)
                yield self.stamp(self.use(field.sign, -50, -50, 100, 100), x, y)

    def stamp(self, shape: str, x: float, y: float) -> str:
        """Place a shape that many spaces share, drawn around the origin, at a point."""
        self.stamps[shape] = None
        return f'<use href="#{_stamp_name(shape)}" x="{x:.0f}" y="{y:.0f}"/>'

    def coordinates(self) -> Iterator[str]:
        """Draw a letter above each column, and a number left of each row; or the names of points or spaces instead."""
        first, last = min(self.rows), max(self.rows)
        left, top, width, height = self.frame(self.in_window, self.cut)
        if self.cut:  # the board goes on below them
            band = f'fill="{_CREAM}" fill-opacity="0.82"'
            yield f'<path d="M{left:.0f} {top:.0f}h{width:.0f}v130h{130 - width:.0f}v{height - 130:.0f}h-130z" {band}/>'
        if self.kind == "points":
            yield from self.names_of_points(top + 65, top + height - 65)
            return
        if self.looks.names:
            yield from self.names_of_spaces()
            return
        left, top = left + 65, top + 65
        first_column, rows = min(self.columns), range(first, last + 1)
        heads = [(column, 0) for column in range(first_column, max(self.columns) + 1)]
        aside = 0.0
        if self.names.slant is not None:
            heads, aside = [place for place in self.in_window if place[1] == first], 0.55 * SPACE
        texts = [_text(self.center(head)[0] - aside, top, self.names.letter(head), 76, "") for head in heads]
        texts += [_text(left, self.center((0, row))[1], str(self.names.number(row)), 76, "") for row in rows]
        yield _group("".join(texts), f" {_letter_attributes(76)}")

    def names_of_spaces(self) -> Iterator[str]:
        """Draw the name of each space: below a place, in the corner of a space of a path."""
        for place, name in self.looks.names:
            x, y = self.center(place)
            below, size = (PLACE + 34, 40) if self.kind == "places" else (0, 56)
            if self.names.numbered:
                x, y, size = x - 0.36 * SPACE, y - 0.34 * SPACE, 40
            yield _text(x, y + below, name, size)

    def names_of_points(self, above: float, below: float) -> Iterator[str]:
        """Draw the name of each point at its outer edge."""
        piles = ((place, self.grid.pile(place)) for place in self.fields)
        texts = [
            _text(self.center(place)[0], above if direction > 0 else below, self.names.label(place), 66, "")
            for place, direction in piles
            if direction
        ]
        yield _group("".join(texts), f" {_letter_attributes(66)}")

    def pieces(self) -> Iterator[str]:
        """Yield the pieces in visible spaces, their flags, and the signs at their edges."""
        centers = {position: self.center(position) for position in self.visible}
        full = ((self.fields[place].piece, place) for place in centers)
        pieces_ = [one for piece, place in full if piece is not None for one in self.arranged(piece, place)]
        aside = SPACE / 2 - 30
        flags = [
            (flag, centers[place][0] + aside, centers[place][1] - aside, _FLAG)
            for place in centers
            if (flag := self.fields[place].flag) is not None
        ]
        for piece, x, y, radius in (*pieces_, *flags):
            yield from self.piece(piece, x, y, radius)
        for place, (x, y) in centers.items():
            if self.fields[place].sign and self.fields[place].piece is not None:
                yield from self.edge_sign(self.fields[place].sign, x, y)

    def arranged(self, piece: PieceOnSpace, place: Position) -> Iterator[tuple[PieceOnSpace, float, float, int]]:
        """Yield what is drawn for the pieces on a space, with x, y and radius: one for all, a pile, or seeds."""
        x, y = self.center(place)
        if direction := self.grid.pile(place):
            _, top, _, height = self.grid.box(place)
            is_flat, sign = abs(direction) > 1, math.copysign(1, direction)
            edge, count = (top if direction > 0 else top + height), piece.count if is_flat else min(piece.count, PILED)
            spacing = min(2 * _DISC, (height - 2.2 * _DISC) / max(1, count - 1)) if is_flat else 2 * _DISC
            for number in range(count):
                disc_piece = replace(piece, count=piece.count if number == count - 1 and piece.count > PILED else 1)
                yield disc_piece, x, edge + sign * (1.1 * _DISC + number * spacing), _DISC
        elif self.kind == "pits":
            count = min(piece.count, _SEEDS)
            for number in range(count):
                far, angle = 76 * math.sqrt((number + 0.5) / max(count, 4)), number * _GOLDEN
                disc_piece = replace(piece, count=piece.count if number == count - 1 else 1)
                yield disc_piece, x + far * math.cos(angle), y + far * math.sin(angle), _SEED
        else:
            yield piece, x, y, _DISC

    def piece(self, piece_: PieceOnSpace, x: float, y: float, radius: int) -> Iterator[str]:
        """Draw a piece on a disc."""
        size = radius * 1.45
        disc = f'<circle r="{radius}" fill="{_CREAM}" stroke="{_INK}" stroke-width="6"/>'
        picture_svg = self.use(piece_.picture, -size / 2, -size / 2, size, size) if piece_.picture else ""
        yield self.stamp(disc + picture_svg, x, y)
        if not piece_.picture:
            yield _text(x, y, piece_.name[:2], radius)
        if piece_.count > 1:
            across, down = x + radius * 0.75, y + radius * 0.75
            yield f'<circle cx="{across:.0f}" cy="{down:.0f}" r="36" fill="{_INK}"/>'
            yield _text(across, down, str(piece_.count), 52, _CREAM)

    def edge_sign(self, sign: str, x: float, y: float) -> Iterator[str]:
        """Draw the sign of a space again at the edge of the piece that covers it."""
        x, y = (x, y + SIDE - 42) if self.hexagonal else (x - SPACE / 2 + 36, y + SPACE / 2 - 36)
        yield f'<circle cx="{x:.0f}" cy="{y:.0f}" r="30" fill="{_CREAM}"/>'
        yield self.use(sign, x - 22, y - 22, 44, 44)

    def annotations(self, annotations: BoardAnnotations) -> Iterator[str]:
        """Draw the annotations on top of all else."""
        centers = {place: self.center(place) for place in self.in_window}
        yield from (choice_sign(*centers[place]) for place in annotations.choices & centers.keys())
        for place, arriving in annotations.arrivals.items():
            field = self.fields.get(place)
            x, y, radius = arrival_place(*self.center(place), _DISC, field is not None and field.piece is not None)
            yield from self.piece(arriving, x, y, radius)
            yield arrival_sign(x, y, radius)
        yield from top_layer(annotations, self.center, _DISC)

    def use(self, picture: str, x: float, y: float, width: float, height: float) -> str:
        """Use a picture, fitted into a rectangle, and note that it must be defined."""
        self.pictures_used[picture] = None
        place = f'x="{x:.0f}" y="{y:.0f}" width="{width:.0f}" height="{height:.0f}"'
        return f'<use href="#{_digest_name(picture)}" {place}/>'


@lru_cache(maxsize=16)  # a book draws the same board again and again
def _static_layer(
    places: tuple[tuple[Position, object, str, str], ...], hexagonal: bool, looks: BoardLooks
) -> StaticLayer:
    """Return the cached static layer of a board."""
    fields = {place: Field(region, ground, sign=sign) for place, region, ground, sign in places}
    return _Drawing(fields, hexagonal, looks, None).static_layer()


@lru_cache(maxsize=1024)
def _digest_name(content: str) -> str:
    """Return the name of a part, which is equal for equal contents."""
    return f"d{sha256(content.encode()).hexdigest()[:12]}"


def _stamp_name(content: str) -> str:
    """Return the name of a stamp."""
    return STAMP + _digest_name(content)


def _stamp_definition(content: str) -> str:
    """Return the definition of a stamp, which a page may share."""
    return f'{SHARED}<g id="{_stamp_name(content)}">{content}</g>{SHARED_END}'


def _group(content: str, attributes: str = "") -> str:
    """Wrap a part that other drawings may share. attributes: of the group."""
    return f'{SHARED}<g id="{_digest_name(content + attributes)}"{attributes}>{content}</g>{SHARED_END}'


@lru_cache(maxsize=256)
def _symbol(picture: str) -> str:
    """Return the definition of a picture, which a page may share."""
    return f"{SHARED}{symbol(picture, _digest_name(picture), fills=True)}{SHARED_END}"


def _is_near(position: Position, window: Window, beyond: int = 1) -> bool:
    """Return whether a space is in a window, or at most so far beyond it."""
    (column, row), (left, top, right, bottom) = position, window
    return left - beyond <= column <= right + beyond and top - beyond <= row <= bottom + beyond


def symbol(picture: str, name: str, fills: bool = False) -> str:
    """Turn a picture into a symbol to be used by name, without its title, which is in no reader's language. fills: fill
    the place where it is used, and cut off what lies beyond it."""
    opening, _, body = picture.partition(">")
    if opening.endswith("/"):  # nothing is drawn
        opening, body = opening[:-1], "</svg>"
    attributes = _DROPPED_ATTRIBUTES.sub("", opening.removeprefix("<svg"))
    fitting = ' preserveAspectRatio="xMidYMid slice"' if fills else ""
    content = _TITLE.sub("", body.strip().removesuffix("</svg>"))
    return f'<symbol id="{escape(name)}"{attributes}{fitting}>{content}</symbol>'


def _path(corners: Iterable[Point]) -> str:
    """Return the data of a closed path."""
    return "M" + "L".join(f"{x:.0f} {y:.0f}" for x, y in corners) + "Z"


def _text(x: float, y: float, text: str, size: int, fill: str = _INK) -> str:
    """Draw a text with its middle at a point. fill: '' where its group sets the letters' attributes."""
    letters = f" {_letter_attributes(size, fill)}" if fill else ""
    return f'<text x="{x:.0f}" y="{y + size * 0.35:.0f}"{letters}>{escape(text)}</text>'


def _letter_attributes(size: int, fill: str = _INK) -> str:
    """Return the attributes of centred bold letters."""
    return f'font-size="{size}" font-weight="bold" fill="{fill}" text-anchor="middle"'


@lru_cache(maxsize=256)
def _first_fill(picture: str) -> str:
    """Return the first fill colour of a picture, or ''."""
    fills = (element.get("fill", "") for element in ElementTree.fromstring(picture).iter()) if picture else ()
    return next((escape(fill) for fill in fills if fill not in ("", "none")), "")
