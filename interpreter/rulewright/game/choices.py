"""What somebody may answer: each candidate of a decision by its key, and as people read it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import chain

from rulewright.base.diagnostics import RulewrightError
from rulewright.base.records import record
from rulewright.game.messages import Messages, answer
from rulewright.i18n import bidi
from rulewright.i18n.localizer import Argument, Speech, meant, phrase
from rulewright.model.declarations import SEAT
from rulewright.program.appearance import type_at
from rulewright.program.form import StateZone
from rulewright.runtime import view as views
from rulewright.runtime.operations import OpenDecision
from rulewright.runtime.state import State

_MOST_KEPT = 4000
"""Choices that a game remembers how to tell."""

_Shown = tuple[int | None, int, int, bool]
"""What tells a piece from others: what it shows, or None; the address of its zone; its place there, from 1, or 0; and
whether its zone is told."""


@record
class Choice:
    """Something that can be answered: `key` is how, `label` what people read, `count` how many equal ones there are.

    word: the word that it is, or whose zone it lies in; words: that one's list; '' for neither; piece: of a piece, its
    name without its place, or that it is hidden; name: its name in the edition, if it is seen; zone: of a piece, where
    it lies; owner: the seat whose zone that is, or None; place: of one that is told apart from those like it, where it
    lies in its zone, from 1; else 0.
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
    """An answer that is not offered; nothing has changed."""


class ChoiceGrouping:
    """The candidates of one decision, as the seat that is asked can tell them apart: what is alike to it and lies in
    one zone is one choice, unless places matter."""

    def __init__(self, messages: Messages, names: Sequence[str], s: State, asked: OpenDecision) -> None:
        self._messages, self._names, self._state = messages, names, s
        self._candidates, self._bounds = asked.candidates, (asked.least, asked.most)
        self._program = messages.program
        self._site, self._seat = self._program.sites[asked.site], asked.seat
        self._number, self._pieces = asked.site, self._site.element.base == "piece"
        self._shown = self._told_apart() if self._pieces else {}

    def _told_apart(self) -> dict[int, _Shown]:
        """Candidates that are pieces, as the chooser sees them. Besides what they look like it is told where they lie
        in their zones, if places matter, and in which zone, if those like them lie in several that are not told
        anyway."""
        program, s, seen, zone = self._program, self._state, dict[int, bool](), self._messages.space
        alike: dict[tuple[int | None, int], list[int]] = {}
        for piece in self._candidates:
            address = s[program.layout.at + piece]
            if address not in seen:
                seen[address] = views.sees(zone(address), self._seat)
            look = program.look(s, piece) if seen[address] else None
            alike.setdefault((look, address), []).append(piece)
        zones = Counter([look for look, address in alike if zone(address).of not in program.words])
        apart = self._site.apart(s, self._seat)
        return {
            piece: (look, address, s[address].index(piece) + 1 if apart and len(pieces) > 1 else 0, zones[look] > 1)
            for (look, address), pieces in alike.items()
            for piece in pieces
        }

    def choices(self, speech: Speech) -> tuple[Choice, ...]:
        """Equal ones are one choice."""
        shown, number = self._shown, self._number
        alike = (
            [shown[one] for one in self._candidates] if self._pieces else [(number, one) for one in self._candidates]
        )
        counts, found = Counter(alike), dict[str, Choice]()
        for of, item in dict(zip(alike, self._candidates, strict=True)).items():
            choice = self._choice(of, item, counts[of], speech)
            if choice.key in found:  # what is told apart otherwise can have one name
                choice = self._choice(of, item, counts[of] + found[choice.key].count, speech)
            found[choice.key] = choice
        return tuple(found.values())

    def _choice(self, of: tuple[int | None, ...], item: int, count: int, speech: Speech) -> Choice:
        """A candidate as it is told, which is made once in a game, but for a piece that shows nothing."""
        known, key = self._messages.kept, (speech.language, count, of)
        found: Choice | None = known.get(key)
        if found is None:
            found = self._piece(item, count, speech) if self._pieces else self._thing(item, count, speech)
            if of[0] is not None:
                if len(known) >= _MOST_KEPT:
                    known.clear()
                known[key] = found
        return found

    def key(self, item: int) -> str:
        """How a candidate is named in answers."""
        base = self._site.element.base
        if base == "piece":
            look, address, place, told = self._shown[item]
            return self._messages.key(look, self._messages.space(address), place, told)
        if base == "seat":
            return self._names[item]
        if base == "word":
            return self._program.words[str(self._site.element.detail)][item]
        if base == "truth":
            return "yes" if item else "no"
        return self._site.branches[item] if base == "branch" else str(item)

    def whole(self, keys: Sequence[str]) -> tuple[str, ...]:
        """Return the keys with the places of pieces added, where they were left out and are plain."""
        if not self._pieces:
            return tuple(keys)
        offered: dict[str, set[str]] = {}
        for item in self._candidates:
            offered.setdefault(self._messages.name(self._shown[item][0]), set()).add(self.key(item))
        known = set(chain.from_iterable(offered.values()))
        return tuple(key if key in known or len(offered.get(key, ())) != 1 else min(offered[key]) for key in keys)

    def chosen(self, keys: Sequence[str]) -> list[int]:
        """The candidates that whole keys stand for, in their order: of equal ones, the first. Raises AnswerError."""
        least, most = self._bounds
        left = list(self._candidates)
        chosen: list[int] = []
        for key in keys:
            item = next((item for item in left if self.key(item) == key), None)
            if item is None:
                offered = dict.fromkeys(self.key(item) for item in self._candidates)
                if key in offered:
                    raise AnswerError(phrase("errors", "'{name}' cannot be chosen again.", name=key))
                hint = meant(key, list(offered))
                raise AnswerError(phrase("errors", "'{name}' cannot be chosen. {hint}", name=key, hint=hint))
            left.remove(item)
            chosen.append(item)
        if not least <= len(chosen) <= most:
            span = phrase("errors", "{least} to {most}", least=least, most=most)
            wanted = least if least == most else span
            raise AnswerError(phrase("errors", "Choose {wanted}, not {given}.", wanted=wanted, given=len(chosen)))
        return chosen

    def _thing(self, item: int, count: int, speech: Speech) -> Choice:
        """What is no piece."""
        key = self.key(item)
        words = str(self._site.element.detail) if self._site.element.base == "word" else ""
        return Choice(key, bidi.plain_text(speech.say(self._label(key, item))), count, words, key if words else "")

    def _label(self, key: str, item: int) -> Argument:
        """What is no piece, for people."""
        match self._site.element.base:
            case "branch":
                return self._messages.text(self._site.branch_texts[item], (), self._seat)
            case "number" if (text := self._site.number_text) is not None:
                return self._messages.text(text, ([item],), self._seat)
            case "word":
                return self._messages.spot(str(self._site.element.detail), item)
            case "truth":
                return answer(bool(item))
        return key

    def _piece(self, piece: int, count: int, speech: Speech) -> Choice:
        look, address, place, told = self._shown[piece]
        space = self._messages.space(address)
        words = space.of if space.of in self._program.words else ""
        shown = self._known(piece, space) if look is None and count == 1 else look
        return Choice(
            self.key(piece),
            bidi.plain_text(speech.say(self._messages.label(shown, space, place, told))),
            count,
            words,
            self._program.words[words][space.owner] if words else "",
            speech.say(self._messages.called(look)),
            "" if look is None else type_at(self._program, look).name,
            space.name,
            place,
            space.owner if space.of == SEAT else None,
        )

    def _known(self, piece: int, space: StateZone) -> int | None:
        """What the chooser knows of a piece that lies hidden at a place of its own; None where it knows nothing."""
        place = self._state[space.address].index(piece) + 1
        known = (
            views.known_pieces(self._program, self._state, space, self._seat)
            if self._program.layout.memory >= 0
            else ()
        )
        return self._program.look(self._state, piece) if place in [at for _, at in known] else None
