"""The program that a double click starts; the rest of the download is tested when it is built."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from app import launcher
from rulewright.workbench.core.lsp_bridge import COMMAND_PROGRAM, own_command


def test_a_double_click_opens_the_users_folder(tmp_path: Path) -> None:
    assert launcher.commands([], tmp_path) == [["design", "--end-after", "5", str(tmp_path)]]


def test_a_file_is_opened_in_its_folder(tmp_path: Path) -> None:
    file, parcel = tmp_path / "my-cards.yaml", tmp_path / "my-cards.rulewright"
    file.touch()
    parcel.touch()
    assert launcher.commands([str(file)], tmp_path)[-1][-1] == str(file)
    unpacking, designing = launcher.commands([str(parcel)], tmp_path / "own")
    assert unpacking == ["unpack", str(parcel), "--dir", str(tmp_path / "own")] and designing[0] == "design"


def test_arguments_run_a_command() -> None:
    assert launcher.commands(["check", "wild-cards/2022"], Path()) == [["check", "wild-cards/2022"]]


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="is told by the system there")
def test_the_documents_folder_is_that_of_the_desktop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    assert launcher.documents() == tmp_path / "Documents"
    (tmp_path / ".config").mkdir()
    (tmp_path / ".config" / "user-dirs.dirs").write_text('XDG_DOCUMENTS_DIR="$HOME/Dokumente"\n', "utf-8")
    assert launcher.documents() == tmp_path / "Dokumente"


def test_the_browser_does_not_inherit_library_paths(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LD_LIBRARY_PATH", "/inside")
    monkeypatch.setenv("LD_LIBRARY_PATH_ORIG", "/own")
    launcher.leave_libraries()
    assert os.environ["LD_LIBRARY_PATH"] == "/own"


def test_child_processes_run_commands_of_the_same_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "Rulewright"))
    assert list(own_command("language-server")) == [str(tmp_path / "Rulewright"), "language-server"]
    (tmp_path / COMMAND_PROGRAM).touch()
    assert list(own_command("language-server")) == [str(tmp_path / COMMAND_PROGRAM), "language-server"]
