"""Decisions in words: the question that a seat is asked, and its choices."""

from __future__ import annotations

from rulewright.base.records import record
from rulewright.game.choices import Choice, ChoiceGrouping
from rulewright.game.history import GameHistory
from rulewright.game.messages import Messages
from rulewright.i18n.localizer import Localizer
from rulewright.program.appearance import type_with_marks
from rulewright.program.form import Site
from rulewright.program.state_layout import PHASE
from rulewright.runtime import view as views
from rulewright.runtime.operations import OpenDecision


@record
class Decision:
    """Open decision of one seat. An answer is a list of keys, from `least` to `most` of them, each as often as its
    count.

    - id: stable, from names in the edition
    - prompt: for people
    - none, some, whole: for people, labels of an answer with nothing, something or everything, or ''
    - none_at: zone that stands for choosing nothing, or ''
    - kind: 'piece', 'number', 'truth', 'seat', 'word' or 'branch'
    - step and phase: those whose rules apply
    - about: pieces named in the prompt, by their names in the edition
    - among: remaining seats of a `go round` with dropouts
    - last_numbers: last number that each of these has named there, as far as the public log shows, or None
    """

    id: str
    seat: int
    kind: str
    step: str
    prompt: str
    none: str
    choices: tuple[Choice, ...]
    least: int
    most: int
    phase: str = ""
    about: tuple[str, ...] = ()
    among: tuple[int, ...] = ()
    last_numbers: tuple[int | None, ...] = ()
    some: str = ""
    whole: str = ""
    none_at: str = ""


def decision_in_words(
    decision: OpenDecision, offer: ChoiceGrouping, messages: Messages, history: GameHistory, localizer: Localizer
) -> Decision:
    """Put an open decision of the present position into words."""
    program, state, say = messages.program, history.present, localizer.say
    site = program.sites[decision.site]
    return Decision(
        id=site.id,
        seat=decision.seat,
        kind=site.element.base,
        step=site.step,
        prompt=say(messages.text(site.ask, decision.arguments, decision.seat, addresses=True)),
        none=say(messages.text(site.none, (), decision.seat)) if site.none else "",
        some=say(messages.text(site.some, (), decision.seat)) if site.some else "",
        whole=say(messages.text(site.whole, (), decision.seat)) if site.whole else "",
        none_at=site.none_at,
        choices=offer.choices(localizer),
        least=decision.least,
        most=decision.most,
        phase=program.phases[state[PHASE]][0] if state[PHASE] >= 0 else "",
        about=_about(decision, site, messages),
        among=tuple(state[site.remaining_seats]) if site.remaining_seats >= 0 else (),
        last_numbers=_named_numbers(site, history)
        if site.remaining_seats >= 0 and site.element.base == "number"
        else (),
    )


def _named_numbers(site: Site, history: GameHistory) -> tuple[int | None, ...]:
    """Return the last number that each remaining seat has named since the `go round` began."""
    numbers: dict[int, int] = {}
    log, remaining, end = history.log, history.present[site.remaining_seats], history.log.length
    for answered in reversed(history.answers):
        if answered.decision != site.id or (not answered.keys and answered.seat in remaining):
            break  # more seats than now: an earlier round
        for key in answered.keys[:1]:
            if answered.seat not in numbers and log.mentions(answered.seat, int(key), answered.events, end):
                numbers[answered.seat] = int(key)
        remaining, end = answered.before[site.remaining_seats], answered.events
    return tuple(numbers.get(seat) for seat in history.present[site.remaining_seats])


def _about(decision: OpenDecision, site: Site, messages: Messages) -> tuple[str, ...]:
    """Return the visible pieces named in a prompt, without repetitions."""
    pieces = (
        type_with_marks(messages.program, look).name
        for type_, items in zip(site.ask.types, decision.arguments, strict=False)
        if type_.base == "piece"
        for look, zone, *knowers in items
        if views.sees_zone(messages.space(zone), decision.seat)
        or (knowers and views.remembers(knowers[0], decision.seat))
    )
    return tuple(dict.fromkeys(pieces))
