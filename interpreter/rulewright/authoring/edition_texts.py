"""How an edition's own words are told outside a game: texts with their {slots}, figures, sentences, pieces."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from rulewright.model.constant_evaluation import Amount, FigureSetting, shown
from rulewright.model.declarations import NUMBER, SLOT, ChangeSet, Edition, Figure, Kind, noun_of
from rulewright.syntax.source import MappingNode, Node, Scalar, SequenceNode

_TOLD = frozenset(["log", "heading", "ask", "none", "ask more", "none more", "text"])
"""What is said to people while a step is done, and changes nothing."""


class Wording:
    """The words of one edition. Where a figure depends on the number of seats, all that it can be is told."""

    def __init__(self, edition: Edition) -> None:
        self.edition = edition

    def text(self, text: Scalar | None, changes: ChangeSet | None = None) -> str:
        """A text with its figures filled in, as they are where `changes` hold; what a game decides stays in (…)."""
        if text is None:
            return ""
        tables = self.tables(self.edition.seat_counts(), changes)
        return spaced(SLOT.sub(lambda slot: self._filled(slot[1], tables), text.text))

    def tables(self, seats: Iterable[int], changes: ChangeSet | None = None) -> list[FigureSetting]:
        """The tables with so many seats each, with all as usual but for one change set that holds."""
        holds = {changes.level: changes.name} if changes else {}
        options = {changes.name: changes.choice} if changes and changes.level == "option" else {}
        powers = [name for level, name in holds.items() if level == "power"]
        return [FigureSetting(self.edition, number, options, holds.get("role", ""), powers) for number in seats]

    def amounts(self, name: str, seats: Iterable[int], changes: ChangeSet | None = None) -> dict[int, Amount]:
        """What a figure amounts to with each number of seats."""
        return {table.seats: table.figure(name) for table in self.tables(seats, changes)}

    def formula(self, figure: Figure) -> str:
        """What a figure is worked out from, as the edition says it."""
        if not figure.cases:
            return spaced(figure.body.text)
        cases = ", ".join(f"{key.text}: {spaced(text.text)}" for key, text in figure.cases)
        if figure.otherwise is not None:
            cases += f", otherwise: {spaced(figure.otherwise.text)}"
        return f"by {spaced(figure.body.text)}, {cases}"

    def attributes(self, kind: Kind, row: Sequence[int]) -> dict[str, str]:
        """The attributes of one sort of piece, each as a word or a number."""
        pairs = zip(kind.attributes.items(), row, strict=True)
        return {
            name: str(value) if type_ == NUMBER else self.edition.words[type_].words[value].name
            for (name, type_), value in pairs
        }

    def piece(self, kind: Kind, row: Sequence[int], count: int = 1) -> str:
        """What pieces of one sort are called."""
        noun = noun_of(self.edition, kind, row)
        return noun.one if count == 1 else noun.many

    def word(self, name: str) -> str:
        """What a word is called, from whichever list it is."""
        words = (word for found in self.edition.words.values() for word in found.words)
        return next((word.noun.one for word in words if word.name == name), name)

    def _filled(self, slot: str, tables: Sequence[FigureSetting]) -> str:
        amounts = [shown(table.expression(slot)) for table in tables]
        return either(dict.fromkeys(amounts)) if all(amounts) else f"({spaced(slot)})"


def sentences(node: Node, told: bool = True, depth: int = 0) -> list[str]:
    """The sentences of a body, indented by what they stand in. told: with what is only said to people."""
    margin = "  " * depth
    match node:
        case Scalar():
            return [] if node.absent else [margin + spaced(node.text)]
        case SequenceNode():
            return [line for item in node.items for line in sentences(item, told, depth)]
        case MappingNode():
            lines: list[str] = []
            for key, value in node.items():
                if isinstance(value, Scalar):
                    if told or key.text not in _TOLD:
                        lines.append(f"{margin}{spaced(key.text)}: {spaced(value.text)}".rstrip())
                else:
                    below = sentences(value, told, depth + 1)
                    if below or told or key.text.startswith(("choose", "may")):
                        lines += [f"{margin}{spaced(key.text)}:" if below else margin + spaced(key.text), *below]
            return lines


def by_seats(amounts: Mapping[int, Amount]) -> str:
    """14 with 3 seats, 6 with 4, 2 with 5; or just 10 where it is always the same. '' if anything cannot be told."""
    told = {seats: shown(amount) for seats, amount in amounts.items()}
    if not all(told.values()):
        return ""
    if len(set(told.values())) == 1:
        return next(iter(told.values()))
    first, *rest = (f"{amount} with {seats}" for seats, amount in told.items())
    return ", ".join([f"{first} seats", *rest])


def listed(names: Iterable[str], word: str = "and") -> str:
    """Names as people list them: Ada, Ben and Cora."""
    found = list(names)
    return f" {word} ".join(filter(None, [", ".join(found[:-1]), *found[-1:]]))


def either(names: Iterable[str]) -> str:
    return listed(names, "or")


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def spaced(text: str) -> str:
    """A text on one line, with single spaces."""
    return " ".join(text.split())


def span(numbers: tuple[int, int]) -> str:
    """2 to 5, or just 3."""
    return str(numbers[0]) if numbers[0] == numbers[1] else f"{numbers[0]} to {numbers[1]}"
