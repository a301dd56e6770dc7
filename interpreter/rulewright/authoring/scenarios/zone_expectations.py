"""Expected contents of a zone, and comparison with actual ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from rulewright.base.records import record
from rulewright.runtime.view import ZoneView

Mismatch = tuple[str, str]
"""Expected and actual value, as text."""


@record
class ExpectedContents:
    """Pieces that a zone should hold.

    mode: 'in order', 'any order', 'includes', 'count', or 'unseen': that many, which the viewer must not see.
    """

    pieces: tuple[str, ...]
    mode: str
    count: int = 0

    def difference(self, zone: ZoneView) -> Mismatch | None:
        """Return the mismatch with a zone; None if its visible pieces match, or in mode 'unseen' if it is hidden and
        has as many."""
        if self.mode == "unseen":
            fits = zone.pieces is None and zone.count == self.count
            return None if fits else (f"{format_count(self.count)}, unseen", _visible_text(zone))
        if zone.pieces is None:
            return format_list(self.pieces), _visible_text(zone)
        if self._are_fulfilled(zone.pieces):
            return None
        if self.mode == "count":
            return format_count(self.count), f"{format_count(zone.count)}: {format_list(zone.pieces)}"
        if self.mode == "in order":
            return format_list(self.pieces), format_list(zone.pieces)
        note = "with others perhaps" if self.mode == "includes" else "in any order"
        return f"{format_list(sorted(self.pieces))} ({note})", format_list(sorted(zone.pieces))

    @property
    def file_value(self) -> Any:
        """Contents as a file has them."""
        if self.mode in ("count", "unseen"):
            return str(self.count)
        return list(self.pieces) if self.mode == "in order" else {self.mode: sorted(self.pieces)}

    def matching(self, zone: ZoneView) -> ExpectedContents:
        """Return the contents that would match a zone, in the same mode as far as possible: of 'includes', the pieces
        that both have; of a zone that is not seen 'unseen', of one that is seen against expectation 'in order'."""
        if zone.pieces is None:
            return ExpectedContents((), "unseen", zone.count)
        if self.mode == "count":
            return ExpectedContents((), self.mode, zone.count)
        if self.mode == "includes":
            common = Counter(self.pieces) & Counter(zone.pieces)
            return ExpectedContents(tuple(common.elements()), self.mode)
        return ExpectedContents(zone.pieces, "any order" if self.mode == "any order" else "in order")

    def _are_fulfilled(self, actual: Sequence[str]) -> bool:
        """Return whether pieces match the expected ones in this mode."""
        if self.mode == "count":
            return len(actual) == self.count
        if self.mode == "in order":
            return tuple(actual) == self.pieces
        missing = Counter(self.pieces) - Counter(actual)
        return not missing and (self.mode == "includes" or len(actual) == len(self.pieces))


def format_list(names: Iterable[object]) -> str:
    """Join names with commas, in their order; 'nothing' without any."""
    return ", ".join(str(name) for name in names) or "nothing"


def format_count(number: int) -> str:
    """Return a number of pieces in English, such as '1 piece'."""
    return f"{number} piece" if number == 1 else f"{number} pieces"


def _visible_text(zone: ZoneView) -> str:
    """Return what is seen of a zone: its pieces, or their number."""
    return f"{format_count(zone.count)}, unseen" if zone.pieces is None else f"seen: {format_list(zone.pieces)}"
