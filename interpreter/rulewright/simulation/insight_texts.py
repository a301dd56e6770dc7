"""Sentences on games of players that think, for the designer of a game."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.i18n.localizer import phrase
from rulewright.simulation.findings import seats_sentence
from rulewright.simulation.insight import OFTEN, Insight, weaker_kind
from rulewright.simulation.plan import Plan
from rulewright.simulation.report_names import GameWords
from rulewright.simulation.report_texts import ReportTexts

RUNAWAY = 0.8
"""Share of games that whoever leads halfway must surely win for the lead to be called running away."""
MAX_DEAD = 5
"""Most answers that are named."""


def sentences(texts: ReportTexts, words: GameWords, plan: Plan, insight: Insight) -> list[str]:
    """Return what the games show, each with its interval."""
    games = phrase("report", "{games} [game|games] of players that think.", games=insight.games)
    return [texts.say(games), *_sentences(texts, words, plan, insight)]


def _sentences(texts: ReportTexts, words: GameWords, plan: Plan, insight: Insight) -> Iterator[str]:
    """Yield a sentence for each figure that there is: seats, depth, lead, its end, halfway, and dead answers."""
    scored = [seat for seat, place in enumerate(plan.seats) if not place.role]
    if insight.wins and len(scored) > 1:
        names = [texts.say(phrase("report", "Seat {number}", number=seat + 1)) for seat in scored]
        yield seats_sentence(texts, names, [insight.wins[seat] for seat in scored], 1 / len(scored))
    kinds = dict.fromkeys(place.player for place in plan.seats if weaker_kind(place.player))
    if insight.depth is not None and len(kinds) == 1:
        [kind] = kinds
        slots = {
            "strong": texts.localizer.quote(kind),
            "weak": texts.localizer.quote(weaker_kind(kind) or ""),
            "share": texts.value_with_interval(insight.depth, True),
        }
        if insight.depth.low > 0.5:
            message = phrase("report", "More thinking wins: {strong} is ahead of {weak} in {share} of cases.", **slots)
        else:
            message = phrase(
                "report",
                "Whether more thinking wins cannot be told: {strong} is ahead of {weak} in {share} of cases.",
                **slots,
            )
        yield texts.say(message)
    if insight.changes is not None:
        times = texts.value_with_interval(insight.changes)
        yield texts.say(phrase("report", "Drama: the lead changes {times} times in a game.", times=times))
    if insight.settled is not None:
        part = texts.value_with_interval(insight.settled, True)
        yield texts.say(phrase("report", "Whoever wins leads for good after {part} of the game.", part=part))
    if insight.halfway is not None:
        part = texts.value_with_interval(insight.halfway, True)
        message = phrase("report", "Whoever leads halfway wins {part} of games.", part=part)
        if insight.halfway.low > RUNAWAY:
            message = phrase("report", "The lead runs away: whoever leads halfway wins {part} of games.", part=part)
        yield texts.say(message)
    if insight.dead:
        answers = [
            texts.localizer.with_note(words.choice(decision, choice), words.decision(decision))
            for decision, choice in insight.dead[:MAX_DEAD]
        ]
        yield texts.say(
            phrase(
                "report",
                "Nobody who plays well ever chooses, though offered {often} times or oftener: {answers}.",
                often=OFTEN,
                answers=texts.localizer.join_parts(answers),
            )
        )
