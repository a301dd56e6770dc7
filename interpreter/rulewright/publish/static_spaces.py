"""Static spaces of a drawn board, without pieces: regions, ground and sign."""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.model.declarations import NUMBERS, Board
from rulewright.model.edition import Edition
from rulewright.model.pictures import picture_name, word_slot_values
from rulewright.publish.board_edges import coloured_edges, gaps
from rulewright.publish.board_places import board_kind, roads, space_names
from rulewright.publish.drawing import BoardLooks
from rulewright.publish.faces import Faces
from rulewright.syntax.source import Scalar

StaticSpace = tuple[tuple[tuple[str, int | None], ...], str, str]
"""Attributes that are words, with the number of the word or None: equal in one region; then the pictures of the space's
ground and its sign, as SVG or ''."""


def counts_regions(edition: Edition, board: Board) -> bool:
    """Return whether the contents of a board's regions matter to players: zones or counters belong to their words."""
    lists = set(edition.words[board.spaces].attributes.values()) - {*NUMBERS, board.spaces}
    owners = [zone.of for zone in edition.zones.values() if zone.shown]
    owners += [counter.of for counter in edition.counters.values() if counter.shown]
    return not lists.isdisjoint(owners)


def shown_attributes(edition: Edition, board: Board) -> tuple[str, ...]:
    """Return the attributes of a board's spaces that readers are shown.

    As the artwork declares, else all but those that name another space of the board, which only the rules need.
    """
    attributes = {
        name: value_type
        for name, value_type in edition.words[board.spaces].attributes.items()
        if value_type != board.spaces
    }
    return edition.shown_properties.get(board.spaces, tuple(attributes))


def board_looks(edition: Edition, board_: Board, faces: Faces) -> BoardLooks:
    """Return the looks of a board itself."""

    def picture(patterns: Mapping[str, Scalar]) -> str:
        return faces.picture(patterns[board_.name].text) if board_.name in patterns else ""

    def label(number: int) -> str:
        return faces.localizer.title(faces.terms.word(board_.spaces, number))

    return BoardLooks(
        board_kind(edition, board_),
        picture(edition.surroundings),
        gap := picture(edition.gap_grounds),
        gaps(board_) if gap else (),
        coloured_edges(edition, board_),
        roads(edition, board_),
        tuple(space_names(edition, board_, label).items()),
    )


def static_spaces(edition: Edition, board_: Board, faces: Faces) -> list[StaticSpace]:
    """List the static spaces of a board, in its order."""
    regions = [
        name for name, value_type in edition.words[board_.spaces].attributes.items() if value_type not in NUMBERS
    ]

    def artwork(patterns: Mapping[str, Scalar], number: int) -> str:
        source = patterns.get(board_.name)
        slots = word_slot_values(edition, board_.spaces, number)
        return faces.picture(picture_name(source.text, edition, slots)) if source is not None else ""

    return [
        (
            tuple((name, word.attributes.get(name)) for name in regions),
            artwork(edition.grounds, number),
            artwork(edition.space_signs, number),
        )
        for number, word in enumerate(edition.words[board_.spaces].words)
    ]
