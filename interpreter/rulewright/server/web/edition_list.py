"""What can be begun: the editions with their prose, options and seats, in one language, for the first page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from rulewright import players
from rulewright.base.rule_keys import RuleKey
from rulewright.game.rule_texts import RuleTexts
from rulewright.game.setup import check_options
from rulewright.game.terms import Terms, speech_of
from rulewright.i18n.localizer import ENGLISH, YOU, Phrase, Speech
from rulewright.model.declarations import Edition
from rulewright.model.pictures import Pictures
from rulewright.players.confusable_names import are_confusable
from rulewright.players.kinds import POLICY
from rulewright.players.seating import PERSON, Seat, missing_roles, role_seat, spare_names, usual_people
from rulewright.publish.lessons import has_lessons
from rulewright.publish.rulebook.changes import GONE, NEW, changes, extended_rules
from rulewright.publish.rulebook.contents import Contents
from rulewright.publish.rulebook.summary import summarize
from rulewright.server.bots.trained_players import TrainedPlayers
from rulewright.server.edition_registry import Offered, Offers, PlayableEdition, found
from rulewright.server.web.protocol import WantedSeat, not_understood

_LONGEST_NAME = 40
_KINDS = {NEW: "new", GONE: "gone"}
HERE, FRIEND = "here", "friend"
"""Kinds of seats besides the computer's players: somebody at this device, and somebody who gets a link."""


def prepare(offers: Offers) -> None:
    """Read what is offered, so that whoever comes first need not wait. Lessons are made when somebody wants to learn:
    those of all editions take seconds, of the process that people wait for."""
    try:
        offers.read_ahead(_prepared)
    finally:
        offers.being_read = False


def _prepared(name: str) -> PlayableEdition | None:
    """An edition that has been listed once: it keeps what that takes."""
    offer = found(name)
    if offer is not None:
        listed(offer, ENGLISH)
    return offer


def families(offered: Sequence[Offered], language: str) -> list[dict[str, Any]]:
    """The editions as they stand in the list, with those of one game together: they extend the same one, or have the
    same title. The first of a game stands for it: one that was given, or else the one that the others extend."""
    games: list[list[Offered]] = []
    for one in offered:
        game = next((game for game in games if any(_are_one_game(one, other) for other in game)), None)
        games.append([one]) if game is None else game.append(one)
    games.sort(key=lambda game: game[0].edition.rules.edition.series)  # those that belong to none come first
    told = []
    for number, game in enumerate(games):
        game.sort(key=lambda one: (not one.given, len(one.edition.rules.edition.bases)))
        for one, label in zip(game, _labels(game), strict=True):
            mistake = None if one.mistake is None else asdict(one.mistake)
            more = {"game": number, "label": label, "changed": one.changed, "mistake": mistake}
            told.append({**listed(one.edition, language), **more})
    return told


def _are_one_game(one: Offered, other: Offered) -> bool:
    mine, its = one.edition.rules.edition, other.edition.rules.edition
    return mine.title == its.title or mine.files[-1:] == its.files[-1:]


def _labels(game: Sequence[Offered]) -> list[str]:
    """What tells the editions of a game apart: how they are called, or else their files."""
    editions = [one.edition.rules.edition for one in game]
    ways = ([edition.edition for edition in editions], [edition.full_title() for edition in editions])
    sure = [one.edition.pinned.name for one in game]
    return next(([*way] for way in ways if all(way) and len(set(way)) == len(way)), sure)


def differences(offer: PlayableEdition, language: str) -> dict[str, Any]:
    """How an edition differs from the one that it extends, in words; rulings, which only answer what rarely comes up,
    are left out. The same with nothing in it for one that extends none."""
    base = extended_rules(offer.rules.edition)
    if base is None:
        return {"from": "", "changes": []}
    now, before = (Contents(rules, language, played=False) for rules in (offer.rules, base))
    told = [change for change in changes(now, before) if not change.key.startswith("rulings.")]
    shown = [
        {"kind": _KINDS.get(change.kind, "changed"), "title": change.title, "before": change.before, "now": change.now}
        for change in told
        if change.before or change.now
    ]
    return {"from": now.say(Terms(base.edition).title()), "changes": shown}


def listed(offer: PlayableEdition, language: str) -> dict[str, Any]:
    """An edition as it stands in the list."""
    edition = offer.rules.edition
    said, terms = speech_of(edition, language), Terms(edition)
    return {
        "edition": offer.pinned.digest,
        "title": said.say(terms.title()),
        "name": said.say(Phrase("title", edition.title)),
        "series": said.say(terms.series()) if edition.series else "",
        "cover": Pictures(edition).cover,
        "people": list(edition.people),
        "usual": usual_people(edition),
        "minutes": list(edition.minutes or ()),
        "text": _told(offer, said, "edition"),
        "learn": has_lessons(edition),
        "roles": [
            {
                "name": role.name,
                "label": said.title(terms.role(role.name)),
                "text": _told(offer, said, RuleKey.of("roles", role.name)),
                "joins": {str(n): must for n, must in role.joins.items()},
            }
            for role in edition.roles.values()
        ],
    }


def described(offer: PlayableEdition, language: str, trained: TrainedPlayers | None = None) -> dict[str, Any]:
    """An edition with its prose, its options and the trained players that can play it, which takes longer to tell."""
    edition = offer.rules.edition
    said, terms = speech_of(edition, language), Terms(edition)
    return {
        **listed(offer, language),
        "options": [
            {
                "name": name,
                "label": said.title(terms.option(name)),
                "text": _told(offer, said, RuleKey.of("options", name)),
                "usual": option.choices[option.default],
                "choices": [
                    {
                        "name": choice,
                        "label": said.say(terms.choice(name, choice)),
                        "text": _told(offer, said, RuleKey.of("options", name, choice)),
                    }
                    for choice in option.choices
                ],
            }
            for name, option in edition.options.items()
        ],
        "trained": trained.offered(offer.rules, said) if trained else [],
    }


def at_a_glance(offer: PlayableEdition, language: str, options: Mapping[str, str]) -> dict[str, Any]:
    """A game with these options for whoever has never seen it: a minute's reading. Raises GameError for options that
    the edition does not have."""
    edition = offer.rules.edition
    return {
        **asdict(summarize(offer.rules, language, options)),
        "cover": Pictures(edition).cover,
        "people": list(edition.people),
        "minutes": list(edition.minutes or ()),
    }


def _told(offer: PlayableEdition, said: Speech, key: str) -> str:
    """A rule in words, with the figures that it usually has."""
    found = RuleTexts(offer.rules, check_options(offer.rules, {})).rule(key)
    return said.say(found) if found is not None else ""


def _own_name(kind: str, wanted: Sequence[WantedSeat], seats: Sequence[Seat], edition: Edition) -> str:
    """What a trained player is called at the table: as its file, if nobody else is; '' for others."""
    name = kind.removeprefix(f"{POLICY}:") if players.is_policy(kind) else ""
    others = [YOU, *(one.name for one in wanted), *(seat.name for seat in seats)]
    others += [role.title for role in edition.roles.values()]
    sound = len(name) <= _LONGEST_NAME and not any(are_confusable(name, other) for other in others if other)
    return name if sound else ""


def seats_of(wanted: tuple[WantedSeat, ...], offer: PlayableEdition, trained: TrainedPlayers) -> list[Seat]:
    """The seats that somebody wants, with names for the computer's players, and virtual players that must join.

    Raises ProtocolError, and PlayerError for a trained player that is not there or cannot play at such a table.
    """
    edition = offer.rules.edition
    spare = spare_names([seat.name for seat in wanted])
    seats: list[Seat] = []
    for one in wanted:
        if one.role:
            if one.role not in edition.roles:
                raise not_understood()
            seats.append(role_seat(edition.roles[one.role]))
        elif one.player == FRIEND:
            seats.append(Seat("", PERSON))
        elif one.player == HERE:
            if not one.name.strip():
                raise not_understood()
            seats.append(Seat(" ".join(one.name.split()), PERSON))
        elif one.player in players.KINDS or players.is_policy(one.player):
            seats.append(Seat(_own_name(one.player, wanted, seats, edition) or next(spare), one.player))
        else:
            raise not_understood()
    seats += [role_seat(role) for role in missing_roles(seats, edition)]
    for seat in seats:
        if why := trained.misfit(seat.player, offer.rules, len(seats)):
            raise players.PlayerError(why)
    return seats
