"""What a rulebook is made of, whatever it is written as: text without markup, pictures as SVG ('' for none)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field

from rulewright.base.records import record
from rulewright.i18n.message_patterns import fill
from rulewright.publish.faces import ChartRow
from rulewright.publish.scores import ScoreSheet

# ── Words ──


@record
class Paragraph:
    text: str


@record
class Link:
    """Where else in the book one may read on. anchor: of a rule or chapter; picture: what stands for it, or ''."""

    anchor: str
    title: str
    picture: str = ""


@record
class Rule:
    """A rule with a heading of its own. anchor: what links name; mark: 'new' or 'changed' in a variant, else '';
    see: other rules that it leads to; number: where rules are counted, else 0; rulings: on it, called by their
    numbers."""

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
    """Short answers to rare questions, numbered; each sees the rule that it is about."""

    rulings: tuple[Rule, ...]


@record
class Box:
    """What stands apart: a virtual player, options, what was guessed. anchor, picture, mark: as of a rule, or ''."""

    title: str
    blocks: tuple[Paragraph | Rule, ...]
    anchor: str = ""
    picture: str = ""
    mark: str = ""
    see: tuple[Link, ...] = ()
    rulings: tuple[Link, ...] = ()


@record
class PrintedTable:
    """What belongs to what. heads: of all columns but the first; rows: their first cells are heads, too; '' for
    nothing."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


# ── Pieces, and where they lie ──


@record
class Piece:
    """Pieces that look alike. count: how many there are; corner: what stands in the corner, such as a value; signs:
    little pictures; card: whether it is drawn as a card; hidden: whether its back is up, with `picture` of the back;
    suit: the little picture below the corner; ground: what fills the card beneath all else; disc: whether it is one,
    with its corner in the middle; chart: the table that stands on it. In an example, marks: the numbers of the lines
    that tell of it; goes: where it goes then, in words, or ''; decides: whether what is explained turns on it.
    told: all of them in words, with their number."""

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
    told: str = ""


@record
class Gallery:
    """The sorts of one kind of component. title: what the kind is called; text: what it is for, or ''; mark: as of a
    rule; key: the signs on charts, SVG, each with what it stands for."""

    anchor: str
    title: str
    text: str
    pieces: tuple[Piece, ...]
    mark: str = ""
    key: tuple[tuple[str, str], ...] = ()


@record
class ShownZone:
    """What lies in one zone; note: counters in words, such as '8 coins'; declared: the zone's or counter's own name;
    numbers: of the steps of the set-up that lay it out; later: what becomes of counters in an example, or ''."""

    name: str
    pieces: tuple[Piece, ...] = ()
    note: str = ""
    declared: str = ""
    numbers: tuple[int, ...] = ()
    later: str = ""


@record
class Tableau:
    """What lies before one player, or on the table (owner: '')."""

    owner: str
    places: tuple[ShownZone, ...]


@record
class Drawing:
    """A picture of a whole board. picture: SVG; text: what it shows, for who cannot see it; key: the signs on it, SVG,
    each with what it stands for; declared, numbers: as of a zone."""

    picture: str
    text: str
    key: tuple[tuple[str, str], ...] = ()
    declared: str = ""
    numbers: tuple[int, ...] = ()


@record
class ShownTable:
    """A table, or what of it matters."""

    tableaus: tuple[Tableau, ...] = ()
    boards: tuple[Drawing, ...] = ()


# ── Figures ──


@record
class Setup:
    """The table as it stands when the first player is asked. caption: for how many players."""

    caption: str
    position: ShownTable


@record
class Flow:
    """What comes round again and again. ends: when it does not, or ''; ordered: whether one step follows the other,
    rather than that some may be left out or come in another order."""

    steps: tuple[Link, ...]
    ends: str = ""
    ordered: bool = True


@record
class ExampleLine:
    """What happens in an example. said: whether it explains what happens, rather than tells it as the log does; number:
    what its picture calls it, from 1, or 0."""

    text: str
    said: bool = False
    number: int = 0


@record
class ScoreTable:
    """What each scored player has in the end. players: their names; rows: a line of the score and each one's points;
    total: the last row, or () where one line is explained; winners: the places of those who have won."""

    players: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    total: tuple[str, ...] = ()
    winners: tuple[int, ...] = ()


@record
class Example:
    """A case that was played. text: the story so far; before: what of the table changes or decides, with the numbers of
    the lines that tell of it; course: what happened; scores: what comes of it in points, or None; after: what that
    picture cannot show; printed: whether a book on paper has it, where there is less room than on a page."""

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
    """Rules at a glance, each with its picture: those of a part of the game, which the title names."""

    title: str
    rules: tuple[Rule, ...]


@record
class VariantChange:
    """What a variant has different. mark: 'new', 'changed' or 'gone'; before, after: the rule's words, or ''."""

    mark: str
    link: Link
    before: str
    after: str


@record
class Changes:
    """What is different here. before, after: what the two columns are called."""

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
    """picture: what stands for it beside its heading, or ''; mark: as of a rule."""

    anchor: str
    title: str
    blocks: tuple[BookBlock, ...]
    picture: str = ""
    mark: str = ""

    def links(self) -> Iterator[Link]:
        """Itself and all in it that can be led to."""
        yield Link(self.anchor, self.title)
        for block in self.blocks:
            for inner in (block, *block.blocks) if isinstance(block, Box) else (block,):
                if isinstance(inner, Rule | Gallery | Box) and inner.anchor:
                    yield Link(inner.anchor, inner.title)


@record
class Rulebook:
    """facts: what stands below the title, such as the number of players; words: those of the interface that the forms
    of a book need, by their English: 'Contents', 'Example', 'New', …, in the book's language."""

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
        """A word of the interface in the book's language, or as it is."""
        return self.words.get(english, english)

    def entry(self, label: str, text: str) -> str:
        """A label, and what it is about."""
        return fill(self.word("{label}: {what}"), label=label, what=text)

    def noted(self, text: str, note: str) -> str:
        """A text with a note, or as it is."""
        return fill(self.word("{what} ({note})"), what=text, note=note) if note else text

    def row(self, texts: Sequence[str]) -> str:
        """What is told one after the other."""
        return " ".join([*(fill(self.word("{what},"), what=text) for text in texts[:-1]), *texts[-1:]])


def unclear(*positions: ShownTable) -> set[str]:
    """The names of pieces that look like others on the same table: there, pictures alone do not tell which they are."""
    looks: dict[tuple[str, str, tuple[str, ...]], set[str]] = {}
    for position in positions:
        for piece in (piece for tableau in position.tableaus for place in tableau.places for piece in place.pieces):
            looks.setdefault((piece.picture, piece.corner, piece.signs), set()).add(piece.name)
    return {name for names in looks.values() if len(names) > 1 for name in names}


def acts(course: Sequence[ExampleLine]) -> tuple[list[str], list[tuple[str, list[str]]]]:
    """What happens, each with what is said of it; first what is said before anything happens. Lines of one number are
    one thing."""
    first: list[str] = []
    told: list[tuple[str, list[str]]] = []
    number = 0
    for line in course:
        if line.said:
            (told[-1][1] if told else first).append(line.text)
        elif line.number and line.number == number:
            told[-1] = (f"{told[-1][0]} {line.text}", told[-1][1])
        else:
            told.append((line.text, []))
            number = line.number
    return first, told
