"""The rulebook of a variant: what is marked, where one may read on, and the list of changes at the end."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import shipped_books
from rulewright.game import library
from rulewright.publish.rulebook import book, html, markdown
from rulewright.publish.rulebook.changes import base_builder
from rulewright.publish.rulebook.model import Box, Changes, Gallery, Link, Reference, Rule, Rulebook, VariantChange
from rulewright.publish.rulebook.options_chapter import OptionsChapter
from rulewright.publish.rulebook.rulebook_builder import RulebookBuilder
from shipped_books import book as book_of
from shipped_books import contents

HOME = """\
rulewright: 1
extends: wild-cards/2022
edition: at home
change:
  values: {seat: {hand limit: 8}}
  powers: {squirrel: {change: {refill size: 9}}}
"""
COINS = """\
rulewright: 1
extends: wild-cards/2022
change:
  pieces: {animal: {copies: 8}}
  zones: {box: {holds: [animal, refill card, talisman, coin]}}
  phases: {place bids: {text: Bid now.}}
pieces:
  coin: {copies: 3, starts in: box, noun: coin}
"""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("variant") / "home.yaml"
    file.write_text(HOME, encoding="utf-8")
    return file


def rules(result: Rulebook) -> Iterator[Rule]:
    for chapter in result.chapters:
        for block in chapter.blocks:
            for inner in block.blocks if isinstance(block, Box) else (block,):
                if isinstance(inner, Rule):
                    yield inner


def listed(result: Rulebook) -> Changes:
    (changes,) = [b for chapter in result.chapters if chapter.anchor == "changes" for b in chapter.blocks]
    assert isinstance(changes, Changes)
    return changes


@pytest.mark.rotating(5)
def test_changes_of_a_variant_are_marked_and_listed(home: Path) -> None:
    contents = RulebookBuilder(library.load(str(home)), "it")
    result = book.rulebook(contents, base_builder(contents))
    assert {rule.anchor for rule in rules(result) if rule.mark} == {"zones-hand", "steps-pass", "powers-squirrel"}
    assert {change.link.anchor for change in listed(result).changes} == {"zones-hand", "steps-pass", "powers-squirrel"}
    (squirrel,) = [change for change in listed(result).changes if change.link.anchor == "powers-squirrel"]
    assert "10" in squirrel.before and "9" in squirrel.after and squirrel.mark == "changed"
    again = [block for chapter in result.chapters for block in chapter.blocks if isinstance(block, Reference)]
    assert [rule.anchor for part in again for rule in part.rules if rule.mark] == [
        "reference-steps-pass",
        "reference-powers-squirrel",
    ]
    anchors = [chapter.anchor for chapter in result.chapters]
    assert anchors[-3:] == ["changes", "sheet", "reference"]


@pytest.mark.rotating(5)
def test_chapters_and_components_are_marked_too(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(COINS, encoding="utf-8")
    contents = RulebookBuilder(library.load(str(file)))
    result = book.rulebook(contents, base_builder(contents))
    chapters = {chapter.anchor: chapter for chapter in result.chapters}
    assert {name for name, chapter in chapters.items() if chapter.mark} == {"phases-place-bids"}
    galleries = [block for block in chapters["components"].blocks if isinstance(block, Gallery)]
    assert {gallery.title: gallery.mark for gallery in galleries if gallery.mark} == {
        "Animals": "changed",
        "Coins": "new",
    }
    assert {"pieces-animal", "pieces-coin", "phases-place-bids"} <= {
        change.link.anchor for change in listed(result).changes
    }
    assert '<a href="#pieces-coin">' in html.page(result)


def test_the_first_edition_mentions_nothing_removed() -> None:
    words, _, _ = markdown.text(shipped_books.book("wild-cards/2020", changes=True)).partition('<a id="changes">')
    assert not re.findall(r"Talisman|\bLeo\b|virtual", words.partition("<a id=")[2])


def test_first_edition_is_for_other_numbers_of_players() -> None:
    assert [
        c for c in listed(shipped_books.book("wild-cards/2020", changes=True)).changes if c.link.title == "Players"
    ] == [VariantChange("changed", Link("", "Players"), "2–5", "3–5")]


def test_removed_rules_are_listed_without_a_link() -> None:
    older = listed(shipped_books.book("wild-cards/2020", changes=True))
    assert (older.before, older.after) == ("Wild Cards 2022", "Wild Cards 2020")
    removed = [change for change in older.changes if change.mark == "gone"]
    assert {"Leo", "Talisman"} <= {change.link.title for change in removed}
    assert all(change.link.anchor == "" and change.after == "" for change in removed)


@pytest.mark.parametrize("name", ["wild-cards/2020", "wild-cards/2022", "wildlife/2002"])
def test_changes_are_printed_only_on_demand(name: str) -> None:
    result = shipped_books.book(name)
    assert not any(rule.mark for rule in rules(result)) and not any(chapter.mark for chapter in result.chapters)
    assert "changes" not in [chapter.anchor for chapter in result.chapters]


def test_options_that_differ_from_their_default_are_changes() -> None:
    result = shipped_books.book("wild-cards/2022", "en", ("no bluffing", "yes"), changes=True)
    assert "options-no-bluffing" in [change.link.anchor for change in listed(result).changes]
    assert result.chapters[-3].title == "What is different from the usual game"


@pytest.mark.parametrize("name", ["wild-cards/2020", "wild-cards/2022", "wildlife/2002"])
def test_every_link_leads_somewhere(name: str) -> None:
    result = shipped_books.book(name)
    anchors = {link.anchor for chapter in result.chapters for link in chapter.links()}
    links = [link for rule in rules(result) for link in rule.see]
    assert len(links) > 3 and {link.anchor for link in links} <= anchors
    page, text = html.page(result), markdown.text(result)
    assert all(f'href="#{link.anchor}"' in page and f"(#{link.anchor})" in text for link in links)


def chapter_of(result: Rulebook, place: str) -> str:
    """Return the chapter of a rule, at any depth."""
    return next(chapter.anchor for chapter in result.chapters if f"anchor='{place}'" in repr(chapter.blocks))


@pytest.mark.rotating(5)
def test_a_step_that_only_an_option_leads_to_stands_with_it() -> None:
    place = "steps-auction-a-chart"
    assert OptionsChapter(contents("wildlife/2002")).optional_steps == {place: "charts auctioned"}
    assert chapter_of(book_of("wildlife/2002"), place) == "options"
    agreed = (("charts auctioned", "yes"),)
    assert OptionsChapter(contents("wildlife/2002", "en", *agreed)).optional_steps == {}
    assert chapter_of(book_of("wildlife/2002", "en", *agreed), place) == "setup"
