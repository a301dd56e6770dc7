"""What the things of a game are called: every name that is shown comes through here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

from rulewright.game import Game
from rulewright.view import Held, View, ZoneView, held

_LEVELS = {"powers": "power", "roles": "role", "options": "option"}


class Labels:
    """The names in one game's edition. order: the place of each piece's name among all kinds; boards: the word
    lists of drawn boards' spaces."""

    def __init__(self, game: Game) -> None:
        self.edition, self._program, self._names = game.rules.edition, game.program, game.names
        self.order: Mapping[str, int] = {type_.name: number for number, type_ in enumerate(self._program.types)}
        self.boards = frozenset(map_.spaces for map_ in self._program.maps)
        self._types = {type_.name: type_ for type_ in self._program.types}

    def zone(self, name: str) -> str:
        return self.edition.zones[name].noun.one

    def secret(self, name: str) -> bool:
        """Whether a zone is seen by its owner alone."""
        return self.edition.zones[name].seen_by == "owner"

    def shown_zone(self, zone: str) -> bool:
        """Whether people see a zone on the table at all."""
        return self.edition.zones[zone].shown

    def shown(self, counter: str) -> bool:
        """Whether a counter is meant for people."""
        return self.edition.counters[counter].shown

    def counter(self, name: str) -> str:
        return self.edition.counters[name].noun.one

    def held(self, name: str, value: Held) -> str:
        """What a counter holds, in words."""
        if value is None:
            return "nobody" if self.edition.counters[name].holds == "seat" else "nothing"
        if isinstance(value, str):
            words = self.edition.words[self.edition.counters[name].holds].words
            return next(word.noun.one for word in words if word.name == value)
        if self.edition.counters[name].holds == "seat":
            return self._names[value]
        return ("yes" if value else "no") if isinstance(value, bool) else str(value)

    def phase(self, name: str) -> str:
        return next((phase.title for phase in self.edition.phases if phase.name == name), name or "Setup")

    def score(self, name: str) -> str:
        return next((line.title for line in self.edition.scoring if line.name == name), name)

    def rule(self, key: str) -> str:
        """The heading of a rule, given as 'phases.NAME', 'powers.NAME' …"""
        section, _, name = key.partition(".")
        if section == "phases":
            return self.phase(name)
        if section == "scoring":
            return self.score(name)
        if section in _LEVELS:
            sets = (s for s in self.edition.change_sets if s.level == _LEVELS[section] and s.name == name)
            return next((found.title for found in sets), name)
        return self.edition.full_title() if key == "edition" else (name or section).capitalize()

    def power(self, piece: str, zone: str) -> str:
        """The power that a piece gives while it lies in a zone, or ''."""
        type_ = self._types.get(piece)
        kind = self.edition.kinds.get(type_.kind) if type_ is not None else None
        if type_ is None or kind is None or kind.power_in != zone:
            return ""
        words = self.edition.words[kind.attributes[kind.power_word]].words
        return words[type_.attributes[kind.power_word]].name

    def owners(self, view: View) -> dict[str, int]:
        """Whose a piece is, as far as every seat has a word of its own in a counter that is also the piece's."""
        found: dict[str, int] = {}
        for name, counter in self.edition.counters.items():
            values = view.counters[name]
            if not isinstance(values, tuple) or counter.holds not in self.edition.words or not counter.shown:
                continue
            if None in values or len(set(values)) < len(values):
                continue
            words = [word.name for word in self.edition.words[counter.holds].words]
            seats = {words.index(str(value)): seat for seat, value in enumerate(values)}
            for type_ in self._program.types:
                for attribute, words_of in self.edition.kinds[type_.kind].attributes.items():
                    if words_of == counter.holds and type_.attributes[attribute] in seats:
                        found.setdefault(type_.name, seats[type_.attributes[attribute]])
        return found

    def of_word(self, view: View, words: str, word: str) -> list[str]:
        """What lies in a word's zones, and its counters where they are not as they began."""
        zones = [name for name, zone in self.edition.zones.items() if zone.of == words]
        told = []
        for name in zones:
            if lying := self.lying(view.zone(name, word=word)):
                told.append(lying if len(zones) == 1 else f"{self.zone(name)} {lying}")
        for name, counter in self.edition.counters.items():
            values = view.counters[name]
            if (
                counter.of == words
                and counter.shown
                and isinstance(values, Mapping)
                and word in self.counted(name, values)
            ):
                told.append(f"{self.counter(name)} {self.held(name, values[word])}")
        return told

    def lying(self, zone: ZoneView) -> str:
        """What lies in a zone, as far as it may be known."""
        if zone.pieces is None:
            return times("hidden", zone.count) if zone.count else ""
        if zone.pile and zone.pieces:
            return f"({zone.count}) top: {zone.pieces[-1]}"
        return ", ".join(times(*run) for run in runs(zone.pieces))

    def counted(self, name: str, values: Mapping[str, Held]) -> list[str]:
        """The words for which a counter that is meant for people is not as it began."""
        if not self.shown(name):
            return []
        counter = next(counter for counter in self._program.layout.counters if counter.name == name)
        return [word for word, value in values.items() if value != held(self._program, counter.type, counter.start)]

    def sorted(self, pieces: Iterable[str]) -> list[str]:
        """Pieces in the order of the edition; alike pieces always in the same order."""
        return sorted(pieces, key=lambda name: self.order.get(name, len(self.order)))


def grouped(names: Iterable[str]) -> list[tuple[str, int]]:
    """Each name once with how often it occurs, in order of first occurrence."""
    return list(Counter(names).items())


def runs(names: Sequence[str]) -> list[tuple[str, int]]:
    """Neighbours that are alike together: the order of a row stays to be seen."""
    return [(name, len(list(group))) for name, group in groupby(names)]


def times(name: str, count: int) -> str:
    return name if count == 1 else f"{name} ×{count}"


def listed(names: Sequence[str]) -> str:
    """Names as people list them: Ada, Ben and Cora."""
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))
