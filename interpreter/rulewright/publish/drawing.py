"""Boards drawn as SVG: ground in every space, lines between regions, coordinates at the rim, pieces on discs.

The grid is that of a map: squares, or hexagons of which odd rows are shifted by half. Pictures stand in the drawing
once each and are used from there, by names made from what they draw: many drawings may stand on one page. Between
`ONCE` and `ONCE_END` stands what others may have in common, named likewise, which a page needs only once.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from hashlib import sha256
from html import escape
from string import ascii_lowercase
from xml.etree import ElementTree

from rulewright.base.records import record
from rulewright.publish.board_annotations import Lying, Point, Position, Traces, choosable, come, coming, over

SPACE = 200
"""Width of a space; pictures have the same."""

_MARGIN, _CUT = 150, 50  # around the board; where it goes on
_DISC, _FLAG = 84, 52
_INK, _CREAM, _SAND, _SKY, _PLAIN = "#2E2430", "#FFF6E3", "#F3D9A2", "#A5D3D9", "#F3D9A2"
_SIDE = SPACE / math.sqrt(3)  # of a hexagon


@record
class Field:
    """A space as it is drawn. region: there are lines between two that are not equal; ground: SVG or ''; lying: what
    lies on it, None for nothing; flag: what stands for its region there; sign: SVG of what it is, or ''."""

    region: object
    ground: str = ""
    lying: Lying | None = None
    flag: Lying | None = None
    sign: str = ""


_NOT_OF_SYMBOLS = re.compile(r'\s(?:xmlns|id|width|height|preserveAspectRatio)="[^"]*"')
_TITLE = re.compile(r"(?s)<title(?:/>|>.*?</title>)")

ONCE, ONCE_END, STAMP = "<!--once-->", "<!--end-->", "s"


@record
class Land:
    """What lies still on a board, the pictures that it uses, and its stamps."""

    drawn: str
    used: dict[str, None]
    stamps: dict[str, None]


Window = tuple[int, int, int, int]
"""First column and row, last column and row."""


def board(
    fields: Mapping[Position, Field],
    hexagonal: bool = False,
    around: str = "",
    window: Window | None = None,
    traces: Traces | None = None,
) -> str:
    """A board as SVG. around: the picture that fills what lies around the spaces, or ''; window: the part that is
    drawn, None for the whole; traces: what happens there, or None."""
    return _Drawing(fields, hexagonal, around, window).svg(traces)


class _Drawing:
    def __init__(self, fields: Mapping[Position, Field], hexagonal: bool, around: str, window: Window | None) -> None:
        self.hexagonal, self.around, self.cut = hexagonal, around, window is not None
        self.fields = fields
        self.shown = list(fields) if window is None else [place for place in fields if _near(place, window)]
        self.framed = list(fields) if window is None else [place for place in fields if _near(place, window, 0)]
        self.used: dict[str, None] = {}  # pictures
        self.stamps: dict[str, None] = {}  # what is drawn in many places
        self.height = 1.5 * _SIDE if hexagonal else SPACE  # from one row to the next
        self.columns = [column for column, _ in self.framed]
        self.rows = [row for _, row in self.framed]

    def svg(self, traces: Traces | None = None) -> str:
        # all of it, whatever part is seen: drawings of one board have it in common, and a page may hold it once
        land = _land(
            tuple((place, field.region, field.ground, field.sign) for place, field in self.fields.items()),
            self.hexagonal,
            self.around,
        )
        body = [land.drawn, *self.coordinates(), *self.pieces()]
        if traces is not None:
            body += self.traced(traces)
        defs = "".join(map(_symbol, {**land.used, **self.used}))
        defs += "".join(map(_stamp, {**land.stamps, **self.stamps}))
        left, top, width, height = map(round, self.frame(self.framed, self.cut))
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{left} {top} {width} {height}">'
            f"<defs>{defs}</defs>{''.join(body)}</svg>"
        )

    def frame(self, places: Iterable[Position], cut: bool) -> tuple[float, float, float, float]:
        """Left, top, width and height of a part of the board; of the whole, there is a margin all around."""
        corners = [corner for position in places for corner in self.corners(position)]
        left, top = (min(values) - _MARGIN for values in zip(*corners, strict=True))
        right, bottom = (max(values) + (_CUT if cut else _MARGIN) for values in zip(*corners, strict=True))
        return left, top, right - left, bottom - top

    # ── where things are ──

    def middle(self, position: Position) -> Point:
        column, row = position
        shift = SPACE / 2 if self.hexagonal and row % 2 else 0
        return column * SPACE + SPACE / 2 + shift, (row + 0.5) * self.height

    def corners(self, position: Position) -> list[Point]:
        """Clockwise from the top, or from the top left."""
        x, y = self.middle(position)
        half = SPACE / 2
        if self.hexagonal:
            ends = [(0, -_SIDE), (half, -_SIDE / 2), (half, _SIDE / 2), (0, _SIDE), (-half, _SIDE / 2)]
            return [(x + dx, y + dy) for dx, dy in [*ends, (-half, -_SIDE / 2)]]
        return [(x + dx * half, y + dy * half) for dx, dy in ((-1, -1), (1, -1), (1, 1), (-1, 1))]

    # ── what is drawn, from the bottom up ──

    def land(self) -> Land:
        """Whatever lies on it."""
        drawn = "".join([*self.background(), *self.grounds(), *self.lines(), *self.signs()])
        return Land(_group(drawn), self.used, self.stamps)

    def background(self) -> Iterator[str]:
        """What lies around the spaces, and a shore, so that they are one piece of land."""
        left, top, width, height = self.frame(self.fields, cut=False)
        size = f'x="{left:.0f}" y="{top:.0f}" width="{width:.0f}" height="{height:.0f}"'
        yield f'<rect {size} rx="60" fill="{_around(self.around)}"/>'
        if self.around:
            across, down = range(round(width // SPACE)), range(round(height // SPACE))
            margin = (width % SPACE / 2, height % SPACE / 2)
            tile = self.use(self.around, 0, 0, SPACE, SPACE)
            yield from (
                self.stamped(tile, left + margin[0] + x * SPACE, top + margin[1] + y * SPACE)
                for y in down
                for x in across
            )
        outline = "".join(_path(self.corners(position)) for position in self.fields)
        yield f'<path d="{outline}" fill="{_SAND}" stroke="{_SAND}" stroke-width="72" stroke-linejoin="round"/>'

    def grounds(self) -> Iterator[str]:
        for position, field in self.fields.items():
            x, y = self.middle(position)
            shape = _path((across - x, down - y) for across, down in self.corners(position))
            drawn = f'<path d="{shape}" fill="{_base(field.ground)}"/>'
            if field.ground:
                height = _SIDE if self.hexagonal else SPACE
                drawn += self.use(field.ground, -SPACE / 2, -height / 2, SPACE, height)
            yield self.stamped(drawn, x, y)

    def lines(self) -> Iterator[str]:
        """Fine ones between all spaces, strong ones around regions."""
        edges: dict[tuple[tuple[int, int], ...], list[Field]] = {}
        for position, field in self.fields.items():
            corners = [(round(x), round(y)) for x, y in self.corners(position)]
            for start, end in zip(corners, [*corners[1:], corners[0]], strict=True):
                edges.setdefault(tuple(sorted((start, end))), []).append(field)
        inner = [edge for edge, beside in edges.items() if len(beside) == 2 and beside[0].region == beside[1].region]
        outer = [edge for edge in edges if edge not in set(inner)]
        for drawn, width, opacity in ((inner, 5, 0.5), (outer, 14, 1)):
            path = "".join(f"M{x} {y}L{u} {v}" for (x, y), (u, v) in drawn)
            yield (
                f'<path d="{path}" fill="none" stroke="{_INK}" stroke-width="{width}" stroke-opacity="{opacity}" '
                f'stroke-linecap="round"/>'
            )

    def signs(self) -> Iterator[str]:
        """What each space is, in its middle."""
        for position, field in self.fields.items():
            if field.sign:
                x, y = self.middle(position)
                yield self.stamped(self.use(field.sign, -50, -50, 100, 100), x, y)

    def stamped(self, drawn: str, x: float, y: float) -> str:
        """What many spaces have, drawn around nought, in one of them."""
        self.stamps[drawn] = None
        return f'<use href="#{_stamp_of(drawn)}" x="{x:.0f}" y="{y:.0f}"/>'

    def coordinates(self) -> Iterator[str]:
        """A letter above each column, a number left of each row."""
        first, last = min(self.rows), max(self.rows)
        left, top, width, height = self.frame(self.framed, self.cut)
        if self.cut:  # the board goes on below them
            band = f'fill="{_CREAM}" fill-opacity="0.82"'
            yield f'<path d="M{left:.0f} {top:.0f}h{width:.0f}v130h{130 - width:.0f}v{height - 130:.0f}h-130z" {band}/>'
        left, top = left + 65, top + 65
        columns, rows = range(min(self.columns), max(self.columns) + 1), range(first, last + 1)
        texts = [_text(self.middle((column, 0))[0], top, ascii_lowercase[column], 76, "") for column in columns]
        texts += [_text(left, self.middle((0, row))[1], str(row + 1), 76, "") for row in rows]
        yield _group("".join(texts), f" {_letters(76)}")

    def pieces(self) -> Iterator[str]:
        at = {position: self.middle(position) for position in self.shown}
        lying = [(found, *at[place], _DISC) for place in at if (found := self.fields[place].lying) is not None]
        aside = SPACE / 2 - 30
        flags = [
            (found, at[place][0] + aside, at[place][1] - aside, _FLAG)
            for place in at
            if (found := self.fields[place].flag) is not None
        ]
        for piece, x, y, radius in (*lying, *flags):
            yield from self.piece(piece, x, y, radius)
        for place, (x, y) in at.items():
            if self.fields[place].sign and self.fields[place].lying is not None:
                yield from self.edge_sign(self.fields[place].sign, x, y)

    def piece(self, lying: Lying, x: float, y: float, radius: int) -> Iterator[str]:
        """On a disc."""
        size = radius * 1.45
        disc = f'<circle r="{radius}" fill="{_CREAM}" stroke="{_INK}" stroke-width="6"/>'
        drawn = self.use(lying.picture, -size / 2, -size / 2, size, size) if lying.picture else ""
        yield self.stamped(disc + drawn, x, y)
        if not lying.picture:
            yield _text(x, y, lying.name[:2], radius)
        if lying.count > 1:
            across, down = x + radius * 0.75, y + radius * 0.75
            yield f'<circle cx="{across:.0f}" cy="{down:.0f}" r="36" fill="{_INK}"/>'
            yield _text(across, down, str(lying.count), 52, _CREAM)

    def edge_sign(self, sign: str, x: float, y: float) -> Iterator[str]:
        """The sign of a space once more, at the edge of the piece that covers it."""
        x, y = (x, y + _SIDE - 42) if self.hexagonal else (x - SPACE / 2 + 36, y + SPACE / 2 - 36)
        yield f'<circle cx="{x:.0f}" cy="{y:.0f}" r="30" fill="{_CREAM}"/>'
        yield self.use(sign, x - 22, y - 22, 44, 44)

    def traced(self, traces: Traces) -> Iterator[str]:
        """What happens, on top of all else."""
        shown = {place: self.middle(place) for place in self.framed}
        yield from (choosable(*shown[place]) for place in traces.offered & shown.keys())
        for place, lying in traces.comes.items():
            known = self.fields.get(place)
            x, y, radius = coming(*self.middle(place), _DISC, known is not None and known.lying is not None)
            yield from self.piece(lying, x, y, radius)
            yield come(x, y, radius)
        yield from over(traces, self.middle, _DISC)

    def use(self, picture: str, x: float, y: float, width: float, height: float) -> str:
        self.used[picture] = None
        place = f'x="{x:.0f}" y="{y:.0f}" width="{width:.0f}" height="{height:.0f}"'
        return f'<use href="#{_name_of(picture)}" {place}/>'


@lru_cache(maxsize=16)  # a book draws the same board again and again
def _land(places: tuple[tuple[Position, object, str, str], ...], hexagonal: bool, around: str) -> Land:
    fields = {place: Field(region, ground, sign=sign) for place, region, ground, sign in places}
    return _Drawing(fields, hexagonal, around, None).land()


@lru_cache(maxsize=1024)
def _name_of(drawn: str) -> str:
    return f"d{sha256(drawn.encode()).hexdigest()[:12]}"


def _stamp_of(drawn: str) -> str:
    return STAMP + _name_of(drawn)


def _stamp(drawn: str) -> str:
    return f'{ONCE}<g id="{_stamp_of(drawn)}">{drawn}</g>{ONCE_END}'


def _group(drawn: str, how: str = "") -> str:
    """What other drawings may have, too. how: attributes."""
    return f'{ONCE}<g id="{_name_of(drawn + how)}"{how}>{drawn}</g>{ONCE_END}'


@lru_cache(maxsize=256)
def _symbol(picture: str) -> str:
    return f"{ONCE}{symbol(picture, _name_of(picture), fills=True)}{ONCE_END}"


def _near(position: Position, window: Window, beyond: int = 1) -> bool:
    """Whether a space is in a window, or no farther beyond it."""
    (column, row), (left, top, right, bottom) = position, window
    return left - beyond <= column <= right + beyond and top - beyond <= row <= bottom + beyond


def symbol(picture: str, name: str, fills: bool = False) -> str:
    """A picture of an edition, or one that is drawn here, to be used by name; without its title, which is in no
    reader's language.

    fills: whether it fills the place where it is used; what does not fit is cut off then.
    """
    opening, _, inside = picture.partition(">")
    if opening.endswith("/"):  # nothing is drawn
        opening, inside = opening[:-1], "</svg>"
    attributes = _NOT_OF_SYMBOLS.sub("", opening.removeprefix("<svg"))
    how = ' preserveAspectRatio="xMidYMid slice"' if fills else ""
    drawn = _TITLE.sub("", inside.strip().removesuffix("</svg>"))
    return f'<symbol id="{escape(name)}"{attributes}{how}>{drawn}</symbol>'


def _path(corners: Iterable[Point]) -> str:
    return "M" + "L".join(f"{x:.0f} {y:.0f}" for x, y in corners) + "Z"


def _text(x: float, y: float, text: str, size: int, fill: str = _INK) -> str:
    """A text with its middle at a point. fill: '' where its group says how letters look."""
    letters = f" {_letters(size, fill)}" if fill else ""
    return f'<text x="{x:.0f}" y="{y + size * 0.35:.0f}"{letters}>{escape(text)}</text>'


def _letters(size: int, fill: str = _INK) -> str:
    return f'font-size="{size}" font-weight="bold" fill="{fill}" text-anchor="middle"'


def _base(ground: str) -> str:
    """The colour that a ground is painted on."""
    return _painted(ground) or _CREAM


def _around(picture: str) -> str:
    return _painted(picture) or _SKY


@lru_cache(maxsize=256)
def _painted(picture: str) -> str:
    """The colour of what a picture paints first, or ''."""
    fills = (element.get("fill", "") for element in ElementTree.fromstring(picture).iter()) if picture else ()
    return next((escape(fill) for fill in fills if fill not in ("", "none")), "")
