"""The set-up as a book shows it: the table with the numbers of its steps, and what depends on the number of players."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Set
from dataclasses import replace

from rulewright.authoring.rule_index import Tellings
from rulewright.base.diagnostics import RulewrightError
from rulewright.base.rule_keys import RuleKey
from rulewright.game.game import Game
from rulewright.game.library import Rules
from rulewright.game.rule_texts import RuleTexts
from rulewright.game.terms import Terms
from rulewright.i18n.localizer import Speech, phrase
from rulewright.model.declarations import Edition, canonical
from rulewright.model.references import NAMES
from rulewright.publish.rulebook.model import Drawing, PrintedTable, Setup, ShownTable, Tableau
from rulewright.publish.rulebook.positions import Positions

_SEED = 1
_DRAWN = 3
"""Players of a game that is drawn, where so many can play it."""
_MOST_ANSWERS = 500


def picture(rules: Rules, options: Mapping[str, str], speech: Speech, numbered: Mapping[str, int]) -> Setup | None:
    """The table behind the set-up, as the first player sees it, who is counted from there. numbered: the steps of the
    set-up, each with its number. None where no such game can be played, or nothing is seen."""
    least, most = rules.edition.people
    people = max(least, min(_DRAWN, most))
    roles = {name: name for name, role in rules.edition.roles.items() if role.joins.get(people)}
    try:
        game = Game.start(rules, [*map(str, range(1, people + 1)), *roles], options, _SEED, roles)
        _play_setup(game)
    except RulewrightError:
        return None
    first = min((seat for seat, _ in game.asked()), default=0)
    numbers = [(seat - first) % people + 1 for seat in range(people)]
    names = [speech.say(phrase("rulebook", "Player {number}", number=number)) for number in numbers]
    names += [speech.title(Terms(rules.edition).role(role)) for role in roles]
    caption = speech.say(phrase("rulebook", "The table before the first move, with {count} players", count=people))
    position = Positions(game, speech, names).position(first)
    sides = {name for name, counter in rules.edition.counters.items() if counter.side}
    shown = _numbered(position, _places(rules.edition, numbered), sides)
    return Setup(caption, shown) if shown.tableaus or shown.boards else None


def _play_setup(game: Game) -> None:
    """Answer by chance what is asked before the first phase: where something lies, not what it is called, is shown."""
    chance = random.Random(_SEED)
    for _ in range(_MOST_ANSWERS):
        if game.view(None).phase or not game.asked():
            return
        seat = min(seat for seat, _ in game.asked())
        asked = game.decision(seat)
        if asked is None:
            return
        keys = [choice.key for choice in asked.choices]
        game.answer(seat, chance.sample(keys, min(len(keys), asked.most, max(1, asked.least))))


def _places(edition: Edition, numbered: Mapping[str, int]) -> dict[str, tuple[int, ...]]:
    """By the names of zones, counters and boards, the numbers of the steps that lay them out."""
    tellings = Tellings(edition)
    places = {canonical(name): name for name in (*edition.zones, *edition.counters)}
    places |= {canonical(name): board.name for board in edition.boards.values() for name in _on(edition, board.spaces)}
    found: dict[str, tuple[int, ...]] = {}
    for step, number in numbered.items():
        named = edition.setup_zones.get(step)
        if named is None:
            keys = {RuleKey.of("steps", step)}
            while more := {to for key in keys for to in tellings.done_by(key) if to not in tellings.texts} - keys:
                keys |= more
            uses = (use.name for use in tellings.uses if use.how == NAMES and tellings.key(use) in keys)
            named = tuple(
                place for name in dict.fromkeys(uses) if (place := places.get(name, "")) and place not in found
            )
        for name in named:
            found[name] = (*found.get(name, ()), number)
    return found


def _on(edition: Edition, spaces: str) -> Iterator[str]:
    """The zones that lie on the spaces of a board or on its regions."""
    lists = {spaces, *edition.words[spaces].attributes.values()}
    return (zone.name for zone in edition.zones.values() if zone.of in lists)


def _numbered(position: ShownTable, places: Mapping[str, tuple[int, ...]], sides: Set[str]) -> ShownTable:
    """With numbers where each place is drawn first, and without what shows nothing and no step speaks of. sides: the
    counters that say what each player plays."""
    seen: set[str] = set()

    def numbers(tableau: Tableau) -> Tableau:
        shown = []
        for place in tableau.places:
            at = replace(place, pieces=tuple(sorted(place.pieces, key=lambda piece: (piece.picture, piece.corner))))
            if (
                any(piece.picture or not piece.hidden for piece in at.pieces)
                or at.declared in places
                or at.declared in sides
            ):
                shown.append(at if at.declared in seen else replace(at, numbers=places.get(at.declared, ())))
                seen.add(at.declared)
        return replace(tableau, places=tuple(shown))

    def with_places(tableau: Tableau) -> bool:
        return bool(tableau.places)

    def of_board(board: Drawing) -> Drawing:
        return replace(board, numbers=places.get(board.declared, ()))

    return replace(
        position,
        tableaus=tuple(filter(with_places, map(numbers, position.tableaus))),
        boards=tuple(map(of_board, position.boards)),
    )


def by_players(edition: Edition, texts: RuleTexts, speech: Speech) -> PrintedTable | None:
    """The figures with a noun that depend on the number of seats, by who plays; None if there is none."""
    terms = Terms(edition)
    columns = list(_companies(edition, speech))
    rows = []
    for key, _ in edition.tabled():
        name = RuleKey(key).name
        try:
            figures = texts.by_seats(name)
        except RulewrightError:
            continue
        if len({str(figure) for figure in figures.values()}) > 1:
            cells = (speech.say(phrase("", "{figure}", figure=figures[seats])) for _, seats in columns)
            rows.append((speech.title(terms.figure(name)), *cells))
    title = speech.say(phrase("rulebook", "By number of players"))
    return PrintedTable(title, tuple(head for head, _ in columns), tuple(rows)) if rows else None


def _companies(edition: Edition, speech: Speech) -> Iterator[tuple[str, int]]:
    """Who may play together: in words, and how many seats that takes."""
    terms = Terms(edition)
    for people in range(edition.people[0], edition.people[1] + 1):
        joining = {name: role.joins[people] for name, role in edition.roles.items() if people in role.joins}
        always = [name for name, must in joining.items() if must]
        for others in ([], *([name] for name, must in joining.items() if not must)):
            names = [str(people), *(speech.say(terms.role(name)) for name in (*always, *others))]
            seats = people + len(names) - 1
            if seats in edition.seat_counts():
                yield " + ".join(names), seats
