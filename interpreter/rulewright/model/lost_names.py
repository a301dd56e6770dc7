"""Names declared by dropped, erroneous entries of an edition."""

from __future__ import annotations

from dataclasses import dataclass, field

from rulewright.base.diagnostics import SourcePlace
from rulewright.model.declarations import canonical


@dataclass
class LostNames:
    """Names declared by dropped, erroneous entries: mentions of them are not reported again.

    unreadable: those of them that no sentence can hold, as they are written; refused: words of the language that a
    sentence wanted to call something; ambiguous: those of two things; kinds: of piece, and where they stand; meaning:
    whether no sentence means anything before that is right, such as the number of seats.
    """

    names: set[str] = field(default_factory=set)
    unreadable: set[str] = field(default_factory=set)
    refused: set[str] = field(default_factory=set)
    ambiguous: set[str] = field(default_factory=set)
    kinds: dict[str, SourcePlace] = field(default_factory=dict)
    meaning: bool = False

    def __bool__(self) -> bool:
        return bool(self.names)

    def __contains__(self, name: str) -> bool:
        return canonical(name) in self.names

    def add(self, *names: str) -> None:
        """Record names of dropped entries."""
        self.names.update(map(canonical, names))

    def explains_error(self, text: str, offset: int, refused: str) -> bool:
        """Return whether an error reported before explains why a sentence cannot be parsed.

        offset: of the parse error; refused: the word of the language that the sentence uses as a new name, or ''.
        """
        if not self.refused.isdisjoint([*text[:offset].split()[-1:], *text[offset:].split()[:1]]):
            return True
        if refused:
            self.refused.add(refused)
        return any(name in text for name in self.unreadable)
