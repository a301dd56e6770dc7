"""The context: what every part of the compiler works with. It knows messages, sets and zones; what else a sentence
means is told by functions that take it, module on module."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import field, replace
from functools import reduce

from rulewright.base.diagnostics import Report, SourcePlace
from rulewright.base.records import record
from rulewright.compiler.dead_iterations import effective_members
from rulewright.compiler.edition_analysis import EditionAnalysis
from rulewright.compiler.emitter import NONE, ONE, ZERO, Emitter, constant, constant_value
from rulewright.compiler.fractions import to_fraction
from rulewright.compiler.layout import LayoutBuilder
from rulewright.compiler.saved_cells import AtOnceSchedule, Subroutine
from rulewright.compiler.typed_values import (
    FRACTION,
    NUMBER,
    TRUTH,
    Amounts,
    AtOnceProgress,
    Binding,
    Group,
    Meaning,
    ReportedError,
    Scope,
    Value,
    ZoneGroup,
    describe,
    fits,
    member_type,
    set_of,
)
from rulewright.compiler.work_budget import WorkBudget
from rulewright.model.declarations import Edition, Figure, Step, Zone, canonical
from rulewright.model.salvage import names_made
from rulewright.program.form import Function, Sealed, Site, Text, Type
from rulewright.syntax import sentences
from rulewright.syntax.source import Scalar
from rulewright.syntax.tree import AnyNode, Expression, Name, Node, Span

_AS_CONDITION = "Compare it with something, as in '… is more than 0'."
_AS_ONE_AMOUNT = "Say 'for' which of its words; or how many in all: 'number of …'."
_AS_WHOLE = "Round it, as in '(…) / 1 rounded down'. A counter holds fractions if it starts with one, as at 0.0."
_AS_QUESTION = "Ask whether there are any: '… is not empty'."


SET, COUNTER, PLACE, ANYTHING = "set", "counter", "place", "anything"
"""What a place of a sentence asks for, beside the bases of types; a set of a base ends in SET, too."""


@record
class Condition:
    """A condition, with all that it came to wherever it was compiled: 0, 1, or None where that is not known before
    the game."""

    scalar: Scalar
    tree: Expression
    outcomes: set[int | None] = field(default_factory=set)

    @property
    def span(self) -> Span:
        """Where it begins and ends in its sentence."""
        assert self.tree.span is not None
        return self.tree.span


@record
class Doubt:
    """What is understood, and perhaps not meant so. code: of the warning."""

    place: SourcePlace
    code: str
    message: str
    hint: str


class Context:
    """An edition being compiled for one number of seats.

    meaning, everyone, figure, effect, progress, set_progress, optional: functions of modules above those that need
    them, as a sentence in brackets is an expression again; `build` says which.
    """

    meaning: Callable[..., Meaning]
    every_seat: Callable[..., Group | None]
    figure: Callable[..., Meaning]
    before_effect: Callable[..., None]
    progress: Callable[..., AtOnceProgress]
    set_progress: Callable[..., None]
    ask_yes_no: Callable[..., None]
    trace: Callable[..., AbstractContextManager[None]] = staticmethod(lambda node, scope: nullcontext())
    """What stands around each sentence while it is compiled."""

    def __init__(
        self, edition: Edition, plan: LayoutBuilder, report: Report, outline: EditionAnalysis, doubting: bool = False
    ) -> None:
        """doubting: whether `doubts` are asked for."""
        self.edition, self.plan, self.report, self.warns_of_doubts = edition, plan, report, doubting
        self.analysis = outline
        self.work = WorkBudget()
        self.emit = self.emitter()
        self.has_number_lists = any(c.most and c.holds == NUMBER.base for c in edition.counters.values())
        self.functions: list[Function] = []
        self.sites: list[Site] = []
        self.enclosing_sites: tuple[
            int, ...
        ] = ()  # the sites of menus and yes/no questions whose bodies are being compiled
        self.sealed: list[Sealed] = []
        self.texts: list[Text] = []
        self.blocks = 0
        self.block_steps: dict[int, str] = {}
        self.schedules: dict[int, AtOnceSchedule] = {}
        self.subroutines: dict[str, Subroutine] = {}
        self.pending: list[Subroutine] = []
        self.phase_ends: list[int] = []  # the block behind each phase, if a sentence ends one
        self.site_ids: dict[str, list[SourcePlace]] = {}
        self.checked_steps: set[str] = set()  # that are compiled for whoever may do them, with whatever they are told
        self.current_step = ""  # the step whose body is being compiled
        self.dispatched_steps: dict[str, list[Step]] = {}  # by what says so, what is done there of what something says
        self.single_numbers: set[tuple[str, Type]] = set()  # what is no amounts, by its name and whose it is
        self.visibilities: set[str] = set()  # by whom what has been looked at is seen: 'all', 'owner', 'nobody'
        self.conditions: dict[tuple[SourcePlace, int, int], Condition] = {}
        self.doubts: dict[SourcePlace, Doubt] = {}
        self.shadowed: dict[
            Binding, SourcePlace
        ] = {}  # names made that a list inside gives to something else, and where
        self.checked_figures: set[str] = set()  # that are compiled for whatever they may be worked out for
        self.scalar = Scalar("", plan.nowhere, True)
        self.open_figures: tuple[str, ...] = ()
        self.figures = {canonical(name): figure for name, figure in edition.figures.items()}
        self.counters = {canonical(name): counter for name, counter in edition.counters.items()}
        self.zones = {canonical(name): zone for name, zone in edition.zones.items()}
        self.kinds = {canonical(name): kind for name, kind in edition.kinds.items()}
        self.lists = {canonical(name): words for name, words in edition.words.items()}
        self.words = {
            name: {canonical(word.name): number for number, word in reversed([*enumerate(words.words)])}
            for name, words in edition.words.items()
        }
        self.options = {canonical(name): option for name, option in edition.options.items()}
        for kind in edition.kinds.values():
            if "{" not in kind.noun.many:
                self.kinds.setdefault(canonical(kind.noun.many), kind)

    @contextmanager
    def compiling_step(self, step: str) -> Iterator[None]:
        """While the body of a step is compiled, or of what something says."""
        before, self.current_step = self.current_step, step
        try:
            yield
        finally:
            self.current_step = before

    @contextmanager
    def after_answers(self, sites: tuple[int, ...]) -> Iterator[None]:
        """While it is compiled what is done after answers."""
        before, self.enclosing_sites = self.enclosing_sites, sites
        try:
            yield
        finally:
            self.enclosing_sites = before

    def emitter(self, parameters: int = 0) -> Emitter:
        """A stretch of code of its own."""
        return Emitter(self.work, parameters)

    @contextmanager
    def within_figures(self, figures: tuple[str, ...]) -> Iterator[None]:
        """While what is compiled stands in these figures, from outside in."""
        before, self.open_figures = self.open_figures, figures
        try:
            yield
        finally:
            self.open_figures = before

    def bind_open_figures(self, group: Group) -> Group:
        """The same set for another figure, where it may be written later: it stands in the figures that it stands in
        now."""
        if isinstance(group, ZoneGroup) or group.members is not None or group.only is not None:
            return group
        here = self.open_figures

        def from_here(make: Callable[..., int] | None) -> Callable[..., int] | None:
            def made(*operands: int) -> int:
                assert make is not None
                with self.within_figures(here):
                    return make(*operands)

            return None if make is None else made

        def walk(body: Callable[[int], None], stop: int | None) -> None:
            there = self.open_figures

            def inside(item: int) -> None:
                with self.within_figures(there):
                    body(item)

            with self.within_figures(here):
                group.walk(inside, stop)

        return replace(
            group,
            walk=walk,
            vector=from_here(group.vector),
            count=from_here(group.count),
            none=from_here(group.none),
            holds=from_here(group.holds),
        )

    @contextmanager
    def reading(self, scalar: Scalar) -> Iterator[None]:
        """While the tree of `scalar` is compiled: messages point into it."""
        before, self.scalar = self.scalar, scalar
        try:
            yield
        finally:
            self.scalar = before

    def error(self, where: Node | None, code: str, message: str, hint: str = "") -> ReportedError:
        """Report an error at a part of the sentence; the caller raises what this gives."""
        start, end = (where.span if where is not None else None) or (0, len(self.scalar.text))
        self.report.error(self.scalar.place_at(start, max(1, end - start)), code, message, hint)
        return ReportedError()

    def is_lost(self, *names: Name) -> bool:
        """Whether one of these names is known to be wrong, so that there is nothing more to say of it here."""
        return any(name.text in self.edition.lost for name in names)

    def place_of(self, name: Name) -> SourcePlace:
        """The place of a name in its file."""
        start, end = name.span or (0, len(name.text))
        return self.scalar.place_at(start, end - start)

    def source_text(self, node: Node) -> str:
        """A part of the sentence as it stands there."""
        start, end = node.span or (0, 0)
        return sentences.spoken(self.scalar.text[start:end])

    def source_place(self, where: Node, message: str = "") -> int:
        """The number of a source place that a run-time error names, with what is wrong there."""
        place = self.scalar.place_at(where.span.start if where.span is not None else 0, 1)
        excerpt = self.scalar.text if len(self.scalar.text) < 80 else self.scalar.text[:77] + "…"
        named = f"{place.file}:{place.line}: '{excerpt}'"
        return self.plan.place(f"{named}: {message}" if message else named)

    def may_be_lost_kind(self, type_: Type) -> bool:
        """Whether something may be a piece of a kind of which nothing is known."""
        if type_.base != "piece" or not self.edition.lost:
            return False
        return not self.kinds_in(type_) or any(kind in self.edition.lost for kind in self.kinds_in(type_))

    def parse(self, scalar: Scalar, parse: Callable[[str], AnyNode]) -> AnyNode:
        """Return the tree of a text. parse: one of those of `sentences`. Raises Wrong."""
        try:
            return parse(scalar.text)
        except sentences.SentenceError as error:
            if not self.edition.lost.spoils(scalar.text, error.at, error.refused):
                self.report.error(scalar.place_at(error.at, error.length), "syntax", error.message, error.hint)
            if error.refused:  # whoever reads the name that it is part of is told no more of it
                made = names_made(scalar.text)
                self.edition.lost.unreadable.update(name for name in made if error.refused in name.split())
            raise ReportedError from None

    def single(self, meaning: Meaning, node: Node) -> Value:
        if isinstance(meaning, Value):
            return meaning
        if isinstance(meaning, Amounts):
            message = f"Expected one thing here; these are {describe(meaning.type)}."
            raise self.error(node, "type", message, _AS_ONE_AMOUNT)
        if meaning.members is not None and len(meaning.members) == 1:
            return Value(member_type(meaning.type), constant(meaning.members[0]))
        if meaning.type.base == "word" and meaning.members:
            words = str(meaning.type.detail)
            message = f"Only one can stand here, and these are {len(meaning.members)} words of '{words}'."
            raise self.error(node, "whose", message, "Name one; or say it of each, with 'each', 'where' or 'total'.")
        if meaning.type.base == "piece" and meaning.members:
            kinds = " or ".join(sorted(self.kinds_in(meaning.type)))
            message = f"Only one can stand here; this is every {kinds}, and there are {len(meaning.members)}."
            raise self.error(node, "whose", message, "Say which, by a name from 'choose', 'let' or 'each … as'.")
        one = member_type(meaning.type)
        needed = f"there must be exactly one {describe(one).removeprefix('an ').removeprefix('a ')} here, but there"
        if meaning.only is not None:
            if not self.emit.is_present(meaning.only):
                with self.emit.when(self.emit.value("equal", meaning.only, NONE)):
                    self.emit.op("fail", self.source_place(node, f"{needed} is none."))
            return Value(one, meaning.only)
        vector = self.vector(meaning)
        size = self.emit.register()
        self.emit.op("length", size >> 1, vector)
        with self.emit.when(self.emit.value("unequal", size, ONE)):
            with self.emit.when(self.emit.value("equal", size, ZERO)):
                self.emit.op("fail", self.source_place(node, f"{needed} is none."))
            self.emit.op("fail", self.source_place(node, f"{needed} are several."))
        return Value(one, self.emit.item(vector, ZERO))

    def require_present(self, value: Value, node: Node, name: str = "") -> Value:
        """The value, which must not be nobody when it comes to this. name: what it is called, if not as the tree is."""
        if value.type.base == "nothing":
            raise self.error(node, "nobody", "This is nobody, who has nothing and does nothing.")
        if value.maybe:
            with self.emit.when(self.emit.value("equal", value.operand, NONE)):
                some, none = ("somebody", "nobody") if value.type.base == "seat" else ("something", "nothing")
                message = f"{some} is needed here, but '{name or self.source_text(node)}' is {none}."
                self.emit.op("fail", self.source_place(node, message))
        return replace(value, maybe=False) if value.maybe else value

    def as_group(self, meaning: Meaning) -> Group:
        if isinstance(meaning, Group):
            return meaning
        only = meaning.operand
        sure = meaning.type != NUMBER and self.emit.is_present(only)

        def make() -> int:
            vector = self.emit.vector()
            self.emit.op("one", vector, only)
            return vector

        def walk(body: Callable[[int], None], stop: int | None) -> None:
            if sure and stop is None:
                body(only)
            else:
                with self.emit.each(make()) as item:
                    body(item)

        return Group(set_of(meaning.type), 1, walk, make, only=only if meaning.type != NUMBER else None)

    def vector(self, group: Group) -> int:
        """The members as a vector register."""
        if group.vector is not None:
            return group.vector()
        vector = self.emit.vector()
        self.emit.op("vector", vector)
        group.walk(lambda item: self.emit.op("push", vector, item), None)
        return vector

    def group_from_vector(self, type_: Type, capacity: int, make: Callable[[], int]) -> Group:
        """A set whose members `make` puts into a vector."""

        def walk(body: Callable[[int], None], stop: int | None) -> None:
            with self.emit.each(make()) as item:
                body(item)

        if type_.base == "amount":
            several = set_of(type_)
            return Amounts(
                several, capacity, walk, make, words=str(type_.detail), open=lambda: self.item_reader(make())
            )
        return Group(set_of(type_), capacity, walk, make)

    def item_reader(self, vector: int) -> Callable[[int], Value]:
        """What writes the number at a place of a vector."""

        def item(place: int) -> Value:
            found = self.emit.register()
            self.emit.op("item", found >> 1, vector, place)
            return Value(NUMBER, found)

        return item

    def constant_group(self, type_: Type, members: tuple[int, ...]) -> Group:
        def make() -> int:
            vector = self.emit.vector()
            self.emit.op("fixed", vector, self.plan.table(members))
            return vector

        def walk(body: Callable[[int], None], stop: int | None) -> None:
            begin, vector = len(self.emit.code), make()
            with self.emit.each(vector) as item:
                body(item)
            opening, *loop = self.emit.code[begin:] or [()]
            narrows = opening[:2] == ("fixed", vector) and self.work.narrows(len(loop) * len(members))
            met = effective_members(loop, members, self.plan.tables) if narrows else members
            if 0 < len(met) < len(members):
                self.emit.code[begin] = ("fixed", vector, self.plan.table(tuple(met)))

        return replace(self.group_from_vector(type_, len(members), make), walk=walk, members=members)

    def filter_group(self, group: Group, keep: Callable[[int], int]) -> Group:
        """The members for which `keep(item)`, a truth, holds."""

        def walk(body: Callable[[int], None], stop: int | None) -> None:
            def checked(item: int) -> None:
                with self.emit.when(keep(item)):
                    body(item)

            group.walk(checked, stop)

        def holds(item: int) -> int:
            found = self.emit.variable(self.contains(group, item))
            with self.emit.when(found):
                self.emit.assign(found, keep(item))
            return found

        return Group(group.type, group.capacity, walk, holds=holds)

    def size(self, group: Group) -> Value:
        if group.members is not None:
            count = len(group.members)
            return Value(NUMBER, constant(count), count, count)
        if group.count is not None:
            return Value(NUMBER, group.count(), 0, group.capacity)
        if group.vector is not None:
            size = self.emit.register()
            self.emit.op("length", size >> 1, group.vector())
            return Value(NUMBER, size, 0, group.capacity)
        total = self.emit.variable(ZERO)
        group.walk(lambda _: self.emit.change("add", total, total, ONE), None)
        return Value(NUMBER, total, 0, group.capacity)

    def any_member(self, group: Group, holds: Callable[[int], int] | None = None) -> int:
        """Whether there is a member (for which `holds`)."""
        if group.none is not None and holds is None:
            return self.emit.negate(group.none())
        if group.count is not None and holds is None:
            return self.emit.value("less", ZERO, self.size(group).operand)
        if group.vector is not None and holds is None:
            return self.emit.negate(self.is_empty(group.vector()))
        found = self.emit.variable(ZERO)

        def body(item: int) -> None:
            if holds is None:
                self.emit.assign(found, ONE)
                self.emit.op("break")
            else:
                with self.emit.when(holds(item)):
                    self.emit.assign(found, ONE)
                    self.emit.op("break")

        group.walk(body, found)
        return found

    def is_empty(self, vector: int) -> int:
        """Whether a vector is empty."""
        empty = self.emit.register()
        self.emit.op("empty", empty >> 1, vector)
        return empty

    def contains(self, group: Group, member: int) -> int:
        """Whether something is a member."""
        if group.only is not None:
            same = self.emit.value("equal", group.only, member)
            if self.emit.is_present(group.only) or self.emit.is_present(member):
                return same
        if group.holds is not None:
            return group.holds(member)
        if group.vector is None:
            return self.any_member(group, lambda item: self.emit.value("equal", item, member))
        vector, found = group.vector(), self.emit.register()
        self.emit.op("has", found >> 1, vector, member)
        return found

    def element(self, group: Group, item: int) -> Value:
        return Value(member_type(group.type), item)

    def kinds_with(self, figure: Figure) -> frozenset[str]:
        """The kinds of piece that have a figure of its name."""
        return frozenset(one.of for one in (figure, *figure.others) if self.edition.is_of_pieces(one.of))

    def kinds_in(self, type_: Type) -> frozenset[str]:
        return type_.detail if isinstance(type_.detail, frozenset) else frozenset()

    def restrict_to_kinds(self, group: Group, kinds: frozenset[str]) -> Group:
        """The pieces of these kinds."""
        have = self.kinds_in(group.type)
        if have <= kinds:
            return group
        table = self.plan.kind_table(kinds)
        found = self.group_from_vector(group.type, group.capacity, lambda: self.filter_by_table(group, table))
        capacity = min(group.capacity, self.plan.stock.count(kinds))

        def count() -> int:
            return self.sum_entries(group, table)

        def none() -> int:
            result, vector = self.emit.register(), self.vector(group)
            self.emit.op("none_of", result >> 1, vector, table)
            return result

        return replace(found, type=Type("piece", have & kinds, True), capacity=capacity, count=count, none=none)

    def filter_by_table(self, group: Group, table: int) -> int:
        vector, found = self.vector(group), self.emit.vector()
        self.emit.op("filter", found, vector, table)
        return found

    def select_by_entry(self, group: Group, table: int, wanted: int) -> Group:
        """The members whose entry in a table is `wanted`."""
        rows = self.equal_rows(group, table)
        if rows is not None:
            members, size = rows
            return self.group_from_vector(group.type, size, lambda: self.emit_row(members, wanted, size))

        def make() -> int:
            vector, selected = self.vector(group), self.emit.vector()
            self.emit.op("select", selected, vector, table, wanted)
            return selected

        def count() -> int:
            vector, size = self.vector(group), self.emit.register()
            self.emit.op("count_of", size >> 1, vector, table, wanted)
            return size

        return replace(self.group_from_vector(group.type, group.capacity, make), count=count)

    def equal_rows(self, group: Group, table: int) -> tuple[tuple[int, ...], int] | None:
        """Members that are known now, by their entries in a table, if that makes rows of one size; and the size."""
        if not group.members:
            return None
        found: dict[int, list[int]] = {}
        for member in group.members:
            found.setdefault(self.plan.tables[table][member], []).append(member)
        sizes = {len(row) for row in found.values()}
        if len(sizes) > 1 or set(found) != set(range(len(found))):
            return None
        return tuple(member for value in range(len(found)) for member in found[value]), sizes.pop()

    def emit_row(self, members: tuple[int, ...], number: int, size: int) -> int:
        vector = self.emit.vector()
        self.emit.op("row", vector, self.plan.table(members), number, size)
        return vector

    def sum_entries(self, group: Group, table: int) -> int:
        """The sum of the members' entries in a table."""
        if len(group.all_of) > 1:
            one, *others = (self.sum_entries(place, table) for place in group.all_of)
            return reduce(lambda sum_, more: self.emit.value("add", sum_, more), others, one)
        vector, total = self.vector(group), self.emit.register()
        self.emit.op("tally", total >> 1, vector, table)
        return total

    def copy_vector(self, group: Group) -> int:
        """The members as a vector that can be added to."""
        vector = self.emit.vector()
        self.emit.op("vector", vector)
        self.append(vector, group)
        return vector

    def append(self, vector: int, group: Group) -> None:
        if group.vector is not None:
            self.emit.op("append", vector, group.vector())
        else:
            group.walk(lambda item: self.emit.op("push", vector, item), None)

    def note_zone_read(self, zone: Zone, own: bool = False) -> None:
        """Note that something is worked out from a zone. own: that of the seat which a function is about."""
        self.visibilities.add("nobody" if zone.seen_by == "owner" and not own else zone.seen_by)

    def note_pieces_read(self, kinds: frozenset[str], of: str | None = None) -> None:
        """Note that something is worked out from where pieces lie, or what they show. of: as zones have it, or all."""
        for zone in self.edition.zones.values():
            if zone.holds & kinds and of in (None, zone.of):
                self.note_zone_read(zone)

    def zone(self, name: str, owner: int | None) -> ZoneGroup:
        """A zone. How many lie in it all know; who looks which pieces they are, looks at it."""
        zone = self.edition.zones[name]
        base, capacity = self.plan.zone(name)
        address = constant(base)
        if zone.of:
            assert owner is not None
            address = self.emit.value("add", constant(base), owner)

        def read() -> int:
            vector = self.emit.vector()
            self.emit.op("read", vector, 0, address)
            return vector

        def make() -> int:
            self.note_zone_read(zone, own=owner == 0)
            return read()

        def count() -> int:
            size = self.emit.register()
            self.emit.op("length", size >> 1, read())
            return size

        group = self.group_from_vector(Type("piece", zone.holds), capacity, make)
        place = ZoneGroup(
            group.type,
            capacity,
            group.walk,
            make,
            count=count,
            none=lambda: self.is_empty(read()),
            zone=zone,
            address=address,
            owner=owner,
        )
        return replace(place, all_of=(place,))

    def require_type(self, found: Type, wanted: Type, node: Node) -> None:
        if not fits(found, wanted):
            if wanted == NUMBER and found == FRACTION:
                raise self.error(node, "type", f"Expected a whole number here; this is {describe(found)}.", _AS_WHOLE)
            hint = ""
            if wanted == TRUTH:
                hint = _AS_CONDITION if found.counts else _AS_QUESTION if found.many else ""
            elif wanted == NUMBER and found.base == "amount":
                hint = _AS_ONE_AMOUNT
            elif wanted == NUMBER and found.many:
                hint = "How many they are is said with 'number of …'."
            raise self.error(node, "type", f"Expected {describe(wanted)} here; this is {describe(found)}.", hint)

    def meaning_of_text(self, scalar: Scalar, scope: Scope, expect: str = "") -> Meaning:
        """What a whole expression text stands for."""
        with self.reading(scalar):
            return self.meaning(self.parse(scalar, sentences.value), scope, expect)

    def value(self, expression: Expression, scope: Scope, wanted: Type | None = None, expect: str = "") -> Value:
        """One value; a set stands for its only member."""
        expect = expect or (str(wanted.detail) if wanted and wanted.base == "word" else "")
        base = NUMBER.base if wanted == FRACTION else wanted.base if wanted else ""
        meaning = self.meaning(expression, scope, expect, base)
        if wanted is not None and isinstance(meaning, Amounts):
            self.require_type(meaning.type, wanted, expression)
        value = self.single(meaning, expression)
        if wanted is not None:
            self.require_type(value.type, wanted, expression)
        return self.to_fraction(value, expression) if wanted == FRACTION else value

    def group(
        self, expression: Expression, scope: Scope, base: str = "", *, chosen: bool = False, reckoned: bool = False
    ) -> Group:
        """A set; one value stands for the set of it, and nobody for the empty one. chosen: whether it may be that of a
        number that somebody was asked for, which is empty if they declined; reckoned: whether amounts will do."""
        meaning = self.every_seat(expression, scope) or self.meaning(expression, scope, "", f"{base} {SET}".strip())
        return self.require_group(meaning, expression, base, chosen=chosen, reckoned=reckoned)

    def require_group(
        self,
        meaning: Meaning,
        node: Node,
        base: str = "",
        *,
        chosen: bool = False,
        reckoned: bool = False,
    ) -> Group:
        """As `group`, of what a tree is known to mean."""
        found = self.as_group(meaning)
        if base and found.type.base != base:
            raise self.error(node, "type", f"Expected a set of {base}s here; this is {describe(meaning.type)}.")
        if chosen and meaning.type.many and found.type.base == "number":
            return found
        if reckoned and isinstance(found, Amounts):
            return found
        several = meaning.type.many and meaning.type.base == "number" and self.has_number_lists
        if not base and found.type.base in ("number", "fraction", "truth", "amount") and not several:
            raise self.error(node, "type", f"Expected a set here; this is {describe(meaning.type)}.")
        return found

    def number(self, expression: Expression, scope: Scope) -> Value:
        """A whole number."""
        return self.value(expression, scope, NUMBER)

    def number_or_fraction(self, expression: Expression, scope: Scope) -> Value:
        """A number, with a fraction or without."""
        meaning = self.meaning(expression, scope, "", NUMBER.base)
        if isinstance(meaning, Amounts):
            self.require_type(meaning.type, NUMBER, expression)
        value = self.single(meaning, expression)
        if value.type != FRACTION:
            self.require_type(value.type, NUMBER, expression)
        return value

    def to_fraction(self, value: Value, node: Node) -> Value:
        """A number as one with a fraction."""
        return to_fraction(self.emit, value, lambda: self.source_place(node))

    def truth(self, expression: Expression, scope: Scope) -> int:
        value = self.value(expression, scope, TRUTH)
        self.note_condition(expression, value.low if value.low == value.high else constant_value(value.operand))
        return value.operand

    def note_condition(self, expression: Expression, outcome: int | None) -> None:
        """A condition is compiled here; outcome: what it always comes to, if that is proven."""
        if expression.span is not None:
            key = (self.scalar.place, *expression.span)
            self.conditions.setdefault(key, Condition(self.scalar, expression)).outcomes.add(outcome)
