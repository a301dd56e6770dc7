"""The book beside its source: which lines its passages tell, and that it follows."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from threading import Event, Semaphore
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from browsers import PATIENCE
from rulewright.game import library
from rulewright.publish.rulebook import book, html, page_frame
from rulewright.publish.rulebook.rulebook_builder import RulebookBuilder
from rulewright.workbench.book import book_process
from rulewright.workbench.book.source_map import declarations, passages
from small_games.market import MARKET
from workbenches import Refused, Workbench, workbench

VARIANT = """\
rulewright: 1
extends: market.yaml
title: A short market
change:
  values:
    game: {hand limit: 4}
  phases:
    trade: {text: Sell what you like.}
"""


def nearest(text: str, word: str, file: Path, name: str) -> tuple[str, ...]:
    """The passages that tell the line in which a word stands."""
    line = next(number for number, line in enumerate(text.split("\n"), 1) if word in line)
    results = [it for it in passages(file, text, library.load(name).edition) if it.start <= line <= it.end]
    return min(results, key=lambda it: it.end - it.start).anchors


@pytest.mark.parametrize(
    ("word", "first"),
    [
        ("Then draw {cards on passing}", "steps-pass"),
        ("You win every tie", "powers-lion"),
        ("title: Wild Cards", ""),
        ("hand limit: 10", "steps-pass"),
        ("at most: hand limit", "zones-hand"),
    ],
)
def test_lines_lead_to_their_passages(word: str, first: str) -> None:
    _, file = library.find("wild-cards/2022")
    text = file.read_text(encoding="utf-8")
    assert nearest(text, word, file, "wild-cards/2022")[0] == first


@pytest.mark.parametrize("name", ["wild-cards/2022", "wild-cards/2020", "classics/hearts"])
def test_every_source_range_is_in_the_book(name: str) -> None:
    edition = library.load(name).edition
    page = html.page(book.rulebook(RulebookBuilder(library.load(name), played=False)))
    existing = {"", *re.findall(r'id="([^"]+)"', page)}
    _, file = library.find(name)
    result = passages(file, file.read_text(encoding="utf-8"), edition)
    assert result and all(existing & {*each.anchors} for each in result)
    rules = {at for at in existing if at.startswith(("steps-", "phases-", "powers-", "zones-", "scoring-"))}
    assert rules and rules <= declarations(edition).keys()


@pytest.mark.rotating(2)
def test_a_slow_book_does_not_delay_the_end() -> None:
    bindery = book_process.BookProcess()
    assert bindery.run(os.getpid) != os.getpid()
    assert bindery._pool is not None
    long = bindery._pool.submit(time.sleep, 600)
    while not long.running():
        continue
    bindery.close()
    with pytest.raises(BrokenProcessPool):
        long.result(PATIENCE / 1000)


def test_many_books_do_not_delay_typing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    waiting, done = Semaphore(0), Event()

    def never(*_: object) -> None:
        waiting.release()
        done.wait()
        raise book_process.BookProcessEnded

    monkeypatch.setattr(book_process.BookProcess, "run", never)
    with workbench(tmp_path, {"market.yaml": MARKET}) as bench, ThreadPoolExecutor(40) as pool:
        questions = [pool.submit(bench.get, "book", file="market.yaml", quick=1) for _ in range(40)]
        try:
            assert all(waiting.acquire(timeout=PATIENCE / 1000) for _ in questions)
            assert bench.get("files")["files"]
        finally:
            done.set()


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Books are made in this process."""
    monkeypatch.setattr(book_process.BookProcess, "run", lambda _, work, *arguments: work(*arguments))


@pytest.fixture
def bench(tmp_path: Path, at_once: None) -> Iterator[Workbench]:
    with workbench(tmp_path, {"market.yaml": MARKET, "short.yaml": VARIANT}) as result:
        yield result


def page_of(bench: Workbench, text: Any) -> str:
    return bench.raw(f"api/book/page/{text['page']}").decode()


def test_a_book_is_made_anew_only_when_something_has_changed(bench: Workbench) -> None:
    first = bench.get("book", file="market.yaml")
    bench.type("market.yaml", f"# A remark.\n{MARKET}")
    same = bench.get("book", file="market.yaml")
    assert same["page"] == first["page"]
    assert same["passages"][0]["start"] == first["passages"][0]["start"] + 1
    bench.type("market.yaml", MARKET.replace("Lay a card onto the market.", "Put a card there."))
    second = bench.get("book", file="market.yaml")
    assert "Put a card there." in page_of(bench, second) and "Put a card there." not in page_of(bench, first)


def test_a_text_with_mistakes_leaves_the_book_as_it_was(bench: Workbench) -> None:
    first = bench.get("book", file="market.yaml")
    bench.type("market.yaml", "rulewright: 1\n\n" + MARKET.partition("\n")[2].replace("to coins", "to coinz"))
    later = bench.get("book", file="market.yaml")
    assert "Lay a card onto the market." in page_of(bench, later)
    (before,), (after,) = (
        [it["start"] for it in told["passages"] if it["anchors"][0] == "steps-sell"] for told in (first, later)
    )
    assert after == before + 1


def test_a_variants_book_leads_into_both_files(bench: Workbench) -> None:
    text = bench.get("book", file="short.yaml", changes="1")
    assert text["variant"] and 'class="mark changed"' in page_of(bench, text)
    own = {it["anchors"][0]: it["start"] for it in text["passages"] if it["exact"]}
    assert own["phases-trade"] == 8 and "setup" not in own
    assert text["elsewhere"]["setup"]["file"] == "market.yaml"
    lines = MARKET.split("\n")
    assert lines[text["elsewhere"]["steps-sell"]["line"] - 1].strip() == "sell:"


def test_a_book_runs_its_own_scripts_and_nothing_else(bench: Workbench) -> None:
    page = page_of(bench, bench.get("book", file="market.yaml"))
    scripts = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    assert len(scripts) == 2 and page_frame.policy(scripts[1]) in page
    assert "sandbox allow-scripts" in book_process.POLICY and "allow-same-origin" not in book_process.POLICY


def test_books_are_saved_and_failures_reported(bench: Workbench, monkeypatch: pytest.MonkeyPatch) -> None:
    saved = bench.raw("api/book/file.html?file=market.yaml&in=nl").decode()
    assert saved.startswith("<!DOCTYPE html>") and 'lang="nl"' in saved and "told-here" not in saved
    assert bench.raw("api/book/file.pdf?file=market.yaml").startswith(b"%PDF-")
    monkeypatch.setattr(book_process, "find_spec", lambda _: None)
    with pytest.raises(Refused, match=r"pip install 'rulewright\[print\]'"):
        bench.get("book/file.pdf", file="market.yaml")
    with pytest.raises(Refused, match="no such language"):
        bench.get("book", file="market.yaml", **{"in": "../en"})
    bench.type("new.yaml", "rulewright: 1\n")
    assert "Mend its mistakes first" in bench.get("book", file="new.yaml")["text"]


@pytest.mark.rotating(12)
def test_the_book_follows_the_source_and_leads_back(tmp_path: Path, browser: Browser) -> None:
    with (
        workbench(tmp_path, {"market.yaml": MARKET}) as bench,
        browser.new_context(viewport={"width": 1280, "height": 1600}) as context,
    ):
        page = bench.open(context, "market.yaml", helped=False)
        page.get_by_role("tab", name="Book").click()
        book = page.frame_locator(".book-page:not(.coming)")
        expect(book.get_by_role("heading", level=1)).to_have_text("Market", timeout=PATIENCE)
        page.locator(".cm-line", has_text="Lay a card onto").click()
        expect(book.locator(".told-here")).to_contain_text("Lay a card onto the market.")
        page.get_by_role("combobox", name="Language of the book").select_option("nl")
        expect(book.locator("html")).to_have_attribute("lang", "nl", timeout=PATIENCE)
        bench.type("market.yaml", MARKET.replace("Lay a card onto the market.", "Put a card there."))
        expect(book.locator(".told-here")).to_contain_text("Put a card there.", timeout=PATIENCE)
        book.locator("#setup .text").click()
        expect(page.locator(".cm-activeLine")).to_contain_text("setup:")
        book.get_by_role("link", name="# Trade").press("Enter")
        expect(page.locator(".cm-activeLine")).to_contain_text("trade:")


def test_words_come_first_with_the_examples_from_before(tmp_path: Path, at_once: None) -> None:
    example = """\
edition: market.yaml
seats: [Ada, Ben]
cases:
  a sale:
    explains: steps.sell
    given: {phase: trade, Ada: {hand: [cloth card]}}
    do:
      - {Ada: cloth card}
    expect: {Ada: {coins: 2}}
"""
    with workbench(tmp_path, {"market.yaml": MARKET, "market.examples.yaml": example}) as bench:

        def page_text(**slots: Any) -> str:
            return page_of(bench, bench.get("book", file="market.yaml", **slots))

        assert 'id="example-a-sale"' not in page_text(quick="1")
        place = bench.get("book", file="market.yaml")["elsewhere"]["example-a-sale"]
        assert (place["file"], place["line"]) == ("market.examples.yaml", 4)
        assert 'id="example-a-sale"' in page_text()
        bench.type("market.yaml", MARKET.replace("Lay a card onto the market.", "Put a card there."))
        words = page_text(quick="1")
        assert "Put a card there." in words and 'id="example-a-sale"' in words
        bench.type("market.examples.yaml", example.replace("a sale", "a bargain"))
        assert 'id="example-a-bargain"' in page_text() and 'id="example-a-sale"' not in page_text(quick="1")
