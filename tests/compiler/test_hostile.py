"""Editions, saves and answers as untrusted input: refused with a message, or harmless; never a traceback, never a
hang."""

from __future__ import annotations

import json
import math
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from call_limit import OutOfPatience, patience
from example_counts import few
from rulewright.authoring.lint import lint
from rulewright.base import resources
from rulewright.base.diagnostics import EditionError, Report, RulewrightError
from rulewright.compiler import work_budget
from rulewright.game import library
from rulewright.game.game import Game
from rulewright.game.library import Rules, UnknownEdition
from rulewright.runtime import machine
from rulewright.runtime.machine import RuleError
from small_games.bank import COUNT, STOPPED, TAKE, bank, chain, letters
from whole_games import EDITIONS, MARKET, NAMES, answer_to, check_state, everything, seatings

SHIPPED = resources.read_text("editions", "wild-cards", "2022.yaml")
VARIANT = resources.read_text("editions", "wild-cards", "2020.yaml")


# ── patience that is counted, not timed ──


def endless() -> None:
    number = 0
    while True:
        number += 1


def test_patience_times_out() -> None:
    def call(times: int) -> None:
        for _ in range(times):
            letters(1)

    def loop(times: int) -> None:
        for _ in range(times):
            pass

    with pytest.raises(OutOfPatience), patience(calls=100):
        call(1000)
    with pytest.raises(OutOfPatience), patience(lines=100):
        loop(1000)
    with patience(calls=100):
        loop(1000)
        call(10)


# ── games to spoil ──


def play(rules: Rules, seed: int, answers: int = 60) -> None:
    """Play a game with random answers and check every view; it may go on, end, or be stopped with a message."""
    rng = random.Random(seed)
    tables = list(seatings(rules))
    if not tables:
        return
    roles = rng.choice(tables)
    names = NAMES[: len(roles)]
    options = {name: rng.choice(option.choices) for name, option in rules.edition.options.items()}
    joining = {name: role for name, role in zip(names, roles, strict=True) if role}
    try:
        game = Game.start(rules, names, options, seed, joining)
        for _ in range(answers):
            check_state(rules, game.machine, game.state)
            everything(game)
            if game.over:
                return
            decision = rng.choice(game.decisions())
            game.answer(decision.seat, answer_to(decision, rng), decision.id)
    except RuleError as error:
        assert str(error).isprintable() and len(str(error)) < 1000


# ── editions that are refused ──


def figures(count: int, link: str, last: str) -> str:
    """Return terms that are each computed from the next."""
    terms = [f"    {letters(n)}: {link.format(next=letters(n + 1))}" for n in range(count)]
    return "\n".join(["terms:", "  game:", *terms, f"    {letters(count)}: {last}"])


def nested(depth: int, head: str, last: str) -> str:
    return "\n".join([f"{'  ' * n}{'- ' * bool(n)}{head}:" for n in range(depth)] + [f"{'  ' * depth}- {last}"])


def bomb() -> str:
    lists = "\n".join(f"  x{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 12))
    return f"rulewright: 1\nreconstructed:\n  x0: &a0 [1]\n{lists}\n"


REFUSED = {
    "aliases that explode": ("too-many-entries", bomb()),
    "deep nesting": ("too-deep", f"rulewright: 1\ntitle: {'[' * 5000}"),
    "huge file": ("file-too-large", bank() + "#" * 1_000_001),
    "control character": ("control-character", bank().replace("Bank", "Ba\x07nk")),
    "name with a control character": ("control-character", bank(more='options: {"a\\u0007": {text: a}}')),
    "name that commands a terminal": ("control-character", bank(more='options: {"a\\e[2J": {text: a}}')),
    "name like a path": ("bad-name", bank(more='options: {"../../etc": {text: a}}')),
    "step that does itself": ("circular", bank("do qa", steps=chain(0, "", "do qa"))),
    "steps in a circle": ("circular", bank("do qa", steps=chain(3, "do {next}", "do qa"))),
    "terms in a circle": ("circular", bank(more=figures(3, "{next} + 1", "qa"))),
    "endless sentence": ("syntax", bank(f"set tally to {'tally + ' * 12_500}1")),
    "too many parentheses": ("syntax", bank(f"set tally to {'(' * 200}tally{')' * 200}")),
    "thousands of pieces": ("wrong-value", bank(coins=9999)),
    "millions of pieces": ("too-many-pieces", bank(coins="1, has: {a: 1 to 999, b: 1 to 999}")),
    "a billion kinds": ("too-many-pieces", bank(coins="0, has: {a: 1 to 999, b: 1 to 999, c: 1 to 999}")),
    "thousands of seats": ("seats", bank().replace("players: 2", "players: 2000")),
    "very large number": ("number-too-large", bank("set tally to 99999999999")),
    "names of Python": ("syntax", bank(text='"{tally.__class__}"')),
    "names of Python in a log": ("syntax", bank('log: "{0.__class__.__mro__}"')),
    "format specifications": ("syntax", bank('log: "{tally:>1000000000} {tally!r}"')),
    "empty slot": ("syntax", bank('log: "{}"')),
    "blank slot": ("syntax", bank('log: "{ }"')),
    "slot in a slot": ("syntax", bank('log: "{{tally} is {tally"')),
    "unknown name in a slot": ("unknown-name", bank('log: "{nonsense}"')),
    "thousands of wrong slots": ("syntax", bank(text='"' + "{a}" * 3000 + '"')),
}


@pytest.mark.parametrize("code, text", REFUSED.values(), ids=REFUSED.keys())
def test_hostile_editions_are_refused(code: str, text: str) -> None:
    with patience(), pytest.raises(EditionError) as refused:
        library.from_text(text)
    assert code in {found.code for found in refused.value.report.errors}
    assert re.search(rf"^edition:\d+:\d+: error\[{code}\]: ", str(refused.value), re.MULTILINE)


DOUBLING = {
    "steps": bank("do qa", steps=chain(60, "{{do: [do {next}, do {next}]}}", "add 1 to tally")),
    "steps that do nothing": bank("do qa", steps=chain(60, "{{do: [do {next}, do {next}]}}", "{do: []}")),
    "steps that are never done": bank(
        "do qa", steps=chain(60, "{{do: [{{if no: do {next}}}, {{if no: do {next}}}]}}", "add 1 to tally")
    ),
    "terms": bank(more=figures(60, "{next} * {next}", "tally")),
    "terms that are known": bank(more=figures(60, "{next} * {next}", "2")),
    "slots": bank(text='"{qa}"', more=figures(60, "{next} + {next}", "1 + 1")),
}


@pytest.mark.parametrize("text", DOUBLING.values(), ids=DOUBLING.keys())
def test_doubling_does_not_explode(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sixty doublings would never end; the fuel is set low to save time."""
    monkeypatch.setattr(work_budget, "MAX_INSTRUCTIONS", 5000)
    with patience(), pytest.raises(EditionError) as refused:
        library.from_text(text)
    assert {found.code for found in refused.value.report.errors} == {"too-large"}


# ── editions that are large, strange or stop, but nothing worse ──

HARMLESS = {
    "nothing special": bank(),
    "long chain of steps": bank("do qa", steps=chain(300, "do {next}", COUNT)),
    "long chain of steps that ask": bank("each seat: do qa", steps=chain(300, "do {next}", TAKE)),
    "long chain of conditions": bank("do qa", steps=chain(150, "{{do: [{{if tally is 0: do {next}}}]}}", COUNT)),
    "long chain of loops": bank("do qa", steps=chain(40, "{{do: [{{each seat: do {next}}}]}}", "{do: []}")),
    "long chain of terms": bank(more=figures(300, "{next} + 1", "tally"), text='"{qa}"'),
    "loops in loops": bank(nested(14, "each seat", "add 0 to tally")),
    "loops that ask in loops": bank(nested(14, "each seat where tally is 1", TAKE)),
    "long sum": bank(f"set tally to {' + '.join(['tally'] * 120)}"),
    "long chain of no": bank(f"if {'not ' * 240}tally is 1: end game"),
    "long disjunction": bank(f"if {' or '.join(['tally is 1'] * 70)}: end game"),
    "long message": bank(text='"' + "Nothing to see. " * 20_000 + '"'),
    "thousands of slots": bank(text='"' + "{tally}" * 3000 + '"'),
    "division by zero in a log": bank('log: "{1 / tally rounded up}"'),
    "hundreds of steps": bank(*["do qa"] * 300, steps=chain(0, "", COUNT)),
    "hundreds of terms": bank(more="terms:\n  game:" + "".join(f"\n    {letters(n)}: {n}" for n in range(500))),
    "hundreds of pieces": bank(nested(2, "each coin", COUNT), coins=300),
    "seats that decide twice at once": bank(f"all players plus players at once:\n  - {TAKE}"),
}


@pytest.mark.rotating(3)
@pytest.mark.parametrize("text", HARMLESS.values(), ids=HARMLESS.keys())
def test_odd_editions_are_harmless_or_refused(text: str) -> None:
    with patience():
        try:
            rules = library.from_text(text)
        except EditionError as refused:
            assert refused.report.errors and len(str(refused)) < 100_000
        else:
            lint(rules.edition, Report())
            play(rules, 1, answers=3)


@pytest.mark.parametrize("message, text", STOPPED.values(), ids=STOPPED.keys())
def test_endless_games_stop_with_a_message(message: str, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert machine.FUEL_BETWEEN_DECISIONS <= 1_000_000
    rules = library.from_text(text)
    monkeypatch.setattr(machine, "FUEL_BETWEEN_DECISIONS", 10_000)
    with patience(lines=1_000_000), pytest.raises(RuleError, match=message):
        Game.start(rules, NAMES[:2], seed=1)


WORK = {
    "loops over all pieces": "repeat while yes:\n  - each coin as this:\n      - each coin as other: add 0 to tally",
    "loops in phases": "each coin as this:\n  - each coin as other: add 0 to tally",
    "conditions": "repeat while no coin has (no coin has (its owner is nobody)): add 0 to tally",
    "orders": "repeat while yes:\n  - each coin by random: add 0 to tally",
    "shuffling": "repeat while yes: shuffle bank",
}


@pytest.mark.parametrize("statement", WORK.values(), ids=WORK.keys())
def test_fuel_counts_work(statement: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A unit of fuel is worth a bounded amount of work, whatever instruction spends it."""
    text = bank(statement, coins=500).partition("      - each seat:\n")[0]
    rules = library.from_text(text)
    monkeypatch.setattr(machine, "FUEL_BETWEEN_DECISIONS", 1000)
    with patience(lines=3_000_000), pytest.raises(RuleError, match="never come to an end"):
        Game.start(rules, NAMES[:2], seed=1)


def test_fuel_counts_the_spaces_of_a_board(monkeypatch: pytest.MonkeyPatch) -> None:
    drawing = "".join("      " + "o" * 20 + "\n" for _ in range(20))
    text = bank("repeat while number of spots connected to a1 is 400: add 0 to tally").partition(
        "      - each seat:\n"
    )[0]
    rules = library.from_text(text + f"boards:\n  sea:\n    of: spot\n    legend: {{o: {{}}}}\n    map: |\n{drawing}")
    monkeypatch.setattr(machine, "FUEL_BETWEEN_DECISIONS", 2000)
    with patience(lines=500_000), pytest.raises(RuleError, match="never come to an end"):
        Game.start(rules, NAMES[:2], seed=1)


def test_texts_are_never_interpreted() -> None:
    """Markup and templates of other languages are shown literally, in editions, names and logs."""
    odd = "%s %(a)d $x ${x} `x` <b>x</b> \\x41 {{tally}} [x](y) __import__('os')"
    with pytest.raises(EditionError):
        library.from_text(bank(f'log: "{odd}"'.replace("\\", "\\\\")))  # the slot is {tally, within braces
    odd = odd.replace("{{tally}}", "{tally}")
    rules = library.from_text(bank(f'log: "{odd}"'.replace("\\", "\\\\").replace("{x}", "x")))
    names = ["{0.__class__}", "%s"]
    game = Game.start(rules, names, seed=1)
    assert game.log.lines(None)[1].text == odd.replace("{tally}", "0").replace("{x}", "x")
    assert json.loads(json.dumps(game.save()))["seats"] == [{"name": name} for name in names]


@pytest.mark.parametrize("name", ["", " ", "\n", "a\x00b", "a\x1b[2J", "a\u202eb", "\ud800", "x" * 41, "Ada"])
def test_odd_names_of_players(name: str) -> None:
    with pytest.raises(RulewrightError) as refused:
        Game.start(EDITIONS["market"], [name, "Ada"], seed=1)
    assert str(refused.value).isprintable()


LONG = "a" * 5000
ODD_FILES = ["", ".", "..", "/", "nowhere/at all", "nowhere.yaml", "a\x00b", "a\x00b.yaml", LONG, f"{LONG}.yaml"]
ODD_FILES += ["\ud800", "\ud800.yaml", "~", "*", "[", "(", "\\"]


@pytest.mark.parametrize("name", ODD_FILES, ids=ascii)
def test_odd_names_of_editions(name: str) -> None:
    with pytest.raises(UnknownEdition):
        library.load(name)


# ── spoilt copies ──


@dataclass(frozen=True)
class Slip:
    """Place and kind of a mutation: another line, a part of the line, a random word."""

    line: int
    other: int
    part: int
    word: str


def within(lines: list[str], slip: Slip, removed: int, added: str) -> list[str]:
    parts = re.findall(r"\s+|\w+|[^\w\s]", lines[slip.line])
    part = slip.part % (len(parts) or 1)
    parts[part : part + removed] = [added]
    return [*lines[: slip.line], "".join(parts), *lines[slip.line + 1 :]]


SLIPS: dict[str, Callable[[list[str], Slip], list[str]]] = {
    "delete": lambda lines, slip: lines[: slip.line] + lines[slip.line + 1 :],
    "double": lambda lines, slip: lines[: slip.line] + lines[slip.line :][:1] + lines[slip.line :],
    "copy": lambda lines, slip: lines[: slip.line] + lines[slip.other :][:1] + lines[slip.line :],
    "swap": lambda lines, slip: lines[: slip.line] + lines[slip.line :][:2][::-1] + lines[slip.line + 2 :],
    "replace": lambda lines, slip: lines[: slip.line] + lines[slip.other :][:1] + lines[slip.line + 1 :],
    "indent": lambda lines, slip: within(lines, Slip(slip.line, 0, 0, ""), 0, "  "),
    "another word": lambda lines, slip: within(lines, slip, 1, slip.word),
    "one more word": lambda lines, slip: within(lines, slip, 0, f" {slip.word} "),
    "one less word": lambda lines, slip: within(lines, slip, 1, ""),
}
ODD_WORDS = ["0", "-1", "999999999", "{", "}", "'", '"', ":", ": ", "\t", "é", "#", "- "]


@st.composite
def spoilt(draw: st.DrawFn, text: str) -> str:
    """Return a copy with up to three mutations."""
    lines = text.splitlines()
    words = sorted(set(re.findall(r"\w+|[^\w\s]", text)))
    for _ in range(draw(st.integers(1, 3))):
        last = len(lines) - 1
        word = draw(st.sampled_from(words) | st.sampled_from(ODD_WORDS))
        slip = Slip(draw(st.integers(0, last)), draw(st.integers(0, last)), draw(st.integers(0, 20)), word)
        lines = SLIPS[draw(st.sampled_from(list(SLIPS)))](lines, slip)
    return "\n".join(lines) + "\n"


def check_spoilt(text: str, seed: int, answers: int = 60) -> None:
    """Check that an edition is refused with places in it, or in the edition that it extends; or can be played."""
    with patience():
        try:
            rules = library.from_text(text)
        except EditionError as refused:
            for error in refused.report.errors:
                line = re.search(r"in edition, line (\d+)", error.hint) if error.place.file != "edition" else None
                assert line or error.place.file == "edition", error
                assert error.message and 1 <= (int(line[1]) if line else error.place.line) <= text.count("\n") + 1
        else:
            report = Report()
            lint(rules.edition, report)
            assert all(error.place.line <= text.count("\n") + 1 for error in report.diagnostics)
            play(rules, seed, answers)


SOME = 12
"""Return answers in games in which each takes long to enumerate."""


@pytest.mark.rotating(12)
@few(4)
@given(spoilt(SHIPPED), st.integers(0, 2**32))
def test_spoilt_shipped_edition(text: str, seed: int) -> None:
    check_spoilt(text, seed, SOME)


@pytest.mark.rotating(12)
@few(8)
@given(spoilt(VARIANT), st.integers(0, 2**32))
def test_spoilt_variant(text: str, seed: int) -> None:
    check_spoilt(text, seed, SOME)


@pytest.mark.rotating(3)
@few(60)
@given(spoilt(MARKET), st.integers(0, 2**32))
def test_spoilt_small_edition(text: str, seed: int) -> None:
    check_spoilt(text, seed)


# ── spoilt saves and answers ──

ODD: list[Any] = [None, True, "", "x", "Ada", -1, 0, 1, 10**30, 1.5, math.inf, math.nan, [], {}, [[]], {"x": {}}]


@cache
def saved() -> str:
    rules, rng = EDITIONS["market"], random.Random(1)
    game = Game.start(rules, NAMES[:2], seed=1)
    for _ in range(8):
        decision = game.decisions()[0]
        game.answer(decision.seat, answer_to(decision, rng))
    return json.dumps(game.save())


def a_save() -> dict[str, Any]:
    save: dict[str, Any] = json.loads(saved())
    return save


def spots(node: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of keys and indices to every value within a JSON value."""
    for key in node if isinstance(node, dict) else range(len(node)) if isinstance(node, list) else ():
        yield (*path, key)
        yield from spots(node[key], (*path, key))


def check_save(save: Any) -> None:
    """Check that a save is refused with a message, or resumes as the game that it describes."""
    try:
        game = Game.load(save, EDITIONS["market"])
    except RulewrightError as refused:
        assert str(refused).isprintable()
    else:
        assert everything(Game.load(json.loads(json.dumps(game.save())), EDITIONS["market"])) == everything(game)


@pytest.mark.rotating(2)
def test_spoilt_saves() -> None:
    """Each value of a save is replaced and left out."""
    for *outer, last in spots(a_save()):
        save = a_save()
        owner: Any = save
        for key in outer:
            owner = owner[key]
        for value in ODD:
            owner[last] = value
            check_save(save)
        del owner[last]
        check_save(save)


@pytest.mark.rotating(2)
@given(st.recursive(st.sampled_from(ODD), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)))
def test_random_data_as_save(save: Any) -> None:
    with pytest.raises(RulewrightError):
        Game.load(save)


@given(
    st.integers(-(10**6), 10**6),
    st.lists(st.text() | st.sampled_from(["0", "red gem", "hidden"])),
    st.text() | st.none(),
)
def test_random_data_as_answer(seat: int, keys: list[str], decision: str | None) -> None:
    game = Game.start(EDITIONS["market"], NAMES[:2], seed=1)
    before = everything(game)
    try:
        game.answer(seat, keys, decision)
    except RulewrightError as refused:
        assert str(refused)
        assert everything(game) == before
    else:
        assert seat in (0, 1) and (keys == [] or keys in (["red gem"], ["blue gem"]))
