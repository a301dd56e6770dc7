"""The pane 'Steps': what is told of each sentence, and what the page asks."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from rulewright.authoring.sentence_trace import after_answer
from rulewright.game import library
from rulewright.game.game import Game
from rulewright.workbench.steps.trace_view import StepView, TraceDescriber, TraceView
from small_games.counting import COUNTING
from workbenches import Refused, Workbench, workbench


def trace_of(*answers: str) -> TraceView:
    """Return the trace after the last of these answers, which the seats give in turn."""
    game = Game.start(library.from_text(COUNTING), ["Ada", "Ben"], seed=1)
    for number, key in enumerate(answers):
        game.answer(number % 2, [key])
    trace = after_answer(game, len(answers) - 1)
    return TraceDescriber(trace, game, "en", lambda path: path.name).describe()


def step(result: TraceView, text: str) -> StepView:
    return next(one for one in result.steps if one.sentence >= 0 and result.sentences[str(one.sentence)].text == text)


def test_a_move_is_described() -> None:
    [move] = step(trace_of("2"), "move top wanted of heap to hand").moves
    assert (move.pieces, move.start_label, move.goal_label) == ("chip ×2", "heap", "hand of Ada")
    assert (move.name, move.start, move.goal) == ("chip", "heap//", "hand/0/")


def test_a_condition_shows_its_value_and_operands() -> None:
    result = trace_of("2")
    one = step(result, "if number of hand is more than most")
    assert one.outcome == "no"
    read = {each.text: (each.value, each.place.line if each.place else 0) for each in one.read_values}
    lines = COUNTING.splitlines()
    most, hand = (1 + next(n for n, text in enumerate(lines) if begins in text) for begins in ("most: 2", "hand: {of"))
    assert read == {"number of hand": ("2", 0), "hand": ("2 chips", hand), "most": ("2", most)}
    assert [(each.text, each.value) for each in one.named_values][-1] == ("wanted", "2")


def test_a_counter_shows_its_old_and_new_value() -> None:
    [count] = step(trace_of("2", "1", "2"), "add 1 to taken").counts
    assert (count.label, count.before, count.after) == ("taken of Ada", "0", "1")


def test_positions_are_numbered_by_changes() -> None:
    result = trace_of("2")
    states = [one.state for one in result.steps]
    assert states == sorted(states) and result.states == states[-1] + 1 == 2
    assert [(one.seat, one.prompt) for one in result.questions] == [(1, "How many?")]


def test_shuffles_are_described() -> None:
    assert [one.label for one in step(trace_of(), "shuffle heap").shuffled] == ["heap"]


ORDERS = """
rulewright: 1
title: Orders
players: 1
pieces: {card: {has: {value: 1 to 5}, starts in: deck, noun: "{value}"}}
zones: {deck: {seen by: nobody, pile: yes, refills from: tray}, tray: {seen by: all}, row: {seen by: all}}
phases:
  play:
    do:
      - let uppermost be top 1 of deck
      - let undermost be bottom 1 of deck
      - SENTENCE
      - end game
"""


@pytest.mark.parametrize(
    ("sentence", "moves", "shuffled"),
    [
        ("move top 1 of deck to bottom of deck", [("5", "deck", "deck")], []),
        ("move bottom 2 of deck to top of deck", [("1, 2", "deck", "deck")], []),
        ("swap uppermost with undermost", [("5, 1", "deck", "deck")], []),
        ("choose at random 1 from deck into top of deck", [("1", "deck", "deck")], []),
        ("shuffle deck", [], ["deck"]),
        ("move top 1 of deck to row", [("5", "deck", "row")], []),
    ],
)
def test_a_change_of_order_is_called_what_it_is(
    sentence: str, moves: list[tuple[str, str, str]], shuffled: list[str]
) -> None:
    """Only what shuffles has shuffled; what else lies elsewhere has moved, within its zone as between zones."""
    game = Game.start(library.from_text(ORDERS.replace("SENTENCE", sentence)), ["Ada"], seed=1)
    result = TraceDescriber(after_answer(game, -1), game, "en", lambda path: path.name).describe()
    one = step(result, sentence)
    assert [(move.pieces, move.start_label, move.goal_label) for move in one.moves] == moves
    assert [each.label for each in one.shuffled] == shuffled


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    with workbench(tmp_path_factory.mktemp("steps"), {"counting.yaml": COUNTING}) as result:
        yield result


def test_the_page_receives_the_trace(bench: Workbench) -> None:
    result = bench.get("steps", file="counting.yaml")
    assert result["answer"] == -1 and result["table"]["seats"][0]["name"]
    places = [one["place"] for one in result["trace"]["sentences"].values()]
    assert {place["file"] for place in places} == {"counting.yaml"}
    first = bench.get("steps/table", file="counting.yaml", state=0, seat="all")
    assert len(first["zones"]["heap//"]["pieces"]) == 30


def test_a_table_can_be_seen_as_anybody_sees_it(bench: Workbench) -> None:
    everything, nobody = (
        bench.get("steps/table", file="counting.yaml", seat=seat)["zones"]["hand/1/"] for seat in ("all", "none")
    )
    assert everything["pieces"] == [] and "pieces" not in {k: v for k, v in nobody.items() if v is not None}


def test_why_knows_nothing_of_unmoved_pieces(bench: Workbench) -> None:
    assert bench.get("steps/why", file="counting.yaml", piece="chip", zone="heap//") == {"step": None}
    assert bench.get("steps/why", file="counting.yaml", counter="taken", owner=1) == {"step": None}


@pytest.mark.parametrize(
    "slots",
    [
        {"state": 99},
        {"answer": 5},
        {"seat": 9},
        {"state": "1e9"},
        {"answer": "-77"},
    ],
)
def test_unknown_steps_are_refused(bench: Workbench, slots: dict[str, object]) -> None:
    with pytest.raises(Refused, match="400"):
        bench.get("steps/table", file="counting.yaml", **slots)


def test_why_refuses_unknown_pieces(bench: Workbench) -> None:
    for slots in ({"piece": "chip", "zone": "nowhere//"}, {"counter": "nothing"}, {"counter": "taken", "owner": 7}):
        with pytest.raises(Refused, match="not there any more"):
            bench.get("steps/why", file="counting.yaml", **slots)
