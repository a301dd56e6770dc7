"""Files that commands write: whole or not at all, and also into pipes and devices."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import results_folders
from project_folders import GAMES
from rulewright import cli
from rulewright.base import files, resources
from rulewright.commands import runner

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs pipes of POSIX")

GAME = str(GAMES / "goofspiel.yaml")
SCHEMA = resources.read_text("spec", "edition.schema.json")


@pytest.fixture
def pipe(tmp_path: Path) -> Path:
    os.mkfifo(tmp_path / "pipe")
    return tmp_path / "pipe"


@pytest.fixture
def commands(tmp_path: Path) -> dict[str, list[str]]:
    """Return each command with --out, by the beginning of its output."""
    run = results_folders.write(tmp_path / "run", results_folders.plan(2, games=200))
    return {
        '{\n  "$schema"': ["schema", "edition"],
        "# ": ["rulebook", GAME, "--format", "md"],
        "%PDF-": ["cards", "2022", "--once"],
        "<!DOCTYPE html>": ["compare", str(run)],
    }


@contextmanager
def reader(path: Path) -> Iterator[list[bytes]]:
    """Read a pipe in another thread."""
    contents: list[bytes] = []
    reading = threading.Thread(target=lambda: contents.append(path.read_bytes()), daemon=True)
    reading.start()
    yield contents
    reading.join(timeout=60)


@pytest.mark.rotating(3)
def test_pipes_get_the_whole_output(
    pipe: Path, commands: dict[str, list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    for beginning, command in commands.items():
        with reader(pipe) as contents:
            assert cli.main([*command, "--out", str(pipe)]) == 0, command
        assert contents and contents[0].startswith(beginning.encode()) and len(contents[0]) > 1000, command
        assert str(pipe) not in capsys.readouterr().out
    assert pipe.is_fifo()


def test_a_pipe_without_a_reader_is_given_up(
    pipe: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "PATIENCE", 0.0)
    for command in (["schema"], ["rulebook", GAME, "--format", "md"]):
        assert cli.main([*command, "--out", str(pipe)]) == 2
        assert capsys.readouterr().err == f"rulewright: '{pipe}' cannot be written: nobody reads from this pipe.\n"


def test_a_reader_may_open_the_pipe_later(pipe: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Like `rulewright schema --out pipe & cat pipe`."""
    handles: list[int] = []
    monkeypatch.setattr("time.sleep", lambda _: handles.append(os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)))
    files.write_stream(pipe, b"all of it")
    (handle,) = handles
    assert os.read(handle, 100) == b"all of it"
    os.close(handle)


def test_a_reader_that_closes_the_pipe_ends_the_command_silently(
    pipe: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    handle = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    monkeypatch.setattr("os.set_blocking", lambda *_: os.close(handle))
    assert cli.main(["schema", "--out", str(pipe)]) == runner.BROKEN_PIPE
    assert capsys.readouterr().err == ""


def test_a_full_device_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["schema", "--out", "/dev/full"]) == 2
    assert capsys.readouterr().err == "rulewright: '/dev/full' cannot be written: No space left on device.\n"


@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
def test_standard_output_may_be_named_as_a_file(tmp_path: Path, name: str) -> None:
    """A file that is not empty keeps its contents."""
    with open(tmp_path / "out", "w+", encoding="utf-8") as out:
        print("before", file=out, flush=True)
        done = subprocess.run(
            [sys.executable, "-m", "rulewright", "schema", "--out", name],
            stdout=out,
            stderr=subprocess.PIPE,
            check=False,
        )
        print("after", file=out, flush=True)
    assert (done.returncode, done.stderr) == (0, b"")
    assert (tmp_path / "out").read_text(encoding="utf-8") == f"before\n{SCHEMA}after\n"


@pytest.mark.parametrize("exists", [False, True])
def test_a_full_disk_leaves_the_folder_unchanged(
    tmp_path: Path, exists: bool, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    out = tmp_path / "schema.json"
    if exists:
        out.write_text('{"$schema": ""}')
    monkeypatch.setattr("os.fsync", full)
    assert cli.main(["schema", "--out", str(out)]) == 2
    assert "schema.json' cannot be written: No space left on device" in capsys.readouterr().err
    assert [file.read_text() for file in tmp_path.iterdir()] == ['{"$schema": ""}'] * exists


def test_a_new_file_replaces_no_existing_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a file nor a dangling link is replaced, also where there are no hard links."""
    (tmp_path / "file").write_bytes(b"mine")
    (tmp_path / "link").symlink_to("nowhere")

    def refuse(*_: object) -> None:
        raise PermissionError

    for _ in range(2):
        for name in ("file", "link"):
            with pytest.raises(FileExistsError):
                files.create(tmp_path / name, b"other")
        monkeypatch.setattr("os.link", refuse)
    files.create(tmp_path / "new", b"other")
    assert {path.name for path in tmp_path.iterdir()} == {"file", "link", "new"}
    assert (tmp_path / "file").read_bytes() == b"mine" and (tmp_path / "new").read_bytes() == b"other"
