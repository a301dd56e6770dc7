"""A rulebook as Markdown: its words, for whoever lays them out elsewhere. Pictures are told where words can."""

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
    acts,
)
from rulewright.publish.scores import ScoreSheet

_MEANT = re.compile(r"([\\`*_{}\[\]<>#|~&])|^(\s*)([-+]|\d+[.)])(?=\s)")
_BLANKS = re.compile(r"[ \t\r\n]+")  # not those where no line breaks


def text(book: Rulebook) -> str:
    """The whole text."""
    return "\n\n".join(filter(None, _Text(book).paragraphs())) + "\n"


class _Text:
    def __init__(self, book: Rulebook) -> None:
        self.book = book

    def paragraphs(self) -> Iterator[str]:
        book = self.book
        yield f"# {_plain(f'{book.title} {book.edition}'.strip())}"
        yield _plain(book.text)
        yield "\n".join(f"- {_plain(book.entry(name, value))}" for name, value in book.facts)
        yield f"## {self.word('Contents')}"
        yield "\n".join(
            f"{number}. {_link(Link(chapter.anchor, chapter.title))}" for number, chapter in enumerate(book.chapters, 1)
        )
        for chapter in book.chapters:
            yield _heading("##", chapter.title, chapter.anchor) + self.mark(chapter.mark)
            for block in chapter.blocks:
                yield from self.block(block)

    def block(self, block: BookBlock) -> Iterator[str]:
        match block:
            case Paragraph(text):
                yield _plain(text)
            case Rule():
                yield from self.rule(block, "###")
            case Box(title, blocks, anchor):
                yield _heading("###", title, anchor) + self.mark(block.mark)
                for inner in blocks:
                    yield from self.rule(inner, "####") if isinstance(inner, Rule) else [_plain(inner.text)]
                yield from self.read_on(block)
            case PrintedTable(title, heads, rows):
                yield _heading("###", title)
                lines = (["", *heads], ["---"] * (len(heads) + 1), *rows)
                yield "\n".join(_row([cell if cell == "---" else _plain(cell) or " " for cell in row]) for row in lines)
            case Gallery(anchor, title, text, pieces, mark):
                yield _heading("###", title, anchor) + self.mark(mark) if title else ""
                yield _plain(text)
                yield "\n".join(f"- {_plain(piece.told[:1].upper() + piece.told[1:])}" for piece in pieces)
            case Drawing(_, text):
                yield f"*{_plain(text)}*"
            case Setup(caption, position):
                yield f"**{_plain(caption)}**"
                yield from self.position(position)
            case Flow(steps, ends, ordered):
                bullets = [f"{number}." if ordered else "-" for number in range(1, len(steps) + 1)]
                yield "\n".join(f"{bullet} {_link(step)}" for bullet, step in zip(bullets, steps, strict=True))
                yield _plain(ends)
            case Example():
                yield from self.example(block)
            case Rulings(rulings):
                yield "\n".join(map(self.ruling, rulings))
            case Reference(title, rules):
                yield _heading("###", title)
                yield "\n".join(f"- {self.glance(rule)}" for rule in rules)
            case ScoreSheet():
                yield "\n".join(self.sheet(block))
            case Changes():
                yield "\n".join(self.changes(block))

    def glance(self, rule: Rule) -> str:
        return self.book.entry(f"**{_plain(rule.title)}**{self.mark(rule.mark)}", _plain(rule.text))

    def ruling(self, rule: Rule) -> str:
        see = "".join(f" → {_link(to)}" for to in rule.see)
        return f'{rule.number}. <a id="{_plain(rule.anchor)}"></a>**{_plain(rule.title)}** {_plain(rule.text)}{see}'

    def rule(self, rule: Rule, level: str) -> Iterator[str]:
        title = f"{rule.number}. {rule.title}" if rule.number else rule.title
        yield _heading(level, title, rule.anchor) + self.mark(rule.mark)
        yield _plain(rule.text)
        yield from self.read_on(rule)

    def read_on(self, what: Rule | Box) -> Iterator[str]:
        """The rulings on a rule, and the rules that it leads to."""
        yield " ".join(f"[§{_plain(to.title)}](#{_plain(to.anchor)})" for to in what.rulings)
        yield self.book.row([f"→ {_link(to)}" for to in what.see])

    def mark(self, mark: str) -> str:
        """What a rule's mark says, behind its title."""
        return self.book.noted("", self.word(mark.capitalize())) if mark else ""

    def position(self, position: ShownTable) -> Iterator[str]:
        yield from (f"*{_plain(board.text)}*" for board in position.boards)
        yield "\n".join(map(self.tableau, position.tableaus))

    def tableau(self, tableau: Tableau) -> str:
        owner = _plain(tableau.owner) or self.word("Table")
        return "\n".join([f"- **{owner}**", *(f"  - {_plain(self.lying(place))}" for place in tableau.places)])

    def lying(self, place: ShownZone) -> str:
        """What lies in one place, in words."""
        pieces = self.book.row([self.named(piece) for piece in place.pieces])
        note = f"{place.note} → {place.later}" if place.later else place.note
        if note and not pieces:
            return self.book.entry(place.name, note)
        return self.book.entry(self.book.noted(place.name, note), pieces or "–")

    def named(self, piece: Piece) -> str:
        """Pieces in words, with the numbers of the lines that tell of them, and where they go then."""
        numbers = self.book.row([str(mark) for mark in piece.marks])
        return self.book.noted(piece.told, f"{numbers} → {piece.goes}" if piece.goes else numbers)

    def example(self, example: Example) -> Iterator[str]:
        yield _heading("###", self.book.entry(self.book.word("Example"), example.title), example.anchor)
        yield _plain(example.text)
        yield from self.position(example.before)
        first, told = acts(example.course)
        yield f"**{self.word('What happens')}**" if told else ""
        yield from (f"*{_plain(said)}*" for said in first)
        yield "\n".join(
            "\n".join([f"{number}. {_plain(act)}", *(f"   *{_plain(line)}*" for line in said)])
            for number, (act, said) in enumerate(told, 1)
        )
        if example.scores is not None:
            yield "\n".join(self.scores(example.scores))
        if example.after.tableaus or example.after.boards:
            yield f"**{self.word('Outcome')}**"
            yield from self.position(example.after)

    def scores(self, scores: ScoreTable) -> Iterator[str]:
        yield _row(["", *map(_plain, scores.players)])
        yield _row(["---"] * (len(scores.players) + 1))
        for line in (*scores.rows, *([scores.total] if scores.total else [])):
            points = (f"**{cell}**" if at in scores.winners else cell for at, cell in enumerate(map(_plain, line[1:])))
            yield _row([_plain(line[0]), *points])

    def sheet(self, sheet: ScoreSheet) -> Iterator[str]:
        players = (f"{self.word('Player')} {number + 1}" for number in range(sheet.columns))
        yield _row(["", *players])
        yield _row(["---"] * (sheet.columns + 1))
        for line in (*sheet.lines, sheet.total):
            yield _row([_plain(line), *[""] * sheet.columns])

    def changes(self, changes: Changes) -> Iterator[str]:
        yield _row(["", _plain(changes.before), _plain(changes.after)])
        yield _row(["---"] * 3)
        for change in changes.changes:
            name = f"{_link(change.link)}{self.mark(change.mark)}"
            yield _row([name, _plain(change.before) or "–", _plain(change.after) or "–"])

    def word(self, english: str) -> str:
        return _plain(self.book.word(english))


def _heading(level: str, title: str, anchor: str = "") -> str:
    place = f'<a id="{_plain(anchor)}"></a>' if anchor else ""
    return f"{level} {place}{_plain(title)}"


def _link(link: Link) -> str:
    return f"[{_plain(link.title)}](#{_plain(link.anchor)})" if link.anchor else _plain(link.title)


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _plain(text: str) -> str:
    """A text without what Markdown takes for its own."""
    return _MEANT.sub(
        lambda found: f"\\{found[1]}" if found[1] else f"{found[2]}\\{found[3]}", _BLANKS.sub(" ", text).strip()
    )
