"""Cross-references of rulebooks: worked out from the rules, and leading somewhere."""

from __future__ import annotations

import pytest

from rulewright.base.rule_keys import RuleKey
from rulewright.game import library
from rulewright.publish.rulebook.cross_references import related_rules

EDITIONS = ["wild-cards/2020", "wild-cards/2022", "wildlife/2002"]

FACTS = {
    # its change: the figure that the step shows
    ("wild-cards/2022", "powers.squirrel"): ["steps.refill"],
    # after a step, and what it does then
    ("wild-cards/2022", "powers.meerkat"): ["steps.show refill card", "steps.claim leader", "steps.lose leader"],
    # a figure that no text shows: the phase that asks for it; in the other edition it is a phase no more
    # (and the step that asks by place, which looks at who comes after whom)
    ("wild-cards/2022", "powers.lion"): ["phases.acquire animals", "steps.acquire an animal", "steps.settle tie"],
    ("wild-cards/2020", "powers.lion"): ["steps.acquire animals", "steps.acquire an animal", "steps.settle tie"],
    ("wild-cards/2020", "phases.resolve bids"): ["steps.refill hands", "steps.acquire animals"],
    # instead of a step without a text, that three others do in the end
    ("wildlife/2002", "powers.defence"): ["steps.attack", "steps.use an ability"],
    # asked for by its name
    ("wild-cards/2022", "options.even removal"): ["steps.remove animals"],
    ("wild-cards/2022", "options.leo keeps his card"): ["roles.leo"],
    # over a figure that is made of it
    ("wildlife/2002", "powers.intelligence"): ["phases.turns"],
}


@pytest.mark.parametrize(("name", "key"), FACTS)
def test_cross_references_have_their_targets(name: str, key: str) -> None:
    assert list(related_rules(library.load(name).edition).get(RuleKey(key), ())) == FACTS[name, key]


@pytest.mark.parametrize("name", EDITIONS)
def test_references_lead_to_printed_rules(name: str) -> None:
    edition = library.load(name).edition
    result = related_rules(edition)
    assert result and result.keys() <= edition.rule_texts().keys()
    for key, others in result.items():
        assert others and set(others) <= edition.rule_texts().keys()
        assert key not in others and len(set(others)) == len(others) <= 9
    changing = {f"{it.level}s.{it.name}" for it in edition.change_sets if it.changes or it.hooks}
    lines = {key for key in edition.rule_texts() if key.partition(".")[0] in ("powers", "roles", "options")}
    whole = {key for key in lines & changing if key in result or any(other.startswith(f"{key}.") for other in result)}
    assert whole == lines & changing  # whatever changes a rule leads to one


SHOP = """
rulewright: 1
title: Shop
players: 1 to 2
seats: 2
words: {trade: {baker: {}}}
pieces: {sign: {each: trade, starts in: box, power in: door}}
zones: {box: {seen by: all}, door: {of: seat, seen by: all}}
values: {seat: {price: 2, fee: 1, tax: fee}}
counters: {seat: {coins: 0}}
phases:
  morning:
    text: Sell, then buy.
    do: [each seat: do open, each seat: do sell]
    steps:
      sell: {text: "For {price}.", do: [add price to coins, do count]}
      open: [do sweep, do greet]
      greet: {text: Say hello., do: []}
  evening:
    text: Buy and count.
    do: [each seat: do count, do close]
    steps:
      count: {text: Count., do: []}
      sweep: {text: Sweep., do: []}
      close: [end game]
powers:
  baker: {text: Sells better., change: {price: 3}}
roles:
  bot: {text: Sells well., joins: {1: optional}, change: {price: 5}, instead of count: do sweep}
  clone: {text: Sells as well., like: bot}
options:
  crisis: {text: A crisis., change: {fee: 2}}
  sale:
    text: How cheap.
    choices: {cheap: {text: "Only {price}.", change: {price: 1}}, usual: {text: As usual.}}
scoring: {coins: {text: Coins., points: coins - tax}}
"""


def test_references_of_a_small_game() -> None:
    assert related_rules(library.from_text(SHOP).edition) == {
        "phases.morning": ("steps.sweep",),  # over a step without a text; what stands in the phase itself is beside it
        "steps.sell": ("steps.count",),
        "powers.baker": ("steps.sell",),
        "roles.bot": ("steps.sell", "steps.count", "steps.sweep"),
        "roles.clone": ("steps.sell", "steps.count", "steps.sweep"),
        "options.crisis": ("scoring.coins",),
        "options.sale": ("steps.sell",),
        "options.sale.choices.cheap": ("steps.sell",),
    }
