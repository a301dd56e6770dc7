"""English plurals: singular and plural of a noun are one name."""

from __future__ import annotations

import pytest

from rulewright.base import resources
from rulewright.game import library
from rulewright.game.game import Game
from rulewright.model.declarations import canonical
from rulewright.syntax.nouns import article, plural, singular, with_article

PAIRS = """
box boxes, hex hexes, wolf wolves, werewolf werewolves, dwarf dwarves, index indices, mouse mice, dormouse dormice,
city cities, key keys, movie movies, pie pies, die dice, ox oxen, fox foxes, glass glasses, bus buses, bonus bonuses,
lens lenses, house houses, horse horses, rose roses, prize prizes, quiz quizzes, topaz topazes, potato potatoes,
piano pianos, shoe shoes, axe axes, tax taxes, cache caches, witch witches, human humans, fisherman fishermen,
sheep sheep, series series, base bases, phase phases, clause clauses, menu menus, taxi taxis, iris irises,
chief chiefs, roof roofs, cave caves, glove gloves, person people, leaf leaves, gas gases, atlas atlases,
sphinx sphinxes, tree trees, zombie zombies, space spaces, ace aces, edge edges, fuse fuses, octopus octopuses,
crisis crises, omen omens, specimen specimens, talisman talismans, plateau plateaus, knife knives, queen queens
"""


@pytest.mark.parametrize("pair", [pair.split() for pair in PAIRS.split(",")], ids=lambda pair: pair[0])
def test_plural_and_singular_are_inverse(pair: list[str]) -> None:
    one, many = pair
    assert (plural(one), singular(many)) == (many, one)
    assert (singular(one), plural(many)) == (one, many)


@pytest.mark.parametrize(
    ("name", "one", "many"),
    [
        ("night  watchman", "night watchman", "night watchmen"),
        ("Ox", "Ox", "Oxen"),
        ("boxes of Ann", "boxes of Ann", "boxes of Anns"),
        ("row2", "row2", "row2s"),
        ("4", "4", "4s"),
        ("indexes", "index", "indexes"),
        ("größe", "größe", "größes"),
    ],
)
def test_only_the_last_word_counts(name: str, one: str, many: str) -> None:
    assert (canonical(name), plural(canonical(name))) == (one, many.replace("indexes", "indices"))


def test_a_singular_is_its_own_singular() -> None:
    """Otherwise a name that is looked up twice would become another."""
    text = resources.read_text("spec", "nouns.txt") + PAIRS
    for word in {word.strip(",:#. ") for word in text.split()}:
        assert singular(singular(word)) == singular(word), word


def test_an_irregular_plural_is_declared_by_noun() -> None:
    rules = library.from_text(
        """
        rulewright: 1
        title: Plurals
        players: 2
        pieces:
          wolf: {starts in: box}
          hex: {copies: 2, starts in: box}
          blik: {copies: 3, starts in: box, noun: blik | blikken}
        zones: {box: {seen by: all}}
        phases:
          play:
            do:
              - log: "{number of wolves in box} {number of hexes} {number of blikken} {number of bliks in box}: {box}"
              - end game
        """
    )
    lines = [line.text for line in Game.start(rules, ["Ada", "Ben"], seed=1).log.lines(None)]
    assert "1 2 3 3: wolf, 2 hexes and 3 blikken" in lines, lines


WITH_ARTICLES = """
a card, an option, an 'animal', a unit, an unknown word, an hour, a house, a one-eyed jack, an only child, a European,
a union, an uninvited guest
"""


@pytest.mark.parametrize("wording", [" ".join(one.split()) for one in WITH_ARTICLES.split(",")])
def test_the_article_is_the_spoken_one(wording: str) -> None:
    noun = wording.partition(" ")[2]
    assert (with_article(noun), str(article(noun))) == (wording, wording)
