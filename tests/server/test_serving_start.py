"""Beginning a server: what it reads, and who does that."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any
from unittest.mock import Mock

import pytest

from project_folders import GAMES
from rulewright.base import cache
from rulewright.base.diagnostics import Report
from rulewright.base.processes import spawn_context
from rulewright.compiler import compile_edition
from rulewright.game import library
from rulewright.model.edition import Edition
from rulewright.program.form import Program, Setting
from rulewright.runtime.machine import Machine
from rulewright.server import edition_registry
from rulewright.server.edition_registry import EditionRegistry
from rulewright.server.web import edition_list


@pytest.mark.rotating(2)
def test_editions_are_loaded_by_another_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that begins with a thousand tables at which people wait reads no editions itself meanwhile."""
    offers = EditionRegistry([str(GAMES / "goofspiel.yaml"), str(GAMES / "no such game.yaml")])
    edition_list.preload(offers)
    for work in ("_read_and_check", "_compile_program"):
        monkeypatch.setattr(library, work, lambda *_: pytest.fail("this takes long"))
    (offer,) = offers.all().values()
    assert edition_list.list_entry(offer, "en")["title"] == "Goofspiel"


@pytest.mark.rotating(5)
def test_only_editions_that_have_changed_are_read_ahead(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spawning, names = spawn_context(), list[list[str]]()

    def process(**arguments: Any) -> Any:
        names.append(arguments["args"][1])
        return spawning.Process(**arguments)

    monkeypatch.setenv(cache.VARIABLE, str(tmp_path / "cache"))
    monkeypatch.setattr(edition_registry, "spawn_context", lambda: Mock(Pipe=spawning.Pipe, Process=process))
    one, other = [str(tmp_path / name) for name in ("one.yaml", "other.yaml")]
    for file, more in ((one, ""), (other, "# longer\n")):
        Path(file).write_text((GAMES / "goofspiel.yaml").read_text("utf-8") + more, "utf-8")
    for offered in ([one], [one, other], [one, other]):
        edition_list.preload(EditionRegistry(offered))
    Path(one).write_text(Path(one).read_text("utf-8") + "# changed\n", "utf-8")
    edition_list.preload(EditionRegistry([one, other]))
    assert names == [[one], [other], [one]]


def test_small_editions_are_read_ahead_before_large_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    """An edition that extends another one takes as long as both."""
    names = list[list[str]]()
    monkeypatch.setattr(cache, "get", lambda _: None)
    monkeypatch.setattr(cache, "store", lambda *_: None)
    monkeypatch.setattr(edition_registry, "_read_all", None)

    def process(**arguments: Any) -> Any:
        names.append(arguments["args"][1])
        return Mock()

    monkeypatch.setattr(edition_registry, "spawn_context", lambda: Mock(Pipe=spawn_context().Pipe, Process=process))
    offered = ["wildlife/2002", "wild-cards/2020", "wild-cards/2022", "classics/go-13", "classics/hex", "classics/go"]
    edition_list.preload(EditionRegistry(offered))
    assert names == [
        ["classics/hex", "classics/go", "classics/go-13", "wild-cards/2022", "wild-cards/2020", "wildlife/2002"]
    ]


def test_a_machine_is_compiled_once_for_all_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    edition = library.from_text((GAMES / "goofspiel.yaml").read_text(encoding="utf-8")).edition
    rules = library.Rules(edition)  # of which nothing is kept
    results, expected = list[int](), Barrier(4)

    def compiled(edition: Edition, seats: int, report: Report, setting: Setting | None) -> Program:
        results.append(seats)
        return compile_edition(edition, seats, report, setting)

    def machine(_: int) -> Machine:
        expected.wait()
        return rules.machine(2)

    monkeypatch.setattr(library, "_compile_program", compiled)
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as threads:
            machines = set(threads.map(machine, range(4)))
    finally:
        sys.setswitchinterval(usual)
    assert len(machines) == 1 and results == [2]
