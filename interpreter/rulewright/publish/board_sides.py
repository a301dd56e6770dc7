"""Sides of boards: the seats that sit at the upper edge of a map, and see it from there."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.game.game import Game
from rulewright.model.declarations import Board
from rulewright.program.form import BoardMap
from rulewright.publish.labels import Labels
from rulewright.publish.owners import can_show_owners, owners


def upper_seats(game: Game, board: Board) -> tuple[int, ...]:
    """Return the seats that see a board from its upper edge.

    As its looks say; else those whose pieces and spaces all lie in its upper half, where others' all lie in the lower
    one; () if that is not so. game: one that has just begun, of which only what a spectator sees is used.
    """
    declared = game.rules.edition.upper_sides.get(board.name)
    if declared is not None:
        sides = seats_of_sides(game)
        return tuple(seat for side, seat in sides.items() if side in declared)
    map_ = next((one for one in game.program.maps if one.spaces == board.spaces), None)
    if map_ is None:
        return ()
    rows = [row for _, row in map_.positions]
    middle = (min(rows) + max(rows)) / 2
    rows_of: list[set[int]] = [set() for _ in game.names]
    for seat, row in (*_pieces(game, map_), *_spaces(game, map_)):
        rows_of[seat].add(row)
    above = [bool(held) and max(held) <= middle and min(held) < middle for held in rows_of]
    below = [bool(held) and min(held) >= middle and max(held) > middle for held in rows_of]
    are_opposite = any(above) and any(below) and all(one or other for one, other in zip(above, below, strict=True))
    return tuple(seat for seat, is_above in enumerate(above) if is_above) if are_opposite else ()


def _pieces(game: Game, map_: BoardMap) -> Iterator[tuple[int, int]]:
    """Yield the owner and the row of each piece on a map that a spectator sees and that has an owner."""
    view, words = game.view(None), game.rules.edition.words[map_.spaces].words
    row_of = {word.name: row for word, (_, row) in zip(words, map_.positions, strict=True)}
    zones = [zone for zone in view.zones if zone.word in row_of and zone.pieces]
    by_piece = owners(Labels(game), view.counters, (piece for zone in zones for piece in zone.pieces or ()))
    for zone in zones:
        for piece in zone.pieces or ():
            if piece in by_piece and game.rules.edition.zones[zone.name].of == map_.spaces:
                yield by_piece[piece], row_of[zone.word]


def _spaces(game: Game, map_: BoardMap) -> Iterator[tuple[int, int]]:
    """Yield the seat and the row of each space that carries the word of a seat."""
    for name, list_name in game.rules.edition.words[map_.spaces].attributes.items():
        seats = _words_of_seats(game, list_name)
        for region, (_, row) in zip(map_.regions, map_.positions, strict=True):
            if region.get(name) in seats:
                yield seats[region[name]], row


def seats_of_sides(game: Game) -> dict[str, int]:
    """Return the seat that plays each side, of several the last; empty if the edition has no sides."""
    return _words_of_seats(game, game.rules.edition.sides)


def _words_of_seats(game: Game, words: str) -> dict[str, int]:
    """Return the seat of each word that a seat has in the counter of a word list's name, of several seats the last;
    empty if there is no such counter."""
    values = game.view(None).counters.get(words)
    if not isinstance(values, tuple) or not can_show_owners(game.rules.edition, words):
        return {}
    return {str(value): seat for seat, value in enumerate(values)}
