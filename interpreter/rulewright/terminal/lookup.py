"""What people may ask about: every rule, piece, word, place and counter of an edition, by any name that it has."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from rulewright.base.records import record
from rulewright.base.rule_keys import RuleKey
from rulewright.model.declarations import canonical
from rulewright.publish import word_properties
from rulewright.publish.labels import Labels
from rulewright.publish.rule_lookup import PIECE, piece_properties_of, rules_of
from rulewright.terminal import word_charts

_ALIKE_ENDINGS = 2  # letters in which two forms of a word may differ at the end
_SHORTEST_STEM = 4


@record
class Thing:
    """Something with names, in the edition and in the reader's language. label: how it is shown; rules: keys of the
    texts that tell of it; chart: the list of words that a chart tells it by, or ''; zone, counter: its own name;
    carries: what it has as a word or by its words, each with what it is called."""

    label: str
    names: tuple[str, ...]
    rules: tuple[RuleKey, ...] = ()
    chart: str = ""
    zone: str = ""
    counter: str = ""
    carries: tuple[tuple[str, str], ...] = ()


def found(labels: Labels, asked: str) -> list[Thing]:
    """What a name stands for: exactly, else in another form or order of its words, else as a part of longer names."""
    wanted = folded(asked)
    rules, others = list(_rules(labels)), list(_others(labels))
    if not wanted:
        return []

    def exact(name: str) -> bool:
        return name == wanted

    def reordered(name: str) -> bool:
        return _covers(name, wanted) and _covers(wanted, name)

    ways: list[tuple[list[Thing], Callable[[str], bool]]] = [
        (rules, exact),
        (others, exact),
        ([*rules, *others], reordered),
        (rules, lambda name: wanted in name),
        ([*rules, *others], lambda name: _covers(name, wanted)),
    ]
    for things, fits in ways:
        if there := [thing for thing in things if any(map(fits, thing.names))]:
            return _with_rules(there, rules)
    return []


def _with_rules(things: list[Thing], rules: Iterable[Thing]) -> list[Thing]:
    """Before a word that was found in another form, the rules that are called as it is."""
    called = {name for thing in things if not thing.rules for name in thing.names}
    return [*(rule for rule in rules if rule not in things and not called.isdisjoint(rule.names)), *things]


def partly(labels: Labels, asked: str) -> list[Thing]:
    """What one of several words stands for: the one that stands for the least."""
    words = [word for word in folded(asked).split() if len(word) >= _SHORTEST_STEM]
    return min(filter(None, (found(labels, word) for word in words)), key=len, default=[])


def names(labels: Labels) -> list[str]:
    """All that can be asked about."""
    return sorted({name for thing in (*_rules(labels), *_others(labels)) for name in thing.names})


def labels(labels: Labels) -> list[str]:
    """The same in the reader's language alone."""
    return sorted({folded(thing.label) for thing in (*_rules(labels), *_others(labels))})


def folded(name: str) -> str:
    """A name as it is compared: without capitals, and without a plural's s."""
    return canonical(name.casefold())


def is_choice(key: RuleKey) -> bool:
    """Whether a text is of one choice of an option, which is told with the option."""
    return bool(key.choice)


def _rules(labels: Labels) -> Iterator[Thing]:
    for key in labels.game.program.rules:
        if not is_choice(key):
            ruling = labels.edition.rulings.get(key.name) if key.section == "rulings" else None
            tells = ruling.about if ruling is not None and ruling.about else key
            yield _thing(labels.rule(key), key.name or key, rules=(tells,))
    for words in word_charts.told(labels.edition):
        yield _thing(labels.say(labels.terms.words(words)), words, chart=words)


def _others(labels: Labels) -> Iterator[Thing]:
    """What has a name: with the texts of its kind, or none."""
    edition, told = labels.edition, labels.game.program.rules
    drawn, with_chart = labels.boards, word_charts.told(edition)
    for type_ in labels.game.program.types:
        there = rules_of(labels, PIECE, type_.name)
        charted = (of for of in edition.kinds[type_.kind].attributes.values() if of in with_chart)
        chart, carries = next(charted, ""), tuple(piece_properties_of(labels, type_.name))
        yield _thing(labels.piece(type_.name), type_.name, type_.plural, rules=there, chart=chart, carries=carries)
    for name, words in edition.words.items():
        kinds = [kind.name for kind in edition.kinds.values() if name in kind.attributes.values()]
        there = tuple(key for key in (RuleKey.of("pieces", kind) for kind in kinds) if key in told)
        for number, word in enumerate(words.words if name not in drawn else ()):
            chart = name if name in with_chart else ""
            label = labels.word(name, number)
            rules = (*_of(RuleKey.of("words", name, word=word.name), told), *there)
            has = tuple(word_properties.word_properties_of(labels.terms, labels.speech, name, number))
            yield _thing(label, word.name, word.noun.one, word.noun.many, rules=rules, chart=chart, carries=has)
    for name, zone in edition.zones.items():
        if zone.shown:
            yield _thing(labels.zone(name), name, rules=_of(RuleKey.of("zones", name), told), zone=name)
    for name, counter in edition.counters.items():
        if counter.shown:
            yield _thing(labels.counter(name), name, rules=_of(RuleKey.of("counters", name), told), counter=name)
    for section, declared in (
        ("powers", labels.game.program.powers),
        ("roles", edition.roles),
        ("options", edition.options),
    ):
        for name in declared:
            yield _thing(labels.rule(RuleKey.of(section, name)), name, rules=_of(RuleKey.of(section, name), told))


def _of(key: RuleKey, told: Iterable[RuleKey]) -> tuple[RuleKey, ...]:
    return (key,) if key in told else ()


def _thing(
    label: str,
    *named: str,
    rules: tuple[RuleKey, ...] = (),
    chart: str = "",
    zone: str = "",
    counter: str = "",
    carries: tuple[tuple[str, str], ...] = (),
) -> Thing:
    names = tuple(dict.fromkeys(map(folded, (label, *named))))
    return Thing(label, names, rules, chart, zone, counter, carries)


def _covers(name: str, wanted: str) -> bool:
    """Whether every word that is wanted stands in a name, in some form."""
    return all(any(_alike(part, other) for other in name.split()) for part in wanted.split())


def _alike(one: str, other: str) -> bool:
    """Whether two words are hardly more than two forms of one: card and cards, Karte and Karten, carta and carte."""
    if canonical(one) == canonical(other):
        return True
    same = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return same >= max(_SHORTEST_STEM, max(len(one), len(other)) - _ALIKE_ENDINGS)
