"""What the games of a table come to, as data for a page: figures with their uncertainty, and what never happened.

An estimate is a list: the figure, and the two ends of its interval; None where there is none yet.
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
from rulewright.workbench.statistics.game_sample import Trial
from rulewright.workbench.statistics.table_sentences import SentencePlace

FigureData = dict[str, Any]

OFTEN = 100
"""How often an answer is offered before it means something that nobody ever gave it."""

_MOST_BARS = 24
_MOST_DECISIONS = 20


def figures(trial: Trial, file: str) -> FigureData:
    """All that is told of games. file: of the edition, as the places of its sentences name it."""
    group = trial.group()
    setting = group.setting
    told: FigureData = {
        "games": trial.games,
        "ended": len(setting.games),
        "limited": setting.limited,
        "stopped": _stopped(setting),
        "seconds": round(trial.seconds, 2),
        "never": _never(trial, group, file),
    }
    if not len(setting.games):
        return told
    known = {quantity.key: quantity for quantity in quantities(setting)}
    return told | {
        "quantities": {key: _quantity(quantity, group) for key, quantity in known.items()},
        "fair": group.fair,
        "seats": list(_seats(group, known)),
        "courses": {key: _course(known[key].values(group)) for key in ("rounds", "decisions") if key in known},
        "lines": list(_lines(group, known)),
        "decisions": [_decision(each, trial, file) for [each] in choices.asked([setting])[:_MOST_DECISIONS] if each],
    }


def _stopped(setting: SettingResults) -> FigureData:
    """How many games could not be played to their ends; why not the first, and its seed, which may be a large one."""
    first = next(iter(setting.stopped), None)
    return {
        "games": len(setting.stopped),
        "seed": "" if first is None else str(first.seed),
        "why": "" if first is None else first.why,
    }


def differences(before: Trial, after: Trial) -> FigureData:
    """By how much the games of one table differ from those of another, the clearest first."""
    found = compare([before.group("before"), after.group("after")])
    return {
        "games": [before.games, after.games],
        "paired": any(each.difference.paired for each in found.compared),
        "rows": list(_rows(found)),
        "only": {
            "before": _only(before, after),
            "after": _only(after, before),
        },
    }


def estimate(found: Estimate) -> list[float] | None:
    return [_rounded(found.value), _rounded(found.low), _rounded(found.high)] if found.known else None


def _rounded(number: float) -> float:
    return float(f"{number:.6g}")


def _quantity(quantity: Quantity, group: GameGroup) -> FigureData:
    return {
        "section": quantity.section,
        "shares": quantity.shares,
        "estimate": estimate(quantity.estimate(group)),
    }


def all_estimates(trial: Trial) -> dict[str, list[float] | None]:
    """Every quantity's estimate."""
    group = trial.group()
    if not len(group.setting.games):
        return {}
    return {quantity.key: estimate(quantity.estimate(group)) for quantity in quantities(group.setting)}


def _seats(group: GameGroup, known: dict[str, Quantity]) -> Iterator[FigureData]:
    """Every seat that is scored; odd: 1 where it surely wins more than its fair share, -1 less, 0 neither."""
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


def _course(values: Sample) -> FigureData:
    """How often each number occurs, numbers side by side put together where there are many; and the middle of all."""
    low, high = int(values.min()), int(values.max())
    wide = max(1, math.ceil((high - low + 1) / _MOST_BARS))
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
    """What each line of scoring brings a seat, and every seat."""
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


def _decision(found: DecisionCount, trial: Trial, file: str) -> FigureData:
    return {
        "step": found.step,
        "decision": found.decision,
        "offered": found.offered,
        "place": _place(trial.asked.get(found.decision), file),
        "answers": [
            {"name": answer.name, "offered": answer.offered, "chosen": answer.chosen, "taken": estimate(answer.taken)}
            for answer in found.answers
        ],
    }


# ── what never happened ──


def _never(trial: Trial, group: GameGroup, file: str) -> FigureData:
    counted = _counts(group) if len(group.setting.games) else {}
    return {
        "sentences": [_sentence(missed, file) for missed in trial.missed],
        "of": len(trial.sentences),
        "answers": list(_answers(trial, counted, file)),
        "pieces": _pieces(trial, counted),
        "powers": list(_powers(group)) if len(group.setting.games) else [],
    }


def _counts(group: GameGroup) -> dict[tuple[str, str], tuple[int, int]]:
    """How often each answer of each decision was offered, and how often it was given."""
    found: dict[tuple[str, str], tuple[int, int]] = {}
    for row in group.setting.choices:
        offered, chosen = found.get((row.decision, row.choice), (0, 0))
        offered, chosen = offered + int(row.total("offered")), chosen + int(row.total("chosen"))
        found[row.decision, row.choice] = offered, chosen
    return found


def _answers(trial: Trial, counted: dict[tuple[str, str], tuple[int, int]], file: str) -> Iterator[FigureData]:
    """Answers that were never offered, or never given though they were offered often. Of what there is much of, such as
    numbers, only what was offered is told."""
    for question in trial.counting.questions:
        for name in question.choices:
            offered, chosen = counted.get((question.id, name), (0, 0))
            if chosen or name in (HIDDEN, SOME) or (not offered and not _is_menu(question, name)):
                continue
            if offered >= OFTEN or not offered:
                yield {
                    "step": question.step,
                    "decision": question.id,
                    "name": name,
                    "offered": offered,
                    "place": _place(trial.asked.get(question.id), file),
                }


def _is_menu(question: CountedDecision, name: str) -> bool:
    return question.base == "branch" and name != EMPTY


def _pieces(trial: Trial, counted: dict[tuple[str, str], tuple[int, int]]) -> list[str]:
    """Pieces that lay where they began whenever a game was over, and that nobody ever chose."""
    chosen = {name for (_, name), (_, times) in counted.items() if times}
    moved = {trial.program.types[number].name for number in trial.moved}
    names = dict.fromkeys(type_.name for type_ in trial.program.types)
    return [name for name in names if name not in moved | chosen]


def _powers(group: GameGroup) -> Iterator[FigureData]:
    """Powers that nobody ever had, or that nobody who had them ever used."""
    setting = group.setting
    for power in group.plan.powers:
        if f"held: {power}" not in setting.columns:
            continue
        if not _ever(setting, f"held: {power}"):
            yield {"name": power, "held": False}
        elif f"used: {power}" in setting.columns and not _ever(setting, f"used: {power}"):
            yield {"name": power, "held": True}


def _ever(setting: SettingResults, column: str) -> bool:
    return any(bool((part.seat(column) > 0).any()) for part in setting.parts())


def _sentence(sentence: SentencePlace, file: str) -> FigureData:
    return {"text": sentence.text, **_place(sentence.place, file)}


def _place(place: SourcePlace | None, file: str) -> FigureData:
    """own: whether it stands in the edition's own file; file: the shipped edition in which it stands, '' for others."""
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


def _rows(comparison: Comparison) -> Iterator[FigureData]:
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
    return size if math.isfinite(size) else 1e9


def _only(one: Trial, other: Trial) -> list[str]:
    """The quantities that only one of two tables has."""
    there = all_estimates(other)
    return [key for key in all_estimates(one) if key not in there and not key.startswith(SEAT)]
