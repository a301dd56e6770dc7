"""Editions, saves and answers as untrusted input: refused with words, or harmless; never a traceback, never a hang."""

from __future__ import annotations

import json
import math
import random
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright import library, machine, resources
from rulewright.compiler import emitter
from rulewright.diagnostics import EditionError, RulewrightError
from rulewright.game import Game
from rulewright.library import Rules, UnknownEdition
from rulewright.machine import RuleError
from test_properties import MARKET, NAMES, answer_to, check_state, everything, seatings

SHIPPED = resources.read_text("editions", "wild-cards", "2022.yaml")


# ── patience that is counted, not timed ──


class OutOfPatience(BaseException):
    """Much more work than this should ever need: somebody would call it a hang."""


@contextmanager
def patience(calls: int = 20_000_000, lines: int = 0) -> Iterator[None]:
    """Python's function calls, and its lines where a number is given, are counted. Checking and compiling a whole
    edition takes half a million calls."""
    left = [calls, lines]

    def count(frame: FrameType, event: str, argument: object) -> Any:
        left[event == "line"] -= 1
        if min(left) < 0:
            sys.settrace(None)
            raise OutOfPatience
        return count if lines else None

    before = sys.gettrace()
    sys.settrace(count)
    try:
        yield
    finally:
        sys.settrace(before)


def test_patience_ends() -> None:
    with pytest.raises(OutOfPatience), patience(calls=100):
        for number in range(1000):
            str.join("", map(lambda text: text, [str(number)]))
    with pytest.raises(OutOfPatience), patience(lines=100):
        while True:
            pass
    with patience(calls=10, lines=1000):
        assert sum(range(10**6)) > 0


# ── games to spoil ──


def play(rules: Rules, seed: int, answers: int = 60) -> None:
    """A game with random answers, looked at closely; it may go on, end, or be stopped in words."""
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
