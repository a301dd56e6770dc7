"""`rulewright design` as it is typed: it tells its address, keeps to one workbench a folder, and refuses in words."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import HTTPCookieProcessor, build_opener

import pytest

from game_servers import GUESSING
from project_folders import ROOT
from rulewright.workbench.new_game import game_archive

COMMAND = [sys.executable, "-m", "rulewright", "design"]


@contextmanager
def designing(folder: Path, *arguments: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A workbench that runs, and its address."""
    command = [*COMMAND, *arguments, "--no-browser"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "interpreter"), "COLUMNS": "200"}
    with subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        address = next(word for line in running.stdout for word in line.split() if word.startswith("http"))
        try:
            yield running, address
        finally:
            running.kill()


def page(address: str) -> str:
    opener = build_opener(HTTPCookieProcessor())
    with opener.open(address), opener.open(address.partition("open/")[0]) as answer:
        return str(answer.read(), "utf-8")


@pytest.mark.rotating(5)
def test_design_opens_a_file_once(tmp_path: Path) -> None:
    (tmp_path / "guessing.yaml").write_text(GUESSING, encoding="utf-8")
    with designing(tmp_path, "guessing.yaml") as (_, address):
        assert "<title>Rulewright</title>" in page(address)
        with designing(tmp_path, "guessing.yaml") as (second, again):
            assert again.startswith(address)
            assert second.wait(30) == 0
    with designing(tmp_path) as (_, later):
        assert later.rpartition("/")[2] != address.rpartition("/")[2]


@pytest.mark.rotating(3)
def test_the_page_has_the_language_of_the_command(tmp_path: Path) -> None:
    (tmp_path / "guessing.yaml").write_text(GUESSING, encoding="utf-8")
    with designing(tmp_path, "guessing.yaml", "--lang", "nl") as (_, address):
        assert '<meta name="speaking" content="nl">' in page(address)


@pytest.mark.rotating(2)
def test_design_opens_an_archive(tmp_path: Path) -> None:
    (tmp_path / "guessing.yaml").write_text(GUESSING, encoding="utf-8")
    (tmp_path / "sent.rulewright").write_bytes(game_archive.pack(tmp_path / "guessing.yaml"))
    with designing(tmp_path, "sent.rulewright") as (_, address):
        assert "<title>Rulewright</title>" in page(address)
        assert (tmp_path / "sent" / "guessing.yaml").read_text(encoding="utf-8") == GUESSING


@pytest.mark.rotating(3)
@pytest.mark.parametrize(
    ("argument", "text"),
    [
        ("missing.yaml", "There is no file 'missing.yaml'."),
        ("nowhere/x.yaml", "There is no folder 'nowhere'."),
        (str(ROOT / "editions" / "wild-cards" / "2022.yaml"), "comes with Rulewright and stays as it is"),
    ],
)
def test_unreadable_files_are_refused(tmp_path: Path, argument: str, text: str) -> None:
    done = subprocess.run(
        [*COMMAND, argument, "--no-browser"], cwd=tmp_path, capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT / "interpreter"), "COLUMNS": "200"},
    )  # fmt: skip
    assert done.returncode == 2
    assert text in " ".join(done.stderr.split())
