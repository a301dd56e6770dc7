"""A harmless edition with something added, and what then stops its games."""

from __future__ import annotations

BASE = """\
rulewright: 1
title: Bank
players: 2
pieces:
  coin: {{copies: {coins}, starts in: bank}}
zones:
  bank: {{seen by: all, pile: yes}}
  purse: {{of: seat, seen by: owner}}
counters:
  game: {{tally: 0}}
{more}
phases:
  play:
    text: {text}
    do:
{do}
      - each seat:
          - choose 1 from bank into purse: {{ask: Take a coin.}}
      - if bank is empty: end game
{steps}
"""


def bank(*do: str, more: str = "", steps: str = "", text: str = "Play.", coins: object = 6) -> str:
    """A harmless edition with something added. do: statements, whose further lines are indented as they need it."""
    body = "\n".join("      - " + statement.replace("\n", "\n        ") for statement in do)
    return BASE.format(do=body, more=more, steps=steps, text=text, coins=coins)


def letters(number: int) -> str:
    """A name for a number."""
    return "q" + "".join(chr(ord("a") + int(digit)) for digit in str(number))


def chain(count: int, link: str, last: str) -> str:
    """Steps of which each does the next, as `link` says for {next}."""
    results = [f"      {letters(n)}: {link.format(next=letters(n + 1))}" for n in range(count)]
    return "\n".join(["    steps:", *results, f"      {letters(count)}: {last}"])


TAKE = "choose 1 from bank into purse"


COUNT = "add 1 to tally"


ZERO = r"edition:\d+: .*divides by zero"


LARGE = r"edition:\d+: .*grows beyond 2,147,483,647"


ENDLESS = r"never come to an end in 'play'"


STOPPED = {
    "division by zero": (ZERO, bank("set tally to 1 / tally rounded up")),
    "division by zero in an order": (ZERO, bank(f"each seat by highest (1 / tally rounded up): {COUNT}")),
    "square after square": (LARGE, bank("set tally to 99999", "set tally to tally * tally")),
    "sum after sum": (LARGE, bank("repeat while yes: add 999999999 to tally")),
    "below all numbers": (LARGE, bank("repeat while yes: take 999999999 from tally")),
    "nobody": (r"edition:\d+: .*nobody", bank("let this be first 1 of bank", "as this's owner: move this to purse")),
    "endless repetition": (ENDLESS, bank("repeat while yes: add 0 to tally")),
    "endless counting": (ENDLESS, bank("repeat 999999999 times: add 0 to tally")),
    "endless phases": (
        ENDLESS,
        bank(more="limit: {rounds: 100000}")
        .replace(TAKE, "repeat 20 times: add 0 to tally")
        .replace(": {ask: Take a coin.}", ""),
    ),
    "nobody to ask": (ENDLESS, bank(f"repeat while yes:\n  - each seat where tally is 1:\n      - {TAKE}")),
    "nothing to ask": (
        "never come to an end in 'qa'",
        bank("each seat: do qa", steps=chain(0, "", "{do: [{repeat while yes: [choose 0 from bank into purse]}]}")),
    ),
}
