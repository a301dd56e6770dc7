"""Equal pieces that are told apart by their places, where these matter."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from browsers import Log, Person
from rulewright.game import library
from rulewright.game.choices import AnswerError
from rulewright.game.game import Game
from rulewright.game.library import Rules
from rulewright.game.terms import localizer_of
from rulewright.i18n.localizer import phrase
from rulewright.players import make_player
from rulewright.players.action_space import ActionSpace, PartialAnswer
from rulewright.players.observations import DecisionInput, Observations
from rulewright.publish.console import plain_text
from rulewright.publish.labels import Labels
from rulewright.runtime.information_state import information_state
from rulewright.server.views.question_view import question_now as sent
from rulewright.terminal import prompt
from screenshots import ANN, BO, CHROMIUM, hosted

ROW = """
rulewright: 1
title: Row
players: 2
pieces:
  coin: {copies: 2, starts in: row}
  gem: {starts in: row}
zones:
  row: {seen by: all}
  sack: {of: seat, seen by: nobody}
  front: {of: seat, seen by: all}
counters: {game: {sorted: no}}
phases:
  play:
    do:
      - move first 1 of row to top of row
      - do pick
      - end game
    steps:
      pick:
        - each seat:
            - choose 1 from row as taken: {ask: Which?, by place: not sorted}
            - move taken to front
            - move first 1 of row to my sack
scoring: {gems: {points: number of gems in front}}
"""


def rules(*changes: tuple[str, str]) -> Rules:
    text = ROW
    for before, after in changes:
        assert before in text
        text = text.replace(before, after)
    return library.from_text(text)


def started(of: Rules) -> Game:
    return Game.start(of, ["Ada", "Ben"], seed=1)


def offered(game: Game, seat: int = 0) -> list[tuple[str, str, int, int]]:
    decision = game.decision(seat)
    assert decision is not None
    return [(choice.key, choice.label, choice.count, choice.place) for choice in decision.choices]


def test_equal_pieces_are_separate_choices_where_places_matter() -> None:
    # The row was coin, coin, gem, and the first coin went to its end.
    assert offered(started(rules())) == [
        ("coin (place 1)", "coin (place 1)", 1, 1),
        ("gem", "gem", 1, 0),
        ("coin (place 3)", "coin (place 3)", 1, 3),
    ]


def test_equal_pieces_are_one_choice_where_places_do_not_matter() -> None:
    game = started(rules(("sorted: no", "sorted: yes")))
    assert offered(game) == [("coin", "coin", 2, 0), ("gem", "gem", 1, 0)]


@pytest.mark.parametrize(("language", "text"), [("nl", "plek"), ("de", "Platz"), ("it", "posto")])
def test_places_are_named_in_each_language(language: str, text: str) -> None:
    phrase_text = localizer_of(library.load("2022").edition, language)
    assert phrase_text.say(phrase("choice", "{piece} (place {number})", piece="x", number=3)) == f"x ({text} 3)"


@pytest.mark.parametrize(("key", "sack"), [("coin (place 1)", "gem"), ("coin (place 3)", "coin"), ("gem", "coin")])
def test_the_piece_at_the_named_place_is_taken(key: str, sack: str) -> None:
    of = rules(("seen by: nobody", "seen by: all"))
    game = started(of)
    game.answer(0, [key])
    assert game.view(None).zone("sack", owner=0).pieces == (sack,)
    assert Game.load(json.loads(json.dumps(game.save())), of).state == game.state
    game.undo(0)
    assert game.view(None).zone("row").pieces == ("coin", "gem", "coin")


@pytest.mark.parametrize("key", ["coin", "coin (place 2)", "gem (place 2)"])
def test_other_names_of_a_place_are_refused(key: str) -> None:
    with pytest.raises(AnswerError):
        started(rules()).answer(0, [key])


HIDDEN_ROW = ("row: {seen by: all}", "row: {seen by: nobody}")


def test_choices_of_hidden_pieces_show_only_their_places() -> None:
    game = started(rules(HIDDEN_ROW))
    assert offered(game) == [(f"hidden (place {n})", f"hidden (place {n})", 1, n) for n in (1, 2, 3)]
    assert [(choice.name, choice.piece) for choice in game.decisions()[0].choices] == [("", "hidden")] * 3
    assert offered(started(rules(HIDDEN_ROW, ("sorted: no", "sorted: yes")))) == [("hidden", "hidden", 3, 0)]


@pytest.mark.parametrize(("place", "answer"), [(1, "coin"), (2, "gem"), (3, "coin")])
def test_the_hidden_piece_at_the_named_place_is_taken(place: int, answer: str) -> None:
    game = started(rules(HIDDEN_ROW))
    game.answer(0, [f"hidden (place {place})"])
    assert game.view(1).zone("front", owner=0).pieces == (answer,)


def test_a_terminal_lists_choices_in_the_order_of_places() -> None:
    game = started(rules())
    decision, labels = game.decision(0), Labels(game)
    assert decision is not None
    question = prompt.make_question(decision, labels.order, labels.boards)
    views = [plain_text(line).rstrip() for line in prompt.question_lines(question, 79)]
    assert views == ["Which?", "  1) coin (place 1)  2) gem             3) coin (place 3)"]
    for typed in ("3", "coin (place 3)"):
        assert prompt.parse_answer(typed, question) == ["coin (place 3)"]
    with pytest.raises(prompt.InvalidAnswer, match=r"'coin' could be coin \(place 1\) or coin \(place 3\)"):
        prompt.parse_answer("coin", question)


def test_pages_receive_the_places() -> None:
    text = sent(Labels(started(rules())), 0, 1)
    assert text is not None
    assert [(choice.piece or choice.key, choice.place) for choice in text.choices] == [
        ("coin", 1),
        ("gem", 0),
        ("coin", 3),
    ]


def test_several_pieces_at_once_have_their_places() -> None:
    game = started(rules(("each seat:", "all seats at once:"), ("            - move first 1 of row to my sack\n", "")))
    game.answer(1, ["coin (place 3)"])
    assert offered(game)[0] == ("coin (place 1)", "coin (place 1)", 1, 1)


def test_pieces_of_a_word_have_their_places_there() -> None:
    of = rules(
        ("row: {seen by: all}", "row: {seen by: all}\n  tower: {of: town, seen by: all}"),
        ("zones:", "words: {town: {rome: {}, oslo: {}}}\nzones:"),
        ("- do pick", "- move row to rome's tower\n      - do pick"),
        ("choose 1 from row", "choose 1 from pieces in rome"),
        ("first 1 of row to my", "first 1 of rome's tower to my"),
    )
    labels = ["coin on rome (place 1)", "gem", "coin on rome (place 3)"]  # there is one gem
    assert [label for _, label, _, _ in offered(started(of))] == labels


@pytest.mark.parametrize("kind", ["greedy", "search-60"])
def test_search_players_choose_the_place(kind: str) -> None:
    """The seat that takes the last coin gets the gem that lies last then."""
    of = rules(
        ("choose 1 from row as taken", "choose 1 from coins in row as taken"),
        ("move first 1 of row to my sack", "move last 1 of row to front"),
        ("each seat:", "each seat where it is among first 1 of seats:"),
    )
    game = started(of)
    [question] = game.machine.open_decisions(game.state)
    choice = make_player(kind, game.machine).choose(
        information_state(game.machine, game.state, 0), question, random.Random(1)
    )
    assert game.offer(question).keys(choice) == ["coin (place 3)"]


def test_chance_picks_among_places() -> None:
    game = started(rules())
    [question] = game.machine.open_decisions(game.state)
    thinker, known = make_player("random", game.machine), information_state(game.machine, game.state, 0)
    keys = {game.offer(question).keys(thinker.choose(known, question, random.Random(seed)))[0] for seed in range(40)}
    assert keys == {"coin (place 1)", "gem", "coin (place 3)"}


LAWN = """
rulewright: 1
title: Lawn
players: 2
boards:
  lawn: {of: spot, size: 3 by 1}
pieces:
  card: {has: {value: 1 to 3}, starts in: box, noun: "{value}"}
  coin: {copies: 4, starts in: box}
zones:
  box: {seen by: nobody}
  ground: {of: spot, seen by: nobody}
  hand: {of: seat, seen by: owner}
  front: {of: seat, seen by: all}
  heap: {seen by: all}
setup:
  do:
    - shuffle box
    - each spot as place: move first 1 of (cards in box) to place's ground
    - each seat: [move first 1 of (coins in box) to hand, move first 1 of (coins in box) to front]
phases:
  play:
    do:
      - each first 1 of seats:
          - choose 1 from cards in spots into hand: {ask: "Turn up which?"}
          - choose 1 from front of seats plus hand of seats into heap: {ask: "Take which?"}
      - end game
scoring: {value: {points: total value of cards in hand}}
"""


def test_pieces_in_another_zone_are_another_choice() -> None:
    game = started(library.from_text(LAWN))
    assert offered(game) == [(f"hidden on {spot}", f"hidden on {spot}", 1, 0) for spot in ("a1", "b1", "c1")]
    game.answer(0, ["hidden on b1"])
    assert [key for key, *_ in offered(game) if "coin" in key or "hidden" in key] == [
        "coin in Ada's front",
        "coin in Ben's front",
        "coin in Ada's hand",
        "hidden",
    ]
    decision = game.decision(0)
    assert decision is not None
    assert {choice.key: choice.owner for choice in decision.choices if "coin" in choice.key} == {
        "coin in Ada's front": 0,
        "coin in Ben's front": 1,
        "coin in Ada's hand": 0,
    }
    game.answer(0, ["coin in Ben's front"])
    assert game.view(None).zone("front", 0).pieces == ("coin",)
    assert game.view(None).zone("front", 1).pieces == ()


def test_names_of_hidden_pieces_reveal_nothing() -> None:
    """Offers and messages are the same in every state that the seat may be in."""
    of = library.from_text(LAWN)
    games = [Game.start(of, ["Ada", "Ben"], seed=seed) for seed in range(20)]
    assert len({str(game.state[game.program.layout.piece_zones :]) for game in games}) > 5
    assert len({repr(game.decision(0)) for game in games}) == 1
    assert len({repr(sent(Labels(game), 0, 1)) for game in games}) == 1


def test_boards_receive_the_places_of_hidden_choices() -> None:
    game = started(library.from_text(LAWN))
    text = sent(Labels(game), 0, 1)
    assert text is not None and text.words == "spot"
    assert [(choice.word, choice.piece) for choice in text.choices] == [("a1", ""), ("b1", ""), ("c1", "")]
    decision, labels = game.decision(0), Labels(game)
    assert decision is not None
    assert prompt.parse_answer("b1", prompt.make_question(decision, labels.order, labels.boards)) == ["hidden on b1"]


@pytest.mark.parametrize("kind", ["random", "greedy", "search-60"])
def test_search_players_choose_among_hidden_pieces(kind: str) -> None:
    of = library.from_text(LAWN)
    answers = set()
    for seed in range(12):
        game = started(of)
        [question] = game.machine.open_decisions(game.state)
        choice = make_player(kind, game.machine).choose(
            information_state(game.machine, game.state, 0), question, random.Random(seed)
        )
        answers |= set(game.offer(question).keys(choice))
    assert answers == {"hidden on a1", "hidden on b1", "hidden on c1"}


@pytest.mark.rotating(6)
@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
def test_pages_show_which_choice_is_which(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "row.yaml"
    file.write_text(ROW, encoding="utf-8")
    with hosted(tmp_path, [str(file)]) as home:
        links = home.begin(str(file), ANN, BO)
        ann = Person.at_device(browser)
        question = ann.question(ann.open(home.link(links["seats"][0])))
        question.get_by_role("button").first.wait_for()
        lines = [button.get_attribute("aria-label") for button in question.locator("button.laid").all()]
        assert lines == ["coin (place 1)", "coin (place 3)"]  # where one lies cannot be told by touching it
        assert ann.page.locator("button.laid.offered[aria-label='gem']").count() == 1
        assert question.locator(".place").all_inner_texts() == ["1", "3"]
        question.get_by_role("button", name="coin (place 3)").click()
        question.get_by_role("button", name="coin (place 3)").wait_for(state="detached")
        log = Log(home, links["seats"][0])
        assert log.read() == 1
        assert log.game.history.answer_keys() == [(0, ("coin (place 3)",))]
        assert ann.troubles == []


HANDS = """
rulewright: 1
title: Hands
players: 2
pieces: {card: {has: {value: 1 to 4}, starts in: deck, noun: "{value}"}}
zones: {deck: {seen by: nobody}, hand: {of: seat, seen by: nobody}, table: {seen by: all}}
setup: {do: [each first 1 of seats: [move top 4 of deck to hand, show hand to opponents]]}
phases:
  play:
    do:
      - each first 1 of seats:
          - choose 1 from hand into table: {ask: "Which?", by place: yes}
          - show hand to opponents
          - choose 1 from hand into table: {ask: "Which?", by place: yes}
      - end game
"""


def test_observations_hold_the_places_of_known_pieces() -> None:
    game = Game.start(library.from_text(HANDS), ["Ada", "Ben"], seed=1)
    observations = Observations(game.program, ActionSpace(game.program))
    for key in (None, "hidden (place 2)"):
        if key is not None:
            game.answer(0, [key])
        view = game.view(1)
        vector = dict(
            zip(observations.names, observations.vector(view, DecisionInput(None, PartialAnswer(), -1)), strict=True)
        )
        places = {name for name, held in vector.items() if held and "known in place" in name}
        assert places == {f"hand +1: {name}, known in place {at}" for name, at in view.zone("hand", owner=0).known}
