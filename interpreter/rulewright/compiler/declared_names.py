"""Declarations of an edition by their canonical names."""

from __future__ import annotations

from rulewright.compiler.typed_values import NUMBER
from rulewright.model.declarations import canonical
from rulewright.model.edition import Edition


class DeclaredNames:
    """Declarations by canonical name.

    lists: word lists; words: for each list, by its own name, the numbers of its words by canonical name, the first of
    equal ones; kinds: of piece, also by their plural; has_number_lists: whether any counter holds a list of numbers.
    """

    def __init__(self, edition: Edition) -> None:
        self.figures = {canonical(name): figure for name, figure in edition.figures.items()}
        self.counters = {canonical(name): counter for name, counter in edition.counters.items()}
        self.zones = {canonical(name): zone for name, zone in edition.zones.items()}
        self.kinds = {canonical(name): kind for name, kind in edition.kinds.items()}
        self.lists = {canonical(name): words for name, words in edition.words.items()}
        self.words = {
            name: {canonical(word.name): number for number, word in reversed([*enumerate(words.words)])}
            for name, words in edition.words.items()
        }
        self.has_number_lists = any(c.most and c.holds == NUMBER.base for c in edition.counters.values())
        self.options = {canonical(name): option for name, option in edition.options.items()}
        for kind in edition.kinds.values():
            if "{" not in kind.noun.many:
                self.kinds.setdefault(canonical(kind.noun.many), kind)
