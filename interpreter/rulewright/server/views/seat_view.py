"""What one seat, or a spectator, is shown of a game now: its view in words, what it is asked, what it may do.

All comes from the view and the decision of that seat. Two games that differ only in what it may not see give the same.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from itertools import chain
from operator import attrgetter
from typing import Any, Protocol, TypeVar

from rulewright.base.rule_keys import RuleKey
from rulewright.game.game import Choice, Decision, Game
from rulewright.game.messages import LogPart
from rulewright.game.snapshots import PastStep
from rulewright.i18n.localizer import Phrase, phrase
from rulewright.model.declarations import SEAT
from rulewright.program.form import Program, StateZone
from rulewright.publish.labels import Labels
from rulewright.publish.log_sections import tie_break_title, winners
from rulewright.publish.rulebook.contents import anchor
from rulewright.runtime.view import Held, ScoreView, ZoneView, sees_power
from rulewright.server.views.document import (
    Asked,
    Line,
    NamedPart,
    Now,
    Offered,
    Placed,
    RoundPoints,
    ScoreNow,
    ZoneNow,
)

T = TypeVar("T")
U = TypeVar("U")

PIECE, WORD = "piece", "word"
"""Kinds of decisions whose keys name what is chosen."""


class Keeps(Protocol):
    """Where what was made is found again, as `scene.TableMoment` has it."""

    def fixed(self, key: Hashable, make: Callable[[], T]) -> T: ...

    def once(self, key: Hashable, make: Callable[[], T], of: Hashable = None) -> T: ...

    def each(self, key: Hashable, items: Sequence[T], make: Callable[[T], U]) -> Sequence[U]: ...


class Forgets:
    """Where nothing is kept."""

    def fixed(self, _key: Hashable, make: Callable[[], T]) -> T:
        return make()

    def once(self, _key: Hashable, make: Callable[[], T], of: Hashable = None) -> T:
        return make()

    def each(self, _key: Hashable, items: Sequence[T], make: Callable[[T], U]) -> Sequence[U]:
        return list(map(make, items))


_CountersNow = Mapping[str, str | tuple[str, ...] | Mapping[str, str]]
_Lying = tuple[
    Mapping[str, ZoneNow], _CountersNow, tuple[tuple[str, ...], ...], Mapping[str, ScoreNow], Mapping[str, int]
]
"""Zones, counters, powers, scores and owners."""


def now(
    labels: Labels, seat: int | None, question: int, trouble: str = "", keeps: Keeps | None = None, deadline: float = 0
) -> Now:
    """All that a reader is shown of the game now, but for the log. question: the number of what the seat is asked."""
    game = labels.game
    return seen(
        labels,
        seat,
        keeps,
        undo=seat is not None and game.can_undo(seat),
        asked=None if seat is None else asked(labels, seat, question, keeps),
        sealed=() if seat is None else sealed(labels, seat),
        steps=len(game.steps()),
        result=result(labels),
        curve=curve(game, seat) if game.over else (),
        trouble=trouble,
        deadline=deadline,
    )


def seen(labels: Labels, seat: int | None, keeps: Keeps | None = None, **more: Any) -> Now:
    """What lies on the table, and who is waited for. seat: None for a spectator; more: other fields, as they are."""
    game, keeps = labels.game, keeps or Forgets()

    def made() -> _Lying:
        return (
            _zones(labels, seat, keeps),
            _counters(labels, keeps),
            _powers(labels, seat, keeps),
            _scores(labels, seat, keeps),
            _owners(labels, seat, keeps),
        )

    zones, counters, powers, scores, owners = keeps.once(("lying", labels.language, seat), made, game.ended)
    return Now(
        round=game.round,
        phase=game.phase,
        over=game.over,
        waiting=game.expected(seat),
        ready=tuple(sorted(game.ready())),
        zones=zones,
        counters=counters,
        powers=powers,
        scores=scores,
        owners=owners,
        standings=_standings(labels, game),
        **more,
    )


def own(
    labels: Labels,
    seat: int,
    question: int | None,
    everybody: Now,
    keeps: Keeps | None = None,
    acts: bool = True,
    held: float = 0,
) -> Mapping[str, Any]:
    """What a seat is shown otherwise than everybody: fields of `now`, whole; of zones and scores those that are other
    ones. question: the number of what the seat is asked, None where it is not to answer; acts: whether it may do
    something, as at no moment of the past."""
    game, keeps = labels.game, keeps or Forgets()
    acting, ended = game.waiting, game.ended
    over = acts and (game.given_up or ended)
    waiting, undo = acting.expected(seat), acts and game.can_undo(seat)
    taken = sealed(labels, seat) if acting.sealed else ()
    if not acts or seat not in acting.asked:
        question = None
    told = game.log_length if question is not None and game.program.goes_round else 0  # it tells what others have named
    differs = waiting != everybody.waiting

    def made() -> Mapping[str, Any]:
        found: dict[str, Any] = {}
        apart = keeps.fixed(("apart", seat), lambda: [one for one in _spaces(labels) if game.is_told_apart(one, seat)])
        if apart:
            found["zones"] = _lying_in(labels, seat, apart, keeps)
        scores, powers, owners = keeps.fixed("owned", lambda: _owned(game.program))
        if scores and not ended:
            mine = _scores(labels, seat, keeps).items()
            found["scores"] = {name: score for name, score in mine if everybody.scores.get(name) != score}
        if powers:
            found["powers"] = _powers(labels, seat, keeps)
        if owners:
            found["owners"] = _owners(labels, seat, keeps)
        if differs:
            found["waiting"] = waiting
        if undo:
            found["undo"] = True
        if question is not None and (asks := asked(labels, seat, question, keeps)) is not None:
            found["asked"] = asks
        if taken:
            found["sealed"] = taken
        if over:
            found["curve"] = curve(game, seat) if scores else everybody.curve
        if held:
            found["held"] = held
        return found

    # The course of a game that is over is not all in its state.
    of = question, told, differs and waiting, undo, taken, ended, held, game if over else None
    return keeps.once(("own", labels.language, seat), made, of)


def _owned(program: Program) -> tuple[bool, bool, bool]:
    """Whether there are scores and powers that their owner alone sees, and pieces that seats could tell otherwise whose
    they are."""
    return (
        any(line.seen_by == "owner" for line in program.scoring),
        any(power.seen_by == "owner" for power in program.powers.values()),
        bool(program.layout.marks),
    )


def lines(labels: Labels, seat: int | None, start: int, steps: Sequence[PastStep]) -> tuple[Line, ...]:
    """The log from a line on. steps: those of the game, of which one brought each line."""
    game = labels.game
    return tuple(line(game, number, labels.language, seat, steps) for number in range(start, game.log_length))


def line(game: Game, number: int, language: str, seat: int | None, steps: Sequence[PastStep]) -> Line:
    """One line of it, counted from 0."""
    told = game.line(number, seat, language)
    step = bisect_right(steps, number, key=_lines_of)
    if any(part.seat is not None or part.piece for part in told.parts):
        return Line("", tuple(map(_part, told.parts)), told.heading, told.round, step)
    return Line("".join([part.text for part in told.parts]), (), told.heading, told.round, step)


_lines_of = attrgetter("lines")


def _part(part: LogPart) -> str | NamedPart:
    if part.seat is not None:
        return NamedPart(part.text, part.seat)
    return NamedPart(part.text, piece=part.piece, count=part.count) if part.piece else part.text


def asked(labels: Labels, seat: int, question: int, keeps: Keeps | None = None) -> Asked | None:
    """What a seat is asked, or None. question: the number by which its answer will name it."""
    if seat not in labels.game.asked_seats():
        return None
    told = labels.game.log_length if labels.game.program.goes_round else 0  # it tells what others have named
    keeps = keeps or Forgets()
    return keeps.once(("asked", labels.language, seat), lambda: _asked(labels, seat, question, keeps), (question, told))


def _asked(labels: Labels, seat: int, question: int, keeps: Keeps) -> Asked | None:
    decision = labels.game.decision(seat, labels.language)
    if decision is None:
        return None
    choices = decision.choices
    rule, passage = keeps.fixed(("rule", decision.step, decision.phase), lambda: _rule_of(labels, decision))
    if decision.kind == PIECE and not any(choice.place for choice in choices):
        choices = tuple(sorted(choices, key=lambda choice: labels.piece_order(choice.name)))
    zone, words = _common([choice.zone for choice in choices]), _common([choice.words for choice in choices])
    return Asked(
        question=question,
        kind=decision.kind,
        prompt=decision.prompt,
        least=decision.least,
        most=decision.most,
        choices=tuple([_choice(labels, decision.kind, choice, zone, words) for choice in choices]),
        zone=zone,
        words=words,
        none=decision.none,
        wanted=labels.say(_wanted(decision)),
        rule=labels.game.rule(rule, seat, labels.language),
        passage=passage,
        about=decision.about,
        among=decision.among,
        named=decision.named if any(number is not None for number in decision.named) else (),
    )


def _rule_of(labels: Labels, decision: Decision) -> tuple[RuleKey, str]:
    """Where the rule of a decision stands, in the edition and in the rulebook: its step's, or where that has none, the
    phase's."""
    own, phase = RuleKey.of("steps", decision.step), RuleKey.of("phases", decision.phase)
    rule = own if own in labels.game.program.rules or phase not in labels.game.program.rules else phase
    return rule, anchor(rule)


def sealed(labels: Labels, seat: int) -> tuple[str, ...]:
    """The pieces in what a seat has sealed, which it alone may look at: their names in the edition."""
    return tuple(key for key in labels.game.sealed_keys(seat) if labels.type(key) is not None)


def result(labels: Labels) -> str:
    """Who has won, or why nobody has, in words; '' while the game lasts."""
    standings, limited = labels.game.standings() if labels.game.over else [], labels.game.limited()
    told = [labels.say(one) for one in ([limited] if limited is not None else [])]
    if labels.game.over:
        told += map(labels.say, labels.game.concessions())
    if standings:
        told.append(winners(standings, labels.names(one.seat for one in standings), labels.speech))
    return " ".join(told)


def curve(game: Game, seat: int | None) -> tuple[RoundPoints, ...]:
    """The points of all seats at the end of each round, as far as this one could know them then, and at the end."""
    found = []
    for number, step in game.rounds().items():
        past = game.past(step)
        scores = (
            past.score(other, seat, past.ended) if past.is_scored(other) else None for other in range(len(game.names))
        )
        points = (None if score is None else score.known for score in scores)
        found.append(RoundPoints(number, tuple(points)))
    return tuple(found)


def _spaces(labels: Labels) -> list[StateZone]:
    """The zones that people see on the table."""
    return [space for space in labels.game.program.layout.spaces if labels.is_visible_zone(space.name)]


def _zones(labels: Labels, seat: int | None, keeps: Keeps) -> Mapping[str, ZoneNow]:
    """What lies in them, by name, owner and word."""
    spaces = keeps.fixed("spaces", lambda: _spaces(labels))
    return keeps.once(("zones", labels.language, seat), lambda: _lying_in(labels, seat, spaces, keeps))


def _lying_in(labels: Labels, seat: int | None, spaces: Sequence[StateZone], keeps: Keeps) -> Mapping[str, ZoneNow]:
    game = labels.game

    def made(space: StateZone) -> ZoneNow:
        return _zone(labels, game.zone(space, seat), keeps)

    names = keeps.fixed(("zone names", len(spaces), seat), lambda: [_key(game, space) for space in spaces])
    found = keeps.each(("each zone", labels.language, len(spaces), seat), spaces, made)
    return dict(zip(names, found, strict=True))


def _key(game: Game, space: StateZone) -> str:
    """A name for a zone among all of a game: by its own, its owner and its word."""
    return "/".join((space.name, str(space.owner) if space.of == SEAT else "", game.word_of(space)))


def _zone(labels: Labels, zone: ZoneView, keeps: Keeps) -> ZoneNow:
    name, count, owner, word, pieces = zone.name, zone.count, zone.owner, zone.word, zone.pieces
    if pieces is not None:
        return ZoneNow(name, count, owner, word, pieces)
    if zone.known:
        known = tuple([piece for piece, _ in zone.known])
        return ZoneNow(name, count, owner, word, None, labels.zone_contents(zone), known)
    hidden = keeps.fixed(("hidden", labels.language, name, count), lambda: labels.zone_contents(zone))
    return ZoneNow(name, count, owner, word, None, hidden)


def _common(told: Iterable[str]) -> str:
    """What all are, or ''."""
    found = set(told)
    return found.pop() if len(found) == 1 else ""


def _choice(labels: Labels, kind: str, choice: Choice, zone: str, words: str) -> Offered:
    """zone, words: what all choices have in common, which is said once."""
    key, name = choice.key, choice.name
    usual = labels.piece(name) if name else key
    return Offered(
        key,
        "" if choice.label == usual else choice.label,
        choice.count,
        "" if kind == PIECE and name == key else name,
        "" if zone else choice.zone,
        "" if words else choice.words,
        "" if kind == WORD and choice.word == key else choice.word,
        choice.place,
        choice.owner,
    )


def _wanted(decision: Decision) -> Phrase:
    """How many are to be chosen."""
    if decision.least == decision.most:
        return phrase("page", "Choose {count}.", count=decision.most)
    if decision.least:
        return phrase("page", "Choose {least} to {most}.", least=decision.least, most=decision.most)
    return phrase("page", "Choose up to {most}.", most=decision.most)


def _owners(labels: Labels, seat: int | None, keeps: Keeps) -> Mapping[str, int]:
    """Whose pieces are, by their names."""

    layout = labels.game.program.layout
    telling = keeps.fixed("telling", lambda: [one for one in layout.counters if labels.can_show_owners(one.name)])

    def made() -> Mapping[str, int]:
        # The name of a piece that has marks is another one.
        zones = _zones(labels, seat, keeps).values() if layout.marks else ()
        lying = chain.from_iterable(zone.pieces or () for zone in zones)
        return labels.owners({one.name: labels.game.counter(one) for one in telling}, lying)

    return keeps.once(("owners", seat), made) if telling else {}


def _counters(labels: Labels, keeps: Keeps) -> _CountersNow:
    game = labels.game
    counters = game.program.layout.counters
    shown = keeps.fixed("counters", lambda: [one for one in counters if labels.is_visible_counter(one.name)])

    def made() -> _CountersNow:
        told = keeps.each(
            ("each counter", labels.language), shown, lambda one: _counter(labels, one.name, game.counter(one))
        )
        return {counter.name: one for counter, one in zip(shown, told, strict=True)}

    return keeps.once(("counters", labels.language), made)


def _counter(
    labels: Labels, name: str, held: Held | tuple[Held, ...] | Mapping[str, Held]
) -> str | tuple[str, ...] | Mapping[str, str]:
    """What it holds, in words: of one of the table, a text; of seats, a list; of words, those that have changed; ''
    where there is nothing to tell."""
    if isinstance(held, tuple):
        return tuple(_told(labels, name, value) for value in held)
    if isinstance(held, Mapping):
        return {word: labels.counter_value(name, held[word]) for word in labels.changed_words(name, held)}
    return _told(labels, name, held)


def _told(labels: Labels, name: str, value: Held) -> str:
    return labels.counter_value(name, value) if labels.is_informative(name, value) else ""


def _powers(labels: Labels, seat: int | None, keeps: Keeps) -> tuple[tuple[str, ...], ...]:
    """Of each seat, the powers that it is seen to have."""
    game = labels.game
    pairs = keeps.fixed(
        ("powers", seat),
        lambda: [
            (name, owner)
            for owner in range(len(game.names))
            for name, power in game.program.powers.items()
            if sees_power(power, owner, seat)
        ],
    )

    def made() -> tuple[tuple[str, ...], ...]:
        has = keeps.each(("each power", seat), pairs, lambda pair: game.has_power(*pair))
        found = [pair for pair, one in zip(pairs, has, strict=True) if one]
        return tuple(tuple(name for name, other in found if other == owner) for owner in range(len(game.names)))

    return keeps.once(("powers", seat), made)


def _scores(labels: Labels, seat: int | None, keeps: Keeps) -> Mapping[str, ScoreNow]:
    """Of each seat that is scored, its points as far as a reader may know them."""
    game, over = labels.game, labels.game.ended
    scored = keeps.fixed("scored", lambda: [other for other in range(len(game.names)) if game.is_scored(other)])

    def made() -> Mapping[str, ScoreNow]:
        points = keeps.each(
            ("each score", labels.language, over, seat),
            scored,
            lambda other: _score(labels, game.score(other, seat, over)),
        )
        return {str(other): score for other, score in zip(scored, points, strict=True)}

    return keeps.once(("scores", labels.language, over, seat), made)


def _score(labels: Labels, score: ScoreView) -> ScoreNow:
    told = labels.say(phrase("page", "{points} [point|points]", points=score.known))
    return ScoreNow(told, tuple((name, points) for name, points in score.lines), score.total)


def _standings(labels: Labels, game: Game) -> tuple[Placed, ...]:
    """The result, once the game is over."""
    if not game.ended:
        return ()
    return tuple(
        Placed(
            seat=standing.seat,
            rank=standing.rank,
            place=labels.speech.place(standing.rank),
            total=standing.total,
            lines=tuple((title, points) for title, points in standing.lines),
            ties=tuple((tie_break_title(title, labels.speech), number) for title, number in standing.ties),
        )
        for standing in game.standings(labels.language)
    )
