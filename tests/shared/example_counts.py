"""Numbers of examples and of editions that tests draw."""

from __future__ import annotations

import re
from collections.abc import Iterable

import pytest
from _pytest.mark import ParameterSet
from hypothesis import settings

from rulewright.game import library

USUAL = 100
SHORT = 24
"""Share of the examples that are drawn, in hundredths, so that a check takes no longer than needed; ten times as many
with --long."""


def few(examples: int) -> settings:
    """Return a number of examples where the usual number would take too long; more with --long."""
    assert settings.default is not None
    return settings(max_examples=max(1, examples * settings.default.max_examples // USUAL))


def one_in(many: int, names: Iterable[str]) -> list[ParameterSet]:
    """Return names of which each whole check tries one in so many, for what takes long and asks the same of each."""
    return [pytest.param(name, marks=pytest.mark.rotating(many)) for name in names]


def without_a_series() -> list[str]:
    """Shipped editions of games that stand alone, by the words of their files: to load all takes each process seconds
    before its first test."""
    paths = library.available()
    return sorted(name for name in one_of_each_game() if "\nseries:" not in paths[name].read_text("utf-8"))


def one_of_each_game() -> list[str]:
    """Shipped editions, without variants of games of a series: these are played alike, on another board."""
    texts = {name: path.read_text("utf-8") for name, path in library.available().items()}
    bases = {name: match[1] for name, text in texts.items() if (match := re.search(r"(?m)^extends: (.*)$", text))}
    return [name for name in texts if "\nseries:" not in texts.get(bases.get(name, ""), "")]


def some_editions(*always: str) -> list[ParameterSet]:
    """All shipped editions, for what takes long and asks the same of each: but for these only with --long."""
    return [pytest.param(name, marks=[] if name in always else [pytest.mark.long]) for name in library.available()]
