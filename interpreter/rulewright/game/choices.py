"""Choices of a decision: groups of candidates, with keys for answers and labels for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain

from rulewright.base.diagnostics import RulewrightError
from rulewright.base.records import record
from rulewright.game.messages import Messages, yes_or_no
from rulewright.i18n import bidi
from rulewright.i18n.localizer import Argument, Localizer, phrase, suggestion
from rulewright.model.declarations import SEAT
from rulewright.program.appearance import type_with_marks
from rulewright.program.state_layout import StateZone
from rulewright.runtime import view as views
from rulewright.runtime.operations import OpenDecision
from rulewright.runtime.state import State

_MAX_CACHED = 4000
"""Maximum number of choices cached in a game."""

_PieceFeatures = tuple[int | None, int, int, bool]
"""Features that distinguish pieces: appearance, or None; address of the zone; place there, from 1, or 0; whether the
zone is named."""


@record
class Choice:
    """Possible answer: `key` identifies it, `label` is for people, `count` is the number of equal candidates.

    - word: the word itself, or the word whose zone holds the piece
    - words: list of that word; both '' for none
    - piece: label of a piece without its place, or that it is hidden, for people
    - name: its name in the edition, if visible
    - zone: zone of a piece
    - owner: the zone's seat, or None
    - place: place in the zone, from 1, of a piece distinguished by place; else 0
    """

    key: str
    label: str
    count: int = 1
    words: str = ""
    word: str = ""
    piece: str = ""
    name: str = ""
    zone: str = ""
    place: int = 0
    owner: int | None = None


class AnswerError(RulewrightError):
    """Answer that is not possible; nothing has changed."""


class ChoiceGrouping:
    """Candidates of one decision, grouped as the chooser can distinguish them: equal ones of one zone are one choice,
    unless places matter."""

    def __init__(self, messages: Messages, names: Sequence[str], s: State, decision: OpenDecision) -> None:
        self._messages, self._names, self._state = messages, names, s
        self._candidates, self._bounds = decision.candidates, (decision.least, decision.most)
        self._program = messages.program
        self._site, self._seat = self._program.sites[decision.site], decision.seat
        self._number, self._pieces = decision.site, self._site.element.base == "piece"
        self._features = self._piece_features() if self._pieces else {}
        spaces = str(self._site.element.detail) if self._site.element.base == "word" else ""
        self._caller = decision.seat if spaces in messages.edition.space_numbers else None  # whose names spaces have

    def _piece_features(self) -> dict[int, _PieceFeatures]:
        """Return the features by which the chooser distinguishes pieces: appearance, place if places matter, and zone
        if equal pieces lie in several zones that are not named otherwise."""
        program, s, visible_zones, zone = self._program, self._state, dict[int, bool](), self._messages.space
        addresses_by_look: dict[tuple[int | None, int], list[int]] = {}
        for piece in self._candidates:
            address = s[program.layout.piece_zones + piece]
            if address not in visible_zones:
                visible_zones[address] = views.sees_zone(zone(address), self._seat)
            look = program.appearance(s, piece) if visible_zones[address] else None
            addresses_by_look.setdefault((look, address), []).append(piece)
        zones = Counter([look for look, address in addresses_by_look if zone(address).of not in program.words])
        by_place = self._site.distinguishes_places(s, self._seat)
        return {
            piece: (look, address, s[address].index(piece) + 1 if by_place and len(pieces) > 1 else 0, zones[look] > 1)
            for (look, address), pieces in addresses_by_look.items()
            for piece in pieces
        }

    def choices(self, localizer: Localizer) -> tuple[Choice, ...]:
        """Return the choices, equal candidates joined."""
        features, number = self._features, self._number
        groups = (
            [features[one] for one in self._candidates] if self._pieces else [(number, one) for one in self._candidates]
        )
        counts, result = Counter(groups), dict[str, Choice]()
        for of, item in dict(zip(groups, self._candidates, strict=True)).items():
            choice = self._choice(of, item, counts[of], localizer)
            if choice.key in result:  # different groups can have the same name
                choice = self._choice(of, item, counts[of] + result[choice.key].count, localizer)
            result[choice.key] = choice
        return tuple(result.values())

    def _choice(self, of: tuple[int | None, ...], item: int, count: int, localizer: Localizer) -> Choice:
        """Return the choice of a candidate, cached in the game unless the piece is hidden."""
        known, key = self._messages.cache, (localizer.language, count, of, self._caller)
        choice: Choice | None = known.get(key)
        if choice is None:
            choice = (
                self._piece_choice(item, count, localizer)
                if self._pieces
                else self._other_choice(item, count, localizer)
            )
            if of[0] is not None:
                if len(known) >= _MAX_CACHED:
                    known.clear()
                known[key] = choice
        return choice

    def key(self, item: int) -> str:
        """Return the key of a candidate."""
        base = self._site.element.base
        if base == "piece":
            look, address, place, zone_named = self._features[item]
            return self._messages.key(look, self._messages.space(address), place, zone_named)
        if base == "seat":
            return self._names[item]
        if base == "word":
            return self._program.words[str(self._site.element.detail)][item]
        if base == "truth":
            return "yes" if item else "no"
        return self._site.branches[item] if base == "branch" else str(item)

    def keys(self, items: Iterable[int]) -> list[str]:
        """Return the keys of candidates, in the order in which they are offered. Of equal candidates the first ones
        count."""
        keys = [self.key(item) for item in items]
        if len(keys) < 2:
            return keys
        counts = Counter(keys)
        ordered: list[str] = []
        for item in self._candidates:
            if counts.get(key := self.key(item)):
                ordered.append(key)
                counts[key] -= 1
        return ordered

    def complete_keys(self, keys: Sequence[str]) -> tuple[str, ...]:
        """Complete keys that are a piece's name alone, where only one choice has that name; others are unchanged."""
        if not self._pieces:
            return tuple(keys)
        offered: dict[str, set[str]] = {}
        for item in self._candidates:
            offered.setdefault(self._messages.name(self._features[item][0]), set()).add(self.key(item))
        known = set(chain.from_iterable(offered.values()))
        return tuple(key if key in known or len(offered.get(key, ())) != 1 else min(offered[key]) for key in keys)

    def candidates_for(self, keys: Sequence[str]) -> list[int]:
        """Return the candidates for keys, completed, in order: of equal ones, the first. Raises AnswerError for what is
        not offered, and for too few or too many."""
        least, most = self._bounds
        left = list(self._candidates)
        result: list[int] = []
        for key in self.complete_keys(keys):
            item = next((item for item in left if self.key(item) == key), None)
            if item is None:
                offered = dict.fromkeys(self.key(item) for item in self._candidates)
                if key in offered:
                    raise AnswerError(phrase("errors", "'{name}' cannot be chosen again.", name=key))
                hint = suggestion(key, list(offered))
                raise AnswerError(phrase("errors", "'{name}' cannot be chosen. {hint}", name=key, hint=hint))
            left.remove(item)
            result.append(item)
        if not least <= len(result) <= most:
            span = phrase("errors", "{least} to {most}", least=least, most=most)
            count_text = least if least == most else span
            raise AnswerError(phrase("errors", "Choose {wanted}, not {given}.", wanted=count_text, given=len(result)))
        return result

    def _other_choice(self, item: int, count: int, localizer: Localizer) -> Choice:
        """Return the choice of a candidate that is no piece."""
        key = self.key(item)
        words = str(self._site.element.detail) if self._site.element.base == "word" else ""
        return Choice(key, bidi.plain_text(localizer.say(self._label(key, item))), count, words, key if words else "")

    def _label(self, key: str, item: int) -> Argument:
        """Return the label of a candidate that is no piece."""
        match self._site.element.base:
            case "branch":
                return self._messages.text(self._site.branch_texts[item], (), self._seat)
            case "number" if (text := self._site.number_text) is not None:
                return self._messages.text(text, ([item],), self._seat)
            case "word":
                return self._messages.word_label(str(self._site.element.detail), item, self._seat)
            case "truth":
                return yes_or_no(bool(item))
        return key

    def _piece_choice(self, piece: int, count: int, localizer: Localizer) -> Choice:
        """Return the choice of a candidate piece."""
        look, address, place, zone_named = self._features[piece]
        space = self._messages.space(address)
        words = space.of if space.of in self._program.words else ""
        visible_look = self._remembered_look(piece, space) if look is None and count == 1 else look
        return Choice(
            self.key(piece),
            bidi.plain_text(localizer.say(self._messages.label(visible_look, space, place, zone_named))),
            count,
            words,
            self._program.words[words][space.owner] if words else "",
            localizer.say(self._messages.piece_label(look)),
            "" if look is None else type_with_marks(self._program, look).name,
            space.name,
            place,
            space.owner if space.of == SEAT else None,
        )

    def _remembered_look(self, piece: int, space: StateZone) -> int | None:
        """Return the appearance of a piece in a zone hidden from the chooser, who remembers it; else None."""
        place = self._state[space.address].index(piece) + 1
        known = (
            views.known_pieces(self._program, self._state, space, self._seat)
            if self._program.layout.memory >= 0
            else ()
        )
        return self._program.appearance(self._state, piece) if place in [at for _, at in known] else None
