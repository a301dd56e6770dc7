"""What can be done, numbered: one number for each thing that can be chosen in a game, the same in all its positions.

Action 0 is 'done': enough has been chosen, or nothing, or it is not one's turn. Owners are counted from the seat that
acts: 0 is itself, 1 the next one clockwise. A piece is chosen by the zone that it lies in and by what it shows, or by
the zone alone where the seat does not see it. What is alike is one action, which can be taken as often as there are
such pieces; only where places matter, or where pieces have counters of their own, each of them has a number, in the
order in which they are offered.

Of an answer of several things each is chosen by an action, in the order of their numbers: so every answer can be given
in one way only.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rulewright.base.records import record
from rulewright.model.declarations import SEAT
from rulewright.program.form import Program, StateZone
from rulewright.program.instructions import ONE
from rulewright.runtime.operations import OpenDecision
from rulewright.runtime.view import sees

DONE = 0
MOST_NUMBERS = 100
"""Of so many numbers at most that are offered, each can be chosen: the first ones."""


def site_names(program: Program) -> list[str]:
    """What is asked at each site, in a word; the same question in two places has a number."""
    found: list[str] = []
    for site in program.sites:
        times = sum(other == site.id for other in (site.id for site in program.sites[: len(found)]))
        found.append(f"{site.id} ({times + 1})" if times else site.id)
    return found


@record
class PieceActions:
    """The actions by which the pieces in a zone are chosen. first: of each type that may lie there, its first action,
    those that lie hidden being -1; each: how many of each there are: 1, or one for every piece."""

    first: Mapping[int, int]
    each: int


class Actions:
    """The numbers of all that can be chosen in the games of a program. names: what each is called."""

    def __init__(self, program: Program) -> None:
        self._program, self._seats = program, program.layout.seats
        self.names: list[str] = ["done"]
        self._asked = {site.element.base for site in program.sites}
        self._words = {
            words: self._numbered(f"{words} {word}" for word in program.words[words])
            for words in sorted({str(site.element.detail) for site in program.sites if site.element.base == "word"})
        }
        self.seats = self._numbered(f"seat +{other}" for other in range(self._seats)) if "seat" in self._asked else 0
        self.truths = self._numbered(["no", "yes"]) if "truth" in self._asked else 0
        self._branches = {
            number: self._numbered(f"{name}: {branch}" for branch in site.branches)
            for number, (site, name) in enumerate(zip(program.sites, site_names(program), strict=True))
            if site.element.base == "branch"
        }
        self.numbers = (
            self._numbered(f"number {place + 1} of those offered" for place in range(MOST_NUMBERS))
            if "number" in self._asked
            else 0
        )
        self._pieces: dict[tuple[str, int], PieceActions] = {}
        self._number_pieces()
        several = {int(i[1]) for i in program.code if i[0] == "ask" and i[5] != ONE}
        self.several = tuple(number in several for number in range(len(program.sites)))
        """Of each site, whether more than one thing can be chosen there."""

    def __len__(self) -> int:
        return len(self.names)

    def _numbered(self, names: Iterator[str] | Sequence[str]) -> int:
        first = len(self.names)
        self.names += names
        return first

    def _number_pieces(self) -> None:
        program = self._program
        sites = [site for site in program.sites if site.element.base == "piece"]
        kinds = {kind for site in sites for kind in site.element.detail}
        apart = program.told_by_place | self._marked()
        copies = [0] * len(program.types)
        for piece in range(program.layout.pieces):
            for look in program.looks(piece):
                copies[look] += 1
        for space in program.layout.spaces:
            offered = kinds & space.holds
            for other in range(self._seats if space.of == SEAT else 1):
                key = space.name, self._place(space, other)
                if key in self._pieces or not offered or (space.of == SEAT and space.owner > 0):
                    continue
                named = self.zone_name(space, other)
                found: dict[int, int] = {}
                each = 1
                if apart & offered:
                    alike = [copies[n] for n, type_ in enumerate(program.types) if type_.kind in offered]
                    each = max(1, min(space.capacity, max(alike, default=1)))
                if space.seen_by == "all" or (space.seen_by == "owner" and other == 0):
                    for number, type_ in enumerate(program.types):
                        if type_.kind in offered:
                            found[number] = self._numbered(self._each(f"{type_.name} in {named}", each))
                if space.seen_by != "all":
                    found[-1] = self._numbered(self._each(f"a hidden piece in {named}", each))
                self._pieces[key] = PieceActions(found, each)

    def _marked(self) -> set[str]:
        return {kind for mark in self._program.layout.marks if mark.shown for kind in mark.starts}

    @staticmethod
    def _each(name: str, many: int) -> Iterator[str]:
        yield from (name if many == 1 else f"{name}, number {place + 1}" for place in range(many))

    def _place(self, space: StateZone, other: int) -> int:
        return other if space.of == SEAT else space.owner

    def zone_name(self, space: StateZone, other: int) -> str:
        """What a zone is called, of the seat that is so many seats on from the one that looks."""
        if space.of == SEAT:
            return f"{space.name} +{other}"
        return f"{space.name} {self._program.words[space.of][space.owner]}" if space.of else space.name

    def pieces_in(self, space: StateZone, seat: int) -> PieceActions:
        """The actions for the pieces of a zone, as a seat numbers them."""
        return self._pieces.get(
            (space.name, self._place(space, (space.owner - seat) % self._seats)), PieceActions({}, 1)
        )

    def words_of(self, site: int) -> int:
        """The action of the first word, or of the first entry of the menu, that is asked for at a site."""
        element = self._program.sites[site].element
        return self._words[str(element.detail)] if element.base == "word" else self._branches[site]

    def offered(self, s: Sequence[int], asked: OpenDecision) -> dict[int, list[int]]:
        """Each action by which something can be chosen now, with the candidates that it stands for, in the order of
        their numbers. s: a state, or what the seat knows of it."""
        site, found = self._program.sites[asked.site], dict[int, list[int]]()
        if site.element.base == "piece":
            return self._offered_pieces(s, asked)
        for place, item in enumerate(asked.candidates):
            match site.element.base:
                case "number":
                    action = self.numbers + place
                    if place >= MOST_NUMBERS:
                        continue
                case "seat":
                    action = self.seats + (item - asked.seat) % self._seats
                case "truth":
                    action = self.truths + item
                case _:
                    action = self.words_of(asked.site) + item
            found.setdefault(action, []).append(item)
        return dict(sorted(found.items()))

    def _offered_pieces(self, s: Sequence[int], asked: OpenDecision) -> dict[int, list[int]]:
        program, layout = self._program, self._program.layout
        spaces = {space.address: space for space in layout.spaces}
        marked = self._marked()
        apart = program.sites[asked.site].apart(s, asked.seat)
        found: dict[int, list[int]] = {}
        met: dict[int, int] = {}
        for number, piece in enumerate(asked.candidates):
            address = s[layout.at + piece]
            space = spaces[asked.spots[number] if address < 0 else address]
            face = program.face(s, piece) if sees(space, asked.seat) else -1
            numbered = self.pieces_in(space, asked.seat)
            action = numbered.first[face]
            if numbered.each > 1 and (apart or program.types[program.type_of[piece]].kind in marked):
                met[action] = met.get(action, -1) + 1
                action += min(met[action], numbered.each - 1)
            found.setdefault(action, []).append(piece)
        return dict(sorted(found.items()))


@record
class Picks:
    """What a seat has chosen of an answer so far: actions, in the order of their numbers."""

    taken: tuple[int, ...] = ()

    def possible(self, offered: Mapping[int, Sequence[int]], least: int, most: int) -> list[int]:
        """The actions that can follow: such that the answer can be given in the end. least, most: how many things an
        answer has."""
        last = self.taken[-1] if self.taken else 0
        found = [DONE] if len(self.taken) >= least else []
        if len(self.taken) >= most:
            return found
        left = {action: len(items) - self.taken.count(action) for action, items in offered.items() if action >= last}
        behind = sum(left.values())
        for action, count in left.items():
            if count > 0 and len(self.taken) + behind >= least:
                found.append(action)
            behind -= count
        return found

    def with_one(self, action: int) -> Picks:
        return Picks((*self.taken, action))

    def chosen(self, offered: Mapping[int, Sequence[int]]) -> list[int]:
        """The candidates that they stand for: of equal ones, the first."""
        return [offered[action][self.taken[:place].count(action)] for place, action in enumerate(self.taken)]
