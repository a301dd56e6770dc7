"""The end of a game in a browser: how far the others are behind, a picture to share, and a score sheet to print."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Browser, expect

from browsers import Person
from game_servers import local_player
from screenshots import CHROMIUM, hosted

pytestmark = [pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium"), pytest.mark.rotating(3)]

RACE = """\
rulewright: 1
title: Race
players: 2
boards: {field: {of: spot, size: 3 by 2}}
pieces: {stone: {copies: 6, starts in: box}}
zones: {box: {seen by: all}, place: {of: spot, seen by: all, at most: 1}}
counters: {seat: {laid: 0}}
phases:
  play:
    do:
      - each seat:
          - choose 1 from spots where place is empty as there: {ask: Where?}
          - each there as one: move first 1 of box to one's place
          - add 1 to laid
          - if (number of box) is 3: end game
scoring: {laid: {points: laid}}
"""


def test_the_result_tells_how_far_and_can_be_shared_and_printed(tmp_path: Path, browser: Browser) -> None:
    (tmp_path / "race.yaml").write_text(RACE, encoding="utf-8")
    with hosted(tmp_path, [str(tmp_path / "race.yaml")]) as home:
        person = Person.at_device(browser)
        tokens = home.begin(str(tmp_path / "race.yaml"), local_player("Ann"), local_player("Bo"))["seats"]
        home.play_on(tokens[0], 2)
        page = person.open(home.link(tokens[0]))
        page.locator("button.space:not([role])").first.press("Enter")
        expect(page.locator(".winner")).to_contain_text("You win!")
        expect(page.locator(".winner")).to_be_focused()
        expect(page.locator(".winner .margin")).to_have_text("By 1 point")
        expect(page.locator(".player .rank")).to_have_text(["★ won", "lost"])
        page.locator(".keeping > details > summary").click()
        with page.expect_download() as saved:
            page.get_by_role("button", name="As a picture").click()
        picture = Image.open(io.BytesIO(Path(saved.value.path()).read_bytes()))
        assert picture.width == 1080 and len(picture.convert("RGB").getcolors(1 << 24) or ()) > 20
        page.emulate_media(media="print")
        expect(page.locator(".score-sheet").first).to_be_visible()
        for hidden in (".boards", ".asked", "#head"):
            expect(page.locator(hidden)).to_be_hidden()
        person.context.close()


def test_a_trick_is_one_row_of_the_log(tmp_path: Path, browser: Browser) -> None:
    """Four cards played are four signs in a row with who has taken them, each with its sentence for who does not see
    it. Of the next trick only signs are seen."""
    with hosted(tmp_path, ["classics/hearts"]) as home:
        person = Person.at_device(browser)
        tokens = home.begin("classics/hearts", *map(local_player, ("Ann", "Bo", "Cy", "Di")))["seats"]
        home.play_on(tokens[0], 12)
        page = person.open(home.link(tokens[0]))
        first, second = (page.locator(".log li.line").filter(has=page.locator(".brief")).nth(n) for n in range(2))
        expect(first.get_by_role("button")).to_have_count(5)
        expect(first.locator(".unseen").nth(3)).to_contain_text(" played the ")
        expect(first.locator(".said").last).to_contain_text(" took the trick.")
        expect(second.locator(".brief .chip")).to_have_count(4)
        expect(second.get_by_role("button")).to_have_count(4)
        expect(second.locator(".leads .unseen").last).to_contain_text(" took the trick.")
        person.context.close()
