"""Where a line of play has parted: what an answer brought about before the rules changed, beside what it does now."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulewright.game.game import Game
from rulewright.i18n.localizer import phrase
from rulewright.publish.labels import Labels, grouped
from rulewright.runtime.view import piece_names
from rulewright.workbench.play import game_views
from rulewright.workbench.play.answer_effects import NodeLook, NodeQuestion, zone_key
from rulewright.workbench.play.play_tree import PlayNode, PlayTree


def told(tree: PlayTree, node: PlayNode, language: str) -> dict[str, Any]:
    """What an answer brought about before the rules changed, and what it does now."""
    assert node.look is not None
    assert node.now is not None
    game = tree.game_at(node)
    above = tree.game_at(node.parent) if node.parent is not None else None
    labels = Labels(game, language)
    before, now = node.look, node.now
    return {
        "node": node.number,
        "lines": None if before.lines == now.lines else [list(before.lines), list(now.lines)],
        "zones": list(_zones(labels, above, before, now)),
        "figures": [*_figures(labels, before, now), *_questions(labels, before, now)],
    }


def _zones(labels: Labels, above: Game | None, before: NodeLook, now: NodeLook) -> Iterator[dict[str, Any]]:
    program = labels.game.program
    then: dict[str, tuple[str, ...]] = {}
    if above is not None:
        state = above.state
        then = {zone_key(above, space): piece_names(program, state, space) for space in program.layout.spaces}
    for key in dict.fromkeys((*before.zones, *now.zones)):
        was, is_ = (look.zones.get(key, then.get(key, ())) for look in (before, now))
        if was != is_:
            yield {**game_views.said(labels, key), "before": _pieces(labels, was), "now": _pieces(labels, is_)}


def _pieces(labels: Labels, names: tuple[str, ...]) -> list[tuple[str, int, str]]:
    """Pieces by name and number, each with its words."""
    return [(name, count, labels.times(name, count)) for name, count in grouped(names)]


def _figures(labels: Labels, before: NodeLook, now: NodeLook) -> Iterator[tuple[str, str | None, str | None]]:
    """Labels, each with what stood there before and what does now; None where it was not changed."""
    for key in dict.fromkeys((*before.counters, *now.counters)):
        was, is_ = before.counters.get(key), now.counters.get(key)
        if was != is_:
            name, _, owner = key.partition("/")
            label = labels.counter(name) if name in labels.edition.counters else name
            whose = labels.name(int(owner)) if owner.isdecimal() and int(owner) < len(labels.game.names) else owner
            yield f"{whose}: {label}" if whose else label, was, is_
    for seat in dict.fromkeys((*before.points, *now.points)):
        was, is_ = before.points.get(seat), now.points.get(seat)
        if was != is_ and int(seat) < len(labels.game.names):
            yield labels.say(phrase("design", "{name}’s points", name=labels.name(int(seat)))), was, is_


def _questions(labels: Labels, before: NodeLook, now: NodeLook) -> Iterator[tuple[str, str | None, str | None]]:
    if before.over != now.over:
        ends, goes = phrase("design", "The game is over"), phrase("design", "The game goes on")
        told = [labels.say(ends if look.over else goes) for look in (before, now)]
        yield labels.say(phrase("design", "Question")), told[0], told[1]
        return
    for was, is_ in _pairs(before.asked, now.asked):
        if was != is_:
            seat = (is_ or was or NodeQuestion(0, "", 0, 0, 0)).seat
            whose = labels.name(seat) if seat < len(labels.game.names) else ""
            label = labels.say(phrase("design", "What {name} is asked", name=whose))
            yield label, _question(labels, was, is_), _question(labels, is_, was)


def _pairs(
    before: tuple[NodeQuestion, ...], now: tuple[NodeQuestion, ...]
) -> Iterator[tuple[NodeQuestion | None, NodeQuestion | None]]:
    was, is_ = ({one.seat: one for one in looked} for looked in (before, now))
    for seat in dict.fromkeys((*was, *is_)):
        yield was.get(seat), is_.get(seat)


def _question(labels: Labels, asked: NodeQuestion | None, other: NodeQuestion | None) -> str | None:
    """What is asked; of its choices those that the other one does not have."""
    if asked is None:
        return None
    only = [key for key in dict.fromkeys(asked.offered) if other is None or key not in other.offered]
    many = str(asked.least) if asked.least == asked.most else f"{asked.least}–{asked.most}"
    told = labels.say(
        phrase("design", "{prompt} ({many} of {count})", prompt=asked.prompt, many=many, count=asked.count)
    )
    if not only or other is None or not other.offered:
        return told
    return f"{told} {labels.say(phrase('design', 'Only here: {names}.', names=', '.join(only)))}"
