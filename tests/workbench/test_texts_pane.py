"""Texts translated beside the source, and what is written into the catalog."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polib
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, expect

from browsers import ONLY_BROKEN
from rulewright.workbench.book import book_process
from small_games.market import MARKET
from workbenches import Refused, Workbench, workbench

SELL = "On your turn, sell a card."
CATALOG = "market.nl.po"


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workbench]:
    monkeypatch.setattr(book_process.BookProcess, "run", lambda _, work, *arguments: work(*arguments))
    with workbench(tmp_path, {"market.yaml": MARKET}) as result:
        yield result


def texts(bench: Workbench, language: str = "nl") -> dict[str, Any]:
    """English text -> what is known of it."""
    return {text["one"]: text for text in bench.get("texts", file="market.yaml", to=language)["texts"]}


def texts_request(text: Any, *translated: str) -> dict[str, Any]:
    return {"context": text["context"], "one": text["one"], "texts": [*translated]}


def write(bench: Workbench, *all_given: dict[str, Any]) -> Any:
    return bench.post("texts/write", {"all": [*all_given]}, file="market.yaml", to="nl")["texts"]


@pytest.mark.rotating(2)
def test_untranslated_texts_are_listed_with_their_places(bench: Workbench) -> None:
    result = texts(bench)
    assert {text["state"] for text in result.values()} == {"missing"}
    assert MARKET.split("\n")[result[SELL]["line"] - 1].endswith(SELL)
    draws = result["Everybody draws {hand limit} cards."]
    bench.type("market.yaml", f"# A remark.\n{MARKET}")
    assert texts(bench)[SELL]["line"] == result[SELL]["line"] + 1
    assert draws["slots"] == ["hand limit"] and len(result["cloth"]["texts"]) == 2


def test_a_text_that_is_given_is_played_and_printed_at_once(bench: Workbench) -> None:
    (stored,) = write(bench, texts_request(texts(bench)[SELL], "Verkoop in je beurt\neen kaart. "))
    assert stored["state"] == "done" and stored["texts"] == ["Verkoop in je beurt een kaart."]
    catalog = polib.pofile(bench.bench.text(CATALOG))
    assert len(catalog) == len(texts(bench)) and catalog.translated_entries()[0].msgid == SELL
    text = bench.get("book", file="market.yaml", **{"in": "nl"})
    assert "Verkoop in je beurt een kaart." in bench.raw(f"api/book/page/{text['page']}").decode()
    assert bench.get("texts", file="market.yaml", to="nl")["begun"] == ["nl"]


def test_a_table_shows_a_new_text_at_once(bench: Workbench) -> None:
    question = texts(bench)["Which card?"]

    def translated() -> bool:
        game = json.dumps(bench.get("play", file="market.yaml", language="nl")["game"])
        assert ("Which card?" in game) != ("Welke kaart?" in game)
        return "Welke kaart?" in game

    assert not translated()
    since = len(bench.messages)
    write(bench, texts_request(question, "Welke kaart?"))
    bench.wait(lambda message: message["type"] == "edited" and message["file"] == "market.yaml", since)
    assert translated()
    assert bench.bench.edition_of(CATALOG) == "market.yaml"


def test_nothing_else_in_a_catalog_is_lost(bench: Workbench) -> None:
    write(bench, texts_request(texts(bench)[SELL], "Verkoop."))
    mine = bench.bench.text(CATALOG).replace("# Dutch texts", "# By Ada.\n# Dutch texts")
    mine = mine.replace("#. A kind", "# Or is it linen?\n#. A kind", 1)
    mine += '\n# Of another day.\nmsgctxt "phases.rest.text"\nmsgid "Rest."\nmsgstr "Rust."\n'
    mine += '\n#~ msgctxt "phases.old.text"\n#~ msgid "Old."\n#~ msgstr "Oud."\n'
    bench.type(CATALOG, mine)
    write(bench, texts_request(texts(bench)["Who has sold most wins."], "Wie het meest verkocht heeft, wint."))
    after = bench.bench.text(CATALOG)
    for stored in ("# By Ada.", "# Of another day.", '"Rust."', '"Oud."', '"Verkoop."', "Wie het meest verkocht"):
        assert stored in after
    bench.type("market.yaml", MARKET.replace("Lay a card onto the market.", "Lay it down."))
    write(bench, texts_request(texts(bench)["Lay it down."], "Leg een kaart neer."))
    assert all(
        stored in bench.bench.text(CATALOG) for stored in ("# By Ada.", '"Rust."', '"Oud."', "Leg een kaart neer.")
    )


def test_a_changed_text_is_to_be_looked_at_until_somebody_says_it_is_right(bench: Workbench) -> None:
    write(bench, texts_request(texts(bench)[SELL], "Verkoop."))
    bench.type("market.yaml", MARKET.replace(SELL, "On your turn, sell one card."))
    write(bench, texts_request(texts(bench)["Market"], "Markt"))
    result = texts(bench)["On your turn, sell one card."]
    assert (result["state"], result["former"], result["texts"]) == ("look", SELL, ["Verkoop."])
    (stored,) = write(bench, texts_request(result, "Verkoop."))
    assert stored["state"] == "done" and not stored["former"]


def test_typed_translations_are_checked_and_announced(bench: Workbench) -> None:
    draws = texts(bench)["Everybody draws {hand limit} cards."]

    def check(text: str) -> Any:
        return bench.post("texts/check", texts_request(draws, text), file="market.yaml", to="nl")

    assert check("Iedereen trekt {hand limt} kaarten.")["wrong"][0].startswith("There is no slot {hand limt} here")
    assert check("Iedereen trekt {hand limit} [kaart|kaarten].")["said"][0] == "Iedereen trekt 1 kaart."
    (cloth,) = write(bench, texts_request(texts(bench)["cloth"], "laken", ""))
    assert cloth["state"] == "look" and "Expected 2 plural forms" in cloth["wrong"][0]


def test_unwritable_translations_are_refused(bench: Workbench) -> None:
    sell = texts(bench)[SELL]
    for wrong in ("en", "xx", "../nl"):
        with pytest.raises(Refused, match="no such language"):
            bench.post("texts/write", {"all": [texts_request(sell, "a")]}, file="market.yaml", to=wrong)
    with pytest.raises(Refused, match="not there any more"):
        write(bench, texts_request(sell, "a"), {"context": "x", "one": "y", "texts": ["z"]})
    with pytest.raises(Refused, match="did not understand"):
        write(bench, {"context": "x", "one": "y", "texts": "z"})
    bench.type(CATALOG, 'msgid "a\n')
    broken = bench.get("texts", file="market.yaml", to="nl")
    assert broken["line"] == 1 and "syntax is wrong" in broken["trouble"]
    with pytest.raises(Refused, match="Nothing has changed"):
        write(bench, texts_request(sell, "a"))
    assert bench.bench.text(CATALOG) == 'msgid "a\n'


@pytest.mark.rotating(5)
def test_one_of_two_forms_is_no_mistake_while_the_other_is_to_be_typed(bench: Workbench, browser: Browser) -> None:
    with browser.new_context() as context:
        page = bench.open(context, "market.yaml", helped=False)
        page.get_by_role("tab", name="Texts").click()
        page.get_by_role("combobox", name="Translate to").select_option("nl")
        row = page.locator("li.text").filter(has=page.locator("textarea").nth(1)).first
        with page.expect_response("**/api/texts/check**"):
            row.locator("textarea").first.fill("doek")
        page.wait_for_function("() => document.activeElement.matches('textarea')")
        expect(row.locator(".wrong")).to_have_count(0)
        page.get_by_role("searchbox").focus()
        expect(row.locator(".wrong")).to_contain_text("Expected 2 plural forms")


@pytest.mark.rotating(12)
def test_texts_are_translated_by_keyboard(bench: Workbench, browser: Browser) -> None:
    with browser.new_context() as context:
        page = bench.open(context, "market.yaml", helped=False)
        page.get_by_role("tab", name="Texts").click()
        page.get_by_role("combobox", name="Translate to").select_option("nl")
        field = page.get_by_role("textbox", name="Everybody draws {hand limit} cards.")
        field.fill("Iedereen trekt kaarten.")
        expect(page.get_by_text("The slot {hand limit} is missing.")).to_be_visible()
        field.fill("Iedereen trekt {hand limit} kaarten.")
        field.press("Enter")
        expect(page.locator(".text.done")).to_contain_text("Everybody draws")
        expect(page.locator("textarea:focus")).to_have_count(1)
        assert '"Iedereen trekt {hand limit} kaarten."' in bench.bench.text(CATALOG)
        for pane in ("Texts", "Changes", "Cards", "Book"):
            page.get_by_role("tab", name=pane).click()
            expect(page.locator(".pane select").first).to_be_visible()
            assert not Axe().run(page, options=ONLY_BROKEN).response["violations"]
