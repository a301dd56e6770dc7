"""One name, whether its letters with accents are one sign or two: in texts, on the command line, on the disk."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from unicodedata import normalize

import pytest

from rulewright import cli
from rulewright.base import files
from rulewright.game import library
from rulewright.game.choices import AnswerError
from rulewright.game.game import Game
from rulewright.game.setup import GameError
from rulewright.i18n import po_files
from rulewright.i18n.languages import localizer_for
from rulewright.players import saves
from rulewright.players.seating import Seat
from rulewright.players.session import Session
from rulewright.publish.console import Console

ETE = "\u00e9t\u00e9"  # as one sign each
DECOMPOSED = normalize("NFD", ETE)
FORMS = [(ETE, DECOMPOSED), (DECOMPOSED, ETE)]
GAME = """\
rulewright: 1
title: Saisons
players: 2
pieces: {carte: {has: {value: 1 to 3}, starts in: NAME, noun: "NAME {value}"}}
zones: {NAME: {seen by: all}, main: {of: seat, seen by: all}}
options: {chaud NAME: {text: It is hot., change: {chaleur: 2}}}
values: {game: {chaleur: 1}}
phases: {play: {do: [each seat: [choose chaleur from NAME into main: {ask: Which?}], end game]}}
scoring: {main: {points: number of main}}
"""


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(("disk", "text"), FORMS)
def test_files_are_found_by_composed_and_decomposed_names(disk: str, text: str, tmp_path: Path) -> None:
    path = write(tmp_path, f"{disk}/{disk}.yaml", GAME)
    assert files.path_on_disk(tmp_path / text / f"{text}.yaml") == path
    assert files.path_on_disk(path) == path
    for nowhere in (tmp_path / text / "other.yaml", tmp_path / f"{text}s" / f"{text}.yaml", Path(f"\0{text}")):
        assert files.path_on_disk(nowhere) == nowhere


def test_an_exact_file_name_has_precedence(tmp_path: Path) -> None:
    for name in (ETE, DECOMPOSED):
        write(tmp_path, name, GAME)
    if len(list(tmp_path.iterdir())) == 2:  # not where the disk takes them for one
        assert files.path_on_disk(tmp_path / ETE).name == ETE
    assert files.path_on_disk(tmp_path / DECOMPOSED).exists()


@pytest.mark.parametrize(("disk", "text"), FORMS)
def test_files_named_in_texts_are_found(
    disk: str, text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The base of an edition, the edition of cases, and a catalog and examples beside it are found."""
    write(tmp_path, f"{disk}.yaml", GAME.replace("NAME", disk))
    variant = f"rulewright: 1\ntitle: Warm\nextends: {text}.yaml\nchange: {{values: {{game: {{chaleur: 3}}}}}}\n"
    write(tmp_path, "warm.yaml", variant)
    one = {"do": [{"Ada": f"{text} 2"}], "expect": {"Ada": {"main": [f"{text} 2"]}}}
    case = {"seats": ["Ada", "Ben"], "cases": {"one": one}}
    write(tmp_path, "all.cases.yaml", json.dumps({"edition": f"{text}.yaml", **case}, ensure_ascii=False))
    write(tmp_path, f"{disk}.de.po", 'msgctxt "title"\nmsgid "Saisons"\nmsgstr "Jahreszeiten"\n')
    assert cli.main(["check", str(tmp_path / "warm.yaml")]) == 0
    assert cli.main(["check", str(tmp_path / f"{text}.yaml")]) == 0
    assert cli.main(["test", str(tmp_path / "all.cases.yaml")]) == 0, capsys.readouterr()
    rules = library.load(str(tmp_path / f"{text}.yaml"))
    game = Game.start(rules, ["Ada", "Ben"], seed=1)
    assert game.localizer("de").say(game.messages.terms.title()) == "Jahreszeiten"


@pytest.mark.rotating(4)
@pytest.mark.parametrize(("disk", "text"), FORMS)
def test_arguments_are_composed(disk: str, text: str, tmp_path: Path) -> None:
    path = write(tmp_path, f"{disk}.yaml", GAME.replace("NAME", disk))
    assert files.normal_argument(text) == ETE
    assert files.normal_argument(f"{text},random") == f"{ETE},random"
    assert files.normal_argument(f"--option={text}=yes") == f"--option={ETE}=yes"
    assert files.normal_argument(str(tmp_path / f"{text}.yaml")) == str(path)
    assert files.normal_argument(f"--save={tmp_path / text}.yaml") == f"--save={path}"
    assert files.normal_argument(f"--save={tmp_path / text}.json") == f"--save={tmp_path / ETE}.json"
    words = ["simulate", str(tmp_path / f"{text}.yaml"), "--games", "2", "--option", f"chaud {text}=yes"]
    assert cli.main([*words, "--out", str(tmp_path / "run")]) == 0


@pytest.mark.parametrize("text", [ETE, DECOMPOSED])
def test_players_and_answers_are_called_by_one_name(text: str) -> None:
    rules = library.from_text(GAME.replace("NAME", ETE), "saisons")
    game = Game.start(rules, [text, "Ben"], seed=1)
    assert game.names == (ETE, "Ben")
    game.answer(0, [f"{text} 2"])
    assert game.history.answer_keys() == [(0, (f"{ETE} 2",))]
    with pytest.raises(AnswerError):
        game.answer(1, [f"{text} 2"])
    with pytest.raises(GameError, match="Two players are called"):
        Game.start(rules, [ETE, DECOMPOSED], seed=1)


def test_typed_lines_are_composed(monkeypatch: pytest.MonkeyPatch) -> None:
    console = Console(io.StringIO(f"{DECOMPOSED} 2\n"), io.StringIO(), "never", localizer_for("en"))
    assert console.ask("Which?") == f"{ETE} 2"
    typed: Callable[[str], str] = lambda prompt: f"{DECOMPOSED} 2"  # noqa: E731
    monkeypatch.setattr("builtins.input", typed)
    monkeypatch.setattr(console, "_has_line_editor", True)
    assert console.ask("Which?") == f"{ETE} 2"


@pytest.mark.parametrize(("disk", "output"), FORMS)
def test_a_saved_game_finds_its_edition(disk: str, output: str, tmp_path: Path) -> None:
    """The save stays valid however its own text is composed."""
    path = write(tmp_path, f"{disk}.yaml", GAME.replace("NAME", disk))
    seats = [Seat(ETE, "person"), Seat("Ben", "person")]
    session = Session.start(library.load(str(path)), seats, seed=1, file=path)
    session.path = tmp_path / "game.json"
    session.answer(0, [f"{ETE} 2"], session.game.pending.ids[0][1])
    text = session.path.read_text(encoding="utf-8")
    session.path.write_text(json.dumps(json.loads(text), ensure_ascii=False).replace(disk, output), encoding="utf-8")
    again = Session.load(session.path)
    assert again.game.names == (ETE, "Ben") and not again.game.rules_changed
    assert again.game.history.answer_keys() == [(0, (f"{ETE} 2",))]
    assert saves.read(session.path)["seats"][0]["name"] == ETE


def test_a_catalog_is_composed() -> None:
    catalog = f'msgctxt "words.saison"\nmsgid "{DECOMPOSED}"\nmsgstr "{DECOMPOSED}s"\n'
    tree = po_files.parse(catalog, "fr")
    assert [(one.id, one.string) for one in tree if one.id] == [(ETE, f"{ETE}s")]
