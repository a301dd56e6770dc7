"""Games without an end come to their limit: in every executor, at the terminal, in the browser, in statistics."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from game_servers import begin, reading, server
from machines import on_to_the_end, same_game, table_top
from project_folders import GAMES
from rulewright.authoring import differences
from rulewright.authoring.explanations import explain
from rulewright.cli import main
from rulewright.game import library
from rulewright.game.game import Game
from rulewright.game.library import Rules
from rulewright.i18n.languages import localizer_for
from rulewright.program.state_layout import ANSWERS, GAME_OVER, LIMITED, PC, ROUND
from rulewright.publish.rulebook.rulebook_builder import RulebookBuilder
from rulewright.runtime import native
from rulewright.runtime.native import Fallback
from rulewright.runtime.rng import fractions
from rulewright.runtime.state import clone
from rulewright.simulation import command, planning
from rulewright.simulation.plan import Chunk

# Nobody can ever end it; whoever is asked may take a stone from the heap or put one back.
ENDLESS = """\
rulewright: 1
title: Stones
players: 2
pieces: {{stone: {{copies: 6, starts in: heap}}}}
zones: {{heap: {{seen by: all, pile: yes}}, hand: {{of: seat, seen by: all}}}}
{limit}
phases:
  play:
    do:
      - each seat: do act
      - all seats at once:
          - choose number from 0 to 3 as guess: {{ask: What first?}}
          - choose number from 0 to 3 as doubt: {{ask: What then?}}
      - if number of heap is more than {most}: end game
    steps:
      act:
        text: Take a stone or give one back.
        do:
          - choose up to 1 from heap as taken: {{ask: Which?}}
          - move taken to hand
          - choose up to 1 from hand into heap: {{ask: Which?}}
scoring: {{stones: {{points: number of hand}}}}
"""


def endless(limit: str = "", most: int = 99) -> str:
    return ENDLESS.format(limit=limit, most=most)


def limited(limit: str, most: int = 99) -> Rules:
    return library.from_text(endless(limit, most))


# ── the machine and native code ──

LIMITS = [f"limit: {{answers: {answers}}}" for answers in (1, 2, 7, 8, 9, 10)]
LIMITS += ["limit: {rounds: 3}", "limit: {rounds: 3, answers: 20, scored: yes}", "limit: {rounds: 1, answers: 50}"]


@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize("most", [4, 99])
def test_all_executors_end_at_the_same_limit(limit: str, most: int) -> None:
    rules = limited(limit, most)
    machine = rules.machine(2)
    other, stand_in = native.Native(machine.program), Fallback(machine.program, "")
    for seed in range(6):
        s = machine.new(seed)
        same_game(machine, other, clone(s), random.Random(seed).random, 100)
        question, played, out = clone(s), clone(s), clone(s)
        machine.play_out(played, fractions(seed))
        on_to_the_end(machine, question, fractions(seed))
        other.play_out(out, seed)
        for t in (question, played, out):
            assert t[PC] == GAME_OVER and table_top(machine, t) == table_top(machine, played)
            assert (t[ANSWERS], t[LIMITED]) == (played[ANSWERS], played[LIMITED])
    new, seeds = machine.new(0), range(50, 90)
    games = list(other.games(new, seeds))
    assert games == list(stand_in.games(new, seeds))
    for game in games:
        assert game.decisions <= machine.program.limit.answers
        assert any(game.places) == (not game.limited or machine.program.limit.scored)
    assert most == 4 or all(game.limited for game in games)


# Somebody is asked in three rounds, and once more much later; never again.
STALLED = """\
rulewright: 1
title: Stones
players: 2
pieces: {{stone: {{copies: 7, starts in: heap}}}}
zones: {{heap: {{seen by: all}}, hand: {{of: seat, seen by: all}}}}
counters: {{game: {{years: 0}}}}
{limit}
phases:
  play:
    do:
      - add 1 to years
      - if number of heap is at least 2 or years is 900:
          - each seat: [choose 1 from heap into hand]
"""


@pytest.mark.parametrize(
    "limit, answers, rounds, text",
    [
        ("", 7, 1900, "Nobody had anything to decide for 1,000 rounds. The game ends here, without a result."),
        (
            "limit: {scored: yes, answers: 8}",
            7,
            1900,
            "Nobody had anything to decide for 1,000 rounds. The game ends here. It counts as it stands.",
        ),
        ("limit: {rounds: 2500}", 7, 2500, "The game has reached its limit of 2,500 rounds. It ends without a result."),
    ],
)
def test_a_game_ends_where_no_seat_can_be_asked(limit: str, answers: int, rounds: int, text: str) -> None:
    rules = library.from_text(STALLED.format(limit=limit))
    machine = rules.machine(2)
    other, stand_in = native.Native(machine.program), Fallback(machine.program, "")
    same_game(machine, other, machine.new(3), random.Random(3).random, 100)
    s = on_to_the_end(machine, machine.new(3), random.Random(3).random)
    assert (s[PC], s[LIMITED], s[ANSWERS], s[ROUND]) == (GAME_OVER, 1, answers, rounds)
    games = list(other.games(machine.new(0), range(4)))
    assert games == list(stand_in.games(machine.new(0), range(4)))
    assert [(game.limited, game.rounds, game.decisions) for game in games] == [(True, rounds, answers)] * 4
    assert str(played_to_the_limit(rules).position.limit_text()) == text


@pytest.mark.parametrize("most", [None, 0, 3, 4, 40])
def test_rollouts_end_at_the_limit(most: int | None) -> None:
    machine = limited("limit: {answers: 12}").machine(2)
    other, stand_in = native.Native(machine.program), Fallback(machine.program, "")
    s = on_to_the_end(machine, machine.new(1), random.Random(1).random, 8)
    executors: tuple[native.Executor, ...] = (other, stand_in)
    for executor in executors:
        executor.load_state(executor.pack(s), (1, 2, 3, 4))
        played = executor.play_on(5, most)
        assert played.decisions == min(4, 4 if most is None else most)
        assert played.limited == (played.decisions == 4)
        assert any(played.places) != played.limited


def test_the_default_limit_grows_with_the_seats() -> None:
    rules = library.load("wildlife/2002")
    assert [rules.machine(seats).program.limit.answers for seats in (2, 6)] == [10_000, 30_000]
    assert library.from_text(endless("limit: {answers: 10000}")).hash != library.from_text(endless()).hash


@pytest.mark.parametrize("kind", ["random", "greedy", "search-20"])
def test_players_reach_the_limit(kind: str) -> None:
    expected = command.RunRequest("", 1, f"{kind},{kind}")
    rules = limited("limit: {answers: 10}")
    work = command._work(expected, rules, planning.seats(rules, expected.seats))
    assert work.games_per_chunk() >= 1
    assert work.play(Chunk(0, 0, 1)).words[1:3].tolist() == [10, 1]


# ── a game ──


def played_to_the_limit(rules: Rules) -> Game:
    game = Game.start(rules, ["Ada", "Ben"], seed=1)
    while decisions := game.decisions():
        game.answer(decisions[0].seat, [choice.key for choice in decisions[0].choices][: decisions[0].least])
    return game


def test_limit_is_an_outcome_in_four_languages() -> None:
    game = played_to_the_limit(limited("limit: {answers: 8}"))
    assert game.over and game.standings() == [] and not game.can_undo(0)
    text = game.position.limit_text()
    assert text is not None
    assert [localizer_for(code).say(text) for code in ("en", "nl", "de", "it")] == [
        "The game has reached its limit of 8 answers. It ends without a result.",
        "De partij heeft de limiet van 8 antwoorden bereikt en eindigt zonder uitslag.",
        "Die Partie hat ihre Grenze von 8 Antworten erreicht. Sie endet ohne Ergebnis.",
        "La partita è arrivata al suo limite di 8 risposte. Finisce senza un risultato.",
    ]
    scored = played_to_the_limit(limited("limit: {rounds: 1, scored: yes}"))
    assert str(scored.position.limit_text()) == "The game has reached its limit of 1 round. It counts as it stands."
    assert [standing.rank for standing in scored.standings()] == [1, 1]
    assert played_to_the_limit(limited("", most=0)).position.limit_text() is None


def test_save_of_a_limited_game_opens() -> None:
    rules = limited("limit: {answers: 8}")
    game = played_to_the_limit(rules)
    again = Game.load(game.save(), rules)
    assert again.over and again.log.lines(None) == game.log.lines(None) and again.state == game.state


# ── front-ends ──


@pytest.fixture
def trumps(tmp_path: Path) -> str:
    """The game that never comes to its end, with a limit that is soon reached."""
    path = tmp_path / "trumps.yaml"
    text = (GAMES / "trumps.yaml").read_text(encoding="utf-8").replace("add 1 to deals", "add 99 to deals")
    path.write_text(f"{text}limit: {{answers: 70}}\n", encoding="utf-8")
    return str(path)


@pytest.mark.rotating(2)
def test_play_reports_the_limit_and_saves_the_game(
    trumps: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    save = tmp_path / "game.json"
    seats = ["--seats", "random,random,random", "--lang", "en"]
    assert main(["play", trumps, *seats, "--seed", "5", "--save", str(save)]) == 0
    text = capsys.readouterr().out
    assert "The game has reached its limit of 70 answers. It ends without a result." in text
    assert "Winner" not in text and "Not scored" not in text
    assert main(["replay", str(save), "--lang", "nl"]) == 0
    assert "limiet van 70 antwoorden" in capsys.readouterr().out
    assert main(["play", "--resume", str(save), "--lang", "en"]) == 0
    assert "limit of 70 answers" in capsys.readouterr().out
    out = tmp_path / "played"
    assert main(["simulate", trumps, "--played", str(save), "--out", str(out), "--quiet", "--lang", "en"]) == 0
    assert "1 of 1 game came to the limit and has no result" in capsys.readouterr().out


@pytest.mark.rotating(2)
def test_a_table_reports_the_limit_and_keeps_the_game(trumps: str, tmp_path: Path) -> None:
    with server(tmp_path, [trumps]) as client:
        links = begin(client, *[{"player": "random"}] * 3)
        with reading(client, links["host"], "de") as host:
            end = host.look(lambda state: state["over"])
            assert end["standings"] == [] and "Grenze von 70 Antworten" in end["result"]
            host.send(type="share")
            assert host.until("shared")["token"]
    with server(tmp_path, [trumps]) as client, reading(client, links["host"]) as host:
        assert "limit of 70 answers" in host.look(lambda state: state["over"])["result"]


# ── statistics ──


def simulated(path: Path, text: str, *more: str) -> Path:
    edition = path / "stones.yaml"
    edition.write_text(text, encoding="utf-8")
    out = path / "out"
    assert main(["simulate", str(edition), "--out", str(out), "--quiet", "--lang", "en", *more]) == 0
    return out


def test_simulate_counts_limited_games_apart(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = simulated(tmp_path, endless("limit: {answers: 40}", 4), "--games", "60", "--seed", "3")
    games, seats, choices = (pq.read_table(out / table) for table in ("games", "seats", "choices"))
    many = pc.sum(games["limited"]).as_py()
    assert 0 < many < 60
    assert games["winners"].null_count == games["margin"].null_count == games["tie_break"].null_count == many
    assert games.filter(games["limited"])["winners"].null_count == many
    assert seats["won"].null_count == seats["total"].null_count == seats["points: stones"].null_count == 2 * many
    assert pc.max(choices["games_offered"]).as_py() == 60 - many
    seed = games.filter(games["limited"])["seed"][0].as_py()
    text = capsys.readouterr().out
    assert f"{many} of 60 games came to the limit" in text and f"has the seed {seed}." in text
    rounds = pc.mean(games.filter(pc.invert(games["limited"]))["rounds"]).as_py()
    assert f"{60 - many} games of {rounds:.1f} rounds" in text
    page = (out / "report.html").read_text(encoding="utf-8")
    have = "has" if many == 1 else "have"
    assert f"{many} of 60 games came to the limit and {have} no result" in page and str(seed) in page


def test_scored_games_at_the_limit_count(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = simulated(tmp_path, endless("limit: {answers: 40, scored: yes}", 4), "--games", "200", "--seed", "3")
    games = pq.read_table(out / "games")
    assert pc.any(games["limited"]).as_py() and games["winners"].null_count == 0
    text = capsys.readouterr().out
    assert "counted as they stood" in text and "200 games of" in text


def test_a_run_without_finished_games_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = simulated(tmp_path, endless("limit: {answers: 40}"), "--games", "20")
    assert "20 of 20 games came to the limit and have no result" in capsys.readouterr().out
    assert "20 of 20 games came to the limit" in (out / "report.html").read_text(encoding="utf-8")
    other = tmp_path / "other.yaml"
    other.write_text(endless("limit: {answers: 80}", 4), encoding="utf-8")
    assert main(["compare", str(out), str(other), "--games", "20", "--quiet", "--lang", "en"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "20 of 20 games came to the limit" in text and "There are no results to compare." in text


# ── what people read of an edition ──


def test_limit_is_explained_and_compared() -> None:
    before, after = limited("limit: {rounds: 12}"), limited("limit: {rounds: 20, answers: 900, scored: yes}")
    none = limited("")
    [message] = differences.differences(before, after)["Scoring"]
    assert message.sentence == "Changed: Limit."
    assert message.before == "A game that has not ended after 12 rounds ends then, without a result."
    assert message.after.startswith("A game that has not ended after 20 rounds ends then, and counts as it stands. ")
    assert "Scoring" not in differences.differences(before, before)
    names = {change.name for change in differences.text_changes(none.edition, after.edition)}
    assert names == {"limit"}
    text = "\n".join(map(str, explain(after.edition, "limit")))
    assert "20" in text and "900" in text and "counts as it stands" in text


def test_rulebook_tells_the_limit() -> None:
    rules = limited("limit: {rounds: 20, scored: yes}")
    english, german, none = (
        str(RulebookBuilder(of, code).rulebook()) for of, code in ((rules, "en"), (rules, "de"), (limited(""), "en"))
    )
    assert "A game that has not ended after 20 rounds ends then, and counts as it stands." in english
    assert "Ist eine Partie nach 20 Runden noch nicht zu Ende" in german
    assert "has not ended after" not in none


def test_variant_changes_and_removes_the_limit(tmp_path: Path) -> None:
    base = tmp_path / "stones.yaml"
    base.write_text(endless("limit: {rounds: 12, answers: 500}"), encoding="utf-8")

    def variant(text: str) -> Any:
        path = tmp_path / "variant.yaml"
        path.write_text(f"rulewright: 1\nextends: ./stones.yaml\n{text}\n", encoding="utf-8")
        return library.load(str(path)).machine(2).program.limit

    changed = variant("change: {limit: {rounds: 3, scored: yes}}")
    assert (changed.answers, changed.rounds, changed.scored) == (500, 3, True)
    removed = variant("remove: [limit.rounds]")
    assert (removed.answers, removed.rounds, removed.scored) == (500, 0, False)
    closed = variant("remove: [limit]")
    assert (closed.answers, closed.rounds) == (10_000, 0)
