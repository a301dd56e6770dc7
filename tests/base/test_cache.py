"""Cached editions: the same as compiled ones, and never required."""

from __future__ import annotations

import os
import pickle
import shutil
import sys
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from project_folders import GAMES
from rulewright import cli
from rulewright.authoring.edition_check import examine
from rulewright.base import cache, resources
from rulewright.base.diagnostics import EditionError
from rulewright.game import library
from rulewright.game.game import Game
from rulewright.syntax import sentence_grammar
from whole_games import GAME_FILES

GOOFSPIEL = GAMES / "goofspiel.yaml"


@pytest.fixture(autouse=True)
def cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Folder of the cache."""
    folder = tmp_path / "kept"
    monkeypatch.setenv(cache.VARIABLE, str(folder))
    return folder


@pytest.fixture
def edition(tmp_path: Path) -> Path:
    return Path(shutil.copy(GOOFSPIEL, tmp_path))


@pytest.fixture
def nothing_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("_read_and_check", "_compile_program"):
        monkeypatch.setattr(library, name, lambda *_: pytest.fail("this is known already"))


def log_of(path: Path) -> list[str]:
    """Return the log of a whole game."""
    game = Game.start(library.load(str(path)), ["Ada", "Ben"], seed=1)
    while decisions := game.decisions():
        for decision in decisions:
            game.answer(decision.seat, [choice.key for choice in decision.choices[: decision.least]])
    return [line.text for line in game.log.lines(None)]


@pytest.mark.rotating(3)
@pytest.mark.parametrize("file", GAME_FILES, ids=lambda file: file.stem)
def test_a_cached_edition_plays_the_same_game(file: Path, request: pytest.FixtureRequest) -> None:
    path = str(file)
    edition, report = examine(path)
    rules = library.load(path)
    seats = rules.edition.seat_counts()[0]
    program = rules.machine(seats).program
    request.getfixturevalue("nothing_is_made")
    assert examine(path) == (edition, report)
    assert library.load(path).edition == rules.edition
    assert library.load(path).machine(seats).program == program


def test_a_changed_edition_is_compiled_again(edition: Path) -> None:
    assert library.load(str(edition)).title == "Goofspiel"
    edition.write_text(edition.read_text().replace("title: Goofspiel", "title: Another"))
    assert library.load(str(edition)).title == "Another"


def test_an_edition_with_a_changed_base_or_picture_is_compiled_again(edition: Path) -> None:
    variant = edition.with_name("mine.yaml")
    variant.write_text("rulewright: 1\nextends: goofspiel.yaml\ntitle: Mine\n")
    assert library.load(str(variant)).edition.people == (2, 3)
    edition.write_text(edition.read_text().replace("players: 2 to 3", "players: 3"))
    assert library.load(str(variant)).edition.people == (3, 3)
    first = library._dependencies(library.load(str(variant)).edition)
    (edition.parent / "pictures").mkdir()
    (edition.parent / "pictures" / "cover.svg").write_text("<svg/>")
    assert library._dependencies(library.load(str(variant)).edition) != first


def test_unreadable_pictures_do_not_prevent_caching(edition: Path, request: pytest.FixtureRequest) -> None:
    (edition.parent / "pictures").mkdir()
    (edition.parent / "pictures" / "lost.png").symlink_to("nowhere.png")
    assert library.load(str(edition)).title == "Goofspiel"
    request.getfixturevalue("nothing_is_made")
    assert library.load(str(edition)).title == "Goofspiel"


def test_an_unreadable_package_never_hits_the_cache(
    cache_folder: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    request.addfinalizer(cache._version.cache_clear)
    monkeypatch.setattr(resources, "folder", lambda name: cache_folder / name)
    names = []
    for _ in range(2):
        cache._version.cache_clear()
        names.append(cache.key("alike"))
    assert len(set(names)) == 2


def test_an_edition_with_errors_is_not_cached(edition: Path, cache_folder: Path) -> None:
    edition.write_text("rulewright: 1\ntitle: Nothing\n")
    for _ in range(2):
        with pytest.raises(EditionError):
            library.load(str(edition))
    assert not cache_folder.exists()


class _Harm:
    def __reduce__(self) -> Any:
        return os.mkdir, ("harmed",)


@pytest.mark.parametrize(
    "harm",
    [
        lambda data: b"",
        lambda data: data[:-1],
        lambda data: data[:40] + bytes([data[40] ^ 1]) + data[41:],
        lambda data: cache._with_checksum(pickle.dumps(_Harm())),
        lambda data: cache._with_checksum(pickle.dumps(("no edition", "no report", ""))),
        lambda data: cache._with_checksum(b"."),
    ],
)
def test_damaged_cache_files_are_ignored(
    edition: Path, cache_folder: Path, harm: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    log = log_of(edition)
    for file in cache_folder.iterdir():
        file.write_bytes(harm(file.read_bytes()))
    assert log_of(edition) == log
    assert not (tmp_path / "harmed").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="rights and links are another matter there")
def test_cache_files_that_others_may_write_are_ignored(edition: Path, cache_folder: Path) -> None:
    name = cache.key("this")
    cache.store(name, {1, 2})
    assert cache.get(name) == {1, 2}
    (cache_folder / name).chmod(0o666)
    assert cache.get(name) is None
    (cache_folder / name).unlink()
    (cache_folder / name).symlink_to(edition)
    assert cache.get(name) is None


def test_an_unusable_cache_folder_is_ignored(edition: Path, cache_folder: Path) -> None:
    cache_folder.write_text("not a folder")
    assert log_of(edition) == log_of(edition)


def test_the_longest_unused_entries_are_evicted(cache_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = [cache.key(number) for number in range(5)]
    for number, name in enumerate(names):
        cache.store(name, number)
        os.utime(cache_folder / name, (number, number))
    assert cache.get(names[0]) == 0
    monkeypatch.setattr(cache, "MAX_ENTRIES", 3)
    cache.store(next(name for name in map(cache.key, count(len(names))) if name < cache._EVICTION_BOUND), 5)
    assert [cache.get(name) for name in names] == [0, None, None, None, 4]


@pytest.mark.rotating(2)
def test_the_cached_parser_parses_the_same() -> None:
    sentence_grammar.parser.cache_clear()
    parsed = sentence_grammar.parser().parse("move top 2 of deck to hand", start="statement")
    sentence_grammar.parser.cache_clear()
    assert sentence_grammar.parser().parse("move top 2 of deck to hand", start="statement") == parsed


def test_no_cache_writes_no_files_and_reads_none(
    edition: Path, cache_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["check", str(edition), "--no-cache"]) == 0
    assert not cache_folder.exists()
    output = capsys.readouterr().out
    assert cli.main(["check", str(edition)]) == 0
    assert capsys.readouterr().out == output
    files = set(cache_folder.iterdir())
    assert files
    assert cli.main(["check", str(edition)]) == 0
    assert capsys.readouterr().out == output and set(cache_folder.iterdir()) == files
