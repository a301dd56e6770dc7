"""Symbols in place of names, which become words when the edition is written.

So an edition can be written again with other names, and must then be the same game.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from edition_generator.random_source import RandomSource
from rulewright.syntax import sentence_grammar
from rulewright.syntax.nouns import plural, singular

_ENGLISH = """
acorn alder ant apple arrow ash badger banner barrel basket beacon bead bean bear beaver beet bell berry birch
bird blade blossom boat bone book bottle bough bow bowl bramble brick bridge brook broom bucket bud bull
button candle canoe canyon castle cave cedar chain chestnut cider citadel city clay cliff clock cloud clover
comb copper coral cow crab crane crown cup dale dawn deer dew dome dove dragon drum duck dune eagle eel elm
ember fawn fern ferry field fig finch flag flame flint flock flower flute forest fountain frog garden gate
ginger glade goat grape grove gull hammer harbour hare harp hawk hazel helmet herb heron hill honey hood horn
horse hound island ivy jewel jug kettle key kite knot ladder lake lamb lamp lantern lark leek lemon lily linen
lizard loom maple marble meadow melon mill mint mole moor moth mountain mule mushroom nest newt nut oak oar
olive onion otter owl paddle pear pearl pebble pepper petal pheasant pigeon pillar pine plum pond poppy quail
quill rabbit raft raven reed ribbon river robin rope rose saddle sail salmon sandal seal seed shell shield
shovel silk silver slate snail sparrow spear spindle spoon spruce stag star stone stork storm stream swallow
swan table tailor tavern temple tent thistle thorn thread thrush ticket tiger tile toad torch tower trail
trout tulip tunnel turnip turtle valley vessel viper wagon walnut weasel well whale wheel willow wind winter
wool yarn wolf box hex ox child mouse knife shelf potato calf goose bench dish fox die penny tooth
"""
NOUNS = [noun for noun in _ENGLISH.split() if noun == singular(plural(noun)) != plural(noun)]
ADJECTIVES = ("little", "old", "far", "red")

_SYMBOL = re.compile("\x01([0-9]+)(s?)\x02")

_OF_OTHERS = {"attribute", "table", "word"}


class Symbol:
    """Placeholder of a name: in a text, its `one` or its `many`."""

    def __init__(self, number: int, sort: str) -> None:
        self.number, self.sort = number, sort
        self.one, self.many = f"\x01{number}\x02", f"\x01{number}s\x02"

    def __str__(self) -> str:
        return self.one


class Namer:
    """Names of symbols. near: pairs of symbols with nearly the same name; each new name is in one with a chance of
    `similar_percent`."""

    def __init__(self, rng: RandomSource, similar_percent: int) -> None:
        self._rng, self._similar_percent = rng, similar_percent
        self._free = [noun for noun in NOUNS if noun not in sentence_grammar.reserved()]
        self.names: list[str] = []
        self.symbols: list[Symbol] = []
        self.near: list[tuple[Symbol, Symbol]] = []

    def new(self, sort: str) -> Symbol:
        """Name something of a sort that sentences can name."""
        symbol = Symbol(len(self.names), sort)
        others = [other for other in self.symbols if _may_be_similar(other.sort, sort)]
        if others and self._rng.chance(self._similar_percent) and (near := self._near(self._rng.pick(others), symbol)):
            self.names.append(near)
        else:
            noun = self._free.pop(self._rng.below(len(self._free)))
            self.names.append(f"{self._rng.pick(ADJECTIVES)} {noun}" if self._rng.chance(8) else noun)
        self.symbols.append(symbol)
        return symbol

    def _near(self, other: Symbol, symbol: Symbol) -> str:
        """Return a name that is nearly another's; '' if something of the same sort has it."""
        name = self.names[other.number]
        name = plural(name) if self._rng.chance(60) else name
        if any(twin.sort == symbol.sort and self.names[twin.number] == name for twin in self.symbols):
            return ""
        self.near.append((other, symbol))
        return name

    def new_unique(self, sort: str) -> Symbol:
        """Name something that sentences do not name: never similar to another."""
        similar_percent, self._similar_percent = self._similar_percent, 0
        symbol = self.new(sort)
        self._similar_percent = similar_percent
        self.symbols.remove(symbol)
        return symbol

    def similar_symbols(self) -> frozenset[str]:
        """Return the symbols whose names are nearly another's."""
        return frozenset(symbol.one for pair in self.near for symbol in pair)

    def distinct_names(self) -> Mapping[int, str]:
        """Return distinct names for all symbols whose names are nearly the same."""
        both = {symbol.number for pair in self.near for symbol in pair}
        return {number: f"odd {self._free[-1 - place]}" for place, number in enumerate(sorted(both))}

    def with_names(self, tree: Any, instead: Mapping[int, str] | None = None) -> Any:
        """Return a tree with names in place of its symbols."""
        names = instead or {}

        def name(match: re.Match[str]) -> str:
            number = int(match[1])
            word = names.get(number, self.names[number])
            return plural(word) if match[2] else word

        return _mapped(tree, lambda text: _SYMBOL.sub(name, text))


def _may_be_similar(one: str, other: str) -> bool:
    """Return whether two sorts may have nearly the same name, because each stands in places of its own."""
    return one != other and bool({one, other} & _OF_OTHERS) and {one, other} != {"list", "word"}


def _mapped(tree: Any, change: Callable[[str], str]) -> Any:
    if isinstance(tree, dict):
        return {_mapped(key, change): _mapped(inner, change) for key, inner in tree.items()}
    if isinstance(tree, list):
        return [_mapped(inner, change) for inner in tree]
    return change(str(tree)) if tree is not None else None
