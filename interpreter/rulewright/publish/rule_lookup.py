"""What there is to tell of a thing on the table: what it carries, the edition's texts about it, rulings about these."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.base.records import record
from rulewright.base.rule_keys import RuleKey
from rulewright.game.rule_texts import RuleTexts
from rulewright.program.form import PieceType
from rulewright.publish.faces import rules_on
from rulewright.publish.labels import Labels
from rulewright.publish.word_properties import of_piece

PIECE = "piece"
SECTIONS = {"zone": "zones", "counter": "counters", "power": "powers", "scoring": "scoring", "phase": "phases"}
"""What can be explained besides a piece, with the section of its text."""


@record
class Telling:
    """A text with its title. rulings: the same of the rulings about it."""

    key: RuleKey
    title: str
    text: str
    rulings: tuple[tuple[str, str], ...] = ()


def rules_of(labels: Labels, what: str, name: str) -> tuple[RuleKey, ...]:
    """The texts that tell of something, given by its name in the edition: none if there is no such thing."""
    told = labels.game.program.rules
    if what == PIECE:
        type_ = labels.type(name)
        keys = list(_of_piece(labels, type_)) if type_ is not None else []
    else:
        keys = [RuleKey.of(SECTIONS[what], name)] if what in SECTIONS else []
    return tuple(key for key in dict.fromkeys(keys) if key in told)


def tell(labels: Labels, keys: tuple[RuleKey, ...], seat: int | None) -> list[Telling]:
    """With the figures in force for a seat; for a spectator, with those of the rulebook: figures may depend on what a
    seat alone may see."""
    game = labels.game
    book = RuleTexts(game.rules, game.options)

    def text(key: RuleKey) -> str:
        if seat is not None:
            return game.rule(key, seat, labels.language)
        found = book.rule(key)
        return labels.say(found) if found is not None else ""

    def about(key: RuleKey) -> tuple[tuple[str, str], ...]:
        return tuple((labels.rule(also), text(also)) for also in rulings(labels, key))

    return [Telling(key, labels.rule(key), text(key), about(key)) for key in keys]


def carried_by(labels: Labels, piece: str) -> list[tuple[str, str]]:
    """What the words of a piece carry, given by its name in the edition: each with what it is called."""
    type_ = labels.type(piece)
    if type_ is None:
        return []
    kind = labels.edition.kinds[type_.kind]
    return of_piece(labels.terms, labels.speech, kind, tuple(type_.attributes.values()))


def rulings(labels: Labels, key: RuleKey) -> list[RuleKey]:
    """The rulings about a rule."""
    declared = labels.edition.rulings.items()
    return [RuleKey.of("rulings", name) for name, ruling in declared if ruling.about == key]


def _of_piece(labels: Labels, type_: PieceType) -> Iterator[RuleKey]:
    """What stands on it, the power that it gives among it, then what is told of its kind."""
    kind = labels.edition.kinds[type_.kind]
    yield from rules_on(labels.edition, kind, tuple(type_.attributes.values()))
    yield RuleKey.of("pieces", kind.name)
