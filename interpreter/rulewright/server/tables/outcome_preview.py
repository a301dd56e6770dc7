"""What the answers to a seat's question lead to, for whoever asks: worked out apart from the tables, and once for all
devices of a seat. It is told after the question, which waits for nothing."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from weakref import WeakKeyDictionary

from rulewright.base.diagnostics import RulewrightError
from rulewright.players.answer_outcomes import AnswerOutcome
from rulewright.publish import outcome_texts
from rulewright.publish.labels import Labels
from rulewright.server.tables.table import Table
from rulewright.server.views.document import LeadsTold, Tried

MOST_KEPT = 64  # of the last questions of a table
TryWanted = tuple[int, tuple[str, ...]]
"""The number of a question, and the keys of one answer; none for each of the question's answers."""

_kept: WeakKeyDictionary[Table, OrderedDict[tuple[int, TryWanted], dict[str, AnswerOutcome]]] = WeakKeyDictionary()


async def tried(table: Table, seat: int, wanted: TryWanted) -> dict[str, AnswerOutcome] | None:
    """By its key, or '' for one that was given, what each answer leads to; None where the seat is not asked that."""
    question, take = wanted
    game = table.game
    if game is None or question != table.question(seat) or seat not in dict(game.asked()):
        return None
    kept = _kept.setdefault(table, OrderedDict())
    if (seat, wanted) not in kept:
        known, asked = game.known(seat)
        try:
            answers = (
                {"": outcome_texts.answer_of_keys(game, known, asked, take)}
                if take
                else outcome_texts.answers(game, known, asked)
            )
            found = await table.hall.thinkers.outcomes(
                table.record.id, table.pinned, game.machine, known, asked, list(answers.values())
            )
        except RulewrightError:  # no such answer is offered
            return None
        kept[seat, wanted] = dict(zip(answers, found, strict=True))
        while len(kept) > MOST_KEPT:
            kept.popitem(last=False)
    return kept[seat, wanted]


def told(labels: Labels, seat: int, wanted: TryWanted, found: Mapping[str, AnswerOutcome], reader: int = 0) -> Tried:
    """What is told of it, in the reader's language. Answers of which nothing is known are left out."""
    each = {key: outcome_texts.outcome_texts(labels, seat, outcome) for key, outcome in found.items()}
    return Tried(
        question=wanted[0],
        take=wanted[1],
        leads={
            key: LeadsTold(one.texts, one.perhaps, one.idle, one.why, one.warning)
            for key, one in each.items()
            if one.has_text
        },
        doubt=outcome_texts.uncertainty_note(labels, [found[key] for key, one in each.items() if one.perhaps]),
        reader=reader,
    )
