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
        home.play_on(tokens[0], 3)
        page = person.open(home.link(tokens[0]))
        expect(page.locator(".winner .margin")).to_have_text("Bo is 1 behind.")
        with page.expect_download() as saved:
            page.get_by_role("button", name="As a picture").click()
        picture = Image.open(io.BytesIO(Path(saved.value.path()).read_bytes()))
        assert picture.width == 1080 and len(picture.convert("RGB").getcolors(1 << 24) or ()) > 20
        page.emulate_media(media="print")
        expect(page.locator(".score-sheet")).to_be_visible()
        for hidden in (".boards", ".asked", "#head"):
            expect(page.locator(hidden)).to_be_hidden()
        person.context.close()
