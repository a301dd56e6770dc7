"""Lookup of rules, pieces, words, zones and counters of an edition by any of their names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from rulewright.base.records import record
from rulewright.base.rule_keys import RuleKey
from rulewright.model.declarations import canonical
from rulewright.publish import word_properties
from rulewright.publish.labels import Labels
from rulewright.publish.rule_lookup import PIECE, piece_properties_of, rules_of
from rulewright.terminal import word_charts

_MAX_ENDING = 2
"""Limit of letters in which two forms of a word may differ at the end."""
_MIN_STEM = 4
"""Letters that two words must at least have in common to be forms of one."""


@record
class LookupEntry:
    """Thing with names, in the edition's and the reader's language.

    - label: as shown
    - names: by which it is found, as `fold` makes them
    - rules: keys of texts about it
    - chart: word list whose chart shows it, or ''
    - zone, counter: its name in the edition if it is one, or ''
    - carries: properties of its words, each with its label
    """

    label: str
    names: tuple[str, ...]
    rules: tuple[RuleKey, ...] = ()
    chart: str = ""
    zone: str = ""
    counter: str = ""
    carries: tuple[tuple[str, str], ...] = ()


def find(labels: Labels, text: str) -> list[LookupEntry]:
    """Find what a name stands for: exactly, else in other forms or order of its words, else as part of longer names; at
    each rules before other things. [] if nothing fits."""
    folded = fold(text)
    rules, others = list(_rule_entries(labels)), list(_thing_entries(labels))
    if not folded:
        return []

    def exact(name: str) -> bool:
        return name == folded

    def reordered(name: str) -> bool:
        return _contains_words(name, folded) and _contains_words(folded, name)

    strategies: list[tuple[list[LookupEntry], Callable[[str], bool]]] = [
        (rules, exact),
        (others, exact),
        ([*rules, *others], reordered),
        (rules, lambda name: folded in name),
        ([*rules, *others], lambda name: _contains_words(name, folded)),
    ]
    for things, fits in strategies:
        if matches := [thing for thing in things if any(map(fits, thing.names))]:
            return _with_rules(matches, rules)
    return []


def _with_rules(things: list[LookupEntry], rules: Iterable[LookupEntry]) -> list[LookupEntry]:
    """Put the rules that share a name with a thing without rules before all things."""
    names = {name for thing in things if not thing.rules for name in thing.names}
    return [*(rule for rule in rules if rule not in things and not names.isdisjoint(rule.names)), *things]


def find_by_part(labels: Labels, text: str) -> list[LookupEntry]:
    """Find what single words of a text stand for, those of four letters or more: what the word with the fewest matches
    stands for; [] if none does for anything."""
    words = [word for word in fold(text).split() if len(word) >= _MIN_STEM]
    return min(filter(None, (find(labels, word) for word in words)), key=len, default=[])


def all_names(labels: Labels) -> list[str]:
    """List all names that can be asked about, as `fold` makes them, sorted."""
    return sorted({name for thing in (*_rule_entries(labels), *_thing_entries(labels)) for name in thing.names})


def all_labels(labels: Labels) -> list[str]:
    """List the labels in the reader's language alone, as `fold` makes them, sorted."""
    return sorted({fold(thing.label) for thing in (*_rule_entries(labels), *_thing_entries(labels))})


def fold(name: str) -> str:
    """Normalize a name for comparison: no capitals, no plural s."""
    return canonical(name.casefold())


def is_choice(key: RuleKey) -> bool:
    """Return whether a rule is about one choice of an option, which is shown with the option."""
    return bool(key.choice)


def _rule_entries(labels: Labels) -> Iterator[LookupEntry]:
    """Yield entries for rules, rulings and word charts."""
    for key in labels.game.program.rules:
        if not is_choice(key):
            ruling = labels.edition.rulings.get(key.name) if key.section == "rulings" else None
            shown_rule = ruling.about if ruling is not None and ruling.about else key
            yield _make_entry(labels.rule(key), key.name or key, rules=(shown_rule,))
    for words in word_charts.charted_lists(labels.edition):
        yield _make_entry(labels.say(labels.terms.words(words)), words, chart=words)


def _thing_entries(labels: Labels) -> Iterator[LookupEntry]:
    """Yield entries for pieces, words, zones, counters, powers, roles and options, with the rules about them or their
    kind if there are any."""
    edition, rule_keys = labels.edition, labels.game.program.rules
    board_words, with_chart = labels.boards, word_charts.charted_lists(edition)
    for type_ in labels.game.program.types:
        kind_rules = rules_of(labels, PIECE, type_.name)
        charted = (words for words in edition.kinds[type_.kind].attributes.values() if words in with_chart)
        chart, carries = next(charted, ""), tuple(piece_properties_of(labels, type_.name))
        yield _make_entry(
            labels.piece(type_.name), type_.name, type_.plural, rules=kind_rules, chart=chart, carries=carries
        )
    for name, words in edition.words.items():
        kinds = [kind.name for kind in edition.kinds.values() if name in kind.attributes.values()]
        kind_rules = tuple(key for key in (RuleKey.of("pieces", kind) for kind in kinds) if key in rule_keys)
        for number, word in enumerate(words.words if name not in board_words else ()):
            chart = name if name in with_chart else ""
            label = labels.word(name, number)
            rules = (*_rule_if_present(RuleKey.of("words", name, word=word.name), rule_keys), *kind_rules)
            properties = tuple(word_properties.word_properties_of(labels.terms, labels.localizer, name, number))
            yield _make_entry(
                label, word.name, word.noun.one, word.noun.many, rules=rules, chart=chart, carries=properties
            )
    for name, zone in edition.zones.items():
        if zone.shown:
            yield _make_entry(
                labels.zone(name), name, rules=_rule_if_present(RuleKey.of("zones", name), rule_keys), zone=name
            )
    for name, counter in edition.counters.items():
        if counter.shown:
            yield _make_entry(
                labels.counter(name),
                name,
                rules=_rule_if_present(RuleKey.of("counters", name), rule_keys),
                counter=name,
            )
    for section, declared in (
        ("powers", labels.game.program.powers),
        ("roles", edition.roles),
        ("options", edition.options),
    ):
        for name in declared:
            yield _make_entry(
                labels.rule(RuleKey.of(section, name)),
                name,
                rules=_rule_if_present(RuleKey.of(section, name), rule_keys),
            )


def _rule_if_present(key: RuleKey, keys: Iterable[RuleKey]) -> tuple[RuleKey, ...]:
    """Return a rule's key if it is among others, else nothing."""
    return (key,) if key in keys else ()


def _make_entry(
    label: str,
    *other_names: str,
    rules: tuple[RuleKey, ...] = (),
    chart: str = "",
    zone: str = "",
    counter: str = "",
    carries: tuple[tuple[str, str], ...] = (),
) -> LookupEntry:
    """Return an entry that is found by its label and other names."""
    names = tuple(dict.fromkeys(map(fold, (label, *other_names))))
    return LookupEntry(label, names, rules, chart, zone, counter, carries)


def _contains_words(name: str, words: str) -> bool:
    """Return whether a name contains every wanted word, in some form."""
    return all(any(_are_forms(part, other) for other in name.split()) for part in words.split())


def _are_forms(first: str, second: str) -> bool:
    """Return whether two words differ at most by an ending: card and cards, Karte and Karten, carta and carte."""
    if canonical(first) == canonical(second):
        return True
    same = next(
        (index for index, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), min(len(first), len(second))
    )
    return same >= max(_MIN_STEM, max(len(first), len(second)) - _MAX_ENDING)
