"""Learning at a terminal: whole tutorials, other answers, help, what is kept, and all that can go wrong."""

from __future__ import annotations

import io
import json
import re
import sys
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import pytest

from example_counts import one_in
from rulewright import cli
from rulewright.game import library
from rulewright.i18n.languages import localizer_for
from rulewright.publish.console import Console, cell_width
from rulewright.publish.lessons import Course, course, lesson_text
from rulewright.terminal import lesson_menu, lesson_progress
from terminals import Terminal

EDITIONS = sorted(library.available())


@pytest.fixture(autouse=True)
def state(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Return the file of the learning progress."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))
    return tmp_path


@cache
def lessons_of(name: str) -> Course:
    return course(library.load(name))


def taught(name: str, typed: Sequence[str], number: int | None = 0, language: str = "en") -> str:
    """All that is written to somebody who types these lines, and then nothing more."""
    source = io.BytesIO()
    out = io.TextIOWrapper(source, encoding="utf-8")
    console = Console(io.StringIO("".join(f"{line}\n" for line in typed)), out, localizer=localizer_for(language))
    assert lesson_menu.teach(lessons_of(name), console, number=number) == 0
    out.flush()
    return source.getvalue().decode()


def flat(text: str) -> str:
    """A text on one line, with ordinary blanks."""
    return " ".join(text.split())


def by_the_example(name: str, number: int, language: str) -> list[str]:
    """Return what a player types to answer like a lesson's example."""
    learned_by = lessons_of(name)
    seat, typed = learned_by.lesson(number).seat, []
    for moment in learned_by.points(number):
        decision = moment.game.decision(seat, language)
        if decision is not None and moment.example_answer is not None:
            labels = {choice.key: choice.label for choice in decision.choices}
            lettered = any(re.fullmatch("[0-9]+", label) for label in labels.values())
            none = "-" if lettered and decision.kind != "number" else "0"
            typed.append(", ".join(labels[key] for key in moment.example_answer) or none)
    return typed


@pytest.mark.rotating(4)
@pytest.mark.parametrize(
    ("name", "language"),
    [
        pytest.param("wild-cards/2020", "fr", marks=pytest.mark.long),
        ("wild-cards/2022", "de"),
        pytest.param("wildlife/2002", "it", marks=pytest.mark.long),
    ],
)
def test_a_tutorial_is_played_through(name: str, language: str) -> None:
    """Give the examples' answers; Enter leads from lesson to lesson, and the end names the command that starts a
    game."""
    learned_by, text = lessons_of(name), localizer_for(language)
    typed = ["1"]
    for number in range(learned_by.usual):
        typed += [*by_the_example(name, number, language), ""]
    screen = taught(name, [*typed, ""], None, language)
    assert text.say(lesson_text("allowed too")) not in screen
    message = flat(screen)
    for number in range(learned_by.usual):
        lesson, moments = learned_by.lesson(number), learned_by.points(number)
        assert lesson.title(moments[0].game.localizer(language)) in message
        assert flat(lesson.text(language, moments[0].game)) in message
        for line in lesson.lines(moments[-1], language):
            assert flat(line.text) in message
        for reason in lesson.rules(moments[-2 if len(moments) > 1 else -1], language):
            assert flat(reason.text) in message
    assert message.count(f"✓ {text.say(lesson_text('lesson done'))}") == learned_by.usual
    assert f"rulewright play {name}" in message
    assert max(map(cell_width, screen.splitlines())) < 80


@pytest.mark.rotating(2)
def test_another_answer_is_played_and_the_lesson_goes_on() -> None:
    """The bid of the example is a savannah 3, with which the learner takes the eagle."""
    screen = taught("wild-cards/2022", ["forest 2", "1"], 0)
    assert "You may do that, too.\n  You bid a forest 2." in screen
    assert "The lesson plays: savannah 3\n  1) Take it back\n  2) Go on with the lesson" in screen
    assert screen.count("Place your bid face down.") == 2 and screen.endswith("You> \n")
    screen = taught("wild-cards/2022", ["forest 2", "2", "0", "2"], 0)
    assert "You bid a savannah 3." in screen and "You passed and drew 2 habitat cards." in screen
    assert screen.count("The lesson plays: eagle") == 1
    assert "Then you are asked: Pay 2 habitat cards for your bid of 3." in taught(
        "wild-cards/2022", ["savannah 3", "squirrel"], 0
    )


@pytest.mark.rotating(4)
def test_each_rule_is_shown_once_in_a_lesson() -> None:
    """The rule of a decision comes after its answer, that of the example at its end. The rule of migration decides
    twice here."""
    name, number = "wildlife/2002", 1
    screen = flat(taught(name, by_the_example(name, number, "en"), number))
    lesson, moments = lessons_of(name).lesson(number), lessons_of(name).points(number)
    lines = [why for moment in moments[:-1] for why in lesson.rules(moment, "en")]
    others = [why.text for why in lines if why.key != lesson.case.explains]
    assert others and all(screen.count(flat(why.text)) == 1 for why in lines)
    (explained,) = {why.text for why in lines if why.key == lesson.case.explains}
    assert screen.index(flat(others[0])) < screen.index(flat(explained))


@pytest.mark.parametrize("name", one_in(4, EDITIONS))
def test_commands_of_a_game_work_in_lessons(name: str) -> None:
    number = next(n for n in range(9) if len(lessons_of(name).points(n)) > 1)
    screen = taught(name, ["?", "? no such thing", "help", "table", "lang de", "xyz", "/quit"], number)
    assert "lists the names" in screen and "nothing called 'no such thing'" in screen
    assert "go on to the next lesson" in screen and "the game is saved" not in screen and "undo" not in screen
    assert "„xyz“" in screen


def test_lessons_are_left_skipped_and_repeated() -> None:
    screen = taught("wild-cards/2022", ["skip", "lessons", "7", "quit"], 0)
    assert re.findall(r"Lesson (\d+) of 5", screen) == ["1", "2"] and "> 7\n\nThree bids\n" in screen
    played = by_the_example("wild-cards/2022", 2, "en")
    screen = taught("wild-cards/2022", [*played, "again", *played, "all lessons", "*", "quit"], 2)
    assert re.findall(r"Lesson (\d+) of 5", screen) == ["3", "3"]
    assert "3) A refill card  ✓ done" in screen and "Number or name [1]> *" in screen
    assert f"{len(lessons_of('wild-cards/2022').lessons)}) " in screen.split("> *")[1]


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("99", "There is no lesson 99. The last one is 29."),
        ("0", "There is no lesson 0."),
        ("Pasing", "Which lesson is 'Pasing'? Did you mean 'Passing'?"),
        ("card", "Which lesson is 'card'? Type a number from 1 to 29, or a title."),
        ("9" * 400, "Which lesson is"),
    ],
)
def test_unknown_lessons_are_refused(typed: str, expected: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Unknown lessons are refused in the list, which asks again, and on the command line."""
    screen = taught("wild-cards/2022", [typed, "bluff"], None)
    assert expected in flat(screen) and "> bluff\n\nA bluff\n" in screen
    assert cli.main(["learn", "wild-cards/2022", typed]) == 2
    assert expected in flat(capsys.readouterr().err)


@pytest.mark.parametrize(
    ("argv", "expected"),
    [
        ((), "Something is missing: EDITION"),
        (("wild-crads",), "Did you mean 'wild-cards'?"),
        (("nowhere.yaml",), "no file 'nowhere.yaml'"),
        (("2022", "1", "2"), "does not know what to do with '2'"),
        (("2022", "--lang", "xx"), "There is no language 'xx'."),
        (("2022", "--pace", "quick"), "--pace cannot be 'quick'."),
    ],
)
def test_games_that_cannot_be_learned_are_refused(
    argv: tuple[str, ...], expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["learn", *argv]) == 2
    assert expected in capsys.readouterr().err


def test_a_game_without_examples_has_no_lessons(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = tmp_path / "coin.yaml"
    game.write_text("rulewright: 1\ntitle: Coin\nplayers: 2\nphases: {end: {do: [end game]}}\n", encoding="utf-8")
    assert cli.main(["learn", str(game)]) == 2
    text = flat(capsys.readouterr().err)
    assert text == f"rulewright: Coin has no examples to learn by. Its rules: rulewright rulebook {game}."


@pytest.mark.parametrize(
    "content", ["[]", '{"wild-cards/2022": 1}', '{"wild-cards/2022": [1, "passing"]}', "[" * 9999, ""]
)
def test_a_damaged_progress_file_is_ignored(content: str, state: Path) -> None:
    file = state / "rulewright" / "learned.json"
    file.parent.mkdir()
    file.write_text(content, encoding="utf-8")
    assert lesson_progress.done_lessons("wild-cards/2022") <= {"passing"}
    lesson_progress.mark_done("wild-cards/2022", "a bluff")
    assert "a bluff" in json.loads(file.read_text(encoding="utf-8"))["wild-cards/2022"]


def test_lessons_work_where_progress_cannot_be_saved(state: Path) -> None:
    (state / "rulewright").write_text("", encoding="utf-8")
    played = by_the_example("wild-cards/2022", 2, "en")
    assert "✓" not in taught("wild-cards/2022", [*played, "all lessons"], 2)


def test_lessons_show_nothing_hidden() -> None:
    """Bids of the others lie face down until the learner has answered."""
    before, _, after = taught("wild-cards/2022", ["table", "help", "forest 2"], 10).partition("You> forest 2")
    assert "savannah 1" not in before and "savannah 1" in after


@pytest.mark.rotating(6)
@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_a_lesson_at_a_terminal(terminal: Callable[..., Terminal]) -> None:
    """Nothing leaves the screen unread, Tab completes, and one leaves in any way."""
    game = terminal("learn", "wild-cards/2022", "--lang", "en")
    game.until("Enter goes on>")
    game.type("")
    game.until(r"\[1\]>")
    game.child.send("A sec\t\r")
    game.wait_for_prompt("You")
    assert "Lesson 4 of 5 · A second lion" in game.text()
    game.child.sendintr()
    assert game.ended() == 130
    game = terminal("learn", "wild-cards/2022", "passing", "--lang", "de")
    game.wait_for_prompt("Du")
    game.child.sendeof()
    assert game.ended() == 0
    assert "Traceback" not in game.text()
