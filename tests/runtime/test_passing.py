"""Log lines beside a move name its pieces only to those who see them leave or arrive."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from rulewright.game import library
from rulewright.game.game import Game
from rulewright.runtime import view as views
from rulewright.runtime.state import State, clone
from whole_games import exchanged, hidden_pair, readers

NAMES = ("Ada", "Ben", "Cora")
ZONES = """\
  deck: {seen by: nobody}
  row: {seen by: all}
  hand: {of: seat, seen by: owner}
  parcel: {of: seat, seen by: owner}
  till: {of: seat, seen by: all}
  vault: {of: seat, seen by: nobody}
"""


def edition(*sentences: str, memory: bool = False, zones: str = ZONES) -> str:
    lines = "".join(f"          - {sentence}\n" for sentence in sentences)
    return (
        f"rulewright: 1\ntitle: Passing\nplayers: 3\n{'memory: yes' if memory else ''}\n"
        'pieces: {card: {has: {value: 1 to 18}, starts in: deck, noun: "{value}"}}\n'
        f"counters: {{game: {{count: 0}}}}\nzones:\n{zones}"
        "setup:\n  do:\n    - shuffle deck\n    - move top 2 of deck to row\n"
        "    - each seat: [move top 3 of deck to hand, move top 1 of deck to vault]\n"
        f"phases:\n  play:\n    do:\n      - each first 1 of seats:\n{lines}      - end game\n"
    )


def log_texts(*sentences: str, memory: bool = False, zones: str = ZONES) -> list[str]:
    """Return the last line for Ada, who moves, for Ben, who is next, for Cora, and for a spectator. Only the first card
    in her hand is called 'this' there."""
    game = Game.start(library.from_text(edition(*sentences, memory=memory, zones=zones), "passing"), NAMES, seed=1)
    first = (game.view(0).zone("hand", 0).pieces or ())[0]
    if game.decisions():
        game.answer(0, [first])
    results = [game.log.lines(seat)[-1].text for seat in (0, 1, 2, None)]
    return [line.replace(first, "this") for line in results]


GIFT = "choose 1 from hand as gift"
THEIRS = "(first 1 of opponents)'s"
HIDDEN, THIS = "A hidden piece.", "This."


@pytest.mark.parametrize(
    ("sentences", "expected"),
    [
        ((GIFT, 'log: "{gift}."', f"move gift to {THEIRS} hand"), [THIS, THIS, HIDDEN, HIDDEN]),
        ((GIFT, f"move gift to {THEIRS} hand", 'log: "{gift}."'), [THIS, THIS, HIDDEN, HIDDEN]),
        ((GIFT, f"move gift to {THEIRS} hand", "log: So it is.", 'log: "{gift}."'), [THIS, THIS, HIDDEN, HIDDEN]),
        (
            (GIFT, "move gift to parcel", 'log: "{parcel}."', f"move parcel to {THEIRS} hand"),
            [THIS, THIS, HIDDEN, HIDDEN],
        ),
        ((GIFT, 'log: "{gift}."', "move gift to row"), [THIS, THIS, THIS, THIS]),
        ((GIFT, "move gift to top of deck", 'log: "{gift}."'), [THIS, HIDDEN, HIDDEN, HIDDEN]),
        ((GIFT, f"move gift to {THEIRS} vault", 'log: "{gift}."'), [THIS, HIDDEN, HIDDEN, HIDDEN]),
        ((GIFT, 'log: "{gift}."', "if row is empty: end game", "move gift to row"), [THIS, HIDDEN, HIDDEN, HIDDEN]),
        ((GIFT, 'log: "{gift}."', "move hand to row"), [THIS, HIDDEN, HIDDEN, HIDDEN]),
    ],
)  # fmt: skip
@pytest.mark.parametrize("memory", [False, True])
def test_only_those_who_see_a_move_read_its_pieces(
    sentences: tuple[str, ...], expected: list[str], memory: bool
) -> None:
    assert [line.capitalize() for line in log_texts(*sentences, memory=memory)] == expected


@pytest.mark.parametrize("between", ["shuffle deck", "move row to deck", "add 1 to count"])
def test_earlier_moves_are_not_named(between: str) -> None:
    lines = log_texts(GIFT, f"move gift to {THEIRS} hand", between, 'log: "{gift}."')
    assert [line.capitalize() for line in lines] == [HIDDEN, THIS, HIDDEN, HIDDEN]


def test_an_empty_result_is_named_nothing() -> None:
    """The step could have given a piece."""
    text = edition("do pick as gift", f"move gift to {THEIRS} hand", 'log: "{gift}."', "move gift to row")
    text += "    steps: {pick: {gives: card, do: [each parcel as one: give one]}}\n"
    game = Game.start(library.from_text(text, "passing"), NAMES, seed=1)
    assert game.over and [game.log.lines(seat)[-1].text for seat in readers(game)] == ["nothing."] * 4


def test_pieces_that_do_not_arrive_are_not_named() -> None:
    small = ZONES.replace("till: {of: seat, seen by: all}", "till: {of: seat, seen by: all, at most: 0}")
    lines = log_texts(GIFT, 'log: "{gift}."', f"move gift to {THEIRS} till", zones=small)
    assert [line.capitalize() for line in lines] == [THIS, HIDDEN, HIDDEN, HIDDEN]
    lines = log_texts(GIFT, 'log: "{gift}."', f"move gift to {THEIRS} till")
    assert [line.capitalize() for line in lines] == [THIS] * 4


def test_rulebook_examples_name_moved_pieces() -> None:
    text = edition(GIFT, 'log: "{gift}."', f"move gift to {THEIRS} vault", f"move {THEIRS} vault to vault")
    game = Game.start(library.from_text(text, "passing"), NAMES, seed=1)
    first = (game.view(0).zone("hand", 0).pieces or ())[0]
    game.answer(0, [first])
    assert game.log.lines(views.NARRATOR)[-1].text == f"{first}."


# ── nobody reads what they could not see ──


class Watched(list[Any]):
    """State that records where its pieces go."""

    def __init__(self, state: State, index: int, pieces: int) -> None:
        super().__init__(state)
        self._cells, self._start = range(index, index + pieces), index
        self.moves: list[tuple[int, int, int]] = []

    def __setitem__(self, key: Any, value: Any) -> None:
        if isinstance(key, int) and key in self._cells:
            self.moves.append((key - self._start, self[key], value))
        super().__setitem__(key, value)


def draw_case(rng: random.Random) -> str:
    """Draw an edition of moves between zones, with log lines beside them, between them and about something else."""
    zones = (
        "row",
        "deck",
        "hand",
        "till",
        "vault",
        "parcel",
        *(f"{THEIRS} {one}" for one in ("hand", "till", "vault")),
    )
    sentences: list[str] = []
    names: list[str] = []
    for number in range(rng.randint(3, 7)):
        if rng.random() < 0.5:
            sentences.append(f"choose up to 2 from {rng.choice(zones)} as gift{number}")
            names.append(f"gift{number}")
        kind = rng.choice([*zones, *names, *names, f"top 2 of {rng.choice(zones)}", "hand where value is at least 9"])
        line = f'log: "{{{kind}}}, {{{rng.choice([*zones, *names])}}}."'
        body = [f"move {kind} to {rng.choice(('', 'bottom of '))}{rng.choice(zones)}"]
        if rng.random() < 0.3:
            body.append(rng.choice([f"shuffle {rng.choice(zones)}", f"move {rng.choice(zones)} to row"]))
        for _ in range(rng.randint(1, 2)):
            body.insert(rng.randint(0, len(body)), line)
        sentences += body
    return edition(*sentences, memory=rng.random() < 0.3)


def test_no_seat_reads_what_it_could_not_see() -> None:
    """Two states look alike to a seat, and it sees the same pieces come and go: then it reads the same."""
    compared = hidden = previous = 0
    for seed in range(150):
        rng = random.Random(seed)
        game = Game.start(library.from_text(draw_case(rng), "passing"), NAMES, seed=seed)
        while not game.over:
            [question] = game.machine.open_decisions(game.state)
            choice = rng.sample(list(question.candidates), rng.randint(question.least, question.most))
            for reader in readers(game):
                if (pair := hidden_pair(game, reader, rng)) is None:
                    continue
                partner = dict(zip(pair, reversed(pair), strict=True))
                worlds = [
                    (clone(game.state), choice),
                    (exchanged(game.state, game.program.layout, *pair), [partner.get(one, one) for one in choice]),
                ]
                (moves, lines), (others, like) = (run(game, s, answer, reader) for s, answer in worlds)
                if moves == others:
                    assert lines == like, (seed, reader)
                    compared += 1
                    hidden += sum(look is None for line in lines for look in line)
                    previous += sum(look is not None for line in lines for look in line)
            game.answer(question.seat, game.offer(question).keys(choice))
    assert compared > 300 and hidden > 300 and previous > 300, (compared, hidden, previous)


def run(game: Game, s: State, choices: list[int], reader: int | None) -> tuple[list[Any], list[list[int | None]]]:
    """Return the pieces that a seat sees leave and arrive before the next decision, and the lines that it reads."""
    machine, layout, space = game.machine, game.program.layout, game.messages.space
    watched, out = Watched(s, layout.piece_zones, layout.pieces), list[Any]()
    [question] = machine.open_decisions(s)
    machine.answer(watched, question, choices)
    machine.run(watched, out)
    sees: Callable[[int], bool] = lambda zone: views.sees_zone(space(zone), reader)  # noqa: E731
    moves = [(a, b, game.program.type_of[piece] if sees(a) or sees(b) else None) for piece, a, b in watched.moves]
    lines = [
        [item[0] if game.messages._sees(item, reader) else None for item in arguments[slot]]
        for text, _, arguments in out
        if arguments is not None
        for slot in game.program.texts[text].passed
    ]
    return moves, lines
