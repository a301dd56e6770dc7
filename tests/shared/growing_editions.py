"""Editions that grow in one direction: each is made for a number, and is about twice as long for twice the number."""

from __future__ import annotations

from collections.abc import Callable

from small_games.bank import bank, letters


def _with_name(key: str, count: int, value: str) -> str:
    return f"{key}:\n  game:" + "".join(f"\n    {letters(n)}: {value}" for n in range(count))


def _board(columns: int, rows: int, more: str = "") -> str:
    return f"boards: {{field: {{of: space, size: {columns} by {rows}, neighbours: diagonal}}}}\n{more}"


def chained(count: int, last: str, link: str, of: str = "space") -> str:
    """Terms of which each is worked out from the next."""
    results = [f"    {letters(n)}: {link.format(next=letters(n + 1))}" for n in range(count)]
    return "\n".join(["terms:", f"  {of}:", *results, f"    {letters(count)}: {last}"])


GROWING: dict[str, tuple[int, Callable[[int], str]]] = {
    "counters": (
        100,
        lambda n: bank(more=_with_name("counters", n, "0").replace("counters:\n  game:", "terms:\n  game:")),
    ),
    "options": (50, lambda n: bank(more="options:" + "".join(f"\n  {letters(i)}: {{text: Say.}}" for i in range(n)))),
    "options with choices": (
        20,
        lambda n: bank(
            more="options:"
            + "".join(
                f"\n  {letters(i)}: {{text: Say., default: one, choices: {{one: {{text: A.}}, two: {{text: B.}}}}}}"
                for i in range(n)
            )
        ),
    ),
    "words": (50, lambda n: bank(more="words:\n  colour:" + "".join(f"\n    {letters(i)}: {{}}" for i in range(n)))),
    "word lists": (
        50,
        lambda n: bank(more="words:" + "".join(f"\n  {letters(i)}: {{w{letters(i)}: {{}}}}" for i in range(n))),
    ),
    "tables": (
        12,
        lambda n: bank(
            more="words:\n  ware: {"
            + ", ".join(f"{letters(i)}: {{}}" for i in range(n))
            + "}\n  building:"
            + "".join(f"\n    b{letters(j)}: {{price: {{{letters(0)}: 1, otherwise: {j}}}}}" for j in range(n))
        ),
    ),
    "roles": (20, lambda n: bank(more="roles:" + "".join(f"\n  {letters(i)}: {{text: Be.}}" for i in range(n)))),
    "sentences that are alike": (100, lambda n: bank(*["add 1 to tally"] * n)),
    "sentences that differ": (
        50,
        lambda n: bank(
            *(f"set tally to (number of coins in bank) * {i} + number of coins in purse of seats" for i in range(n))
        ),
    ),
    "sentences that ask": (20, lambda n: bank(*["each seat: [choose 1 from bank into purse]"] * n)),
    "steps": (
        50,
        lambda n: bank(
            *(f"do {letters(i)}" for i in range(n)),
            steps="    steps:" + "".join(f"\n      {letters(i)}: [add {i} to tally]" for i in range(n)),
        ),
    ),
    "chain of figures": (20, lambda n: bank(more=chained(n, "tally", "{next} + 1", "game"), text='"{qa}"')),
    "chain of steps": (
        20,
        lambda n: bank(
            "do qa",
            steps="\n".join(
                [
                    "    steps:",
                    *(f"      {letters(i)}: do {letters(i + 1)}" for i in range(n)),
                    f"      {letters(n)}: [add 1 to tally]",
                ]
            ),
        ),
    ),
    "loops inside loops": (
        4,
        lambda n: bank(
            "\n".join(["each coin:", *(f"{'  ' * i}- each coin:" for i in range(1, n)), f"{'  ' * n}- add 1 to tally"])
        ),
    ),
    "conditions inside conditions": (
        8,
        lambda n: bank(
            "set tally to " + "number of (coins where any coin has (" * (n // 2) + "it is it" + "))" * (n // 2)
        ),
    ),
    "sets inside sets": (8, lambda n: bank("set tally to number of " + "(" * n + "coins" + " where it is it)" * n)),
    "sums inside sums": (15, lambda n: bank("set tally to " + "(" * n + "1" + " + tally)" * n)),
    "parentheses that do nothing": (15, lambda n: bank("set tally to " + "(" * n + "tally" + ")" * n)),
    "parentheses around names": (15, lambda n: bank("move " + "(" * n + "bank" + ")" * n + " to purse")),
    "parentheses that do not close": (15, lambda n: bank("set tally to " + "(" * n + "tally")),
    "parentheses around what is wrong": (15, lambda n: bank("set tally to " + "(" * n + "tally tolly +" + ")" * n)),
    "parentheses around nothing": (15, lambda n: bank("set tally to " + "(" * n + ")" * n)),
    "parentheses one after the other": (15, lambda n: bank("shuffle " + "(bank) " * n)),
    "long sum": (60, lambda n: bank(f"set tally to {' + '.join(['tally'] * n)}")),
    "long union": (60, lambda n: bank(f"set tally to number of {' plus '.join(['bank'] * n)}")),
    "long conjunction": (30, lambda n: bank(f"if {' and '.join(['tally is 1'] * n)}: add 1 to tally")),
    "lists of texts": (100, lambda n: bank(text='"' + "Nothing to see. " * n + '"')),
    "slots": (50, lambda n: bank(text='"' + "{tally}" * n + '"')),
    "brackets in texts": (50, lambda n: bank(text='"' + "[" * n + '"')),
    "braces in texts": (50, lambda n: bank(text='"' + "{" * n + '"')),
    "unknown names": (50, lambda n: bank(*(f"add 1 to {letters(i)}" for i in range(n)))),
    "unknown keys": (50, lambda n: bank(more="\n".join(f"{letters(i)}: 1" for i in range(n)))),
    "brackets in YAML": (15, lambda n: bank(more="reconstructed: " + "[" * n + "]" * n)),
    "brackets in YAML that do not close": (50, lambda n: bank(more="reconstructed: " + "[" * n)),
    "braces in YAML": (15, lambda n: bank(more="reconstructed: " + "{a: " * n + "1" + "}" * n)),
    "deep lists": (15, lambda n: bank(more="reconstructed: " + "\n".join(" " * (i + 1) + "-" for i in range(n)))),
    "question marks in YAML": (15, lambda n: bank(more="reconstructed:\n  " + "? " * n + "a")),
    "long line of YAML": (
        500,
        lambda n: bank(more="reconstructed: {" + ", ".join(f"{letters(i)}: guess" for i in range(n)) + "}"),
    ),
    "comments": (500, lambda n: bank() + "# nothing\n" * n),
    "blank lines": (500, lambda n: bank() + "\n" * n),
    "quotes": (50, lambda n: bank() + "'" * n),
    "pieces": (40, lambda n: bank(coins=n)),
    "attributes": (
        5,
        lambda n: (
            bank(more="")
            .replace("coins, ", "")
            .replace(
                "coin: {", "coin: {has: {" + ", ".join(f"{letters(i)}: 1 to 1" for i in range(n)) + "}, noun: coin, "
            )
        ),
    ),
    "kinds": (
        20,
        lambda n: bank().replace(
            "zones:", "".join(f"  {letters(i)}: {{starts in: bank}}\n" for i in range(n)) + "zones:"
        ),
    ),
    "zones": (
        20,
        lambda n: bank().replace(
            "counters:", "".join(f"  {letters(i)}: {{seen by: all}}\n" for i in range(n)) + "counters:"
        ),
    ),
    "spaces": (5, lambda n: bank(more=_board(20, n))),
    "listed spaces": (
        20,
        lambda n: bank(
            more="boards: {world: {of: land, spaces: {"
            + ", ".join(f"{letters(i)}: {{next to: {letters(i + 1)}}}" for i in range(n))
            + f", {letters(n)}: {{}}"
            + "}}}"
        ),
    ),
    "scoring lines": (
        20,
        lambda n: bank(more="scoring:" + "".join(f"\n  {letters(i)}: {{points: tally, text: Say.}}" for i in range(n))),
    ),
    "rulings": (20, lambda n: bank(more="rulings:" + "".join(f"\n  {letters(i)}: {{text: Say.}}" for i in range(n)))),
    "cases": (
        20,
        lambda n: bank(
            more="terms: {game: {x: {by: tally, otherwise: 1, " + ", ".join(f"{i}: {i}" for i in range(n)) + "}}}"
        ),
    ),
    "phases": (
        10,
        lambda n: bank(more="").replace(
            "phases:\n",
            "phases:\n" + "".join(f"  {letters(i)}: {{text: Say., do: [add 1 to tally]}}\n" for i in range(n)),
        ),
    ),
    "anchors": (
        10,
        lambda n: bank(
            more="reconstructed:\n"
            + "\n".join(
                f"  {letters(i)}: &{letters(i)} [{'1' if not i else f'*{letters(i - 1)}, *{letters(i - 1)}'}]"
                for i in range(n)
            )
        ),
    ),
}
