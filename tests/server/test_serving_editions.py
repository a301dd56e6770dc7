"""The first page: playing at once, editions of one game under one cover, and files that change while it is served."""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from playwright.sync_api import Browser, expect
from starlette.testclient import TestClient

from browsers import Person, against_the_rules
from game_servers import GUESSING, begin, guessing, local_player, offered, reading, server
from rulewright.base import cache
from rulewright.game import library
from rulewright.game.library import Rules
from rulewright.server import edition_registry
from rulewright.server.edition_registry import EditionRegistry, OfferedEdition, PlayableEdition, playable_edition
from rulewright.server.web import edition_index, edition_lists
from rulewright.server.web.edition_list import list_editions, list_entry
from rulewright.server.web.edition_lists import EditionLists
from screenshots import CHROMIUM, WILD_CARDS, WILDLIFE, hosted

in_chromium = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
VARIANT = "rulewright: 1\nextends: wild-cards/2022\nedition: Quick game\nchange: {values: {seat: {hand limit: 8}}}\n"


def write_edition(path: Path, text: str) -> None:
    """Change a file so that this is seen from outside, however short the time since the last change."""
    before = path.stat().st_mtime_ns if path.exists() else 0
    path.write_text(text, encoding="utf-8")
    os.utime(path, ns=(before + 10**9, before + 10**9))


def listed(client: TestClient, language: str = "en") -> list[dict[str, Any]]:
    data: list[dict[str, Any]] = client.get("/editions", params={"language": language}).json()["editions"]
    return data


# ── a server that has just started ──


@pytest.mark.rotating(4)
def test_the_list_grows_while_editions_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page takes what is there, and how many are still to come; the others take the whole."""
    offers = EditionRegistry([guessing(tmp_path), "classics/hex"])
    started, go = Event(), Event()
    read = library.read_unchecked

    def slowly(name: str) -> Rules:
        started.set()
        go.wait()
        return read(name)

    monkeypatch.setattr(library, "read_unchecked", slowly)

    async def run() -> None:
        lists = EditionLists(offers)
        whole = asyncio.create_task(lists.whole("en"))
        await asyncio.to_thread(started.wait)
        part, loading = await lists.available("en")
        assert ([one["title"] for one in part], loading) == (["Guessing"], 1)
        go.set()
        assert [one["title"] for one in await whole] == ["Guessing", "Hex 11 × 11"]
        monkeypatch.setattr(edition_lists, "_PATIENCE", None)
        assert await lists.available("en") == (await lists.whole("en"), 0)

    asyncio.run(run())


@pytest.mark.rotating(2)
def test_the_list_is_whole_before_any_rules_are_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path))
    offers, compiled = EditionRegistry(["classics/hex", "classics/go-13", "wild-cards/2022"]), list[str]()
    load = edition_registry.load_edition

    def noted(name: str) -> PlayableEdition | None:
        compiled.append(name)
        return load(name)

    monkeypatch.setattr(edition_registry, "load_edition", noted)
    lists = EditionLists(offers)
    entries = asyncio.run(lists.whole("de"))
    assert [one["address"] for one in entries] == ["wild-cards/2022", "classics/hex", "classics/go-13"]
    assert all(one["text"] and lists.cover(one["edition"], one["cover"]) for one in entries)
    assert not compiled
    hex_ = offers.get(entries[1]["edition"])
    assert compiled == ["classics/hex"], "only the one that somebody wants"
    assert hex_ and list_editions([OfferedEdition(hex_, is_named=False)], "de")[0] == {**entries[1], "game": 0}


def test_a_server_that_starts_again_lists_its_games_without_reading_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    listed = asyncio.run(EditionLists(EditionRegistry(["classics/hex"])).whole("nl"))
    offers = EditionRegistry(["classics/go", "classics/hex"])
    lists, loads = EditionLists(EditionRegistry(["classics/hex"])), list[str]()
    monkeypatch.setattr(edition_registry, "load_edition", loads.append)
    assert asyncio.run(lists.whole("nl")) == listed and not loads
    (hex_,) = listed
    assert (lists.cover(hex_["edition"], hex_["cover"]) or "").startswith("<svg")
    assert lists.cover(hex_["edition"], "stone") is None
    offers.expect({hex_["edition"]: hex_["address"]})
    offers.get(hex_["edition"])
    assert loads[0] == "classics/hex", "the one that is wanted is read first"


def test_a_list_is_kept_until_a_file_changes(tmp_path: Path) -> None:
    path = Path(guessing(tmp_path))

    def listed() -> list[dict[str, Any]]:
        return asyncio.run(EditionLists(EditionRegistry([str(path)])).whole("en"))

    assert [one["title"] for one in listed()] == ["Guessing"] and edition_index.find([str(path)], "en")
    write_edition(path, GUESSING.replace("title: Guessing", "title: Other guessing"))
    assert edition_index.find([str(path)], "en") is None
    assert [one["title"] for one in listed()] == ["Other guessing"]


@pytest.mark.parametrize(
    "data", [None, "text", b"{}", b"\xff", b'{"editions":[],"names":{},"covers":{},"files":[["a\\u0000",1,1]]}']
)
def test_a_kept_list_that_is_none_is_ignored(monkeypatch: pytest.MonkeyPatch, data: object) -> None:
    monkeypatch.setattr(cache, "get", lambda _: data)
    assert edition_index.find([], "en") is None


# ── files that change ──


def test_changed_file_is_read_again_for_new_tables(tmp_path: Path) -> None:
    """Tables of before go on by what it was."""
    path = Path(guessing(tmp_path))
    with server(tmp_path, [str(path)]) as client:
        before = listed(client)
        assert [(one["changed"], one["mistake"]) for one in before] == [(False, None)]
        old = begin(client, local_player("Ann"))
        write_edition(path, GUESSING.replace("title: Guessing", "title: Other guessing"))
        (now,) = listed(client)
        assert now["title"] == "Other guessing" and now["changed"] and now["mistake"] is None
        assert now["edition"] != before[0]["edition"]
        expected = {"edition": before[0]["edition"], "seats": [local_player("Ann")], "options": {}}
        refused = client.post("/tables", json=expected)
        assert refused.status_code == 404 and "has changed" in refused.json()["text"]
        for links, title in ((old, "Guessing"), (begin(client, local_player("Ann")), "Other guessing")):
            with reading(client, links["seats"][0]) as ann:
                ann.question()
                assert ann.table["title"] == title
        assert client.get(f"/editions/{before[0]['edition']}/rulebook").status_code == 200
        write_edition(path, "# a remark\n" + GUESSING)
        assert listed(client)[0]["edition"] == before[0]["edition"], "what it says counts, not how it is written"


def test_a_broken_file_leaves_its_last_valid_edition(tmp_path: Path) -> None:
    path = Path(guessing(tmp_path))
    with server(tmp_path, [str(path)]) as client:
        (before,) = listed(client)
        write_edition(path, GUESSING.replace("add 1 to turns", "add 1 to tuns"))
        (now,) = listed(client)
        assert now["edition"] == before["edition"] and not now["changed"]
        mistake = now["mistake"]
        assert mistake["file"] == "guessing.yaml", "and not where it lies"
        line = path.read_text(encoding="utf-8").splitlines()[mistake["line"] - 1]
        assert "add 1 to tuns" in line and "tuns" in mistake["text"]
        assert begin(client, local_player("Ann"))["seats"]
        path.unlink()
        (removed,) = listed(client)
        assert str(tmp_path) not in str(removed) and "guessing.yaml" in removed["mistake"]["text"]
        write_edition(path, GUESSING)
        assert listed(client) == [before]


def test_variant_follows_what_it_extends(tmp_path: Path) -> None:
    base, variant = tmp_path / "base.yaml", tmp_path / "variant.yaml"
    base.write_text(GUESSING, encoding="utf-8")
    variant.write_text("rulewright: 1\nextends: base.yaml\nedition: quick\n", encoding="utf-8")
    with server(tmp_path, [str(variant)]) as client:
        (before,) = listed(client)
        assert (before["title"], before["changed"]) == ("Guessing quick", False)
        write_edition(base, GUESSING.replace("players: 1 to 3", "players: 1 to 2"))
        (now,) = listed(client)
        assert now["people"] == [1, 2] and now["changed"]


# ── the order, and what games are played with ──


@pytest.mark.rotating(4)
def test_games_of_no_series_are_read_first_and_variants_last(tmp_path: Path) -> None:
    """Lists then grow at their end while a server begins."""
    own = tmp_path / "own.yaml"
    own.write_text(GUESSING, encoding="utf-8")
    (tmp_path / "late.yaml").write_text(GUESSING.replace("title: Guessing", "title: Z\nseries: Old"), encoding="utf-8")
    offers = EditionRegistry([str(tmp_path / "late.yaml"), "wild-cards/2020", str(own), WILD_CARDS])
    order = [one.edition.rules.edition.full_title() for one in offers.each()]
    assert order == ["Guessing", "Wild Cards 2022", "Wild Cards 2020", "Z"]


SLIPS = """\
rulewright: 1
title: Slips
players: 2
boards: {field: {of: spot, size: 2 by 2}}
pieces: {slip: {copies: 4, starts in: box}}
zones: {box: {seen by: all}, hand: {of: seat, seen by: all}}
phases: {play: {do: [end game]}}
"""
DICE = SLIPS.replace("slip: {", "die: {has: {pips: 1 to 6}, changing: pips, noun: '{pips} | dice', ")


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        (SLIPS, []),
        (SLIPS + "looks: {cards: {slip: {}}}\n", ["cards"]),
        (SLIPS.replace("of: seat", "of: spot"), ["board"]),
        (DICE, ["dice"]),
        (DICE.replace("of: seat", "of: spot"), ["dice"]),
    ],
)
def test_what_a_game_is_played_with(text: str, kinds: list[str]) -> None:
    assert list_entry(playable_edition(library.from_text(text, "tried")), "en")["kinds"] == kinds


# ── editions of one game ──


@pytest.mark.rotating(4)
def test_editions_of_a_game_stand_together_with_what_differs(tmp_path: Path) -> None:
    variant = tmp_path / "quick.yaml"
    variant.write_text(VARIANT, encoding="utf-8")
    with server(tmp_path, [str(variant), "wild-cards/2020", WILDLIFE, WILD_CARDS]) as client:
        games = [(one["game"], one["name"], one["label"]) for one in listed(client)]
        assert games == [
            (0, "Wild Cards", "Quick game"),
            (0, "Wild Cards", "2022"),
            (0, "Wild Cards", "2020"),
            (1, "Wildlife", "2002"),
        ]
        address = f"/editions/{offered(client)}/differences"
        data = client.get(address).json()
        assert data["from"] == "Wild Cards 2022"
        assert data["changes"] == [change for change in data["changes"] if change["kind"] == "changed"]
        assert any("10" in one["before"] and "8" in one["now"] for one in data["changes"])
        german = client.get(address, params={"language": "de"}).json()
        assert len(german["changes"]) == len(data["changes"]) and german != data
        (base,) = (one["edition"] for one in listed(client) if one["label"] == "2022")
        assert client.get(f"/editions/{base}/differences").json()["changes"] == []
        assert client.get("/editions/nonsense/differences").status_code == 404


def test_editions_with_equal_titles_show_their_files(tmp_path: Path) -> None:
    paths = [tmp_path / "one.yaml", tmp_path / "two.yaml"]
    for number, path in enumerate(paths):
        path.write_text(GUESSING + f"# {number}\n", encoding="utf-8")
    paths[1].write_text(GUESSING.replace("turn limit: 2", "turn limit: 3"), encoding="utf-8")
    with server(tmp_path, [*map(str, paths)]) as client:
        assert [(one["game"], one["label"]) for one in listed(client)] == [(0, "one.yaml"), (0, "two.yaml")]


# ── on the page ──


@pytest.mark.rotating(12)
@in_chromium
def test_a_newcomer_plays_after_one_click(tmp_path: Path, browser: Browser) -> None:
    """The next time, the form has the same name and game."""
    with hosted(tmp_path, [WILD_CARDS, guessing(tmp_path)]) as home:
        ann = Person.at_device(browser)
        page = ann.open(home.address)
        page.get_by_role("button", name="Play now").click()
        ann.question(page).get_by_role("heading").first.wait_for()
        players = page.get_by_role("region", name="Players", exact=True).locator("[data-seat]")
        expect(players).to_have_count(4)
        expect(players.first).to_contain_text("You")
        page.goto(home.address)
        page.get_by_role("button", name="Guessing").first.click()
        page.get_by_role("group", name="Seats").get_by_label("Your name").fill("Ann")
        page.get_by_role("button", name="Begin", exact=True).click()
        ann.question(page).wait_for()
        page.goto(home.address)
        expect(page.get_by_label("Your name")).to_have_value("Ann")
        page.get_by_role("button", name="Play now").click()
        ann.question(page).get_by_role("heading").first.wait_for()
        assert page.title().endswith("Guessing")
        expect(page.get_by_role("region", name="Players", exact=True)).to_contain_text("Ann")
        assert ann.troubles == []


@pytest.mark.rotating(12)
@in_chromium
def test_the_first_page_names_the_level_of_the_computer_and_keeps_it(tmp_path: Path, browser: Browser) -> None:
    with hosted(tmp_path, [WILD_CARDS]) as home:
        ann = Person.at_device(browser)
        page = ann.open(home.address)
        level = page.get_by_label("Computer opponents: 3")
        expect(level).to_have_value("medium")
        level.select_option("hard")
        page.reload()
        expect(level).to_have_value("hard")
        page.set_viewport_size({"width": 360, "height": 740})
        page.get_by_label("Your name").fill("Ann")
        with page.expect_request("**/tables?*") as request:
            page.get_by_role("button", name="Play now").click()
        seats = json.loads(request.value.post_data or "")["seats"]
        assert sorted(seat["player"] for seat in seats) == ["hard", "hard", "hard", "here"]
        expect(page.get_by_role("region", name="Players", exact=True)).to_contain_text("Ann")
        assert ann.troubles == []


@pytest.mark.rotating(12)
@in_chromium
def test_the_page_says_what_differs_and_what_has_become_of_a_file(tmp_path: Path, browser: Browser) -> None:
    path = tmp_path / "quick.yaml"
    path.write_text(VARIANT, encoding="utf-8")
    with hosted(tmp_path, [str(path), WILD_CARDS, "wild-cards/2020"]) as home:
        ann = Person.at_device(browser)
        page = ann.open(home.address)
        page.get_by_role("button", name="Wild Cards 2020").click()
        page.get_by_text("What is different from Wild Cards 2022").click()
        expect(page.get_by_text("Players: 3–5 instead of 2–5").first).to_be_visible()
        page.go_back()
        page.get_by_role("button", name="Wild Cards 2022", exact=True).click()
        expect(page.get_by_text("What is different in Wild Cards 2020")).to_be_visible()
        page.go_back()
        expect(page.locator(".editions img")).to_have_count(1)
        assert against_the_rules(page) == []
        page.get_by_role("button", name="Wild Cards Quick game").click()
        page.get_by_text("What is different from Wild Cards 2022").click()
        assert against_the_rules(page) == []
        page.get_by_label("Your name").fill("Ann")
        write_edition(path, VARIANT.replace("8", "9"))
        page.get_by_role("button", name="Begin", exact=True).click()
        expect(page.locator("#notice")).to_contain_text("has changed")
        page.get_by_role("button", name="Begin", exact=True).click()
        ann.question(page).wait_for()
        write_edition(path, VARIANT.replace("limit", "limt"))
        page.goto(home.address)
        expect(page.get_by_text("The file now has a mistake.")).to_contain_text("quick.yaml:4")
        expect(page.get_by_text("The file has changed since the server started.")).to_be_visible()
        assert against_the_rules(page) == []
        assert [trouble for trouble in ann.troubles if "404" not in trouble] == []
