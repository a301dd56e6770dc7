"""`do what CARD says`: dispatch at run time to the instructions of a word or kind of piece.

Instructions compile like a step whose parameter is the thing that has them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from rulewright.base.rule_keys import RuleKey
from rulewright.compiler import attributes, cell_access, control, messages, steps
from rulewright.compiler.context import Context
from rulewright.compiler.registry import StatementParts, compiles, meaning_of
from rulewright.compiler.scopes import Frame, Scope
from rulewright.compiler.type_checks import require_present, single_value
from rulewright.compiler.type_descriptions import describe
from rulewright.compiler.typed_values import Value, kinds_in
from rulewright.model.declarations import Kind, Step, canonical
from rulewright.program.instructions import constant, constant_value
from rulewright.program.value_types import Type
from rulewright.syntax.flow_nodes import DoWhat
from rulewright.syntax.source import Scalar

KnownName = tuple[str, str, Value]
"""Name, declared type and value of a parameter of instructions."""


@compiles(DoWhat)
def compile_do_what(ctx: Context, statement: DoWhat, scope: Scope, parts: StatementParts) -> None:
    """Compile `do what THING says`, by the word or the kind of the thing. Raises ReportedError where none has
    instructions."""
    expression = statement.thing
    thing = require_present(ctx, single_value(ctx, meaning_of(ctx, expression, scope), expression), expression)
    if thing.type.base not in ("word", "piece"):
        raise ctx.error(expression, messages.CANNOT_SAY_WHAT_TO_DO(given=describe(thing.type)))
    if ctx.may_be_broken_kind(thing.type):
        return
    if parts.asks:
        slot = cell_access.new_cell(ctx, thing.type, 0, scope)
        cell_access.save(ctx, slot, thing)
        dispatcher = _Dispatcher(
            ctx, statement, scope, lambda: single_value(ctx, cell_access.load(ctx, slot), expression), True
        )
    else:
        operand = ctx.emit.new_variable(thing.operand)
        dispatcher = _Dispatcher(ctx, statement, scope, lambda: replace(thing, operand=operand), False)
    has_instructions = (
        dispatcher.branch_on_kind(thing.type)
        if thing.type.base == "piece"
        else dispatcher.branch_on_word(str(thing.type.detail), only=constant_value(thing.operand))
    )
    if not has_instructions:
        problem = messages.NO_INSTRUCTIONS(owner=describe(thing.type))
        raise ctx.error(statement, problem, messages.GIVE_INSTRUCTIONS())


def check_instructions(ctx: Context, step: Step) -> None:
    """Compile instructions that no sentence reaches, to check them: for a piece that has them, if there is one."""
    rule = RuleKey(step.name)
    words = rule.words
    kinds = [kind for kind in ctx.edition.kinds.values() if words in kind.attributes.values() or kind.name == rule.name]
    names: list[KnownName] = []
    if kinds and (words or rule.section == "pieces"):
        names += _piece_names(kinds[0], Value(_kind_type(kinds[0]), 0))
    if words:
        names += [] if names else [("it", words, Value(Type("word", words), 0))]
        names.append((words, words, Value(Type("word", words), 0)))
    instructions = _with_parameters(step, names)
    if ctx.analysis.step_may_ask(step):
        cell_access.begin_block(ctx, cell_access.new_block(ctx), step.short_name)
        steps.subroutine(ctx, instructions)
        steps.finish_subroutines(ctx)
    else:
        steps.call(
            ctx, instructions, [value for _, _, value in names], Scope(step.short_name, frames=(Frame("routine"),))
        )


class _Dispatcher:
    """Branches of one `do what … says`. thing: gives the word or piece; asks: whether somebody may be asked."""

    def __init__(self, ctx: Context, statement: DoWhat, scope: Scope, thing: Callable[[], Value], asks: bool) -> None:
        self.ctx, self.tree, self.scope, self.thing, self.asks = ctx, statement, scope, thing, asks

    def branch_on_kind(self, type_: Type) -> bool:
        """Emit branches on the kind of a piece, or on a word of it; return whether any has instructions."""
        ctx = self.ctx
        kinds = [ctx.edition.kinds[name] for name in ctx.edition.kinds if name in kinds_in(type_)]
        telling = [kind for kind in kinds if kind.says is not None or self.dispatch_attribute(kind)]
        for kind in telling:
            if len(kinds) == 1:
                self.compile_kind(kind)
                continue
            table = ctx.plan.kind_table(frozenset([kind.name]))
            self.emit_branch(ctx.emit.look_up(table, self.thing().operand), partial(self.compile_kind, kind))
        return bool(telling)

    def dispatch_attribute(self, kind: Kind) -> str:
        """Return the attribute of a kind whose words have instructions, or ''."""
        lists = self.ctx.edition.words
        attributes_ = (
            name for name, of in kind.attributes.items() if of in lists and any(w.says for w in lists[of].words)
        )
        return next(attributes_, "")

    def compile_kind(self, kind: Kind) -> None:
        """Compile the instructions of a kind, or of its word."""

        def piece() -> Value:
            return replace(self.thing(), type=_kind_type(kind))

        if kind.says is not None:
            self.call_instructions(kind.says, _piece_names(kind, piece()))
            return
        attribute = self.dispatch_attribute(kind)
        self.branch_on_word(
            kind.attributes[attribute],
            lambda: attributes.required_attribute(self.ctx, piece(), attribute),
            lambda: _piece_names(kind, piece()),
        )

    def branch_on_word(
        self,
        words: str,
        word: Callable[[], Value] | None = None,
        before: Callable[[], list[KnownName]] | None = None,
        only: int | None = None,
    ) -> bool:
        """Emit branches on a word; return whether any of its list has instructions. word: that of a piece; before:
        names bound for the piece; only: the word's number, if constant."""
        ctx, one = self.ctx, word or self.thing
        instructions: list[Step] = []
        numbers: list[int] = []
        for number, each in enumerate(ctx.edition.words[words].words):
            if each.says is None or only not in (None, number):
                numbers.append(-1)
                continue
            same = [step.body is each.says.body for step in instructions]
            if True not in same:
                instructions.append(each.says)
                same.append(True)
            numbers.append(same.index(True))
        table = ctx.plan.add_table(tuple(numbers))
        for number, step in enumerate(instructions):

            def then(step: Step = step) -> None:
                names = before() if before is not None else [("it", words, one())]
                self.call_instructions(step, [*names, (words, words, one())])

            entry = ctx.emit.look_up(table, one().operand)
            self.emit_branch(ctx.emit.evaluate("equal", entry, constant(number)), then)
        return bool(instructions)

    def emit_branch(self, condition: int, then: Callable[[], None]) -> None:
        """Emit a branch without alternative."""
        control.emit_branch(self.ctx, condition, then, None, self.scope, self.asks)

    def call_instructions(self, step: Step, names: list[KnownName]) -> None:
        """Emit a call of instructions. Raises ReportedError if they call themselves."""
        ctx = self.ctx
        if ctx.current_step and (path := ctx.analysis.path_to_step(step, ctx.current_step, ctx.dispatched_steps)):
            problem = messages.INSTRUCTIONS_CALL_THEMSELVES(steps=" → ".join([path[-1], *path]))
            raise ctx.error(self.tree, problem, messages.AVOID_CIRCLES())
        ctx.dispatched_steps.setdefault(ctx.current_step, []).append(step)
        steps.call(ctx, _with_parameters(step, names), [value for _, _, value in names], self.scope)
        ctx.checked_steps.add(step.name)


def _with_parameters(step: Step, names: list[KnownName]) -> Step:
    """Return a step whose body may use these names."""
    return replace(step, parameters=tuple((name, Scalar(of, step.place)) for name, of, _ in names))


def _piece_names(kind: Kind, piece: Value) -> list[KnownName]:
    """Return the names of a piece in its instructions: `it`, and its kind's name."""
    one = canonical(kind.name)  # the declared name may be a plural
    return [("it", one, piece), (kind.name, one, piece)]


def _kind_type(kind: Kind) -> Type:
    """Return the type of one piece of a kind."""
    return Type("piece", frozenset([kind.name]))
