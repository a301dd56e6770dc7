"""Trials of one answer in determinizations of what a seat knows: what has changed when others decide."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import combinations, islice
from random import Random
from typing import Any

from rulewright.base.records import record
from rulewright.model.edition import Edition
from rulewright.players.answer_routes import Route, find_routes
from rulewright.players.choice_grouping import UNSEEN, AnswerKey, SeatCandidates, answer_of, candidates_of
from rulewright.players.hidden_access import AccessMonitor, HiddenRead, MonitoredState, PhaseEnded, unmonitored
from rulewright.players.seat_changes import SeatChanges, TrialEnd
from rulewright.program.state_layout import PC, RANDOM, RANDOM_CELLS, ROUND
from rulewright.runtime.information_state import HIDDEN, Determinizer, lasting_piece_cells
from rulewright.runtime.machine import Events, Machine, OpenDecision
from rulewright.runtime.operations import RuleError
from rulewright.runtime.state import State

MAX_WORLDS = 8
"""Maximum number of sampled states in which an answer is tried."""
MAX_DEPTH = 3
"""Limit of further choices of the seat, one after the other."""
MAX_OTHER_ANSWERS = 40
"""Limit of answers of others until the seat is asked again."""

LogEvent = tuple[int, tuple[Any, ...]]
"""Log line: number of its text, and the arguments of that."""


@record
class RestOfRound:
    """Rest of a round after an answer.

    has_decision: whether the seat had any further decision; lines: log lines about it: the number of each text, and its
    arguments.
    """

    has_decision: bool
    lines: tuple[LogEvent, ...]


class AnswerTrials:
    """Tries one seat's answers in determinizations.

    known: what the seat knows, as `information_state` returns it; worlds: the determinizations, of which the
    methods need at least one; counters: as in `SeatChanges`.
    """

    def __init__(self, edition: Edition, machine: Machine, known: State, seat: int) -> None:
        # A pruned block may no longer read what is hidden, and an answer would be told as sure once it has run often.
        self._machine, self._seat, self._program = machine.unpruned, seat, machine.program
        self._grouping, self._layout = SeatCandidates(machine, seat), machine.program.layout
        self._changes = SeatChanges(edition, self._machine, known, seat)
        self._visible_zones = self._changes.visible_zones
        self.counters = self._changes.counters
        self._hidden = self._unknown_cells(known)
        self.worlds = self._draw_worlds(Determinizer(machine, known, seat))

    def _unknown_cells(self, known: State) -> frozenset[int]:
        """Return the cells that differ between determinizations, except those of hidden pieces."""
        layout, program = self._layout, self._program
        cells = {*range(RANDOM, RANDOM + RANDOM_CELLS)}
        cells |= {address for address, seen in self._visible_zones.items() if not seen and known[address]}
        for number, sealed in enumerate(program.sealed):
            if sealed.block == known[PC]:
                others = [seat for seat in range(layout.seats) if seat != self._seat]
                notes = [note.address for note in layout.lasting_values if note.sealed == number]
                first = [sealed.next_block, sealed.ask_block, sealed.parked_block, *notes]
                cells |= {cell + seat for cell in first for seat in others}
        cells |= {cell for cell, _ in lasting_piece_cells(layout) if _holds_hidden(known[cell])}
        return frozenset(cells)

    def _draw_worlds(self, worlds: Determinizer) -> list[State]:
        """Draw the determinizations for all tries; impossible ones are left out."""
        rng, worlds_drawn = Random(0), []
        for _ in range(MAX_WORLDS):
            with suppress(RuleError):  # what the rules never come to
                worlds_drawn.append(worlds.draw(rng))
        return worlds_drawn

    def _hidden_pieces(self, s: State) -> set[int]:
        """Return the cells of pieces that the seat does not see."""
        layout = self._layout
        pieces = [piece for piece in range(layout.pieces) if not self._visible_zones[s[layout.piece_zones + piece]]]
        faces = {layout.faces[piece].cell for piece in pieces if piece in layout.faces}
        marks = {mark.address + piece for piece in pieces for mark, _ in layout.marked.get(piece, ())}
        return {layout.piece_zones + piece for piece in pieces} | faces | marks

    def routes(self) -> list[Route]:
        """Return the routes that begin with an answer; none where anything is hidden from the seat but chance."""
        state = list(self.worlds[0])
        if self._hidden_pieces(state) or not self._hidden <= {*range(RANDOM, RANDOM + RANDOM_CELLS)}:
            return []
        decision = self._own_decision(self._machine.open_decisions(state))
        return [] if decision is None else find_routes(self._machine, state, decision)

    def touched_kinds(self, keys: Sequence[AnswerKey]) -> tuple[str, ...]:
        """Return the kinds of pieces that an answer moves, turns or rolls before the next decision; none where anything
        is hidden from the seat but chance."""
        first = self.worlds[0]
        if self._hidden_pieces(first) or not self._hidden <= {*range(RANDOM, RANDOM + RANDOM_CELLS)}:
            return ()
        s = list(first)
        with suppress(RuleError):
            self._machine.answer(s, *self._answer_in(s, keys))
            self._run(s)
        layout, types = self._layout, self._program.types
        touched = {
            types[self._program.shown_type(s, piece)].kind
            for piece in range(layout.pieces)
            for cell in (layout.piece_zones + piece, layout.faces[piece].cell if piece in layout.faces else None)
            if cell is not None and s[cell] != first[cell]
        }
        return tuple(sorted(touched))

    def is_pick(self, keys: Sequence[AnswerKey]) -> bool:
        """Return whether an answer certainly only picks the subject of the seat's next decision: no piece moves,
        nothing is logged or random, and this seat alone decides on."""
        first, monitor, out = self.worlds[0], AccessMonitor(), list[Any]()
        s = MonitoredState(first, self._hidden | self._hidden_pieces(first), monitor)
        pieces = slice(self._layout.piece_zones, self._layout.piece_zones + self._layout.pieces)
        with suppress(RuleError, HiddenRead, PhaseEnded):
            decision, items = self._answer_in(s, keys)
            before = s.copy_state()
            monitor.start()
            self._machine.answer(s, decision, items)
            then = [one.seat for one in self._run(s, out)]
            is_alone = then == [self._seat] and not self._machine.simultaneous_seats(s)
            return is_alone and not out and unmonitored(before)[pieces] == unmonitored(s)[pieces]
        return False

    def sure_ends(
        self, keys: Sequence[AnswerKey], paths: int, *, declining: bool = False
    ) -> tuple[list[TrialEnd], bool, bool]:
        """Try an answer until something hidden is read.

        Returns its ends; whether all paths were tried, at most so many; and whether something hidden was read.
        declining: as for `ends`.
        """
        first, monitor = self.worlds[0], AccessMonitor()
        state = MonitoredState(first, self._hidden | self._hidden_pieces(first), monitor)
        with suppress(RuleError, HiddenRead):
            ends, whole = self._ends(state, keys, paths, declining=declining)
            return ends, whole, monitor.was_read
        return [], False, True

    def ends(self, world: int, keys: Sequence[AnswerKey], paths: int, *, declining: bool = False) -> list[TrialEnd]:
        """Return the ends of an answer in one determinization, on so many paths.

        declining: others decline their decisions. Raises RuleError.
        """
        return self._ends(
            MonitoredState(self.worlds[world], frozenset(), AccessMonitor()), keys, paths, declining=declining
        )[0]

    def _ends(
        self, s: MonitoredState, keys: Sequence[AnswerKey], paths: int, *, declining: bool = False
    ) -> tuple[list[TrialEnd], bool]:
        """Return the ends of an answer in one determinization, and whether all further choices were tried.

        declining: the others decline their decisions. Raises RuleError.
        """
        decision, items = self._answer_in(s, keys)
        before = s.copy_state()
        pieces = set(items) if self._program.sites[decision.site].element.base == "piece" else set()
        s.monitor.start()
        if pieces and s.hidden and any(key <= UNSEEN for key in keys):
            s.monitor.record_read()  # at what has been chosen unseen; in one given world there is nothing hidden
        ends: list[TrialEnd] = []
        complete = True
        open_trials: list[tuple[MonitoredState, OpenDecision, Sequence[int], tuple[int, ...]]] = [
            (s, decision, items, ())
        ]
        while open_trials and len(ends) < paths:
            s, decision, items, before_it = open_trials.pop()
            depth, sites = len(before_it), (*before_it, decision.site)
            after = s.copy_state()
            self._machine.answer(after, decision, items)
            try:
                then = self._run(after)
                decided = any(one.seat != self._seat for one in then)
                if declining and decided:
                    then = self._let_decline(after, then)
            except (HiddenRead, PhaseEnded):
                ends.append(self._changes.compare(before, after, pieces, alone=False))
                continue
            further = then[0] if len(then) == 1 and then[0].seat == self._seat else None
            bound = further is not None and self._is_bound(further)
            if further is not None and bound and not decided and depth < MAX_DEPTH and paths > 1:
                answers, all_tried = self._answers(after, further, paths - len(ends) - len(open_trials))
                complete = complete and all_tried
                open_trials += [(after, further, answer, sites) for answer in answers]
                continue
            others = any(one.seat != self._seat for one in then)
            midway = decided and further is not None and self._continues(further, sites)
            end = self._changes.compare(
                before, after, pieces, alone=depth == 0 and not others, others=others, midway=midway
            )
            ends.append(replace(end, sites=self._sites_when_declining(after, further)) if end.alone else end)
        return ends, complete and not open_trials

    def _answer_in(self, s: State, keys: Sequence[AnswerKey]) -> tuple[OpenDecision, Sequence[int]]:
        """Return the seat's decision in a determinization, and the candidates that an answer takes.

        Raises RuleError where it cannot be given there.
        """
        decision = self._own_decision(self._machine.open_decisions(s))
        if decision is None:
            raise RuleError("In this world the seat is asked nothing.")
        choices = self._grouping.choices(s, decision)
        if any(keys.count(key) > len(choices.get(key, ())) for key in keys):
            raise RuleError("In this world that cannot be chosen.")
        return decision, candidates_of(choices, keys)

    def _let_decline(self, s: State, decisions: list[OpenDecision]) -> list[OpenDecision]:
        """Let the others decline until the seat has a decision. Raises RuleError."""
        for _ in range(MAX_OTHER_ANSWERS):
            if not decisions or any(one.seat == self._seat for one in decisions):
                break
            for decision in decisions:
                self._machine.answer(s, decision, self._decline(decision))
            decisions = self._run(s)
        return decisions

    def _decline(self, decision: OpenDecision) -> Sequence[int]:
        """Choose nothing, 'no', or the last entry of a menu, which declines by convention; else the first
        candidates."""
        base = self._program.sites[decision.site].element.base
        if decision.least == 1 and base == "branch":
            return decision.candidates[-1:]
        if decision.least == 1 and base == "truth":
            return [0] if 0 in decision.candidates else decision.candidates[:1]
        return decision.candidates[: decision.least]

    def play_rest_of_round(self, world: int, keys: Sequence[AnswerKey]) -> RestOfRound:
        """Play the rest of the round in one determinization, others answering at random. Raises RuleError."""
        machine, seat, out = self._machine, self._seat, list[Any]()
        s, chance = list(self.worlds[world]), Random(world)
        machine.answer(s, *self._answer_in(s, keys))
        round_ = s[ROUND]
        then = self._run(s, out)
        for _ in range(MAX_OTHER_ANSWERS):
            mine = any(one.seat == self._seat for one in then)
            if not then or mine or s[ROUND] != round_:
                break
            for one in then:
                machine.answer(s, one, machine.random_answer(s, one, chance.random))
            then = self._run(s, out)
        lines = [line for line in self._lines_of_seat(out) if self._names_seat(line)]
        return RestOfRound(s[ROUND] == round_ and any(one.seat == seat for one in then), tuple(lines))

    def log_events(self, keys: Sequence[AnswerKey], world: int | None = None) -> list[LogEvent]:
        """Return the log lines about the seat, from its answer to the next decision of anybody. world: a
        determinization, or None for the lines that come in every one; then none if any of them depends on something
        hidden. Raises RuleError."""
        first, out = self.worlds[world or 0], list[Any]()
        hidden = self._hidden | self._hidden_pieces(first) if world is None else frozenset[int]()
        s = MonitoredState(first, hidden, AccessMonitor())
        decision, items = self._answer_in(s, keys)
        s.monitor.start()
        with suppress(HiddenRead):
            with suppress(PhaseEnded):
                self._machine.answer(s, decision, items)
                self._run(s, out)
            return self._lines_of_seat(out)
        return []

    def _lines_of_seat(self, out: Events) -> list[LogEvent]:
        """List the log lines about what the seat does, without headings and lines whose arguments were not known."""
        texts = self._program.texts
        return [
            (number, tuple(map(tuple, arguments)))
            for number, me, arguments in out
            if me == self._seat and arguments is not None and not texts[number].heading
        ]

    def _names_seat(self, line: LogEvent) -> bool:
        """Return whether a log line has the seat alone in one of its slots."""
        text, arguments = line
        types = self._program.texts[text].types
        return any(t.base == "seat" and items == (self._seat,) for t, items in zip(types, arguments, strict=True))

    def _sites_when_declining(self, s: State, decision: OpenDecision | None) -> tuple[int, ...]:
        """List the sites of the seat's next decision, of the one after it has declined that, and so on."""
        sites: list[int] = []
        s = MonitoredState(unmonitored(s), frozenset(), AccessMonitor())
        s.monitor.start()
        while decision is not None and len(sites) < MAX_DEPTH:
            sites.append(decision.site)
            if decision.least > 0:
                break
            self._machine.answer(s, decision, ())
            try:
                then = self._run(s)
            except PhaseEnded:
                break
            decision = then[0] if len(then) == 1 and then[0].seat == self._seat else None
        return tuple(sites)

    def _own_decision(self, decisions: Iterable[OpenDecision]) -> OpenDecision | None:
        """Return the decision of the seat, or None."""
        return next((one for one in decisions if one.seat == self._seat), None)

    def _run(self, s: State, out: Events | None = None) -> list[OpenDecision]:
        """Run to the next decisions and return all open ones, also those that were open before. Raises RuleError."""
        then = self._machine.run(s, out)
        return self._machine.open_decisions(s) if self._machine.simultaneous_seats(s) else then

    def _is_bound(self, decision: OpenDecision) -> bool:
        """Return whether a decision belongs to the answer before: it can neither be declined nor lead elsewhere."""
        return decision.least > 0 and self._program.sites[decision.site].element.base not in ("branch", "truth")

    def _continues(self, decision: OpenDecision, sites: Sequence[int]) -> bool:
        """Return whether a decision stands inside what an answer at one of these sites begins."""
        return any(site in self._program.sites[decision.site].enclosing for site in sites)

    def _answers(self, s: State, decision: OpenDecision, limit: int) -> tuple[list[list[int]], bool]:
        """Return different answers to a further decision, and whether these are all."""
        choices = self._grouping.choices(list(s), decision)  # what is offered says what may be looked at
        answers = list(islice(_all_answers(choices, decision), limit + 1))
        if len(answers) <= limit:
            return answers, True
        return list(_spread_answers(choices, decision, max(1, limit))), False


def _holds_hidden(value: Any) -> bool:
    """Return whether a cell of an information state stands for pieces that the seat does not see."""
    return any(item < HIDDEN for item in (value if isinstance(value, tuple) else (value,)))


def _all_answers(choices: dict[AnswerKey, list[int]], decision: OpenDecision) -> Iterator[list[int]]:
    """Yield each distinguishable answer once."""
    keys = [key for key, items in choices.items() for _ in items]
    answers_given: set[tuple[AnswerKey, ...]] = set()
    for size in range(decision.least, decision.most + 1):
        for some in combinations(keys, size):
            if some not in answers_given:
                answers_given.add(some)
                yield answer_of(choices, some, decision)


def _spread_answers(choices: dict[AnswerKey, list[int]], decision: OpenDecision, limit: int) -> Iterator[list[int]]:
    """Yield some answers that choose equal candidates together, spread evenly."""
    keys = [key for key, items in sorted(choices.items()) for _ in items]
    sizes = sorted({decision.least, decision.most})
    limit = max(1, limit // len(sizes))
    for size in sizes:
        last = len(keys) - size
        for place in sorted({round(n * last / max(1, limit - 1)) for n in range(limit)}):
            yield answer_of(choices, keys[place : place + size], decision)
