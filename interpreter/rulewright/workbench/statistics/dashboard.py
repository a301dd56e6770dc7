"""Statistics of a table's games as page data: estimates with their uncertainty, and what never happened.

An estimate is a list: the value, and the two ends of its interval; None while unknown.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from rulewright.base.diagnostics import SourcePlace
from rulewright.model.editions import name_of
from rulewright.runtime.game_statistics import EMPTY, SOME, CountedDecision
from rulewright.runtime.view import HIDDEN
from rulewright.simulation import choices, statistics
from rulewright.simulation.choices import DecisionCount
from rulewright.simulation.comparison import Comparison, compare
from rulewright.simulation.quantities import SEAT, GameGroup, Quantity, of_seat, of_seats, quantities
from rulewright.simulation.results import SettingResults
from rulewright.simulation.sample import Sample
from rulewright.simulation.statistics import Estimate
from rulewright.workbench.statistics.game_sample import GameSample
from rulewright.workbench.statistics.table_sentences import SentencePlace

FigureData = dict[str, Any]
"""Numbers and texts of the page, as they are encoded to JSON."""

MIN_OFFERS = 100
"""Number of offers from which on it is significant that an answer was never given."""

_MAX_BARS = 24
"""Maximum number of bars of a histogram; wider bars where there are more values."""
_MAX_DECISIONS = 20
"""Maximum number of kinds of decisions that the page shows."""


def sample_statistics(trial: GameSample, file: str) -> FigureData:
    """Return all statistics of a sample. file: of the edition, as the places of its sentences name it."""
    group = trial.group()
    setting = group.setting
    data: FigureData = {
        "games": trial.games,
        "ended": len(setting.games),
        "limited": setting.limited,
        "stopped": _failed_games(setting),
        "seconds": round(trial.seconds, 2),
        "never": _unreached(trial, group, file),
    }
    if not len(setting.games):
        return data
    known = {quantity.key: quantity for quantity in quantities(setting)}
    return data | {
        "quantities": {key: _quantity_data(quantity, group) for key, quantity in known.items()},
        "fair": group.fair,
        "seats": list(_seats(group, known)),
        "courses": {key: _histogram(known[key].values(group)) for key in ("rounds", "decisions") if key in known},
        "lines": list(_lines(group, known)),
        "decisions": [
            _decision_data(each, trial, file) for [each] in choices.count_decisions([setting])[:_MAX_DECISIONS] if each
        ],
    }


def _failed_games(setting: SettingResults) -> FigureData:
    """Count the games that could not be finished; give the error and the seed (which may be large) of the first."""
    first = next(iter(setting.stopped), None)
    return {
        "games": len(setting.stopped),
        "seed": "" if first is None else str(first.seed),
        "why": "" if first is None else first.reason,
    }


def differences(before: GameSample, after: GameSample) -> FigureData:
    """Compare the games of two tables, the most significant differences first."""
    comparison = compare([before.group("before"), after.group("after")])
    return {
        "games": [before.games, after.games],
        "paired": any(each.difference.paired for each in comparison.compared),
        "rows": list(_comparison_rows(comparison)),
        "only": {
            "before": _only(before, after),
            "after": _only(after, before),
        },
    }


def estimate(estimated: Estimate) -> list[float] | None:
    """Return an estimate as a list of value, low and high; None while unknown."""
    return [_rounded(estimated.value), _rounded(estimated.low), _rounded(estimated.high)] if estimated.known else None


def _rounded(number: float) -> float:
    """Round to six significant digits."""
    return float(f"{number:.6g}")


def _quantity_data(quantity: Quantity, group: GameGroup) -> FigureData:
    return {
        "section": quantity.section,
        "shares": quantity.shares,
        "estimate": estimate(quantity.estimate(group)),
    }


def all_estimates(trial: GameSample) -> dict[str, list[float] | None]:
    """Return the estimate of every quantity by key; nothing if no game has ended."""
    group = trial.group()
    if not len(group.setting.games):
        return {}
    return {quantity.key: estimate(quantity.estimate(group)) for quantity in quantities(group.setting)}


def _seats(group: GameGroup, known: dict[str, Quantity]) -> Iterator[FigureData]:
    """Yield the statistics of each scored seat. Their `odd` is 1 if it wins significantly more than its fair share, -1
    less, 0 neither."""
    keys = [key for key in known if key.startswith(SEAT)]
    values = [known[key].values(group) for key in keys]
    chances = statistics.holm([statistics.by_chance(won, group.fair) for won in values])
    for key, won, chance in zip(keys, values, chances, strict=True):
        seat = int(key.removeprefix(SEAT)) - 1
        above = 1 if won.mean() > group.fair else -1
        total = of_seat(group.setting, "total", seat)
        yield {
            "seat": seat,
            "player": group.plan.seats[seat].player,
            "role": group.plan.seats[seat].role,
            "won": estimate(known[key].estimate(group)),
            "total": estimate(statistics.mean(total)),
            "odd": above if len(won) > 1 and chance < statistics.CHANCE else 0,
        }


def _histogram(values: Sample) -> FigureData:
    """Return a histogram, with neighbouring numbers joined if there are many, the median, and the ends between which
    nine in ten games lie.
    """
    low, high = int(values.min()), int(values.max())
    wide = max(1, math.ceil((high - low + 1) / _MAX_BARS))
    edges = np.arange(low, high + wide + 1, wide)
    counts = np.histogram(values.values, edges, weights=values.counts)[0]
    quantiles = statistics.quantiles(values, (0.05, 0.5, 0.95))
    return {
        "wide": wide,
        "bars": [[int(edge), _rounded(count / len(values))] for edge, count in zip(edges[:-1], counts, strict=True)],
        "middle": quantiles[1],
        "most": [quantiles[0], quantiles[2]],
    }


def _lines(group: GameGroup, known: dict[str, Quantity]) -> Iterator[FigureData]:
    """Yield the points of each scoring line, for each seat and for all."""
    setting = group.setting
    for line in setting.plan.lines:
        key = f"points: {line.name}"
        if key not in known:
            continue
        yield {
            "name": line.name,
            "mean": estimate(known[key].estimate(group)),
            "seats": [_rounded(of_seat(setting, key, int(seat)).mean()) for seat in setting.scored_seats],
            "nothing": _rounded(of_seats(setting, key).map(lambda points: points == 0).mean()),
        }


def _decision_data(counted: DecisionCount, trial: GameSample, file: str) -> FigureData:
    """Describe how often a decision was offered and what its answers were."""
    return {
        "step": counted.step,
        "decision": counted.decision,
        "offered": counted.offered,
        "place": _place(trial.decision_places.get(counted.decision), file),
        "answers": [
            {
                "name": answer.name,
                "offered": answer.times_offered,
                "chosen": answer.times_chosen,
                "taken": estimate(answer.share_chosen),
            }
            for answer in counted.answers
        ],
    }


# ── events that never happened ──


def _unreached(trial: GameSample, group: GameGroup, file: str) -> FigureData:
    """Return what never happened: sentences, answers, pieces and powers."""
    counted = _counts(group) if len(group.setting.games) else {}
    return {
        "sentences": [_sentence(missed, file) for missed in trial.unreached_sentences],
        "of": len(trial.sentences),
        "answers": list(_answers(trial, counted, file)),
        "pieces": _pieces(trial, counted),
        "powers": list(_powers(group)) if len(group.setting.games) else [],
    }


def _counts(group: GameGroup) -> dict[tuple[str, str], tuple[int, int]]:
    """Count how often each answer of each decision was offered and given."""
    result: dict[tuple[str, str], tuple[int, int]] = {}
    for row in group.setting.choices:
        offered, times_given = result.get((row.decision, row.choice), (0, 0))
        offered, times_given = offered + int(row.total("offered")), times_given + int(row.total("chosen"))
        result[row.decision, row.choice] = offered, times_given
    return result


def _answers(trial: GameSample, counted: dict[tuple[str, str], tuple[int, int]], file: str) -> Iterator[FigureData]:
    """Yield answers that were never offered, or offered often and never given. For large sets of answers, such as
    numbers, only what was offered counts."""
    for question in trial.counting.decisions:
        for name in question.choices:
            offered, times_given = counted.get((question.id, name), (0, 0))
            if times_given or name in (HIDDEN, SOME) or (not offered and not _is_menu(question, name)):
                continue
            if offered >= MIN_OFFERS or not offered:
                yield {
                    "step": question.step,
                    "decision": question.id,
                    "name": name,
                    "offered": offered,
                    "place": _place(trial.decision_places.get(question.id), file),
                }


def _is_menu(question: CountedDecision, name: str) -> bool:
    """Return whether an answer is one that the rules list: it should be offered at some time."""
    return question.base == "branch" and name != EMPTY


def _pieces(trial: GameSample, counted: dict[tuple[str, str], tuple[int, int]]) -> list[str]:
    """List the pieces that lay where they began at the end of every game and that nobody ever chose."""
    given_names = {name for (_, name), (_, times) in counted.items() if times}
    moved = {trial.program.types[number].name for number in trial.moved_types}
    names = dict.fromkeys(type_.name for type_ in trial.program.types)
    return [name for name in names if name not in moved | given_names]


def _powers(group: GameGroup) -> Iterator[FigureData]:
    """Yield the powers that nobody ever had, or that no owner ever used."""
    setting = group.setting
    for power in group.plan.powers:
        if f"held: {power}" not in setting.columns:
            continue
        if not _ever(setting, f"held: {power}"):
            yield {"name": power, "held": False}
        elif f"used: {power}" in setting.columns and not _ever(setting, f"used: {power}"):
            yield {"name": power, "held": True}


def _ever(setting: SettingResults, column: str) -> bool:
    """Return whether a column is positive in any game."""
    return any(bool((part.seat(column) > 0).any()) for part in setting.parts())


def _sentence(sentence: SentencePlace, file: str) -> FigureData:
    return {"text": sentence.text, **_place(sentence.place, file)}


def _place(place: SourcePlace | None, file: str) -> FigureData:
    """Describe a place: whether it is in the edition's `own` file, or else the shipped edition that has it, if any."""
    if place is None:
        return {"own": False, "file": "", "line": 0, "column": 0}
    own = place.file == file
    return {
        "own": own,
        "file": "" if own else name_of(Path(place.file)) or "",
        "line": place.line,
        "column": place.column,
    }


# ── differences ──


def _comparison_rows(comparison: Comparison) -> Iterator[FigureData]:
    """Yield the differences, clear ones first."""
    order = sorted(comparison.compared, key=lambda each: (not each.differs, not each.perhaps, -_size(each.size)))
    for each in order:
        yield {
            "key": each.quantity.key,
            "shares": each.quantity.shares,
            "section": each.quantity.section,
            "before": estimate(each.figures[0]),
            "after": estimate(each.figures[1]),
            "difference": estimate(each.difference.estimate),
            "verdict": "differs"
            if each.differs
            else "perhaps"
            if each.perhaps
            else "same"
            if not each.difference.deviation
            else "unclear",
        }


def _size(size: float) -> float:
    """Return a size for sorting: large if it is unknown."""
    return size if math.isfinite(size) else 1e9


def _only(one: GameSample, other: GameSample) -> list[str]:
    """List the quantities that only the first of two tables has; shares of wins are left out."""
    other_estimates = all_estimates(other)
    return [key for key in all_estimates(one) if key not in other_estimates and not key.startswith(SEAT)]
