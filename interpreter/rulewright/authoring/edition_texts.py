"""Texts of an edition outside a game: with {slots} filled in, figures, statements, pieces."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from rulewright.model.constant_evaluation import Amount, FigureEvaluator, format_amount
from rulewright.model.declarations import NUMBER, SLOT, ChangeSet, Figure, Kind
from rulewright.model.edition import Edition, noun_of
from rulewright.syntax.source import MappingNode, Node, Scalar, SequenceNode

_TEXT_KEYS = frozenset(["log", "heading", "notation", "ask", "none", "ask more", "none more", "some", "all", "text"])
"""Keys of texts, which change nothing."""


class EditionTexts:
    """Texts of one edition. A figure that depends on the number of seats is given for each."""

    def __init__(self, edition: Edition) -> None:
        self.edition = edition

    def text(self, text: Scalar | None, changes: ChangeSet | None = None) -> str:
        """Return a text with its figures filled in, under `changes`; what only a game decides is in (…); '' for
        None."""
        if text is None:
            return ""
        evaluators = self.evaluators(self.edition.seat_counts(), changes)
        return one_line(SLOT.sub(lambda slot: self._filled(slot[1], evaluators), text.text))

    def evaluators(self, seats: Iterable[int], changes: ChangeSet | None = None) -> list[FigureEvaluator]:
        """Return an evaluator for each number of seats, with default options and one active change set."""
        holds = {changes.level: changes.name} if changes else {}
        options = {changes.name: changes.choice} if changes and changes.level == "option" else {}
        powers = [name for level, name in holds.items() if level == "power"]
        return [FigureEvaluator(self.edition, number, options, holds.get("role", ""), powers) for number in seats]

    def amounts(self, name: str, seats: Iterable[int], changes: ChangeSet | None = None) -> dict[int, Amount]:
        """Evaluate a figure for each number of seats, under `changes`; None where only a game decides."""
        return {evaluator.seats: evaluator.figure(name) for evaluator in self.evaluators(seats, changes)}

    def formula(self, figure: Figure) -> str:
        """Return the formula of a figure, as written in the edition."""
        if not figure.cases:
            return one_line(figure.body.text)
        cases = ", ".join(f"{key.text}: {one_line(text.text)}" for key, text in figure.cases)
        if figure.otherwise is not None:
            cases += f", otherwise: {one_line(figure.otherwise.text)}"
        return f"by {one_line(figure.body.text)}, {cases}"

    def attributes(self, kind: Kind, row: Sequence[int]) -> dict[str, str]:
        """Return the attributes of one sort of piece, each as a word or a number. row: its values of the kind's
        attributes, in their order."""
        pairs = zip(kind.attributes.items(), row, strict=True)
        return {
            name: str(value) if type_ == NUMBER else self.edition.words[type_].words[value].name
            for (name, type_), value in pairs
        }

    def piece(self, kind: Kind, row: Sequence[int], count: int = 1) -> str:
        """Return the noun of pieces of one sort. row: as for `attributes`; count: of pieces, for the number of the
        noun."""
        noun = noun_of(self.edition, kind, row)
        return noun.one if count == 1 else noun.many

    def word(self, name: str) -> str:
        """Return the noun of a word, of the first list that has one of this name; the name itself for none."""
        words = (word for word_list in self.edition.words.values() for word in word_list.words)
        return next((word.noun.one for word in words if word.name == name), name)

    def _filled(self, slot: str, evaluators: Sequence[FigureEvaluator]) -> str:
        """Return the amounts of a slot, 'or' between those that differ; the slot itself in (…) if a game decides. slot:
        without braces; evaluators: one for each number of seats."""
        amounts = [format_amount(evaluator.expression(slot)) for evaluator in evaluators]
        return format_alternatives(dict.fromkeys(amounts)) if all(amounts) else f"({one_line(slot)})"


def body_lines(node: Node, with_texts: bool = True, depth: int = 0) -> list[str]:
    """Return the lines of a body, indented. with_texts: whether texts for people are included. depth: levels of
    indentation of the first lines."""
    margin = "  " * depth
    match node:
        case Scalar():
            return [] if node.absent else [margin + one_line(node.text)]
        case SequenceNode():
            return [line for item in node.items for line in body_lines(item, with_texts, depth)]
        case MappingNode():
            lines: list[str] = []
            for key, value in node.items():
                if isinstance(value, Scalar):
                    if with_texts or key.text not in _TEXT_KEYS:
                        lines.append(f"{margin}{one_line(key.text)}: {one_line(value.text)}".rstrip())
                else:
                    below = body_lines(value, with_texts, depth + 1)
                    if below or with_texts or key.text.startswith(("choose", "may")):
                        lines += [f"{margin}{one_line(key.text)}:" if below else margin + one_line(key.text), *below]
            return lines


def format_by_seats(amounts: Mapping[int, Amount]) -> str:
    """Format amounts by seats: '14 with 3 seats, 6 with 4', or just '10' if all are equal; '' if one is unknown."""
    texts = {seats: format_amount(amount) for seats, amount in amounts.items()}
    if not all(texts.values()):
        return ""
    if len(set(texts.values())) == 1:
        return next(iter(texts.values()))
    first, *rest = (f"{amount} with {seats}" for seats, amount in texts.items())
    return ", ".join([f"{first} seats", *rest])


def format_list(names: Iterable[str], word: str = "and") -> str:
    """Format names as a list: 'Ada, Ben and Cora'. word: before the last name."""
    items = list(names)
    return f" {word} ".join(filter(None, [", ".join(items[:-1]), *items[-1:]]))


def format_alternatives(names: Iterable[str]) -> str:
    """Join names with commas and 'or', in English."""
    return format_list(names, "or")


def capitalize_first(text: str) -> str:
    """Return a text with a capital in front; the rest stays, unlike with `str.capitalize`."""
    return text[:1].upper() + text[1:]


def one_line(text: str) -> str:
    """Put a text on one line, with single spaces."""
    return " ".join(text.split())


def format_range(numbers: tuple[int, int]) -> str:
    """Format a range: '2 to 5', or just '3'."""
    return str(numbers[0]) if numbers[0] == numbers[1] else f"{numbers[0]} to {numbers[1]}"
