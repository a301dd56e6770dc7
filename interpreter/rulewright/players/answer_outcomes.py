"""Outcomes of answers, as far as the deciding seat can know: tried out on what it knows.

An answer is tried until another seat decides, the phase ends, or the seat itself has a decision that it may decline or
that is a menu. On the way the seat's own further choices are tried as well, such as what it gives for what it has
taken. The decisions of others are unknown; only the case that they all decline is tried besides, and in a sealed
choice, whether the seat will decide anything more in that round, whatever they do.

Hidden things are laid out at random in a way that agrees with what the seat knows (a determinization). The run is
monitored: what happens before the first read of something hidden is the same in all determinizations, and certain. What
comes after that is tried in several of them and holds only there; what changes there again is not certain either. All
comes from `information_state` and a fixed seed: equal information states give equal outcomes, after equal work.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from rulewright.base.records import record
from rulewright.model.edition import Edition
from rulewright.players.answer_routes import Route
from rulewright.players.answer_trials import AnswerTrials, LogEvent, RestOfRound
from rulewright.players.choice_grouping import AnswerKey
from rulewright.players.seat_changes import KnownPiece, TrialEnd
from rulewright.runtime.machine import Machine, OpenDecision
from rulewright.runtime.operations import RuleError
from rulewright.runtime.state import State

MAX_RUNS, MAX_RUNS_IN_WORLDS = 400, 120
"""Limits of runs from one decision to the next, for all answers together: before something hidden is read, and in
determinizations."""
MAX_PATHS = 90
"""Limit of ways in which the seat's own further choices are made."""

POINTS, COUNTER, MORE, FEWER = "points", "counter", "more", "fewer"
"""Kinds of changes; see `OutcomeChange`."""


@record
class OutcomeChange:
    """Change that an answer leads to, between `low` and `high`. kind: POINTS of the seat; COUNTER of the seat, called
    `name`; MORE or FEWER pieces of `kinds`: those that enter its hand or become its own, and those that leave. looks:
    numbers of their types if they are the same in all tries. Things that the answer itself names do not count."""

    kind: str
    name: str = ""
    kinds: tuple[str, ...] = ()
    low: int | float = 0
    high: int | float = 0
    looks: tuple[int, ...] = ()


@record
class AnswerOutcome:
    """Outcome of an answer, without what all answers lead to.

    - certain: true in every state that the seat cannot exclude
    - likely: true in all of `tries` determinizations
    - declined: true if all others decline, in `tries_declined` determinizations, 0 for all possible states
    - idle: the answer has no effect, unlike others
    - ends: the game is then over
    - done: in every try the seat decides nothing more in this round, unlike after other answers
    - reason: for idle and done, the log line about the seat that always came then
    - setback: for an amount, points that the seat certainly loses beyond those that it names
    - pick: the answer only leads to the seat's next decision
    - landing: the only piece that surely comes onto a board, by the number of its appearance, and the cell of its zone
    - routes: those that begin with it
    - touched: of an entry of a menu, the kinds of pieces that it moves, turns or rolls, if nothing is hidden
    """

    certain: tuple[OutcomeChange, ...] = ()
    likely: tuple[OutcomeChange, ...] = ()
    declined: tuple[OutcomeChange, ...] = ()
    tries: int = 0
    tries_declined: int = 0
    idle: bool = False
    ends: bool = False
    done: bool = False
    reason: LogEvent | None = None
    setback: int | float = 0
    pick: bool = False
    landing: tuple[int, int] | None = None
    routes: tuple[Route, ...] = ()
    touched: tuple[str, ...] = ()


@record
class _TrialResults:
    """Results of an answer in several determinizations, and before anything hidden was read.

    sure_ends: ends without reading anything hidden, where all paths have been tried; tries: number of determinizations,
    0 where nothing hidden was ever read.
    """

    ends: list[TrialEnd]
    sure_ends: list[TrialEnd]
    tries: int
    declined: list[TrialEnd]
    tries_declined: int
    rounds: list[RestOfRound]

    @property
    def is_halfway(self) -> bool:
        """Whether the trial stopped too early: others decide before everything that the answer begins is
        over."""
        return any(end.midway for end in self.declined)


class OutcomeFinder:
    """Finder of what answers to one decision lead to.

    known: what the seat knows, as `information_state` returns it.
    """

    def __init__(self, edition: Edition, machine: Machine, known: State, seat: int) -> None:
        self._program = machine.program
        self._trials = AnswerTrials(edition, machine, known, seat)

    def outcomes(self, decision: OpenDecision, answers: Sequence[Sequence[AnswerKey]]) -> list[AnswerOutcome]:
        """Return the outcome of each answer. answers: keys of each, as SeatCandidates defines them.

        Of the only answer that there is, only whether it is a pick, and its routes.
        """
        if not self._trials.worlds or not answers:
            return [AnswerOutcome() for _ in answers]
        if len(decision.candidates) == decision.least == 1:
            return self._with_routes([AnswerOutcome(pick=self._trials.is_pick(keys)) for keys in answers], answers)
        site = self._program.sites[decision.site]
        results = [self._try_answer(keys, len(answers), sealed=site.sealed >= 0) for keys in answers]
        # What entries of a menu are for, they say themselves.
        outcomes = self._outcomes(
            results, [bool(keys) and site.element.base not in ("branch", "truth") for keys in answers]
        )
        if site.element.base == "number" and decision.most == 1:
            setbacks = [self._setback(decision, keys, tried) for keys, tried in zip(answers, results, strict=True)]
            outcomes = [replace(one, setback=setback) for one, setback in zip(outcomes, setbacks, strict=True)]
        if site.element.base != "number" and decision.most == 1:
            outcomes = [
                replace(one, pick=bool(keys) and self._trials.is_pick(keys))
                for one, keys in zip(outcomes, answers, strict=True)
            ]
        if site.element.base == "branch":
            outcomes = [
                replace(one, touched=self._trials.touched_kinds(keys) if keys else ())
                for one, keys in zip(outcomes, answers, strict=True)
            ]
        return self._with_reasons(self._with_routes(outcomes, answers), answers)

    def _with_routes(
        self, outcomes: Sequence[AnswerOutcome], answers: Sequence[Sequence[AnswerKey]]
    ) -> list[AnswerOutcome]:
        """Add the routes that begin with each answer."""
        routes = self._trials.routes()
        if not routes:
            return list(outcomes)
        return [
            replace(one, routes=tuple(route for route in routes if [*route[0][:1]] == [*keys]))
            for one, keys in zip(outcomes, answers, strict=True)
        ]

    def _setback(self, decision: OpenDecision, keys: Sequence[AnswerKey], tried: _TrialResults) -> int | float:
        """Return how many points an uncovered amount always costs the seat beyond declining, or beyond the least
        amount.

        An amount is covered if a counter falls by just that number, or if the amount is of points.
        """
        fewer = _points_fewer(tried)
        if not fewer or [fewer] == list(keys) or _is_covered(tried, keys):
            return 0
        usual = () if decision.least == 0 else (min(decision.candidates),)
        return max(
            0, fewer - _points_fewer(self._try_answer(usual, 1, sealed=self._program.sites[decision.site].sealed >= 0))
        )

    def _try_answer(self, keys: Sequence[AnswerKey], answers: int, *, sealed: bool) -> _TrialResults:
        """Try an answer in as many determinizations as its share of the runs allows."""
        trials = self._trials
        sure, whole, was_read = trials.sure_ends(keys, max(1, min(MAX_PATHS, MAX_RUNS // answers)))
        if whole and not was_read:
            return _TrialResults(sure, sure, 0, *self._after_others(keys, answers, sure), [])
        ends: list[TrialEnd] = []
        rounds: list[RestOfRound] = []
        tries = 0
        worlds, paths = self._split_runs(answers)
        for number in range(worlds):
            with suppress(RuleError):
                ends += trials.ends(number, keys, paths)
                if sealed:
                    rounds.append(trials.play_rest_of_round(number, keys))
                tries += 1
        declined = ([], 0) if sealed else self._after_others(keys, answers, ends)
        return _TrialResults(ends, sure if whole else [], tries, *declined, rounds)

    def _split_runs(self, answers: int) -> tuple[int, int]:
        """Return in how many determinizations each of so many answers is tried, and on how many paths in each, as
        MAX_RUNS_IN_WORLDS allows."""
        runs_each = max(1, MAX_RUNS_IN_WORLDS // answers)
        worlds = max(1, min(len(self._trials.worlds), runs_each))
        return worlds, max(1, runs_each // worlds)

    def _after_others(
        self, keys: Sequence[AnswerKey], answers: int, ends: Sequence[TrialEnd]
    ) -> tuple[list[TrialEnd], int]:
        """Return the ends of an answer where all others decline afterwards, and the number of determinizations; 0 for
        all possible states."""
        if not any(end.others for end in ends):
            return [], 0
        others_ends, whole, was_read = self._trials.sure_ends(
            keys, max(1, min(MAX_PATHS, MAX_RUNS // answers)), declining=True
        )
        if whole and not was_read:
            return others_ends, 0
        others_ends, tries = [], 0
        worlds, paths = self._split_runs(answers)
        for number in range(worlds):
            with suppress(RuleError):
                others_ends += self._trials.ends(number, keys, paths, declining=True)
                tries += 1
        return others_ends, tries

    def _with_reasons(
        self, outcomes: Sequence[AnswerOutcome], answers: Sequence[Sequence[AnswerKey]]
    ) -> list[AnswerOutcome]:
        """Add the reasons why nothing comes of an answer.

        A reason is the last log line after it that does not also follow the answers that do lead to something. For this
        the answers are tried once more, with a log: without one, trials are faster.
        """
        without = [outcome.idle and not outcome.done for outcome in outcomes]
        if not any(without):
            return list(outcomes)
        usual: set[int] = set()
        for keys, idle in zip(answers, without, strict=True):
            if not idle:
                with suppress(RuleError):
                    usual |= {text for text, _ in self._trials.log_events(keys, 0)}
        worlds, _ = self._split_runs(len(answers))
        return [
            replace(outcome, reason=self._idle_reason(keys, range(worlds) if outcome.tries else [None], usual))
            if idle
            else outcome
            for outcome, keys, idle in zip(outcomes, answers, without, strict=True)
        ]

    def _idle_reason(self, keys: Sequence[AnswerKey], worlds: Iterable[int | None], usual: set[int]) -> LogEvent | None:
        """Return the log line that tells why an answer has no effect, or None. worlds: determinizations; a None among
        them stands for all."""
        logs: list[list[LogEvent]] = []
        for world in worlds:
            with suppress(RuleError):
                logs.append(self._trials.log_events(keys, world))
        return _last_common_line(logs, usual)

    # ── what is told ──

    def _outcomes(self, results: Sequence[_TrialResults], may_be_idle: Sequence[bool]) -> list[AnswerOutcome]:
        """Return the outcomes from results of trials, without what all answers lead to."""
        changes = [[] if tried.is_halfway else self._summarize_changes(tried.ends) for tried in results]
        several = len(changes) > 1
        common = set.intersection(*map(set, changes)) if several else set()
        shared = [frozenset.intersection(*(end.changed for end in tried.ends)) for tried in results if tried.ends]
        usual = frozenset.intersection(*shared) if several and shared else frozenset()
        every = [end for tried in results for end in tried.ends]
        more = any(not end.alone or end.changed > usual or len(end.sites) > 1 for end in every)
        # What it comes back to, whatever it does with what it is asked in between.
        return_sites = {site for end in every for site in end.sites[1:]} or {
            site for end in every for site in end.sites
        }
        asked_again = any(rest.has_decision for tried in results for rest in tried.rounds)
        declined_changes = [[] if tried.is_halfway else self._summarize_changes(tried.declined) for tried in results]
        common_declined = set.intersection(*map(set, declined_changes)) if several else set()
        outcomes = []
        for own_changes, declined, tried, may in zip(changes, declined_changes, results, may_be_idle, strict=True):
            ends, sure = tried.ends, set(self._summarize_changes(tried.sure_ends))
            special = [lead for lead in own_changes if lead not in common]
            done = asked_again and bool(tried.rounds) and not any(rest.has_decision for rest in tried.rounds)
            outcomes.append(
                AnswerOutcome(
                    tuple(lead for lead in special if lead in sure),
                    tuple(lead for lead in special if lead not in sure),
                    tuple(lead for lead in declined if _is_unknown(lead, own_changes) and lead not in common_declined),
                    tried.tries,
                    tried.tries_declined,
                    may
                    and several
                    and more
                    and not special
                    and all(_has_no_effect(end, usual, return_sites) for end in ends),
                    bool(ends) and all(end.over for end in ends),
                    done,
                    _common_reason(tried.rounds, results) if done else None,
                    landing=_landing(tried),
                )
            )
        return outcomes

    def _summarize_changes(self, ends: Sequence[TrialEnd]) -> list[OutcomeChange]:
        """Return the range of each counter's and the points' change over some ends, and the pieces gained and lost."""
        if not ends:
            return []
        points = [end.points or 0 for end in ends]
        columns = list(zip(*(end.counters for end in ends), strict=True))
        changes = []
        if any(points) and not any(list(column) == points for column in columns):
            changes.append(OutcomeChange(POINTS, low=min(points), high=max(points)))
        for counter, column in zip(self._trials.counters, columns, strict=True):
            if any(column):
                changes.append(OutcomeChange(COUNTER, counter.name, low=min(column), high=max(column)))
        changes += _piece_changes(MORE, [end.gained for end in ends])
        changes += _piece_changes(FEWER, [end.lost for end in ends])
        return changes


def _final_ends(tried: _TrialResults) -> list[TrialEnd]:
    """Return the ends of an answer; where these change no points yet, its ends if the others decline afterwards."""
    return tried.ends if any(end.points for end in tried.ends) else tried.declined or tried.ends


def _landing(tried: _TrialResults) -> tuple[int, int] | None:
    """Return where one piece comes onto a board in all ends, without reading anything hidden."""
    landings = {end.landing for end in tried.ends} if tried.tries == 0 else set()
    return landings.pop() if len(landings) == 1 else None


def _points_fewer(tried: _TrialResults) -> int | float:
    """Return the points that the seat loses at least, in every try."""
    ends = _final_ends(tried)
    return max(0, -max(end.points or 0 for end in ends)) if ends else 0


def _is_covered(tried: _TrialResults, keys: Sequence[AnswerKey]) -> bool:
    """Return whether a counter of the seat always falls by just the amount that the answer names."""
    return any([-change] * len(keys) == list(keys) for change in _constant_changes(_final_ends(tried)))


def _constant_changes(ends: Sequence[TrialEnd]) -> list[int]:
    """List the changes of the counters that change equally in all ends."""
    columns = zip(*(end.counters for end in ends), strict=True)
    return [column[0] for column in columns if len(set(column)) == 1]


def _common_reason(rounds: Sequence[RestOfRound], results: Sequence[_TrialResults]) -> LogEvent | None:
    """Return the line about the seat that comes in every try, but not in every try of an answer after which it has
    another decision."""
    usual: set[int] = set()
    for tried in results:
        if any(rest.has_decision for rest in tried.rounds):
            usual |= set.intersection(*({text for text, _ in rest.lines} for rest in tried.rounds))
    return _last_common_line([rest.lines for rest in rounds], usual)


def _last_common_line(logs: Sequence[Sequence[LogEvent]], usual: set[int]) -> LogEvent | None:
    """Return the last line that comes in every try, except usual texts."""
    always = [line for line in logs[0] if all(line in lines for lines in logs)] if logs else []
    return next((line for line in reversed(always) if line[0] not in usual), None)


def _is_unknown(change: OutcomeChange, known: Sequence[OutcomeChange]) -> bool:
    """Return whether a change is of points or of a counter about which nothing is known yet."""
    return change.kind in (POINTS, COUNTER) and (change.kind, change.name) not in [
        (one.kind, one.name) for one in known
    ]


def _has_no_effect(end: TrialEnd, usual: frozenset[Any], return_sites: set[int]) -> bool:
    """Return whether nothing changes at the end of a try beyond the usual, and the seat returns to the same
    decisions."""
    return end.alone and end.changed == usual and end.sites[:1] != () and end.sites[0] in return_sites


def _piece_changes(change_kind: str, ends: Sequence[Sequence[KnownPiece]]) -> list[OutcomeChange]:
    """List changes of pieces by kinds: their number, and their types where these are always the same."""
    all_kinds = sorted({kinds for end in ends for kinds, _ in end})
    counts = {kinds: [sum(other == kinds for other, _ in end) for end in ends] for kinds in all_kinds}
    steady = [kinds for kinds in all_kinds if len(set(counts[kinds])) == 1]
    groups = [*([kinds] for kinds in steady), [kinds for kinds in all_kinds if kinds not in steady]]
    changes = []
    for group in filter(None, groups):
        types = [tuple(look for kinds, look in end if kinds in group) for end in ends]
        same = len(set(types)) == 1 and -1 not in types[0]
        each = [len(one) for one in types]
        kinds = tuple(sorted({kind for kinds in group for kind in kinds}))
        changes.append(OutcomeChange(change_kind, "", kinds, min(each), max(each), types[0] if same else ()))
    return changes
