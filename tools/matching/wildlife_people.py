"""People who play Wildlife sensibly, each of another temper.

All play their best cards first, auction their worst one, bid what a card is worth to them, and convert food that they
do not need. What is best is a matter of temper: `WEIGHTS` of a card, of a space and of food.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rulewright.game import library

TERRAINS = {"f": "forest", "d": "desert", "s": "savannah", "t": "steppe", "m": "mountains", "w": "water"}
LEVELS = ("none", "migration", "expansion", "attack")
CHARTS = {
    "crocodile": {"forest": 2, "savannah": 1, "steppe": 1, "water": 3},
    "snake": {"desert": 3, "steppe": 1, "mountains": 1, "water": 2},
    "eagle": {"forest": 1, "desert": 2, "savannah": 1, "mountains": 3},
    "bear": {"forest": 3, "savannah": 1, "steppe": 1, "mountains": 2},
    "mammoth": {"forest": 1, "savannah": 2, "steppe": 3, "mountains": 1},
    "man": {"forest": 1, "savannah": 3, "steppe": 2, "mountains": 1},
}
ISLAND = library.load("wildlife/2002").edition.boards["island"]
AREA = {
    f"{'abcdefghij'[column]}{row + 1}": letter
    for (column, row), letter in zip(ISLAND.positions, ISLAND.letters, strict=True)
}
"""Area of each space, as the edition's map draws it; small letters are the small areas."""


@dataclass(frozen=True)
class Temper:
    """Temper of a player. cards: what each kind is worth, in success points, terrain cards by what they allow; fill,
    herd, lead: weights of a space that fills an area, lies beside own tiles, or wins an area; reserve: food that is
    not converted; price: food paid for a point of worth; abilities: in the order in which they are taken."""

    cards: Mapping[str, float]
    fill: float
    herd: float
    lead: float
    reserve: int
    price: float
    abilities: tuple[str, ...]


SETTLER = Temper(
    {"ability card": 5, "adaptation card": 3.5, "joker": 5, "food source": 4, "epidemic": 2, "famine": 1.5},
    1.5, 0.6, 1.0, 6, 1.6, ("food", "intelligence", "aggression", "mobility", "defence"),
)  # fmt: skip
"""Fills areas, and takes what feeds it."""
HERDER = Temper(
    {"ability card": 3.5, "adaptation card": 5, "joker": 4.5, "food source": 3, "epidemic": 2.5, "famine": 1},
    0.8, 1.6, 0.6, 9, 1.2, ("intelligence", "food", "aggression", "defence", "mobility"),
)  # fmt: skip
"""Builds one large herd, adapts early, and pays little."""
TRADER = Temper(
    {"ability card": 6, "adaptation card": 3, "joker": 5.5, "food source": 5, "epidemic": 1.5, "famine": 2},
    1.0, 0.5, 1.5, 3, 2.2, ("food", "aggression", "intelligence", "mobility", "defence"),
)  # fmt: skip
"""Buys what others sell, attacks, and turns food into points at once."""


class Player:
    """Player of a temper, at one seat of one game, as spec/MATCHES.md describes players in files."""

    def __init__(self, seat: int, names: Sequence[str], temper: Temper = SETTLER) -> None:
        self.seat, self.temper = seat, temper

    def choose(self, view: Any, decision: Any, log: Sequence[str]) -> list[str]:
        """Return the keys of the answer to a decision."""
        sight, keys = _Sight(view, self.seat), [choice.key for choice in decision.choices]
        if decision.id in ("seed an organism.spot", "expand.spot", "attack.spot", "raid.spot", "roam.goal"):
            return _best(keys, lambda key: self._space(sight, key))
        if decision.id == "migrate.goal":
            return _best(keys, lambda key: self._space(sight, key))
        if decision.id in ("migrate.start", "roam.start", "bury.spot"):
            return _best(keys, lambda key: -self._space(sight, key))
        if decision.id == "have a turn.action":
            return self._action(sight, keys)
        if decision.id == "play a card.table":
            return _best(keys, lambda key: self._card(sight, key))
        if decision.id == "auction a card.table":
            return _best(keys, lambda key: -self._card(sight, key))
        if decision.id == "auction a card.amount":
            return self._bid(sight, keys)
        if decision.id == "use an ability.tool":
            return _best(keys, ("mobility", "aggression", "food").index)
        if decision.id == "convert food.points":
            return _best(keys, lambda key: -abs(int(key) - max(1, (sight.food - self.temper.reserve) // 3)))
        if decision.id == "act.deed":
            return _best(keys, ("migrate", "expand", "attack").index)
        if decision.id == "use the joker.role":
            return _best(keys, ("adaptation", "terrain", "ability").index)
        if decision.id == "use the joker.land":
            return _best(keys, lambda key: self._card(sight, f"{key} card"))
        if decision.id == "adapt.better":
            return _best(keys, lambda key: self._adaptation(sight, key))
        if decision.id == "gain an ability.kind":
            return _best(keys, lambda key: -self.temper.abilities.index(key))
        if decision.id == "buy the card.use":
            return ["happen"] if "happen" in keys else keys[:1]
        return keys[: max(1, decision.least)]

    def _action(self, sight: _Sight, keys: Sequence[str]) -> list[str]:
        """Choose what to do next on the own turn: abilities and cards first, then an auction."""
        if "ability" in keys and sight.has_useful_ability:
            return ["ability"]
        if "play" in keys and max(self._card(sight, card) for card in sight.hand) >= 1:
            return ["play"]
        if "auction" in keys and sight.auctions == 0:
            return ["auction"]
        if "migrate" in keys and self._may_gain_by_migrating(sight):
            return ["migrate"]
        if "convert" in keys and sight.food >= self.temper.reserve + 3:
            return ["convert"]
        if "auction" in keys and min(self._card(sight, card) for card in sight.hand) < 1:
            return ["auction"]
        return [] if sight.auctions else [next(key for key in keys if key in ("auction", "play"))]

    def _may_gain_by_migrating(self, sight: _Sight) -> bool:
        """Return whether a tile of no use could move."""
        return any(self._space(sight, space) < 0.7 for space in sight.mine)

    def _card(self, sight: _Sight, card: str) -> float:
        """Return what a card is worth on the own turn, in points."""
        if card in self.temper.cards:
            return self.temper.cards[card]
        level = sight.level(card.removesuffix(" card"))
        return (0, 0.8, 3.2, 4)[level]

    def _bid(self, sight: _Sight, keys: Sequence[str]) -> list[str]:
        """Bid as little as possible, as long as the card is worth it."""
        worth = max((self._card(sight, card) for card in sight.table), default=0.0)
        least = min(map(int, keys), default=0)
        reserve = sight.food - (1 if worth < 5 else 0)
        return [str(least)] if least <= min(reserve, self.temper.price * worth) else []

    def _space(self, sight: _Sight, space: str) -> float:
        """Return what a tile of one's own on a space is worth."""
        temper, area = self.temper, AREA.get(space, "")
        spaces = [other for other, letter in AREA.items() if letter == area]
        free = sum(other not in sight.tiles for other in spaces)
        counts = Counter(sight.tiles[other] for other in spaces if other in sight.tiles)
        mine, others = counts.pop(sight.organism, 0), max(counts.values(), default=0)
        value: float = temper.lead * (1.5 if mine == others else 0.6 if mine < others else 0.3)
        value += temper.herd * min(2, sum(sight.tiles.get(other) == sight.organism for other in _neighbours(space)))
        if free == 1 and space not in sight.tiles:
            value += 4 * temper.fill
        elif free == 2:
            value -= 0.5 * temper.fill
        return value

    def _adaptation(self, sight: _Sight, tile: str) -> float:
        """Return what an adaptation is worth: a new expansion most, where many cards and spaces are."""
        terrain, _, level = tile.removeprefix("spare ").rpartition(" ")
        free = sum(TERRAINS[letter.lower()] == terrain and space not in sight.tiles for space, letter in AREA.items())
        value = {"migration": 1.5, "expansion": 3.0, "attack": 0.8}[level]
        return value + 0.15 * free + 0.3 * sight.hand.count(f"{terrain} card")


class _Sight:
    """View of a seat, by names."""

    def __init__(self, view: Any, seat: int) -> None:
        self.tiles = {zone.word: zone.pieces[0] for zone in view.zones if zone.name == "ground" and zone.pieces}
        zones = {zone.name: zone.pieces for zone in view.zones if zone.owner == seat}
        self.hand = list(zones["hand"])
        self.table = [card for zone in view.zones if zone.name == "table" for card in zone.pieces]
        self._adaptations = zones["adaptations"]
        self._ready = zones["ready abilities"]
        self.organism = view.counters["own organism"][seat]
        self.food, self.auctions = view.counters["food"][seat], view.counters["auctions"][seat]
        self.mine = [space for space, tile in self.tiles.items() if tile == self.organism]

    @property
    def has_useful_ability(self) -> bool:
        return any(tile in ("food", "aggression") for tile in self._ready)

    def level(self, terrain: str) -> int:
        """Return the level in a terrain, from 0."""
        tiles: int = sum(tile.removeprefix("spare ").startswith(terrain) for tile in self._adaptations)
        return min(3, CHARTS[self.organism].get(terrain, 0) + tiles)


def _neighbours(space: str) -> list[str]:
    """Return the names of the spaces that share a side with one."""
    column, row = ord(space[0]), int(space[1:])
    return [f"{chr(column + 1)}{row}", f"{chr(column - 1)}{row}", f"{chr(column)}{row + 1}", f"{chr(column)}{row - 1}"]


def _best(keys: Sequence[str], worth: Callable[[str], float]) -> list[str]:
    """Return the key that is worth most; the first of equal ones."""
    return [max(keys, key=worth)]
