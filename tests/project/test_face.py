"""Names that `import rulewright` gives."""

from __future__ import annotations

import ast
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import rulewright
from project_folders import GAMES
from rulewright import cli

GOOFSPIEL = GAMES / "goofspiel.yaml"


def test_nothing_is_loaded_before_it_is_used() -> None:
    text = "import sys, rulewright; print([name for name in sys.modules if name.startswith('rulewright')])"
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
    assert done.stdout == "['rulewright']\n"


def test_every_name_is_there_and_typed() -> None:
    folder = Path(str(rulewright.__file__)).parent
    typed = {
        alias.asname: (node.module, alias.name)
        for node in ast.walk(ast.parse((folder / "__init__.pyi").read_text()))
        if isinstance(node, ast.ImportFrom) and node.module
        for alias in node.names
    }
    arguments = set(dir(rulewright)) - {"__getattr__", "__dir__"}
    assert typed.keys() <= arguments
    assert {name for name in arguments if name[0].isupper() and name != "Any"} <= typed.keys()
    for name, (module, original) in typed.items():
        assert getattr(rulewright, str(name)) is getattr(import_module(module), original)


def test_unknown_names_are_refused() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'loud'"):
        getattr(rulewright, "loud")  # noqa: B009 - what a program would write


def test_functions_do_what_commands_do(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["check", str(GOOFSPIEL)]) == 0
    assert rulewright.check(GOOFSPIEL).render() in capsys.readouterr().out
    book, page = rulewright.rulebook(GOOFSPIEL, form="md"), tmp_path / "book.md"
    assert cli.main(["rulebook", str(GOOFSPIEL), "--lang", "en", "--out", str(page)]) == 0
    assert page.read_bytes() == book
    ours = rulewright.simulate(GOOFSPIEL, tmp_path / "ours", games=30, seed=4, processes=1)
    argv = ["simulate", str(GOOFSPIEL), "--games", "30", "--seed", "4", "--quiet", "--processes", "1"]
    assert cli.main([*argv, "--out", str(tmp_path / "theirs")]) == 0
    assert ours.games == 30
    tables = [sorted((tmp_path / name / "seats").iterdir()) for name in ("ours", "theirs")]
    assert [file.read_bytes() for file in tables[0]] == [file.read_bytes() for file in tables[1]]


@pytest.mark.parametrize(
    "work", [rulewright.check, rulewright.rulebook, lambda name: rulewright.simulate(name, "nowhere")]
)
def test_errors_have_plain_messages(work: object) -> None:
    assert callable(work)
    with pytest.raises(rulewright.UnknownEdition):
        work("no such game")
