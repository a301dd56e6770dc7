"""What somebody may answer: each candidate of a decision by its key, and as people read it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rulewright.base.records import record
from rulewright.game.messages import Messages, answer
from rulewright.i18n import bidi
from rulewright.i18n.speech import Argument, Speech, phrase
from rulewright.program.form import StateZone
from rulewright.runtime import view as views
from rulewright.runtime.operations import OpenDecision
from rulewright.runtime.state import State


@record
class Choice:
    """Something that can be answered: `key` is how, `label` what people read, `count` how many equal ones there are.

    word: the word that it is, or whose zone it lies in; words: that one's list; '' for neither; piece: of a piece, its
    name without its place; name, zone: of a piece that is seen, its name in the edition and where it lies; place: of
    one that is told apart from equal ones, where it lies in its zone, from 1; else 0.
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


class Offer:
    """The candidates of one decision, as the seat that is asked can tell them apart."""

    def __init__(self, messages: Messages, names: Sequence[str], s: State, asked: OpenDecision) -> None:
        self._messages, self._names, self._state, self._asked = messages, names, s, asked
        self._program = messages.program
        self._site, self._seat = self._program.sites[asked.site], asked.seat
        self._places = self._by_place() if self._site.apart(s, asked.seat) else {}

    def choices(self, speech: Speech) -> tuple[Choice, ...]:
        """Equal ones are one choice."""
        say = speech.say
        keys = [self.key(item) for item in self._asked.candidates]
        counts = Counter(keys)
        items = dict(zip(keys, self._asked.candidates, strict=True))
        return tuple(
            Choice(
                key,
                bidi.bare(say(self._label(items[key]))),
                count,
                *self._word(items[key]),
                say(self._piece(items[key])),
                *self._seen_as(items[key]),
                self._places.get(items[key], 0),
            )
            for key, count in counts.items()
        )

    def key(self, item: int) -> str:
        """How a candidate is named in answers. What the chooser cannot see is all alike; equal pieces are told apart
        by the words in whose zones they lie, and by their places there where those matter."""
        base = self._site.element.base
        if base == "piece":
            space = self._space(item)
            if not views.sees(space, self._seat):
                return views.HIDDEN
            return self._messages.key(self._look(item), space, self._places.get(item, 0))
        if base == "seat":
            return self._names[item]
        if base == "word":
            return self._program.words[str(self._site.element.detail)][item]
        if base == "truth":
            return "yes" if item else "no"
        return self._site.branches[item] if base == "branch" else str(item)

    def _label(self, item: int) -> Argument:
        """The same for people."""
        match self._site.element.base:
            case "branch":
                return self._messages.text(self._site.branch_texts[item], (), self._seat)
            case "number" if (text := self._site.number_text) is not None:
                return self._messages.text(text, ([item],), self._seat)
            case "word":
                return self._messages.spot(str(self._site.element.detail), item)
            case "truth":
                return answer(bool(item))
            case "piece" if views.sees(space := self._space(item), self._seat):
                return self._messages.label(self._look(item), space, self._places.get(item, 0))
            case "piece":
                return phrase("choice", "hidden")
        return self.key(item)

    def _piece(self, item: int) -> Argument:
        if self._site.element.base == "piece" and views.sees(self._space(item), self._seat):
            return self._messages.piece(self._look(item))
        return ""

    def _seen_as(self, item: int) -> tuple[str, str]:
        """The name in the edition of a piece that is seen, and the zone in which it lies."""
        if self._site.element.base != "piece" or not views.sees(space := self._space(item), self._seat):
            return "", ""
        return self._program.types[self._look(item)].name, space.name

    def _word(self, item: int) -> tuple[str, str]:
        """The word that a candidate is, or in whose zone it is seen to lie: its list and its name."""
        words = self._program.words
        if self._site.element.base == "word":
            return str(self._site.element.detail), self.key(item)
        if self._site.element.base == "piece" and views.sees(space := self._space(item), self._seat):
            return (space.of, words[space.of][space.owner]) if space.of in words else ("", "")
        return "", ""

    def _by_place(self) -> dict[int, int]:
        """The place of each candidate that lies in one zone with an equal one and is seen there."""
        alike: dict[tuple[int, int], list[int]] = {}
        for item in self._asked.candidates:
            space = self._space(item)
            if views.sees(space, self._seat):
                alike.setdefault((self._look(item), space.address), []).append(item)
        return {
            item: self._state[address].index(item) + 1
            for (_, address), items in alike.items()
            if len(items) > 1
            for item in items
        }

    def _look(self, piece: int) -> int:
        return self._program.look(self._state, piece)

    def _space(self, piece: int) -> StateZone:
        """The zone in which a piece lies."""
        return self._messages.space(self._state[self._program.layout.at + piece])
