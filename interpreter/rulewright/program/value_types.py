"""Types of values, and numbers with fractions, which are stored in hundredths."""

from __future__ import annotations

from collections.abc import Iterable

from rulewright.base.records import record

PARTS = 100
"""Parts of a unit: numbers with fractions are stored in hundredths."""


@record
class Type:
    """Type of an expression.

    base: 'number', 'fraction', 'truth', 'seat', 'piece', 'word', or 'nothing'; detail: the word list's name, or the
    possible kinds of pieces; many: whether it is a set.
    """

    base: str
    detail: str | frozenset[str] = ""
    many: bool = False

    @property
    def is_number(self) -> bool:
        """Whether it is a number, with a fraction or without."""
        return self.base in ("number", "fraction")

    def decode(self, cell: int) -> int | float:
        """Return a cell's number of this type as people write it."""
        return from_hundredths(cell) if self.base == "fraction" else cell


def from_hundredths(parts: int) -> int | float:
    """Turn hundredths into a number as people write it."""
    return parts // PARTS if parts % PARTS == 0 else parts / PARTS


def exact_sum(numbers: Iterable[int | float]) -> int | float:
    """Add numbers with at most two decimals without rounding errors."""
    return from_hundredths(round(PARTS * sum(numbers)))


def parse_hundredths(text: str) -> int:
    """Parse a number such as -0.5, with at most two decimals, into hundredths."""
    whole, _, decimals = text.removeprefix("-").partition(".")
    parts = int(whole + decimals.ljust(2, "0"))
    return -parts if text.startswith("-") else parts
