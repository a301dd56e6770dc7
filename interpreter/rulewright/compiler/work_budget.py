"""Budget of one compilation: instructions emitted and parts expanded; an error beyond its bounds.

Figures and steps are expanded inline at each use, so the size of a short file can double with each line. Discarded
code counts too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from rulewright.base.diagnostics import SourcePlace
from rulewright.base.wording import Wording
from rulewright.compiler import messages

MAX_INSTRUCTIONS = 200_000
"""Maximum number of instructions of a program."""
MAX_PARTS = 5_000
"""Limit of steps and figures that are expanded inline, each use counted."""
MAX_LOOP_ANALYSIS = 60_000
"""Limit of what the analysis of loops may cost; beyond it loops stay unanalysed, without an error."""
MAX_CALL_DEPTH = 60
"""Limit of steps within steps, and figures within figures."""
_MIN_REPETITIONS = 100
"""Expansions of a part from which on an error names it."""


class TooLarge(Exception):
    """Rules that are too large. reason: the rest of a sentence that says why; place: declaration that causes it, if
    known. hints: what to do about it."""

    def __init__(self, reason: Wording, place: SourcePlace | None = None, *hints: Wording) -> None:
        super().__init__(reason)
        self.reason, self.place, self.hints = reason, place, hints


class WorkBudget:
    """Work of a compilation so far."""

    def __init__(self) -> None:
        self._instructions = 0
        self._analysed = 0
        self._parts: Counter[tuple[str, SourcePlace]] = Counter()

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Restore all counts at the end: what is emitted inside does not count afterwards."""
        saved = self._instructions, self._analysed, self._parts.copy()
        try:
            yield
        finally:
            self._instructions, self._analysed, self._parts = saved

    def count_instruction(self) -> None:
        """Count an instruction. Raises TooLarge beyond MAX_INSTRUCTIONS."""
        self._instructions += 1
        if self._instructions > MAX_INSTRUCTIONS:
            raise self._too_large()

    def count_expansion(self, name: str, place: SourcePlace) -> None:
        """Count an inline step or figure: doubling must end even where it emits nothing. Raises TooLarge beyond
        MAX_PARTS."""
        self._parts[name, place] += 1
        if self._parts.total() > MAX_PARTS:
            raise self._too_large()

    def spend_on_analysis(self, amount: int) -> bool:
        """Spend budget on the analysis of a loop's iterations; return whether it sufficed. amount: cost of the
        analysis."""
        self._analysed += amount
        return self._analysed <= MAX_LOOP_ANALYSIS

    def _too_large(self) -> TooLarge:
        """Return the error beyond the budget: it names the part that is expanded most, if that is often."""
        for (name, place), times in self._parts.most_common(1):
            if times >= _MIN_REPETITIONS:
                reason = messages.WRITTEN_OUT(name=name, times=f"{times:,}")
                return TooLarge(reason, place, messages.KEEP_RESULT())
        return TooLarge(messages.TOO_MANY_INSTRUCTIONS(most=f"{MAX_INSTRUCTIONS:,}"))


def too_deep(name: str, place: SourcePlace) -> TooLarge:
    """Return the error for calls of steps or figures that are nested too deep."""
    return TooLarge(messages.CALLS_TOO_DEEP(name=name, most=MAX_CALL_DEPTH), place)
