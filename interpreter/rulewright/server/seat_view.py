"""What one seat, or a spectator, is shown of a game now: its view in words, what it is asked, what it may do.

All comes from the view and the decision of that seat. Two games that differ only in what it may not see give the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rulewright.base.rule_keys import RuleKey
from rulewright.game.game import Choice, Decision, Game
from rulewright.i18n.speech import Phrase, phrase
from rulewright.publish.labels import Labels
from rulewright.publish.rulebook.contents import anchor
from rulewright.runtime.view import Held, ScoreView, View


def seen(labels: Labels, seat: int | None) -> dict[str, Any]:
    """seat: None for a spectator."""
    game, view = labels.game, labels.game.view(seat)
    ready = sorted(game.ready())
    owners = labels.owners(view)
    return {
        "round": view.round,
        "phase": view.phase,
        "over": view.over,
        "waiting": [other for other in view.waiting if other not in ready],
        "ready": ready,
        "zones": [
            {
                "zone": zone.name,
                "owner": zone.owner,
                "word": zone.word,
                "count": zone.count,
                "pieces": None if zone.pieces is None else list(zone.pieces),
                "hidden": labels.lying(zone) if zone.pieces is None else "",
            }
            for zone in view.zones
            if labels.shown_zone(zone.name)
        ],
        "counters": {name: _counter(labels, name, held) for name, held in view.counters.items() if labels.shown(name)},
        "powers": [list(powers) for powers in view.powers],
        "scores": [_score(labels, score) for score in view.scores],
        "owners": owners,
        "undo": seat is not None and game.can_undo(seat),
        "standings": _standings(labels, game, view),
    }


def asked(labels: Labels, seat: int, question: int) -> dict[str, Any] | None:
    """What a seat is asked, or None. question: the number by which its answer will name it."""
    decision = labels.game.decision(seat, labels.language)
    if decision is None:
        return None
    choices = decision.choices
    if decision.kind == "piece" and not any(choice.place for choice in choices):
        order = labels.order
        choices = tuple(sorted(choices, key=lambda choice: order.get(choice.name, len(order))))
    return {
        "question": question,
        "kind": decision.kind,
        "prompt": decision.prompt,
        "none": decision.none,
        "wanted": labels.say(_wanted(decision)),
        "least": decision.least,
        "most": decision.most,
        "choices": [_choice(choice) for choice in choices],
        "rule": labels.game.rule(RuleKey.of("steps", decision.step), seat, labels.language),
        "passage": anchor(RuleKey.of("steps", decision.step)),
    }


def sealed(labels: Labels, seat: int) -> list[str]:
    """The pieces in what a seat has sealed, which it alone may look at: their names in the edition."""
    types = {type_.name for type_ in labels.game.program.types}
    return [key for key in labels.game.sealed_keys(seat) if key in types]


def _choice(choice: Choice) -> dict[str, Any]:
    return {
        "key": choice.key,
        "label": choice.label,
        "count": choice.count,
        "piece": choice.name,
        "zone": choice.zone,
        "words": choice.words,
        "word": choice.word,
        "place": choice.place,
    }


def _wanted(decision: Decision) -> Phrase:
    """How many are to be chosen."""
    if decision.least == decision.most:
        return phrase("page", "Choose {count}.", count=decision.most)
    if decision.least:
        return phrase("page", "Choose {least} to {most}.", least=decision.least, most=decision.most)
    return phrase("page", "Choose up to {most}.", most=decision.most)


def _counter(labels: Labels, name: str, held: Held | tuple[Held, ...] | Mapping[str, Held]) -> Any:
    """What it holds, in words: of one of the table, a text; of seats, a list; of words, those that have changed."""
    if isinstance(held, tuple):
        return [labels.held(name, value) for value in held]
    if isinstance(held, Mapping):
        return {word: labels.held(name, held[word]) for word in labels.counted(name, held)}
    return labels.held(name, held)


def _score(labels: Labels, score: ScoreView | None) -> dict[str, Any] | None:
    if score is None:
        return None
    known = sum(points or 0 for _, points in score.lines)
    told = labels.say(phrase("page", "{points} [point|points]", points=known))
    return {"total": score.total, "told": told, "lines": [[name, points] for name, points in score.lines]}


def _standings(labels: Labels, game: Game, view: View) -> list[dict[str, Any]]:
    """The result, once the game is over."""
    if not view.over:
        return []
    return [
        {
            "seat": standing.seat,
            "rank": standing.rank,
            "place": labels.speech.place(standing.rank),
            "total": standing.total,
            "lines": [[title, points] for title, points in standing.lines],
        }
        for standing in game.standings(labels.language)
    ]
