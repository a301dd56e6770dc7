"""The workbench with full disks, odd files and internal errors: nothing is lost."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from game_servers import GUESSING
from rulewright.base import files
from rulewright.i18n.localizer import Phrase
from rulewright.workbench.cases import case_runner
from rulewright.workbench.core import version_history
from rulewright.workbench.core.bench import Bench
from rulewright.workbench.core.version_history import Versions, VersionsError
from rulewright.workbench.core.workspace import OWN_FOLDER, BenchError, Workspace
from workbenches import PATIENCE, Refused, Workbench, workbench

GAME = "guessing.yaml"


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Workbench]:
    with workbench(tmp_path, {GAME: GUESSING}) as home:
        yield home


def refused(home: Workbench, since: int = 0) -> str:
    text = home.wait(lambda message: message["type"] == "refused" and message["file"] == GAME, since)["text"]
    assert isinstance(text, Phrase)
    return str(text)


def test_after_a_restart_with_a_mistake_the_rules_are_as_they_last_were(tmp_path: Path) -> None:
    (tmp_path / GAME).write_text(GUESSING, encoding="utf-8")
    bench = Bench(Workspace(tmp_path))
    bench.replace(GAME, GUESSING.replace("title: Guessing", "title: Guessing twice"))
    sound = bench.compiled(GAME).rules
    bench.replace(GAME, bench.text(GAME).replace("phases:", "phasse:"))
    bench.close()
    again = Bench(Workspace(tmp_path))
    result = again.compiled(GAME)
    again.close()
    assert not result.current and not result.report.ok
    assert result.rules is not None and sound is not None and result.rules.title == sound.title == "Guessing twice"


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"], ids=["plain", "marked"])
@pytest.mark.parametrize("ending", [b"\n", b"\r\n"], ids=["here", "windows"])
def test_lines_end_as_they_did(tmp_path: Path, ending: bytes, mark: bytes) -> None:
    (tmp_path / GAME).write_bytes(mark + GUESSING.encode().replace(b"\n", ending))
    bench = Bench(Workspace(tmp_path))
    bench.replace(GAME, f"# mine\n{bench.text(GAME)}")
    assert bench.compiled(GAME).current
    expected = mark + f"# mine\n{GUESSING}".encode().replace(b"\n", ending)
    assert (tmp_path / GAME).read_bytes() == expected
    assert not bench.text_for_window(GAME)[2]
    bench.close()


def test_a_failed_write_is_reported_and_repeated(
    home: Workbench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.bench.text_for_window(GAME)
    since = len(home.messages)
    with monkeypatch.context() as full:

        def no_room(path: Path, content: bytes) -> None:
            raise OSError(28, "No space left on device", str(path))

        full.setattr(files, "replace", no_room)
        home.bench.replace(GAME, f"# mine\n{GUESSING}")
        assert "No space left" in refused(home, since)
        assert (tmp_path / GAME).read_text(encoding="utf-8") == GUESSING
    home.wait(lambda message: message["type"] == "saved", since)
    assert (tmp_path / GAME).read_text(encoding="utf-8") == f"# mine\n{GUESSING}"


def test_without_room_for_the_history_files_are_written_all_the_same(home: Workbench, tmp_path: Path) -> None:
    home.bench.text_for_window(GAME)
    home.bench.versions._file.execute("DROP TABLE versions")
    home.bench.replace(GAME, f"# mine\n{GUESSING}")
    assert "history" in refused(home)
    home.wait(lambda message: message["type"] == "saved")
    assert (tmp_path / GAME).read_text(encoding="utf-8") == f"# mine\n{GUESSING}"


def test_changes_of_others_that_cannot_be_backed_up_are_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / GAME).write_text(GUESSING, encoding="utf-8")
    bench = Bench(Workspace(tmp_path))
    bench.replace(GAME, f"# mine\n{GUESSING}")
    (tmp_path / GAME).write_text("theirs", encoding="utf-8")
    assert not bench.compiled(GAME).current
    bench.versions._file.execute("DROP TABLE versions")
    with pytest.raises(VersionsError):
        bench.resolve_conflict(GAME, mine=True)
    assert (tmp_path / GAME).read_text(encoding="utf-8") == "theirs"
    assert bench.text_for_window(GAME)[2]
    bench.close()


def test_a_listener_that_fails_silences_no_other(home: Workbench, caplog: pytest.LogCaptureFixture) -> None:
    came = threading.Event()

    def fail(name: str) -> None:
        raise ZeroDivisionError

    home.bench.add_listener(fail)
    home.bench.add_listener(lambda name: came.set())
    for text in ("# one\n", "# two\n"):
        home.type(GAME, text + GUESSING)
        assert came.wait(PATIENCE)
        came.clear()
    assert "ZeroDivisionError" in caplog.text


def test_a_file_that_became_a_folder_is_asked_about_and_said(home: Workbench, tmp_path: Path) -> None:
    home.bench.text_for_window(GAME)
    (tmp_path / GAME).unlink()
    (tmp_path / GAME).mkdir()
    home.wait(lambda message: message["type"] == "conflict" and bool(message["gone"]))
    home.bench.resolve_conflict(GAME, mine=True)
    assert "cannot be written" in refused(home)
    (tmp_path / GAME).rmdir()
    home.wait(lambda message: message["type"] == "saved")
    assert (tmp_path / GAME).read_text(encoding="utf-8") == GUESSING


@pytest.mark.parametrize(
    "name", [OWN_FOLDER, f"{OWN_FOLDER}/key", f"{OWN_FOLDER}/workbench", f"{OWN_FOLDER}/lines/x.json"]
)
def test_files_of_the_workbench_stay_in_its_folder(tmp_path: Path, name: str) -> None:
    """Folders come from strangers, with links in them."""
    outside = tmp_path / "outside"
    outside.mkdir()
    folder = tmp_path / "folder"
    (folder / name).parent.mkdir(parents=True)
    (folder / name).symlink_to(outside)
    with pytest.raises(BenchError):
        Workspace(folder)


def test_a_file_in_place_of_its_folder_is_reported(tmp_path: Path) -> None:
    (tmp_path / OWN_FOLDER).touch()
    with pytest.raises(BenchError):
        Bench(Workspace(tmp_path))


def test_a_clock_that_goes_back_does_not_make_one_version_of_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored, moment, day = Versions(tmp_path), 100.0, 1_000_000.0
    monkeypatch.setattr(time, "monotonic", lambda: moment)
    monkeypatch.setattr(time, "time", lambda: day)
    stored.store(GAME, "a", version_history.TYPED)
    moment, day = moment + 60, day - 3600
    stored.store(GAME, "b", version_history.TYPED)
    assert [stored.text(GAME, one.id) for one in stored.list_versions(GAME)] == ["b", "a"]
    stored.close()


def test_a_damaged_history_is_reported(tmp_path: Path) -> None:
    (tmp_path / version_history.FILE).write_bytes(b"no database" * 1000)
    with pytest.raises(VersionsError):
        Versions(tmp_path)


def test_errors_of_requests_are_logged(
    home: Workbench, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(Versions, "list_versions", None)
    with pytest.raises(Refused) as refused:
        home.get("history", file=GAME)
    assert refused.value.status == 500 and "TypeError" in caplog.text


def test_numbers_that_no_history_has_are_refused(home: Workbench) -> None:
    for path in (f"history/{10**30}", "history/0"):
        with pytest.raises(Refused) as refused:
            home.get(path, file=GAME)
        assert refused.value.status == 400


@pytest.mark.parametrize(
    "edits", [[(0, 5, 0, 1)], [(0, 0, 0, 4), (0, 2, 0, 6)]], ids=["ends before it begins", "one in another"]
)
def test_edits_that_fit_together_in_no_way_change_nothing(
    home: Workbench, edits: list[tuple[int, int, int, int]]
) -> None:
    lines = [
        {"range": {"start": {"line": a, "character": b}, "end": {"line": c, "character": d}}, "newText": "x"}
        for a, b, c, d in edits
    ]
    with pytest.raises(Refused):
        home.post("files/edit", {"edits": lines}, file=GAME)
    assert home.bench.text(GAME) == GUESSING


def _insertion(column: int, text: str) -> dict[str, object]:
    place = {"line": 0, "character": column}
    return {"range": {"start": place, "end": place}, "newText": text}


def test_new_texts_for_one_place_follow_each_other_as_their_edits_do(home: Workbench) -> None:
    home.post("files/edit", {"edits": [_insertion(0, "# two\n"), _insertion(0, "# one\n")]}, file=GAME)
    assert home.bench.text(GAME) == f"# two\n# one\n{GUESSING}"


def test_an_edit_inside_a_character_changes_nothing(home: Workbench) -> None:
    home.post("files/edit", {"edits": [_insertion(0, "# 🎲\n")]}, file=GAME)
    with pytest.raises(Refused) as refused:
        home.post("files/edit", {"edits": [_insertion(3, "x")]}, file=GAME)
    assert refused.value.status == 400
    assert home.bench.text(GAME) == f"# 🎲\n{GUESSING}"


def test_cases_are_run_again_after_something_has_failed(home: Workbench, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError

    with monkeypatch.context() as failing:
        failing.setattr(case_runner, "run", fail)
        home.get("cases", file=GAME)
        home.wait(lambda message: message["type"] == "cases")
        [text] = home.get("cases", file=GAME)["files"]
        assert "ZeroDivisionError" in text["error"]
    since = len(home.messages)
    home.type(GAME, f"# mine\n{GUESSING}")
    home.wait(lambda message: message["type"] == "cases", since)
    assert home.get("cases", file=GAME)["files"] == []
