"""What somebody may answer: each candidate of a decision by its key, and as people read it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rulewright.base.records import record
from rulewright.game.messages import Messages, answer
from rulewright.i18n import bidi
from rulewright.i18n.speech import Argument, Speech
from rulewright.model.declarations import SEAT
from rulewright.program.form import StateZone
from rulewright.program.looks import type_at
from rulewright.runtime import view as views
from rulewright.runtime.operations import OpenDecision
from rulewright.runtime.state import State

_MOST_KEPT = 4000
"""Choices that a game remembers how to tell."""


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


class Offer:
    """The candidates of one decision, as the seat that is asked can tell them apart: what is alike to it and lies in
    one zone is one choice, unless places matter."""

    def __init__(self, messages: Messages, names: Sequence[str], s: State, asked: OpenDecision) -> None:
        self._messages, self._names, self._state = messages, names, s
        self._candidates = asked.candidates
        self._program = messages.program
        self._site, self._seat = self._program.sites[asked.site], asked.seat
        self._places: dict[int, int] = {}
        self._told: set[int | None] = set()
        if self._site.element.base == "piece":
            at = self._program.layout.at
            self._spaces = {piece: messages.space(s[at + piece]) for piece in asked.candidates}
            self._looks = {piece: self._seen(piece, space) for piece, space in self._spaces.items()}
            self._tell_apart()

    def _tell_apart(self) -> None:
        """What has to be told of candidates besides what they look like: places, and zones where those like them lie in
        several that are not told anyway."""
        alike: dict[tuple[int | None, int], list[int]] = {}
        for item in self._candidates:
            alike.setdefault((self._looks[item], self._spaces[item].address), []).append(item)
        untold = Counter(look for look, address in alike if self._messages.space(address).of not in self._program.words)
        self._told = {look for look, zones in untold.items() if zones > 1}
        if self._site.apart(self._state, self._seat):
            self._places = {
                item: self._state[address].index(item) + 1
                for (_, address), items in alike.items()
                if len(items) > 1
                for item in items
            }

    def choices(self, speech: Speech) -> tuple[Choice, ...]:
        """Equal ones are one choice."""
        keys = [self.key(item) for item in self._candidates]
        counts = Counter(keys)
        items = dict(zip(keys, self._candidates, strict=True))
        make = self._piece if self._site.element.base == "piece" else self._thing
        return tuple(make(key, items[key], count, speech) for key, count in counts.items())

    def key(self, item: int) -> str:
        """How a candidate is named in answers."""
        base = self._site.element.base
        if base == "piece":
            look = self._looks[item]
            return self._messages.key(look, self._spaces[item], self._places.get(item, 0), look in self._told)
        if base == "seat":
            return self._names[item]
        if base == "word":
            return self._program.words[str(self._site.element.detail)][item]
        if base == "truth":
            return "yes" if item else "no"
        return self._site.branches[item] if base == "branch" else str(item)

    def _thing(self, key: str, item: int, count: int, speech: Speech) -> Choice:
        """What is no piece."""
        words = str(self._site.element.detail) if self._site.element.base == "word" else ""
        return Choice(key, bidi.bare(speech.say(self._label(key, item))), count, words, key if words else "")

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

    def _piece(self, key: str, item: int, count: int, speech: Speech) -> Choice:
        space, look, place = self._spaces[item], self._looks[item], self._places.get(item, 0)
        if look is None:
            return self._shown(key, item, count, speech)
        known, of = self._messages.kept, (speech.language, space.address, look, place, look in self._told, count)
        if of not in known:
            if len(known) >= _MOST_KEPT:
                known.clear()
            known[of] = self._shown(key, item, count, speech)
        found: Choice = known[of]
        return found

    def _shown(self, key: str, item: int, count: int, speech: Speech) -> Choice:
        space, look, place = self._spaces[item], self._looks[item], self._places.get(item, 0)
        words = space.of if space.of in self._program.words else ""
        shown = self._known(item) if look is None and count == 1 else look
        return Choice(
            key,
            bidi.bare(speech.say(self._messages.label(shown, space, place, look in self._told))),
            count,
            words,
            self._program.words[words][space.owner] if words else "",
            speech.say(self._messages.called(look)),
            "" if look is None else type_at(self._program, look).name,
            space.name,
            place,
            space.owner if space.of == SEAT else None,
        )

    def _seen(self, piece: int, space: StateZone) -> int | None:
        """What a piece shows; None where the chooser does not see it."""
        return self._program.look(self._state, piece) if views.sees(space, self._seat) else None

    def _known(self, piece: int) -> int | None:
        """What the chooser knows of a piece that lies hidden at a place of its own; None where it knows nothing."""
        space = self._spaces[piece]
        place = self._state[space.address].index(piece) + 1
        known = (
            views.known_pieces(self._program, self._state, space, self._seat)
            if self._program.layout.memory >= 0
            else ()
        )
        return self._program.look(self._state, piece) if place in [at for _, at in known] else None
