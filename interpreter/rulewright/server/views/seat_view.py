"""View of a game for one seat or a spectator: the visible state in words, its decision, and what it may do.

Everything comes from that seat's view and decision: two games that differ only in what it may not see give the same.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from itertools import chain
from operator import attrgetter
from typing import Any

from rulewright.game.early_ends import AGREED, early_end_texts
from rulewright.game.game import Game
from rulewright.game.messages import LogPart
from rulewright.game.ranking import counts_points
from rulewright.game.snapshots import PastStep
from rulewright.i18n.localizer import phrase
from rulewright.model.declarations import SEAT
from rulewright.program.form import Program
from rulewright.program.state_layout import StateZone
from rulewright.publish.labels import Labels
from rulewright.publish.log_sections import winners
from rulewright.publish.owners import can_show_owners, owners
from rulewright.publish.zone_contents import zone_contents
from rulewright.runtime.view import NARRATOR, CounterValue, ScoreView, ZoneView, sees_power
from rulewright.server.views import outcome, table_marks
from rulewright.server.views.document import Line, Move, NamedPart, Now, PastProposal, ProposalNow, ScoreNow, ZoneNow
from rulewright.server.views.laid_pieces import laid_by
from rulewright.server.views.memo import Memo, NoMemo
from rulewright.server.views.moves import ZoneChanges, successors_of_zones
from rulewright.server.views.question_view import question_now
from rulewright.server.views.table_metadata import flow_analysis

_CountersNow = Mapping[str, str | tuple[str, ...] | Mapping[str, str]]
"""Name of a counter -> its value in words; of several, per word."""
_TableContents = tuple[
    Mapping[str, ZoneNow], _CountersNow, tuple[tuple[str, ...], ...], Mapping[str, ScoreNow], Mapping[str, int]
]
"""Zones, counters, powers, scores and owners."""


def now(
    labels: Labels,
    seat: int | None,
    question: int,
    error: str = "",
    memo: Memo | None = None,
    deadline: float = 0,
    proposal: ProposalNow | None = None,
    proposed: tuple[PastProposal, ...] = (),
) -> Now:
    """Return all that a reader is shown of the game now, except the log. question: number of the seat's decision;
    proposal: what somebody proposes; proposed: what has been proposed so far."""
    game, sealed = labels.game, () if seat is None else sealed_pieces(labels, seat)
    return table_state(
        labels,
        seat,
        memo,
        undo=seat is not None and game.can_undo(seat),
        asked=None if seat is None else question_now(labels, seat, question, memo),
        sealed=sealed,
        laid=_sealed_target(labels, seat) if seat is not None and sealed else "",
        steps=len(game.history.steps()),
        moves=last_moves(labels, seat, memo),
        result=result_text(labels),
        **outcome.outcome(labels, memo),
        curve=outcome.points_by_round(labels, seat) if game.over else (),
        trouble=error,
        deadline=deadline,
        proposal=proposal,
        proposed=proposed,
    )


def table_state(labels: Labels, seat: int | None, memo: Memo | None = None, **more: Any) -> Now:
    """Return what is on the table, and who is awaited. seat: None for a spectator; more: further fields."""
    game, memo = labels.game, memo or NoMemo()

    def build() -> _TableContents:
        return (
            _zones(labels, seat, memo),
            _counter_views(labels, memo),
            _powers(labels, seat, memo),
            _scores(labels, seat, memo),
            _owners(labels, seat, memo),
        )

    key = game.position.ended, game.over
    zones, counters, powers, scores, owners = memo.once(("lying", labels.language, seat), build, key)
    return Now(
        round=game.position.round,
        phase=game.position.phase,
        over=game.over,
        waiting=game.pending.awaited(seat),
        ready=tuple(sorted(game.pending.ready)),
        zones=zones,
        counters=counters,
        powers=powers,
        scores=scores,
        owners=owners,
        measures=table_marks.measures(labels, seat, memo),
        leading=table_marks.leading(labels, memo),
        pad=table_marks.pad(labels, memo),
        worth=table_marks.worth(labels, memo),
        values_before=table_marks.values_before(labels, memo),
        laid_by=laid_by(labels, memo),
        winning=table_marks.marked_for_any(labels, "winning", memo),
        threatened=table_marks.marked_for_any(labels, "threatened", memo),
        lit=table_marks.marked_for_any(labels, "lit", memo),
        pale=table_marks.marked_for_any(labels, "pale", memo),
        areas=table_marks.spaces(labels, "areas", memo),
        apart_pieces={} if seat is None else table_marks.apart_pieces(labels, seat),
        standings=outcome.standings(labels),
        **more,
    )


def own(
    labels: Labels,
    seat: int,
    question: int | None,
    everybody: Now,
    memo: Memo | None = None,
    acts: bool = True,
    hold_seconds: float = 0,
    may: tuple[str, ...] = (),
) -> Mapping[str, Any]:
    """Return what a seat is shown differently from everybody: whole fields of `now`; of zones and scores, the differing
    ones.

    question: number of the seat's decision, None if it is not to answer; acts: it may act, as at no past moment;
    hold_seconds: seconds for which a bot's answer is held back for its undo; may: what it may do besides answering.
    """
    game, memo = labels.game, memo or NoMemo()
    pending, ended = game.pending, game.position.ended
    over = acts and (bool(game.cut_off) or ended)
    waiting, undo = pending.awaited(seat), acts and game.can_undo(seat)
    sealed = sealed_pieces(labels, seat) if pending.sealed else ()
    if not acts or seat not in pending.seats:
        question = None
    # A question tells what others have named before.
    log_length = game.log.length if question is not None and game.program.has_dropouts else 0
    differs = waiting != everybody.waiting
    moves_now = last_moves(labels, seat, memo)
    own_moves = None if moves_now == everybody.moves else moves_now

    def build() -> Mapping[str, Any]:
        changed = _own_table(labels, seat, everybody, memo)
        if game.program.apart_pieces:
            changed["apart_pieces"] = table_marks.apart_pieces(labels, seat)
        if differs:
            changed["waiting"] = waiting
        if own_moves is not None:
            changed["moves"] = own_moves
        if undo:
            changed["undo"] = True
        if question is not None and (decision := question_now(labels, seat, question, memo)) is not None:
            changed["asked"] = decision
        if sealed:
            changed["sealed"], changed["laid"] = sealed, _sealed_target(labels, seat)
        if over:
            has_own_scores, _, _ = memo.fixed("owned", lambda: _parts_of_owners(game.program))
            changed["curve"] = outcome.points_by_round(labels, seat) if has_own_scores else everybody.curve
        if hold_seconds:
            changed["held"] = hold_seconds
        if may:
            changed["may"] = may
        return changed

    # The course of a game that is over is not all in its state.
    key = (
        question,
        log_length,
        differs and waiting,
        own_moves,
        undo,
        sealed,
        ended,
        hold_seconds,
        may,
        game if over else None,
    )
    return memo.once(("own", labels.language, seat), build, key)


def _own_table(labels: Labels, seat: int, everybody: Now, memo: Memo) -> dict[str, Any]:
    """Return the parts of the table that a seat sees differently from everybody."""
    game, changed = labels.game, dict[str, Any]()
    zones = memo.fixed(
        ("apart", seat), lambda: [one for one in _spaces(labels) if game.position.may_look_different(one, seat)]
    )
    part = "apart"
    if game.over:
        part, zones = "apart at the end", _hidden_at_end(labels, zones)
    if zones:
        changed["zones"] = _zones_now(labels, seat, zones, memo, part)
    scores, powers, owners = memo.fixed("owned", lambda: _parts_of_owners(game.program))
    if scores and not game.position.ended:
        mine = _scores(labels, seat, memo).items()
        changed["scores"] = {name: score for name, score in mine if everybody.scores.get(name) != score}
    if (measures := table_marks.measures(labels, seat, memo)) != everybody.measures:
        changed["measures"] = measures
    if powers:
        changed["powers"] = _powers(labels, seat, memo)
    if owners:
        changed["owners"] = _owners(labels, seat, memo)
    return changed


def _parts_of_owners(program: Program) -> tuple[bool, bool, bool]:
    """Return whether some scores are seen by their owner only, the same of powers, and whether owners may see pieces
    differently."""
    return (
        any(line.seen_by == "owner" for line in program.scoring),
        any(power.seen_by == "owner" for power in program.powers.values()),
        bool(program.layout.marks),
    )


def lines(labels: Labels, seat: int | None, start: int, steps: Sequence[PastStep]) -> tuple[Line, ...]:
    """Return the log from a line on, as a seat or a spectator (None) reads it. steps: the game's, each of which brought
    some lines."""
    return tuple(line(labels.game, n, labels.language, seat, steps) for n in range(start, labels.game.log.length))


def line(game: Game, number: int, language: str, seat: int | None, steps: Sequence[PastStep]) -> Line:
    """Return one line of the log, from 0."""
    text = game.log.line(number, seat, language)
    step = bisect_right(steps, number, key=_lines_of)
    short = (text.notation, text.actor, steps[step].answers) if text.notation else ()
    if any(part.seat is not None or part.piece for part in text.parts):
        return Line("", tuple(map(_part, text.parts)), text.heading, text.round, step, text.sentence, *short)
    words = "".join([part.text for part in text.parts])
    return Line(words, (), text.heading, text.round, step, None, *short)


_lines_of = attrgetter("lines")
"""Sort key of steps: lines of the log by then."""


def _part(part: LogPart) -> str | NamedPart:
    """Return a part of a log line as it is sent."""
    if part.seat is not None:
        return NamedPart(part.text, part.seat)
    return NamedPart(part.text, piece=part.piece, count=part.count) if part.piece else part.text


def sealed_pieces(labels: Labels, seat: int) -> tuple[str, ...]:
    """Return the pieces in a seat's sealed answer, which it alone may see, by name."""
    return tuple(key for key in labels.game.pending.sealed_keys(seat) if labels.type(key) is not None)


def _sealed_target(labels: Labels, seat: int) -> str:
    """Return the zone to which the pieces of a seat's sealed answer go, or ''."""
    decisions = [answered.decision for answered in labels.game.pending.sealed if answered.seat == seat]
    return flow_analysis(labels.game).targets.get(decisions[-1], "") if decisions else ""


def result_text(labels: Labels) -> str:
    """Return who has won, or why nobody has, in words; '' before the end."""
    game = labels.game
    if not game.over:
        return ""
    standings, limited = game.standings(), game.position.limit_text()
    texts = [labels.say(one) for one in ([limited] if limited is not None else [])]
    texts += map(labels.say, early_end_texts(game.names, game.conceded, game.late, game.cut_off))
    if standings and game.cut_off != AGREED:
        texts.append(winners(standings, labels.names(one.seat for one in standings), labels.localizer))
    return " ".join(texts)


def _spaces(labels: Labels) -> list[StateZone]:
    """List the zones that are shown on the table."""
    return [space for space in labels.game.program.layout.zones if labels.edition.zones[space.name].shown]


def _zones(labels: Labels, seat: int | None, memo: Memo) -> Mapping[str, ZoneNow]:
    """Return the visible zones by name, owner and word. Once the game is over, all see what any seat has seen, except
    in zones that stay hidden."""
    spaces, over = memo.fixed("spaces", lambda: _spaces(labels)), labels.game.over

    def build() -> Mapping[str, ZoneNow]:
        if not over:
            return _zones_now(labels, seat, spaces, memo, "all")
        closed = memo.fixed("closed", lambda: _hidden_at_end(labels, spaces))
        opened = _zones_now(labels, NARRATOR, spaces, memo, "all")
        return {**opened, **_zones_now(labels, seat, closed, memo, "closed")} if closed else opened

    return memo.once(("zones", labels.language, seat), build, over)


def _hidden_at_end(labels: Labels, spaces: Sequence[StateZone]) -> list[StateZone]:
    """Return the zones that stay hidden when the game is over."""
    return [space for space in spaces if space.name in labels.edition.hidden_at_end]


def _zones_now(
    labels: Labels, seat: int | None, spaces: Sequence[StateZone], memo: Memo, part: str
) -> Mapping[str, ZoneNow]:
    """Return some zones as a seat sees them. part: names these zones among all in the memo."""
    game = labels.game

    def build(space: StateZone) -> ZoneNow:
        return _zone_view(labels, game.position.zone(space, seat), memo)

    names = memo.fixed(("zone names", part, seat), lambda: [zone_key(game.program, space) for space in spaces])
    contents = memo.each(("each zone", labels.language, part, seat), spaces, build)
    return dict(zip(names, contents, strict=True))


def zone_key(program: Program, space: StateZone) -> str:
    """Return a unique name for a zone, as pages use it: NAME/SEAT/WORD, '' for what does not own it."""
    word = program.words[space.of][space.owner] if space.of in program.words else ""
    return "/".join((space.name, str(space.owner) if space.of == SEAT else "", word))


def _zone_view(labels: Labels, zone: ZoneView, memo: Memo) -> ZoneNow:
    """Return a zone as a page gets it: its pieces, or words for what is hidden."""
    name, count, owner, word, pieces = zone.name, zone.count, zone.owner, zone.word, zone.pieces
    if pieces is not None:
        return ZoneNow(name, count, owner, word, pieces)
    if zone.known:
        known = tuple([piece for piece, _ in zone.known])
        return ZoneNow(name, count, owner, word, None, zone_contents(labels, zone), known)
    hidden = memo.fixed(("hidden", labels.language, name, count), lambda: zone_contents(labels, zone))
    return ZoneNow(name, count, owner, word, None, hidden)


def last_moves(labels: Labels, seat: int | None, memo: Memo | None = None) -> tuple[Move, ...]:
    """Return what has moved last, as a reader sees it."""
    memo, history = memo or NoMemo(), labels.game.history
    spaces = memo.fixed("moving", lambda: _zones_by_key(labels))
    successors = memo.fixed("successors", lambda: successors_of_zones(labels.edition, spaces))

    def build() -> list[ZoneChanges]:
        return [ZoneChanges(labels.game.program, spaces, successors, states) for states in history.transitions()]

    key = history.last_change
    changes = memo.once("changes", build, key)
    reader = None if all(one.are_seen_alike(seat) for one in changes) else seat
    return memo.once(("moves", reader), lambda: next(filter(None, (one.moves(reader) for one in changes)), ()), key)


def moves_since(labels: Labels, seat: int, before: Game) -> tuple[Move, ...]:
    """Return what has moved since an earlier position of the game, as a seat sees it."""
    history = labels.game.history
    states = [before.history.present, *history.states_since(len(before.history.answers))]
    spaces = _zones_by_key(labels)
    return ZoneChanges(labels.game.program, spaces, successors_of_zones(labels.edition, spaces), states).moves(seat)


def _zones_by_key(labels: Labels) -> list[tuple[str, StateZone]]:
    """List the zones that are shown, each with its key."""
    return [(zone_key(labels.game.program, space), space) for space in _spaces(labels)]


def _owners(labels: Labels, seat: int | None, memo: Memo) -> Mapping[str, int]:
    """Return pieces' owners by the pieces' names."""

    layout = labels.game.program.layout
    owner_counters = memo.fixed(
        "owner counters", lambda: [one for one in layout.counters if can_show_owners(labels.edition, one.name)]
    )

    def build() -> Mapping[str, int]:
        # The name of a piece that has marks is another one.
        zones = _zones(labels, seat, memo).values() if layout.marks else ()
        visible = chain.from_iterable(zone.pieces or () for zone in zones)
        return owners(labels, {one.name: labels.game.position.counter(one) for one in owner_counters}, visible)

    return memo.once(("owners", seat), build) if owner_counters else {}


def _counter_views(labels: Labels, memo: Memo) -> _CountersNow:
    """Return the visible counters in words, built once for all seats of a state."""
    counters, position = labels.game.program.layout.counters, labels.game.position
    visible = memo.fixed("counters", lambda: [one for one in counters if labels.edition.counters[one.name].shown])

    def build() -> _CountersNow:
        key = ("each counter", labels.language)
        texts = memo.each(key, visible, lambda one: _counter(labels, one.name, position.counter(one)))
        return {counter.name: one for counter, one in zip(visible, texts, strict=True)}

    return memo.once(("counters", labels.language), build)


def _counter(
    labels: Labels, name: str, values: CounterValue | tuple[CounterValue, ...] | Mapping[str, CounterValue]
) -> str | tuple[str, ...] | Mapping[str, str]:
    """Return a counter's value in words: one text for the table, a list for seats, changed entries for words; '' if
    there is nothing to show."""
    if isinstance(values, tuple):
        return tuple(_counter_text(labels, name, value) for value in values)
    if isinstance(values, Mapping):
        return {word: labels.counter_value(name, values[word]) for word in labels.changed_words(name, values)}
    return _counter_text(labels, name, values)


def _counter_text(labels: Labels, name: str, value: CounterValue) -> str:
    """Return a counter's value in words; '' if it says nothing about the game."""
    return labels.counter_value(name, value) if labels.is_informative(name, value) else ""


def _powers(labels: Labels, seat: int | None, memo: Memo) -> tuple[tuple[str, ...], ...]:
    """Return, for each seat, the powers that it is seen to have."""
    game = labels.game
    pairs = memo.fixed(
        ("powers", seat),
        lambda: [
            (name, owner)
            for owner in range(len(game.names))
            for name, power in game.program.powers.items()
            if sees_power(power, owner, seat)
        ],
    )

    def build() -> tuple[tuple[str, ...], ...]:
        flags = memo.each(("each power", seat), pairs, lambda pair: game.position.has_power(*pair))
        held_powers = [pair for pair, one in zip(pairs, flags, strict=True) if one]
        return tuple(tuple(name for name, other in held_powers if other == owner) for owner in range(len(game.names)))

    return memo.once(("powers", seat), build)


def _scores(labels: Labels, seat: int | None, memo: Memo) -> Mapping[str, ScoreNow]:
    """Return the points of each scored seat, as far as a reader may know them."""
    game, over = labels.game, labels.game.position.ended
    if not counts_points(labels.edition, game.program, game.options) or (labels.edition.has_late_points and not over):
        return {}
    scored = memo.fixed("scored", lambda: [other for other in range(len(game.names)) if game.position.is_scored(other)])

    def build() -> Mapping[str, ScoreNow]:
        points = memo.each(
            ("each score", labels.language, over, seat),
            scored,
            lambda other: _score(labels, game.position.score(other, seat, over)),
        )
        return {str(other): score for other, score in zip(scored, points, strict=True)}

    return memo.once(("scores", labels.language, over, seat), build)


def _score(labels: Labels, score: ScoreView) -> ScoreNow:
    """Return a seat's score as it is sent."""
    text = labels.say(phrase("page", "{points} [point|points]", points=score.known))
    return ScoreNow(text, tuple((name, points) for name, points in score.lines), score.total)
