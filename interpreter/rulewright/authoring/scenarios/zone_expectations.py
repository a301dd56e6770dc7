"""What a zone should hold, and how that differs from what it holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from rulewright.base.records import record
from rulewright.runtime.view import ZoneView

Mismatch = tuple[str, str]
"""What was expected, and what is."""


@record
class ExpectedContents:
    """The pieces that a zone should hold. how: 'in order', 'any order', 'includes', 'count', or 'unseen': that many,
    which the viewer must not see."""

    pieces: tuple[str, ...]
    how: str
    count: int = 0

    def difference(self, zone: ZoneView) -> Mismatch | None:
        """None for a zone that holds this, as far as it is seen."""
        if self.how == "unseen":
            fits = zone.pieces is None and zone.count == self.count
            return None if fits else (f"{counted(self.count)}, unseen", _seen(zone))
        if zone.pieces is None:
            return listed(self.pieces), _seen(zone)
        if self._fit(zone.pieces):
            return None
        if self.how == "count":
            return counted(self.count), f"{counted(zone.count)}: {listed(zone.pieces)}"
        if self.how == "in order":
            return listed(self.pieces), listed(zone.pieces)
        note = "with others perhaps" if self.how == "includes" else "in any order"
        return f"{listed(sorted(self.pieces))} ({note})", listed(sorted(zone.pieces))

    @property
    def said(self) -> Any:
        """This, as a file says it."""
        if self.how in ("count", "unseen"):
            return str(self.count)
        return list(self.pieces) if self.how == "in order" else {self.how: sorted(self.pieces)}

    def of(self, zone: ZoneView) -> ExpectedContents:
        """What would have to be expected of a zone, in the same way as far as that can be."""
        if zone.pieces is None:
            return ExpectedContents((), "unseen", zone.count)
        if self.how == "count":
            return ExpectedContents((), self.how, zone.count)
        if self.how == "includes":
            there = Counter(self.pieces) & Counter(zone.pieces)
            return ExpectedContents(tuple(there.elements()), self.how)
        return ExpectedContents(zone.pieces, "any order" if self.how == "any order" else "in order")

    def _fit(self, actual: Sequence[str]) -> bool:
        if self.how == "count":
            return len(actual) == self.count
        if self.how == "in order":
            return tuple(actual) == self.pieces
        missing = Counter(self.pieces) - Counter(actual)
        return not missing and (self.how == "includes" or len(actual) == len(self.pieces))


def listed(names: Iterable[object]) -> str:
    """Names one after the other, in their order."""
    return ", ".join(str(name) for name in names) or "nothing"


def counted(number: int) -> str:
    return f"{number} piece" if number == 1 else f"{number} pieces"


def _seen(zone: ZoneView) -> str:
    return f"{counted(zone.count)}, unseen" if zone.pieces is None else f"seen: {listed(zone.pieces)}"
