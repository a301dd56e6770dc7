"""Rule lookup: texts about a thing on the table: its properties, the edition's texts about it, and their rulings."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.base.records import record
from rulewright.base.rule_keys import RuleKey
from rulewright.game.rule_texts import RuleTexts
from rulewright.program.form import PieceType
from rulewright.publish.faces import rules_on
from rulewright.publish.labels import Labels
from rulewright.publish.word_properties import piece_properties

PIECE = "piece"
"""Kind of thing to look up: a piece, by the name of its type."""
SECTIONS = {"zone": "zones", "counter": "counters", "power": "powers", "scoring": "scoring", "phase": "phases"}
"""Kinds of things that can be looked up besides pieces, with the section of their texts."""


@record
class ShownRule:
    """Rule text with its title. rulings: title and text of each ruling about it."""

    key: RuleKey
    title: str
    text: str
    rulings: tuple[tuple[str, str], ...] = ()


def rules_of(labels: Labels, kind: str, name: str) -> tuple[RuleKey, ...]:
    """Return the keys of the texts about a thing, nearest first; () if there are none, or no such thing. kind: PIECE or
    a key of SECTIONS; name: in the edition."""
    existing = labels.game.program.rules
    if kind == PIECE:
        type_ = labels.type(name)
        keys = list(_piece_rules(labels, type_)) if type_ is not None else []
    else:
        keys = [RuleKey.of(SECTIONS[kind], name)] if kind in SECTIONS else []
    return tuple(key for key in dict.fromkeys(keys) if key in existing)


def rule_texts(labels: Labels, keys: tuple[RuleKey, ...], seat: int | None) -> list[ShownRule]:
    """Return texts with the figures in force for a seat.

    A spectator gets the figures of the rulebook: figures may depend on what only a seat may see.
    """
    game = labels.game
    book = RuleTexts(game.rules, game.options)

    def text(key: RuleKey) -> str:
        if seat is not None:
            return game.rule_texts.rule(key, seat, labels.language)
        phrase_ = book.rule(key)
        return labels.say(phrase_) if phrase_ is not None else ""

    def about(key: RuleKey) -> tuple[tuple[str, str], ...]:
        return tuple((labels.rule(also), text(also)) for also in rulings(labels, key))

    return [ShownRule(key, labels.rule(key), text(key), about(key)) for key in keys]


def piece_properties_of(labels: Labels, piece: str) -> list[tuple[str, str]]:
    """List the titles and properties of a piece's words; [] for an unknown piece. piece: its name in the edition."""
    type_ = labels.type(piece)
    if type_ is None:
        return []
    kind = labels.edition.kinds[type_.kind]
    return piece_properties(labels.terms, labels.localizer, kind, tuple(type_.attributes.values()))


def rulings(labels: Labels, key: RuleKey) -> list[RuleKey]:
    """List the rulings about a rule."""
    declared = labels.edition.rulings.items()
    return [RuleKey.of("rulings", name) for name, ruling in declared if ruling.about == key]


def _piece_rules(labels: Labels, type_: PieceType) -> Iterator[RuleKey]:
    """Yield the rules that stand on a piece, including the power that it gives, then that of its kind."""
    kind = labels.edition.kinds[type_.kind]
    yield from rules_on(labels.edition, kind, tuple(type_.attributes.values()))
    yield RuleKey.of("pieces", kind.name)
