"""Cards that say what they do: played alike by both executors, told wherever a reader looks for them, checked."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

import pytest

from machines import same_game
from rulewright.authoring.differences import differences
from rulewright.authoring.edition_check import examine
from rulewright.authoring.explanations import explain
from rulewright.base.rule_keys import RuleKey
from rulewright.game import library
from rulewright.game.game import Game
from rulewright.game.library import Rules
from rulewright.publish.faces import rules_on
from rulewright.publish.labels import Labels
from rulewright.publish.rule_lookup import rule_texts, rules_of
from rulewright.publish.rulebook import markdown
from rulewright.publish.rulebook.book import rulebook
from rulewright.publish.rulebook.model import Rule
from rulewright.publish.rulebook.rulebook_builder import RulebookBuilder
from rulewright.publish.templates import messages
from rulewright.runtime import native
from rulewright.terminal import lookup

SPELLS = """
rulewright: 1
title: Spells
players: 2 to 3
words:
  spell:
    fireball:
      harm: 3
      text: Somebody loses {harm} lives.
      do:
        - choose 1 from opponents as victim: {ask: Who is burnt?}
        - as victim: do suffer for spell's harm
        - log: "{it} of {card's owner}"
    swap:
      title: Trade
      text: Everybody gives the next one a card.
      do:
        - each seat:
            - choose 1 from hand as given: {ask: Which card do you give?}
            - let next be left of you
            - as next: move given to hand
    rest: {text: "Gain {gain} lives.", do: add gain to lives}
    dud: {text: Nothing happens.}
pieces:
  card: {each: spell, copies: 3, starts in: deck, noun: "{spell}"}
  bomb: {starts in: pit, text: "Everybody loses {loss} life.", do: [each seat: take loss from lives, log: "{bomb}"]}
zones:
  deck: {seen by: nobody, pile: yes}
  pit: {seen by: all, holds: bomb}
  hand: {of: seat, seen by: owner}
  table: {of: seat, seen by: all}
values: {game: {gain: 2, loss: 1}}
counters: {seat: {lives: 6, shield: 1}}
setup: {text: Deal., do: [shuffle deck, each seat: move top 4 of deck to hand]}
phases:
  play:
    text: Everybody plays a card, then the bomb goes off.
    do:
      - each seat:
          - choose 1 from hand into table: {ask: What do you play?}
          - do what last 1 of table says
      - let ada be first 1 of seats
      - as ada: [if table is not empty: [each table as shown: [do what shown says]]]
      - do what first 1 of pit says
      - each seat: do what rest says
      - if every seat has (hand is empty): end game
    steps:
      suffer:
        for: {harm: number}
        text: Shields help once.
        do: [if shield is 0: [take harm from lives], set shield to 0]
scoring: {lives: {text: A point for each., points: lives}}
"""


@cache
def spells(old: str = "", new: str = "") -> Rules:
    assert old in SPELLS
    return library.from_text(SPELLS.replace(old, new) if old else SPELLS)


@pytest.mark.parametrize("seed", range(6))
def test_both_executors_run_the_rules_of_cards(seed: int) -> None:
    pytest.importorskip("wasmtime")
    for seats in (2, 3):
        machine = spells().machine(seats)
        other = native.Native(machine.program, ())
        same_game(machine, other, machine.new(seed), random.Random(seed).random, 200)


def test_a_book_has_a_chapter_for_rules_of_words() -> None:
    book = rulebook(RulebookBuilder(spells(), played=False))
    chapter = next(chapter for chapter in book.chapters if chapter.anchor == "words-spell")
    assert [(rule.title, rule.text) for rule in chapter.blocks if isinstance(rule, Rule)] == [
        ("Fireball", "Somebody loses 3 lives."),
        ("Trade", "Everybody gives the next one a card."),
        ("Rest", "Gain 2 lives."),
        ("Dud", "Nothing happens."),
    ]
    assert "Everybody loses 1 life." in markdown.text(book)


def test_texts_of_rules_stand_on_cards() -> None:
    rules = spells()
    game = Game.start(rules, ["Ada", "Ben"], seed=1)
    labels, kinds = Labels(game), rules.edition.kinds
    assert [list(rules_on(rules.edition, kinds["card"], row)) for row, _ in kinds["card"].rows][:1] == [
        [RuleKey.of("words", "spell", word="fireball")]
    ]
    assert [told.text for told in rule_texts(labels, rules_of(labels, "piece", "fireball"), 0)] == [
        "Somebody loses 3 lives."
    ]
    assert [told.text for told in rule_texts(labels, rules_of(labels, "piece", "bomb"), None)] == [
        "Everybody loses 1 life."
    ]
    assert [thing.rules for thing in lookup.find(labels, "Trade")] == [(RuleKey.of("words", "spell", word="swap"),)]


def test_rules_of_cards_are_in_the_catalogs() -> None:
    results = {message.context: message.one for message in messages([spells()])}
    assert results["words.spell.fireball.text"] == "Somebody loses {harm} lives."
    assert (results["words.spell.swap.title"], results["words.spell"]) == ("Trade", "spell")


def test_explanations_name_the_rules_of_cards(tmp_path: Path) -> None:
    [text] = explain(spells().edition, "fireball")
    rows = {row.label: row.lines for row in text.rows}
    assert rows["text"] == ("Somebody loses (harm) lives.",)
    assert rows["has"] == ("harm: 3",)
    assert "as victim: do suffer for spell's harm" in rows["says"]
    other = spells("as victim: do suffer for spell's harm", "do suffer for spell's harm")
    assert [each.sentence for each in differences(spells(), other)["What cards say"]] == ["Changed: Fireball."]
    assert "What cards say" not in differences(spells(), spells())
    assert check(tmp_path, SPELLS) == []
    assert check(tmp_path, SPELLS.replace('text: "Gain {gain} lives.", ', "")) == [
        ("untold", "No text explains the word 'rest'.")
    ]
    assert check(tmp_path, SPELLS.replace("loses {harm} lives", "loses 3 lives")) == [
        ("unbound", "This text goes on saying '3', whatever becomes of the rule.")
    ]
    undone = "\n".join(line for line in SPELLS.split("\n") if "do what" not in line)
    assert ("unused", "Nothing does what 'fireball' says.") in check(tmp_path, undone)


def check(folder: Path, text: str) -> list[tuple[str, str]]:
    file = folder / "spells.yaml"
    file.write_text(text.lstrip(), encoding="utf-8")
    _, report = examine(str(file))
    assert report.ok, str(report)
    return [(warning.code, warning.message) for warning in report.warnings]
