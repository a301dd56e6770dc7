"""The work of one compilation: how much has been written, from which parts; refused where it grows beyond bounds.

Figures and steps are written out wherever they are read or done, so what a short file comes to can double with each
line. Everything written counts, also what is left out again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from rulewright.base.diagnostics import SourcePlace

MAX_INSTRUCTIONS = 200_000
MAX_PARTS = 5_000
MAX_LOOP_ANALYSIS = 60_000
MAX_CALL_DEPTH = 60  # of steps by steps, of figures by figures
_MIN_REPETITIONS = 100  # times that a part is written out before it is named as the reason


class TooLarge(Exception):
    """Rules that are too large. reason: the rest of a sentence that tells why; place: of the declaration that makes
    them so, if it is known; hint: what to do."""

    def __init__(self, reason: str, place: SourcePlace | None = None, hint: str = "") -> None:
        super().__init__(reason)
        self.reason, self.place, self.hint = reason, place, hint


class WorkBudget:
    """What a compilation has done so far."""

    def __init__(self) -> None:
        self._instructions = 0
        self._narrowed = 0
        self._parts: Counter[tuple[str, SourcePlace]] = Counter()

    @contextmanager
    def aside(self) -> Iterator[None]:
        """While something is written that does not count afterwards."""
        kept = self._instructions, self._narrowed, self._parts.copy()
        try:
            yield
        finally:
            self._instructions, self._narrowed, self._parts = kept

    def write(self) -> None:
        """Count an instruction. Raises TooLarge."""
        self._instructions += 1
        if self._instructions > MAX_INSTRUCTIONS:
            raise self._too_large()

    def write_out(self, name: str, place: SourcePlace) -> None:
        """Count a step or a figure that is written out: doubling must end even where it writes nothing. Raises
        TooLarge."""
        self._parts[name, place] += 1
        if self._parts.total() > MAX_PARTS:
            raise self._too_large()

    def narrows(self, amount: int) -> bool:
        """Return whether there is time to look which members a loop needs, which costs this amount."""
        self._narrowed += amount
        return self._narrowed <= MAX_LOOP_ANALYSIS

    def _too_large(self) -> TooLarge:
        for (name, place), times in self._parts.most_common(1):
            if times >= _MIN_REPETITIONS:
                reason = f"'{name}' is written out wherever it is read or done, which comes to {times:,} times."
                hint = "Keep what it comes to: in a counter, in a name made with 'let', or in what a step gives."
                return TooLarge(reason, place, hint)
        return TooLarge(f"they come to more than {MAX_INSTRUCTIONS:,} instructions.")


def too_deep(name: str, place: SourcePlace) -> TooLarge:
    """For a step or figure below which there are too many others."""
    return TooLarge(f"below '{name}', steps do steps or figures read figures more than {MAX_CALL_DEPTH} deep.", place)
