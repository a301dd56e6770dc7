"""What a search found, in words: for a terminal, and for a page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rulewright.i18n.localizer import Argument, Phrase, Speech, phrase
from rulewright.simulation.statistics import Estimate
from rulewright.simulation.tuning import pareto_front
from rulewright.simulation.tuning.configurations import CandidateGames
from rulewright.simulation.tuning.pareto_front import Verdict
from rulewright.simulation.tuning.search_space import Candidate
from rulewright.simulation.tuning.tuning import Tuning, seated_in_words


def what_is_tried(tuning: Tuning, speech: Speech) -> str:
    """The values and the goals, as a question."""
    slots: dict[str, Argument] = {
        "names": speech.list([each.name for each in tuning.space.varied]),
        "title": tuning.rules.title,
        "goals": speech.parts([goal.said(speech) for goal in tuning.goals]),
    }
    return speech.say(phrase("tuning", "{title}: which {names}? {goals}.", **slots))


def how_it_is_played(tuning: Tuning, speech: Speech) -> str:
    """Who plays, how much, and on which seeds."""
    slots: dict[str, Argument] = {
        "seats": len(tuning.table.seated),
        "players": seated_in_words(tuning.table.seated),
        "games": tuning.table.games,
        "seed": str(tuning.table.seed),
    }
    return speech.say(
        phrase(
            "tuning",
            "{seats} seats, clockwise: {players}. Every candidate plays {games} games from the same seeds (those of "
            "seed {seed}).",
            **slots,
        )
    )


def how_many(tuning: Tuning, speech: Speech) -> str:
    """How many candidates there are, and how many were tried."""
    tried, failed = len(tuning.tried), sum(not each.sound for each in tuning.tried)
    slots: dict[str, Argument] = {"tried": tried, "all": tuning.space.size}
    told = []
    if tuning.ended == "all":
        told.append(phrase("tuning", "All {all} combinations were tried.", **slots))
    elif tuning.ended == "stopped":
        told.append(phrase("tuning", "You stopped the search after {tried} of {all} combinations.", **slots))
    elif tuning.ended == "time":
        told.append(phrase("tuning", "The time was up after {tried} of {all} combinations.", **slots))
    else:
        told.append(phrase("tuning", "{tried} of {all} combinations were tried.", **slots))
    if tuning.drawn:
        told.append(
            phrase(
                "tuning",
                "They were drawn at random: Optuna, which looks where good ones are, is not installed ({command}).",
                command="pip install 'rulewright[tune]'",
            )
        )
    if failed:
        told.append(phrase("tuning", "{failed} of them cannot be played.", failed=failed))
    return " ".join(map(speech.say, told))


def values(tuning: Tuning, candidate: Candidate, speech: Speech) -> str:
    """hand limit 8 instead of 10, refill size 6; what stays as it is is told, too."""
    parts = []
    for each, value in zip(tuning.space.varied, candidate, strict=True):
        slots: dict[str, Argument] = {"name": each.name, "value": value.replace("-", "−", value[:1] == "-")}
        if value == each.now:
            parts.append(speech.say(phrase("tuning", "{name} {value} as it is", **slots)))
        else:
            parts.append(speech.say(phrase("tuning", "{name} {value} instead of {now}", now=each.now, **slots)))
    return speech.list(parts)


def why(tuning: Tuning, speech: Speech) -> str:
    """Why the first of the best is proposed."""
    best, proposed = tuning.best(), tuning.proposed()
    own = proposed.candidate == tuning.space.now
    if own and best and best[0].candidate != tuning.space.now:
        slots: dict[str, Argument] = {
            "number": tuning.number(best[0].candidate),
            "games": tuning.fresh_table.games if tuning.is_checked(best[0].candidate) else tuning.table.games,
        }
        told = phrase(
            "tuning",
            "No. {number} looks best, but {games} games cannot show that it is nearer to any goal than the edition's "
            "own values. So no others are proposed; more --games may tell.",
            **slots,
        )
        return speech.say(told)
    if len(tuning.goals) == 1:
        if own:
            told = phrase("tuning", "No other values come nearer to the goal than the edition's own.")
        else:
            told = phrase("tuning", "Of all that were tried, these values come nearest to the goal.")
        return _with_unchanged(tuning, speech.say(told), speech)
    slots = {"count": len(best)}
    if own:
        return speech.say(
            phrase(
                "tuning",
                "{count} combinations are beaten by no other in all goals at once. Of these the edition's own values "
                "are the best compromise.",
                **slots,
            )
        )
    compromise = speech.say(
        phrase(
            "tuning",
            "{count} combinations are beaten by no other in all goals at once. Of these this one is the best "
            "compromise: nearest to the best of every goal.",
            **slots,
        )
    )

    return _with_unchanged(tuning, compromise, speech)


def _with_unchanged(tuning: Tuning, said: str, speech: Speech) -> str:
    """The same, and what the best candidate changes besides without need."""
    best, proposed = tuning.best()[0].candidate, tuning.proposed().candidate
    pairs = zip(tuning.space.varied, best, proposed, strict=True)
    names = [f"{each.name} {value}" for each, value, kept in pairs if value != kept]
    if not names:
        return said
    slots: dict[str, Argument] = {"names": speech.list(names), "number": tuning.number(best)}
    told = phrase(
        "tuning",
        "No. {number} has {names} besides; these games cannot show that this helps, so it stays as it is.",
        **slots,
    )
    return f"{said} {speech.say(told)}"


def proposal(tuning: Tuning, speech: Speech) -> Iterator[str]:
    """A sentence for each goal: what the proposed values bring, on fresh games if there are any, and how surely."""
    proposed = tuning.proposed()
    if proposed.candidate == tuning.space.now:
        return
    fresh = tuning.is_checked(proposed.candidate)
    known = tuning.fresh if fresh else {each.candidate: each for each in (tuning.base, *tuning.tried)}
    base, chosen = known[tuning.space.now], known[proposed.candidate]
    for verdict in pareto_front.verdicts(tuning.goals, base, chosen):
        yield one_goal(verdict, base, chosen, speech)
    if fresh:
        yield speech.say(
            phrase(
                "tuning",
                "The best of many looks better in the games by which it was found than it is. The figures above are of "
                "{games} fresh games (seed {seed}); in the search it had: {figures}.",
                games=tuning.fresh_table.games,
                seed=str(tuning.fresh_table.seed),
                figures=speech.parts(list(_entries(tuning, proposed, speech))),
            )
        )
    else:
        yield speech.say(
            phrase(
                "tuning",
                "These are figures of the games by which the values were found. The best of many looks better there "
                "than it is; it was not checked on fresh games.",
            )
        )


def _entries(tuning: Tuning, played: CandidateGames, speech: Speech) -> Iterator[str]:
    for goal in tuning.goals:
        figure = goal.figure(goal.estimate(played.values[goal.name]), speech)
        yield speech.entry(goal.measure.told(speech), figure)


def one_goal(verdict: Verdict, base: CandidateGames, chosen: CandidateGames, speech: Speech) -> str:
    """Length, in decisions: 45.3 (44.9 to 45.7) instead of 52.1 (51.7 to 52.5). Surely nearer to the goal, by 6.5 …"""
    goal = verdict.goal
    there, here = (goal.figure(goal.estimate(each.values[goal.name]), speech) for each in (base, chosen))
    much = goal.figure(_upward(verdict.nearer.estimate), speech)
    slots: dict[str, Argument] = {"what": goal.measure.told(speech), "here": here, "there": there, "much": much}
    match verdict.says:
        case "better":
            told = phrase("tuning", "{what}: {here} instead of {there}. Surely nearer to the goal, by {much}.", **slots)
        case "worse":
            told = phrase(
                "tuning", "{what}: {here} instead of {there}. Surely farther from the goal, by {much}.", **slots
            )
        case "same":
            told = phrase("tuning", "{what}: {here}, as with the edition's own values.", **slots)
        case _:
            told = phrase(
                "tuning",
                "{what}: {here} instead of {there}. That is no difference that these games can show.",
                **slots,
            )
    return speech.say(told)


def _upward(estimate: Estimate) -> Estimate:
    if estimate.value >= 0:
        return estimate
    return replace(estimate, value=-estimate.value, low=-estimate.high, high=-estimate.low)


def verdict_word(says: str) -> Phrase:
    """A verdict in a table."""
    return {
        "better": phrase("tuning", "surely nearer"),
        "worse": phrase("tuning", "surely farther"),
        "same": phrase("tuning", "the same"),
    }.get(says, phrase("tuning", "cannot be told apart"))
