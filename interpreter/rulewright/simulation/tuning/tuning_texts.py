"""Texts of a search: for a terminal, a page, and the comment at the head of the variant that it proposes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rulewright.i18n.localizer import Argument, Localizer, Phrase, phrase
from rulewright.simulation.statistics import Estimate
from rulewright.simulation.tuning import pareto_front
from rulewright.simulation.tuning.configurations import CandidateGames
from rulewright.simulation.tuning.pareto_front import Verdict
from rulewright.simulation.tuning.search_space import Candidate
from rulewright.simulation.tuning.tuning import Tuning, format_players


def question(tuning: Tuning, localizer: Localizer) -> str:
    """Return the varied values and the goals, as a question."""
    slots: dict[str, Argument] = {
        "names": localizer.list([each.name for each in tuning.space.varied]),
        "title": tuning.rules.title,
        "goals": localizer.join_parts([goal.in_words(localizer) for goal in tuning.goals]),
    }
    return localizer.say(phrase("tuning", "{title}: which {names}? {goals}.", **slots))


def play_note(tuning: Tuning, localizer: Localizer) -> str:
    """Return the players, the number of games, and their seeds."""
    slots: dict[str, Argument] = {
        "seats": len(tuning.table.seated),
        "players": format_players(tuning.table.seated),
        "games": tuning.table.games,
        "seed": str(tuning.table.seed),
    }
    return localizer.say(
        phrase(
            "tuning",
            "{seats} seats, clockwise: {players}. Every candidate plays {games} games from the same seeds (those of "
            "seed {seed}).",
            **slots,
        )
    )


def progress_note(tuning: Tuning, localizer: Localizer) -> str:
    """Return how far the search came, why it ended, and what was amiss: candidates drawn without Optuna, or unsound."""
    tried, failed = len(tuning.tried), sum(not each.sound for each in tuning.tried)
    slots: dict[str, Argument] = {"tried": tried, "all": tuning.space.size}
    phrases = []
    if tuning.ended == "all":
        phrases.append(phrase("tuning", "All {all} combinations were tried.", **slots))
    elif tuning.ended == "stopped":
        phrases.append(phrase("tuning", "You stopped the search after {tried} of {all} combinations.", **slots))
    elif tuning.ended == "time":
        phrases.append(phrase("tuning", "The time was up after {tried} of {all} combinations.", **slots))
    else:
        phrases.append(phrase("tuning", "{tried} of {all} combinations were tried.", **slots))
    if tuning.random_draws:
        phrases.append(
            phrase(
                "tuning",
                "They were drawn at random: Optuna, which looks where good ones are, is not installed ({command}).",
                command="pip install 'rulewright[tune]'",
            )
        )
    if failed:
        phrases.append(phrase("tuning", "{failed} of them cannot be played.", failed=failed))
    return " ".join(map(localizer.say, phrases))


def candidate_text(tuning: Tuning, candidate: Candidate, localizer: Localizer) -> str:
    """Format a candidate: hand limit 8 instead of 10, refill size 6 as it is."""
    parts = []
    for each, value in zip(tuning.space.varied, candidate, strict=True):
        slots: dict[str, Argument] = {"name": each.name, "value": value.replace("-", "−", value[:1] == "-")}
        if value == each.now:
            parts.append(localizer.say(phrase("tuning", "{name} {value} as it is", **slots)))
        else:
            parts.append(localizer.say(phrase("tuning", "{name} {value} instead of {now}", now=each.now, **slots)))
    return localizer.list(parts)


def reason(tuning: Tuning, localizer: Localizer) -> str:
    """Return the reason for which the compromise, or none, is proposed."""
    best, proposed = tuning.best(), tuning.proposed()
    own = proposed.candidate == tuning.space.now
    if own and best and best[0].candidate != tuning.space.now:
        slots: dict[str, Argument] = {
            "number": tuning.number(best[0].candidate),
            "games": tuning.check_table.games if tuning.is_checked(best[0].candidate) else tuning.table.games,
        }
        message = phrase(
            "tuning",
            "No. {number} looks best, but {games} games cannot show that it is nearer to any goal than the edition's "
            "own values. So no others are proposed; more --games may tell.",
            **slots,
        )
        return localizer.say(message)
    if len(tuning.goals) == 1:
        if own:
            message = phrase("tuning", "No other values come nearer to the goal than the edition's own.")
        else:
            message = phrase("tuning", "Of all that were tried, these values come nearest to the goal.")
        return _with_changes_left_out(tuning, localizer.say(message), localizer)
    slots = {"count": len(best)}
    if own:
        return localizer.say(
            phrase(
                "tuning",
                "{count} combinations are beaten by no other in all goals at once. Of these the edition's own values "
                "are the best compromise.",
                **slots,
            )
        )
    compromise = localizer.say(
        phrase(
            "tuning",
            "{count} combinations are beaten by no other in all goals at once. Of these this one is the best "
            "compromise: nearest to the best of every goal.",
            **slots,
        )
    )

    return _with_changes_left_out(tuning, compromise, localizer)


def _with_changes_left_out(tuning: Tuning, text: str, localizer: Localizer) -> str:
    """Return a text, followed by the changes of the best candidate that are left out as not proven."""
    best, proposed = tuning.best()[0].candidate, tuning.proposed().candidate
    pairs = zip(tuning.space.varied, best, proposed, strict=True)
    names = [f"{each.name} {value}" for each, value, proposed_value in pairs if value != proposed_value]
    if not names:
        return text
    slots: dict[str, Argument] = {"names": localizer.list(names), "number": tuning.number(best)}
    message = phrase(
        "tuning",
        "No. {number} has {names} besides; these games cannot show that this helps, so it stays as it is.",
        **slots,
    )
    return f"{text} {localizer.say(message)}"


def proposal(tuning: Tuning, localizer: Localizer) -> Iterator[str]:
    """Yield a sentence for each goal: the effect of the proposed values, in check games if there are any, and how sure
    it is; then a note on these games. Nothing if the edition's own values are proposed."""
    proposed = tuning.proposed()
    if proposed.candidate == tuning.space.now:
        return
    is_checked = tuning.is_checked(proposed.candidate)
    known = tuning.checked if is_checked else {each.candidate: each for each in (tuning.base, *tuning.tried)}
    base, proposed_games = known[tuning.space.now], known[proposed.candidate]
    for verdict in pareto_front.verdicts(tuning.goals, base, proposed_games):
        yield goal_sentence(verdict, base, proposed_games, localizer)
    if is_checked:
        yield localizer.say(
            phrase(
                "tuning",
                "The best of many looks better in the games by which it was found than it is. The figures above are of "
                "{games} fresh games (seed {seed}); in the search it had: {figures}.",
                games=tuning.check_table.games,
                seed=str(tuning.check_table.seed),
                figures=localizer.join_parts(list(_entries(tuning, proposed, localizer))),
            )
        )
    else:
        yield localizer.say(
            phrase(
                "tuning",
                "These are figures of the games by which the values were found. The best of many looks better there "
                "than it is; it was not checked on fresh games.",
            )
        )


def _entries(tuning: Tuning, played: CandidateGames, localizer: Localizer) -> Iterator[str]:
    """Yield each goal with a candidate's figure."""
    for goal in tuning.goals:
        figure = goal.figure(goal.estimate(played.values[goal.name]), localizer)
        yield localizer.entry(goal.measure.title_in(localizer), figure)


def goal_sentence(verdict: Verdict, base: CandidateGames, proposed_games: CandidateGames, localizer: Localizer) -> str:
    """Return a sentence on one goal.

    Length, in decisions: 45.3 (44.9 to 45.7) instead of 52.1 (51.7 to 52.5). Surely nearer to the goal, by 6.5 …
    """
    goal = verdict.goal
    base_figure, figure = (
        goal.figure(goal.estimate(each.values[goal.name]), localizer) for each in (base, proposed_games)
    )
    much = goal.figure(_upward(verdict.nearer.estimate), localizer)
    slots: dict[str, Argument] = {
        "what": goal.measure.title_in(localizer),
        "here": figure,
        "there": base_figure,
        "much": much,
    }
    match verdict.judgement:
        case "better":
            message = phrase(
                "tuning", "{what}: {here} instead of {there}. Surely nearer to the goal, by {much}.", **slots
            )
        case "worse":
            message = phrase(
                "tuning", "{what}: {here} instead of {there}. Surely farther from the goal, by {much}.", **slots
            )
        case "same":
            message = phrase("tuning", "{what}: {here}, as with the edition's own values.", **slots)
        case _:
            message = phrase(
                "tuning",
                "{what}: {here} instead of {there}. That is no difference that these games can show.",
                **slots,
            )
    return localizer.say(message)


def _upward(estimate: Estimate) -> Estimate:
    """Return a difference without its sign."""
    if estimate.value >= 0:
        return estimate
    return replace(estimate, value=-estimate.value, low=-estimate.high, high=-estimate.low)


def verdict_word(judgement: str) -> Phrase:
    """Return a verdict in a table."""
    return {
        "better": phrase("tuning", "surely nearer"),
        "worse": phrase("tuning", "surely farther"),
        "same": phrase("tuning", "the same"),
    }.get(judgement, phrase("tuning", "cannot be told apart"))
