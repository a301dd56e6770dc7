"""Differences in players, words, boards, pieces, zones and counters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import chain

from rulewright.authoring.differences.comparison import Difference, EditionComparison, about, common, missing
from rulewright.authoring.differences.localized_edition import NOTHING, LocalizedEdition
from rulewright.authoring.edition_texts import one_line
from rulewright.i18n.localizer import phrase
from rulewright.model.declarations import NUMBER, Board, CounterDeclaration, Kind, WordList, Zone
from rulewright.model.edition import Edition

_Property = tuple[str, int | None]
"""Property of a word: (attribute, None), or (table, index of a column)."""
_Properties = dict[_Property, str]
"""Properties of a word: name -> its value as text."""


def players(pair: EditionComparison) -> Iterator[Difference]:
    """Yield the differences in numbers of players and seats."""
    before, after, span = pair.before, pair.after, pair.new.localizer.span
    people, seats = phrase("rulebook", "Players"), phrase("changes", "Seats at the table")
    yield from about("players", pair.instead(pair.say(people), span(*before.people), span(*after.people)))
    yield from about("seats", pair.instead(pair.say(seats), span(*before.seats), span(*after.seats)))


def components(pair: EditionComparison) -> Iterator[Difference]:
    """Yield the differences in words, boards, pieces, sides, zones and counters."""
    yield from _words(pair)
    yield from _boards(pair)
    yield from _kinds(pair)
    plays = pair.say(phrase("changes", "Side that a seat plays"))
    yield from about("sides", pair.instead(plays, _sides(pair.old), _sides(pair.new)))
    yield from _zones(pair)
    yield from _counters(pair)


# ── words ──


def _words(pair: EditionComparison) -> Iterator[Difference]:
    """Yield the differences in word lists."""

    def alone(side: LocalizedEdition, words: WordList) -> tuple[str, ...]:
        return side.words(words.name), side.say(_all_of(side, words))

    return pair.things("words.", (_lists(pair.before), _lists(pair.after)), alone, partial(_one_word_list, pair))


def _one_word_list(pair: EditionComparison, old: WordList, new: WordList) -> Iterator[Difference]:
    """Yield the differences of a word list that both editions have."""
    title = pair.new.words(new.name)
    was, now = (
        dict(zip(_names(words), _all_of(side, words), strict=True)) for side, words in _both_sides(pair, old, new)
    )
    for name, word in missing(was, now):
        yield from pair.gone_differences(title, [word], f"words.{new.name}.{name}")
    properties = _properties(pair.old, old), _properties(pair.new, new)
    for name, word in missing(now, was):
        has = properties[1][name].items()
        noted = [pair.new.localizer.entry(_property_title(pair.new, new, key), value) for key, value in has]
        with_notes = pair.new.localizer.with_note(word, pair.new.localizer.join_items(noted)) if noted else word
        yield from pair.new_differences(title, [with_notes], f"words.{new.name}.{name}")
    for name, first, second in common(was, now):
        differences = chain(
            pair.renamed(first, second),
            _property_changes(pair, (old, new), second, properties[0][name], properties[1][name]),
        )
        yield from about(f"words.{new.name}.{name}", differences)


def _property_changes(
    pair: EditionComparison, lists: tuple[WordList, WordList], words: str, first: _Properties, second: _Properties
) -> Iterator[Difference]:
    """Compare the properties of one word, or of several alike. words: their names, as readers see them; first, second:
    their properties before and after."""
    nothing = pair.say(NOTHING)
    for key in dict.fromkeys([*first, *second]):
        side, word_list = (pair.new, lists[1]) if key in second else (pair.old, lists[0])
        thing = pair.aspect(pair.new.localizer.title(words), _property_title(side, word_list, key))
        yield from pair.instead(thing, first.get(key, nothing), second.get(key, nothing))


def _properties(side: LocalizedEdition, words: WordList) -> dict[str, _Properties]:
    """Return the properties of each word, by its name."""
    properties: dict[str, _Properties] = {
        word.name: {
            (key, None): side.value_text(words.attributes[key], number) for key, number in word.attributes.items()
        }
        for word in words.words
    }
    for name, table in words.tables.items():
        columns = range(1, len(table.rows[0])) if table.by == NUMBER else range(len(table.rows[0]))
        for word, row in zip(words.words, table.rows, strict=True):
            properties[word.name] |= {(name, n): side.value_text(table.holds, row[n]) for n in columns}
    return properties


def _property_title(side: LocalizedEdition, words: WordList, key: _Property) -> str:
    """Return the title of an attribute, or of a column of a table, for readers."""
    name, column = key
    title = side.say(side.terms.attribute(words.name, name))
    if column is None:
        return title
    argument = side.value_text(words.tables[name].by, column)
    return side.say(phrase("changes", "{what} for {which}", what=title, which=argument))


def _all_of(side: LocalizedEdition, words: WordList) -> tuple[str, ...]:
    """Return the words of a list as readers see them."""
    return tuple(side.word(words.name, number) for number in range(len(words.words)))


def _names(words: WordList) -> list[str]:
    """Return the names of the words of a list in the edition."""
    return [word.name for word in words.words]


def _both_sides(pair: EditionComparison, old: WordList, new: WordList) -> Sequence[tuple[LocalizedEdition, WordList]]:
    """Return each edition with its word list, the old one first."""
    return (pair.old, old), (pair.new, new)


def _lists(edition: Edition) -> dict[str, WordList]:
    """Return the word lists that no board makes."""
    of_boards = {name for board in edition.boards.values() for name in board.word_lists}
    return {name: words for name, words in edition.words.items() if name not in of_boards}


# ── boards ──


def _boards(pair: EditionComparison) -> Iterator[Difference]:
    """Yield the differences in boards."""

    def alone(side: LocalizedEdition, board: Board) -> tuple[str, ...]:
        size = phrase("changes", "{count} [space|spaces]", count=len(board.neighbours))
        return side.rule(f"boards.{board.name}"), pair.say(size)

    def changed(old: Board, new: Board) -> Iterator[Difference]:
        yield from pair.renamed(pair.old.words(old.spaces), pair.new.words(new.spaces))
        yield from _spaces(pair, old, new)
        yield from _neighbour_changes(pair, old, new)

    return pair.things("boards.", (pair.before.boards, pair.after.boards), alone, changed)


def _spaces(pair: EditionComparison, old: Board, new: Board) -> Iterator[Difference]:
    """Compare the spaces of a board; those with the same difference stand together."""
    lists = pair.before.words[old.spaces], pair.after.words[new.spaces]
    was, now = (
        dict(zip(_names(words), _all_of(side, words), strict=True)) for side, words in _both_sides(pair, *lists)
    )
    board = pair.new.rule(f"boards.{new.name}")
    yield from pair.gone_differences(board, (space for _, space in missing(was, now)))
    yield from pair.new_differences(board, (space for _, space in missing(now, was)))
    first, second = _properties(pair.old, lists[0]), _properties(pair.new, lists[1])
    nothing = pair.say(NOTHING)
    groups: dict[tuple[_Property, str, str], list[str]] = {}
    for space, _, title in common(was, now):
        for key in dict.fromkeys([*first[space], *second[space]]):
            values = first[space].get(key, nothing), second[space].get(key, nothing)
            if values[0] != values[1]:
                groups.setdefault((key, *values), []).append(title)
    for (key, before, after), changed in groups.items():
        yield from _property_changes(pair, lists, pair.say(tuple(changed)), {key: before}, {key: after})


def _neighbour_changes(pair: EditionComparison, old: Board, new: Board) -> Iterator[Difference]:
    """Compare the neighbours of the spaces that both boards have."""
    was, now = _neighbour_names(pair.before, old), _neighbour_names(pair.after, new)
    names = {name: number for number, name in enumerate(_names(pair.after.words[new.spaces]))}
    # For translators: Which spaces of a board lie beside one: 'A1, next to: a2 and b1 instead of a2.'
    neighbours = phrase("changes", "next to")
    for space, first, second in common(was, now):
        before, after = ([other for other in beside if other in was and other in now] for beside in (first, second))
        if set(before) != set(after):
            neighbour_names = (
                _space_names(pair, new.spaces, [names[other] for other in others]) for others in (before, after)
            )
            thing = pair.new.localizer.title(pair.new.word(new.spaces, names[space]))
            yield from pair.instead(pair.aspect(thing, neighbours), *neighbour_names)


def _space_names(pair: EditionComparison, spaces: str, numbers: Iterable[int]) -> str:
    """List the names of spaces by their numbers in the new edition; 'nothing' for none."""
    return pair.say(tuple(pair.new.word(spaces, number) for number in numbers) or NOTHING)


def _neighbour_names(edition: Edition, board: Board) -> dict[str, list[str]]:
    """Return the names of each space's neighbours."""
    names = _names(edition.words[board.spaces])
    return {name: [names[n] for n in others] for name, others in zip(names, board.neighbours, strict=True)}


# ── pieces ──


def _kinds(pair: EditionComparison) -> Iterator[Difference]:
    """Yield the differences in kinds of piece."""

    def alone(side: LocalizedEdition, kind: Kind) -> tuple[str, ...]:
        return (side.counted(side.terms.any_of_kind(kind, _total(kind))),)

    return pair.things("pieces.", (pair.before.kinds, pair.after.kinds), alone, partial(_one_kind, pair))


def _one_kind(pair: EditionComparison, old: Kind, new: Kind) -> Iterator[Difference]:
    """Yield the differences of a kind of piece that both editions have."""
    thing = pair.new.kind(new.name)
    if "{" not in old.noun.one + new.noun.one:
        yield from pair.renamed(
            *(side.say(side.terms.any_of_kind(kind, 1)) for side, kind in ((pair.old, old), (pair.new, new)))
        )
    yield from _count_changes(pair, thing, old, new)
    for aspect, before, after in (
        (phrase("changes", "place at the beginning"), old.starts_in, new.starts_in),
        (phrase("changes", "place where they give powers"), old.power_in, new.power_in),
    ):
        if before != after:
            yield from pair.instead(pair.aspect(thing, aspect), _zone(pair.old, before), _zone(pair.new, after))


def _count_changes(pair: EditionComparison, thing: str, old: Kind, new: Kind) -> Iterator[Difference]:
    """Yield the differences in numbers of pieces of a kind: in total, or for each sort."""
    totals = [pair.new.localizer.number(_total(kind)) for kind in (old, new)]
    if set(old.attributes) != set(new.attributes):
        removed, added = missing(old.attributes, new.attributes), missing(new.attributes, old.attributes)
        yield from pair.gone_differences(thing, (pair.old.attribute(old, name) for name, _ in removed))
        yield from pair.new_differences(thing, (pair.new.attribute(new, name) for name, _ in added))
        yield from pair.instead(thing, *totals)
        return
    was, now = _sorts(pair.old, old), _sorts(pair.new, new)
    changed = [sort for sort in {**now, **was} if _number(was, sort) != _number(now, sort)]
    steps = {(_number(was, sort), _number(now, sort)) for sort in changed}
    if not old.attributes or not changed:
        yield from pair.instead(thing, *totals)
    elif len(steps) == 1 and 1 < len(changed) == len(now) == len(was):
        ((before, after),) = steps
        each = pair.aspect(thing, phrase("changes", "of each sort"))
        yield from pair.instead(each, *map(pair.new.localizer.number, (before, after)))
    else:
        counts = _counts_text(pair.old, old, was, changed), _counts_text(pair.new, new, now, changed)
        [one] = pair.instead(thing, *totals) if totals[0] != totals[1] else [pair.changed(thing)]
        yield Difference(one.sentence, *counts)


_Sort = frozenset[tuple[str, str]]
"""Properties of a piece, each with its value: what is equal in all of them is counted together."""
_Sorts = dict[_Sort, tuple[Sequence[int], int]]
"""Sort -> its row of attributes' values, and its number of pieces."""


def _sorts(side: LocalizedEdition, kind: Kind) -> _Sorts:
    """Return (values, number of pieces) of each sort of a kind, by its attributes."""
    return {frozenset(side.wording.attributes(kind, row).items()): (row, count) for row, count in kind.rows}


def _number(sorts: _Sorts, sort: _Sort) -> int:
    """Return the number of pieces of a sort; 0 for one that there is not."""
    return sorts[sort][1] if sort in sorts else 0


def _counts_text(side: LocalizedEdition, kind: Kind, sorts: _Sorts, selection: Iterable[_Sort]) -> str:
    """List the numbers of pieces of some sorts."""
    selected = [sorts[sort] for sort in selection if _number(sorts, sort)]
    return side.say(tuple(side.counted(side.terms.piece(kind, row, count)) for row, count in selected))


def _total(kind: Kind) -> int:
    """Count the pieces of a kind."""
    return sum(count for _, count in kind.rows)


# ── zones, counters ──


def _zones(pair: EditionComparison) -> Iterator[Difference]:
    """Yield the differences in zones."""

    def alone(side: LocalizedEdition, zone: Zone) -> tuple[str, ...]:
        """Return the title of a zone; of a new one, also its owner and who sees it."""
        note = (
            side.localizer.join_items([_owner_text(side, zone), _visibility_text(side, zone)])
            if side is pair.new
            else ""
        )
        return side.zone(zone.name), note

    return pair.things("zones.", (pair.before.zones, pair.after.zones), alone, partial(_zone_changed, pair))


def _zone_changed(pair: EditionComparison, old: Zone, new: Zone) -> Iterator[Difference]:
    """Yield the differences of a zone that both editions have."""
    shared = pair.before.kinds.keys() & pair.after.kinds.keys()
    thing, (was, now) = pair.new.zone(new.name), (pair.old, pair.new)
    piled, laid = pair.say(phrase("changes", "in a pile")), pair.say(phrase("changes", "laid out"))
    yield from pair.renamed(_zone(was, old.name), _zone(now, new.name))
    yield from pair.instead(thing, _owner_text(was, old), _owner_text(now, new))
    yield from pair.instead(thing, _visibility_text(was, old), _visibility_text(now, new))
    fits = pair.aspect(thing, phrase("changes", "at most"))
    yield from pair.instead(fits, _limit(was, old), _limit(now, new))
    yield from pair.instead(thing, *(piled if zone.pile else laid for zone in (old, new)))
    if old.holds & shared != new.holds & shared:
        # For translators: What may lie in a place: 'Hand, for: cards or tokens instead of cards.'
        holds = phrase("changes", "for")
        yield from pair.instead(pair.aspect(thing, holds), was.kinds(old.holds), now.kinds(new.holds))
    elif old.at_most and new.at_most and old.counting & shared != new.counting & shared:
        counting = pair.aspect(thing, phrase("changes", "counted for its limit"))
        yield from pair.instead(counting, was.kinds(old.counting), now.kinds(new.counting))
    if old.refills_from != new.refills_from:
        refilled = pair.aspect(thing, phrase("changes", "refilled from"))
        yield from pair.instead(refilled, _zone(was, old.refills_from), _zone(now, new.refills_from))


def _counters(pair: EditionComparison) -> Iterator[Difference]:
    """Compare the counters that people see. Differences of others show in the steps that use them."""

    def alone(side: LocalizedEdition, counter: CounterDeclaration) -> tuple[str, ...]:
        return side.counter(counter.name), _counted_for(side, counter) if side is pair.new else ""

    def changed(old: CounterDeclaration, new: CounterDeclaration) -> Iterator[Difference]:
        thing = pair.new.counter(new.name)
        yield from pair.renamed(*(side.say(side.terms.counter(new.name)) for side in (pair.old, pair.new)))
        begins = pair.aspect(thing, phrase("changes", "at the beginning"))
        yield from pair.instead(begins, pair.old.initial_text(old), pair.new.initial_text(new))
        yield from pair.instead(thing, _counted_for(pair.old, old), _counted_for(pair.new, new))

    return pair.things("counters.", (_visible_counters(pair.before), _visible_counters(pair.after)), alone, changed)


def _counted_for(side: LocalizedEdition, counter: CounterDeclaration) -> str:
    """Return the owners of a counter in words: 'for all together' for one of the game."""
    return side.owner_text([owner for owner in counter.marks or [counter.of] if owner])


def _visible_counters(edition: Edition) -> dict[str, CounterDeclaration]:
    """Return the counters that people see, without those of yes or no and that of sides."""
    counters = edition.counters.items()
    visible = {name: counter for name, counter in counters if counter.shown and counter.holds != "truth"}
    return {name: counter for name, counter in visible.items() if not counter.side}


def _sides(side: LocalizedEdition) -> str:
    """Return the counter of sides with all its words, as text; 'nothing' in an edition without sides."""
    edition = side.edition
    if not edition.sides:
        return side.say(NOTHING)
    words = edition.words[edition.counters[edition.sides].holds]
    return side.localizer.with_note(side.say(side.terms.counter(edition.sides)), side.say(_all_of(side, words)))


def _zone(side: LocalizedEdition, name: str) -> str:
    """Return a zone as it stands in a line; 'nothing' if there is none of this name."""
    return side.say(side.terms.zone(name) if name in side.edition.zones else NOTHING)


def _owner_text(side: LocalizedEdition, zone: Zone) -> str:
    """Return the owner of a zone in words: 'for all together' for one of the table."""
    return side.owner_text([zone.of] if zone.of else [])


def _visibility_text(side: LocalizedEdition, zone: Zone) -> str:
    """Return who sees a zone's pieces, in words."""
    if zone.seen_by == "all":
        return side.say(phrase("changes", "seen by all"))
    if zone.seen_by == "owner":
        return side.say(phrase("changes", "seen by its owner"))
    return side.say(phrase("changes", "seen by nobody"))


def _limit(side: LocalizedEdition, zone: Zone) -> str:
    """Return how many pieces a zone holds at most, in words."""
    if zone.at_most is None:
        return side.say(phrase("changes", "any number"))
    return side.limit(one_line(zone.at_most.text))
