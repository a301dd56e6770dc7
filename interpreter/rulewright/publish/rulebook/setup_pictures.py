"""Set-up in a book: the table with the numbers of its steps, and a table of figures by number of players."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Set
from dataclasses import replace

from rulewright.authoring.rule_index import RuleIndex
from rulewright.base.diagnostics import RulewrightError
from rulewright.base.rule_keys import RuleKey
from rulewright.game.game import Game
from rulewright.game.library import Rules
from rulewright.game.rule_texts import RuleTexts
from rulewright.game.terms import Terms
from rulewright.i18n.localizer import Localizer, phrase
from rulewright.model.declarations import canonical
from rulewright.model.edition import Edition
from rulewright.model.references import NAMES
from rulewright.publish.rulebook.model import Drawing, Piece, PrintedTable, Setup, ShownTable, Tableau
from rulewright.publish.rulebook.positions import Positions

_SEED = 1
"""Seed of the games whose set-up is drawn, so that a book is the same each time."""
_PLAYERS_SHOWN = 3
"""Number of players in the picture, if so many can play."""
_MAX_ANSWERS = 500
"""Limit of answers during a set-up."""


def setup_picture(
    rules: Rules, options: Mapping[str, str], localizer: Localizer, numbered: Mapping[str, int]
) -> Setup | None:
    """Return the table after the set-up, as the first player sees it, from whom players are counted.

    numbered: set-up steps with their numbers. None where no such game can be played, or nothing is visible.
    """
    minimum, maximum = rules.edition.people
    people = max(minimum, min(_PLAYERS_SHOWN, maximum))
    roles = {name: name for name, role in rules.edition.roles.items() if role.joins.get(people)}
    try:
        game = Game.start(rules, [*map(str, range(1, people + 1)), *roles], options, _SEED, roles)
        _play_setup(game)
    except RulewrightError:
        return None
    first = min((seat for seat, _ in game.pending.ids), default=0)
    numbers = [(seat - first) % people + 1 for seat in range(people)]
    names = [localizer.say(phrase("rulebook", "Player {number}", number=number)) for number in numbers]
    names += [localizer.title(Terms(rules.edition).rule(RuleKey.of("roles", role))) for role in roles]
    caption = localizer.say(phrase("rulebook", "The table before the first move, with {count} players", count=people))
    position = Positions(game, localizer, names).position(first)
    sides = {name for name, counter in rules.edition.counters.items() if counter.side}
    table = _number_places(position, _step_numbers(rules.edition, numbered), sides)
    return Setup(caption, table) if table.tableaus or table.boards else None


def _play_setup(game: Game) -> None:
    """Answer at random the decisions before the first phase: the picture shows where pieces lie, not which."""
    rng = random.Random(_SEED)
    for _ in range(_MAX_ANSWERS):
        if game.view(None).phase or not game.pending.ids:
            return
        seat = min(seat for seat, _ in game.pending.ids)
        decision = game.decision(seat)
        if decision is None:
            return
        keys = [choice.key for choice in decision.choices]
        game.answer(seat, rng.sample(keys, min(len(keys), decision.most, max(1, decision.least))))


def _step_numbers(edition: Edition, numbered: Mapping[str, int]) -> dict[str, tuple[int, ...]]:
    """Map zones, counters and boards to the numbers of the steps that lay them out."""
    rule_index = RuleIndex(edition)
    places = {canonical(name): name for name in (*edition.zones, *edition.counters)}
    places |= {
        canonical(name): board.name for board in edition.boards.values() for name in _zones_on(edition, board.spaces)
    }
    numbers: dict[str, tuple[int, ...]] = {}
    for step, number in numbered.items():
        zone_names = edition.setup_places.get(step)
        if zone_names is None:
            keys = {RuleKey.of("steps", step)}
            while (
                reached := {to for key in keys for to in rule_index.steps_done_by(key) if to not in rule_index.texts}
                - keys
            ):
                keys |= reached
            uses = (use.name for use in rule_index.uses if use.kind == NAMES and rule_index.key(use) in keys)
            zone_names = tuple(
                place for name in dict.fromkeys(uses) if (place := places.get(name, "")) and place not in numbers
            )
        for name in zone_names:
            numbers[name] = (*numbers.get(name, ()), number)
    return numbers


def _zones_on(edition: Edition, spaces: str) -> Iterator[str]:
    """Yield the zones on the spaces of a board or on its regions."""
    lists = {spaces, *edition.words[spaces].attributes.values()}
    return (zone.name for zone in edition.zones.values() if zone.of in lists)


def _place_in_hand(piece: Piece) -> tuple[str, str]:
    """Return what pieces are sorted by: the suit of those with a sign in the corner, then that; else their picture."""
    return (piece.corner and piece.suit) or piece.picture, piece.corner


def _number_places(position: ShownTable, places: Mapping[str, tuple[int, ...]], sides: Set[str]) -> ShownTable:
    """Number each place where it is drawn first, and drop those that show nothing and that no step mentions.

    sides: counters that hold a player's side.
    """
    visited: set[str] = set()

    def numbers(tableau: Tableau) -> Tableau:
        zones = []
        for place in tableau.places:
            zone = replace(place, pieces=tuple(sorted(place.pieces, key=_place_in_hand)))
            if (
                any(piece.picture or not piece.hidden for piece in zone.pieces)
                or zone.declared in places
                or zone.declared in sides
            ):
                zones.append(zone if zone.declared in visited else replace(zone, numbers=places.get(zone.declared, ())))
                visited.add(zone.declared)
        return replace(tableau, places=tuple(zones))

    def with_places(tableau: Tableau) -> bool:
        return bool(tableau.places)

    def of_board(board: Drawing) -> Drawing:
        return replace(board, numbers=places.get(board.declared, ()))

    return replace(
        position,
        tableaus=tuple(filter(with_places, map(numbers, position.tableaus))),
        boards=tuple(map(of_board, position.boards)),
    )


def figures_by_players(edition: Edition, texts: RuleTexts, localizer: Localizer) -> PrintedTable | None:
    """Return a table of the figures with a noun that depend on the number of seats, or None if there is none."""
    terms = Terms(edition)
    columns = list(_combinations(edition, localizer))
    rows = []
    for key, _ in edition.figure_texts():
        name = RuleKey(key).name
        try:
            figures = texts.by_seats(name)
        except RulewrightError:
            continue
        if len({str(figure) for figure in figures.values()}) > 1:
            cells = (localizer.say(phrase("", "{figure}", figure=figures[seats])) for _, seats in columns)
            rows.append((localizer.title(terms.figure(name)), *cells))
    title = localizer.say(phrase("rulebook", "By number of players"))
    return PrintedTable(title, tuple(head for head, _ in columns), tuple(rows)) if rows else None


def _combinations(edition: Edition, localizer: Localizer) -> Iterator[tuple[str, int]]:
    """Yield the possible combinations of players, as text, with their number of seats."""
    terms = Terms(edition)
    for people in range(edition.people[0], edition.people[1] + 1):
        joins = {name: role.joins[people] for name, role in edition.roles.items() if people in role.joins}
        required = [name for name, must in joins.items() if must]
        for optional in ([], *([name] for name, must in joins.items() if not must)):
            names = [
                str(people),
                *(localizer.say(terms.rule(RuleKey.of("roles", name))) for name in (*required, *optional)),
            ]
            seats = people + len(names) - 1
            if seats in edition.seat_counts():
                yield " + ".join(names), seats
