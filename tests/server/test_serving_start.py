"""Beginning a server: what it reads, and who does that."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from project_folders import GAMES
from rulewright.base.diagnostics import Report
from rulewright.compiler import compile_edition
from rulewright.game import library
from rulewright.model.edition import Edition
from rulewright.program.form import Program, Setting
from rulewright.runtime.machine import Machine
from rulewright.server.edition_registry import EditionRegistry
from rulewright.server.web import edition_list


@pytest.mark.rotating(2)
def test_editions_are_loaded_by_another_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that begins with a thousand tables at which people wait reads no editions itself meanwhile."""
    offers = EditionRegistry([str(GAMES / "goofspiel.yaml"), str(GAMES / "no such game.yaml")])
    edition_list.preload(offers)
    for work in ("_read", "_compiled"):
        monkeypatch.setattr(library, work, lambda *_: pytest.fail("this takes long"))
    (offer,) = offers.all().values()
    assert edition_list.list_entry(offer, "en")["title"] == "Goofspiel"


def test_a_machine_is_compiled_once_for_all_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = library.from_text((GAMES / "goofspiel.yaml").read_text(encoding="utf-8"))  # of which nothing is kept
    results, expected = list[int](), Barrier(4)

    def compiled(edition: Edition, seats: int, report: Report, setting: Setting | None) -> Program:
        results.append(seats)
        return compile_edition(edition, seats, report, setting)

    def machine(_: int) -> Machine:
        expected.wait()
        return rules.machine(2)

    monkeypatch.setattr(library, "_compiled", compiled)
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as threads:
            machines = set(threads.map(machine, range(4)))
    finally:
        sys.setswitchinterval(usual)
    assert len(machines) == 1 and results == [2]
