"""Model of a rulebook, independent of its output format: text without markup, pictures as SVG ('' for none)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field

from rulewright.base.records import record
from rulewright.i18n.message_patterns import fill
from rulewright.publish.faces import ChartRow
from rulewright.publish.scores import ScoreSheet

# ── Words ──


@record
class Paragraph:
    """Paragraph of plain text."""

    text: str


@record
class Link:
    """Link to another passage of the book. anchor: of a rule or chapter; picture: its symbol, or ''."""

    anchor: str
    title: str
    picture: str = ""


@record
class Rule:
    """Rule with a heading of its own.

    - anchor: target of links
    - mark: 'new' or 'changed' in a variant, else ''
    - see: related rules
    - number: where rules are counted, else 0
    - rulings: on it, by their numbers
    """

    anchor: str
    title: str
    text: str
    picture: str = ""
    mark: str = ""
    see: tuple[Link, ...] = ()
    number: int = 0
    rulings: tuple[Link, ...] = ()


@record
class Rulings:
    """Short answers to rare questions, numbered; each links to its rule."""

    rulings: tuple[Rule, ...]


@record
class Box:
    """Separate block: a virtual player, options, guesses. anchor, picture, mark: as of a rule, or ''. see, rulings:
    links, as in a rule."""

    title: str
    blocks: tuple[Paragraph | Rule, ...]
    anchor: str = ""
    picture: str = ""
    mark: str = ""
    see: tuple[Link, ...] = ()
    rulings: tuple[Link, ...] = ()


@record
class PrintedTable:
    """Table. heads: of all columns but the first; rows: their first cells are heads, too; '' for empty cells."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


# ── Pieces, and where they lie ──


@record
class Piece:
    """Pieces that look the same.

    - count: number of pieces
    - corner: text in the corner, such as a value
    - signs: small pictures
    - card: whether it is drawn as a card
    - hidden: whether it lies face down, with `picture` of the back
    - suit: small picture below the corner
    - ground: background of the card
    - disc: whether it is a disc, with its corner in the middle
    - chart: table on it
    - marks: in an example, numbers of the lines about it
    - goes: in an example, where it goes, as text, or ''
    - decides: in an example, whether the explanation depends on it
    - description: all of them as text, with their number
    """

    name: str
    count: int = 1
    picture: str = ""
    corner: str = ""
    signs: tuple[str, ...] = ()
    card: bool = False
    hidden: bool = False
    suit: str = ""
    ground: str = ""
    disc: bool = False
    chart: tuple[ChartRow, ...] = ()
    marks: tuple[int, ...] = ()
    goes: str = ""
    decides: bool = False
    description: str = ""


@record
class Gallery:
    """Sorts of one kind of component.

    title: name of the kind; text: its purpose, or ''; mark: as of a rule; key: signs on charts, SVG, each with its
    meaning.
    """

    anchor: str
    title: str
    text: str
    pieces: tuple[Piece, ...]
    mark: str = ""
    key: tuple[tuple[str, str], ...] = ()


@record
class ShownZone:
    """Contents of one zone.

    note: counters as text, such as '8 coins'; declared: name of the zone or counter in the edition; numbers: of the
    set-up steps that lay it out; later: value of the counter after an example, or ''.
    """

    name: str
    pieces: tuple[Piece, ...] = ()
    note: str = ""
    declared: str = ""
    numbers: tuple[int, ...] = ()
    later: str = ""


@record
class Tableau:
    """Zones of one player, or of the table (owner: '')."""

    owner: str
    places: tuple[ShownZone, ...]


@record
class Drawing:
    """Picture of a whole board.

    picture: SVG; text: description for people who cannot see it; key: signs on it, SVG, each with its meaning;
    declared, numbers: as of a zone.
    """

    picture: str
    text: str
    key: tuple[tuple[str, str], ...] = ()
    declared: str = ""
    numbers: tuple[int, ...] = ()


@record
class ShownTable:
    """Table, or its relevant parts."""

    tableaus: tuple[Tableau, ...] = ()
    boards: tuple[Drawing, ...] = ()


# ── Figures ──


@record
class Setup:
    """Table at the first player's first decision. caption: with the number of players."""

    caption: str
    position: ShownTable


@record
class Flow:
    """Cycle of a round. ends: how it ends, or ''; ordered: whether the steps follow one another."""

    steps: tuple[Link, ...]
    ends: str = ""
    ordered: bool = True


@record
class ExampleLine:
    """Line of an example.

    is_explanation: whether it explains, rather than reports as the log does; number: in its picture, from 1, or 0.
    """

    text: str
    is_explanation: bool = False
    number: int = 0


@record
class ScoreTable:
    """Final points of each scored player.

    players: their names; rows: a line of the score and its points for each player; total: last row, or () where one
    line is explained; winners: indices of the winners.
    """

    players: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    total: tuple[str, ...] = ()
    winners: tuple[int, ...] = ()


@record
class Example:
    """Case that was played.

    - text: the story so far
    - before: relevant parts of the table, with the numbers of the lines about them
    - course: the story
    - scores: resulting points, or None
    - after: what that picture cannot show
    - printed: whether a book on paper includes it, where there is less room than on a page
    """

    anchor: str
    title: str
    text: str
    before: ShownTable
    course: tuple[ExampleLine, ...]
    after: ShownTable
    scores: ScoreTable | None = None
    printed: bool = True


@record
class Reference:
    """Brief rules for the player aid, each with its picture: those of a part of the game, named by the title."""

    title: str
    rules: tuple[Rule, ...]


@record
class VariantChange:
    """Difference of a variant. mark: 'new', 'changed' or 'gone'; before, after: text of the rule, or ''."""

    mark: str
    link: Link
    before: str
    after: str


@record
class Changes:
    """List of differences. before, after: titles of the two columns."""

    before: str
    after: str
    changes: tuple[VariantChange, ...]


BookBlock = (
    Paragraph
    | Rule
    | Rulings
    | Box
    | PrintedTable
    | Gallery
    | Drawing
    | Setup
    | Flow
    | Example
    | Reference
    | ScoreSheet
    | Changes
)


@record
class Chapter:
    """Chapter. picture: symbol beside its heading, or ''; mark: as of a rule."""

    anchor: str
    title: str
    blocks: tuple[BookBlock, ...]
    picture: str = ""
    mark: str = ""

    def links(self) -> Iterator[Link]:
        """Yield links to the chapter and to all linkable blocks in it."""
        yield Link(self.anchor, self.title)
        for block in self.blocks:
            for inner in (block, *block.blocks) if isinstance(block, Box) else (block,):
                if isinstance(inner, Rule | Gallery | Box) and inner.anchor:
                    yield Link(inner.anchor, inner.title)


@record
class Rulebook:
    """Whole rulebook.

    text: what the game is about; cover: SVG; facts: lines below the title, such as the number of players; words: fixed
    words of the book's forms, by their English: 'Contents', 'Example', 'New', …, in the book's language.
    """

    language: str
    right_to_left: bool
    title: str
    edition: str
    text: str
    credits: str
    cover: str
    facts: tuple[tuple[str, str], ...]
    chapters: tuple[Chapter, ...]
    words: Mapping[str, str] = field(default_factory=dict)

    def word(self, english: str) -> str:
        """Return a fixed word in the book's language, or as it is."""
        return self.words.get(english, english)

    def entry(self, label: str, text: str) -> str:
        """Return a label and what it is about, in the form of the book's language."""
        return fill(self.word("{label}: {what}"), label=label, what=text)

    def noted(self, text: str, note: str) -> str:
        """Return a text with a note, or as it is without one."""
        return fill(self.word("{what} ({note})"), what=text, note=note) if note else text

    def row(self, texts: Sequence[str]) -> str:
        """Return texts one after the other, with commas."""
        return " ".join([*(fill(self.word("{what},"), what=text) for text in texts[:-1]), *texts[-1:]])


def ambiguous_names(*positions: ShownTable) -> set[str]:
    """Return the names of pieces whose pictures do not distinguish them from others on the same table."""
    names_by_picture: dict[tuple[str, str, tuple[str, ...]], set[str]] = {}
    for position in positions:
        for piece in (piece for tableau in position.tableaus for place in tableau.places for piece in place.pieces):
            names_by_picture.setdefault((piece.picture, piece.corner, piece.signs), set()).add(piece.name)
    return {name for names in names_by_picture.values() if len(names) > 1 for name in names}


def group_acts(course: Sequence[ExampleLine]) -> tuple[list[str], list[tuple[str, list[str]]]]:
    """Group the lines of a story: acts with their explanations, after the explanations before the first act.

    Lines of one number make one act.
    """
    introduction: list[str] = []
    acts: list[tuple[str, list[str]]] = []
    number = 0
    for line in course:
        if line.is_explanation:
            (acts[-1][1] if acts else introduction).append(line.text)
        elif line.number and line.number == number:
            acts[-1] = (f"{acts[-1][0]} {line.text}", acts[-1][1])
        else:
            acts.append((line.text, []))
            number = line.number
    return introduction, acts


def anchor(key: str) -> str:
    """Return the anchor of a rule in links."""
    return re.sub(r"[^a-z0-9]+", "-", key.lower()).strip("-")
