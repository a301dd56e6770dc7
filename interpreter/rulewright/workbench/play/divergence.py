"""Divergence of a line of play: the effects of an answer before a change of the rules, beside the present ones."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulewright.game.game import Game
from rulewright.i18n.localizer import phrase
from rulewright.publish.labels import Labels, count_names
from rulewright.runtime.view import piece_names
from rulewright.server.views.seat_view import zone_key
from rulewright.workbench.play import game_views
from rulewright.workbench.play.answer_effects import AnswerEffects, NodeQuestion
from rulewright.workbench.play.play_tree import PlayNode, PlayTree


def compare_effects(tree: PlayTree, node: PlayNode, language: str) -> dict[str, Any]:
    """Compare the recorded effects of an answer that has diverged with its present ones, as page data. Raises
    PlayLineError."""
    assert node.effects is not None
    assert node.diverged_effects is not None
    game = tree.game_at(node)
    above = tree.game_at(node.parent) if node.parent is not None else None
    labels = Labels(game, language)
    before, now = node.effects, node.diverged_effects
    return {
        "node": node.number,
        "lines": None if before.lines == now.lines else [list(before.lines), list(now.lines)],
        "zones": list(_differing_zones(labels, above, before, now)),
        "figures": [*_figures(labels, before, now), *_differing_questions(labels, before, now)],
    }


def _differing_zones(
    labels: Labels, above: Game | None, before: AnswerEffects, now: AnswerEffects
) -> Iterator[dict[str, Any]]:
    """Yield the zones that an answer leaves otherwise than before the change."""
    program = labels.game.program
    then: dict[str, tuple[str, ...]] = {}
    if above is not None:
        state = above.state
        then = {zone_key(program, space): piece_names(program, state, space) for space in program.layout.zones}
    for key in dict.fromkeys((*before.zones, *now.zones)):
        was, is_ = (effects.zones.get(key, then.get(key, ())) for effects in (before, now))
        if was != is_:
            yield {**game_views.describe_zone(labels, key), "before": _pieces(labels, was), "now": _pieces(labels, is_)}


def _pieces(labels: Labels, names: tuple[str, ...]) -> list[tuple[str, int, str]]:
    """Count the pieces of each name, with their words."""
    return [(name, count, labels.counted_piece(name, count)) for name, count in count_names(names)]


def _figures(labels: Labels, before: AnswerEffects, now: AnswerEffects) -> Iterator[tuple[str, str | None, str | None]]:
    """Yield labels with the previous and the present value; None if unchanged."""
    for key in dict.fromkeys((*before.counters, *now.counters)):
        was, is_ = before.counters.get(key), now.counters.get(key)
        if was != is_:
            name, _, owner = key.partition("/")
            label = labels.counter(name) if name in labels.edition.counters else name
            owner_name = labels.name(int(owner)) if owner.isdecimal() and int(owner) < len(labels.game.names) else owner
            yield f"{owner_name}: {label}" if owner_name else label, was, is_
    for seat in dict.fromkeys((*before.points, *now.points)):
        was, is_ = before.points.get(seat), now.points.get(seat)
        if was != is_ and int(seat) < len(labels.game.names):
            yield labels.say(phrase("design", "{name}’s points", name=labels.name(int(seat)))), was, is_


def _differing_questions(
    labels: Labels, before: AnswerEffects, now: AnswerEffects
) -> Iterator[tuple[str, str | None, str | None]]:
    """Yield the questions that follow otherwise than before: label, old and new text."""
    if before.over != now.over:
        ends, goes = phrase("design", "The game is over"), phrase("design", "The game goes on")
        outcomes = [labels.say(ends if effects.over else goes) for effects in (before, now)]
        yield labels.say(phrase("design", "Question")), outcomes[0], outcomes[1]
        return
    for was, is_ in _questions_by_seat(before.questions, now.questions):
        if was != is_:
            seat = (is_ or was or NodeQuestion(0, "", 0, 0, 0)).seat
            seat_name = labels.name(seat) if seat < len(labels.game.names) else ""
            label = labels.say(phrase("design", "What {name} is asked", name=seat_name))
            yield label, _question(labels, was, is_), _question(labels, is_, was)


def _questions_by_seat(
    before: tuple[NodeQuestion, ...], now: tuple[NodeQuestion, ...]
) -> Iterator[tuple[NodeQuestion | None, NodeQuestion | None]]:
    """Yield each seat's question before and now; None where it had none."""
    earlier, is_ = ({one.seat: one for one in looked} for looked in (before, now))
    for seat in dict.fromkeys((*earlier, *is_)):
        yield earlier.get(seat), is_.get(seat)


def _question(labels: Labels, question: NodeQuestion | None, other: NodeQuestion | None) -> str | None:
    """Describe a question with those of its choices that the other one does not have; None without a question."""
    if question is None:
        return None
    only = [key for key in dict.fromkeys(question.offered) if other is None or key not in other.offered]
    many = str(question.least) if question.least == question.most else f"{question.least}–{question.most}"
    text = labels.say(
        phrase("design", "{prompt} ({many} of {count})", prompt=question.prompt, many=many, count=question.count)
    )
    if not only or other is None or not other.offered:
        return text
    return f"{text} {labels.say(phrase('design', 'Only here: {names}.', names=', '.join(only)))}"
