"""Figures of a rulebook that are made from the rules: the set-up, the round as a flow, a table for the scores."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from rulewright.authoring.wording import sentences
from rulewright.base.diagnostics import RulewrightError
from rulewright.base.rule_keys import RuleKey
from rulewright.game.game import Game
from rulewright.game.library import Rules
from rulewright.game.terms import Terms
from rulewright.i18n.speech import Speech, phrase
from rulewright.model.declarations import Edition, Phase
from rulewright.publish.rulebook.model import Setup, Sheet, ShownZone, Tableau
from rulewright.publish.rulebook.positions import Positions
from rulewright.syntax.source import Node

_SEED = 1
MOST_DRAWN = 3
"""Players of whom all that lies before them is drawn; of more, it is of the first alone."""

_DO = re.compile(r"\bdo ([^:,;]+?)(?: for .*)?$")


def setup(rules: Rules, options: Mapping[str, str], speech: Speech) -> Setup | None:
    """The table when somebody is asked for the first time, as whoever that is sees it: with a middling number of
    players, who are counted from there. None where no such game can be played."""
    people = sum(rules.edition.people) // 2
    roles = {name: name for name, role in rules.edition.roles.items() if role.joins.get(people)}
    seats = [*map(str, range(1, people + 1)), *roles]
    try:
        game = Game.start(rules, seats, options, _SEED, roles)
    except RulewrightError:
        return None
    first = min((seat for seat, _ in game.asked()), default=0)
    numbers = [(seat - first) % people + 1 for seat in range(people)]
    names = [speech.say(phrase("rulebook", "Player {number}", number=number)) for number in numbers]
    names += [speech.title(Terms(rules.edition).role(role)) for role in roles]
    caption = speech.say(phrase("rulebook", "The table before the first move, with {count} players", count=people))
    position = Positions(game, speech, names).position(first)
    if people > MOST_DRAWN:
        shown = [found if found.owner in ("", names[first]) else _brief(found, speech) for found in position.tableaus]
        position = replace(position, tableaus=tuple(shown))
    return Setup(caption, position)


def _brief(tableau: Tableau, speech: Speech) -> Tableau:
    """What lies before a player, in words."""
    return replace(tableau, places=tuple(_in_words(place, speech) for place in tableau.places))


def _in_words(place: ShownZone, speech: Speech) -> ShownZone:
    """A zone without pictures; of what is hidden, only how much it is."""
    told = [
        speech.number(piece.count)
        if piece.hidden
        else piece.name
        if piece.count == 1
        else f"{piece.name} ×{piece.count}"
        for piece in place.pieces
    ]
    return replace(place, pieces=(), note=speech.list(told)) if told else place


def sheet(edition: Edition, speech: Speech) -> Sheet | None:
    """A table to write scores into, if there is anything to add up."""
    lines = tuple(speech.title(Terms(edition).score(line.name)) for line in edition.scoring)
    return Sheet(lines, speech.say(phrase("rulebook", "Total")), edition.people[1]) if len(lines) > 1 else None


class RoundCourse:
    """What follows what in a round."""

    def __init__(self, edition: Edition) -> None:
        self.edition = edition

    def ending(self) -> Phase | None:
        """The only phase that may end the game, or None."""
        found = [
            phase
            for phase in self.edition.phases
            if any("end game" in text for body in self.bodies(phase.body) for text in sentences(body, told=False))
        ]
        return found[0] if len(found) == 1 else None

    def bodies(self, body: Node) -> Iterator[Node]:
        """A body and all that is done in it, each once."""
        yield body
        seen: set[str] = set()
        todo = self.done(body)
        while todo:
            name = todo.pop(0)
            if name not in seen:
                seen.add(name)
                yield self.edition.steps[name].body
                todo += self.done(self.edition.steps[name].body)

    def done(self, body: Node) -> list[str]:
        """The steps that a body does itself, in their order."""
        found = (_DO.search(text) for text in sentences(body, told=False))
        return list(dict.fromkeys(match[1] for match in found if match and match[1] in self.edition.steps))

    def told(self, body: Node, rules: set[str]) -> list[str]:
        """The first steps on every way through a body that are told in words."""
        found: dict[str, None] = {}
        seen: set[str] = set()

        def follow(inner: Node) -> None:
            for name in self.done(inner):
                if RuleKey.of("steps", name) in rules:
                    found[name] = None
                elif name not in seen:
                    seen.add(name)
                    follow(self.edition.steps[name].body)

        follow(body)
        return list(found)
