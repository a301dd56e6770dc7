"""The spaces of a drawn board as the edition has them, whatever lies there: regions, ground and sign."""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.model.declarations import NUMBERS, Board, Edition
from rulewright.model.pictures import name_of, values_of
from rulewright.publish.faces import Faces
from rulewright.syntax.source import Scalar

Still = tuple[tuple[tuple[str, int | None], ...], str, str]
"""What makes a space part of a region; the pictures of its ground and its sign, as SVG or ''."""


def counts_regions(edition: Edition, board: Board) -> bool:
    """Whether players care how full the regions of a board are: something lies on the words that make them, or is
    counted for them."""
    lists = set(edition.words[board.spaces].attributes.values()) - {*NUMBERS, board.spaces}
    theirs = [zone.of for zone in edition.zones.values() if zone.shown]
    theirs += [counter.of for counter in edition.counters.values() if counter.shown]
    return not lists.isdisjoint(theirs)


def told_attributes(edition: Edition, board: Board) -> tuple[str, ...]:
    """The attributes of a board's spaces that readers are told: as looks say, else all but those that name another
    space of it, which only the rules need."""
    found = {name: of for name, of in edition.words[board.spaces].attributes.items() if of != board.spaces}
    return edition.carried.get(board.spaces, tuple(found))


def still(edition: Edition, found: Board, faces: Faces) -> list[Still]:
    """Of each space, in the board's order."""
    regions = [name for name, of in edition.words[found.spaces].attributes.items() if of not in NUMBERS]

    def drawn(patterns: Mapping[str, Scalar], number: int) -> str:
        pattern = patterns.get(found.name)
        slots = values_of(edition, found.spaces, number)
        return faces.picture(name_of(pattern.text, edition, slots)) if pattern is not None else ""

    return [
        (
            tuple((name, word.attributes.get(name)) for name in regions),
            drawn(edition.grounds, number),
            drawn(edition.space_signs, number),
        )
        for number, word in enumerate(edition.words[found.spaces].words)
    ]
