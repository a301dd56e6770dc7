"""Names declared by dropped, erroneous entries of an edition."""

from __future__ import annotations

from dataclasses import dataclass, field

from rulewright.base.diagnostics import SourcePlace
from rulewright.model.declarations import canonical


@dataclass
class LostNames:
    """Names declared by dropped, erroneous entries: uses of them are not reported again.

    - unreadable: names that no sentence can hold, as written
    - refused: words of the language that a sentence wanted as a new name
    - ambiguous: names of two things
    - kinds: kinds of piece, with their places
    - meaning: whether sentences cannot be understood until an error is mended, such as a wrong number of seats
    """

    names: set[str] = field(default_factory=set)
    unreadable: set[str] = field(default_factory=set)
    refused: set[str] = field(default_factory=set)
    ambiguous: set[str] = field(default_factory=set)
    kinds: dict[str, SourcePlace] = field(default_factory=dict)
    meaning: bool = False

    def __contains__(self, name: str) -> bool:
        """Return whether a name, in any spelling, is among `names`."""
        return canonical(name) in self.names

    def add(self, *names: str) -> None:
        """Record names of dropped entries."""
        self.names.update(map(canonical, names))

    def explains_error(self, text: str, offset: int) -> bool:
        """Return whether an earlier error explains why a sentence cannot be parsed. offset: of the parse error."""
        words = {*text[:offset].split()[-1:], *text[offset:].split()[:1]}
        return not self.refused.isdisjoint(words) or any(name in text for name in self.unreadable)
