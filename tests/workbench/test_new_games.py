"""New games: whatever the dialogue can ask for is sound, explained, and plays to its end."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from example_counts import few
from rulewright.authoring import scenarios
from rulewright.authoring.edition_check import examine
from rulewright.game import library
from rulewright.game.library import Rules
from rulewright.players.seating import Seat
from rulewright.players.session import Session
from rulewright.syntax.formatter import format_file
from rulewright.workbench.new_game import game_maker, game_templates
from rulewright.workbench.new_game.game_maker import Answers, NewGameError

USUAL = {"sorts": ("sun", "moon", "star", "sea"), "copies": 2}
LEAST = {"highest": 3, "copies": 4, "dice": 1, "sides": 2, "columns": 3, "rows": 3, "sorts": ("a", "b", "c")}
MOST = {
    "highest": 20, "copies": 4, "dice": 6, "sides": 20, "columns": 20, "rows": 20,
    "sorts": tuple(f"sort {letter}" for letter in "abcdefghijkl"),
}  # fmt: skip


def combinations() -> Iterator[Any]:
    """Every way to win with every turn, and every form of cards and boards with every turn; all of it with --long."""
    for turn in game_maker.dialog_choices()["turns"]:
        forms: list[dict[str, Any]] = [{}]
        if turn["of"] == "cards" and not turn["with"]:
            forms = [{"cards": "suits"}, {"cards": "names", "copies": 12}]
        elif turn["of"] == "board":
            forms = [{"form": "square"}, {"form": "hexagonal"}]
        for number, win in enumerate(turn["wins"]):
            for index, form in enumerate(forms):
                always = index == number % len(forms) or len(turn["wins"]) < len(forms)
                choices = {"turn": turn["name"], "win": win, **form}
                id_ = f"{turn['name']}-{win}-{'-'.join(map(str, form.values()))}"
                yield pytest.param(turn, choices, id=id_, marks=[] if always else [pytest.mark.long])


def start_new_game(folder: Path, answers: Answers) -> Path:
    result = game_maker.make_game(answers, "my-game.yaml")
    path = folder / "my-game.yaml"
    path.write_text(result.text, encoding="utf-8")
    path.with_suffix(".examples.yaml").write_text(result.examples, encoding="utf-8")
    return path


def played(rules: Rules, people: int, seed: int) -> Session:
    session = Session.start(rules, [Seat(f"P{number}", "random") for number in range(people)], seed=seed)
    while session.play_bot():
        continue
    return session


def hold(path: Path, fewest: int, most: int) -> None:
    """Check that a new game is valid, in canonical form, passes its examples, and ends."""
    edition, report = examine(str(path))
    assert edition is not None
    assert not report.diagnostics, report.render()
    for file in (path, path.with_suffix(".examples.yaml")):
        assert format_file(file, file.name) == file.read_text(encoding="utf-8")
    text = io.StringIO()
    assert scenarios.run([str(path.with_suffix(".examples.yaml"))], text) == scenarios.PASSED, text.getvalue()
    rules = library.load(str(path))
    for people in {fewest, most}:
        game = played(rules, people, 3).game
        assert game.over
        assert not game.position.limit_text() or edition.limit.scored


def test_all_templates_are_offered() -> None:
    existing = {path.stem for path in Path(game_templates.__file__).with_name("templates").iterdir()}
    assert existing == {*game_templates.turns(), "_frame"}


@pytest.mark.rotating(3)
@pytest.mark.parametrize(("turn", "choices"), list(combinations()))
def test_every_answer_makes_a_game_that_plays(turn: dict[str, Any], choices: dict[str, Any], tmp_path: Path) -> None:
    people = {"fewest": max(2, turn["fewest"]), "most": min(4, turn["most"])}
    path = start_new_game(tmp_path, Answers("My Game", **{**USUAL, **choices, **people}))
    assert "  the game begins:" not in path.with_suffix(".examples.yaml").read_text(encoding="utf-8")
    hold(path, **people)
    prints = [look.card for look in library.load(str(path)).edition.looks.values()]
    assert prints == ([True] if turn["of"] == "cards" else [])


@pytest.mark.long
@pytest.mark.parametrize("size", [LEAST, MOST], ids=["least", "most"])
@pytest.mark.parametrize(("turn", "choices"), list(combinations()))
def test_smallest_and_largest_games(
    turn: dict[str, Any], choices: dict[str, Any], size: dict[str, Any], tmp_path: Path
) -> None:
    fewest = turn["fewest"]
    people = {"fewest": fewest, "most": fewest if size is LEAST else turn["most"]}
    hold(start_new_game(tmp_path, Answers("My Game", **{**choices, **size, **people})), **people)


HOSTILE = [
    'Say "hello": {x} [y|z] # no',
    "- a\n- b: c\n\trulewright: 2",
    "<title> <cards> <over!>",
    "'''\"\"\"\\u0000\\",
    "\x00\x1b[31m\u202eevil\u2028\ufeff",
    "{{{{ }}}} [[a|b]] {seat}",
    "яблоко 🍎 תפוח",
    "deck",
    "hand of seat where it is yes",
    "no",
    "1",
    "null",
    "~",
    "!!python/object:os.system",
    "*anchor",
    "&anchor",
    "%",
    "a" * 500,
    "half \ud800 a letter",
]


@pytest.mark.rotating(3)
@pytest.mark.parametrize("name", HOSTILE)
def test_typed_names_are_used_literally(name: str, tmp_path: Path) -> None:
    sorts = (name, "second", f"{name} 3", "fourth")
    path = start_new_game(tmp_path, Answers(name, "draw", "points", cards="names", sorts=sorts, copies=12))
    hold(path, 2, 4)
    rules = library.load(str(path))
    assert rules.title == game_maker.clean_text(name, game_maker.MAX_TITLE_LENGTH)
    assert set(rules.edition.words) == {"face"}


@pytest.mark.rotating(5)
@few(10)
@given(st.tuples(st.text(max_size=40), st.text(max_size=40), st.text(max_size=40)))
def test_anything_can_be_typed(names: tuple[str, str, str]) -> None:
    answers = Answers(names[0], "bag", "points", sorts=("red", *names), copies=4, marker=names[1])
    try:
        result = game_maker.make_game(answers, "x.yaml")
    except NewGameError as error:
        assert str(error)
    else:
        assert library.from_text(result.text).edition.tree is not None
