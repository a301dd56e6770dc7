"""Words that stand in several lists, such as a board's spaces in another list; and invalid names."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.authoring.edition_check import examine
from rulewright.game import library
from rulewright.game.game import Game
from rulewright.runtime.machine import RuleError

GAME = """
rulewright: 1
title: Clauses
players: 2
words: {clause: {c1: {weight: 5}, c2: {weight: 7}, n1: {weight: 9}}}
boards: {field: {of: square, size: 16 by 4}}
pieces: {man: {copies: 2, starts in: bag}}
zones: {bag: {seen by: all}, place: {of: square, seen by: all}}
counters: {game: {trump: clause, at: square, leader: seat, tally: 0}}
phases:
  play:
    do: [DO, end game]
"""


def messages(tmp_path: Path, *sentences: str) -> list[str]:
    path = tmp_path / "clauses.yaml"
    path.write_text(GAME.replace("DO", ", ".join(sentences)), encoding="utf-8")
    return [f"{found.code}: {found.message}" for found in examine(str(path))[1].errors]


def log_of(*sentences: str) -> list[str]:
    game = Game.start(library.from_text(GAME.replace("DO", ", ".join(sentences))), ("Ada", "Ben"), seed=1)
    return [line.text for line in game.log.lines(0) if not line.heading]


@pytest.mark.parametrize(
    ("sentence", "log"),
    [
        ('log: "{c1\'s weight}"', "5"),
        ('move first 1 of men to c2\'s place, log: "{spaces of men}"'.replace("spaces", "squares"), "c2"),
        ('if c1 is among clauses: [log: "one of them"]', "one of them"),
        ("{if c2 is not among neighbours of c1: [log: far], otherwise: [log: near]}", "near"),
        (
            'log: "{neighbours of c1}; {distance between c1 and c2}; {number of squares connected to c1}"',
            "b1, d1 and c2; 1; 64",
        ),
        ("set trump to n1, if n1 is trump: [log: trump]", "trump"),
        ("set at to c1, if c1 is at: [log: there]", "there"),
        ("if c1 is not at: [log: elsewhere]", "elsewhere"),
    ],
)
def test_shared_word_belongs_to_the_expected_list(sentence: str, log: str) -> None:
    assert log_of(sentence) == [log]


TWO_BOARDS = GAME.replace(
    "boards: {field: {of: square, size: 16 by 4}}",
    "boards: {field: {of: square, size: 4 by 4, directions: way}, pond: {of: pad, size: 4 by 4, ROWS}}",
)


@pytest.mark.parametrize(
    ("sentence", "rows", "log"),
    [
        ("{south of c1}", "columns: file", "c2"),
        ("{ways of c1}", "columns: file", "d1, c2 and b1"),
        ("{south of c1 as far as possible}", "columns: file", "c2, c3 and c4"),
        ("{north of c1 as far as place is not empty}", "columns: file", "nothing"),
        ("{total weight of n1}", "columns: file", "9"),
    ],
)
def test_shared_space_belongs_to_the_board_with_the_direction(sentence: str, rows: str, log: str) -> None:
    text = TWO_BOARDS.replace("ROWS", rows).replace("DO", f'log: "{sentence}"')
    game = Game.start(library.from_text(text), ("Ada", "Ben"), seed=1)
    assert [line.text for line in game.log.lines(0) if not line.heading] == [log]


@pytest.mark.parametrize("sentence", ["{north of c1}", "{north of c1 as far as possible}", "{neighbours of c1}"])
def test_shared_space_of_equal_directions_is_refused(sentence: str, tmp_path: Path) -> None:
    path = tmp_path / "boards.yaml"
    text = TWO_BOARDS.replace("ROWS", "directions: way").replace("DO", f'log: "{sentence}"')
    path.write_text(text, encoding="utf-8")
    [error] = examine(str(path))[1].errors
    assert error.message == "'c1' is a word of clause and of square and of pad; I cannot tell which is meant."
    assert error.hint.startswith("Give the words of one of these lists other names")


def test_one_message_for_words_of_two_lists(tmp_path: Path) -> None:
    uses = [f'log: "{{{word}}} {number}"' for number in range(12) for word in ("c1", "c2", "n1")]
    assert messages(tmp_path, *uses) == [
        "ambiguous-word: 'c1' is a word of clause and of square; I cannot tell which is meant."
    ]


def test_hint_names_the_other_words(tmp_path: Path) -> None:
    path = tmp_path / "clauses.yaml"
    path.write_text(GAME.replace("DO", 'log: "{c2}"'), encoding="utf-8")
    [error] = examine(str(path))[1].errors
    assert error.hint == "Give the words of one of these lists other names; they also share c1, n1."


@pytest.mark.parametrize(
    ("sentence", "word", "better"),
    [
        ('let first pick be 3, log: "{first pick}", log: "{first pick + 1}"', "first", "opening"),
        ('each man as top card: [log: "{top card}", log: "{top card\'s square}"]', "top", "upper"),
        ("each seat: [choose 1 from men as no go, add number of no go to tally]", "no", "without"),
        ("each seat: [choose number from 1 to 3 as highest bid, add highest bid to tally]", "highest", "greatest"),
    ],
)
def test_name_with_a_reserved_word_is_reported_once(sentence: str, word: str, better: str, tmp_path: Path) -> None:
    path = tmp_path / "clauses.yaml"
    path.write_text(GAME.replace("DO", sentence), encoding="utf-8")
    [error] = examine(str(path))[1].errors
    assert error.message == f"A name cannot contain '{word}', which is a word of the language."
    assert error.hint == f"Say '{better}', for example."


@pytest.mark.parametrize(
    ("sentence", "message"),
    [
        ("add trump's weight to tally", "something is needed here, but 'trump' is nothing."),
        ("as leader: add 1 to tally", "somebody is needed here, but 'leader' is nobody."),
    ],
)
def test_message_names_the_missing_value(sentence: str, message: str) -> None:
    with pytest.raises(RuleError) as error:
        log_of(sentence)
    assert message in str(error.value)
