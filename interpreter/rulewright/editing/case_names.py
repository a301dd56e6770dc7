"""Keys and values allowed in a file of cases, by the path of keys and the edition that it tests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from rulewright.base.records import record
from rulewright.model.declarations import SEAT, canonical
from rulewright.model.edition import Edition
from rulewright.model.symbols import Symbol

KeyPath = tuple[str, ...]
"""Keys from the root of a file, '' for an item of a list."""

_AT_SEAT = dict.fromkeys(("points", "lines", "measures", "rank", "scored", "powers"), "key")
"""Keys of the language below a seat's name, each with its kind."""
_SPECTATOR = "a spectator"
"""Word for somebody without a seat, behind `seen by`."""


@record
class CaseFacts:
    """Facts of an edition that need its program. pieces: name -> kind; decisions: ids; rules: keys of rules with a
    text."""

    pieces: Mapping[str, str] = field(default_factory=dict)
    decisions: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()


@dataclass(frozen=True)
class CaseWords:
    """Names allowed in one file. Each comes with its kind: that of a symbol, or 'seat', 'piece', 'decision', 'rule',
    'case', 'key' (a word of the language), or 'word of LIST'."""

    edition: Edition
    facts: CaseFacts
    seats: tuple[str, ...] = ()
    cases: tuple[str, ...] = ()

    def keys(self, path: KeyPath) -> dict[str, str]:
        """Return the keys allowed below a path, with their kinds: names of the edition and the words besides; not the
        schema's keys."""
        match path[2:] if path[:1] == ("cases",) else ():
            case ("options",):
                return dict.fromkeys(self.edition.options, "option")
            case ("given", *rest):
                return self._laid_keys(rest)
            case ("do", "") | ("do", "", "refused"):
                return self._seats()
            case ("expect", *rest) | ("do", "", "expect", *rest):
                return self._expected_keys(rest)
        return {}

    def values(self, path: KeyPath) -> dict[str, str]:
        """Return the values allowed at a path, alone or in a list, with their kinds."""
        match path[2:] if path[:1] == ("cases",) and len(path) > 2 else path:
            case ("leave out" | "print" | "lessons", ""):
                return dict.fromkeys(self.cases, "case")
            case ("seats", "", _):
                return dict.fromkeys(self.edition.roles, "role")
            case ("options", name):
                option = self.edition.options.get(name)
                return dict.fromkeys(option.choices if option else (), f"choice of {name}")
            case ("explains",):
                return dict.fromkeys(self.facts.rules, "rule")
            case ("learner",):
                return self._seats()
            case ("show", ""):
                own = [name for name, of in self._owners().items() if of == SEAT]
                possessed = {f"{seat}'s {name}": self._kind(name) for seat in self.seats for name in own}
                return {name: self._kind(name) for name in self._owners()} | possessed
            case ("given" | "expect", *rest) | ("do", "", "expect", *rest):
                return self._values_in_expectation(rest)
        return {}

    def entries(self, name: str, kind: str, known: Iterable[Symbol]) -> list[Symbol]:
        """Return the declarations of a kind with this name in the edition."""
        if kind == "piece":
            name, kind = self.facts.pieces.get(name, ""), "kind of piece"
        elif kind == "rule":
            return [entry for entry in known if entry.dotted == name or entry.path[-1] == name.partition(".")[2]][:1]
        elif kind == "decision":
            step = name.partition(".")[0]
            return [entry for entry in known if entry.kind in ("step", "phase") and entry.name == step][:1]
        elif kind.startswith("word of "):
            list_name = kind.removeprefix("word of ")
            return [
                entry
                for entry in known
                if entry.kind in ("word", "space")
                and entry.name == name
                and (list_name == entry.path[1] or entry.kind == "space")
            ]
        elif kind.startswith("choice of "):
            option = kind.removeprefix("choice of ")
            return [entry for entry in known if entry.kind == "choice" and entry.name == name and option in entry.path]
        elif "'s " in name and kind in ("zone", "counter"):
            name = name.partition("'s ")[2]
        return [entry for entry in known if entry.kind == kind and canonical(entry.name) == canonical(name)]

    # ── by place ──

    def _seats(self) -> dict[str, str]:
        """Return the names of the seats, with their kind."""
        return dict.fromkeys(self.seats, "seat")

    def _laid_keys(self, rest: Sequence[str]) -> dict[str, str]:
        """Return the keys allowed in a position, with their kinds."""
        if not rest:
            return self._owned_by("") | self._seats()
        return self._owned_by(SEAT) if rest[0] in self.seats and len(rest) == 1 else self._words_below(rest)

    def _expected_keys(self, rest: Sequence[str]) -> dict[str, str]:
        """Return the keys allowed in an expectation, with their kinds. rest: path below `expect`."""
        match rest:
            case []:
                views = {f"seen by {name}": "key" for name in (*self.seats, _SPECTATOR)}
                return self._owned_by("") | self._seats() | {f"log of {seat}": "key" for seat in self.seats} | views
            case ["asked"]:
                return self._seats()
            case [seat] if seat in self.seats:
                return self._owned_by(SEAT) | _AT_SEAT
            case [_, "lines"]:
                return {line.name: "score line" for line in self.edition.scoring}
            case [_, "measures"]:
                return {measure.name: "measure" for measure in self.edition.measures}
            case [views] if views.startswith("seen by "):
                return self._zones("") | self._seats()
            case [views, seat] if views.startswith("seen by ") and seat in self.seats:
                return self._zones(SEAT) | {"points": "key"}
            case [views, *more] if views.startswith("seen by "):
                return self._words_below(more)
        return self._words_below(rest)

    def _words_below(self, rest: Sequence[str]) -> dict[str, str]:
        """Return the words for which a zone or a counter may be given."""
        rest = rest[1:] if rest and rest[0] in self.seats else rest
        zone, counter = (
            self.edition.zones.get(rest[0]) if rest else None,
            self.edition.counters.get(rest[0]) if rest else None,
        )
        owners = (zone.of if zone else "", counter.of if counter else "", counter.by if counter else "")
        lists = [of for of in owners if of in self.edition.words]
        if len(rest) > len(lists) or not lists:
            return {}
        of = lists[len(rest) - 1]
        return {word.name: f"word of {of}" for word in self.edition.words[of].words}

    def _values_in_expectation(self, rest: Sequence[str]) -> dict[str, str]:
        """Return the words that can be the value at a path below a position or an expectation, each with its kind."""
        match rest:
            case ["phase"]:
                return {phase.name: "phase" for phase in self.edition.phases}
            case ["asked"] | ["asked", ""]:
                return self._seats() | ({} if rest[1:] else {"nobody": "key"})
            case ["asked", _] | ["asked", _, "id"]:
                return dict.fromkeys(self.facts.decisions, "decision")
            case ["asked", _, "choices", ""]:
                return dict.fromkeys(self.facts.pieces, "piece")
            case [_, "powers", ""]:
                return {change.name: "power" for change in self.edition.change_sets if change.level == "power"}
            case [view, *more] if view.startswith("seen by "):
                return self._seats() if more == ["waiting", ""] else self._values_in_expectation(more)
            case [seat, *more] if seat in self.seats and more:
                return self._values_in_expectation(more)
            case [name, *more] if name in self.edition.zones:
                return self._pieces(name) if more else {"rest": "key"}
            case [name, *_] if name in self.edition.counters:
                return self._counter_values(self.edition.counters[name].holds)
        return {}

    # ── names ──

    def _owners(self) -> dict[str, str]:
        """Return the names of zones and counters with their owners, as in their declarations; without counters of
        pieces."""
        counters = {name: counter.of for name, counter in self.edition.counters.items() if not counter.marks}
        return {name: zone.of for name, zone in self.edition.zones.items()} | counters

    def _kind(self, name: str) -> str:
        """Return the kind of a zone or counter."""
        return "zone" if name in self.edition.zones else "counter"

    def _owned_by(self, owner: str) -> dict[str, str]:
        """Return the zones and counters of an owner, with their kinds: those of seats for SEAT, all others for
        anything else."""
        return {name: self._kind(name) for name, of in self._owners().items() if (of == SEAT) == (owner == SEAT)}

    def _zones(self, owner: str) -> dict[str, str]:
        """Return the zones that `_owned_by` returns."""
        return {name: kind for name, kind in self._owned_by(owner).items() if kind == "zone"}

    def _pieces(self, zone: str) -> dict[str, str]:
        """Return the pieces that a zone may hold, with their kind of name."""
        holds = self.edition.zones[zone].holds
        return {piece: "piece" for piece, kind in self.facts.pieces.items() if kind in holds}

    def _counter_values(self, holds: str) -> dict[str, str]:
        """Return the values that a counter may hold."""
        if holds == SEAT:
            return self._seats() | {"nobody": "key"}
        if holds == "truth":
            return {"yes": "key", "no": "key"}
        words = self.edition.words[holds].words if holds in self.edition.words else ()
        return {word.name: f"word of {holds}" for word in words} | ({"nothing": "key"} if words else {})
