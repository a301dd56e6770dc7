"""List of editions for the start page, with prose, options and seats in one language; and seats for new tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from rulewright import players
from rulewright.base.rule_keys import RuleKey
from rulewright.game.rule_texts import RuleTexts
from rulewright.game.setup import check_options
from rulewright.game.terms import Terms, localizer_of
from rulewright.i18n.localizer import YOU, Localizer, Phrase
from rulewright.model.edition import Edition
from rulewright.model.pictures import Pictures, has_pips
from rulewright.players.confusable_names import are_confusable
from rulewright.players.kinds import POLICY
from rulewright.players.seating import PERSON, Seat, missing_roles, role_seat, spare_names, usual_people
from rulewright.publish.lessons import has_lessons
from rulewright.publish.rulebook.changes import NEW, REMOVED, changes, extended_rules
from rulewright.publish.rulebook.rulebook_builder import RulebookBuilder
from rulewright.publish.rulebook.summary import summarize
from rulewright.server.bots.trained_players import TrainedPlayers
from rulewright.server.edition_registry import EditionRegistry, OfferedEdition, PlayableEdition, load_edition
from rulewright.server.web.protocol import WantedSeat, unreadable_error

_MAX_NAME_LENGTH = 40
"""Maximum length of a name that a seat is offered with."""
_KINDS = {NEW: "new", REMOVED: "gone"}
"""Kind of a change -> its name in JSON; all others are 'changed'."""
AT_DEVICE, FRIEND = "here", "friend"
"""Kinds of seats besides bots: somebody at this device, and somebody who gets a link."""


def preload(offers: EditionRegistry) -> None:
    """Load the offered editions ahead, so that nobody has to wait, and note in the registry when that is done. Lessons
    stay unread: those of all editions take seconds."""
    try:
        offers.read_ahead(_load_listed)
    finally:
        offers.being_read = False


def _load_listed(name: str) -> PlayableEdition | None:
    """Load an edition with the programs of all its tables, which are then cached; None if it cannot be played."""
    offer = load_edition(name)
    if offer is not None:
        for seats in offer.rules.edition.seat_counts():
            offer.rules.machine(seats)
    return offer


def list_editions(offered: Sequence[OfferedEdition], language: str) -> list[dict[str, Any]]:
    """List the offered editions, grouped by game: editions that extend the same one, or have the same title.

    The first of a game stands for it: one given to the server, or else the one that the others extend.
    """
    games: list[list[OfferedEdition]] = []
    for one in offered:
        game = next((game for game in games if any(_are_one_game(one, other) for other in game)), None)
        games.append([one]) if game is None else game.append(one)
    games.sort(key=lambda game: game[0].edition.rules.edition.series)  # those that belong to none come first
    entries = []
    for number, game in enumerate(games):
        game.sort(key=lambda one: (not one.is_named, len(one.edition.rules.edition.bases)))
        for one, label in zip(game, _labels(game), strict=True):
            mistake = None if one.mistake is None else asdict(one.mistake)
            more = {"game": number, "label": label, "changed": one.changed, "mistake": mistake}
            entries.append({**list_entry(one.edition, language), **more})
    return entries


def _are_one_game(one: OfferedEdition, other: OfferedEdition) -> bool:
    """Return whether two editions are of one game: by their title, or what they extend in the end."""
    first, second = one.edition.rules.edition, other.edition.rules.edition
    return first.title == second.title or first.files[-1:] == second.files[-1:]


def _labels(game: Sequence[OfferedEdition]) -> list[str]:
    """Return labels that distinguish the editions of a game: their edition names, full titles, or file names."""
    editions = [one.edition.rules.edition for one in game]
    candidates = ([edition.edition for edition in editions], [edition.full_title() for edition in editions])
    file_names = [one.edition.pinned.name for one in game]
    return next(([*labels] for labels in candidates if all(labels) and len(set(labels)) == len(labels)), file_names)


def differences(offer: PlayableEdition, language: str) -> dict[str, Any]:
    """List how an edition differs from the one it extends, in words, without rulings; empty if it extends none."""
    base = extended_rules(offer.rules.edition)
    if base is None:
        return {"from": "", "changes": []}
    now, before = (RulebookBuilder(rules, language, played=False) for rules in (offer.rules, base))
    relevant = [change for change in changes(now, before) if not change.key.startswith("rulings.")]
    values = [
        {"kind": _KINDS.get(change.kind, "changed"), "title": change.title, "before": change.before, "now": change.now}
        for change in relevant
        if change.before or change.now
    ]
    return {"from": now.say(Terms(base.edition).title()), "changes": values}


def list_entry(offer: PlayableEdition, language: str) -> dict[str, Any]:
    """Return an edition's entry in the list, for which nothing is compiled, unless its text has figures."""
    edition = offer.rules.edition
    localizer, terms = localizer_of(edition, language), Terms(edition)
    return {
        "edition": offer.pinned.digest,
        "address": offer.pinned.name,
        "title": localizer.say(terms.title()),
        "name": localizer.say(Phrase("title", edition.title)),
        "series": localizer.say(terms.series()) if edition.series else "",
        "cover": Pictures(edition).cover,
        "kinds": _kinds(edition),
        "people": list(edition.people),
        "usual": usual_people(edition),
        "minutes": list(edition.minutes or ()),
        "text": _rule_text(offer, localizer, "edition"),
        "learn": has_lessons(edition),
        "roles": [
            {
                "name": role.name,
                "label": localizer.title(terms.rule(RuleKey.of("roles", role.name))),
                "joins": {str(n): must for n, must in role.joins.items()},
            }
            for role in edition.roles.values()
        ],
    }


def _kinds(edition: Edition) -> list[str]:
    """Return what a game is played with: cards, a board on which more than dice lie, dice."""
    dice = {name for name, kind in edition.kinds.items() if has_pips(kind)}
    spaces = {board.spaces for board in edition.boards.values()}
    by_kind = {
        "cards": any(look.card for look in edition.looks.values()),
        "board": any(zone.of in spaces and not zone.holds <= dice for zone in edition.zones.values()),
        "dice": bool(dice),
    }
    return [name for name, is_so in by_kind.items() if is_so]


def describe(offer: PlayableEdition, language: str, trained: TrainedPlayers | None = None) -> dict[str, Any]:
    """Return an edition with prose, options and the trained players that can play it, which takes longer than its
    entry."""
    edition = offer.rules.edition
    localizer, terms = localizer_of(edition, language), Terms(edition)
    entry = list_entry(offer, language)
    roles = [
        {**role, "text": _rule_text(offer, localizer, RuleKey.of("roles", role["name"]))} for role in entry["roles"]
    ]
    return {
        **entry,
        "roles": roles,
        "options": [
            {
                "name": name,
                "label": localizer.title(terms.option(name)),
                "text": _rule_text(offer, localizer, RuleKey.of("options", name)),
                "usual": option.usual_choice,
                "choices": [
                    {
                        "name": choice,
                        "label": localizer.say(terms.choice(name, choice)),
                        "text": _rule_text(offer, localizer, RuleKey.of("options", name, choice)),
                    }
                    for choice in option.choices
                ],
            }
            for name, option in edition.options.items()
        ],
        "trained": trained.offered(offer.rules, localizer) if trained else [],
        "sides": _sides(edition, localizer),
    }


def _sides(edition: Edition, localizer: Localizer) -> list[str]:
    """Return the words that the two seats of a table play, such as colours; empty if the rules name none."""
    words = edition.counters[edition.sides].holds if edition.sides else ""
    if not words or len(edition.words[words].words) != 2:
        return []
    return [localizer.title(Terms(edition).word(words, number)) for number in range(2)]


def summary_of_game(offer: PlayableEdition, language: str, options: Mapping[str, str]) -> dict[str, Any]:
    """Return a game's summary, a minute's reading for newcomers. Raises GameError for options that the edition does not
    have."""
    edition = offer.rules.edition
    return {
        **asdict(summarize(offer.rules, language, options)),
        "cover": Pictures(edition).cover,
        "people": list(edition.people),
        "minutes": list(edition.minutes or ()),
    }


def _rule_text(offer: PlayableEdition, localizer: Localizer, key: str) -> str:
    """Return a rule in words, with its default figures."""
    scalar = offer.rules.edition.rule_texts().get(RuleKey(key))
    if scalar is None or "{" not in scalar.text:
        return localizer.say(Phrase(f"{key}.text", scalar.text)) if scalar is not None else ""
    text = RuleTexts(offer.rules, check_options(offer.rules, {})).rule(key)
    return localizer.say(text) if text is not None else ""


def _policy_name(kind: str, requests: Sequence[WantedSeat], seats: Sequence[Seat], edition: Edition) -> str:
    """Return a trained player's name at the table: its file's, if no other resembles it; '' otherwise."""
    name = kind.removeprefix(f"{POLICY}:") if players.is_policy(kind) else ""
    others = [YOU, *(one.name for one in requests), *(seat.name for seat in seats)]
    others += [role.title for role in edition.roles.values()]
    is_usable = len(name) <= _MAX_NAME_LENGTH and not any(are_confusable(name, other) for other in others if other)
    return name if is_usable else ""


def build_seats(requests: tuple[WantedSeat, ...], offer: PlayableEdition, trained: TrainedPlayers) -> list[Seat]:
    """Build the seats that somebody asked for, with names for bots, and virtual players that must join.

    Raises ProtocolError, and PlayerError for a trained player that is missing or cannot play at such a table.
    """
    edition = offer.rules.edition
    spare = spare_names([seat.name for seat in requests])
    seats: list[Seat] = []
    for one in requests:
        if one.role:
            if one.role not in edition.roles:
                raise unreadable_error()
            seats.append(role_seat(edition.roles[one.role]))
        elif one.player == FRIEND:
            seats.append(Seat("", PERSON))
        elif one.player == AT_DEVICE:
            if not one.name.strip():
                raise unreadable_error()
            seats.append(Seat(" ".join(one.name.split()), PERSON))
        elif one.player in players.KINDS or players.is_policy(one.player):
            seats.append(Seat(_policy_name(one.player, requests, seats, edition) or next(spare), one.player))
        else:
            raise unreadable_error()
    seats += [role_seat(role) for role in missing_roles(seats, edition)]
    for seat in seats:
        if reason := trained.misfit(seat.player, offer.rules, len(seats)):
            raise players.PlayerError(reason)
    return seats
