"""Context that all parts of the compiler share: diagnostics, sets, zones, and callbacks into higher modules."""

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
from rulewright.model.error_recovery import names_introduced
from rulewright.program.form import Function, Sealed, Site, Text, Type
from rulewright.syntax import sentences
from rulewright.syntax.source import Scalar
from rulewright.syntax.tree import AnyNode, Expression, Name, Node, Span

_AS_CONDITION = "Compare it with something, as in '… is more than 0'."
_AS_ONE_AMOUNT = "Say 'for' which of its words; or how many in all: 'number of …'."
_AS_WHOLE = "Round it, as in '(…) / 1 rounded down'. A counter holds fractions if it starts with one, as at 0.0."
_AS_QUESTION = "Ask whether there are any: '… is not empty'."


SET, COUNTER, PLACE, ANYTHING = "set", "counter", "place", "anything"
"""Expectations of positions in a sentence, beside the bases of types; a set of a base ends in SET, too."""


@record
class Condition:
    """Condition with its outcomes wherever it was compiled: 0, 1, or None where it depends on the game."""

    scalar: Scalar
    tree: Expression
    outcomes: set[int | None] = field(default_factory=set)

    @property
    def span(self) -> Span:
        """Start and end in its sentence."""
        assert self.tree.span is not None
        return self.tree.span


@record
class Doubt:
    """Suspicion that something is understood otherwise than meant. code: of the warning."""

    place: SourcePlace
    code: str
    message: str
    hint: str


class Context:
    """Compilation of an edition for one number of seats.

    meaning, every_seat, figure, before_effect, progress, set_progress, ask_yes_no: functions of higher modules, set
    by `build`; expressions contain expressions, so lower modules need them.
    """

    meaning: Callable[..., Meaning]
    every_seat: Callable[..., Group | None]
    figure: Callable[..., Meaning]
    before_effect: Callable[..., None]
    progress: Callable[..., AtOnceProgress]
    set_progress: Callable[..., None]
    ask_yes_no: Callable[..., None]
    trace: Callable[..., AbstractContextManager[None]] = staticmethod(lambda node, scope: nullcontext())
    """Context manager around each sentence while it is compiled."""

    def __init__(
        self,
        edition: Edition,
        plan: LayoutBuilder,
        report: Report,
        analysis: EditionAnalysis,
        warns_of_doubts: bool = False,
    ) -> None:
        """warns_of_doubts: whether to collect `doubts`."""
        self.edition, self.plan, self.report, self.warns_of_doubts = edition, plan, report, warns_of_doubts
        self.analysis = analysis
        self.work = WorkBudget()
        self.emit = self.emitter()
        self.has_number_lists = any(c.most and c.holds == NUMBER.base for c in edition.counters.values())
        self.functions: list[Function] = []
        self.sites: list[Site] = []
        self.enclosing_sites: tuple[int, ...] = ()  # menus and yes/no questions in whose branches code is compiled
        self.sealed: list[Sealed] = []
        self.texts: list[Text] = []
        self.blocks = 0
        self.block_steps: dict[int, str] = {}
        self.schedules: dict[int, AtOnceSchedule] = {}
        self.subroutines: dict[str, Subroutine] = {}
        self.pending: list[Subroutine] = []
        self.phase_ends: list[int] = []  # next block after each phase, if a sentence ends one
        self.site_ids: dict[str, list[SourcePlace]] = {}
        self.checked_steps: set[str] = set()  # compiled for any seat and any arguments
        self.current_step = ""  # name of the step being compiled
        self.dispatched_steps: dict[str, list[Step]] = {}  # caller -> instructions that it dispatches to
        self.single_numbers: set[tuple[str, Type]] = set()  # name and owner of members that are no amounts
        self.visibilities: set[str] = set()  # of the zones read: 'all', 'owner', 'nobody'
        self.conditions: dict[tuple[SourcePlace, int, int], Condition] = {}
        self.doubts: dict[SourcePlace, Doubt] = {}
        self.shadowed: dict[Binding, SourcePlace] = {}  # local names that an inner list rebinds, and where
        self.checked_figures: set[str] = set()  # compiled for any owner
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
        """Set the step, or instruction of a word, whose body is being compiled."""
        before, self.current_step = self.current_step, step
        try:
            yield
        finally:
            self.current_step = before

    @contextmanager
    def after_answers(self, sites: tuple[int, ...]) -> Iterator[None]:
        """Set the decision sites after whose answers the code runs."""
        before, self.enclosing_sites = self.enclosing_sites, sites
        try:
            yield
        finally:
            self.enclosing_sites = before

    def emitter(self, parameters: int = 0) -> Emitter:
        """Return an emitter for a separate stretch of code."""
        return Emitter(self.work, parameters)

    @contextmanager
    def within_figures(self, figures: tuple[str, ...]) -> Iterator[None]:
        """Set the figures being compiled, outermost first."""
        before, self.open_figures = self.open_figures, figures
        try:
            yield
        finally:
            self.open_figures = before

    def bind_open_figures(self, group: Group) -> Group:
        """Return the same set for use inside another figure: its code is emitted with the figures that are open now."""
        if isinstance(group, ZoneGroup) or group.members is not None or group.only is not None:
            return group
        definition_figures = self.open_figures

        def bound(make: Callable[..., int] | None) -> Callable[..., int] | None:
            def emit(*operands: int) -> int:
                assert make is not None
                with self.within_figures(definition_figures):
                    return make(*operands)

            return None if make is None else emit

        def walk(body: Callable[[int], None], stop: int | None) -> None:
            use_figures = self.open_figures

            def inside(item: int) -> None:
                with self.within_figures(use_figures):
                    body(item)

            with self.within_figures(definition_figures):
                group.walk(inside, stop)

        return replace(
            group,
            walk=walk,
            vector=bound(group.vector),
            count=bound(group.count),
            none=bound(group.none),
            holds=bound(group.holds),
        )

    @contextmanager
    def reading(self, scalar: Scalar) -> Iterator[None]:
        """Set the text that is being compiled, into which messages point."""
        before, self.scalar = self.scalar, scalar
        try:
            yield
        finally:
            self.scalar = before

    def error(self, part: Node | None, code: str, message: str, hint: str = "") -> ReportedError:
        """Report an error at a part of the sentence; return the exception for the caller to raise."""
        start, end = (part.span if part is not None else None) or (0, len(self.scalar.text))
        self.report.error(self.scalar.place_at(start, max(1, end - start)), code, message, hint)
        return ReportedError()

    def is_lost(self, *names: Name) -> bool:
        """Whether one of these names is known to be wrong, so that no more is reported of it."""
        return any(name.text in self.edition.lost for name in names)

    def place_of(self, name: Name) -> SourcePlace:
        """Return the place of a name in its file."""
        start, end = name.span or (0, len(name.text))
        return self.scalar.place_at(start, end - start)

    def source_text(self, node: Node) -> str:
        """Return a part of the sentence as it is written."""
        start, end = node.span or (0, 0)
        return sentences.without_joints(self.scalar.text[start:end])

    def source_place(self, part: Node, message: str = "") -> int:
        """Return the number of a place, and message, that a run-time error names."""
        place = self.scalar.place_at(part.span.start if part.span is not None else 0, 1)
        excerpt = self.scalar.text if len(self.scalar.text) < 80 else self.scalar.text[:77] + "…"
        label = f"{place.file}:{place.line}: '{excerpt}'"
        return self.plan.place(f"{label}: {message}" if message else label)

    def may_be_lost_kind(self, type_: Type) -> bool:
        """Whether something may be a piece of a kind whose declaration is broken."""
        if type_.base != "piece" or not self.edition.lost:
            return False
        return not self.kinds_in(type_) or any(kind in self.edition.lost for kind in self.kinds_in(type_))

    def parse(self, scalar: Scalar, parse: Callable[[str], AnyNode]) -> AnyNode:
        """Return the tree of a text. parse: one of those of `sentences`. Raises ReportedError."""
        try:
            return parse(scalar.text)
        except sentences.SentenceError as error:
            if not self.edition.lost.explains_error(scalar.text, error.offset, error.refused):
                self.report.error(scalar.place_at(error.offset, error.length), "syntax", error.message, error.hint)
            if error.refused:  # suppress further errors about names that contain it
                names = names_introduced(scalar.text)
                self.edition.lost.unreadable.update(name for name in names if error.refused in name.split())
            raise ReportedError from None

    def single(self, meaning: Meaning, node: Node) -> Value:
        """Return one value; of a set, its only member, which is checked when the game runs."""
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
                with self.emit.if_true(self.emit.value("equal", meaning.only, NONE)):
                    self.emit.op("fail", self.source_place(node, f"{needed} is none."))
            return Value(one, meaning.only)
        vector = self.vector(meaning)
        size = self.emit.register()
        self.emit.op("length", size >> 1, vector)
        with self.emit.if_true(self.emit.value("unequal", size, ONE)):
            with self.emit.if_true(self.emit.value("equal", size, ZERO)):
                self.emit.op("fail", self.source_place(node, f"{needed} is none."))
            self.emit.op("fail", self.source_place(node, f"{needed} are several."))
        return Value(one, self.emit.item(vector, ZERO))

    def require_present(self, value: Value, node: Node, name: str = "") -> Value:
        """Emit a failure if a value is nobody at run time; return it as never nobody. name: its name in the message,
        if not as written."""
        if value.type.base == "nothing":
            raise self.error(node, "nobody", "This is nobody, who has nothing and does nothing.")
        if value.maybe:
            with self.emit.if_true(self.emit.value("equal", value.operand, NONE)):
                some, none = ("somebody", "nobody") if value.type.base == "seat" else ("something", "nothing")
                message = f"{some} is needed here, but '{name or self.source_text(node)}' is {none}."
                self.emit.op("fail", self.source_place(node, message))
        return replace(value, maybe=False) if value.maybe else value

    def as_group(self, meaning: Meaning) -> Group:
        """Return a set; one value is a set of one."""
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
        """Emit the members as a vector."""
        if group.vector is not None:
            return group.vector()
        vector = self.emit.vector()
        self.emit.op("vector", vector)
        group.walk(lambda item: self.emit.op("push", vector, item), None)
        return vector

    def group_from_vector(self, type_: Type, capacity: int, make: Callable[[], int]) -> Group:
        """Return a set whose members `make` emits as a vector."""

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
        """Return the function that emits the number at an index of a vector."""

        def item(place: int) -> Value:
            result = self.emit.register()
            self.emit.op("item", result >> 1, vector, place)
            return Value(NUMBER, result)

        return item

    def constant_group(self, type_: Type, members: tuple[int, ...]) -> Group:
        """Return a set of members known now; loops over it drop iterations without effect."""

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
            remaining = effective_members(loop, members, self.plan.tables) if narrows else members
            if 0 < len(remaining) < len(members):
                self.emit.code[begin] = ("fixed", vector, self.plan.table(tuple(remaining)))

        return replace(self.group_from_vector(type_, len(members), make), walk=walk, members=members)

    def filter_group(self, group: Group, keep: Callable[[int], int]) -> Group:
        """Return the members for which `keep(item)`, a truth, holds."""

        def walk(body: Callable[[int], None], stop: int | None) -> None:
            def checked(item: int) -> None:
                with self.emit.if_true(keep(item)):
                    body(item)

            group.walk(checked, stop)

        def holds(item: int) -> int:
            result = self.emit.variable(self.contains(group, item))
            with self.emit.if_true(result):
                self.emit.assign(result, keep(item))
            return result

        return Group(group.type, group.capacity, walk, holds=holds)

    def size(self, group: Group) -> Value:
        """Emit the number of members."""
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
        """Emit whether there is a member (for which `holds`)."""
        if group.none is not None and holds is None:
            return self.emit.negate(group.none())
        if group.count is not None and holds is None:
            return self.emit.value("less", ZERO, self.size(group).operand)
        if group.vector is not None and holds is None:
            return self.emit.negate(self.is_empty(group.vector()))
        result = self.emit.variable(ZERO)

        def body(item: int) -> None:
            if holds is None:
                self.emit.assign(result, ONE)
                self.emit.op("break")
            else:
                with self.emit.if_true(holds(item)):
                    self.emit.assign(result, ONE)
                    self.emit.op("break")

        group.walk(body, result)
        return result

    def is_empty(self, vector: int) -> int:
        """Emit whether a vector is empty."""
        empty = self.emit.register()
        self.emit.op("empty", empty >> 1, vector)
        return empty

    def contains(self, group: Group, member: int) -> int:
        """Emit whether something is a member."""
        if group.only is not None:
            same = self.emit.value("equal", group.only, member)
            if self.emit.is_present(group.only) or self.emit.is_present(member):
                return same
        if group.holds is not None:
            return group.holds(member)
        if group.vector is None:
            return self.any_member(group, lambda item: self.emit.value("equal", item, member))
        vector, result = group.vector(), self.emit.register()
        self.emit.op("has", result >> 1, vector, member)
        return result

    def element(self, group: Group, item: int) -> Value:
        """Return a member of a set, in an operand, as a value."""
        return Value(member_type(group.type), item)

    def kinds_with(self, figure: Figure) -> frozenset[str]:
        """Return the kinds of piece that have a figure of this name."""
        return frozenset(one.of for one in (figure, *figure.others) if self.edition.is_of_pieces(one.of))

    def kinds_in(self, type_: Type) -> frozenset[str]:
        """Return the kinds of piece of a type."""
        return type_.detail if isinstance(type_.detail, frozenset) else frozenset()

    def restrict_to_kinds(self, group: Group, kinds: frozenset[str]) -> Group:
        """Return the pieces of these kinds."""
        have = self.kinds_in(group.type)
        if have <= kinds:
            return group
        table = self.plan.kind_table(kinds)
        group_of_kinds = self.group_from_vector(group.type, group.capacity, lambda: self.filter_by_table(group, table))
        capacity = min(group.capacity, self.plan.stock.count(kinds))

        def count() -> int:
            return self.sum_entries(group, table)

        def none() -> int:
            result, vector = self.emit.register(), self.vector(group)
            self.emit.op("none_of", result >> 1, vector, table)
            return result

        return replace(
            group_of_kinds, type=Type("piece", have & kinds, True), capacity=capacity, count=count, none=none
        )

    def filter_by_table(self, group: Group, table: int) -> int:
        """Emit the members whose entry in a table is not 0."""
        vector, result = self.vector(group), self.emit.vector()
        self.emit.op("filter", result, vector, table)
        return result

    def select_by_entry(self, group: Group, table: int, entry: int) -> Group:
        """Return the members whose entry in a table is `wanted`."""
        rows = self.equal_rows(group, table)
        if rows is not None:
            members, size = rows
            return self.group_from_vector(group.type, size, lambda: self.emit_row(members, entry, size))

        def make() -> int:
            vector, selected = self.vector(group), self.emit.vector()
            self.emit.op("select", selected, vector, table, entry)
            return selected

        def count() -> int:
            vector, size = self.vector(group), self.emit.register()
            self.emit.op("count_of", size >> 1, vector, table, entry)
            return size

        return replace(self.group_from_vector(group.type, group.capacity, make), count=count)

    def equal_rows(self, group: Group, table: int) -> tuple[tuple[int, ...], int] | None:
        """Group constant members by their entry in a table; return them and the size, if all groups are of one size."""
        if not group.members:
            return None
        rows: dict[int, list[int]] = {}
        for member in group.members:
            rows.setdefault(self.plan.tables[table][member], []).append(member)
        sizes = {len(row) for row in rows.values()}
        if len(sizes) > 1 or set(rows) != set(range(len(rows))):
            return None
        return tuple(member for value in range(len(rows)) for member in rows[value]), sizes.pop()

    def emit_row(self, members: tuple[int, ...], number: int, size: int) -> int:
        """Emit one of some rows of members, by its number."""
        vector = self.emit.vector()
        self.emit.op("row", vector, self.plan.table(members), number, size)
        return vector

    def sum_entries(self, group: Group, table: int) -> int:
        """Emit the sum of the members' entries in a table."""
        if len(group.all_of) > 1:
            one, *others = (self.sum_entries(place, table) for place in group.all_of)
            return reduce(lambda sum_, more: self.emit.value("add", sum_, more), others, one)
        vector, total = self.vector(group), self.emit.register()
        self.emit.op("tally", total >> 1, vector, table)
        return total

    def copy_vector(self, group: Group) -> int:
        """Emit the members as a vector that can be changed."""
        vector = self.emit.vector()
        self.emit.op("vector", vector)
        self.append(vector, group)
        return vector

    def append(self, vector: int, group: Group) -> None:
        """Emit code that appends the members to a vector."""
        if group.vector is not None:
            self.emit.op("append", vector, group.vector())
        else:
            group.walk(lambda item: self.emit.op("push", vector, item), None)

    def note_zone_read(self, zone: Zone, own: bool = False) -> None:
        """Note that a result depends on a zone's contents, for who may see it. own: whether it is the zone of the
        function's seat."""
        self.visibilities.add("nobody" if zone.seen_by == "owner" and not own else zone.seen_by)

    def note_pieces_read(self, kinds: frozenset[str], of: str | None = None) -> None:
        """Note that a result depends on where pieces lie, or what they show. of: restrict to zones of this owner."""
        for zone in self.edition.zones.values():
            if zone.holds & kinds and of in (None, zone.of):
                self.note_zone_read(zone)

    def zone(self, name: str, owner: int | None) -> ZoneGroup:
        """Return a zone as a set. Its size is public; reading its pieces is noted."""
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

    def require_type(self, type_: Type, expected: Type, node: Node) -> None:
        """Raise ReportedError if a type does not fit the wanted one."""
        if not fits(type_, expected):
            if expected == NUMBER and type_ == FRACTION:
                raise self.error(node, "type", f"Expected a whole number here; this is {describe(type_)}.", _AS_WHOLE)
            hint = ""
            if expected == TRUTH:
                hint = _AS_CONDITION if type_.counts else _AS_QUESTION if type_.many else ""
            elif expected == NUMBER and type_.base == "amount":
                hint = _AS_ONE_AMOUNT
            elif expected == NUMBER and type_.many:
                hint = "How many they are is said with 'number of …'."
            raise self.error(node, "type", f"Expected {describe(expected)} here; this is {describe(type_)}.", hint)

    def meaning_of_text(self, scalar: Scalar, scope: Scope, expected_list: str = "") -> Meaning:
        """Return the meaning of a whole expression text."""
        with self.reading(scalar):
            return self.meaning(self.parse(scalar, sentences.value), scope, expected_list)

    def value(self, expression: Expression, scope: Scope, type_: Type | None = None, expected_list: str = "") -> Value:
        """Return one value of a type; a set stands for its only member. Raises ReportedError."""
        expected_list = expected_list or (str(type_.detail) if type_ and type_.base == "word" else "")
        base = NUMBER.base if type_ == FRACTION else type_.base if type_ else ""
        meaning = self.meaning(expression, scope, expected_list, base)
        if type_ is not None and isinstance(meaning, Amounts):
            self.require_type(meaning.type, type_, expression)
        value = self.single(meaning, expression)
        if type_ is not None:
            self.require_type(value.type, type_, expression)
        return self.to_fraction(value, expression) if type_ == FRACTION else value

    def group(
        self,
        expression: Expression,
        scope: Scope,
        base: str = "",
        *,
        allow_declined: bool = False,
        allow_amounts: bool = False,
    ) -> Group:
        """Return a set; one value is a set of one, nobody the empty set. allow_declined: allow the set of a number
        that may be declined; allow_amounts: allow amounts."""
        meaning = self.every_seat(expression, scope) or self.meaning(expression, scope, "", f"{base} {SET}".strip())
        return self.require_group(meaning, expression, base, allow_declined=allow_declined, allow_amounts=allow_amounts)

    def require_group(
        self,
        meaning: Meaning,
        node: Node,
        base: str = "",
        *,
        allow_declined: bool = False,
        allow_amounts: bool = False,
    ) -> Group:
        """Like `group`, for a meaning that is known."""
        group = self.as_group(meaning)
        if base and group.type.base != base:
            raise self.error(node, "type", f"Expected a set of {base}s here; this is {describe(meaning.type)}.")
        if allow_declined and meaning.type.many and group.type.base == "number":
            return group
        if allow_amounts and isinstance(group, Amounts):
            return group
        several = meaning.type.many and meaning.type.base == "number" and self.has_number_lists
        if not base and group.type.base in ("number", "fraction", "truth", "amount") and not several:
            raise self.error(node, "type", f"Expected a set here; this is {describe(meaning.type)}.")
        return group

    def number(self, expression: Expression, scope: Scope) -> Value:
        """Return a whole number."""
        return self.value(expression, scope, NUMBER)

    def number_or_fraction(self, expression: Expression, scope: Scope) -> Value:
        """Return a number, with or without a fraction."""
        meaning = self.meaning(expression, scope, "", NUMBER.base)
        if isinstance(meaning, Amounts):
            self.require_type(meaning.type, NUMBER, expression)
        value = self.single(meaning, expression)
        if value.type != FRACTION:
            self.require_type(value.type, NUMBER, expression)
        return value

    def to_fraction(self, value: Value, node: Node) -> Value:
        """Return a number as one with a fraction."""
        return to_fraction(self.emit, value, lambda: self.source_place(node))

    def truth(self, expression: Expression, scope: Scope) -> int:
        """Return the operand of a condition, and note its outcome."""
        value = self.value(expression, scope, TRUTH)
        self.note_condition(expression, value.low if value.low == value.high else constant_value(value.operand))
        return value.operand

    def note_condition(self, expression: Expression, outcome: int | None) -> None:
        """Note that a condition is compiled here. outcome: its constant result, if proven."""
        if expression.span is not None:
            key = (self.scalar.place, *expression.span)
            self.conditions.setdefault(key, Condition(self.scalar, expression)).outcomes.add(outcome)
