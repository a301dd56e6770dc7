"""Wildlife in random games: what lies where, and Big Scorings worked out once more by other means."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product

import pytest

from rulewright import library
from rulewright.game import Decision, Game
from rulewright.library import Rules
from rulewright.view import View

ISLAND = """\
..TTTTww..
.dTTTTwwM.
ddFFSSSSMM
ddFFSSSMMM
mFFFFSStMM
mFDDDDttff
mmDDDDttff
.mssWWWWW.
..ssWWWW..
""".splitlines()
TERRAINS = {"F": "forest", "D": "desert", "S": "savanna", "T": "steppe", "M": "mountains", "W": "water"}
AREA = {
    f"{'abcdefghij'[x]}{y + 1}": f"{'large' if letter.isupper() else 'small'} {TERRAINS[letter.upper()]}"
    for y, row in enumerate(ISLAND)
    for x, letter in enumerate(row)
    if letter != "."
}
SIZE = Counter(AREA.values())
NAMES = ["Ada", "Ben", "Cleo", "Dora", "Emil", "Fay"]
TILES = {2: 30, 3: 30, 4: 25, 5: 21, 6: 18}


@pytest.fixture(scope="module")
def rules() -> Rules:
    return library.load("wildlife/2002")


def beside(space: str) -> Iterator[str]:
    x, y = "abcdefghij".index(space[0]), int(space[1:])
    for across, down in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        if 0 <= x + across < 10 and (name := f"{'abcdefghij'[x + across]}{y + down}") in AREA:
            yield name


def island(view: View) -> dict[str, str]:
    """The organism on each space that has one."""
    found = {}
    for zone in view.zones:
        if zone.name == "ground" and zone.pieces:
            (found[zone.word],) = zone.pieces
    return found


def herds(ground: dict[str, str]) -> Iterator[tuple[int, str]]:
    """Size and organism of every herd, by a plain flood."""
    todo = set(ground)
    while todo:
        herd = [todo.pop()]
        for space in herd:
            more = [other for other in beside(space) if other in todo and ground[other] == ground[space]]
            todo -= set(more)
            herd += more
        yield len(herd), ground[herd[0]]


def award(entries: Sequence[tuple[int, str]], prizes: Sequence[int], each_uses_a_place: bool) -> Counter[str]:
    """What sizes win, by owner: who ties is one place lower, and whoever comes next behind that."""
    won: Counter[str] = Counter()
    place = 0
    for size in sorted({size for size, _ in entries}, reverse=True):
        owners = [owner for found, owner in entries if found == size]
        tied = len(set(owners)) > 1
        prize = dict(enumerate(prizes)).get(place + tied, 0)
        for owner in owners:
            won[owner] += prize
        place += 2 if tied and not each_uses_a_place else len(owners)
    return won


def big_scoring(view: View, each_uses_a_place: bool) -> Counter[str]:
    """What each organism scores."""
    ground, won = island(view), Counter[str]()
    for area, size in SIZE.items():
        inside = Counter(tile for space, tile in ground.items() if AREA[space] == area)
        if len(inside) == 1:
            won[next(iter(inside))] += 5 if inside.total() == size else 4
        else:
            won += award([(count, tile) for tile, count in inside.items()], [3, 2, 1], each_uses_a_place)
    won += award(list(herds(ground)), [10, 7, 5, 3, 1], each_uses_a_place)
    organisms = organisms_of(view)
    for held in (
        [view.zone("adaptations", seat).count for seat in range(len(organisms))],
        [view.zone("ready abilities", s).count + view.zone("used abilities", s).count for s in range(len(organisms))],
        per_seat(view, "food"),
    ):
        entries = [(n, organism) for n, organism in zip(held, organisms, strict=True) if n]
        won += award(entries, [4, 2], each_uses_a_place)
    return won


def per_seat(view: View, counter: str) -> list[int]:
    cells = view.counters[counter]
    assert isinstance(cells, tuple)
    return [int(cell or 0) for cell in cells]


def organisms_of(view: View) -> list[str]:
    cells = view.counters["own organism"]
    assert isinstance(cells, tuple)
    return [str(cell) for cell in cells]


def number(view: View, counter: str) -> int:
    cell = view.counters[counter]
    assert isinstance(cell, int)
    return cell


def answer(decision: Decision, chance: random.Random) -> list[str]:
    """A quick player: passes and ends turns often, so that games are not too long."""
    keys = [choice.key for choice in decision.choices for _ in range(choice.count)]
    if decision.least == 0 and chance.random() < 0.5:
        return []
    if "pass" in keys and chance.random() < 0.7:
        return ["pass"]
    return chance.sample(keys, max(1, decision.least))


def check_table(view: View, seats: int, decision: Decision) -> None:
    """Nothing is lost, and everything lies where it may."""
    ground, organisms = island(view), organisms_of(view)
    assert sum(zone.count for zone in view.zones) == 180 + 6 + 110 + 72 + 54 + 15 + 11
    assert set(ground) <= set(AREA) and set(ground.values()) <= set(organisms)
    cards = ["deck", "discard", "table", "hand", "played"]
    assert sum(zone.count for zone in view.zones if zone.name in cards) == 110
    for seat, organism in enumerate(organisms):
        on_island = list(ground.values()).count(organism)
        assert on_island + view.zone("reserve", seat).count <= TILES[seats]
        owned = [*(view.zone("ready abilities", seat).pieces or ()), *(view.zone("used abilities", seat).pieces or ())]
        if seats > 2 and view.options["same abilities"] == "two":
            assert max(Counter(owned).values(), default=0) <= 2
    marked = [zone.word for zone in view.zones if zone.name == "mark" and zone.count]
    assert len(marked) + view.zone("small track").count == 11
    if decision.id == "have a turn.action":
        full = [area for area in SIZE if sum(AREA[space] == area for space in ground) == SIZE[area]]
        assert set(full) <= set(marked) or not view.zone("small track").count
        assert not view.zone("lifted").count and not view.zone("table").count


@pytest.mark.parametrize(("seats", "seed"), [*product(range(2, 7), range(2))])
def test_random_games(rules: Rules, seats: int, seed: int) -> None:
    """Even seeds play without options, odd ones with a random choice of each."""
    chance = random.Random(10 * seats + seed)
    options = {name: chance.choice(list(option.choices)) for name, option in rules.edition.options.items()}
    game = Game.start(rules, seats=NAMES[:seats], seed=seed, options=options if seed % 2 else {})
    answers = 0
    while not game.over:
        (decision,) = game.decisions()
        keys = answer(decision, chance)
        answers += 1
        assert answers < 20_000, "the game does not end"
        if answers % 20 == 0 and game.view(None).phase:
            check_table(game.view(None), seats, decision)
        if decision.id != "have a turn.action" or keys:
            game.answer(decision.seat, keys)
            continue
        view = game.view(None)  # the turn ends, and whatever is due is scored with what is there now
        check_table(view, seats, decision)
        game.answer(decision.seat, keys)
        times = number(view, "big scorings") + number(view, "closing scoring")
        won = big_scoring(view, view.options["ties use up places"] == "yes")
        gained = [
            after - before
            for before, after in zip(per_seat(view, "success"), per_seat(game.view(None), "success"), strict=True)
        ]
        assert gained == [times * won[organism] for organism in organisms_of(view)]
    view = game.view(None)
    assert not view.zone("small track").count or any(not view.zone("reserve", seat).count for seat in range(seats))
