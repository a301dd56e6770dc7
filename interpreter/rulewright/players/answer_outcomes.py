"""What each answer leads to, as far as the seat that is asked can know: found by trying it on what the seat knows.

An answer is tried until somebody else decides anything, the phase ends, or the seat itself is asked something that it
may decline or that is a menu. On the way the seat's own further choices are tried as well, such as what it gives for
what it has taken. What the others decide is not known; only what comes of it if they all decline is tried besides, and
in a sealed choice, whether the seat will decide anything more in that round, whatever they do.

What is hidden is laid out by chance in some way that agrees with what the seat knows. Whatever runs is watched: what
has happened before it first looks at something hidden is the same in every world, and certain. What comes after that is
tried in several worlds, and only holds in those; what changes there again is not certain either. All comes from
`knowledge.sight` and a fixed chance: equal sights give equal outcomes, after equal work.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from rulewright.base.records import record
from rulewright.model.declarations import Edition
from rulewright.players.answer_trials import Named, Rest, ToldLine, TrialEnd, Trying
from rulewright.players.choice_grouping import AnswerKey
from rulewright.runtime.machine import Machine, OpenDecision
from rulewright.runtime.operations import RuleError
from rulewright.runtime.state import State

MOST_RUNS, MOST_RUNS_IN_WORLDS = 400, 120  # from one decision to the next, for all answers together
MOST_WAYS = 90  # in which the seat's own further choices are made

POINTS, COUNTER, MORE, FEWER = "points", "counter", "more", "fewer"


@record
class Lead:
    """One thing that an answer leads to: of `what` from `low` to `high`.

    what: POINTS of the seat; a COUNTER of it, of that name; MORE or FEWER pieces of these kinds: those that come
    to the seat, or into its hand; and those that leave it, or its hand. looks: the numbers of their types, where they
    are the same in all tries. What the answer itself names does not count.
    """

    what: str
    name: str = ""
    kinds: tuple[str, ...] = ()
    low: int | float = 0
    high: int | float = 0
    looks: tuple[int, ...] = ()


@record
class AnswerOutcome:
    """What an answer leads to, but for what all answers lead to.

    certain: what is so in every world that the seat cannot exclude; likely: what was so in as many as `tries`;
    declined: what comes of it besides where all others decline, in `tries_declined`, 0 for all that there are. idle:
    nothing comes of it, unlike of others; ends: the game is over then; done: the seat, unlike after other answers,
    decides nothing more in this round; in every try. reason: of these two, what was always told of the seat then.
    setback: of an amount, by how many points the seat has fewer at least, in every try, where they are not as many as
    it names.
    """

    certain: tuple[Lead, ...] = ()
    likely: tuple[Lead, ...] = ()
    declined: tuple[Lead, ...] = ()
    tries: int = 0
    tries_declined: int = 0
    idle: bool = False
    ends: bool = False
    done: bool = False
    reason: ToldLine | None = None
    setback: int | float = 0


@record
class _Tried:
    """What an answer has come to in so many worlds, and before anything hidden was looked at, where all ways on have
    been tried; tries: 0 where nothing hidden was ever looked at."""

    ends: list[TrialEnd]
    sure: list[TrialEnd]
    tries: int
    declined: list[TrialEnd]
    tries_declined: int
    rounds: list[Rest]

    @property
    def is_halfway(self) -> bool:
        """Whether more comes of the answer than can be looked at: others decide before all that it begins is over."""
        return any(end.midway for end in self.declined)


class Outcomes:
    """What answers to one decision lead to. known: what the seat knows, as `knowledge.sight` gives it."""

    def __init__(self, edition: Edition, machine: Machine, known: State, seat: int) -> None:
        self._program = machine.program
        self._trying = Trying(edition, machine, known, seat)

    def of(self, asked: OpenDecision, answers: Sequence[Sequence[AnswerKey]]) -> list[AnswerOutcome]:
        """Of each answer, what it leads to. asked: what the seat is asked; answers: each its keys, as Eyes has them."""
        if not self._trying.worlds or not answers:
            return [AnswerOutcome() for _ in answers]
        site = self._program.sites[asked.site]
        found = [self._tried(keys, len(answers), sealed=site.sealed >= 0) for keys in answers]
        # What entries of a menu are for, they say themselves.
        told = self._told(found, [bool(keys) and site.element.base not in ("branch", "truth") for keys in answers])
        if site.element.base == "number" and asked.most == 1:
            setbacks = [self._setback(asked, keys, tried) for keys, tried in zip(answers, found, strict=True)]
            told = [replace(one, setback=setback) for one, setback in zip(told, setbacks, strict=True)]
        return self._with_reasons(told, answers)

    def _setback(self, asked: OpenDecision, keys: Sequence[AnswerKey], tried: _Tried) -> int | float:
        """By how many points an amount that nothing of the seat covers always leaves it with fewer than declining does,
        or else the least amount. What a counter gives up in full, or points themselves, is covered."""
        fewer = _points_fewer(tried)
        if not fewer or [fewer] == list(keys) or _is_covered(tried, keys):
            return 0
        usual = () if asked.least == 0 else (min(asked.candidates),)
        return max(0, fewer - _points_fewer(self._tried(usual, 1, sealed=self._program.sites[asked.site].sealed >= 0)))

    def _tried(self, keys: Sequence[AnswerKey], answers: int, *, sealed: bool) -> _Tried:
        trying = self._trying
        sure, whole, seen = trying.watched(keys, max(1, min(MOST_WAYS, MOST_RUNS // answers)))
        if whole and not seen:
            return _Tried(sure, sure, 0, *self._after_others(keys, answers, sure), [])
        found: list[TrialEnd] = []
        rounds: list[Rest] = []
        tries = 0
        worlds, ways = self._shares(answers)
        for number in range(worlds):
            with suppress(RuleError):
                found += trying.ends(number, keys, ways)
                if sealed:
                    rounds.append(trying.rest(number, keys))
                tries += 1
        declined = ([], 0) if sealed else self._after_others(keys, answers, found)
        return _Tried(found, sure if whole else [], tries, *declined, rounds)

    def _shares(self, answers: int) -> tuple[int, int]:
        """In how many worlds each of so many answers is tried, and in how many ways in each of them."""
        runs = max(1, MOST_RUNS_IN_WORLDS // answers)
        worlds = max(1, min(len(self._trying.worlds), runs))
        return worlds, max(1, runs // worlds)

    def _after_others(
        self, keys: Sequence[AnswerKey], answers: int, ends: Sequence[TrialEnd]
    ) -> tuple[list[TrialEnd], int]:
        """What an answer comes to where all others decline what they are asked after it, and in how many worlds; 0 for
        all that there are."""
        if not any(end.others for end in ends):
            return [], 0
        found, whole, seen = self._trying.watched(keys, max(1, min(MOST_WAYS, MOST_RUNS // answers)), declining=True)
        if whole and not seen:
            return found, 0
        found, tries = [], 0
        worlds, ways = self._shares(answers)
        for number in range(worlds):
            with suppress(RuleError):
                found += self._trying.ends(number, keys, ways, declining=True)
                tries += 1
        return found, tries

    def _with_reasons(
        self, outcomes: Sequence[AnswerOutcome], answers: Sequence[Sequence[AnswerKey]]
    ) -> list[AnswerOutcome]:
        """With why nothing comes of an answer: what is told last after it, but not after those of which something
        comes, as what has been answered is. For this they are tried once more, with a log: others are faster without.
        """
        without = [outcome.idle and not outcome.done for outcome in outcomes]
        if not any(without):
            return list(outcomes)
        usual: set[int] = set()
        for keys, idle in zip(answers, without, strict=True):
            if not idle:
                with suppress(RuleError):
                    usual |= {text for text, _ in self._trying.told(keys, 0)}
        worlds, _ = self._shares(len(answers))
        return [
            replace(outcome, reason=self._why(keys, range(worlds) if outcome.tries else [None], usual))
            if idle
            else outcome
            for outcome, keys, idle in zip(outcomes, answers, without, strict=True)
        ]

    def _why(self, keys: Sequence[AnswerKey], worlds: Iterable[int | None], usual: set[int]) -> ToldLine | None:
        """worlds: None for what has to be so in all."""
        told: list[list[ToldLine]] = []
        for world in worlds:
            with suppress(RuleError):
                told.append(self._trying.told(keys, world))
        return _last_of_all(told, usual)

    # ── what is told ──

    def _told(self, found: Sequence[_Tried], may_be_idle: Sequence[bool]) -> list[AnswerOutcome]:
        """Without what all answers lead to."""
        told = [[] if tried.is_halfway else self._leads(tried.ends) for tried in found]
        several = len(told) > 1
        common = set.intersection(*map(set, told)) if several else set()
        shared = [frozenset.intersection(*(end.changed for end in tried.ends)) for tried in found if tried.ends]
        usual = frozenset.intersection(*shared) if several and shared else frozenset()
        every = [end for tried in found for end in tried.ends]
        more = any(not end.alone or end.changed > usual or len(end.asked) > 1 for end in every)
        # What it comes back to, whatever it does with what it is asked in between.
        homes = {site for end in every for site in end.asked[1:]} or {site for end in every for site in end.asked}
        asked_again = any(rest.asked for tried in found for rest in tried.rounds)
        hypothetic = [[] if tried.is_halfway else self._leads(tried.declined) for tried in found]
        usually = set.intersection(*map(set, hypothetic)) if several else set()
        outcomes = []
        for leads, declined, tried, may in zip(told, hypothetic, found, may_be_idle, strict=True):
            ends, sure = tried.ends, set(self._leads(tried.sure))
            left = [lead for lead in leads if lead not in common]
            done = asked_again and bool(tried.rounds) and not any(rest.asked for rest in tried.rounds)
            outcomes.append(
                AnswerOutcome(
                    tuple(lead for lead in left if lead in sure),
                    tuple(lead for lead in left if lead not in sure),
                    tuple(lead for lead in declined if _is_new(lead, leads) and lead not in usually),
                    tried.tries,
                    tried.tries_declined,
                    may and several and more and not left and all(_comes_to_nothing(end, usual, homes) for end in ends),
                    bool(ends) and all(end.over for end in ends),
                    done,
                    _reason(tried.rounds, found) if done else None,
                )
            )
        return outcomes

    def _leads(self, ends: Sequence[TrialEnd]) -> list[Lead]:
        if not ends:
            return []
        points = [end.points or 0 for end in ends]
        columns = list(zip(*(end.counters for end in ends), strict=True))
        leads = []
        if any(points) and not any(list(column) == points for column in columns):
            leads.append(Lead(POINTS, low=min(points), high=max(points)))
        for counter, column in zip(self._trying.counters, columns, strict=True):
            if any(column):
                leads.append(Lead(COUNTER, counter.name, low=min(column), high=max(column)))
        leads += _pieces(MORE, [end.gained for end in ends])
        leads += _pieces(FEWER, [end.lost for end in ends])
        return leads


def _last(tried: _Tried) -> list[TrialEnd]:
    """What an answer has come to; where that has changed no points yet, what it comes to if the others decline what
    they are asked after it."""
    return tried.ends if any(end.points for end in tried.ends) else tried.declined or tried.ends


def _points_fewer(tried: _Tried) -> int | float:
    ends = _last(tried)
    return max(0, -max(end.points or 0 for end in ends)) if ends else 0


def _is_covered(tried: _Tried, keys: Sequence[AnswerKey]) -> bool:
    """Whether a counter of the seat always falls by just the number that it names."""
    return any([-change] * len(keys) == list(keys) for change in _always(_last(tried)))


def _always(ends: Sequence[TrialEnd]) -> list[int]:
    """By how much each counter changes that changes alike in all of them."""
    columns = zip(*(end.counters for end in ends), strict=True)
    return [column[0] for column in columns if len(set(column)) == 1]


def _reason(rounds: Sequence[Rest], found: Sequence[_Tried]) -> ToldLine | None:
    """What is told of the seat in every try, and not in every one of an answer after which it is asked more."""
    usual: set[int] = set()
    for tried in found:
        if any(rest.asked for rest in tried.rounds):
            usual |= set.intersection(*({text for text, _ in rest.told} for rest in tried.rounds))
    return _last_of_all([rest.told for rest in rounds], usual)


def _last_of_all(told: Sequence[Sequence[ToldLine]], usual: set[int]) -> ToldLine | None:
    """The last line that is told in every try, but for texts that are usual."""
    always = [line for line in told[0] if all(line in lines for lines in told)] if told else []
    return next((line for line in reversed(always) if line[0] not in usual), None)


def _is_new(lead: Lead, known: Sequence[Lead]) -> bool:
    """Whether it is of points or of a counter of which nothing is known yet."""
    return lead.what in (POINTS, COUNTER) and (lead.what, lead.name) not in [(one.what, one.name) for one in known]


def _comes_to_nothing(end: TrialEnd, usual: frozenset[Any], homes: set[int]) -> bool:
    return end.alone and end.changed == usual and end.asked[:1] != () and end.asked[0] in homes


def _pieces(what: str, ends: Sequence[Sequence[Named]]) -> list[Lead]:
    """By their kinds: how many, and which where these are always the same."""
    found = sorted({kinds for end in ends for kinds, _ in end})
    counts = {kinds: [sum(other == kinds for other, _ in end) for end in ends] for kinds in found}
    steady = [kinds for kinds in found if len(set(counts[kinds])) == 1]
    groups = [*([kinds] for kinds in steady), [kinds for kinds in found if kinds not in steady]]
    leads = []
    for group in filter(None, groups):
        looks = [tuple(look for kinds, look in end if kinds in group) for end in ends]
        same = len(set(looks)) == 1 and -1 not in looks[0]
        each = [len(one) for one in looks]
        kinds = tuple(sorted({kind for kinds in group for kind in kinds}))
        leads.append(Lead(what, "", kinds, min(each), max(each), looks[0] if same else ()))
    return leads
