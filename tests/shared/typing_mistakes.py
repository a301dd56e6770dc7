"""Small mistakes such as people make while they write a rule file. One number, one broken file."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

Rng = random.Random
Change = Callable[[str, Rng], list[str]]
"""Function that returns the misspelt variants of a line."""


def mistyped(text: str, seed: int) -> str:
    """A text with one or two mistakes; now and then it happens to be one that is none."""
    rng = Rng(seed)
    for _ in range(rng.choice([1, 1, 1, 2])):
        pattern, change = rng.choice(MISTAKES)
        lines = text.split("\n")
        existing = [n for n, line in enumerate(lines) if re.search(pattern, line) and not re.match(r"\s*(#|$)", line)]
        if existing:
            index = rng.choice(existing)
            lines[index : index + 1] = change(lines[index], rng)
            text = "\n".join(lines)
    return text


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


def _one(pattern: str, new: Callable[[str, Rng], str]) -> tuple[str, Change]:
    """Something else in one of the places that look so."""

    def change(line: str, rng: Rng) -> list[str]:
        result = rng.choice(list(re.finditer(pattern, line)))
        return [line[: result.start()] + new(result[0], rng) + line[result.end() :]]

    return pattern, change


def _misspelt(word: str, rng: Rng) -> str:
    index = rng.randrange(len(word) - 1)
    swapped = word[:index] + word[index + 1] + word[index] + word[index + 2 :]
    return rng.choice([word[:index] + word[index + 1 :], swapped, word[: index + 1] + word[index:], word + "s"])


def _nothing(_: str, rng: Rng) -> str:
    return ""


MISTAKES: tuple[tuple[str, Change], ...] = (
    ("", lambda line, rng: [" " * rng.choice([1, 2, 3, 4]) + line]),
    ("^ ", lambda line, rng: [line[min(len(_indent(line)), rng.choice([1, 2, 3, 4])) :]]),
    ("", lambda line, rng: []),
    ("", lambda line, rng: [line, line]),
    ("", lambda line, rng: ["\t" + line]),
    ("", lambda line, rng: [line + rng.choice([".", ":", " =", ",", "}", "]", " and", " {"])]),
    ("", lambda line, rng: [line, f"{_indent(line)}new thing:"]),
    ("", lambda line, rng: [line, f"{_indent(line)}- move card to hand"]),
    (r":\s*\S", lambda line, rng: [line[: line.index(":") + 1]]),
    _one(r":(?= |$)", _nothing),
    _one(r": ", lambda matched, rng: ":"),
    _one(r"[\[\]{}]", _nothing),
    _one(r"[\"']", _nothing),
    _one(r",", _nothing),
    _one(r"[a-z]{3,}", _misspelt),
    _one(r"[a-z]{4,}", _misspelt),
    _one(r"[a-z]{5,}", _misspelt),
    _one(r" [a-z]+(?= )", _nothing),
    _one(r"\b[a-z]+ [a-z]+\b", lambda matched, rng: " ".join(matched.split()[::-1])),
    _one(r"- ", lambda matched, rng: rng.choice(["-", ""])),
    _one(r"\d+", lambda matched, rng: rng.choice(["", "-1", "100000000", "x", "1.5"])),
)
