"""Previews of what the answers to a seat's decision lead to, computed once for all devices of the seat.

They are sent after the question, which does not wait for them.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Collection, Mapping
from weakref import WeakKeyDictionary

from rulewright.base.diagnostics import RulewrightError
from rulewright.game.picks import knows_all
from rulewright.players.answer_outcomes import AnswerOutcome
from rulewright.program.appearance import type_with_marks
from rulewright.publish import outcome_texts
from rulewright.publish.labels import Labels
from rulewright.server.tables.table import Table
from rulewright.server.views.question_view import question_after
from rulewright.server.views.replies import LeadsTold, Tried

MAX_CACHED = 64
"""Limit of a table's requests whose outcomes are cached, the last ones."""
MAX_FOLLOWED = 40
"""Most picks of one question of which it is told what would be asked next; of more, it is told of none."""
PreviewRequest = tuple[int, tuple[str, ...]]
"""Request: the decision's number, and the keys of one answer, or none for each of its answers."""

_cache: WeakKeyDictionary[Table, OrderedDict[tuple[int, PreviewRequest], dict[str, AnswerOutcome]]] = (
    WeakKeyDictionary()
)
"""Outcomes of a table's previews by answer, for each seat and request; the newest last."""


async def preview_outcomes(table: Table, seat: int, request: PreviewRequest) -> dict[str, AnswerOutcome] | None:
    """Work out what answers lead to, by key ('' for the answer given in the request); None if the seat is not asked
    that, or offered no such answer."""
    question, take = request
    game = table.game
    if game is None or question != table.question(seat) or seat not in dict(game.pending.ids):
        return None
    cached = _cache.setdefault(table, OrderedDict())
    if (seat, request) not in cached:
        information, decision = game.known(seat)
        try:
            answers = (
                {"": outcome_texts.answer_of_keys(game, information, decision, take)}
                if take
                else outcome_texts.answers_to_preview(game, information, decision)
            )
            outcomes = await table.tables.bot_pool.outcomes(
                table.record.id, table.pinned, game.machine, information, decision, list(answers.values())
            )
        except RulewrightError:  # no such answer is offered
            return None
        cached[seat, request] = dict(zip(answers, outcomes, strict=True))
        while len(cached) > MAX_CACHED:
            cached.popitem(last=False)
    return cached[seat, request]


async def preview_picks(table: Table, seat: int, request: PreviewRequest, language: str, reader: int) -> Tried | None:
    """Tell what would be asked after each pick, before all else about the answers is worked out. Where something is
    hidden from the seat, only of entries of a menu, since only trials can tell picks from other answers. reader: index
    of the reader, for the reply."""
    question, take = request
    game = table.game
    if take or game is None or question != table.question(seat) or seat not in dict(game.pending.ids):
        return None
    labels = Labels(game, language)
    keys: Collection[str] = (
        outcome_texts.answers_to_preview(game, *game.known(seat))
        if knows_all(game, seat)
        else outcome_texts.picks_of_menu(game, seat)
    )
    followed = {}
    for key in filter(None, keys if len(keys) <= MAX_FOLLOWED else ()):
        await asyncio.sleep(0)  # others are served meanwhile
        if question != table.question(seat):
            return None
        followed[key] = question_after(labels, seat, key)
    leads = {key: LeadsTold(next=asked) for key, asked in followed.items() if asked}
    return Tried(question=question, leads=leads, reader=reader) if leads else None


def describe_outcomes(
    labels: Labels, seat: int, request: PreviewRequest, outcomes: Mapping[str, AnswerOutcome], reader: int = 0
) -> Tried:
    """Describe outcomes in the reader's language, leaving out answers about which nothing is known."""
    decision = labels.game.decision(seat, labels.language)
    if decision is not None:
        outcomes = outcome_texts.telling_outcomes(labels, decision, outcomes)
    picks = [key for key, one in outcomes.items() if one.pick]
    followed = picks if len(picks) <= MAX_FOLLOWED else ()
    each = {key: outcome_texts.outcome_texts(labels, seat, outcome) for key, outcome in outcomes.items()}
    return Tried(
        question=request[0],
        take=request[1],
        leads={
            key: LeadsTold(
                one.texts, one.perhaps, one.idle, one.reason, one.warning, question, landing, routes, touched
            )
            for key, one in each.items()
            for question in [question_after(labels, seat, key) if key in followed else None]
            for landing in [_landing(labels, outcomes[key])]
            for routes in [_routes(labels, seat, outcomes[key])]
            for touched in [outcomes[key].touched]
            if one.has_text or question or landing or routes or touched
        },
        doubt=outcome_texts.uncertainty_note(labels, [outcomes[key] for key, one in each.items() if one.perhaps]),
        reader=reader,
    )


def _landing(labels: Labels, outcome: AnswerOutcome) -> tuple[str, str] | None:
    """Return the piece that an answer brings onto a board, by its name, and the word of its space."""
    if outcome.landing is None:
        return None
    appearance, cell = outcome.landing
    program = labels.game.program
    space = next(zone for zone in program.layout.zones if zone.address == cell)
    return type_with_marks(program, appearance).name, labels.edition.words[space.of].words[space.owner].name


def _routes(labels: Labels, seat: int, outcome: AnswerOutcome) -> tuple[tuple[tuple[str, ...], str], ...]:
    """Return the routes that begin with an answer: the keys of the answers, and the word of the space at the end."""
    if not outcome.routes:
        return ()
    program = labels.game.program
    _, decision = labels.game.known(seat)
    words = program.words[str(program.sites[decision.site].element.detail)]
    return tuple((tuple(words[item] for item in items), words[space]) for items, space in outcome.routes)
