"""Games at a real pseudo-terminal, looked at through a terminal emulator, and the parts that draw and ask."""

import io
import random
import re
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from rulewright.commands import play
from rulewright.game import library
from rulewright.game.choices import Choice
from rulewright.game.decisions import Decision
from rulewright.game.game import Game
from rulewright.game.library import Rules
from rulewright.game.ranking import SeatResult
from rulewright.i18n.languages import localizer_for
from rulewright.i18n.localizer import Argument, Person
from rulewright.players import saves
from rulewright.players.seating import read_seats
from rulewright.players.session import Session
from rulewright.publish import log_sections
from rulewright.publish.console import Console, ConsoleLine, Styled, bar, cell_width, flow, seat_style, shorten
from rulewright.publish.labels import Labels
from rulewright.terminal import help_text, pace, prompt, table
from rulewright.terminal import rules as told_rules
from rulewright.terminal.pace import Pace
from small_games.digging import DIGGING
from small_games.pennies import PENNIES
from terminals import SHORT, Terminal

pexpect = pytest.importorskip("pexpect")
pyte = pytest.importorskip("pyte")
if sys.platform == "win32":
    pytest.skip("needs a pseudo-terminal", allow_module_level=True)

COLOUR = re.compile(r"\x1b\[[0-9;]*m")

# Every kind of question, points and pieces that others do not see, a seat's own pile.
MARKET = """\
rulewright: 1
title: Market
players: 1 to 6
words:
  colour: {red: {}, green: {}, blue: {}}
pieces:
  jewel: {each: colour, copies: 20, starts in: bag, noun: "{colour} jewel"}
zones:
  bag: {holds: jewel, seen by: nobody, pile: yes}
  purse: {of: seat, holds: jewel, seen by: owner}
  stall: {of: seat, holds: jewel, seen by: all}
  heap: {of: seat, holds: jewel, seen by: all, pile: yes}
counters:
  game: {open: yes}
  seat: {coins: 20}
setup:
  do:
    - shuffle bag
    - each seat: move top 3 of bag to purse
    - each seat: move top 2 of bag to heap
phases:
  trade:
    text: Everyone does one thing.
    do:
      - if number of bag is less than 2 * number of seats: end game
      - each seat: do act
    steps:
      act:
        do:
          - log: "{seat} holds {purse}."
          - choose one:
              ask: What do you do?
              among:
                sell: {text: Lay out a jewel, do: do sell}
                gamble: {text: Gamble with coins, do: do gamble}
                give: {text: log, do: do give}
          - move top 1 of bag to purse
      sell:
        do:
          - choose 0 to 3 from purse into stall:
              ask: Which jewels?
              none: Nothing today.
      gamble:
        do:
          - choose number from 0 to coins as stake:
              ask: How many coins?
          - take stake from coins
      give:
        do:
          - choose 1 from seats as lucky:
              ask: To whom?
          - add 1 to lucky's coins
          - log: "{seat} gives to {lucky}."
scoring:
  purse: {title: In the purse, points: number of purse}
  coins: {points: coins}
ranking: highest score
"""


@cache
def rules() -> Rules:
    return library.load("wild-cards/2022")


@cache
def market() -> Rules:
    return library.from_text(MARKET, "market")


def started(seats: str, seed: int = 1, of: Rules | None = None) -> Session:
    of = of or rules()
    return Session.start(of, read_seats(seats, of.edition), seed=seed)


def any_answer(screen: str, rng: random.Random) -> str:
    """Return an answer that the question at the bottom of the screen allows."""
    invitation = screen.splitlines()[-1]
    if "(y/n)" in invitation:
        return "n"
    if "(Enter:" in invitation:
        return ""
    if re.search(r"\(0–\d+\)", invitation):
        return "0"
    expected = re.search(r"\((\d+)(?:–\d+)?\)", invitation)
    question = re.split(r"\n\n", screen)[-1]
    choices = re.findall(r"\b([1-9]\d*)\) .*?(?: ×(\d+))?(?=  +\d+\)|\n|$)", question)
    numbers = [number for number, count in choices for _ in range(int(count or 1))]
    return " ".join(rng.sample(numbers, int(expected[1]) if expected else 1))


# ── whole games ──


@pytest.mark.rotating(6)
def test_enter_alone_starts_a_game_of_four(terminal: Callable[..., Terminal]) -> None:
    game = terminal("play", "--edition", "2022", "--seed", "3")
    for question in (r"How many opponents, 1 to 4\? \[3\]", r"Does Leo join too\? \[y/N\]", "Enter begins the game"):
        game.until(question)
        game.type("")
    game.wait_for_prompt()
    first = game.screen_text()
    assert re.search(r"^Wild Cards 2022 · round 1 · Place bids$", first, re.M)
    assert re.findall(r"^▸ (\w+) +0 \(1st\) +8 +0", first, re.M) == ["You", "Ada", "Ben", "Cora"]
    assert "Place your bid face down." in first


@pytest.mark.rotating(5)
def test_a_game_of_four_can_be_played_to_the_end(terminal: Callable[..., Terminal], tmp_path: Path) -> None:
    """Against opponents that do not think, lest it take long."""
    game = terminal("play", "--edition", "2022", "--seats", "you,random,random,random", "--seed", "3")
    game.wait_for_prompt()
    rng = random.Random(1)
    while True:
        game.type(any_answer(game.screen_text(), rng))
        if game.until(r"Seed 3\.", r"You( \([^\r\n]*\))?>(\x1b\[0m)? ") == 0:
            break
    assert game.ended() == 0
    assert list(dict.fromkeys(re.findall(r" · round (\d+) · ", game.text()))) == [str(n) for n in range(1, 13)]
    last = game.screen_text()
    points = [int(number) for number in re.findall(r"^Points +(.*)$", last, re.M)[0].split()]
    assert len(points) == 4
    assert re.search(rf"^Winners?: .*{max(points)} points", last, re.M)
    saved = saves.read(tmp_path / "rulewright" / "last.json")
    assert saved["over"] is True
    assert [seat["name"] for seat in saved["seats"]] == ["You", "Ada", "Ben", "Cora"]


@pytest.mark.rotating(10)
def test_a_name_of_another_games_virtual_player_is_confirmed(terminal: Callable[..., Terminal]) -> None:
    game = terminal("play", "wildlife/2002", "--seats", "you,leo,Ada", "--seed", "3")
    game.until(r"Is leo a person at this table\? \[y/N\]")
    assert "Wildlife 2002 has no virtual player 'leo'." in game.screen_text()
    game.type("")
    game.until("Hand over to")
    assert "Played by the computer (medium): leo." in " ".join(game.text().split())


@pytest.mark.parametrize("name", ["wild-cards/2022", "wildlife/2002"])
def test_enter_alone_never_passes(name: str) -> None:
    """An empty line asks again where another answer than choosing nothing is possible."""
    session = started("you,Bea,Cat", seed=2, of=library.load(name))
    rng, refused = random.Random(1), 0
    while (decision := session.next_decision()) is not None and refused < 20:
        question = prompt.make_question(decision, {})
        if decision.least == 0 and decision.choices:
            with pytest.raises(prompt.InvalidAnswer):
                prompt.parse_answer("", question)
            refused += 1
        keys = [choice.key for choice in decision.choices for _ in range(choice.count)]
        session.answer(decision.seat, rng.sample(keys, max(decision.least, min(1, decision.most))), decision.id)
    assert refused == 20


@pytest.mark.rotating(2)
def test_game_of_five_fits_the_screen(terminal: Callable[..., Terminal], tmp_path: Path) -> None:
    """The title and the cursor are on one screen in the middle of a game, with cards lying everywhere."""
    session = started("you,random,random,random,random", seed=4)
    rng = random.Random(1)
    while (decision := session.next_decision()) is not None and session.game.view(0).round < 7:
        keys = [choice.key for choice in decision.choices for _ in range(choice.count)]
        session.answer(decision.seat, rng.sample(keys, max(decision.least, min(1, decision.most))), decision.id)
    session.save_to(tmp_path / "game.json")
    game = terminal("play", "--resume", "game.json")
    game.wait_for_prompt()
    display = game.screen_text()
    assert "Wild Cards 2022 · round 7" in display
    assert "★ power in force" in display and re.search(r"★\w+ leader", display)
    assert re.fullmatch(r"You( \(1–2\))?>", display.splitlines()[-1])
    assert "hand:" in display
    view = session.game.view(0)
    for seat, name in enumerate(session.game.names):
        count = view.zone("hand", seat).count
        assert re.search(rf"^(▸| ) {name} +\d+ \(\d(st|nd|rd|th)\) +{count} ", display, re.M)


@pytest.mark.rotating(2)
def test_an_answer_without_effect_shows_its_reason(terminal: Callable[..., Terminal], tmp_path: Path) -> None:
    (tmp_path / "digging.yaml").write_text(DIGGING, encoding="utf-8")
    game = terminal("play", "digging.yaml", "--seats", "Ann", "--seed", "1")
    game.wait_for_prompt("Ann")
    view = " ".join(game.screen_text().split())
    assert "2) tool 2 (nothing comes of it: Ann broke the tool 2 after 5 days.)" in view
    assert "4) tool 4 (≈ nothing comes of it)" in view


@pytest.mark.rotating(3)
def test_a_low_screen_lists_choices_once(terminal: Callable[..., Terminal]) -> None:
    low = terminal("play", "2022", "--seats", "you,random,random", "--seed", "3", rows=17)
    low.wait_for_prompt()
    assert "hand:" not in low.text() and low.screen_text().startswith("Wild Cards 2022 · round 1")
    low.type("table")
    low.wait_for_prompt()
    assert "hand:" in low.text()


@pytest.mark.rotating(4)
def test_every_kind_of_question(terminal: Callable[..., Terminal], tmp_path: Path) -> None:
    (tmp_path / "market.yaml").write_text(MARKET, encoding="utf-8")
    game = terminal("play", "market.yaml", "--seats", "Ann,Bea:random", "--seed", "1")
    game.wait_for_prompt("Ann")
    assert "  1) Lay out a jewel    2) Gamble with coins  3) log\n" in game.screen_text()
    assert re.search(r"^▸ Ann +23 ", game.screen_text(), re.M)
    assert re.search(r"^  Bea +[0-9]+ \([0-9a-z]+\) ", game.screen_text(), re.M)
    game.type("gamble")
    game.wait_for_prompt("Ann")
    assert "A number from 0 to 20." in game.screen_text()
    assert game.text().count("Market · round 1 · Trade") == 1  # nothing has changed: the table is not drawn again
    for wrong in ("21", "-1", "1 2", "seven"):
        game.type(wrong)
        game.wait_for_prompt("Ann")
    assert "There is no 21 here: type a number from 0 to 20." in game.screen_text()
    assert game.screen_text().endswith("\nAnn>")
    game.type("20")
    game.wait_for_prompt("Ann")
    assert re.search(r"^▸ Ann +\d+ \(\w+\) +4 +1 ", game.screen_text(), re.M)
    game.type("log")
    game.wait_for_prompt("Ann")
    assert "To whom?\n  1) Ann (+2 points, coins +1)  2) Bea (+1 point)\n" in game.screen_text()
    game.type("/log")
    game.wait_for_prompt("Ann")
    assert game.screen_text().count("To whom?") == 2
    game.type("bea")
    game.wait_for_prompt("Ann")
    assert "Ann gives to Bea." in game.screen_text()
    game.type("1")
    game.wait_for_prompt("Ann")
    assert game.line("Ann (0–3)>") and "0) Nothing today." in game.screen_text()
    game.type("")
    game.wait_for_prompt("Ann")
    assert "Type 0 for: Nothing today." in " ".join(game.screen_text().split())
    game.type("0")
    game.wait_for_prompt("Ann")
    game.type("quit")
    assert game.ended() == 0
    answers = [
        entry["take"] for entry in saves.read(tmp_path / "rulewright" / "last.json")["answers"] if not entry["seat"]
    ]
    assert answers == [["gamble"], ["20"], ["give"], ["Bea"], ["sell"], []]


# ── commands ──


@pytest.mark.rotating(4)
def test_current_rules_and_rules_by_name(terminal: Callable[..., Terminal]) -> None:
    game = terminal("play", "2022", "--seats", "you,random,random", "--seed", "3", "--option", "no bluffing")
    game.wait_for_prompt()
    game.type("?")
    game.wait_for_prompt()
    view = " ".join(game.screen_text().split())
    assert "Place bids: Everyone bids at the same time." in view
    assert "No bluffing (option): You may not bid more than you can pay" in view
    assert "lost leader" not in view.lower()
    assert view.endswith("You>") and "1) " in view.split("Place your bid")[-1]
    game.type("? SQUIRRELS")
    game.wait_for_prompt()
    assert "Squirrel (power): When you bid the refill card, draw until you have 10" in " ".join(
        game.screen_text().split()
    )
    game.type("? squirel")
    game.wait_for_prompt()
    assert "nothing called 'squirel'. Did you mean 'squirrel'?" in " ".join(game.screen_text().split())
    for decision, expected in (
        ("? leader LION", "Lion (power): You win every tie"),
        ("? savannah 3s", "Habitat cards:"),
        ("? steinboke", "There is nothing called 'steinboke'"),
    ):
        game.type(decision)
        game.wait_for_prompt()
        assert expected in game.screen_text()
    game.type("? *")
    game.wait_for_prompt()
    assert "Powers: peacock, squirrel, eagle" in game.screen_text()
    game.type("help")
    game.wait_for_prompt()
    for command in ("? NAME", "table", "log", "undo", "save [FILE]", "quit"):
        assert re.search(rf"^  {re.escape(command)} +\w", game.screen_text(), re.M)


@pytest.mark.parametrize(
    ("language", "decision", "expected"),
    [
        ("en", "lion leader", "Lion (power):"),
        ("en", "loin leader", "Did you mean 'lion leader'?"),
        ("en", "leaders of lions", "Lion (power):"),
        ("en", "even removal", "Even removal (option, not with this number of players):"),
        ("de", "Löwen", "Löwe (Fähigkeit):"),
        ("it", "leoni", "Leone (potere):"),
        ("it", "carta leone", "Leone (potere):"),
        ("nl", "leeuwen", "Leeuw (kracht):"),
        ("fr", "egalite", "Égalités"),
    ],
)
def test_help_is_found_by_any_name(language: str, decision: str, expected: str) -> None:
    game, out = started("random,random,random,random").game, io.StringIO()
    console = Console(None, out, "never", game.localizer(language))
    told_rules.show_named(console, game, decision, 0)
    assert expected in out.getvalue()


def test_rules_of_other_tables_are_left_out() -> None:
    for seats, text in ((3, True), (4, False)):
        game, out = started(",".join(["random"] * seats)).game, io.StringIO()
        told_rules.show_moment(Console(None, out, "never"), game, game.decisions()[0])
        assert ("Even removal" in out.getvalue()) == text


@pytest.mark.rotating(2)
def test_table_and_log_are_shown_again(terminal: Callable[..., Terminal]) -> None:
    game = terminal("play", "2022", "--seats", "you,random,random", "--seed", "3")
    game.wait_for_prompt()
    before = game.screen_text()
    game.type("table")
    game.wait_for_prompt()
    assert (
        game.screen_text()[game.screen_text().rindex("Wild Cards 2022") :] == before[before.index("Wild Cards 2022") :]
    )
    game.type("log")
    game.wait_for_prompt()
    assert "began with the Talisman." in game.screen_text().split("You> log")[1]


@pytest.mark.rotating(2)
def test_undo_at_the_terminal(terminal: Callable[..., Terminal], tmp_path: Path) -> None:
    session, typed = before_undo()
    session.save_to(tmp_path / "game.json")
    answers = session.game.save()["answers"]
    game = terminal("play", "--resume", "game.json")
    game.wait_for_prompt()
    before = map_text(game)
    game.type(typed)
    game.wait_for_prompt()
    assert map_text(game) != before
    assert len(saves.read(tmp_path / "game.json")["answers"]) > len(answers)
    game.type("undo")
    game.wait_for_prompt()
    assert "Taken back." in game.text()
    assert map_text(game) == before
    assert saves.read(tmp_path / "game.json")["answers"] == answers
    game.type("undo")
    game.wait_for_prompt()
    assert "cannot be taken back" in game.screen_text()
    assert saves.read(tmp_path / "game.json")["answers"] == answers


def map_text(game: Terminal) -> str:
    """The last table, and what was asked below it."""
    return game.text()[game.text().rindex("Wild Cards 2022 ·") :]


def before_undo() -> tuple[Session, str]:
    """A game before an answer that could be taken back, after one that could not; and that answer, as typed."""
    for seed in range(200):
        session = started("you,random,random", seed)
        while (decision := session.next_decision()) is not None:
            keys = [choice.key for choice in decision.choices for _ in range(choice.count)]
            keys = keys[: max(decision.least, min(1, decision.most))]
            trial = Session(session.game.copy(), session.players)
            trial.answer(decision.seat, keys, decision.id)
            if (
                trial.next_decision() is not None
                and trial.game.can_undo(0)
                and session.answer_count(0)
                and not session.game.can_undo(0)
            ):
                return session, ", ".join(keys)
            session.answer(decision.seat, keys, decision.id)
    raise AssertionError("no game allows to take an answer back")


BUYING = """\
rulewright: 1
title: Buying
players: 2
pieces: {ware: {starts in: stall, noun: ware}}
zones: {stall: {seen by: all}}
counters:
  seat: {money: 8, fame: 5}
  game: {price: 0, buyer: seat}
phases:
  buy:
    do:
      - go round seats until you are buyer:
          - choose number from price + 1 to price + 9 as amount:
              ask: "{stall} for {price}, by {buyer}. You have {money}. What do you bid?"
              text: Bid {amount}
              none: Pass
          - if amount is empty: drop out
            otherwise: [set price to amount, set buyer to you, log: "{seat} bid {amount}."]
      - as buyer:
          - take highest of (0, price - money) from fame
          - take lowest of (price, money) from money
          - log: "{seat} paid."
      - end game
scoring: {fame: {points: fame}}
ranking: highest score
"""


@pytest.mark.rotating(3)
def test_an_unaffordable_bid_is_asked_again(terminal: Callable[..., Terminal], tmp_path: Path) -> None:
    (tmp_path / "buying.yaml").write_text(BUYING, encoding="utf-8")
    game = terminal("play", "buying.yaml", "--seats", "Ann,Bea:random", "--seed", "1")
    game.wait_for_prompt("Ann")
    assert "You have 8. What do you bid?\n  Still in: Ann, Bea" in game.screen_text()
    game.type("9")
    game.wait_for_prompt("Do you still want to do this\\?")
    assert "If the others pass, this sets you back 1 point: money −8 (0 left), fame −1 (4" in game.screen_text()
    game.type("n")
    game.wait_for_prompt("Ann")
    game.type("8")
    assert game.until(r"\(y/n\)", "Ann>", "paid"), "what one has may be bid without more ado"
    assert "Still in: Ann (8), Bea (" in game.screen_text()


@pytest.mark.rotating(2)
def test_undo_before_any_answer(terminal: Callable[..., Terminal]) -> None:
    game = terminal("play", "2022", "--seats", "you,random,random")
    game.wait_for_prompt()
    game.type("undo")
    game.wait_for_prompt()
    assert "There is nothing to take back yet." in game.screen_text()


@pytest.mark.rotating(2)
def test_mistakes_are_explained_and_asked_again(terminal: Callable[..., Terminal], tmp_path: Path) -> None:
    game = terminal("play", "2022", "--seats", "you,random,random", "--seed", "3")
    game.wait_for_prompt()
    for mistake, expected in {
        "": "Choose 1: type a number from 1 to",
        "0": "There is no 0 here",
        "99": "There is no 99 here",
        "1 2": "That is 2; choose 1.",
        "refil card": "Did you mean 'refill card'?",
        "savannah": "could be savannah 1 or savannah 2",
        "unod": "Did you mean 'undo'?",
        "\x16\x1b[2Jx": "There is no '\\x1b[2Jx' here",
    }.items():
        game.type(mistake)
        game.wait_for_prompt()
        text = " ".join(game.screen_text().split("You>")[-2].split())
        assert expected in text, mistake
    assert not any(entry["seat"] == 0 for entry in saves.read(tmp_path / "rulewright" / "last.json")["answers"])


@pytest.mark.rotating(2)
def test_tab_completes_names(terminal: Callable[..., Terminal], tmp_path: Path) -> None:
    pytest.importorskip("readline")
    game = terminal("play", "2022", "--seats", "you,random,random", "--seed", "3")
    game.wait_for_prompt()
    game.child.send("refi\t\r")
    game.wait_for_prompt()
    answers = saves.read(tmp_path / "rulewright" / "last.json")["answers"]
    assert next(entry["take"] for entry in answers if entry["seat"] == 0) == ["refill card"]


@pytest.mark.rotating(3)
def test_copies_are_saved_but_not_over_other_files(terminal: Callable[..., Terminal], tmp_path: Path) -> None:
    (tmp_path / "letter").write_text("Dear Milú", encoding="utf-8")
    game = terminal("play", "2022", "--seats", "you,random,random")
    game.wait_for_prompt()
    game.type("save")
    game.wait_for_prompt()
    assert "The game is saved after every answer, in" in game.screen_text()
    assert f"'{tmp_path}/rulewright/last.json'." in game.text()
    game.type("save copy.json")
    game.wait_for_prompt()
    game.type("save letter")
    game.wait_for_prompt()
    assert "no saved game" in " ".join(game.screen_text().split())
    assert (tmp_path / "letter").read_text(encoding="utf-8") == "Dear Milú"
    assert (
        Session.load(tmp_path / "copy.json").game.save()
        == Session.load(tmp_path / "rulewright" / "last.json").game.save()
    )


# ── leaving and coming back ──


def leave_by_quit(game: Terminal) -> int:
    game.type("quit")
    return game.ended()


def leave_by_end_of_input(game: Terminal) -> int:
    game.child.sendeof()
    return game.ended()


def leave_by_interrupt(game: Terminal) -> int:
    """Send Ctrl-C, and again if nothing happens: Python misses one in the moment before it begins to wait."""
    for _ in range(10):
        game.child.sendintr()
        if not game.child.expect([pexpect.EOF, pexpect.TIMEOUT], timeout=SHORT):
            break
    return game.ended()


def leave_by_kill(game: Terminal) -> int:
    game.child.kill(signal.SIGKILL)
    return game.ended()


@pytest.mark.rotating(5)
@pytest.mark.parametrize(
    ("leave", "status"),
    [(leave_by_quit, 0), (leave_by_end_of_input, 0), (leave_by_interrupt, 130), (leave_by_kill, -signal.SIGKILL)],
)
def test_a_game_resumes_at_the_same_decision(
    terminal: Callable[..., Terminal], tmp_path: Path, leave: Callable[[Terminal], int], status: int
) -> None:
    game = terminal("play", "2022", "--seats", "you,random,random", "--seed", "3")
    rng = random.Random(1)
    for _ in range(7):
        game.wait_for_prompt()
        game.type(any_answer(game.screen_text(), rng))
    game.wait_for_prompt()
    before = map_text(game)
    answers = saves.read(tmp_path / "rulewright" / "last.json")["answers"]
    assert sum(entry["seat"] == 0 for entry in answers) == 7
    assert leave(game) == status
    if status != -signal.SIGKILL:
        assert "Go on with: rulewright play --resume" in " ".join(game.screen_text().split())
    assert "Traceback" not in game.raw

    again = terminal("play", "--resume")
    again.wait_for_prompt()
    assert map_text(again) == before
    assert saves.read(tmp_path / "rulewright" / "last.json")["answers"] == answers


@pytest.mark.rotating(12)
def test_the_last_game_is_offered_or_moved_aside(terminal: Callable[..., Terminal], tmp_path: Path) -> None:
    game = terminal("play", "2022", "--seats", "you,random,random", "--seed", "3")
    game.wait_for_prompt()
    game.type("quit")
    assert game.ended() == 0
    again = terminal("play")
    again.until(r"Go on with Wild Cards 2022, round 1 \(\d\d/\d\d/\d{4}, \d\d:\d\d\)\? \[Y/n\]")
    again.type("")
    again.wait_for_prompt()
    again.type("quit")
    assert again.ended() == 0
    other = terminal("play")
    for answer in ("n", "", "9", "1", ""):
        other.until(r"\]>(\x1b\[0m)? |begins the game>(\x1b\[0m)? ")
        other.type(answer)
    other.wait_for_prompt()
    assert "Type a number from 1 to 4" in other.text()
    assert "Leo joins: with 2 players" in other.text()
    folder = tmp_path / "rulewright"
    assert saves.read(folder / "previous.json")["seed"] == 3
    assert len(saves.read(folder / "last.json")["seats"]) == 3


@pytest.mark.rotating(6)
def test_options_are_changed_in_the_menu(terminal: Callable[..., Terminal], tmp_path: Path) -> None:
    game = terminal("play", "2022")
    for answer in ("", "", "2", "no bluffing", "2", ""):
        game.until(r"\]>(\x1b\[0m)? |begins the game>(\x1b\[0m)? ")
        game.type(answer)
    game.wait_for_prompt()
    assert saves.read(tmp_path / "rulewright" / "last.json")["options"]["no bluffing"] == "yes"


@pytest.mark.rotating(5)
def test_two_terminals_do_not_share_a_save(terminal: Callable[..., Terminal], tmp_path: Path) -> None:
    first = terminal("play", "2022", "--seats", "you,random,random", "--seed", "1")
    first.wait_for_prompt()
    second = terminal("play", "2022", "--seats", "you,random,random", "--seed", "2")
    second.wait_for_prompt()
    third = terminal("play", "--resume")
    assert third.ended() == 2
    assert "being played at another terminal" in " ".join(third.screen_text().split())
    folder = tmp_path / "rulewright"
    assert [saves.read(folder / name)["seed"] for name in ("last.json", "last-2.json")] == [1, 2]
    second.type("quit")
    assert second.ended() == 0
    assert f"--resume {folder}/last-2.json" in second.text()


@pytest.mark.rotating(4)
def test_game_goes_on_when_it_cannot_be_saved(terminal: Callable[..., Terminal], tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    game = terminal("play", "2022", "--seats", "you,random,random", "--seed", "3", "--save", "games/game.json")
    game.wait_for_prompt()
    (tmp_path / "games" / "game.json").unlink()
    (tmp_path / "games").rmdir()
    rng = random.Random(1)
    for _ in range(3):
        game.type(any_answer(game.screen_text(), rng))
        game.wait_for_prompt()
    assert " ".join(game.text().split()).count("cannot be saved") == 1
    (tmp_path / "games").mkdir()
    game.type(any_answer(game.screen_text(), rng))
    game.wait_for_prompt()
    assert "The game is saved again." in game.text()
    assert sum(entry["seat"] == 0 for entry in saves.read(tmp_path / "games" / "game.json")["answers"]) == 4


# ── several people ──


def own_pieces(seed: int) -> Mapping[str, set[str]]:
    """Return the names that each of two people holds at the beginning, without those that both hold."""
    game = started("Ann,Bea,random", seed).game
    pieces = [set(game.view(seat).zone("hand", seat).pieces or ()) for seat in (0, 1)]
    return {"Ann": pieces[0] - pieces[1], "Bea": pieces[1] - pieces[0]}


@pytest.mark.parametrize("kind", ["xterm", "dumb"])
def test_nobody_sees_what_another_person_holds(terminal: Callable[..., Terminal], kind: str) -> None:
    content = own_pieces(5)
    assert all(content.values())
    game = terminal("play", "2022", "--seats", "Ann,Bea,random", "--seed", "5", TERM=kind)
    game.until("Hand over to Ann, press Enter")
    assert not any(piece in game.text() for piece in content["Ann"] | content["Bea"])
    game.type("")
    game.wait_for_prompt("Ann")
    assert all(piece in game.screen_text() for piece in content["Ann"])
    assert not any(piece in game.screen_text() for piece in content["Bea"])
    game.type("1")
    game.until("Hand over to Bea, press Enter")
    assert game.screen_text().strip() == "Hand over to Bea, press Enter"
    if kind == "xterm":
        assert "\x1b[3J" in game.raw  # what has scrolled away is gone as well
    game.type("")
    game.wait_for_prompt("Bea")
    for command in ("\x1b[A", "log", "table", "undo", "?"):
        game.type(command)
        game.wait_for_prompt("Bea")
        assert not any(piece in game.screen_text() for piece in content["Ann"]), command
    assert all(piece in game.screen_text() for piece in content["Bea"])


@pytest.mark.rotating(2)
def test_everybody_reads_their_own_log(terminal: Callable[..., Terminal], tmp_path: Path) -> None:
    (tmp_path / "market.yaml").write_text(MARKET, encoding="utf-8")
    game = terminal("play", "market.yaml", "--seats", "Ann,Bea", "--seed", "1", columns=100)
    for name, text in (
        ("Ann", r"Ann holds [^.]*jewel[^.]*\."),
        ("Bea", r"Ann holds 3 hidden pieces\. .*Bea holds .*jewel"),
    ):
        game.until(f"Hand over to {name}")
        game.type("")
        game.wait_for_prompt(name)
        assert re.search(text, " ".join(game.screen_text().split()))
        game.type("/log")
        game.wait_for_prompt(name)
        assert re.search(text, " ".join(game.screen_text().split(f"{name}> /log")[1].split()))
        game.type("gamble")
        game.wait_for_prompt(name)
        game.type("0")


@pytest.mark.rotating(4)
def test_a_single_person_never_hands_over(terminal: Callable[..., Terminal]) -> None:
    game = terminal("play", "2022", "--seats", "Ann,random,random", "--seed", "5")
    rng = random.Random(1)
    for _ in range(5):
        game.wait_for_prompt("Ann")
        game.type(any_answer(game.screen_text(), rng))
    game.wait_for_prompt("Ann")
    assert "Hand over" not in game.text() and "\x1b[2J" not in game.raw


@pytest.mark.rotating(2)
def test_quitting_while_the_keyboard_changes_hands(terminal: Callable[..., Terminal]) -> None:
    game = terminal("play", "2022", "--seats", "Ann,Bea,random", "--seed", "5")
    game.until("press Enter")
    game.type("quit")
    assert game.ended() == 0
    assert "Go on with" in game.screen_text()


# ── the terminal's own ways ──


def sgr(raw: str) -> list[str]:
    return COLOUR.findall(raw)


@pytest.mark.rotating(3)
@pytest.mark.parametrize(
    ("arguments", "environment", "coloured"),
    [
        ((), {}, True),
        ((), {"NO_COLOR": "1"}, False),
        ((), {"NO_COLOR": ""}, True),
        ((), {"TERM": "dumb"}, False),
        (("--color", "never"), {}, False),
        (("--color", "always"), {"NO_COLOR": "1"}, True),
    ],
)
def test_colours_are_used_on_demand(
    terminal: Callable[..., Terminal], arguments: tuple[str, ...], environment: dict[str, str], coloured: bool
) -> None:
    game = terminal("play", "2022", "--seats", "you,random,random", *arguments, **environment)
    game.wait_for_prompt()
    game.type("quit")
    assert game.ended() == 0
    assert bool(sgr(game.raw)) is coloured


@pytest.mark.rotating(5)
@pytest.mark.parametrize("columns", [40, 80])
def test_no_line_is_wider_than_the_terminal(terminal: Callable[..., Terminal], columns: int) -> None:
    game = terminal("play", "2022", "--seats", "you,Milú:random,random,random,random", "--seed", "4", columns=columns)
    rng = random.Random(1)
    for _ in range(12):
        game.wait_for_prompt()
        game.type(any_answer(game.screen_text(), rng))
    game.wait_for_prompt()
    game.type("help")
    game.wait_for_prompt()
    game.type("?")
    game.wait_for_prompt()
    # Answers are typed behind the prompt, however long they are.
    widest = max(cell_width(line) for line in game.text().split("\n") if not line.startswith("You"))
    assert columns / 2 < widest <= min(columns, 120) - 1


# ── parts: answers ──


def question(least: int, most: int, *labels: str, kind: str = "piece", none: str = "") -> prompt.Question:
    counted = [(label.partition("*")[0], int(label.partition("*")[2] or 1)) for label in labels]
    choices = tuple(Choice(label, label, count, name=label) for label, count in counted)
    return prompt.make_question(Decision("id", 0, kind, "step", "What?", none, choices, least, most), {})


CARDS = ("red 1", "red 2*2", "blue 3*3", "Milú")


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("1", ["red 1"]),
        ("1)", ["red 1"]),
        ("1 3 3", ["red 1", "blue 3", "blue 3"]),
        ("1,3", ["red 1", "blue 3"]),
        (" 1 ,, 3 ; 2 ", ["red 1", "blue 3", "red 2"]),
        ("3 ×2", ["blue 3", "blue 3"]),
        ("blue 3 x2, 1", ["blue 3", "blue 3", "red 1"]),
        ("red 2, BLUE 3", ["red 2", "blue 3"]),
        ("red 2 blue 3 4", ["red 2", "blue 3", "Milú"]),
        ("bl", ["blue 3"]),
        ("mil", ["Milú"]),
        ("0", []),
        ("0)", []),
        ("keep", []),
        ("Keep all.", []),
    ],
)
def test_answers_are_understood(typed: str, expected: list[str]) -> None:
    assert prompt.parse_answer(typed, question(0, 3, *CARDS, none="Keep all.")) == expected


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("5", "no 5 here"),
        ("1 1", "'red 1' is there only once, not 2 times"),
        ("2 2 2", "'red 2' is there only 2 times, not 3 times"),
        ("1 2 2 4", "That is 4; choose up to 3"),
        ("red", "'red' could be red 1 or red 2"),
        ("blue 4", "Did you mean 'blue 3'?"),
        ("b", "no 'b' here"),
        ("x2", "no 'x2' here"),
        ("1 x999", "only once, not 999"),
        ("9" * 5000, "no 9"),
        ("all", "That is 7"),
    ],
)
def test_invalid_answers_are_refused(typed: str, expected: str) -> None:
    with pytest.raises(prompt.InvalidAnswer, match=re.escape(expected)) as raised:
        prompt.parse_answer(typed, question(0, 3, *CARDS))
    assert len(str(raised.value)) < 200


def test_enter_never_answers_no() -> None:
    decision = question(0, 1, "bid 3", "pass on", none="Pass.")
    with pytest.raises(prompt.InvalidAnswer) as raised:
        prompt.parse_answer("", decision)
    assert str(raised.value) == "Choose 1: type a number from 1 to 2, or a name. Type 0 for: Pass."
    assert plain(prompt.question_lines(decision, 40)) == ["What?", "  1) bid 3    2) pass on", "  0) Pass."]
    assert prompt.parse_answer("pass", decision) == ["pass on"]
    assert prompt.parse_answer("0", question(0, 1, "0", "1", none="Pass.", kind="word")) == ["0"]
    assert prompt.parse_answer("pass", question(0, 1, "0", "1", none="Pass.", kind="word")) == []
    with pytest.raises(prompt.InvalidAnswer, match="There is no 0 here"):
        prompt.parse_answer("0", question(1, 1, "bid 3", "pass on"))


@pytest.mark.parametrize(
    ("name", "seats", "existing", "away"),
    [
        ("classics/liars-dice", 2, "dice bid: 0", ("nobody", "nothing", "bidder")),
        ("classics/checkers", 2, "colour", ("box",)),
        ("wild-cards/2022", 3, "discard pile (0)", ("box", "talisman used")),
        ("wildlife/2002", 3, "start player: Ada", ("box", "nobody", "final turn", "table (")),
    ],
)
def test_empty_zones_and_counters_are_not_shown(name: str, seats: int, existing: str, away: tuple[str, ...]) -> None:
    """Counters that still hold nobody, nothing or no, what lies in the box, and zones where nothing lies."""
    game = Game.start(library.load(name), ["Ada", "Ben", "Cora"][:seats], seed=1)
    text = "\n".join(plain(table.draw(game, None, 79)))
    assert existing in text and not [word for word in away if word in text], text


def test_an_answer_keeps_the_order_in_which_it_was_typed() -> None:
    decision = question(0, 4, *CARDS)
    assert prompt.parse_answer("3 1 2", decision) == ["blue 3", "red 1", "red 2"]
    assert prompt.parse_answer("blue 3, red 2 x2, red 1", decision) == ["blue 3", "red 2", "red 2", "red 1"]


def test_all_takes_the_choices_in_their_order() -> None:
    decision = replace(question(0, 3, "green 1", "red 1*2").decision, least=3, most=3)
    request = prompt.make_question(decision, {"red 1": 0, "green 1": 1})
    assert request.labels == ["red 1", "green 1"]
    for typed in ("", "all"):
        assert prompt.parse_answer(typed, request) == ["green 1", "red 1", "red 1"]


def test_enter_takes_the_only_answer() -> None:
    assert prompt.parse_answer("", question(2, 2, "red 1*2")) == ["red 1", "red 1"]
    assert prompt.parse_answer("", question(2, 2, "red 1*3")) == ["red 1", "red 1"]
    assert prompt.parse_answer("", question(2, 2, "red 1", "blue 3")) == ["red 1", "blue 3"]
    with pytest.raises(prompt.InvalidAnswer, match="Choose 1"):
        prompt.parse_answer("", question(1, 1, "red 1", "blue 3"))
    assert "Enter: red 1 ×2" in prompt.invitation(question(2, 2, "red 1*2"), "You")


@pytest.mark.parametrize(("typed", "expected"), [("y", "yes"), ("YES", "yes"), ("1", "yes"), ("n", "no"), ("No", "no")])
def test_yes_and_no_are_understood(typed: str, expected: str) -> None:
    decision = question(1, 1, "yes", "no", kind="truth")
    assert prompt.parse_answer(typed, decision) == [expected]
    for wrong in ("", "maybe", "3"):
        with pytest.raises(prompt.InvalidAnswer, match="y"):
            prompt.parse_answer(wrong, decision)


def test_a_choice_with_a_comma_can_be_typed() -> None:
    decision = question(0, 1, "Play on, for free.", "Stop.")
    assert prompt.parse_answer("play on, for free.", decision) == ["Play on, for free."]


def test_numbers_stand_for_themselves() -> None:
    decision = question(1, 1, "3", "4", "5", "6", kind="number")
    assert prompt.parse_answer("4", decision) == ["4"]
    with pytest.raises(prompt.InvalidAnswer, match="a number from 3 to 6"):
        prompt.parse_answer("1", decision)


def test_a_single_possible_number_is_shown_as_such() -> None:
    assert plain(prompt.question_lines(question(1, 1, "3", kind="number"), 40))[1:] == ["  Only 3 is possible."]


def test_choices_have_letters_where_names_are_numbers() -> None:
    """'2' is the card of that name, never the second of the list."""
    decision = question(0, 2, "2", "5", "6")
    assert plain(prompt.question_lines(decision, 40))[1:] == ["  a) 2  b) 5  c) 6", "  -) Nothing."]
    assert prompt.parse_answer("2", decision) == prompt.parse_answer("a)", decision) == ["2"]
    assert prompt.parse_answer("-", decision) == []
    with pytest.raises(prompt.InvalidAnswer, match="letters from a to c or names"):
        prompt.parse_answer("1", decision)
    assert prompt.parse_answer("0", question(0, 1, "0", "red")) == ["0"]
    for unlike in (question(1, 1, "1", "2"), question(1, 1, "7", "8"), question(1, 1, "2", "a")):
        assert unlike.marks == ["1", "2"]


def test_names_of_choices_come_before_commands() -> None:
    assert prompt.is_choice("LOG", question(1, 1, "log", "saw"))
    assert not prompt.is_choice("lo", question(1, 1, "log", "saw"))
    assert prompt.parse_answer("all", question(1, 1, "all", "none")) == ["all"]


def test_choices_stand_in_columns() -> None:
    decision = question(0, 3, *CARDS)
    assert plain(prompt.numbered_choices(decision, 40)) == ["  1) red 1      2) red 2 ×2", "  3) blue 3 ×3  4) Milú"]
    long = question(1, 1, "a rather long sentence that says what happens", "no")
    assert plain(prompt.numbered_choices(long, 30)) == [
        "  1) a rather long sentence",
        "     that says what happens",
        "  2) no",
    ]


# ── parts: drawing ──


def plain(lines: list[ConsoleLine]) -> list[str]:
    return ["".join(part.text if isinstance(part, Styled) else part for part in line).rstrip() for line in lines]


GOLF = """
rulewright: 1
title: Golf
players: 3
counters: {seat: {strokes: 0}}
setup: {do: [each seat where it is among first 1 of seats: [add 5 to strokes]]}
phases: {play: {do: [each seat: [choose number from 0 to 1 as taken, add taken to strokes]]}}
scoring: {strokes: {points: strokes}}
ranking: lowest score
"""


def test_whoever_has_the_fewest_points_is_first_where_they_win() -> None:
    game = Game.start(library.from_text(GOLF, "golf"), ["Ann", "Bea", "Cy"], seed=1)
    ranks = [re.findall(r"(\d+) \((\w+)\)", line) for line in plain(table.draw(game, 0, 79))]
    assert [rank for rank in ranks if rank] == [[("5", "3rd")], [("0", "1st")], [("0", "1st")]]


def test_table_of_another_game() -> None:
    session = started("Ann,Bea:random", 1, market())
    session.next_decision()
    game = session.game
    purses = [Labels(game).sort_pieces(game.view(seat).zone("purse", seat).pieces or ()) for seat in (0, 1)]
    heaps = [(game.view(0).zone("heap", seat).pieces or ())[-1] for seat in (0, 1)]
    lines = plain(table.draw(game, 0, 79))
    assert lines[:3] == ["Market · round 1 · Trade", "bag (50) · open: yes", ""]
    assert lines[3].split() == ["points", "purse", "coins", "heap"]
    assert lines[4] == f"▸ Ann  23 (1st)      3     20  (2) top: {heaps[0]}"
    assert lines[5] == f"  Bea  23 (1st)      3     20  (2) top: {heaps[1]}"
    counts = [f"{name} ×{purses[0].count(name)}".removesuffix(" ×1") for name in dict.fromkeys(purses[0])]
    assert lines[6:] == ["", "purse:  " + ", ".join(counts)]
    onlooker = plain(table.draw(game, None, 79))
    assert onlooker[4].split()[:4] == ["▸", "Ann", "23", "(1st)"]
    assert not any(line.startswith("purse:") for line in onlooker)


SHOWN_HANDS = """
rulewright: 1
title: Peek
players: 2
pieces: {card: {has: {value: 1 to 9}, starts in: deck, noun: "{value}"}}
zones: {deck: {seen by: nobody, pile: yes}, hand: {of: seat, seen by: nobody}, table: {seen by: all}}
setup: {do: [each seat: [move top 3 of deck to hand, SHOW]]}
phases:
  play: {do: [each seat: [choose 1 from hand into table: {ask: "Which?", by place: yes}], end game]}
"""


@pytest.mark.parametrize(
    ("show", "text"),
    [
        ("show hand to opponents", "hand (Ben):  3 cards, face down (you know: 6, 5, 4)"),
        ("show first 2 of hand to seats", "hand (Ben):  3 cards, face down (you know: 6 (place 1), 5 (place 2))"),
    ],
)
def test_shown_pieces_stay_visible(show: str, text: str) -> None:
    """Each reader is told what it knows of every hand, its own included, and nothing else."""
    game = Game.start(library.from_text(SHOWN_HANDS.replace("SHOW", show)), ["Ada", "Ben"], seed=1)
    lines = plain(table.draw(game, 0, 79))
    assert text in lines
    assert any(line.startswith("hand:") for line in lines) == ("to seats" in show)
    assert not any("you know" in line for line in plain(table.draw(game, None, 79)))
    assert max(map(cell_width, plain(table.draw(game, 0, 30)))) <= 30


def test_points_in_a_counter_are_shown_once() -> None:
    game = Game.start(library.load("wildlife/2002"), ["Ada", "Ben"], seed=7)
    lines = plain(table.draw(game, 0, 79))
    heads = next(at for at, line in enumerate(lines) if " reserve " in line)
    assert " ".join(lines[heads - 1 : heads + 1]).count("points") == 1
    ranked = [line for line in lines[heads:] if re.match(r".{2}(Ada|Ben) +\d \((1st|2nd)\)", line)]
    assert len(ranked) == 2


@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_signs_are_explained_as_they_are_shown(language: str) -> None:
    game = started("random,random,random").game
    out = io.StringIO()
    console = Console(None, out, "never", localizer_for(language))
    help_text.show_help(console, ())
    first = f"({console.localizer.place(1)})"
    assert first in " ".join(out.getvalue().split())
    assert first in "".join(plain(table.draw(game, 0, 79, language=language)))


@pytest.mark.rotating(6)
@pytest.mark.parametrize("width", [30, 79, 119])
def test_table_keeps_its_width(width: int) -> None:
    session = started("random,random,random,random,random", 4)
    for _ in range(150):
        session.play_bot()
        for seat in (None, 0):
            lines = plain(table.draw(session.game, seat, width))
            assert max(map(cell_width, lines)) <= width
            text = " ".join(" ".join(lines).split())
            assert all(name in text for name in session.game.names)


def test_row_of_pieces_keeps_its_order() -> None:
    game = started("random,random,random").game
    row = game.view(None).zone("display").pieces or ()
    picture = next(line for line in plain(table.draw(game, None, 79)) if line.startswith("display"))
    expanded = [name for item in picture.split(None, 1)[1].split(", ") for name in [item.partition(" ×")[0]] * (
        int(item.partition(" ×")[2] or 1))]  # fmt: skip
    homes = {"lion": "savannah", "meerkat": "savannah", "eagle": "mountain", "ibex": "mountain"}
    assert expanded == [f"{name} ({homes.get(name, 'forest')})" for name in row]


def standings(*rows: tuple[str, int, int]) -> tuple[list[SeatResult], list[str]]:
    return [SeatResult(n, (("One", points), ("Two", 0)), points, rank) for n, (_, points, rank) in enumerate(rows)], [
        name for name, _, _ in rows
    ]


def test_winners_are_named() -> None:
    assert log_sections.winners(*standings(("Ann", 7, 1), ("Bea", 3, 2))) == "Winner: Ann, 7 points."
    both = ("Ann", 1, 1), ("Bea", 1, 1)
    assert log_sections.winners(*standings(*both, ("Cleo", 0, 3))) == "Winners: Ann and Bea, 1 point each."
    assert log_sections.winners(*standings(*both)) == "A draw: Ann and Bea, 1 point each."
    partners = standings(("Ann", 5, 1), ("Cleo", 2, 1), ("Bea", 6, 3))
    assert log_sections.winners(*partners) == "Winners: Ann and Cleo, 7 points together."
    bare = [replace(one, lines=()) for one in standings(*both, ("Cleo", 0, 3))[0]]
    assert log_sections.winners(bare, ["Ann", "Bea", "Cleo"]) == "Winners: Ann and Bea."
    assert log_sections.winners(bare[:2], ["Ann", "Bea"]) == "A draw."
    assert log_sections.winners([bare[0], bare[2]], ["Ann", "Cleo"]) == "Winner: Ann."
    assert log_sections.winners(*standings(("Ann", 1, 1))) == "Result: 1 point."
    text, _ = standings(("You", 7, 1), ("Bea", 3, 2))
    assert (
        log_sections.winners(text, (Person("You", you=True), Person("Bea")), localizer_for("it"))
        == "Vinci tu, 7 punti."
    )


def test_score_table() -> None:
    rows = standings(("Ann", 12, 1), ("Bartholomew-Maximilian", 3, 2))
    assert plain(log_sections.score_table(*rows, 40)) == [
        "         Ann  Bartholomew…",
        "One       12             3",
        "Two        0             0",
        "──────────────────────────",
        "Points    12             3",
        "Rank     1st           2nd",
    ]
    assert plain(log_sections.score_table(*rows, 20)) == [
        "1st  Ann: 12",
        "   One: 12 · Two: 0",
        "2nd  Bartholomew…: 3",
        "   One: 3 · Two: 0",
    ]


def test_the_tie_break_is_shown() -> None:
    rows = [
        SeatResult(0, (("One", 13),), 13, 1, (("Animals", "7"),)),
        SeatResult(1, (("One", 13),), 13, 2, (("Animals", "5"),)),
        SeatResult(2, (("One", 3),), 3, 3, (("Animals", ""),)),
    ]
    picture = plain(log_sections.score_table(rows, ["Ann", "Bea", "Cat"], 40))
    assert picture[-3:] == [
        "Points               13    13     3",
        "In a tie: Animals     7     5",
        "Rank                1st   2nd   3rd",
    ]
    listed = plain(log_sections.score_table(rows, ["Ann", "Bea", "Cat"], 34))
    assert listed[1] == "   One: 13 · In a tie: Animals: 7" and listed[-1] == "   One: 3"


def test_log_by_rounds_and_phases() -> None:
    session = started("random,random,random")
    while session.game.view(None).round < 3:
        session.play_bot()
    text = log_sections.sections(session.game, None)
    assert (text[0].round, text[0].heading) == (0, None)
    titles = [(section.round, section.heading.text) for section in text if section.heading]
    assert titles[0] == (1, "Place bids") and (1, "Acquire animals") in titles[1:3]
    assert {section.round for section in text} == {0, 1, 2}
    assert all(section.lines for section in text)
    lines = [line for section in text for line in section.lines]
    assert lines == [line for line in session.game.log.lines(None) if not line.heading]
    start = log_sections.recent_start(session.game)
    assert {section.round for section in log_sections.sections(session.game, None, start)} == {2}


def test_log_by_turns() -> None:
    """Turns stand below the round, with their seat's colour; one in which nothing was told is left out, as is the title
    of a phase that begins with a turn."""
    game = Game.start(library.from_text(PENNIES, "pennies"), ["Ada", "Ben"], seed=1)
    for seat, amount in ((0, "2"), (1, "1"), (0, "3"), (1, "2"), (0, "2")):
        game.answer(seat, [amount])
    out = io.StringIO()
    log_sections.write_sections(Console(None, out, "never"), log_sections.sections(game, None))
    assert [line.rstrip() for line in out.getvalue().splitlines()] == [
        "  The market opens.",
        "Round 1",
        "  Ada's turn",
        "    Ada took 2.",
        "Round 2",
        "  Ada's turn",
        "    Ada took 3.",
        "  Ben's turn",
        "    Ben took 2.",
        "Round 3",
        "  Ada's turn",
        "    Ada took 2.",
    ]
    headings = [section.heading for section in log_sections.sections(game, None)]
    ben = next(heading for heading in headings if heading and heading.seat)
    assert bar(1) in log_sections.heading_lines(Console(None, io.StringIO(), "always"), ben)[0]


def a_round(coloured: str = "never", of: str = "you,random,random") -> tuple[Console, list[log_sections.LogSection]]:
    session, rng = started(of, seed=3), random.Random(1)
    while (decision := session.next_decision()) is not None and session.game.view(0).round < 2:
        keys = [choice.key for choice in decision.choices for _ in range(choice.count)]
        session.answer(decision.seat, rng.sample(keys, max(decision.least, min(1, decision.most))), decision.id)
    return Console(None, io.StringIO(), coloured), log_sections.sections(session.game, 0)


def test_log_lines_of_one_seat_form_a_paragraph() -> None:
    console, text = a_round()
    blocks = log_sections.blocks(console, text, brief=True)
    assert plain(blocks[1])[:2] == ["Round 1", "  Place bids"] and len(blocks[1]) == 3
    turns = [turn for section in text for turn in section.turns()]
    assert len(turns) == len(blocks) and any(len(turn) > 1 for turn in turns)
    for turn, block in zip(turns, blocks, strict=True):
        assert len({line.seat for line in turn}) == 1
        assert " ".join(line.text for line in turn) in " ".join(" ".join(plain(block)).split())
    assert [line.text for turn in turns for line in turn] == [line.text for s in text for line in s.lines]


def test_each_line_of_the_log_has_the_colour_of_its_seat() -> None:
    console, text = a_round("always")
    for section in text:
        for line in section.lines:
            picture = log_sections.paragraph_lines(console, line, "    ")
            bars = [part.style for part in picture[0] if isinstance(part, Styled) and part.style.startswith("bar")]
            assert bars == ([] if line.seat is None else [bar(line.seat).style])
            names = [name for name in ("Ada", "Ben") if line.text.startswith(f"{name} ")]
            assert not names or line.seat in (["Ada", "Ben"].index(names[0]) + 1, None)
    assert seat_style(1) != seat_style(2) != seat_style(2, own=True)


class Typing(Console):
    """A console at which somebody sits who types these answers. asked: what stood on the screen at each question."""

    def __init__(self, *answers: str, lines: int = 10) -> None:
        self.out = io.StringIO()
        super().__init__(None, self.out, "never")
        self.interactive, self.answers, self._lines = True, list(answers), lines
        self.questions_asked: list[int] = []

    @property
    def height(self) -> int:
        return self._lines

    def ask(self, question: Argument, completions: Sequence[str] = ()) -> str:
        self.questions_asked.append(len(self.out.getvalue().splitlines()))
        return self.answers.pop(0)


PARTS = [[[f"{part} {line}"] for line in range(3)] for part in range(4)]


@pytest.mark.parametrize(
    ("name", "following", "questions"),
    [
        ("at once", 99, []),
        ("fast", 99, []),
        ("usual", 0, [9]),  # nine lines of ten can be read over the cursor
        ("usual", 5, [9]),  # then three lines and five are on the screen
        ("usual", 99, [9]),  # three lines at the end are read at a glance
        ("slow", 0, [3, 6, 9]),
    ],
)
def test_text_pauses_before_it_scrolls_away(
    monkeypatch: pytest.MonkeyPatch, name: str, following: int, questions: list[int]
) -> None:
    breaths: list[float] = []
    monkeypatch.setattr("time.sleep", breaths.append)
    console = Typing("", "", "")
    Pace(console, name).tell(PARTS, following)
    assert console.questions_asked == questions and len(console.out.getvalue().splitlines()) == 12
    assert len(breaths) == (3 if name == "fast" else 0)


def test_requested_texts_are_paged() -> None:
    """A player who stops reading goes on with the game; nobody is asked at a pace without pauses."""

    def long(console: Console) -> Callable[[], None]:
        return lambda: console.write_lines([f"line {number}"] for number in range(20))

    console = Typing("", "")
    Pace(console, "usual").page(long(console))
    assert console.questions_asked == [9, 18] and len(console.out.getvalue().splitlines()) == 20
    console = Typing("q")
    Pace(console, "slow").page(long(console))
    assert console.questions_asked == [9] and len(console.out.getvalue().splitlines()) == 9
    console = Typing()
    Pace(console, "fast").page(long(console))
    assert len(console.out.getvalue().splitlines()) == 20


def test_long_news_are_paged_before_the_table() -> None:
    console = Typing("", lines=14)
    Pace(console, "usual").tell(PARTS, 6)
    assert console.questions_asked == [12]
    silent = Console(None, io.StringIO(), "never")
    assert Pace(silent).name == "at once" and Pace(Typing()).name == "usual"
    Pace(silent, "slow").tell(PARTS, 99)  # nobody sits there: nothing waits


def test_a_pause_allows_another_pace_or_quitting() -> None:
    for typed, name in (("fast", "fast"), ("at once", "at once"), ("/pace slow", "slow"), ("hm", "usual")):
        pace_ = Pace(Typing(typed), "usual")
        pace_.wait()
        assert pace_.name == name
    with pytest.raises(pace.UserQuit):
        Pace(Typing("quit"), "usual").wait()


@pytest.mark.rotating(2)
def test_a_game_at_a_pace(terminal: Callable[..., Terminal]) -> None:
    game = terminal("play", "2022", "--seats", "you,random,random", "--seed", "3", "--pace", "slow")
    game.wait_for_prompt()
    game.type("1")
    game.until("Enter goes on>")
    assert "Round 1\n  Place bids\n" in game.screen_text() and "round 1 ·" not in game.screen_text().split("You> 1")[1]
    game.type("")
    while game.until("Enter goes on>", r"You( \([^\r\n]*\))?>(\x1b\[0m)? ") == 0:
        game.type("at once")
    game.type("pace")
    game.until("Pace: at once.")
    game.type("pace slowly")
    game.until("There is no pace 'slowly'. Write slow, usual, fast or at once.")
    game.type("pace at-once")
    game.until("Pace: at once.")
    game.wait_for_prompt()
    game.type("log 1")
    game.until("log 1")
    game.wait_for_prompt()
    text = game.screen_text().split("log 1")[1]
    assert "Round 1" in text and "began with the Talisman" not in text


@pytest.mark.rotating(2)
def test_a_game_that_is_watched_waits_after_each_round(terminal: Callable[..., Terminal]) -> None:
    game = terminal("play", "2022", "--seats", "random,random,random", "--seed", "3", "--pace", "usual")
    game.until("Enter goes on>")
    assert "Round 1" in game.text() and "Round 2" not in game.text()
    game.type("")
    game.until("Enter goes on>")
    assert "Round 2" in game.text() and "Round 3" not in game.text()
    game.type("at once")
    assert game.ended() == 0 and "Winner" in game.text()


# ── parts: writing ──


def console_output(say: Callable[[Console], None], encoding: str = "utf-8", colour: str = "never") -> str:
    raw = io.BytesIO()
    console = Console(None, io.TextIOWrapper(raw, encoding=encoding, newline="\n"), colour)
    say(console)
    console.flush()
    return raw.getvalue().decode(encoding)


def test_texts_cannot_control_the_terminal() -> None:
    evil = "\x1b[2J\x07\u202eMilú\r\x9b"
    assert console_output(lambda console: console.write_line(evil)) == "\\x1b[2J\\x07\\u202eMilú\\r\\x9b\n"
    coloured = console_output(lambda console: console.write_line(Styled(evil, "bad")), colour="always")
    assert COLOUR.sub("", coloured) == "\\x1b[2J\\x07\\u202eMilú\\r\\x9b\n"


def test_characters_outside_the_encoding_are_replaced() -> None:
    assert console_output(lambda console: console.write_line("▸ Milú ×2 · ★"), "ascii") == "> Mil? x2 | *\n"
    assert console_output(lambda console: console.write_line("▸ Milú ×2 · ★")) == "▸ Milú ×2 · ★\n"


def test_paragraphs_are_wrapped() -> None:
    text = "word " * 30
    lines = console_output(
        lambda console: console.paragraph(text, "  ", Styled("A title:", "key"), "    ")
    ).splitlines()
    assert lines[0].startswith("  A title: word word") and lines[1].startswith("      word")
    assert max(map(len, lines)) <= 79
    assert console_output(lambda console: console.paragraph("")) == ""


def test_wide_characters_count_double() -> None:
    assert (cell_width("ab"), cell_width("日本"), cell_width("e\u0301"), cell_width("\x1b")) == (2, 4, 1, 4)
    assert shorten("日本語", 5) == "日本…"
    assert shorten("abc", 3) == "abc"
    assert flow(["日本", "語", "x"], 5) == ["日本", "語 x"]
    assert flow(["abcdefgh"], 3) == ["abc", "def", "gh"]


def test_games_are_listed_by_name_and_years_from_the_newest_on() -> None:
    names = ["wild/2020", "wild/2022", "classics/yacht", "classics/checkers"]
    assert sorted(names, key=play._by_name_newest_first) == [
        "classics/checkers",
        "classics/yacht",
        "wild/2022",
        "wild/2020",
    ]


def test_current_rules_name_long_tables() -> None:
    """The tables would fill several screens; each is named."""
    words = ", ".join(f"w{n}: {{gains: [{n}, {n}]}}" for n in range(1, 41))
    text = f"""
rulewright: 1
title: Charts
players: 2
words: {{land: {{{words}}}}}
phases: {{play: {{text: Play., do: [each seat: [choose 1 from lands as one: {{ask: "Which?"}}], end game]}}}}
"""
    game = Game.start(library.from_text(text), ["Ada", "Ben"], seed=1)
    out = io.StringIO()
    told_rules.show_rules(Console(None, out, "never", localizer_for("en")), game, game.decisions()[0], "")
    assert len(out.getvalue().splitlines()) < 10


def test_zero_or_one_is_no_range() -> None:
    text = """
rulewright: 1
title: One
players: 2
pieces: {card: {has: {value: 1 to 3}, starts in: row, noun: "{value}"}}
zones: {row: {seen by: all}}
phases: {play: {do: [each seat: [choose up to 1 from row as one: {ask: "Which?", none: Pass}], end game]}}
"""
    game = Game.start(library.from_text(text), ["Ada", "Ben"], seed=1)
    assert prompt._amount(game.decisions()[0]) == "1"
