"""Sentences for people, made from a text and its arguments, for one reader."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from babel import Locale
from babel.lists import format_list

from rulewright.program import Program, Space, Text, Type
from rulewright.view import sees


class Messages:
    """Renders the texts of one game. names: of the seats; locale: a Babel identifier."""

    def __init__(self, program: Program, names: Sequence[str], locale: str = "en") -> None:
        self.program, self.names, self.locale = program, names, Locale.parse(locale)
        self._spaces = {space.address: space for space in program.layout.spaces}
        zones = {(space.of, space.name) for space in program.layout.spaces}
        self._shared = {of for of in program.words if sum(of == other for other, _ in zones) > 1}

    def text(self, text: Text, arguments: Sequence[Any], reader: int | None) -> str:
        """The sentence as `reader` (None: a spectator) may read it: pieces that the reader may not see are counted."""
        parts = [
            part if isinstance(part, str) else self.argument(text.types[part], arguments[part], reader)
            for part in text.parts
        ]
        return "".join(parts)

    def argument(self, type_: Type, items: Sequence[Any], reader: int | None) -> str:
        if type_.base == "piece":
            seen = [self.piece(look) for look, zone in items if sees(self._spaces[zone], reader)]
            hidden = len(items) - len(seen)
            if hidden:
                seen.append("a hidden piece" if hidden == 1 else f"{hidden} hidden pieces")
            words = seen
        elif type_.base == "seat":
            words = [self.seat(seat) for seat in items]
        elif type_.base == "word":
            words = [self.word(str(type_.detail), word) for word in items]
        elif type_.base == "truth":
            words = ["yes" if item else "no" for item in items]
        else:
            words = [str(int(item)) for item in items]
        return format_list(words, locale=self.locale) if words else "nothing"

    def seat(self, seat: int) -> str:
        return self.names[seat] if 0 <= seat < len(self.names) else "nobody"

    def word(self, word_list: str, word: int) -> str:
        return self.program.word_nouns[word_list][word][0] if word >= 0 else "nothing"

    def spot(self, word_list: str, word: int) -> str:
        """A word as one of several to choose from: a space of a map by its coordinates, whatever it is called."""
        drawn = any(map_.spaces == word_list for map_ in self.program.maps)
        return self.program.words[word_list][word] if drawn else self.word(word_list, word)

    def piece(self, look: int) -> str:
        return self.program.types[look].name

    def place(self, space: Space, told: bool = False) -> str:
        """What is added to a piece's name to say in which word's zone it lies; '' in other zones. told: to people."""
        if space.of not in self.program.words:
            return ""
        word = self.spot(space.of, space.owner) if told else self.program.words[space.of][space.owner]
        # Where every word has several zones, the word alone would not do.
        return f" in {word}'s {space.name}" if space.of in self._shared else f" on {word}"

    def space(self, address: int) -> Space:
        return self._spaces[address]
