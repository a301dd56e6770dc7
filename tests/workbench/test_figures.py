"""Statistics of many games while somebody writes: what never happens, what differs, and the effect of another
number."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rulewright.game import library
from rulewright.game.library import Rules
from rulewright.simulation.settings import plain_numbers
from rulewright.simulation.tuning import search_strategy
from rulewright.workbench.core.workspace import BenchError
from rulewright.workbench.statistics import game_sample, goal_search, number_values, statistics_watch, value_sweep
from rulewright.workbench.statistics.dashboard import differences, sample_statistics
from rulewright.workbench.statistics.game_player import MILESTONES, SamplePlayer
from rulewright.workbench.statistics.game_sample import GameSample
from rulewright.workbench.statistics.sample_requests import CurveRequest, GamesRequest, SearchRequest, TableRequest
from small_games.quarry import QUARRY
from workbenches import Refused, Workbench, workbench

FILE = "quarry.yaml"
TWO = TableRequest("random,random", ())
VARIANT = """\
rulewright: 1
extends: {base}
title: Quarry
edition: mine
"""


def rules(text: str = QUARRY) -> Rules:
    return library.from_text(text, FILE)


def played(text: str = QUARRY, games: int = 200, table: TableRequest = TWO) -> GameSample:
    trial = GameSample(rules(text), table)
    for _ in trial.grow(games):
        pass
    return trial


def line_of(text: str) -> int:
    return QUARRY[: QUARRY.index(text)].count("\n") + 1


@pytest.fixture(scope="module")
def statistics_result() -> dict[str, Any]:
    return sample_statistics(played(), FILE)


def test_unreached_sentences_are_listed_with_their_lines(statistics_result: dict[str, Any]) -> None:
    results = [(one["text"], one["line"], one["own"]) for one in statistics_result["never"]["sentences"]]
    bless = "bless: {if: any boulder in pouch, do: [move talismans in field to pouch]}"
    storms = "end game # there are no storms"
    assert results == [(bless, line_of("bless:"), True), (storms, line_of("end game   #"), True)]
    assert statistics_result["never"]["of"] == 8


def test_unused_answers_pieces_and_powers_are_listed(statistics_result: dict[str, Any]) -> None:
    [answer] = statistics_result["never"]["answers"]
    assert (answer["name"], answer["offered"], answer["place"]["line"]) == ("bless", 0, line_of("choose one"))
    assert statistics_result["never"]["pieces"] == ["boulder", "talisman"]
    assert statistics_result["never"]["powers"] == [{"name": "charm", "held": False}]
    assert statistics_result["games"] == 200  # without which 'never' would say nothing


def test_an_answer_that_is_never_chosen_is_listed() -> None:
    """Greedy seats take two where they could take one."""
    text = QUARRY.replace("any boulder in pouch", "number of heap is more than 2").replace(
        "talismans in field", "top 1 of heap"
    )
    [answer] = sample_statistics(played(text, 60, TableRequest("greedy,greedy", ())), FILE)["never"]["answers"]
    assert (answer["name"], answer["offered"] >= 100) == ("bless", True)


def test_an_advantage_of_the_first_seat_is_reported(statistics_result: dict[str, Any]) -> None:
    assert [(one["seat"], one["odd"]) for one in statistics_result["seats"]] == [(0, 1), (1, -1)]
    assert statistics_result["fair"] == 0.5
    assert statistics_result["seats"][0]["won"][0] == 1.0


def test_equal_seats_are_not_called_unfair() -> None:
    fair = played((Path(__file__).parents[1] / "games" / "goofspiel.yaml").read_text(encoding="utf-8"))
    assert [one["odd"] for one in sample_statistics(fair, FILE)["seats"]] == [0, 0]


def test_the_same_text_has_the_same_figures(statistics_result: dict[str, Any]) -> None:
    again = sample_statistics(played(f"# a remark\n{QUARRY}"), FILE)
    assert again["quantities"] == statistics_result["quantities"]


def test_search_games_report_coverage_too() -> None:
    text = sample_statistics(played(games=12, table=TableRequest("greedy,greedy", ())), FILE)
    assert [one["line"] for one in text["never"]["sentences"]] == [line_of("bless:"), line_of("end game   #")]


def test_places_follow_a_text_whose_rules_are_the_same() -> None:
    trial = played()
    assert trial.relocate(rules(f"# a remark\n\n{QUARRY}").edition)
    assert not trial.relocate(rules(QUARRY.replace("if heap is empty", "if heap is not empty")).edition)
    assert [one.place.line for one in trial.unreached_sentences] == [line_of("bless:") + 2, line_of("end game   #") + 2]


def test_significant_differences_come_first() -> None:
    other = played(QUARRY.replace("load: 2", "load: 1"))
    text = differences(played(), other)
    verdicts = {row["key"]: row["verdict"] for row in text["rows"]}
    assert verdicts["rounds"] == "differs"
    assert text["rows"][0]["verdict"] == "differs"
    assert text["paired"]
    [rounds] = [row for row in text["rows"] if row["key"] == "rounds"]
    assert (rounds["before"][0], rounds["after"][0]) == (3, 5)


def test_insignificant_differences_are_not_reported() -> None:
    text = differences(played(), played(f"# a remark\n{QUARRY}"))
    assert {row["verdict"] for row in text["rows"]} == {"same"}


def test_figures_of_one_side_only_are_named() -> None:
    more = QUARRY.replace("ranking:", "  heap: {points: 1}\nranking:")
    text = differences(played(), played(more))
    assert text["only"] == {"before": [], "after": ["points: heap"]}


# ── as they grow ──


def all_told(playing: SamplePlayer, expected: GamesRequest) -> list[tuple[str, Any]]:
    return [(one[1], one[2]) for one in playing.play(expected) if one is not None]


def test_figures_are_updated_and_stored() -> None:
    playing, expected = SamplePlayer(), GamesRequest("one", rules().edition, TWO)
    result = all_told(playing, expected)
    assert [statistics_result["games"] for kind, statistics_result in result if kind == "figures"] == list(MILESTONES)
    assert [statistics_result["done"] for kind, statistics_result in result if kind == "figures"] == [False] * 4 + [
        True
    ]
    assert result[-1][0] == "rest"
    told_otherwise = QUARRY.replace("It shines.", "It glows.")
    again = all_told(playing, GamesRequest("two", rules(f"# a remark\n{told_otherwise}").edition, TWO))
    assert [statistics_result["games"] for kind, statistics_result in again if kind == "figures"] == [MILESTONES[-1]]
    assert again[0][1]["never"]["sentences"][0]["line"] == line_of("bless:") + 1


def test_games_stop_between_two_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """The process that plays looks often enough for the next edit."""
    monkeypatch.setattr(game_sample, "SECONDS_AT_ONCE", 0.001)
    text = SamplePlayer().play(GamesRequest("one", rules().edition, TWO))
    assert next(text) is None


def test_a_table_impossible_in_the_other_edition_is_reported() -> None:
    small = rules(QUARRY.replace("players: 2 to 3", "players: 2")).edition
    expected = GamesRequest("one", rules().edition, TableRequest("random,random,random", ()), small)
    [text] = [text for kind, text in all_told(SamplePlayer(), expected) if kind == "figures" and text["done"]]
    assert "against" not in text
    assert text["lacking"]


def test_unplayable_games_give_a_reason() -> None:
    broken = QUARRY.replace("if heap is empty", "if storms is 1")
    broken = broken.replace("move first load of heap to pouch", "set storms to 1 / storms rounded down")
    kind, text = all_told(SamplePlayer(), GamesRequest("one", rules(broken).edition, TWO))[0]
    assert kind == "failed"
    assert "divides by zero" in text["text"]


def test_stopped_games_are_reported_beside_the_figures() -> None:
    dug = "move first load of heap to pouch"
    rng = "choose number from 0 to 60 as depth, set storms to 0 / depth rounded down"
    text = sample_statistics(played(QUARRY.replace(dug, f"{dug}, {rng}")), FILE)
    assert 0 < text["stopped"]["games"] < text["games"] == text["ended"] + text["stopped"]["games"]
    assert "divides by zero" in text["stopped"]["why"] and int(text["stopped"]["seed"]) >= 0


# ── a number that is turned ──


def test_a_curve_is_coarse_first_and_includes_the_current_value() -> None:
    assert value_sweep.numbers(CurveRequest("load", 0, 20), 6)[:3] == [6, 0, 20]
    assert sorted(value_sweep.numbers(CurveRequest("load", 0, 20), 6)) == list(range(0, 21, 2))
    assert sorted(value_sweep.numbers(CurveRequest("load", 1, 4), 2)) == [1, 2, 3, 4]
    assert len(value_sweep.numbers(CurveRequest("load", -(10**9), 10**9), 7)) <= value_sweep.MAX_POINTS + 3


@pytest.mark.rotating(2)
def test_a_curve_has_every_figure_for_every_value() -> None:
    expected = GamesRequest("one", rules().edition, TWO, None, CurveRequest("load", 1, 3))
    curves = [statistics_result for kind, statistics_result in all_told(SamplePlayer(), expected) if kind == "curve"]
    assert curves[-1]["done"]
    assert (curves[-1]["value"], curves[-1]["now"]) == ("load", 2)
    rounds = {point["value"]: point["estimates"]["rounds"][0] for point in curves[-1]["points"]}
    assert rounds == {1: 5, 2: 3, 3: 2}


def test_an_impossible_value_gives_a_reason() -> None:
    text = QUARRY.replace("in pouch * worth", "in pouch / (load - 1) rounded down")
    expected = GamesRequest("one", rules(text).edition, TWO, None, CurveRequest("load", 1, 2))
    curves = [statistics_result for kind, statistics_result in all_told(SamplePlayer(), expected) if kind == "curve"]
    assert [point["value"] for point in curves[-1]["points"]] == [1, 2]
    assert [bool(point.get("text")) for point in curves[-1]["points"]] == [True, False]


def test_values_are_listed_with_their_lines() -> None:
    results = {one.name: one for one in number_values.list_values(rules().edition)}
    assert (results["load"].now, results["load"].line) == (2, line_of("load: 2"))
    assert results["load"].least == 0 < results["load"].most


def test_a_number_is_written_and_nothing_else_is_changed() -> None:
    text = number_values.set_number(QUARRY, rules().edition, "load", 12)
    assert text == QUARRY.replace("load: 2   #", "load: 12   #")


def test_a_number_that_has_been_changed_meanwhile_is_left_alone() -> None:
    with pytest.raises(BenchError, match="load"):
        number_values.set_number(QUARRY.replace("load: 2", "load: 3"), rules().edition, "load", 12)


@pytest.mark.parametrize(
    "before, after",
    [
        ("", "\nchange:\n  values:\n    game:\n      load: 5\n"),
        ("change: {values: {seat: {worth: 3}}}\n", "change: {values: {game: {load: 5}, seat: {worth: 3}}}\n"),
        (
            "change:\n  values: # mine\n    game:\n      # none\n    seat:\n      worth: 3\n",
            None,
        ),
        (
            "change:\n  values:\n    seat:\n      worth: 3 # mine\n",
            "change:\n  values:\n    game:\n      load: 5\n    seat:\n      worth: 3 # mine\n",
        ),
    ],
)
def test_a_value_of_the_base_is_written_as_a_change(tmp_path: Path, before: str, after: str | None) -> None:
    (tmp_path / FILE).write_text(QUARRY, encoding="utf-8")
    file = tmp_path / "mine.yaml"
    text = VARIANT.format(base=FILE)
    file.write_text(text, encoding="utf-8")
    edition = library.load(str(file)).edition
    if after is None:
        with pytest.raises(BenchError):
            number_values.set_number(text + before, edition, "load", 5)
        return
    answer = number_values.set_number(text + before, edition, "load", 5)
    assert answer == text + after
    file.write_text(answer, encoding="utf-8")
    assert library.load(str(file)).edition.figures["load"].body.text == "5"


# ── in the workbench ──


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    with workbench(tmp_path_factory.mktemp("bench"), {FILE: QUARRY}) as home:
        yield home


LOOK = {"people": 2, "player": "random"}


@pytest.mark.rotating(5)
def test_games_are_played_while_the_pane_is_open(home: Workbench, monkeypatch: pytest.MonkeyPatch) -> None:
    """The one test with a process of its own."""
    described = home.get("figures", file=FILE)
    assert (described["people"], described["against"]) == ([2, 3], [])
    assert [one["name"] for one in described["values"]] == ["load", "worth"]
    key = home.post("figures/look", LOOK, file=FILE)["key"]
    first = home.wait(lambda message: message["type"] == "figures" and message["key"] == key)
    assert first["file"] == FILE
    assert first["games"] in range(1, MILESTONES[0] + 1)  # fewer where they take longer than windows wait for news
    home.wait(lambda message: message["type"] == "figures" and message["done"] is True)
    assert home.post("figures/look", LOOK, file=FILE)["figures"]["games"] == MILESTONES[-1]

    remarked = len(home.messages)
    home.type(FILE, f"# a remark\n{QUARRY}")
    key = home.post("figures/look", LOOK, file=FILE)["key"]
    moved = home.wait(lambda message: message["type"] == "figures" and message["key"] == key, remarked)
    assert isinstance(moved["never"], dict)
    assert moved["games"] == MILESTONES[-1]  # without playing again
    assert moved["never"]["sentences"][0]["line"] == line_of("bless:") + 1

    monkeypatch.setattr(statistics_watch, "MIN_STABLE_SECONDS", 0.0)
    since = len(home.messages)
    home.post("figures/take", {"numbers": {"load": 3}}, file=FILE)
    home.wait(lambda message: message["type"] == "edited", since)
    assert home.bench.text(FILE) == f"# a remark\n{QUARRY.replace('load: 2', 'load: 3')}"
    assert [one["what"] for one in home.get("figures", file=FILE)["against"]] == ["opened"]
    since = len(home.messages)
    now = home.post("figures/look", {**LOOK, "against": "opened"}, file=FILE)
    assert now["key"] != key
    new = home.wait(lambda message: message["type"] == "figures" and message["key"] == now["key"], since)
    against = new["against"]
    assert isinstance(against, dict)
    assert "rounds" in [row["key"] for row in against["rows"] if row["verdict"] == "differs"]
    home.post("figures/leave", {}, file=FILE)


@pytest.mark.parametrize("folder", ["", "mine/"])
def test_a_variant_is_compared_with_a_game_of_the_same_folder(folder: str, tmp_path: Path) -> None:
    name = f"{folder}variant.yaml"
    files = {FILE: QUARRY, name: VARIANT.format(base="../quarry.yaml" if folder else "quarry.yaml")}
    with workbench(tmp_path, files) as home:
        assert home.get("figures", file=name)["against"] == [{"what": "base", "title": "Quarry"}]


@pytest.mark.parametrize(
    "wrong",
    [
        {"people": 9, "player": "random"},
        {"people": 2, "player": "search-1000000"},
        {"people": 2, "player": "random", "options": {"none": "such"}},
        {"people": 2, "player": "random", "curve": {"value": "nothing", "least": 0, "most": 3}},
        {"people": 2, "player": "random", "curve": {"value": "load", "least": 0, "most": 10**12}},
        {"people": "2"},
    ],
)
def test_impossible_tables_are_refused_with_a_sentence(home: Workbench, wrong: object) -> None:
    with pytest.raises(Refused) as refused:
        home.post("figures/look", wrong, file=FILE)
    assert refused.value.status == 400
    assert "text" in refused.value.text


@pytest.mark.rotating(4)
def test_values_are_searched_for_goals_and_confirmed() -> None:
    expected = GamesRequest(
        "one", rules().edition, TWO, search=SearchRequest(("load=0..3",), ("rounds=2", "total=high"))
    )
    searches = [text for kind, text in all_told(SamplePlayer(), expected) if kind == "search"]
    assert searches[0]["tried"] == 0 and searches[-1]["done"] and searches[-1]["tried"] == 3
    assert searches[-1]["goals"] == [{"key": "rounds", "shares": False}, {"key": "total", "shares": False}]
    rows = {row["values"][0]: row for row in searches[-1]["rows"]}
    assert rows["2"]["kind"] == "now" and rows["0"]["text"] == "No game ends."
    assert [row["figures"][0][0] for row in (rows["1"], rows["2"], rows["3"])] == [5, 3, 2]
    assert rows["3"]["kind"] == "chosen" and rows["3"]["says"][0] == "better" and rows["3"]["fresh"][0][0] == 2
    long = GamesRequest("one", rules().edition, TWO, search=SearchRequest(("load=1..4",), ("rounds=high",)))
    last = [text for kind, text in all_told(SamplePlayer(), long) if kind == "search"][-1]
    tried = [row["figures"][0][0] for row in last["rows"] if row["kind"] != "now"]
    assert len(tried) == 3 and tried == sorted(tried, reverse=True)
    broken = GamesRequest("one", rules().edition, TWO, search=SearchRequest(("loads=1..3",), ("rounds=2",)))
    [text] = [text for kind, text in all_told(SamplePlayer(), broken) if kind == "search"]
    assert "Did you mean 'load'?" in text["text"] and text["done"]


@pytest.mark.rotating(4)
def test_a_few_hundred_combinations_need_no_sampler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulewright.simulation.tuning.search_strategy.find_spec", lambda name: None)
    monkeypatch.setattr(goal_search, "MAX_SECONDS", 1)
    expected = GamesRequest("one", rules().edition, TWO, search=SearchRequest(("load=1..60",), ("rounds=2",)))
    lines = [lines for kind, lines in all_told(SamplePlayer(), expected) if kind == "search"]
    assert "text" not in lines[-1] and lines[0]["planned"] == 59 and lines[-1]["done"]


@pytest.mark.rotating(4)
def test_many_combinations_are_sampled_at_random_without_a_sampler(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (search_strategy, goal_search):
        monkeypatch.setattr(module, "find_spec", lambda name: None)
    monkeypatch.setattr(goal_search, "RANDOM_TRIALS", 7)
    search = SearchRequest(("load=1..30", "worth=1..30"), ("rounds=2",))
    expected = GamesRequest("one", rules().edition, TWO, search=search)
    last = [statistics_result for kind, statistics_result in all_told(SamplePlayer(), expected) if kind == "search"][-1]
    assert (last["planned"], last["drawn"]) == (7, True) and last["tried"] >= 7
    assert len({tuple(row["values"]) for row in last["rows"]}) == len(last["rows"])


def test_several_numbers_are_written_at_once() -> None:
    text = QUARRY
    numbers = {name: 11 + at for at, name in enumerate(plain_numbers(rules().edition))}
    answer = number_values.set_numbers(text, rules().edition, numbers)
    edition = rules(answer).edition
    assert {name: int(edition.figures[name].body.text) for name in numbers} == numbers
    assert len(answer.splitlines()) == len(text.splitlines())
