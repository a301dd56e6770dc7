"""One answer tried in worlds that agree with what a seat knows: what has changed when others decide."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import combinations, islice
from random import Random
from typing import Any

from rulewright.base.records import record
from rulewright.model.declarations import SEAT, Edition
from rulewright.players.choice_grouping import UNSEEN, AnswerKey, Eyes, answer_of, items_of
from rulewright.players.hidden_access import Looked, PhaseOver, Watch, Watched, raw
from rulewright.program.form import GAME_OVER, PC, PHASE, RANDOM, RANDOM_CELLS, ROUND, from_parts
from rulewright.runtime.information_state import HIDDEN, Worlds, notes_of_pieces
from rulewright.runtime.machine import Events, Machine, OpenDecision
from rulewright.runtime.operations import RuleError
from rulewright.runtime.state import State
from rulewright.runtime.view import sees

MOST_WORLDS = 8
DEEPEST = 3  # further choices of the seat, one after the other
OTHERS_ANSWER = 40  # times, until the seat is asked again

ToldLine = tuple[int, tuple[Any, ...]]
Named = tuple[tuple[str, ...], int]
"""A piece by the kinds that it may be of, and by the number of its type, or -1 where the seat does not see that."""


@record
class TrialEnd:
    """What one try has come to. changed: what the seat sees to be different, but for the pieces that it has taken;
    alone: it was asked nothing on the way, and nobody else is asked now; midway: after others had decided, it is asked
    more that belongs to the answer; asked: the sites of what it is asked next, and
    then if it declines that, and so on."""

    points: int | float | None
    counters: tuple[int, ...]
    gained: tuple[Named, ...]
    lost: tuple[Named, ...]
    changed: frozenset[Any]
    alone: bool
    over: bool
    others: bool
    midway: bool
    asked: tuple[int, ...]


@record
class Rest:
    """The rest of a round. asked: whether the seat was asked anything more; told: what was told of it: the
    number of each text, and its arguments."""

    asked: bool
    told: tuple[ToldLine, ...]


class Trying:
    """What one seat knows, and the worlds that it may be in. known: as `knowledge.sight` gives it."""

    def __init__(self, edition: Edition, machine: Machine, known: State, seat: int) -> None:
        self._machine, self._seat, self._program = machine, seat, machine.program
        self._eyes = Eyes(machine, seat)
        layout = machine.program.layout
        self._layout = layout
        self._spaces = [space for space in layout.spaces if edition.zones[space.name].shown]
        self._seen = {space.address: sees(space, seat) for space in layout.spaces}
        self._own = {s.address for s in self._spaces if s.of == SEAT and s.owner == seat}
        self._held = {s.address for s in self._spaces if s.address in self._own and s.seen_by == "owner"}
        self._holds = {space.address: tuple(sorted(space.holds)) for space in layout.spaces}
        shown = [counter for counter in layout.counters if edition.counters[counter.name].shown]
        single = [counter for counter in shown if not counter.by and not counter.type.many]
        self.counters = [counter for counter in single if counter.of == SEAT and counter.type.base == "number"]
        self._cells = [ROUND, PHASE, *(c.address + n for c in shown for n in range(c.cells))]
        self._lines = machine.program.scoring
        if any(line.seen_by == "nobody" for line in self._lines) or not self._is_scored(known):
            self._lines = ()
        self._hidden = self._unknown(known)
        self.worlds = self._drawn(Worlds(machine, known, seat))

    def _is_scored(self, known: State) -> bool:
        role = known[self._layout.role + self._seat]
        return role < 0 or self._program.roles[role] not in self._program.unscored_roles

    def _unknown(self, known: State) -> frozenset[int]:
        """The cells that differ between the worlds, but for those of hidden pieces."""
        layout, program = self._layout, self._program
        cells = {*range(RANDOM, RANDOM + RANDOM_CELLS)}
        cells |= {address for address, seen in self._seen.items() if not seen and known[address]}
        for number, sealed in enumerate(program.sealed):
            if sealed.block == known[PC]:
                others = [seat for seat in range(layout.seats) if seat != self._seat]
                notes = [note.address for note in layout.notes if note.sealed == number]
                first = [sealed.next_block, sealed.ask_block, sealed.parked_block, *notes]
                cells |= {cell + seat for cell in first for seat in others}
        cells |= {cell for cell, _ in notes_of_pieces(layout) if _names_hidden(known[cell])}
        return frozenset(cells)

    def _drawn(self, worlds: Worlds) -> list[State]:
        chance, found = Random(0), []
        for _ in range(MOST_WORLDS):
            with suppress(RuleError):  # what the rules never come to
                found.append(worlds.draw(chance))
        return found

    def _hidden_pieces(self, s: State) -> set[int]:
        """The cells of pieces that the seat does not see."""
        layout = self._layout
        found = [piece for piece in range(layout.pieces) if not self._seen[s[layout.at + piece]]]
        faces = {layout.faces[piece].cell for piece in found if piece in layout.faces}
        marks = {mark.address + piece for piece in found for mark, _ in layout.marked.get(piece, ())}
        return {layout.at + piece for piece in found} | faces | marks

    def watched(
        self, keys: Sequence[AnswerKey], ways: int, *, declining: bool = False
    ) -> tuple[list[TrialEnd], bool, bool]:
        """What an answer comes to before anything hidden is looked at; whether all ways on were tried, so many at most;
        and whether anything hidden was looked at."""
        first, watch = self.worlds[0], Watch()
        watched = Watched(first, self._hidden | self._hidden_pieces(first), watch)
        with suppress(RuleError, Looked):
            ends, whole = self._ends(watched, keys, ways, declining=declining)
            return ends, whole, watch.looked
        return [], False, True

    def ends(self, world: int, keys: Sequence[AnswerKey], ways: int, *, declining: bool = False) -> list[TrialEnd]:
        """What an answer comes to in one world, on so many ways. declining: others decline what they are asked. Raises
        RuleError."""
        return self._ends(Watched(self.worlds[world], frozenset(), Watch()), keys, ways, declining=declining)[0]

    def _ends(
        self, s: Watched, keys: Sequence[AnswerKey], ways: int, *, declining: bool = False
    ) -> tuple[list[TrialEnd], bool]:
        """What an answer comes to in one world, and whether all further choices were tried. declining: the others
        decline what they are asked. Raises RuleError."""
        asked, taken = self._taken(s, keys)
        before = s.copied()
        pieces = set(taken) if self._program.sites[asked.site].element.base == "piece" else set()
        s.watch.begin()
        if pieces and s.hidden and any(key <= UNSEEN for key in keys):
            s.watch.look()  # at what has been chosen unseen; in one given world there is nothing hidden
        found: list[TrialEnd] = []
        whole = True
        open_: list[tuple[Watched, OpenDecision, Sequence[int], tuple[int, ...]]] = [(s, asked, taken, ())]
        while open_ and len(found) < ways:
            s, asked, taken, before_it = open_.pop()
            depth, sites = len(before_it), (*before_it, asked.site)
            after = s.copied()
            self._machine.answer(after, asked, taken)
            try:
                then = self._run(after)
                decided = any(one.seat != self._seat for one in then)
                if declining and decided:
                    then = self._let_decline(after, then)
            except (Looked, PhaseOver):
                found.append(self._end(before, after, pieces, alone=False))
                continue
            further = then[0] if len(then) == 1 and then[0].seat == self._seat else None
            bound = further is not None and self._is_bound(further)
            if further is not None and bound and not decided and depth < DEEPEST and ways > 1:
                answers, all_ = self._answers(after, further, ways - len(found) - len(open_))
                whole = whole and all_
                open_ += [(after, further, answer, sites) for answer in answers]
                continue
            others = any(one.seat != self._seat for one in then)
            midway = decided and further is not None and self._goes_on(further, sites)
            end = self._end(before, after, pieces, alone=depth == 0 and not others, others=others, midway=midway)
            found.append(replace(end, asked=self._declined(after, further)) if end.alone else end)
        return found, whole and not open_

    def _taken(self, s: State, keys: Sequence[AnswerKey]) -> tuple[OpenDecision, Sequence[int]]:
        """What the seat is asked in a world, and what an answer takes of it. Raises RuleError where it cannot."""
        asked = self._asked(self._machine.asked(s))
        if asked is None:
            raise RuleError("In this world the seat is asked nothing.")
        options = self._eyes.options(s, asked)
        if any(keys.count(key) > len(options.get(key, ())) for key in keys):
            raise RuleError("In this world that cannot be chosen.")
        return asked, items_of(options, keys)

    def _let_decline(self, s: State, asked: list[OpenDecision]) -> list[OpenDecision]:
        """On to what the seat is asked next. Raises RuleError."""
        for _ in range(OTHERS_ANSWER):
            if not asked or any(one.seat == self._seat for one in asked):
                break
            for one in asked:
                self._machine.answer(s, one, self._decline(one))
            asked = self._run(s)
        return asked

    def _decline(self, asked: OpenDecision) -> Sequence[int]:
        """Nothing, 'no', or the last entry of a menu, which is where declining stands; else the first that there is."""
        base = self._program.sites[asked.site].element.base
        if asked.least == 1 and base == "branch":
            return asked.candidates[-1:]
        if asked.least == 1 and base == "truth":
            return [0] if 0 in asked.candidates else asked.candidates[:1]
        return asked.candidates[: asked.least]

    def rest(self, world: int, keys: Sequence[AnswerKey]) -> Rest:
        """The rest of the round in one world, others answering at random. Raises RuleError."""
        machine, seat, out = self._machine, self._seat, list[Any]()
        s, chance = list(self.worlds[world]), Random(world)
        machine.answer(s, *self._taken(s, keys))
        round_ = s[ROUND]
        then = self._run(s, out)
        for _ in range(OTHERS_ANSWER):
            mine = any(one.seat == self._seat for one in then)
            if not then or mine or s[ROUND] != round_:
                break
            for one in then:
                machine.answer(s, one, machine.random_answer(s, one, chance.random))
            then = self._run(s, out)
        told = [line for line in self._lines_of_seat(out) if self._names_seat(line)]
        return Rest(s[ROUND] == round_ and any(one.seat == seat for one in then), tuple(told))

    def told(self, keys: Sequence[AnswerKey], world: int | None = None) -> list[ToldLine]:
        """What is told of what the seat does, from its answer until anybody is asked anything. world: None for what is
        told in every one; nothing, then, where any of it hangs on something hidden. Raises RuleError."""
        first, out = self.worlds[world or 0], list[Any]()
        hidden = self._hidden | self._hidden_pieces(first) if world is None else frozenset[int]()
        s = Watched(first, hidden, Watch())
        asked, taken = self._taken(s, keys)
        s.watch.begin()
        with suppress(Looked):
            with suppress(PhaseOver):
                self._machine.answer(s, asked, taken)
                self._run(s, out)
            return self._lines_of_seat(out)
        return []

    def _lines_of_seat(self, out: Events) -> list[ToldLine]:
        """What is told of what the seat does, without headings, and without what could not be worked out."""
        texts = self._program.texts
        return [
            (number, tuple(map(tuple, arguments)))
            for number, me, arguments in out
            if me == self._seat and arguments is not None and not texts[number].heading
        ]

    def _names_seat(self, line: ToldLine) -> bool:
        text, arguments = line
        types = self._program.texts[text].types
        return any(t.base == "seat" and items == (self._seat,) for t, items in zip(types, arguments, strict=True))

    def _declined(self, s: State, asked: OpenDecision | None) -> tuple[int, ...]:
        """What the seat is asked next, and after it has declined that, and so on."""
        found: list[int] = []
        s = Watched(raw(s), frozenset(), Watch())
        s.watch.begin()
        while asked is not None and len(found) < DEEPEST:
            found.append(asked.site)
            if asked.least > 0:
                break
            self._machine.answer(s, asked, ())
            try:
                then = self._run(s)
            except PhaseOver:
                break
            asked = then[0] if len(then) == 1 and then[0].seat == self._seat else None
        return tuple(found)

    def _asked(self, asked: Iterable[OpenDecision]) -> OpenDecision | None:
        return next((one for one in asked if one.seat == self._seat), None)

    def _run(self, s: State, out: Events | None = None) -> list[OpenDecision]:
        """On to all decisions that are open then, also those that were before. Raises RuleError."""
        then = self._machine.run(s, out)
        return self._machine.asked(s) if self._machine.group(s) else then

    def _is_bound(self, asked: OpenDecision) -> bool:
        """Whether what is asked belongs to the answer before: it can neither be declined nor go elsewhere."""
        return asked.least > 0 and self._program.sites[asked.site].element.base not in ("branch", "truth")

    def _goes_on(self, asked: OpenDecision, sites: Sequence[int]) -> bool:
        """Whether what is asked stands in what an answer to one of these questions begins."""
        return any(site in self._program.sites[asked.site].within for site in sites)

    def _answers(self, s: State, asked: OpenDecision, most: int) -> tuple[list[list[int]], bool]:
        """Different answers to a further decision, and whether these are all."""
        options = self._eyes.options(list(s), asked)  # what is offered says what may be looked at
        found = list(islice(_choices(options, asked), most + 1))
        if len(found) <= most:
            return found, True
        return list(_windows(options, asked, max(1, most))), False

    # ── what has changed ──

    def _end(
        self,
        before: State,
        after: State,
        taken: set[int],
        *,
        alone: bool,
        others: bool = False,
        midway: bool = False,
    ) -> TrialEnd:
        seat = self._seat
        points: int | float | None = None
        if self._lines:
            points = self._points(after) - self._points(before)
            points = from_parts(points) if self._program.fractions else points
        counters = tuple(after[c.address + seat] - before[c.address + seat] for c in self.counters)
        gained: Counter[Named] = Counter()
        lost: Counter[Named] = Counter()
        changed: set[Any] = {(cell, after[cell]) for cell in self._cells if after[cell] != before[cell]}
        was, now = raw(before), raw(after)
        at = self._layout.at
        for piece in range(self._layout.pieces):
            source, goal = was[at + piece], now[at + piece]
            if source == goal or piece in taken:
                continue
            own, other = source in self._own, goal in self._own
            named = self._named(was, now, piece, source, goal)
            if (other and not own) or (own and goal in self._held and source not in self._held):
                gained[named] += 1
            elif (own and not other) or (other and source in self._held and goal not in self._held):
                lost[named] += 1
        for space in self._spaces:
            if self._layout.marks or was[space.address] != now[space.address]:
                looks = [self._look(now, piece) for piece in now[space.address] if piece not in taken]
                old = [self._look(was, piece) for piece in was[space.address] if piece not in taken]
                if looks != old:
                    changed.add((space.address, tuple(looks)))
        over = now[PC] == GAME_OVER
        return TrialEnd(
            points,
            counters,
            _sorted(gained),
            _sorted(lost),
            frozenset(changed),
            alone=alone and not over,
            over=over,
            others=others,
            midway=midway,
            asked=(),
        )

    def _points(self, s: State) -> int:
        return sum(self._machine.call(line.function, s, self._seat)[0][0] for line in self._lines)

    def _look(self, s: State, piece: int) -> int:
        return self._program.look(s, piece) if self._seen[s[self._layout.at + piece]] else -1

    def _named(self, was: State, now: State, piece: int, source: int, goal: int) -> Named:
        """The kind and look of a piece that moves; of one that was hidden, the kinds that may have lain there."""
        if not self._seen[source]:
            return self._holds[source], -1
        program, s = self._program, now if self._seen[goal] else was
        return (program.types[program.face(s, piece)].kind,), program.look(s, piece)


def _names_hidden(held: Any) -> bool:
    """Whether a cell of what a seat knows stands for pieces that it does not see; see `knowledge.sight`."""
    return any(item < HIDDEN for item in (held if isinstance(held, tuple) else (held,)))


def _choices(options: dict[AnswerKey, list[int]], asked: OpenDecision) -> Iterator[list[int]]:
    """Each different answer once."""
    keys = [key for key, items in options.items() for _ in items]
    met: set[tuple[AnswerKey, ...]] = set()
    for size in range(asked.least, asked.most + 1):
        for some in combinations(keys, size):
            if some not in met:
                met.add(some)
                yield answer_of(options, some, asked)


def _windows(options: dict[AnswerKey, list[int]], asked: OpenDecision, most: int) -> Iterator[list[int]]:
    """Some answers: what is alike lies side by side, and is chosen together."""
    keys = [key for key, items in sorted(options.items()) for _ in items]
    sizes = sorted({asked.least, asked.most})
    most = max(1, most // len(sizes))
    for size in sizes:
        last = len(keys) - size
        for place in sorted({round(n * last / max(1, most - 1)) for n in range(most)}):
            yield answer_of(options, keys[place : place + size], asked)


def _sorted(pieces: Counter[Named]) -> tuple[Named, ...]:
    return tuple(sorted(pieces.elements()))
