"""Differences in what there is: players, words, pieces, zones, counters."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from rulewright.authoring.differences.pair import Difference, Pair, about, common, instead, missing
from rulewright.authoring.wording import Wording, capital, either, listed, many, spaced, span
from rulewright.model.declarations import (
    NUMBER,
    NUMBERS,
    Board,
    CounterDeclaration,
    Edition,
    Kind,
    WordList,
    Zone,
    number_of,
)


def players(pair: Pair) -> Iterator[Difference]:
    before, after = pair.before, pair.after
    if before.people != after.people:
        yield Difference(f"For {span(after.people)} players instead of {span(before.people)}.", about="players")
    if before.seats != after.seats:
        yield Difference(f"{span(after.seats)} seats at the table instead of {span(before.seats)}.", about="seats")


def components(pair: Pair) -> Iterator[Difference]:
    yield from _words(pair)
    yield from _boards(pair)
    yield from _kinds(pair)
    yield from about("sides", instead("Each seat plays {}", _side(pair.before), _side(pair.after)))
    yield from _zones(pair)
    yield from _counters(pair)


# ── words ──


def _words(pair: Pair) -> Iterator[Difference]:
    before, after = _lists(pair.before), _lists(pair.after)
    for name, words in missing(before, after):
        yield Difference(
            f"No {many(name)} (there were {listed(word.noun.one for word in words.words)}).", about=f"words.{name}"
        )
    for name, words in missing(after, before):
        told = listed(word.noun.one for word in words.words)
        yield Difference(f"New {many(name)}: {told}.", about=f"words.{name}")
    for name, old, new in common(before, after):
        yield from about(f"words.{name}", _listed(pair, name, old, new))


def _listed(pair: Pair, name: str, old: WordList, new: WordList) -> Iterator[Difference]:
    was, now = _described(pair.before, old), _described(pair.after, new)
    for word, _ in missing(was, now):
        yield Difference(f"No {pair.old.word(word)} among the {many(name)}.", about=f"words.{name}.{word}")
    for word, attributes in missing(now, was):
        told = ", ".join(f"{key}: {value}" for key, value in attributes.items())
        sentence = f"New among the {many(name)}: {pair.new.word(word)}" + (f" ({told})." if told else ".")
        yield Difference(sentence, about=f"words.{name}.{word}")
    for word, first, second in common(was, now):
        yield from about(f"words.{name}.{word}", _word(pair, word, first, second))


def _word(pair: Pair, word: str, first: dict[str, str], second: dict[str, str]) -> Iterator[Difference]:
    yield from instead(f"The {word} is called {{}}", pair.old.word(word), pair.new.word(word))
    for key in dict.fromkeys([*first, *second]):
        values = first.get(key, "none"), second.get(key, "none")
        yield from instead(f"{capital(pair.new.word(word))}, {key}: {{}}", *values)


def _described(edition: Edition, words: WordList) -> dict[str, dict[str, str]]:
    """Every word with its attributes as people read them."""

    def value(attribute: str, number: int) -> str:
        home = words.attributes[attribute]
        return named(home, number)

    def named(home: str, number: int) -> str:
        if home in NUMBERS:
            return str(number_of(home, number))
        return edition.words[home].words[number].noun.one if number >= 0 else "nothing"

    found = {word.name: {key: value(key, number) for key, number in word.attributes.items()} for word in words.words}
    for name, table in words.tables.items():
        columns = range(1, len(table.rows[0])) if table.by == NUMBER else range(len(table.rows[0]))
        for word, row in zip(words.words, table.rows, strict=True):
            found[word.name] |= {f"{name} for {named(table.by, n)}": named(table.holds, row[n]) for n in columns}
    return found


def _lists(edition: Edition) -> dict[str, WordList]:
    """The word lists that no board makes."""
    made = {name for board in edition.boards.values() for name in board.word_lists}
    return {name: words for name, words in edition.words.items() if name not in made}


# ── boards ──


def _boards(pair: Pair) -> Iterator[Difference]:
    before, after = pair.before.boards, pair.after.boards
    for name, board in missing(before, after):
        yield Difference(f"No board '{name}' (it had {_spaces_of(board)}).", about=f"boards.{name}")
    for name, board in missing(after, before):
        yield Difference(f"New board '{name}' with {_spaces_of(board)}.", about=f"boards.{name}")
    for name, old, new in common(before, after):
        called = instead(f"What is on the board {name} is called {{}}", old.spaces, new.spaces)
        ways = _ways(_beside(pair.before, old), _beside(pair.after, new))
        yield from about(f"boards.{name}", chain(called, _spaces(pair, name, old, new), ways))


def _spaces(pair: Pair, name: str, old: Board, new: Board) -> Iterator[Difference]:
    """What is on a board, with what is said of it; those of which the same is said stand together."""
    was = _described(pair.before, pair.before.words[old.spaces])
    now = _described(pair.after, pair.after.words[new.spaces])
    for told, spaces in (
        (f"Not on the board {name}", missing(was, now)),
        (f"New on the board {name}", missing(now, was)),
    ):
        if spaces:
            yield Difference(f"{told}: {listed(space for space, _ in spaces)}.")
    together: dict[tuple[str, str, str], list[str]] = {}
    for space, first, second in common(was, now):
        for key in dict.fromkeys([*first, *second]):
            together.setdefault((key, first.get(key, "none"), second.get(key, "none")), []).append(space)
    for (key, before, after), changed in together.items():
        yield from instead(f"{capital(listed(changed))}, {key}: {{}}", before, after)


def _ways(was: dict[str, list[str]], now: dict[str, list[str]]) -> Iterator[Difference]:
    """Which spaces are next to each other, of those that both have."""
    for space, first, second in common(was, now):
        before, after = ([other for other in beside if other in was and other in now] for beside in (first, second))
        if set(before) != set(after):
            yield from instead(f"{capital(space)} is next to {{}}", listed(before) or "none", listed(after) or "none")


def _spaces_of(board: Board) -> str:
    number = len(board.neighbours)
    return f"{number} {board.spaces if number == 1 else many(board.spaces)}"


def _beside(edition: Edition, board: Board) -> dict[str, list[str]]:
    """The names of the neighbours of every space."""
    names = [word.name for word in edition.words[board.spaces].words]
    return {name: [names[n] for n in others] for name, others in zip(names, board.neighbours, strict=True)}


# ── pieces ──


def _kinds(pair: Pair) -> Iterator[Difference]:
    before, after = pair.before.kinds, pair.after.kinds
    for name, kind in missing(before, after):
        yield Difference(f"No {pair.old.kind(kind, _total(kind))}.", about=f"pieces.{name}")
    for name, kind in missing(after, before):
        sentence = f"New: {_total(kind)} {pair.new.kind(kind, _total(kind))}."
        yield Difference(sentence, about=f"pieces.{name}")
    for name, old, new in common(before, after):
        yield from about(f"pieces.{name}", _kind(pair, name, old, new))


def _kind(pair: Pair, name: str, old: Kind, new: Kind) -> Iterator[Difference]:
    together = capital(pair.new.kind(new, 2))
    if "{" not in old.noun.one + new.noun.one:
        yield from instead(f"The {name} is called {{}}", old.noun.one, new.noun.one)
    yield from _how_many(pair, together, old, new)
    if old.starts_in != new.starts_in:
        zones = _zone(pair.before, old.starts_in), _zone(pair.after, new.starts_in)
        yield from instead(f"{together}: at the beginning in the {{}}", *zones)
    if old.power_in != new.power_in:
        zones = _zone(pair.before, old.power_in), _zone(pair.after, new.power_in)
        yield from instead(f"{together}: give powers in the {{}}", *zones)


def _how_many(pair: Pair, together: str, old: Kind, new: Kind) -> Iterator[Difference]:
    if set(old.attributes) != set(new.attributes):
        for attribute, _ in missing(old.attributes, new.attributes):
            yield Difference(f"{together}: no {attribute}.")
        for attribute, _ in missing(new.attributes, old.attributes):
            yield Difference(f"{together}: new, a {attribute}.")
        yield from instead(f"{together}: {{}} in all", str(_total(old)), str(_total(new)))
        return
    was, now = _counts(pair.old, old), _counts(pair.new, new)
    if not old.attributes:
        yield from instead(f"{together}: {{}}", str(_total(old)), str(_total(new)))
        return
    changed = [key for key, (_, count) in now.items() if was.get(key, ("", 0))[1] != count]
    steps = {(was[key][1] if key in was else 0, now[key][1]) for key in changed}
    if len(now) > 1 and len(changed) == len(now) == len(was) and len(steps) == 1:
        ((first, second),) = steps
        yield Difference(f"{together}: {second} of each instead of {first}.")
        return
    told = [f"{now[key][1]} {now[key][0]}" + (f" instead of {was[key][1]}" if key in was else "") for key in changed]
    told += [f"no {was[key][0]}" for key in was if key not in now]
    if told:
        yield Difference(f"{together}: {listed(told)} ({_total(new)} in all instead of {_total(old)}).")


def _counts(wording: Wording, kind: Kind) -> dict[frozenset[tuple[str, str]], tuple[str, int]]:
    """What one sort of a kind is called and how many there are, by its attributes."""
    return {
        frozenset(wording.attributes(kind, row).items()): (wording.piece(kind, row, count), count)
        for row, count in kind.rows
    }


def _total(kind: Kind) -> int:
    return sum(count for _, count in kind.rows)


# ── zones, counters ──


def _zones(pair: Pair) -> Iterator[Difference]:
    before, after = pair.before.zones, pair.after.zones
    for name, zone in missing(before, after):
        yield Difference(f"No {zone.noun.one}.", about=f"zones.{name}")
    for name, zone in missing(after, before):
        sentence = f"New place: {zone.noun.one}{_whose(zone)}, seen by {zone.seen_by}."
        yield Difference(sentence, about=f"zones.{name}")
    for name, old, new in common(before, after):
        yield from about(f"zones.{name}", _changed_zone(pair, name, old, new))


def _changed_zone(pair: Pair, name: str, old: Zone, new: Zone) -> Iterator[Difference]:
    shared = pair.before.kinds.keys() & pair.after.kinds.keys()
    the = f"{capital(new.noun.one)}{_whose(new)}"
    yield from instead(f"The {name} is called {{}}", old.noun.one, new.noun.one)
    yield from instead(f"{the}: {{}}", *(f"of each {z.of}" if z.of else "of the table" for z in (old, new)))
    yield from instead(f"{the}: seen by {{}}", old.seen_by, new.seen_by)
    yield from instead(f"{the}: at most {{}}", _limit(old), _limit(new))
    yield from instead(f"{the}: {{}}", *("a pile" if z.pile else "laid out" for z in (old, new)))
    if old.holds & shared != new.holds & shared:
        yield from instead(f"{the}: for {{}}", _held(pair.old, old.holds), _held(pair.new, new.holds))
    elif old.at_most and new.at_most and old.counting & shared != new.counting & shared:
        counts = _held(pair.old, old.counting), _held(pair.new, new.counting)
        yield from instead(f"{the}: {{}} count for its limit", *counts)
    if old.refills_from != new.refills_from:
        zones = _zone(pair.before, old.refills_from), _zone(pair.after, new.refills_from)
        yield from instead(f"{the}: refilled from {{}}", *zones)


def _counters(pair: Pair) -> Iterator[Difference]:
    """Numbers that people see. The others, and yes/no marks, are told by what the steps do with them."""
    before, after = _shown(pair.before), _shown(pair.after)
    for name, counter in missing(before, after):
        yield Difference(f"No {counter.noun.one}.", about=f"counters.{name}")
    for name, counter in missing(after, before):
        sentence = f"New: {counter.noun.one}, counted for {_counted_for(counter)}."
        yield Difference(sentence, about=f"counters.{name}")
    for name, old, new in common(before, after):
        the, begins = capital(new.noun.one), (pair.before.begins(old), pair.after.begins(new))
        called = instead(f"The {name} is called {{}}", old.noun.one, new.noun.one)
        started = instead(f"{the}: {{}} at the start", *begins)
        counted = instead(f"{the}: counted for {{}}", *map(_counted_for, (old, new)))
        yield from about(f"counters.{name}", chain(called, started, counted))


def _counted_for(counter: CounterDeclaration) -> str:
    return " and ".join(f"each {of}" for of in counter.marks or [counter.of] if of) or "the table"


def _shown(edition: Edition) -> dict[str, CounterDeclaration]:
    counters = edition.counters.items()
    shown = {name: counter for name, counter in counters if counter.shown and counter.holds != "truth"}
    return {name: counter for name, counter in shown.items() if not counter.side}


def _side(edition: Edition) -> str:
    return f"a {edition.sides} ({edition.begins(edition.counters[edition.sides])})" if edition.sides else "no side"


def _zone(edition: Edition, name: str) -> str:
    return edition.zones[name].noun.one if name in edition.zones else "nothing"


def _whose(zone: Zone) -> str:
    return f" of each {zone.of}" if zone.of else ""


def _limit(zone: Zone) -> str:
    limit = spaced(zone.at_most.text) if zone.at_most else "any number"
    return f"the {limit}" if zone.at_most and not limit.isdecimal() else limit


def _held(wording: Wording, kinds: frozenset[str]) -> str:
    return either(wording.kind(kind, 2) for name, kind in wording.edition.kinds.items() if name in kinds)
