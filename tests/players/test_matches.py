"""Fair matches: scores and intervals, games that are carried on in OpenSpiel, and players in files."""

from __future__ import annotations

import json
import time
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from documents import blocks
from matching import against, levels, ratings, scores
from matching.own_sides import MatchError, timed
from project_folders import GAMES, SPEC
from rulewright.model.editions import UnknownEdition
from rulewright.players import PlayerError, search
from untrained_policies import untrained

GOOFSPIEL = str(GAMES / "goofspiel.yaml")


def arguments(edition: str, a: str, b: str, **others: object) -> Namespace:
    usual: dict[str, object] = {
        "pairs": 1,
        "seconds": 0.01,
        "seed": 1,
        "opening": 2,
        "seats": None,
        "option": [],
        "clock": "wall",
        "processes": 1,
    }
    return Namespace(**{**usual, "edition": edition, "a": a, "against": b, "keep": None, "append": None, **others})


@pytest.fixture(autouse=True)
def usual_clock() -> Iterator[None]:
    """Bots of other tests go by the clock again."""
    yield
    assert getattr(search, "monotonic", time.monotonic) is time.monotonic


def script(tmp_path: Path, text: str) -> str:
    file = tmp_path / "my_player.py"
    file.write_text(text, encoding="utf-8")
    return str(file)


def test_each_deal_is_played_from_every_seating() -> None:
    assert scores.seatings("AB") == ["AB", "BA"]
    assert scores.seatings("ABB") == ["ABB", "BBA", "BAB"]
    assert scores.seatings("ABAB") == ["ABAB", "BABA"]


def test_scores_compare_seats_of_both_sides() -> None:
    assert scores.points("AB", [1, -1]) == 1
    assert scores.points("BA", [0, 0]) == 0.5
    assert scores.points("ABB", [5, 7, 5]) == 0.25
    assert scores.wins("ABB", [7, 7, 5]) == 0.5


def test_the_interval_is_of_deals() -> None:
    """Wilson's interval of 7 of 10: 0.397 to 0.892 (Newcombe 1998 has the formula); a deal's games count as one."""
    results = [(deal, float(deal < 7)) for deal in range(10) for _ in range(2)]
    score = scores.by_deals([*results, (10, 1.0)], 2)
    assert score.count == 10
    assert [score.value, score.low, score.high] == pytest.approx([0.7, 0.397, 0.892], abs=1e-3)


def test_percentiles_are_values_that_were_met() -> None:
    assert scores.quantiles([each / 100 for each in range(100, 0, -1)]) == (0.5, 0.95, 0.99)


@pytest.mark.rotating(3)
def test_a_match_against_openspiel(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Both games of the pair are played to the end in lock step, and kept; the result is told and appended."""
    pytest.importorskip("pyspiel", reason="needs OpenSpiel")
    games_file, table = tmp_path / "played.jsonl", tmp_path / "table.md"
    setting = arguments("tic_tac_toe", "random", "mcts", keep=games_file, append=table)
    assert against.run(setting) == 0
    games = [json.loads(line) for line in games_file.read_text(encoding="utf-8").splitlines()]
    assert [game["seats"] for game in games] == ["AB", "BA"]
    assert all(sum(game["values"]) == 0 and min(game["B"]["tries"]) > 0 for game in games)
    row = table.read_text(encoding="utf-8").splitlines()[2]
    assert row.startswith("| `tic_tac_toe` | `random` | `mcts` | 0.01 | 1 | 2 |")
    output = capsys.readouterr().out
    assert against.run(setting) == 0
    assert capsys.readouterr().out == output, "what is kept is not played again"


def test_the_documented_player_plays(tmp_path: Path) -> None:
    first = next(block for block in blocks(SPEC / "MATCHES.md") if block.words == ("python",))
    duel = against.Duel(arguments(GOOFSPIEL, "random", script(tmp_path, first.text), pairs=2))
    games = list(against.played(duel))
    assert len(games) == 4
    assert all(len(game["B"]["wall"]) > 0 for game in games)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("def choose(view, decision, log): return 'twelve'", "my_player.py cannot answer ['twelve'] to "),
        ("def choose(view, decision, log): return 12", "my_player.py answered 12"),
        ("def choose(view, decision, log): return log[-99]", "my_player.py failed: IndexError"),
        ("def chose(view, decision, log): return []", "my_player.py has no player"),
    ],
)
def test_a_player_that_fails_is_named(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(MatchError) as error:
        list(against.played(against.Duel(arguments(GOOFSPIEL, "random", script(tmp_path, text)))))
    assert message in str(error.value)


@pytest.mark.rotating(3)
def test_a_policy_plays_a_deal_from_both_seats(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("pyspiel", reason="needs OpenSpiel")
    assert against.run(arguments("kuhn_poker", "random", "cfr", pairs=2)) == 0
    captured = capsys.readouterr()
    assert "exploitability 0.000" in captured.err
    assert captured.out.splitlines()[2].startswith("| `kuhn_poker` | `random` | `cfr` | 0.01 | 2 | 4 |")


@pytest.mark.rotating(3)
def test_a_drawn_world_is_one_that_the_seat_cannot_tell_apart() -> None:
    """Seat 2 has met one stone of the other seat in phantom tic-tac-toe, and does not know where the rest lies."""
    pyspiel = pytest.importorskip("pyspiel", reason="needs OpenSpiel")
    from matching.hidden_sides import drawn_answers, drawn_world  # noqa: PLC0415 - it needs OpenSpiel

    state = pyspiel.load_game("phantom_ttt").new_initial_state()
    for action in (4, 4, 0, 8):
        state.apply_action(action)
    worlds = [drawn_world(state, 1, Random(seed)) for seed in range(60)]
    assert {world.information_state_string(1) for world in worlds} == {state.information_state_string(1)}
    assert len({str(world) for world in worlds}) == 7, "all places but the middle and its own"
    state = pyspiel.convert_to_turn_based(pyspiel.load_game("matching_pennies_3p")).new_initial_state()
    state.apply_action(0)
    state.apply_action(0)
    assert len({tuple(drawn_answers(state, 2, Random(seed)).history()) for seed in range(40)}) == 4


@pytest.mark.rotating(3)
@pytest.mark.parametrize(
    ("game", "name", "message"),
    [
        ("chess", "cfr", "'cfr' does not play chess: take 'mcts'"),
        ("hearts", "mcts", "'mcts' does not play hearts: take 'ismcts'"),
        ("phantom_ttt", "cfr", "'cfr' plays kuhn_poker"),
        ("wild-cards/2022", "mcts", "No lock step carries 'wild-cards/2022'"),
    ],
)
def test_what_openspiel_cannot_play_is_refused(game: str, name: str, message: str) -> None:
    pytest.importorskip("pyspiel", reason="needs OpenSpiel")
    with pytest.raises(MatchError) as error:
        against.Duel(arguments(game, "random", name))
    assert message in str(error.value)


# ── levels ──


def test_ratings_follow_the_odds() -> None:
    """Odds of 3 to 1 are 190.8 points, and they add up; the prior is half a draw, and a hundred deals outweigh it."""
    won = [(deal, high, high - 1, float(deal % 4 > 0)) for deal in range(400) for high in (1, 2)]
    values = [each.value for each in ratings.ratings(won, 3)]
    assert values == pytest.approx([0, 190.8, 381.7], abs=3)
    shares = ratings.neighbours(won, 3)
    assert [share.value for share in shares] == pytest.approx([0.75, 0.75])


def test_a_rating_lies_within_its_interval_and_nobody_is_infinitely_better() -> None:
    [_, better] = ratings.ratings([(deal, 1, 0, 1.0) for deal in range(5)], 2)
    assert better.low <= better.value <= better.high < 1000
    [_, equal] = ratings.ratings([(deal, 1, 0, float(deal % 2)) for deal in range(100)], 2)
    assert equal.low < -20 and equal.value == pytest.approx(0, abs=1e-3) and equal.high > 20


def test_levels_are_compared_by_places_of_parties() -> None:
    places = list(levels.comparisons(7, [2, 0, 2], [0, 1, 2], [-1, -2, -2]))
    assert places == [(7, 2, 0, 1.0), (7, 0, 2, 0.5)]
    partners = list(levels.comparisons(7, [1, 0], [0, 1, 0, 1], [-2, -1, -2, -1]))
    assert partners == [(7, 1, 0, 0.0)]


@pytest.mark.rotating(3)
def test_levels_go_on_from_what_was_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    setting = arguments(GOOFSPIEL, "", "", levels="random,greedy", pairs=2, all=False, keep=tmp_path / "levels.jsonl")
    assert levels.run(setting) == 0
    output = capsys.readouterr().out
    assert len((tmp_path / "levels.jsonl").read_text(encoding="utf-8").splitlines()) == 4
    monkeypatch.setattr("matching.own_games.OwnGames.play_match", None)
    assert levels.run(setting) == 0
    assert capsys.readouterr().out == output


# ── exploitability ──


@pytest.mark.rotating(3)
def test_kuhn_poker_has_its_known_exploitabilities(capsys: pytest.CaptureFixture[str]) -> None:
    """11/24 of random answers; nothing of an equilibrium (Kuhn 1950, with the first player never bluffing)."""
    pytest.importorskip("pyspiel", reason="needs OpenSpiel")
    from open_spiel.python.algorithms.exploitability import exploitability as exploit  # noqa: PLC0415

    from lockstep import zone  # noqa: PLC0415 - it needs OpenSpiel
    from matching import exploitability  # noqa: PLC0415 - it needs OpenSpiel
    from pairings import PAIRINGS  # noqa: PLC0415 - it needs OpenSpiel

    def equilibrium(node: Any, seat: int) -> dict[int, float]:
        game = node.position.game
        card, past = int(zone(game, "hand", seat)[0]), [keys for _, keys in game.history.answer_keys()]
        faces_bet = past[-1:] == [("bet",)]
        bets = (0, 1 / 3, 1)[card - 1] if faces_bet else 0 if seat == 0 else (1 / 3, 0, 1)[card - 1]
        names = node.arena.actions.names
        return {action: bets if "bet" in names[action] else 1 - bets for action in node.position.possible(seat)}

    game = exploitability.own_game(PAIRINGS["kuhn_poker"])
    assert exploit(game, exploitability.OddsOf(game, equilibrium)) == pytest.approx(0, abs=1e-9)
    assert exploitability.run(Namespace(edition="kuhn_poker", a="random", seconds=0.1)) == 0
    rows = capsys.readouterr().out.splitlines()
    assert rows[2] == "| `kuhn_poker` | `random` | 0.45833 |"
    assert "CFR+" in rows[-1] and float(rows[-1].split("|")[3]) < 0.001


@pytest.mark.rotating(3)
def test_odds_of_bots_and_policies_are_those_of_their_answers(tmp_path: Path) -> None:
    pytest.importorskip("pyspiel", reason="needs OpenSpiel")
    from matching import exploitability  # noqa: PLC0415 - it needs OpenSpiel
    from pairings import PAIRINGS  # noqa: PLC0415 - it needs OpenSpiel

    game = exploitability.own_game(PAIRINGS["kuhn_poker"])
    machine = game.arena.machine
    node = game.root.after_outcome(0)
    untrained(machine).save(tmp_path / "guess.safetensors")
    exact = exploitability.odds_of_policy(tmp_path / "guess.safetensors", machine)(node, 0)
    sampled = exploitability.odds_of_bot(f"policy:{tmp_path / 'guess.safetensors'}")(node, 0)
    assert sum(exact.values()) == pytest.approx(1)
    assert sampled == pytest.approx(exact, abs=0.15)


def test_kinds_get_a_time_where_they_have_none() -> None:
    kinds = ("search", "greedy", "random", "search-50", "greedy-80ms", "my.py")
    times = ["search-200ms", "greedy-200ms", "random", "search-50", "greedy-80ms", "my.py"]
    assert [timed(kind, 0.2) for kind in kinds] == times
    with pytest.raises(PlayerError, match="Did you mean 'search'"):
        timed("serch", 0.2)


@pytest.mark.rotating(3)
def test_openspiels_name_of_a_game_is_enough_against_others(tmp_path: Path) -> None:
    pytest.importorskip("pyspiel", reason="needs OpenSpiel")
    text = "def choose(view, decision, log): return decision.choices[0].key"
    duel = against.Duel(arguments("connect_four", "random", script(tmp_path, text)))
    assert len(list(against.played(duel))) == 2
    with pytest.raises(UnknownEdition, match="connect_five"):
        against.Duel(arguments("connect_five", "random", "greedy"))


@pytest.mark.rotating(3)
def test_a_search_measures_its_rate_in_each_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hundred tries a second at the beginning of a game, a thousand later: the first search takes no longer."""
    pytest.importorskip("pyspiel", reason="needs OpenSpiel")
    from matching import meter, openspiel_sides  # noqa: PLC0415 - it needs OpenSpiel

    now, rate = [0.0], [100.0]
    clock = SimpleNamespace(process_time=lambda: now[0], perf_counter=lambda: now[0])
    monkeypatch.setattr(openspiel_sides, "time", clock)
    monkeypatch.setattr(meter, "time", clock)

    class Side(openspiel_sides.SearchSide):
        def search(self, state: object, tries: int) -> tuple[int, int]:
            now[0] += tries / rate[0]
            return 0, tries

    side = Side(None, 2.0)
    for rates in ((100, 200, 1000, 1000, 1000), (100, 200)):
        side.begin(1)
        for rate[0] in rates:
            side.action(None, 0)
    times = side.meter.processor
    assert times[0] == pytest.approx(2, rel=0.02) and times[5] == pytest.approx(2, rel=0.02)
    assert max(times) < 2.7 and sum(times[:5]) == pytest.approx(10, rel=0.2)


@pytest.mark.rotating(3)
def test_a_difference_of_the_rules_ends_a_match(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyspiel", reason="needs OpenSpiel")
    from matching import carried_games  # noqa: PLC0415 - it needs OpenSpiel
    from pairings import rules_of  # noqa: PLC0415 - it needs OpenSpiel

    rules = rules_of("tic_tac_toe", ("is at least 3", "is at least 4"))
    monkeypatch.setattr(carried_games, "rules_of", lambda name: rules)
    with pytest.raises(MatchError, match="The rules here and there differ, in deal"):
        list(against.played(against.Duel(arguments("tic_tac_toe", "random", "mcts", pairs=9))))
