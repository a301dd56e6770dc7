"""What can be begun: the editions with their prose, options and seats, in one language, for the first page."""

from __future__ import annotations

from typing import Any

from rulewright import players
from rulewright.base.rule_keys import RuleKey
from rulewright.game.rule_texts import RuleTexts
from rulewright.game.setup import check_options
from rulewright.game.terms import Terms, speech_of
from rulewright.i18n.speech import ENGLISH, Speech
from rulewright.model.pictures import Pictures
from rulewright.players.seating import PERSON, Seat, missing_roles, role_seat, spare_names, usual_people
from rulewright.server.edition_registry import Offers, PlayableEdition, found
from rulewright.server.protocol import WantedSeat, not_understood

HERE, FRIEND = "here", "friend"
"""Kinds of seats besides the computer's players: somebody at this device, and somebody who gets a link."""


def prepare(offers: Offers) -> None:
    """Read what is offered, so that whoever comes first need not wait."""
    offers.read_ahead(_prepared)


def _prepared(name: str) -> PlayableEdition | None:
    """An edition that has been listed once: it keeps what that takes."""
    offer = found(name)
    if offer is not None:
        listed(offer, ENGLISH)
    return offer


def listed(offer: PlayableEdition, language: str) -> dict[str, Any]:
    """An edition as it stands in the list."""
    edition = offer.rules.edition
    said, terms = speech_of(edition, language), Terms(edition)
    return {
        "edition": offer.pinned.digest,
        "title": said.say(terms.title()),
        "cover": "cover" if Pictures(edition).path("cover") is not None else "",
        "people": list(edition.people),
        "usual": usual_people(edition),
        "minutes": list(edition.minutes or ()),
        "text": _told(offer, said, "edition"),
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


def described(offer: PlayableEdition, language: str) -> dict[str, Any]:
    """An edition with its prose and options, which takes longer to tell."""
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
    }


def _told(offer: PlayableEdition, said: Speech, key: str) -> str:
    """A rule in words, with the figures that it usually has."""
    found = RuleTexts(offer.rules, check_options(offer.rules, {})).rule(key)
    return said.say(found) if found is not None else ""


def seats_of(wanted: tuple[WantedSeat, ...], offer: PlayableEdition) -> list[Seat]:
    """The seats that somebody wants, with names for the computer's players, and virtual players that must join.

    Raises ProtocolError, PlayerError.
    """
    edition = offer.rules.edition
    spare = spare_names([seat.name for seat in wanted])
    seats: list[Seat] = []
    for seat in wanted:
        if seat.role:
            if seat.role not in edition.roles:
                raise not_understood()
            seats.append(role_seat(edition.roles[seat.role]))
        elif seat.player == FRIEND:
            seats.append(Seat("", PERSON))
        elif seat.player == HERE:
            if not seat.name.strip():
                raise not_understood()
            seats.append(Seat(" ".join(seat.name.split()), PERSON))
        elif seat.player in players.KINDS:
            seats.append(Seat(next(spare), seat.player))
        else:
            raise not_understood()
    return [*seats, *(role_seat(role) for role in missing_roles(seats, edition))]
