"""Action space: one number for each thing that can be chosen in a game, the same in all its positions.

Action 0 is 'done': enough has been chosen, or nothing, or it is not one's turn. Owners are counted from the seat that
acts: 0 is itself, 1 the next one clockwise. A piece is chosen by its zone and what it shows, or by the zone alone where
the seat does not see it. Equal pieces are one action, which can be taken as often as there are such pieces; only where
places matter, or where pieces have counters of their own, each of them has a number, in the order of the offer.

An answer of several things takes an action for each, in the order of their numbers, so that every answer can be given
in one way only.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rulewright.base.records import record
from rulewright.model.declarations import SEAT
from rulewright.program.form import Program
from rulewright.program.instructions import ONE
from rulewright.program.state_layout import StateZone
from rulewright.runtime.operations import OpenDecision
from rulewright.runtime.view import sees_zone

DONE = 0
"""Action that ends an answer of several choices."""
MAX_NUMBERS = 100
"""Limit of offered numbers that can be chosen: the first ones."""


def site_names(program: Program) -> list[str]:
    """List a name for each site of the program; the second site with the same question gets '(2)', and so on."""
    names: list[str] = []
    for site in program.sites:
        times = sum(other == site.id for other in (site.id for site in program.sites[: len(names)]))
        names.append(f"{site.id} ({times + 1})" if times else site.id)
    return names


@record
class PieceActions:
    """Actions that choose the pieces of a zone.

    first: piece type to its first action, -1 for hidden pieces; each: actions of each type: 1, or one for every piece.
    """

    first: Mapping[int, int]
    each: int


class ActionSpace:
    """Action numbers of a program's games. names: a name for each action; seats, truths, numbers: the first action for
    a seat (the acting one), for a truth (no) and for a number (the first one offered), 0 where nobody chooses such."""

    def __init__(self, program: Program) -> None:
        self._program, self._seats = program, program.layout.seats
        self.names: list[str] = ["done"]
        self._bases = {site.element.base for site in program.sites}
        self._words = {
            words: self._add_names(f"{words} {word}" for word in program.words[words])
            for words in sorted({str(site.element.detail) for site in program.sites if site.element.base == "word"})
        }
        self.seats = self._add_names(f"seat +{other}" for other in range(self._seats)) if "seat" in self._bases else 0
        self.truths = self._add_names(["no", "yes"]) if "truth" in self._bases else 0
        self._branches = {
            number: self._add_names(f"{name}: {branch}" for branch in site.branches)
            for number, (site, name) in enumerate(zip(program.sites, site_names(program), strict=True))
            if site.element.base == "branch"
        }
        self.numbers = (
            self._add_names(f"number {place + 1} of those offered" for place in range(MAX_NUMBERS))
            if "number" in self._bases
            else 0
        )
        self._pieces: dict[tuple[str, int], PieceActions] = {}
        self._number_pieces()
        several = {int(i[1]) for i in program.code if i[0] == "ask" and i[5] != ONE}
        self.several = tuple(number in several for number in range(len(program.sites)))
        """Flag of each site: whether an answer may hold more than one thing."""

    def __len__(self) -> int:
        return len(self.names)

    def _add_names(self, names: Iterator[str] | Sequence[str]) -> int:
        """Add names of actions; return the number of the first."""
        first = len(self.names)
        self.names += names
        return first

    def _number_pieces(self) -> None:
        """Assign actions to the pieces of every zone that questions offer."""
        program = self._program
        sites = [site for site in program.sites if site.element.base == "piece"]
        kinds = {kind for site in sites for kind in site.element.detail}
        place_kinds = program.kinds_told_by_place | self._kinds_with_counters()
        copies = [0] * len(program.types)
        for piece in range(program.layout.pieces):
            for appearance in program.possible_types(piece):
                copies[appearance] += 1
        for space in program.layout.zones:
            offered = kinds & space.holds
            for other in range(self._seats if space.of == SEAT else 1):
                key = space.name, self._place(space, other)
                if key in self._pieces or not offered or (space.of == SEAT and space.owner > 0):
                    continue
                zone_name = self.zone_name(space, other)
                first_actions: dict[int, int] = {}
                each = 1
                if place_kinds & offered:
                    piece_counts = [copies[n] for n, type_ in enumerate(program.types) if type_.kind in offered]
                    each = max(1, min(space.capacity, max(piece_counts, default=1)))
                if space.seen_by == "all" or (space.seen_by == "owner" and other == 0):
                    for number, type_ in enumerate(program.types):
                        if type_.kind in offered:
                            first_actions[number] = self._add_names(
                                self._piece_names(f"{type_.name} in {zone_name}", each)
                            )
                if space.seen_by != "all":
                    first_actions[-1] = self._add_names(self._piece_names(f"a hidden piece in {zone_name}", each))
                self._pieces[key] = PieceActions(first_actions, each)

    def _kinds_with_counters(self) -> set[str]:
        """Return the kinds of piece that have counters which all see: each such piece has an action of its own."""
        return {kind for mark in self._program.layout.marks if mark.visible for kind in mark.initial_by_kind}

    @staticmethod
    def _piece_names(name: str, many: int) -> Iterator[str]:
        """Yield names of equal pieces, numbered if there are several."""
        yield from (name if many == 1 else f"{name}, number {place + 1}" for place in range(many))

    def _place(self, space: StateZone, other: int) -> int:
        """Return what tells zones of one name apart as a seat numbers them: `other`, the seat that many places further
        on, or the word that owns the zone."""
        return other if space.of == SEAT else space.owner

    def zone_name(self, space: StateZone, other: int) -> str:
        """Return the name of a zone, with its owner as seen from the seat that looks. other: for a seat's zone, how
        many places further on its owner sits."""
        if space.of == SEAT:
            return f"{space.name} +{other}"
        return f"{space.name} {self._program.words[space.of][space.owner]}" if space.of else space.name

    def pieces_in(self, space: StateZone, seat: int) -> PieceActions:
        """Return the actions for the pieces of a zone, as a seat numbers them; none for a zone from which no question
        offers any."""
        return self._pieces.get(
            (space.name, self._place(space, (space.owner - seat) % self._seats)), PieceActions({}, 1)
        )

    def words_of(self, site: int) -> int:
        """Return the action of the first word, or of the first entry of the menu, that a site asks for."""
        element = self._program.sites[site].element
        return self._words[str(element.detail)] if element.base == "word" else self._branches[site]

    def candidates_by_action(self, s: Sequence[int], decision: OpenDecision) -> dict[int, list[int]]:
        """Map each action that is possible now to the candidates that it stands for, in the order of actions.

        s: a state, or what the seat knows of it.
        """
        site, result = self._program.sites[decision.site], dict[int, list[int]]()
        if site.element.base == "piece":
            return self._pieces_by_action(s, decision)
        for place, item in enumerate(decision.candidates):
            match site.element.base:
                case "number":
                    action = self.numbers + place
                    if place >= MAX_NUMBERS:
                        continue
                case "seat":
                    action = self.seats + (item - decision.seat) % self._seats
                case "truth":
                    action = self.truths + item
                case _:
                    action = self.words_of(decision.site) + item
            result.setdefault(action, []).append(item)
        return dict(sorted(result.items()))

    def _pieces_by_action(self, s: Sequence[int], decision: OpenDecision) -> dict[int, list[int]]:
        """Map each possible action to the pieces that it chooses."""
        program, layout = self._program, self._program.layout
        spaces = {space.address: space for space in layout.zones}
        kinds_with_counters = self._kinds_with_counters()
        by_place = program.sites[decision.site].distinguishes_places(s, decision.seat)
        result: dict[int, list[int]] = {}
        counts: dict[int, int] = {}
        for number, piece in enumerate(decision.candidates):
            address = s[layout.piece_zones + piece]
            space = spaces[decision.spots[number] if address < 0 else address]
            face = program.shown_type(s, piece) if sees_zone(space, decision.seat) else -1
            numbered = self.pieces_in(space, decision.seat)
            action = numbered.first[face]
            if numbered.each > 1 and (by_place or program.types[program.type_of[piece]].kind in kinds_with_counters):
                counts[action] = counts.get(action, -1) + 1
                action += min(counts[action], numbered.each - 1)
            result.setdefault(action, []).append(piece)
        return dict(sorted(result.items()))


@record
class PartialAnswer:
    """Actions that a seat has chosen for its answer so far, in the order of their numbers."""

    actions: tuple[int, ...] = ()

    def next_actions(self, offered: Mapping[int, Sequence[int]], minimum: int, maximum: int) -> list[int]:
        """List the actions that can follow such that the answer can still be completed.

        offered: candidates by action, ascending, as `ActionSpace.candidates_by_action` returns them; minimum, maximum:
        number of things in an answer.
        """
        last = self.actions[-1] if self.actions else 0
        result = [DONE] if len(self.actions) >= minimum else []
        if len(self.actions) >= maximum:
            return result
        left = {action: len(items) - self.actions.count(action) for action, items in offered.items() if action >= last}
        remaining = sum(left.values())
        for action, count in left.items():
            if count > 0 and len(self.actions) + remaining >= minimum:
                result.append(action)
            remaining -= count
        return result

    def with_action(self, action: int) -> PartialAnswer:
        """Return this answer and one more action; this one does not change."""
        return PartialAnswer((*self.actions, action))

    def candidates(self, offered: Mapping[int, Sequence[int]]) -> list[int]:
        """Return the candidates that the actions stand for; of equal ones, the first."""
        return [offered[action][self.actions[:place].count(action)] for place, action in enumerate(self.actions)]
