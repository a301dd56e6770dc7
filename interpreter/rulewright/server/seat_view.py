"""What one seat, or a spectator, is shown of a game now: its view in words, what it is asked, what it may do.

All comes from the view and the decision of that seat. Two games that differ only in what it may not see give the same.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence

from msgspec import structs

from rulewright.base.rule_keys import RuleKey
from rulewright.game.game import Choice, Decision, Game, LogLine
from rulewright.game.messages import LogPart
from rulewright.game.moments import PastStep
from rulewright.i18n.speech import Phrase, phrase
from rulewright.publish.chronicle import tied, winners
from rulewright.publish.labels import Labels
from rulewright.publish.rulebook.contents import anchor
from rulewright.runtime.view import Held, ScoreView, View, ZoneView
from rulewright.server.document import (
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

PIECE, WORD = "piece", "word"
"""Kinds of decisions whose keys name what is chosen."""


def now(labels: Labels, seat: int | None, question: int, trouble: str = "") -> Now:
    """All that a reader is shown of the game now, but for the log. question: the number of what the seat is asked."""
    over = labels.game.over
    return structs.replace(
        seen(labels, seat),
        undo=seat is not None and labels.game.can_undo(seat),
        asked=None if seat is None else asked(labels, seat, question),
        sealed=() if seat is None else sealed(labels, seat),
        steps=len(labels.game.steps()),
        result=result(labels),
        curve=curve(labels.game, seat) if over else (),
        trouble=trouble,
    )


def seen(labels: Labels, seat: int | None) -> Now:
    """What lies on the table, and who is waited for. seat: None for a spectator."""
    game, view = labels.game, labels.game.view(seat)
    ready = sorted(game.ready())
    return Now(
        round=view.round,
        phase=view.phase,
        over=game.over,
        waiting=() if game.over else tuple(other for other in view.waiting if other not in ready),
        ready=tuple(ready),
        zones={_key(zone): _zone(labels, zone) for zone in view.zones if labels.shown_zone(zone.name)},
        counters={name: _counter(labels, name, held) for name, held in view.counters.items() if labels.shown(name)},
        powers=tuple(tuple(powers) for powers in view.powers),
        scores={str(other): _score(labels, score) for other, score in enumerate(view.scores) if score is not None},
        owners=labels.owners(view),
        standings=_standings(labels, game, view),
    )


def then(labels: Labels, seat: int | None, steps: int) -> Now:
    """The table at a step of the past, as `now` has it. steps: how many there had been."""
    found = sealed(labels, seat) if seat is not None else ()
    return structs.replace(seen(labels, seat), sealed=found, steps=steps)


def lines(labels: Labels, seat: int | None, start: int, steps: Sequence[PastStep]) -> tuple[Line, ...]:
    """The log from a line on. steps: those of the game, of which one brought each line."""
    game, language = labels.game, labels.language
    brought = [step.lines for step in steps]
    told = zip(game.log(seat, start, language), game.log_parts(seat, start, language), strict=True)
    return tuple(_line(line, parts, bisect_right(brought, number)) for number, (line, parts) in enumerate(told, start))


def _line(line: LogLine, parts: Sequence[LogPart], step: int) -> Line:
    found = tuple(_part(part) for part in parts)
    plain = all(isinstance(part, str) for part in found)
    return Line(line.text if plain else "", () if plain else found, line.heading, line.round, step)


def _part(part: LogPart) -> str | NamedPart:
    if part.seat is not None:
        return NamedPart(part.text, part.seat)
    return NamedPart(part.text, piece=part.piece, count=part.count) if part.piece else part.text


def asked(labels: Labels, seat: int, question: int) -> Asked | None:
    """What a seat is asked, or None. question: the number by which its answer will name it."""
    decision = labels.game.decision(seat, labels.language)
    if decision is None:
        return None
    choices, rule = decision.choices, _rule_of(labels, decision)
    if decision.kind == "piece" and not any(choice.place for choice in choices):
        choices = tuple(sorted(choices, key=lambda choice: labels.place(choice.name)))
    zone, words = _common(choice.zone for choice in choices), _common(choice.words for choice in choices)
    return Asked(
        question=question,
        kind=decision.kind,
        prompt=decision.prompt,
        least=decision.least,
        most=decision.most,
        choices=tuple(_choice(labels, decision.kind, choice, zone, words) for choice in choices),
        zone=zone,
        words=words,
        none=decision.none,
        wanted=labels.say(_wanted(decision)),
        rule=labels.game.rule(rule, seat, labels.language),
        passage=anchor(rule),
        about=decision.about,
        among=decision.among,
        named=decision.named if any(number is not None for number in decision.named) else (),
    )


def _rule_of(labels: Labels, decision: Decision) -> RuleKey:
    """Where the rule of a decision stands: its step's, or where that has none, the phase's."""
    own, phase = RuleKey.of("steps", decision.step), RuleKey.of("phases", decision.phase)
    return own if own in labels.game.program.rules or phase not in labels.game.program.rules else phase


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
        scores = game.past(step).view(seat).scores
        points = (None if score is None else score.known for score in scores)
        found.append(RoundPoints(number, tuple(points)))
    return tuple(found)


def _key(zone: ZoneView) -> str:
    """A name for a zone among all of a game: by its own, its owner and its word."""
    return "/".join((zone.name, "" if zone.owner is None else str(zone.owner), zone.word))


def _zone(labels: Labels, zone: ZoneView) -> ZoneNow:
    hidden = zone.pieces is None
    return ZoneNow(
        zone=zone.name,
        count=zone.count,
        owner=zone.owner,
        word=zone.word,
        pieces=None if hidden else tuple(zone.pieces or ()),
        hidden=labels.lying(zone) if hidden else "",
        known=tuple(name for name, _ in zone.known),
    )


def _common(told: Iterable[str]) -> str:
    """What all are, or ''."""
    found = set(told)
    return found.pop() if len(found) == 1 else ""


def _choice(labels: Labels, kind: str, choice: Choice, zone: str, words: str) -> Offered:
    """zone, words: what all choices have in common, which is said once."""
    usual = choice.key
    if choice.name:
        usual = labels.piece(choice.name)
    return Offered(
        key=choice.key,
        label="" if choice.label == usual else choice.label,
        count=choice.count,
        piece="" if kind == PIECE and choice.name == choice.key else choice.name,
        zone="" if zone else choice.zone,
        words="" if words else choice.words,
        word="" if kind == WORD and choice.word == choice.key else choice.word,
        place=choice.place,
        owner=choice.owner,
    )


def _wanted(decision: Decision) -> Phrase:
    """How many are to be chosen."""
    if decision.least == decision.most:
        return phrase("page", "Choose {count}.", count=decision.most)
    if decision.least:
        return phrase("page", "Choose {least} to {most}.", least=decision.least, most=decision.most)
    return phrase("page", "Choose up to {most}.", most=decision.most)


def _counter(
    labels: Labels, name: str, held: Held | tuple[Held, ...] | Mapping[str, Held]
) -> str | tuple[str, ...] | Mapping[str, str]:
    """What it holds, in words: of one of the table, a text; of seats, a list; of words, those that have changed."""
    if isinstance(held, tuple):
        return tuple(labels.held(name, value) for value in held)
    if isinstance(held, Mapping):
        return {word: labels.held(name, held[word]) for word in labels.counted(name, held)}
    return labels.held(name, held)


def _score(labels: Labels, score: ScoreView) -> ScoreNow:
    told = labels.say(phrase("page", "{points} [point|points]", points=score.known))
    return ScoreNow(told, tuple((name, points) for name, points in score.lines), score.total)


def _standings(labels: Labels, game: Game, view: View) -> tuple[Placed, ...]:
    """The result, once the game is over."""
    if not view.over:
        return ()
    return tuple(
        Placed(
            seat=standing.seat,
            rank=standing.rank,
            place=labels.speech.place(standing.rank),
            total=standing.total,
            lines=tuple((title, points) for title, points in standing.lines),
            ties=tuple((tied(title, labels.speech), number) for title, number in standing.ties),
        )
        for standing in game.standings(labels.language)
    )
