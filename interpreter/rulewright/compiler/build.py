"""Puts a program together: set-up and phases, scores, rules in words; and checks that every part can be compiled."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace

from rulewright.base.diagnostics import EditionError, Report, SourcePlace
from rulewright.base.rule_keys import RuleKey
from rulewright.compiler.core import Condition, Doubt, Wrong
from rulewright.compiler.decisions import Decisions
from rulewright.compiler.emitter import ONE, ZERO, Emitter, TooLarge
from rulewright.compiler.layout import LayoutBuilder, map_of
from rulewright.compiler.meaning import NUMBER, SEAT, TRUTH, UNBOUNDED, Binding, Meaning, Scope, Value
from rulewright.compiler.outline import Outline
from rulewright.compiler.pieces import piece_types
from rulewright.compiler.texts import one_line
from rulewright.model.declarations import Edition
from rulewright.program.form import (
    LIMITED,
    PHASE,
    ROUND,
    Function,
    Limit,
    Measure,
    Option,
    Power,
    Program,
    RuleText,
    ScoreLine,
    Setting,
    Text,
    Type,
)
from rulewright.program.instructions import Instruction
from rulewright.syntax.source import Scalar
from rulewright.syntax.trees import Token, Tree

LARGEST_STATE = 100_000


def compile_edition(edition: Edition, seats: int, report: Report, setting: Setting | None = None) -> Program:
    """The program of an edition for a number of seats. Raises EditionError with all that is wrong.

    setting: if given, the program is for these roles and options alone, and quicker.
    """
    with _told(edition, report):
        program = _builder(edition, seats, report, Outline(edition, report), setting).build()
        if report.ok:
            return program
    raise EditionError(report)


def listing(edition: Edition, seats: int) -> tuple[Program, list[Scalar | None]]:
    """The program of an edition that has been checked; of each instruction, the sentence that it was written for."""
    report = Report()
    builder = _builder(edition, seats, report, Outline(edition, report))
    return builder.build(), builder.emit.sentences()


def check(edition: Edition, report: Report) -> None:
    """Report everything that is wrong with an edition, for its least and its greatest number of seats."""
    _ends(edition, report)


def settled(edition: Edition, report: Report) -> tuple[list[Condition], list[Doubt]]:
    """Report everything that is wrong with an edition, for every number of seats. If nothing is: the conditions that
    always come to the same, however many sit at the table, and the names that could mean two things."""
    builders = _ends(edition, report, doubting=True)
    if not report.ok or not builders:
        return [], []
    try:
        outline = builders[0].outline
        for seats in edition.seat_counts()[1:-1]:
            builders.insert(-1, _builder(edition, seats, report, outline))
            builders[-2].build()
    except (TooLarge, RecursionError, Wrong):  # the largest number of seats tells, or it is reported
        return [], []
    found: dict[tuple[SourcePlace, int, int], Condition] = {}
    for builder in builders:
        for key, condition in builder.conditions.items():
            found.setdefault(key, condition).outcomes.update(condition.outcomes)
    always = [condition for condition in found.values() if condition.outcomes in ({0}, {1})]
    return always, list(builders[0].doubts.values())


def _ends(edition: Edition, report: Report, doubting: bool = False) -> list[_Builder]:
    """What has compiled an edition for its least and its greatest number of seats. doubting: whether the first tells
    doubts, which are the same for any number."""
    builders: list[_Builder] = []
    with _told(edition, report):
        outline = Outline(edition, report)
        for seats in sorted(set(edition.seats)) if not edition.lost.seats else ():
            with _told(edition, report):
                builder = _builder(edition, seats, report, outline, doubting=doubting and not builders)
                with suppress(Wrong):  # it is reported
                    builder.build()
                _builder(edition, seats, report, outline).check_the_rest(builder if report.ok else None)
                builders.append(builder)
    return builders


@contextmanager
def _told(edition: Edition, report: Report) -> Iterator[None]:
    """While something is compiled that may be too large, or wrong."""
    try:
        yield
    except (TooLarge, RecursionError):
        message = "These rules are too large: too many steps do too many other steps."
        report.error(SourcePlace(edition.file, 1, 1, 1), "too-large", message)
    except Wrong:  # reported
        pass


def _builder(
    edition: Edition,
    seats: int,
    report: Report,
    outline: Outline,
    setting: Setting | None = None,
    doubting: bool = False,
) -> _Builder:
    """With a layout whose zones are no larger than their limits allow."""
    rough = LayoutBuilder(edition, outline.stock, seats)
    builder = _Builder(edition, rough, report, outline)
    capacities: dict[str, int] = {}
    for zone in edition.zones.values():
        if zone.at_most is None:
            continue
        try:
            scope = builder.owned(zone.name, zone.of, ZERO if zone.of else None)
            limit = builder.meaning_of(zone.at_most, scope)
        except Wrong:
            continue
        if not isinstance(limit, Value) or limit.type != NUMBER:
            report.error(zone.at_most.place, "type", "Expected a number: how many pieces may lie here.")
            continue
        uncounted = rough.stock.count(zone.holds - zone.counting)
        if limit.high < UNBOUNDED:
            capacities[zone.name] = min(rough.stock.count(zone.holds), max(0, limit.high) + uncounted)
    return _Builder(
        edition, LayoutBuilder(edition, outline.stock, seats, setting, capacities), report, outline, doubting
    )


class _Builder(Decisions):
    def __init__(
        self, edition: Edition, plan: LayoutBuilder, report: Report, outline: Outline, doubting: bool = False
    ) -> None:
        super().__init__(edition, plan, report, doubting)
        self.prepare(outline)
        self.functions: list[Function] = []

    def build(self) -> Program:
        edition, plan = self.edition, self.plan
        start = self.new_block()
        self.begin(start, "setup")
        if edition.setup is not None:
            self.body(edition.setup.body, Scope("setup", someone=False, flat=True))
        phases = self.phases()
        self.finish_subroutines()
        scoring, ranking = self.scoring()
        measures = tuple(self.measures())
        rules = self.rules()
        asides = {(key, one_line(scalar.text)): RuleText(*self.rule(key, scalar)) for key, scalar in edition.asides}
        powers = {changes.name: self.power(changes.name) for changes in edition.change_sets if changes.level == "power"}
        if not self.report.ok:
            raise Wrong
        types, type_of = piece_types(edition, self.report)
        layout = plan.layout()
        if layout.size > LARGEST_STATE:
            self.report.error(
                plan.nowhere,
                "too-large",
                f"A game would need {layout.size:,} cells; {LARGEST_STATE:,} are allowed.",
            )
        words = {name: tuple(word.name for word in entry.words) for name, entry in edition.words.items()}
        nouns = {name: tuple((w.noun.one, w.noun.many) for w in entry.words) for name, entry in edition.words.items()}
        limit = edition.limit
        options = tuple(Option(option.name, option.choices, option.default) for option in edition.options.values())
        return Program(
            code=tuple(self.emit.code),
            tables=tuple(plan.tables),
            functions=tuple(self.functions),
            layout=layout,
            start=start,
            phases=phases,
            sites=tuple(self.sites),
            sealed=tuple(self.sealed),
            texts=tuple(self.texts),
            places=tuple(plan.places),
            blocks=self.block_steps,
            starts=plan.starts(),
            types=types,
            type_of=type_of,
            words=words,
            word_nouns=nouns,
            maps=tuple(map_of(edition, board) for board in edition.boards.values() if board.positions),
            roles=tuple(edition.roles),
            unscored_roles=frozenset(role.name for role in edition.roles.values() if not role.scored),
            options=options,
            scoring=scoring,
            ranking=ranking,
            limit=Limit(limit.answers_of(layout.seats), limit.rounds or 0, limit.scored),
            measures=measures,
            rules=rules,
            powers=powers,
            asides=asides,
        )

    def phases(self) -> tuple[tuple[str, int], ...]:
        """The phases, round after round. The first block of each marks where the game is."""
        entries: list[tuple[str, int]] = []
        for index, phase in enumerate(self.edition.phases):
            block = self.new_block()
            entries.append((phase.name, block))
            self.begin(block, phase.name)
            self.emit.store(PHASE, ZERO, 2 * index + 1)
            self.emit.spend()
            if index == 0:
                self.end_at_the_limit()
                self.emit.store(ROUND, ZERO, self.emit.value("add", self.emit.load(ROUND), 3))
            with self.emit.told():
                self.emit.op("tell", len(self.texts))
                self.texts.append(Text(f"phases.{phase.name}.title", phase.title))
            self.body(phase.body, Scope(phase.name, someone=False, flat=True))
        if entries:
            self.emit.op("goto", entries[0][1])
        else:
            self.emit.op("halt")
        return tuple(entries)

    def end_at_the_limit(self) -> None:
        """Where a round begins after as many as there may be."""
        if (rounds := self.edition.limit.rounds) is not None:
            with self.emit.when(self.emit.value("at_most", 2 * rounds + 1, self.emit.load(ROUND))):
                self.emit.store(LIMITED, ZERO, ONE)
                self.emit.op("halt")

    # ── pure functions ──

    def function(self, make: Callable[[], list[int]]) -> int:
        """Compile a pure function of the state and a seat; `make` gives the vectors of its results."""
        outer, self.emit = self.emit, Emitter(parameters=1)
        try:
            results = make()
            self.emit.op("answer", *results)
            code: tuple[Instruction, ...] = tuple(self.emit.code)
        finally:
            self.emit = outer
        self.functions.append(Function(code))
        return len(self.functions) - 1

    def of_seat_here(self, name: str) -> Scope:
        return Scope(name, me=0)

    def scoring(self) -> tuple[tuple[ScoreLine, ...], tuple[int, ...]]:
        lines: list[ScoreLine] = []
        for line in self.edition.scoring:
            self.sights.clear()
            number = self.pure_number(line.points, self.of_seat_here(line.name))
            title = Text(f"scoring.{line.name}.title", line.title)
            lines.append(ScoreLine(line.name, title, number, self.seen_by()))
        ranking: list[int] = []
        order = self.edition.ranking or Scalar("highest score", self.plan.nowhere)
        with self.reading(order):
            try:
                tree = self.parse(order, "keys")
            except Wrong:
                return tuple(lines), ()
            for key in tree.children:
                assert isinstance(key, Tree)
                ranking += self.ranking_key(key)
        return tuple(lines), tuple(ranking)

    def ranking_key(self, key: Tree[Token]) -> Iterator[int]:
        scope = self.of_seat_here("ranking")
        if key.data not in ("extreme_first", "first"):
            self.wrong(key, "type", "A ranking goes by 'highest …', 'lowest …' or '… first'.")
            return
        scope.bind("score", self.total_score)

        def make() -> list[int]:
            vector = self.emit.vector()
            self.emit.op("vector", vector)
            self.emit.op("push", vector, self.emit.value("subtract", ZERO, self.key(key, SEAT, scope)(Value(SEAT, 0))))
            return [vector]

        try:
            yield self.function(make)
        except Wrong:
            return

    def total_score(self) -> Value:
        total, nowhere = Value(NUMBER, ZERO, 0, 0), Tree[Token]("path", [])
        for line in self.edition.scoring:
            points = self.single(self.meaning_of(line.points, self.of_seat_here(line.name)), nowhere)
            with self.reading(line.points):
                operand = self.emit.value("add", total.operand, points.operand)
                total = self.in_range(operand, total.low + points.low, total.high + points.high, nowhere)
        return total

    def pure_number(self, scalar: Scalar, scope: Scope, truths: bool = False) -> int:
        """truths: a condition will do, and is 1 or 0."""

        def make() -> list[int]:
            vector = self.emit.vector()
            self.emit.op("vector", vector)
            with self.reading(scalar):
                tree = self.parse(scalar, "value")
                found = self.value(tree, scope)
                if not (truths and found.type == TRUTH):
                    self.demand(found.type, NUMBER, tree)
            self.emit.op("push", vector, found.operand)
            return [vector]

        try:
            return self.function(make)
        except Wrong:
            return -1

    def measures(self) -> Iterator[Measure]:
        for measure in self.edition.measures:
            key, text = f"measures.{measure.name}", None
            number = self.pure_number(measure.amount, self.of_seat_here(measure.name), truths=True)
            if measure.text is not None:
                text = RuleText(*self.rule(f"{key}.text", measure.text))
            yield Measure(measure.name, Text(f"{key}.title", measure.title), text, number)

    def seen_by(self) -> str:
        """Who may see what has been worked out: the narrowest of the zones that were looked at decides."""
        return next((who for who in ("nobody", "owner") if who in self.sights), "all")

    def power(self, name: str) -> Power:
        def make() -> list[int]:
            vector = self.emit.vector()
            self.emit.op("vector", vector)
            self.emit.op("push", vector, self.holds_power(name, 0))
            return [vector]

        seen = {self.edition.zones[zone].seen_by for zone, _ in self.plan.stock.power_pieces(name)}
        return Power(self.function(make), "nobody" if "nobody" in seen else "owner" if "owner" in seen else "all")

    def rules(self) -> dict[RuleKey, RuleText]:
        """Every rule in words, with a function for the figures in it."""
        return {key: RuleText(*self.rule(f"{key}.text", scalar)) for key, scalar in self.edition.told().items()}

    def rule(self, key: str, scalar: Scalar) -> tuple[Text, int]:
        """A text with figures, whose place in catalogs is `key`, and the function for the figures."""
        made: list[Text] = []

        def make() -> list[int]:
            text, arguments = self.text(scalar, key, self.of_seat_here(key))
            made.append(text)
            return arguments

        try:
            function = self.function(make)
        except Wrong:
            return Text(key, ""), -1
        return made[0], function

    # ── checks ──

    def check_the_rest(self, games: _Builder | None) -> None:
        """Compile what no game may reach: steps that nobody does, figures that nobody uses.

        games: what has compiled all that games reach, if nothing was wrong with that.
        """
        for figure in self.edition.figures.values():
            if games is not None and figure.name in games.whole_figures:
                continue
            self.emit = Emitter(parameters=1)
            try:
                types = [replace(self.declared_type(name), many=False) for _, name in figure.parameters]
                arguments = [self.stand_in(type_) for type_ in types]
                self.figure(figure, 0 if figure.of else None, arguments, Scope(figure.name))
            except Wrong:
                continue
        self.emit = Emitter()
        for step in self.edition.steps.values():
            if games is not None and step.name in games.whole_steps:
                continue
            try:
                if self.outline.step_asks(step):
                    self.begin(self.new_block(), step.name)
                    self.subroutine(step)
                    self.finish_subroutines()
                    continue
                scope = Scope(step.name)
                for name, type_name in step.parameters:
                    scope.bind(name, self.stand_in(self.declared_type(type_name)))
                self.step_body(step, scope)
            except Wrong:
                continue

    def stand_in(self, type_: Type) -> Binding:
        """Something of a type, for code that is compiled to be checked and never run."""
        thing: Meaning = self.fixed(type_, ()) if type_.many else Value(type_, 0)
        return lambda: thing
