"""Owners of pieces, as counters tell them: 'white', held by a seat, is also an attribute of that seat's pieces."""

from __future__ import annotations

from collections.abc import Iterable

from rulewright.model.declarations import SEAT
from rulewright.model.edition import Edition
from rulewright.program.appearance import name_without_marks
from rulewright.publish.labels import Labels
from rulewright.runtime.view import Counters


def can_show_owners(edition: Edition, name: str) -> bool:
    """Return whether a counter may identify owners of pieces: each seat has one, which is shown and holds one word."""
    counter = edition.counters[name]
    return counter.of == SEAT and counter.holds in edition.words and counter.shown and not counter.most


def owners(labels: Labels, counters: Counters, names: Iterable[str]) -> dict[str, int]:
    """Map names of all pieces to their owners, if each seat has a word of its own in a counter that is also an
    attribute of pieces.

    names: visible pieces, of which those with marks are added."""
    edition, result = labels.edition, dict[str, int]()
    for name, counter in edition.counters.items():
        values = counters.get(name)
        if not isinstance(values, tuple) or not can_show_owners(edition, name):
            continue
        if None in values or len(set(values)) < len(values):
            continue
        words = [word.name for word in edition.words[counter.holds].words]
        seats = {words.index(str(value)): seat for seat, value in enumerate(values)}
        for type_ in labels.game.program.types:
            for attribute, words_of in edition.kinds[type_.kind].attributes.items():
                if words_of == counter.holds and type_.attributes[attribute] in seats:
                    result.setdefault(type_.name, seats[type_.attributes[attribute]])
    if not result:
        return result
    with_counters = sorted({name for name in names if name not in labels.order})
    plain_names = {name: name_without_marks(name) for name in with_counters}
    return result | {name: result[plain] for name, plain in plain_names.items() if plain in result}
