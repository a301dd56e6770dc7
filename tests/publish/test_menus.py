"""Menus in books: what one can choose is told where no rule tells it."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.game import library
from rulewright.publish.rulebook import book as whole
from rulewright.publish.rulebook import markdown
from rulewright.publish.rulebook.rulebook_builder import RulebookBuilder

GAME = """
rulewright: 1
title: Purses
players: 2
counters: {seat: {coins: 0, debts: 0}}
phases:
  play:
    text: TEXT
    do: [each seat: do act, end game]
    steps:
      act:
        - choose one:
            ask: ASK
            among:
              income: {text: Take a coin., do: add 1 to coins}
              tax: {text: Take three coins., do: add 3 to coins}
              loan: {do: do borrow}
      borrow: {text: "Take five coins, and a debt.", do: [add 5 to coins, add 1 to debts]}
scoring: {coins: {text: A point each., points: coins}}
"""


def menu_text(folder: Path, text: str, ask: str = "What do you do?") -> str:
    (folder / "game.yaml").write_text(GAME.replace("TEXT", text).replace("ASK", ask), encoding="utf-8")
    return markdown.text(whole.rulebook(RulebookBuilder(library.load(str(folder / "game.yaml")))))


def test_branches_are_listed_where_no_rule_names_them(tmp_path: Path) -> None:
    """Branches stand below the rule that leads to them, even through a step without a text."""
    book = menu_text(tmp_path, "Do one of these.")
    course = book[book.index("Do one of these.") : book.index("Take five coins")]
    assert "### What do you do?\n\nTake a coin.\n\nTake three coins.\n\nLoan\n" in course


@pytest.mark.parametrize("text", ["Take a coin or three coins.", "Take a coin, take three coins, or borrow."])
def test_branches_in_a_rule_are_not_listed_again(tmp_path: Path, text: str) -> None:
    assert "What do you do?" not in menu_text(tmp_path, text)


def test_a_question_that_depends_on_the_game_is_no_title(tmp_path: Path) -> None:
    book = menu_text(tmp_path, "Do one of these.", '"You have {coins} coins. What now?"')
    assert "### One of these\n\nTake a coin." in book and "What now?" not in book
