"""Rulebook as Markdown: its text, for people who lay it out elsewhere. Pictures are described where possible."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from rulewright.publish.rulebook.model import (
    BookBlock,
    Box,
    Changes,
    Drawing,
    Example,
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
    group_acts,
)
from rulewright.publish.scores import ScoreSheet

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~&])|^(\s*)([-+]|\d+[.)])(?=\s)")
"""Characters that mean something in Markdown: anywhere, or at the beginning of a line."""
_BLANKS = re.compile(r"[ \t\r\n]+")
"""Blanks where a line may break."""


def text(book: Rulebook) -> str:
    """Return the whole book as Markdown, with anchors as HTML."""
    return "\n\n".join(filter(None, _MarkdownWriter(book).paragraphs())) + "\n"


class _MarkdownWriter:
    """Writer of a rulebook in Markdown."""

    def __init__(self, book: Rulebook) -> None:
        self.book = book

    def paragraphs(self) -> Iterator[str]:
        """Yield the paragraphs of the whole book."""
        book = self.book
        yield f"# {_escape(f'{book.title} {book.edition}'.strip())}"
        yield _escape(book.text)
        yield "\n".join(f"- {_escape(book.entry(name, value))}" for name, value in book.facts)
        yield f"## {self.word('Contents')}"
        yield "\n".join(
            f"{number}. {_link(Link(chapter.anchor, chapter.title))}" for number, chapter in enumerate(book.chapters, 1)
        )
        for chapter in book.chapters:
            yield _heading("##", chapter.title, chapter.anchor) + self.mark(chapter.mark)
            for block in chapter.blocks:
                yield from self.block(block)

    def block(self, block: BookBlock) -> Iterator[str]:
        """Yield the paragraphs of a block."""
        match block:
            case Paragraph(text):
                yield _escape(text)
            case Rule():
                yield from self.rule(block, "###")
            case Box(title, blocks, anchor):
                yield _heading("###", title, anchor) + self.mark(block.mark)
                for inner in blocks:
                    yield from self.rule(inner, "####") if isinstance(inner, Rule) else [_escape(inner.text)]
                yield from self.related_links(block)
            case PrintedTable(title, heads, rows):
                yield _heading("###", title)
                lines = (["", *heads], ["---"] * (len(heads) + 1), *rows)
                yield "\n".join(
                    _row([cell if cell == "---" else _escape(cell) or " " for cell in row]) for row in lines
                )
            case Gallery(anchor, title, text, pieces, mark):
                yield _heading("###", title, anchor) + self.mark(mark) if title else ""
                yield _escape(text)
                yield "\n".join(
                    f"- {_escape(piece.description[:1].upper() + piece.description[1:])}" for piece in pieces
                )
            case Drawing(_, text):
                yield f"*{_escape(text)}*"
            case Setup(caption, position):
                yield f"**{_escape(caption)}**"
                yield from self.position(position)
            case Flow(steps, ends, ordered):
                bullets = [f"{number}." if ordered else "-" for number in range(1, len(steps) + 1)]
                yield "\n".join(f"{bullet} {_link(step)}" for bullet, step in zip(bullets, steps, strict=True))
                yield _escape(ends)
            case Example():
                yield from self.example(block)
            case Rulings(rulings):
                yield "\n".join(map(self.ruling, rulings))
            case Reference(title, rules):
                yield _heading("###", title)
                yield "\n".join(f"- {self.brief_rule(rule)}" for rule in rules)
            case ScoreSheet():
                yield "\n".join(self.sheet(block))
            case Changes():
                yield "\n".join(self.changes(block))

    def brief_rule(self, rule: Rule) -> str:
        """Return a rule of the player aid on one line."""
        return self.book.entry(f"**{_escape(rule.title)}**{self.mark(rule.mark)}", _escape(rule.text))

    def ruling(self, rule: Rule) -> str:
        """Return a ruling as an item of a list, with its number."""
        see = "".join(f" → {_link(to)}" for to in rule.see)
        return f'{rule.number}. <a id="{_escape(rule.anchor)}"></a>**{_escape(rule.title)}** {_escape(rule.text)}{see}'

    def rule(self, rule: Rule, level: str) -> Iterator[str]:
        """Yield a rule's heading, text and links. level: as for `_heading`."""
        title = f"{rule.number}. {rule.title}" if rule.number else rule.title
        yield _heading(level, title, rule.anchor) + self.mark(rule.mark)
        yield _escape(rule.text)
        yield from self.related_links(rule)

    def related_links(self, rule: Rule | Box) -> Iterator[str]:
        """Yield the rulings on a rule, and the rules that it leads to."""
        yield " ".join(f"[§{_escape(to.title)}](#{_escape(to.anchor)})" for to in rule.rulings)
        yield self.book.row([f"→ {_link(to)}" for to in rule.see])

    def mark(self, mark: str) -> str:
        """Return a rule's mark, to follow its title."""
        return self.book.noted("", self.word(mark.capitalize())) if mark else ""

    def position(self, position: ShownTable) -> Iterator[str]:
        """Yield the descriptions of boards, then a list of what lies before whom."""
        yield from (f"*{_escape(board.text)}*" for board in position.boards)
        yield "\n".join(map(self.tableau, position.tableaus))

    def tableau(self, tableau: Tableau) -> str:
        """Return an owner as an item of a list, with their zones below."""
        owner = _escape(tableau.owner) or self.word("Table")
        return "\n".join(
            [f"- **{owner}**", *(f"  - {_escape(self.place_contents(place))}" for place in tableau.places)]
        )

    def place_contents(self, place: ShownZone) -> str:
        """Return the contents of one place as text."""
        pieces = self.book.row([self.piece_text(piece) for piece in place.pieces])
        note = f"{place.note} → {place.later}" if place.later else place.note
        if note and not pieces:
            return self.book.entry(place.name, note)
        return self.book.entry(self.book.noted(place.name, note), pieces or "–")

    def piece_text(self, piece: Piece) -> str:
        """Return pieces as text, with the numbers of the lines about them, and where they go."""
        numbers = self.book.row([str(mark) for mark in piece.marks])
        return self.book.noted(piece.description, f"{numbers} → {piece.goes}" if piece.goes else numbers)

    def example(self, example: Example) -> Iterator[str]:
        """Yield the paragraphs of an example."""
        yield _heading("###", self.book.entry(self.book.word("Example"), example.title), example.anchor)
        yield _escape(example.text)
        yield from self.position(example.before)
        first, acts_ = group_acts(example.course)
        yield f"**{self.word('What happens')}**" if acts_ else ""
        yield from (f"*{_escape(said)}*" for said in first)
        yield "\n".join(
            "\n".join([f"{number}. {_escape(act)}", *(f"   *{_escape(line)}*" for line in said)])
            for number, (act, said) in enumerate(acts_, 1)
        )
        if example.scores is not None:
            yield "\n".join(self.scores(example.scores))
        if example.after.tableaus or example.after.boards:
            yield f"**{self.word('Outcome')}**"
            yield from self.position(example.after)

    def scores(self, scores: ScoreTable) -> Iterator[str]:
        """Yield the lines of a table of scores; those of winners are bold."""
        yield _row(["", *map(_escape, scores.players)])
        yield _row(["---"] * (len(scores.players) + 1))
        for line in (*scores.rows, *([scores.total] if scores.total else [])):
            points = (
                f"**{cell}**" if index in scores.winners else cell for index, cell in enumerate(map(_escape, line[1:]))
            )
            yield _row([_escape(line[0]), *points])

    def sheet(self, sheet: ScoreSheet) -> Iterator[str]:
        """Yield the lines of an empty score sheet."""
        players = (f"{self.word('Player')} {number + 1}" for number in range(sheet.columns))
        yield _row(["", *players])
        yield _row(["---"] * (sheet.columns + 1))
        for line in (*sheet.lines, sheet.total):
            yield _row([_escape(line), *[""] * sheet.columns])

    def changes(self, changes: Changes) -> Iterator[str]:
        """Yield the lines of the table of what a variant changed."""
        yield _row(["", _escape(changes.before), _escape(changes.after)])
        yield _row(["---"] * 3)
        for change in changes.changes:
            name = f"{_link(change.link)}{self.mark(change.mark)}"
            yield _row([name, _escape(change.before) or "–", _escape(change.after) or "–"])

    def word(self, english: str) -> str:
        """Return a fixed word in the book's language, escaped."""
        return _escape(self.book.word(english))


def _heading(level: str, title: str, anchor: str = "") -> str:
    """Return a heading. level: its signs, such as '##'."""
    place = f'<a id="{_escape(anchor)}"></a>' if anchor else ""
    return f"{level} {place}{_escape(title)}"


def _link(link: Link) -> str:
    """Return a link, or only its title without an anchor."""
    return f"[{_escape(link.title)}](#{_escape(link.anchor)})" if link.anchor else _escape(link.title)


def _row(cells: Iterable[str]) -> str:
    """Return a row of a table. cells: escaped."""
    return f"| {' | '.join(cells)} |"


def _escape(text: str) -> str:
    """Escape the characters that have a meaning in Markdown."""
    return _SPECIAL.sub(
        lambda match: f"\\{match[1]}" if match[1] else f"{match[2]}\\{match[3]}", _BLANKS.sub(" ", text).strip()
    )
