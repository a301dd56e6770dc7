"""One small game in full: questions, refusals, undo, log and saves. Other tests hold for every game."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from rulewright.game import library
from rulewright.game.choices import AnswerError
from rulewright.game.game import Game
from rulewright.game.library import Rules
from rulewright.game.log import LogLine
from rulewright.game.ranking import SeatResult
from rulewright.game.saved_game import MAX_ANSWERS
from rulewright.game.setup import GameError
from rulewright.program.state_layout import RANDOM

TEXT = """\
rulewright: 1
title: Fair
players: 2
words:
  colour: {red: {}, blue: {}}
pieces:
  card: {each: colour, copies: 4, starts in: shelf, noun: "{colour} card"}
  ticket: {copies: 4, starts in: urn}
zones:
  shelf: {seen by: all}
  urn: {seen by: nobody, pile: yes}
  basket: {of: seat, seen by: all}
  purse: {of: seat, seen by: owner}
counters:
  game: {days: 0}
  seat: {gold: 1}
phases:
  morning:
    do:
      - all seats at once:
          - choose number from 0 to 3 as guess: {ask: What first?}
          - choose number from 0 to 3 as doubt: {ask: What then?}
      - each seat:
          - choose 1 to 2 from shelf into basket: {ask: Which?}
          - log: "{seat} has taken."
          - choose number from 0 to 1 as asked: {ask: A ticket?}
          - if asked is 1: move top 1 of urn to purse
          - add asked to gold
      - add 1 to days
      - if days is 2: end game
scoring:
  gold: {points: gold}
  basket: {points: number of basket}
ranking: highest score
"""
ADA, BEN = 0, 1
SEALED = [(ADA, "1"), (BEN, "3"), (ADA, "2"), (BEN, "0")]
DAY = [*SEALED, (ADA, "red card"), (ADA, "0"), (BEN, "red card"), (BEN, "1")]


@cache
def rules() -> Rules:
    return library.from_text(TEXT, "fair")


def start(*answers: tuple[int, str]) -> Game:
    game = Game.start(rules(), ["Ada", "Ben"], seed=1)
    for seat, key in answers:
        game.answer(seat, [key])
    return game


def everything(game: Game) -> Any:
    return game.state, game.history.answer_keys(), game.log.lines(None), game.decisions()


# ── answers ──


@pytest.mark.parametrize(
    ("seat", "keys", "decision", "message"),
    [
        (ADA, ["red card"] * 5, None, "'red card' cannot be chosen again."),
        (ADA, ["red cart"], None, "'red cart' cannot be chosen. Did you mean 'red card'?"),
        (ADA, [], None, "Choose 1 to 2, not 0."),
        (ADA, ["red card"] * 3, None, "Choose 1 to 2, not 3."),
        (ADA, ["red card"], "morning.asked", "Ada is asked 'morning.basket' now, not 'morning.asked'."),
        (BEN, ["red card"], None, "Ben is not asked anything now."),
        (2, ["red card"], None, "Seat 2 is not asked anything now."),
        (-1, ["red card"], None, "Seat -1 is not asked anything now."),
    ],
)
def test_a_refused_answer_gives_its_reason(seat: int, keys: list[str], decision: str | None, message: str) -> None:
    game = start(*SEALED)
    before = everything(game)
    with pytest.raises(AnswerError) as refused:
        game.answer(seat, keys, decision)
    assert str(refused.value) == message
    assert everything(game) == before


def test_a_count_without_a_range_is_asked_for_as_one_number() -> None:
    with pytest.raises(AnswerError, match=r"^Choose 1, not 2\.$"):
        start().answer(ADA, ["1", "2"])


def test_only_a_seat_with_a_decision_has_known_candidates() -> None:
    game = start(*SEALED)
    known, decision = game.known(ADA)
    assert (decision.seat, len(known)) == (ADA, len(game.state))
    assert game.offer(decision).keys(decision.candidates[:5]) == ["red card"] * 4 + ["blue card"]
    with pytest.raises(AnswerError, match="Ben is not asked anything now"):
        game.known(BEN)


def test_the_first_of_equal_pieces_is_chosen() -> None:
    game = start(*SEALED)
    _, decision = game.known(ADA)
    assert game.offer(decision).candidates_for(["red card", "red card"]) == list(decision.candidates[:2])


def test_keys_have_the_order_of_the_choices() -> None:
    """Candidates that a seat cannot tell apart give the same keys."""
    text = """\
rulewright: 1
title: Row
players: 2
pieces: {coin: {copies: 2, starts in: row}, gem: {copies: 1, starts in: row}}
zones: {row: {seen by: all}}
setup: {do: [move first 1 of row to top of row]}
phases: {play: {do: [each first 1 of seats: [choose 2 from row as taken: {ask: Which?}], end game]}}
"""
    game = Game.start(library.from_text(text, "row"), ["Ada", "Ben"], seed=1)
    _, decision = game.known(ADA)
    coin, gem, other = decision.candidates
    for some in ([gem, other], [other, gem], [coin, gem]):
        assert game.offer(decision).keys(some) == ["coin", "gem"]
    assert game.offer(decision).candidates_for(["coin", "gem"]) == [coin, gem]


def test_chosen_pieces_keep_their_order() -> None:
    """The order is in the state, in a save, after replay and undo, and in a copy."""
    game = start(*SEALED)
    _, decision = game.known(ADA)
    backwards = ["blue card", "red card"]
    assert game.offer(decision).candidates_for(backwards) == [decision.candidates[4], decision.candidates[0]]
    game.answer(ADA, backwards, "morning.basket")
    assert game.history.answer_keys()[-1] == (ADA, tuple(backwards))
    for same in (game, Game.load(json.loads(json.dumps(game.save())), rules()), game.copy()):
        assert same.view(None).zone("basket", ADA).pieces == ("blue card", "red card")
        assert same.save() == game.save()
    game.undo(ADA)
    game.answer(ADA, backwards[::-1])
    assert game.view(None).zone("basket", ADA).pieces == ("red card", "blue card")


def test_saves_without_an_order_have_that_of_the_choices() -> None:
    """Replay earlier saves as the earlier versions played them, also when they are saved again."""
    game = start(*SEALED)
    game.answer(ADA, ["blue card", "red card"])
    save = game.save()
    del save["in order"]
    for _ in range(2):
        game = Game.load(save, rules())
        assert game.view(None).zone("basket", ADA).pieces == ("red card", "blue card")
        save = game.save()


def test_a_seat_that_reorders_hidden_cards_alone_knows_their_places() -> None:
    """The memory of the seats follows the chosen order, and so do later draws and sampled states."""
    text = """\
rulewright: 1
title: Peek
players: 2
memory: yes
pieces: {card: {has: {value: 1 to 5}, starts in: deck, noun: "{value}"}}
zones:
  deck: {seen by: nobody}
  look: {of: seat, seen by: owner}
phases:
  play:
    do:
      - each first 1 of seats:
          - move top 3 of deck to look
          - choose 3 from look as kept: {ask: In which order?}
          - move kept to top of deck
          - may: {ask: Done?, do: []}
      - end game
"""
    game = Game.start(library.from_text(text, "peek"), ["Ada", "Ben"], seed=1)
    game.answer(ADA, ["4", "5", "3"])
    assert game.view(ADA).zone("deck").known == (("4", 3), ("5", 4), ("3", 5))
    assert game.view(BEN).zone("deck").known == ()


def test_only_an_asked_seat_has_a_decision() -> None:
    game = start(*SEALED)
    decision = game.decision(ADA)
    assert decision is not None and game.decisions() == [decision] and game.decision(BEN) is None
    assert (decision.id, decision.seat, decision.kind, decision.step) == ("morning.basket", ADA, "piece", "morning")
    assert (decision.prompt, decision.none, decision.least, decision.most) == ("Which?", "", 1, 2)
    assert [(choice.key, choice.count) for choice in decision.choices] == [("red card", 4), ("blue card", 4)]


def test_a_copy_is_independent() -> None:
    game = start()
    other = game.copy()
    before = everything(game)
    for seat, key in DAY:
        other.answer(seat, [key])
    assert everything(game) == before and everything(other) == everything(start(*DAY))


def test_an_impossible_start_is_refused() -> None:
    for names, options, roles in (
        (["Ada"], {}, {}),
        (["Ada", "Ben", "Cora"], {}, {}),
        (["Ada", "Ben"], {"late": "yes"}, {}),
        (["Ada", "Ben"], {}, {"Ben": "bot"}),
    ):
        with pytest.raises(GameError):
            Game.start(rules(), names, options, 1, roles)


def test_games_without_a_seed_differ() -> None:
    games = [Game.start(rules(), ["Ada", "Ben"]) for _ in range(3)]
    assert len({game.seed for game in games}) == 3
    assert len({tuple(game.state[RANDOM : RANDOM + 4]) for game in games}) == 3


# ── under seal, and back ──


def test_ready_seats_and_undo_under_seal() -> None:
    """Compare, after each sealed answer, the ready seats, those whose last answer is sealed, those that may undo."""
    game, rows = start(), []
    for seat, key in SEALED:
        game.answer(seat, [key])
        seats = (ADA, BEN)
        rows.append(
            (set(game.pending.ready), [game.pending.is_sealed(s) for s in seats], [game.can_undo(s) for s in seats])
        )
    assert rows == [
        (set(), [True, False], [True, False]),
        (set(), [True, True], [True, True]),
        ({ADA}, [True, True], [True, True]),
        (set(), [False, False], [False, False]),
    ]


def test_a_second_sealed_decision_of_one_seat_keeps_the_seal() -> None:
    game = start((BEN, "3"), (BEN, "0"), (ADA, "1"))
    assert game.pending.ids == [(ADA, "morning.doubt")] and game.pending.ready == {BEN}
    assert game.pending.is_sealed(ADA) and game.pending.is_sealed(BEN) and game.can_undo(ADA) and game.can_undo(BEN)


def test_undo_keeps_sealed_answers_of_other_seats() -> None:
    game = start((ADA, "1"), (BEN, "3"))
    game.undo(ADA)
    assert game.history.answer_keys() == [(BEN, ("3",))]
    assert game.pending.ids == [(ADA, "morning.guess"), (BEN, "morning.doubt")]
    assert game.state == start((BEN, "3")).state


def test_revealed_answers_and_ended_games_cannot_be_undone() -> None:
    first = start(*DAY[:-1], (BEN, "0"))
    assert first.can_undo(BEN) and not first.can_undo(ADA)
    ticket = start(*DAY)
    assert ticket.view(BEN).zone("purse", BEN).pieces == ("ticket",) and not ticket.can_undo(BEN)
    over = start(*DAY, *DAY[:-1], (BEN, "0"))
    assert over.over and not over.can_undo(BEN)
    nothing = start()
    assert not nothing.can_undo(ADA)
    for game, seat in ((first, ADA), (ticket, BEN), (over, BEN), (nothing, ADA)):
        before = game.state, game.history.answer_keys(), game.log.lines(None)
        with pytest.raises(AnswerError, match=r"^This cannot be taken back: somebody else has acted since, or"):
            game.undo(seat)
        assert (game.state, game.history.answer_keys(), game.log.lines(None)) == before


def test_pending_sealed_answers_of_others_prevent_no_undo() -> None:
    """Otherwise the possibility to undo would show that another seat has begun to choose."""
    game = start(*DAY[:-1], (BEN, "0"))
    before = everything(game)
    for key, possible in (("1", True), ("2", False)):
        game.answer(ADA, [key])
        assert game.can_undo(BEN) == possible, "once Ada is ready, she has acted"
    game = start(*DAY[:-1], (BEN, "0"), (ADA, "1"))
    game.undo(BEN)
    game.answer(BEN, ["0"])
    assert everything(game) == before


def test_undo_removes_the_log_lines_of_the_answer() -> None:
    game = start(*DAY[:5])
    before = start(*DAY[:4])
    assert len(game.log.lines(None)) == len(before.log.lines(None)) + 1
    game.undo(ADA)
    assert everything(game) == everything(before) and game.log.length == before.log.length


# ── looking back ──


def test_earlier_positions_and_their_log() -> None:
    game = start(*DAY, *DAY)
    texts = [("Morning", True, None), ("Ada has taken.", False, ADA), ("Ben has taken.", False, BEN)]
    expected = [LogLine(text, heading, seat, round_, heading) for round_ in (1, 2) for text, heading, seat in texts]
    assert game.log.lines(None) == expected and game.log.lines(None, 4) == expected[4:] and game.log.length == 6
    steps = {step.lines: step for step in game.history.steps()}
    assert list(steps) == [1, 2, 3, 4, 5, 6] and game.history.rounds() == {1: steps[3], 2: steps[6]}
    ends = {1: (), 2: DAY[:5], 3: DAY[:7], 4: DAY, 5: [*DAY, *DAY[:5]], 6: [*DAY, *DAY[:7]]}
    before = everything(game)
    for lines, answers in ends.items():
        assert everything(game.with_history(game.history.until(steps[lines]))) == everything(start(*answers)), lines
    grown = start(*DAY[:5])
    assert everything(grown.with_history(grown.history.until(steps[2]))) == everything(grown)
    assert (
        len(game.log.phrases(None)) == 6
        and game.with_history(game.history.until(steps[3])).log.length == 3
        and everything(game) == before
    )


def test_standings_are_in_the_order_of_their_ranks() -> None:
    game = start(*DAY)
    ada, ben = (
        SeatResult(seat, (("Gold", gold), ("Basket", 1)), gold + 1, rank) for seat, gold, rank in ((0, 1, 2), (1, 2, 1))
    )
    assert game.standings() == [ben, ada]
    assert [(one.seat, one.rank) for one in start().standings()] == [(ADA, 1), (BEN, 1)]


@pytest.mark.parametrize(
    ("ranking", "title", "numbers"),
    [
        ("highest score, highest gold", "Gold", ("2", "1")),
        ("highest score, lowest gold", "Gold", ("1", "2")),
        ("highest score, highest number of basket", "Basket", ("2", "1")),
        ("highest score, lowest number of shelf, highest gold", "Gold", ("2", "1")),
        ("highest score, highest 2 * number of basket", "Tie-breaker", ("4", "2")),
        ("highest score, highest (gold + number of basket), highest gold * 1", "Largest", ("2", "1")),
    ],
)
def test_tie_breaks_are_named(ranking: str, title: str, numbers: tuple[str, str]) -> None:
    text = TEXT.replace("ranking: highest score", f"ranking: {ranking}")
    text += "measures: {largest: {is: gold * 1}}\n"
    fair = library.from_text(text, "fair")
    game = Game.start(fair, ["Ada", "Ben"], seed=1)
    answers = [*SEALED, (ADA, "red card"), (ADA, "1"), (BEN, "red card", "blue card"), (BEN, "0")]
    if "purse" in ranking:
        answers = [*SEALED, (ADA, "red card", "blue card"), (ADA, "0"), (BEN, "red card"), (BEN, "1")]
    for seat, *keys in answers:
        game.answer(int(seat), list(map(str, keys)))
    first, second = game.standings()
    assert (first.total, first.rank, second.total, second.rank) == (3, 1, 3, 2)
    assert (first.ties, second.ties) == (((title, numbers[0]),), ((title, numbers[1]),))


def test_no_tie_break_is_named_where_points_differ() -> None:
    text = TEXT.replace("ranking: highest score", "ranking: highest score, highest gold")
    game = Game.start(library.from_text(text, "fair"), ["Ada", "Ben"], seed=1)
    for seat, key in DAY:
        game.answer(seat, [key])
    assert [standing.ties for standing in game.standings()] == [(), ()]


# ── saves ──

Damage = Callable[[dict[str, Any]], object]
NONE, PART, HASH = "not a saved game", "incomplete or damaged", "other rules: the edition 'fair'"
LAST = r"answer 8 of 8 does not fit the game"


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda save: save.update(rulewright=2), NONE),
        (lambda save: save.pop("rulewright"), NONE),
        *((lambda save, key=key: save.pop(key), PART) for key in ("edition", "seats", "options", "seed", "answers")),
        (lambda save: save["edition"].pop("hash"), PART),
        (lambda save: save["edition"].update(name=7), PART),
        (lambda save: save["edition"].update(hash=7), PART),
        (lambda save: save["seats"][1].pop("name"), PART),
        (lambda save: save["seats"][1].update(name=7), PART),
        (lambda save: save["seats"][1].update(role=7), PART),
        (lambda save: save.update(options={"late": 7}), PART),
        (lambda save: save.update(options=7), PART),
        (lambda save: save.update(seed=True), PART),
        (lambda save: save.update(answers={}), PART),
        (lambda save: save.update(answers=[None] * (MAX_ANSWERS + 1)), PART),
        (lambda save: save["edition"].update(plays=7), PART),
        (lambda save: save["edition"].update(hash="x", plays="x", rules=""), HASH),
        (lambda save: save["edition"].update(hash="x", plays="x", rules=7), PART),
        (lambda save: save["edition"].update(hash="x", plays="x", extends=[7]), PART),
        (lambda save: save["edition"].update(hash="x", plays="x", rules="x: ["), "cannot be played"),
        (lambda save: save["answers"][-1].update(seat=True), LAST),
        (lambda save: save["answers"][-1].update(take="1"), LAST),
        (lambda save: save["answers"][-1].update(take=["2"]), LAST),
        (lambda save: save["answers"][-1].update(decision="morning.guess"), LAST),
        (lambda save: save["answers"][-1].pop("decision"), LAST),
        (lambda save: save["answers"].__setitem__(-1, None), LAST),
    ],
)
def test_a_refused_save_gives_its_reason(damage: Damage, message: str) -> None:
    save = json.loads(json.dumps(start(*DAY).save()))
    assert everything(Game.load(save, rules())) == everything(start(*DAY))
    damage(save)
    with pytest.raises(GameError, match=message):
        Game.load(save, rules())


def test_the_first_impossible_answer_of_a_save_is_reported() -> None:
    """The first answer that does not fit is reported, not their number."""
    save = start().save() | {"answers": [None] * MAX_ANSWERS}
    with pytest.raises(GameError, match=f"answer 1 of {MAX_ANSWERS:,} does not fit"):
        Game.load(save, rules())


@pytest.mark.parametrize("save", [None, [], "fair", 1])
def test_other_json_is_no_save(save: Any) -> None:
    with pytest.raises(GameError, match=NONE):
        Game.load(save, rules())


ROLLING = """\
rulewright: 1
title: Rolling
players: 2
pieces: {die: {has: {face: 1 to 6}, changing: face, starts in: cup, noun: "{face}"}}
zones: {cup: {seen by: all}}
counters: {game: {called: 0}}
phases:
  play:
    do:
      - each seat:
          - choose number from 1 to 6 as guess
          - set called to guess
          - CHANCE
          - choose number from 1 to 2 as again
"""


@pytest.mark.parametrize(
    "chance, back", [("roll dice", False), ("choose at random 1 from dice as lucky", False), ("set called to 0", True)]
)
def test_an_answer_cannot_be_undone_after_chance(chance: str, back: bool) -> None:
    """A player who knows the dice would answer otherwise."""
    game = Game.start(library.from_text(ROLLING.replace("CHANCE", chance)), ["Ada", "Ben"], seed=1)
    game.answer(0, ["3"])
    assert game.can_undo(0) is back


UNTOLD = """\
rulewright: 1
title: A log that cannot be told
players: 2
pieces: {card: {has: {rank: 1 to 3}, starts in: deck, noun: "card {rank}"}}
zones: {deck: {seen by: all}, heap: {seen by: all}}
terms: {game: {shown: heap's rank}}
phases:
  play:
    do:
      - each seat:
          - log: "{seat} finds {shown} and {number of deck}."
          - choose 1 from deck into heap
      - end game
"""


def test_a_log_line_with_an_empty_slot_does_not_end_a_game() -> None:
    game = Game.start(library.from_text(UNTOLD), ["Ada", "Ben"], seed=1)
    game.answer(ADA, ["card 2"])
    game.answer(BEN, ["card 1"])
    assert game.over
    assert [line.text for line in game.log.lines(None)] == ["Play", "… finds … and ….", "Ben finds 2 and 2."]


@pytest.mark.rotating(3)
@pytest.mark.parametrize("name", ["wild-cards/2020", "wild-cards/2022", "wildlife/2002"])
def test_an_edition_as_one_text_plays_the_same(name: str) -> None:
    """A table keeps the edition that it began with, whatever files it was made of."""
    rules = library.load(name)
    again = library.from_text(rules.text).edition
    assert (again.hash, again.play_digest, list(again.looks)) == (
        rules.hash,
        rules.play_digest,
        list(rules.edition.looks),
    )


OUTBIDDING = """\
rulewright: 1
title: Outbidding
players: 3
counters: {game: {price: 0, buyer: seat}}
phases:
  sale:
    do:
      - set price to 0
      - set buyer to nobody
      - go round seats until you are buyer:
          - choose number from price + 1 to 9 as amount: {ask: How much?, none: Pass}
          - if amount is empty: drop out
            otherwise: [set price to amount, set buyer to you, TELL]
ranking: highest price
"""


def test_a_decision_of_a_round_names_the_bids_of_others() -> None:
    """Bids of this round alone, and only those that the log tells to all."""

    def public_bids(sentence: str, *answers: int, passing: str = "drop out") -> list[tuple[int, int | None]]:
        text = OUTBIDDING.replace("TELL", sentence).replace("drop out", passing)
        game = Game.start(library.from_text(text, "outbidding"), ["A", "B", "C"], seed=1)
        for answer in answers:
            game.answer(game.decisions()[0].seat, [str(answer)] if answer else [])
        [decision] = game.decisions()
        return list(zip(decision.among, decision.last_numbers, strict=True))

    bid = 'log: "{seat} bid {amount}."'
    assert public_bids(bid) == [(0, None), (1, None), (2, None)]
    assert public_bids(bid, 2, 3, 5) == [(0, 2), (1, 3), (2, 5)]
    assert public_bids(bid, 2, 3, 5, 7, 0) == [(0, 7), (2, 5)]
    assert public_bids(bid, 2, 3, 0, 0, 4) == [(0, 4), (1, None), (2, None)]
    assert (
        public_bids('log: "{seat} bid."', 2, 3)
        == public_bids("add 0 to price", 2, 3)
        == [(0, None), (1, None), (2, None)]
    )
    assert public_bids(bid, 2, passing="add 0 to price") == [], "where nobody drops out, all are always in"


def test_hidden_pieces_are_called_cards_if_only_cards_lie_there() -> None:
    """Only zones that hold nothing but cards have hidden cards; slips of paper are none."""
    game = Game.start(library.load("classics/hearts"), ["Ada", "Ben", "Cleo", "Dora"], seed=1)
    for seat, _ in list(game.pending.ids):
        decision = game.decision(seat)
        assert decision is not None
        game.answer(seat, [choice.key for choice in decision.choices[:3]])
    lines = [
        next(line.text for line in game.log.lines(reader) if line.text.startswith("Ada passed")) for reader in (None, 2)
    ]
    assert lines == ["Ada passed 3 hidden cards to Ben."] * 2
    lines_seen = [
        next(line.text for line in game.log.lines(reader) if line.text.startswith("Ada passed")) for reader in (0, 1)
    ]
    assert lines_seen[0] == lines_seen[1] and "hidden" not in lines_seen[0] and lines_seen[0].endswith(" to Ben.")
