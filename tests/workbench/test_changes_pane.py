"""Changes of an edition, against its base and against its earlier text, with their places."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rulewright.authoring.differences import differences
from rulewright.game import library
from rulewright.model.symbols import find
from rulewright.workbench.book.changes_pane import find_place
from small_games.market import MARKET
from workbenches import Refused, Workbench, workbench

VARIANT = """\
rulewright: 1
extends: market.yaml
title: A short market
remove:
  - counters.seat.coins
change:
  values:
    game: {hand limit: 4}
  phases:
    trade:
      steps:
        sell:
          text: Sell what you like.
          do: [choose 1 from hand as sold, add 1 to sales, move sold to market]
  ranking: highest sales
counters: {seat: {sales: 0}}
"""


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    with workbench(tmp_path, {"market.yaml": MARKET, "short.yaml": VARIANT}) as result:
        yield result


def counts_of_changes(answer: Any) -> dict[str, int]:
    """Sentence -> line."""
    return {change["sentence"]: change["line"] for section in answer["sections"] for change in section["changes"]}


def line_of(text: str, word: str) -> int:
    return next(number for number, line in enumerate(text.split("\n"), 1) if word in line)


def test_a_variant_is_compared_with_its_base(bench: Workbench) -> None:
    answer = bench.get("changes", file="short.yaml")
    assert answer["since"] == "base" and answer["others"][0]["name"] == "Market"
    result = counts_of_changes(answer)
    assert result["Hand limit with 2 seats: 4 instead of 3."] == line_of(VARIANT, "hand limit")
    assert result["Gone: Coins."] == line_of(VARIANT, "- counters.seat.coins")
    assert result["New: Sales (for each seat)."] == line_of(VARIANT, "counters: {seat")
    assert result["Changed: Sell."] == line_of(VARIANT, "sell:")
    assert all(result.values())


def test_changes_are_listed_in_the_readers_language(bench: Workbench) -> None:
    result = counts_of_changes(bench.get("changes", file="short.yaml", language="it"))
    assert result["Aggiunta: Sales (per ogni posto)."] == line_of(VARIANT, "counters: {seat")
    assert result["Modifica: Sell."] == line_of(VARIANT, "sell:")


def test_an_edition_is_compared_with_what_it_said_before(bench: Workbench) -> None:
    assert not bench.get("changes", file="market.yaml")["sections"]
    bench.type("market.yaml", MARKET.replace("add 2 to coins", "add 3 to coins"))
    bench.type("market.yaml", MARKET.replace("add 2 to coins", "add 4 to coins"))
    answer = bench.get("changes", file="market.yaml")
    ((sentence, line),) = counts_of_changes(answer).items()
    assert answer["since"] == "opened" and sentence == "Changed: Sell." and line == line_of(MARKET, "sell:")
    version = next(it for it in bench.get("history", file="market.yaml")["versions"] if it["reason"] == "opened")
    bench.post("history/name", {"id": version["id"], "label": "the first"}, file="market.yaml")
    answer = bench.get("changes", file="market.yaml", since=version["id"])
    assert {"key": str(version["id"]), "name": "the first"} in answer["others"] and len(counts_of_changes(answer)) == 1


def test_what_the_workbench_itself_writes_first_is_a_change_too(tmp_path: Path) -> None:
    files = {"market.yaml": MARKET}
    for number in (7, 8):  # the second one knows the file as it is, and keeps no version when it opens it
        with workbench(tmp_path, files) as bench:
            assert not bench.get("changes", file="market.yaml")["sections"]
            files = {}
            bench.bench.replace("market.yaml", MARKET.replace("coins: 0", f"coins: {number}"))
            assert bench.get("changes", file="market.yaml")["sections"]


def test_another_spelling_is_no_change_of_rules(bench: Workbench) -> None:
    bench.get("changes", file="market.yaml")
    bench.type("market.yaml", MARKET.replace("move sold to market", "move sold to market\n          - log: Sold."))
    answer = bench.get("changes", file="market.yaml")
    assert not answer["sections"] and answer["written"] == ["phases.trade.steps.sell"]


@pytest.mark.parametrize("since", ["0", "99", "..", "-1", "9" * 40])
def test_there_is_nothing_else_to_compare_with(bench: Workbench, since: str) -> None:
    with pytest.raises(Refused, match="no such version"):
        bench.get("changes", file="market.yaml", since=since)


@pytest.mark.rotating(2)
def test_every_difference_names_its_subject() -> None:
    new, old = (library.load(f"wild-cards/{year}") for year in ("2022", "2020"))
    _, file = library.find("wild-cards/2020")
    text = file.read_text(encoding="utf-8")
    for section in differences(new, old).values():
        for one in section:
            assert one.about in ("players", "phases") or find(old.edition, one.about) or find(new.edition, one.about)
            assert find_place(file, text, one.about)[0], one
