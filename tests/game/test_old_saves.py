"""A saved game goes on as long as its rules play the same, whatever their names and texts are.

`saves` holds games of earlier versions, each with the questions asked `then`. Where one is refused after a change that
lets every game go on as before, such as a name made for a line of the log, put what `plays` was into `editions/played-
alike.json`, under what it is now.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from rulewright.game import library
from rulewright.game.game import Game
from rulewright.game.setup import GameError

SAVES = sorted((Path(__file__).parent / "saves").glob("*.json"))

TEXT = """\
rulewright: 1
title: Fair
players: 2
pieces: {card: {has: {rank: 1 to 3}, starts in: deck, noun: "card {rank}"}}
zones: {deck: {seen by: all, noun: pile}, heap: {seen by: all}}
counters: {seat: {gold: 0}}
phases:
  play:
    title: The play
    do:
      - each seat:
          - choose up to 1 from deck into heap:
              ask: Which card?
          - choose one:
              ask: What for?
              none: Nothing.
              among:
                sale: {text: Sell., do: add 1 to gold}
          - if heap is not empty:
              - add 1 to gold
              - log: "{seat} has sold."
      - each seat by random: add 1 to gold
      - end game
scoring: {gold: {title: Gold, points: gold}}
"""


@pytest.mark.rotating(3)
@pytest.mark.parametrize("path", SAVES, ids=lambda path: path.stem)
def test_a_save_of_an_earlier_version_goes_on(path: Path) -> None:
    save = json.loads(path.read_text(encoding="utf-8"))
    game = Game.load(save)
    questions = [[d.seat, d.id, sorted(choice.key for choice in d.choices)] for d in game.decisions()]
    points = {game.names[standing.seat]: standing.total for standing in game.standings()} if game.over else {}
    assert {"asked": questions, "points": points} == save["then"]


def test_the_list_of_equal_rules_names_shipped_rules() -> None:
    """Entries for other rules have no use any more."""
    recorded = json.loads((Path(library.__file__).parents[3] / "editions" / "played-alike.json").read_text())
    assert set(recorded) <= {library.load(name).play_digest for name in library.available()}


def saved() -> Any:
    game = Game.start(library.from_text(TEXT, "fair"), ["Ada", "Ben"], seed=1)
    game.answer(0, ["card 1"])
    return game.save()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("title: Fair", "title: Fairer\ntext: About it.\ncredits: nobody\nedition: second"),
        ("    title: The play\n", "    text: Play.\n"),
        ("ask: Which card?", "ask: Which of them, {seat}?"),
        ("none: Nothing.", "none: For nothing."),
        ("text: Sell., ", ""),
        (", noun: pile", ", text: All lie here."),
        ("title: Gold, ", "text: What you have., "),
        ('              - log: "{seat} has sold."\n', ""),
        ("      - end game", "      - if every seat has (gold is 0):\n          - log: Nobody sold.\n      - end game"),
        (
            '              - log: "{seat} has sold."\n',
            '              - log: "{seat} has sold"\n                heading: yes\n',
        ),
        ("      - end game", '      - each seat as one:\n          - log: "{one} has {gold}."\n      - end game'),
        ("scoring:", "measures: {rich: {is: gold}}\nscoring:"),
    ],
)
def test_a_save_goes_on_when_words_change(before: str, after: str) -> None:
    save, text = saved(), TEXT.replace(before, after)
    assert text != TEXT
    again = library.from_text(text, "fair")
    assert save["edition"]["hash"] != again.hash or "rich" in after
    assert [decision.seat for decision in Game.load(save, again).decisions()] == [0]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("add 1 to gold\n              - log", "add 2 to gold\n              - log"),
        ("{gold: 0}", "{gold: 1}"),
        ("              none: Nothing.\n", ""),
        ("      - each seat by random: add 1 to gold\n", ""),
        ("      - end game", '      - each seat by random:\n          - log: "{seat}!"\n      - end game'),
        ('noun: "card {rank}"', 'noun: "sheet {rank}"'),  # answers name it
        ("sale:", "text:"),
        ("points: gold", "points: gold + 1"),
    ],
)
def test_a_save_without_rules_is_refused_when_rules_change(before: str, after: str) -> None:
    """The game goes on by its own rules; a save of an earlier version that does not carry them is refused."""
    text, save = TEXT.replace(before, after), saved()
    assert text != TEXT
    today = library.from_text(text, "fair")
    game = Game.load(save, today)
    assert (
        game.rules_changed
        and game.rules.play_digest == library.from_text(TEXT, "fair").play_digest != today.play_digest
    )
    assert [decision.seat for decision in game.decisions()] == [0]
    assert game.save() == save
    del save["edition"]["rules"]
    with pytest.raises(GameError, match="other rules"):
        Game.load(save, today)
