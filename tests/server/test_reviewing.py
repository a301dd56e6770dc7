"""Reviews after a game: each of one's decisions with its choices, the answer, and its outcome."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

import pytest
from playwright.sync_api import Browser, expect

from browsers import Person, against_the_rules
from game_servers import begin, guessing, local_player, reading, server
from rulewright.game import library
from rulewright.game.early_ends import CALLED_OFF
from rulewright.game.game import Game
from rulewright.players.analysis import BEST, CLOSE, decision_numbers, judge
from rulewright.publish.analysis_texts import SIGNS
from rulewright.publish.labels import Labels
from rulewright.server.bots.bot_pool import BotPool
from rulewright.server.tables import table_analysis
from rulewright.server.views.analysis_view import analysis_message
from rulewright.server.views.history import HistoryError, review
from screenshots import ANN, BO, CHROMIUM, CY, WILD_CARDS, Home, hosted
from whole_games import Table, positions

FOUR = "classics/four-in-a-row"


@pytest.fixture(scope="module")
def played() -> Game:
    game, rng = Table("goofspiel", (None, None), {}, 7, 7).start()
    for _ in positions(game, rng):
        continue
    assert game.over
    return game


def test_a_review_lists_own_decisions_with_their_log(played: Game) -> None:
    for seat in range(len(played.names)):
        labels = Labels(played)
        count = review(labels, seat, 0).count
        assert count == sum(who == seat for who, _ in played.history.answer_keys())
        lines = [review(labels, seat, number) for number in range(count)]
        whole = ["".join(part.text for part in parts) for parts in played.log.parts(seat)]
        read = [
            line.text or "".join(part if isinstance(part, str) else part.text for part in line.parts)
            for one in lines
            for line in one.lines
        ]
        assert read == whole[len(whole) - len(read) :]
        assert all(one.taken in one.offered and one.prompt for one in lines)
        assert [one.step for one in lines] == sorted(one.step for one in lines)


def test_a_pick_and_where_it_leads_are_one_decision() -> None:
    game = Game.start(library.load("classics/chess"), ["Ann", "Bo"], {}, 1)
    for seat, move in ((0, "f2 f3"), (1, "e7 e5"), (0, "g2 g4"), (1, "d8 h4")):
        for key in move.split():
            game.answer(seat, [key])
    assert game.over, "mate"
    first, second = (review(Labels(game), 0, number) for number in range(2))
    assert (first.count, first.taken, len(first.offered)) == (2, "f2–f3", 20)
    assert second.taken == "g2–g4" and "f2–f4" not in second.offered and second.lines


BREAKING = """\
rulewright: 1
title: Breaking
players: 2
words: {door: {left: {steps: 1}, right: {steps: 0}}}
counters: {seat: {walked: 0}}
phases:
  walk:
    do:
      - each seat:
          - choose 1 from doors as way
          - add 6 / way's steps rounded down to walked
          - choose number from 1 to 2 as far
          - add far to walked
          - end game
"""


def test_an_answer_that_breaks_the_rules_is_offered_alone() -> None:
    game = Game.start(library.from_text(BREAKING, "breaking"), ["Ann", "Bo"], {}, 1)
    for key in ("left", "1"):
        game.answer(game.decisions()[0].seat, [key])
    assert game.over
    reviewed = review(Labels(game), 0, 0)
    assert (reviewed.taken, reviewed.offered) == ("left–1", ("left–1", "left–2", "right"))


def test_a_running_game_has_no_review(played: Game) -> None:
    for number in (-1, review(Labels(played), 0, 0).count):
        with pytest.raises(HistoryError):
            review(Labels(played), 0, number)
    with pytest.raises(HistoryError):
        review(Labels(played.with_history(played.history.before(3))), 0, 0)


def test_a_review_reveals_nothing_of_others(played: Game) -> None:
    """The review is the same where another seat had other choices."""
    other = played.copy()
    for answered in other.history.answers:
        if answered.seat == 1:
            object.__setattr__(answered, "keys", tuple(reversed(answered.keys)))
    for number in range(review(Labels(played), 0, 0).count):
        assert review(Labels(played), 0, number) == review(Labels(other), 0, number)


def test_a_review_is_requested_by_a_message(tmp_path: Path) -> None:
    with server(tmp_path, [guessing(tmp_path)]) as client:
        links = begin(client, local_player("Ann"), options={"quick": "yes"})
        with reading(client, links["seats"][0]) as ann:
            assert "no such decision" in ann.refused(type="review", number=0)
            ann.answer("2")
            ann.answer("3")
            ann.look(lambda state: state["over"])
            ann.send(type="review", number=1)
            text = ann.until("reviewed")
            assert (text["number"], text["count"], text["taken"]) == (1, 2, "3")
            assert text["prompt"] == "What then?" and text["offered"] == ["0", "1", "2", "3"]
            assert text["lines"][-1]["text"] == "Turn 1 is over."
            assert "not understand" in ann.refused(type="review", number="one")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    with hosted(tmp_path_factory.mktemp("tables"), [WILD_CARDS, FOUR]) as home:
        yield home


@pytest.mark.rotating(6)
@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
def test_a_player_steps_through_a_review(home: Home, browser: Browser) -> None:
    links = home.begin(WILD_CARDS, ANN, BO, CY)["seats"]
    home.play_on(links[0], 10_000)
    ann = Person.at_device(browser)
    page = ann.open(home.link(links[0]))
    page.get_by_role("tab", name="Decisions").click()
    panel = page.locator(".review")
    expect(panel).to_contain_text("Decision 1 / ")
    expect(panel).to_contain_text("Place your bid face down.")
    panel.get_by_role("button", name="The next decision").click()
    expect(panel).to_contain_text("Decision 2 / ")
    page.get_by_label("Language").select_option("nl")
    expect(panel).to_contain_text("Beslissing 2 / ")
    panel.get_by_role("button", name="De tafel op dat moment").click()
    expect(page.get_by_role("region", name="Terugkijken")).to_be_visible()
    assert ann.troubles == []


# ── what decisions are judged to be ──


def test_an_analysis_follows_decision_by_decision_and_is_kept(tmp_path: Path) -> None:
    with server(tmp_path, [guessing(tmp_path)]) as client:
        links = begin(client, local_player("Ann"), options={"quick": "yes"})
        with reading(client, links["seats"][0]) as ann:
            assert "not over" in ann.refused(type="analyse")
            ann.answer("2")
            ann.answer("3")
            ann.look(lambda state: state["over"])
            rows: list[Any] = []
            ann.send(type="analyse")
            while not (part := ann.until("analysed"))["ended"]:
                rows += part["rows"]
            rows += part["rows"]
            assert len(rows) == part["total"] == 2
            assert sorted((row["place"], row["seat"], row["number"]) for row in rows) == [(0, 0, 0), (1, 0, 1)]
            assert {row["verdict"] for row in rows} <= set(SIGNS)
        with reading(client, links["seats"][0]) as ann, pytest.MonkeyPatch.context() as patch:
            patch.setattr(BotPool, "judge", None)  # what was kept is read
            patch.setattr(table_analysis, "_analyses", WeakKeyDictionary())
            ann.send(type="analyse")
            again = ann.until("analysed")
            assert again["ended"] and again["rows"] == rows


def test_an_analysis_judges_by_what_a_seat_could_know(played: Game) -> None:
    """The verdict is the same where another seat held or laid something else that was hidden then."""
    answers = played.history.answers
    number = next(n for n in decision_numbers(played) if n and not answers[n - 1].opening and answers[n - 1].seat == 0)
    sealed = answers[number - 1]  # laid face down, before the seat was decision
    changed = played.with_history(played.history.before(number - 1))
    decision = changed.decision(0)
    assert decision is not None
    other_card = next(choice.key for choice in decision.choices if choice.key not in sealed.keys)
    changed.answer(0, [other_card])
    changed.answer(1, answers[number].keys)
    changed.end_early(CALLED_OFF)
    one, two = judge(played, number, 60), judge(changed, number, 60)
    assert one == two


def test_the_best_answer_is_the_one_with_the_highest_value(played: Game) -> None:
    """The star stands at the highest value, and at none of two that are too close to call."""
    game = played
    rows = [judge(game, number, 60) for number in decision_numbers(game)]
    assert {row.verdict for row in rows} >= {BEST, CLOSE}
    view = analysis_message(Labels(game), rows, {row.number: row.number for row in rows}, True, 0)
    for row in view.rows:
        best = [answer for answer in row.answers if answer.kind == "best"]
        if row.verdict == CLOSE:
            assert not best and "alike" in {answer.kind for answer in row.answers}
        else:
            assert best == [row.answers[0]] and best[0].value == max(answer.value for answer in row.answers)
        assert not any("±" in text for text in (row.summary, row.meaning, *(answer.told for answer in row.answers)))


@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
@pytest.mark.rotating(4)
def test_judging_begins_by_itself_when_a_game_ends(home: Home, browser: Browser) -> None:
    """The chart stands beside the result on a phone before anybody opens the decisions."""
    links = home.begin(FOUR, ANN, BO)["seats"]
    home.play_on(links[0], 10_000, seed=8)
    ann = Person.at_device(browser)
    page = ann.open(home.link(links[0]))
    page.set_viewport_size({"width": 390, "height": 844})
    expect(page.locator(".ending.brief").get_by_role("img", name="Chances through the game")).to_be_in_viewport(
        ratio=1, timeout=60_000
    )
    page.locator(".opens-result").click()
    expect(page.get_by_role("tab", name="Decisions").locator(".count")).to_have_text(
        re.compile("[1-9]"), timeout=60_000
    )
    assert ann.troubles == []


@pytest.mark.rotating(4)
@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
def test_a_player_goes_from_mistake_to_mistake(home: Home, browser: Browser) -> None:
    links = home.begin(FOUR, ANN, BO)["seats"]
    home.play_on(links[0], 10_000, seed=8)  # Ann misses much
    ann = Person.at_device(browser)
    page = ann.open(home.link(links[0]))
    page.get_by_role("tab", name="Decisions").click()
    panel = page.locator(".review")
    chart = panel.get_by_role("img", name="Chances through the game")
    expect(chart).to_be_visible(timeout=60_000)
    expect(panel.locator(".judging")).to_have_count(0, timeout=60_000)
    verdict = panel.locator(".judged")
    page.keyboard.press("m")
    expect(verdict).to_have_text(re.compile("Inaccuracy|Mistake|Blunder", re.IGNORECASE))
    before = panel.locator(".ways strong").inner_text()
    panel.get_by_role("button", name="Next mistake").click()
    expect(panel.locator(".ways strong")).not_to_have_text(before)
    assert against_the_rules(page, "main") == []
    for width, height in ((1024, 768), (1440, 900)):
        page.set_viewport_size({"width": width, "height": height})
        expect(chart).to_be_in_viewport(ratio=1)
    judgement = verdict.inner_text()
    panel.get_by_role("button", name="The table then").click()
    expect(page.locator(".stepper .judged")).to_contain_text(judgement, use_inner_text=True)
    expect(page.locator(".stage [data-judged='★']")).to_have_count(1)
    expect(page.locator(".stage [data-judged^='?']")).to_have_count(1)
    page.get_by_role("button", name="Back to now").click()
    expect(page.locator(".stage [data-judged]")).to_have_count(0)
    assert ann.troubles == []


# ── why the computer has moved so ──


def test_the_computer_explains_nothing_to_one_of_several_people(tmp_path: Path) -> None:
    with server(tmp_path, [FOUR]) as client:
        links = begin(client, local_player("Ann"), local_player("Bo"))
        with reading(client, links["seats"][0]) as ann:
            assert "several people" in ann.refused(type="why")


@pytest.mark.rotating(4)
@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
def test_a_player_asks_why_the_computer_moved_so(home: Home, browser: Browser) -> None:
    links = home.begin(FOUR, ANN, {"player": "easy"})["seats"]
    ann = Person.at_device(browser)
    page = ann.open(home.link(links[0]))
    page.set_viewport_size({"width": 1440, "height": 900})
    mine = page.locator(".asked.now h2")
    mine.wait_for()
    page.locator(".board .offered").first.click()
    expect(page.locator(".log td button, .log [role='cell'] button")).to_have_count(2, timeout=60_000)
    mine.wait_for()
    page.get_by_role("button", name="Why this move?").click()
    reasons = page.locator("dialog[open]")
    expect(reasons).to_contain_text(re.compile("chance to win|equally good|would be better"), timeout=60_000)
    assert against_the_rules(page, "dialog[open]") == []
    reasons.get_by_role("button", name="Close").click()
    expect(reasons).to_have_count(0)
    assert ann.troubles == []
