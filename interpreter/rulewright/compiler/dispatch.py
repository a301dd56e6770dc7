"""What words and pieces say: `do what CARD says`.

What each says is laid out like a step that is told for the thing which says it. Which of them it is, is looked up where
the sentence is done.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from rulewright.base.rule_keys import RuleKey
from rulewright.compiler import attributes, cell_access, control, steps
from rulewright.compiler.context import Context
from rulewright.compiler.emitter import constant, constant_value
from rulewright.compiler.registry import StatementParts, compiles
from rulewright.compiler.typed_values import Frame, Scope, Value, describe
from rulewright.model.declarations import Kind, Step, canonical
from rulewright.program.form import Type
from rulewright.syntax.source import Scalar
from rulewright.syntax.tree import DoWhat

KnownName = tuple[str, str, Value]
"""What is known where something is said: a name, what it is as parameters have it, and what it stands for."""


@compiles(DoWhat)
def compile_do_what(ctx: Context, statement: DoWhat, scope: Scope, parts: StatementParts) -> None:
    named = statement.thing
    thing = ctx.require_present(ctx.single(ctx.meaning(named, scope), named), named)
    if thing.type.base not in ("word", "piece"):
        message = f"Only a word or a piece says what to do; this is {describe(thing.type)}."
        raise ctx.error(named, "type", message)
    if ctx.may_be_lost_kind(thing.type):
        return
    if parts.asks:
        slot = cell_access.new_cell(ctx, thing.type, 0, scope)
        cell_access.save(ctx, slot, thing)
        found = _Dispatcher(ctx, statement, scope, lambda: ctx.single(cell_access.load(ctx, slot), named), True)
    else:
        operand = ctx.emit.variable(thing.operand)
        found = _Dispatcher(ctx, statement, scope, lambda: replace(thing, operand=operand), False)
    said = (
        found.of_pieces(thing.type)
        if thing.type.base == "piece"
        else found.of_words(str(thing.type.detail), only=constant_value(thing.operand))
    )
    if not said:
        message = f"{describe(thing.type).capitalize()} says nothing to do."
        hint = "A word says with 'do' what is done; so does a kind of piece, or a word that its pieces have."
        raise ctx.error(statement, "says-nothing", message, hint)


def check_instructions(ctx: Context, step: Step) -> None:
    """Compile what nothing does, so that it is checked: for a piece that says it, if there are such pieces."""
    rule = RuleKey(step.name)
    words = rule.words
    kinds = [kind for kind in ctx.edition.kinds.values() if words in kind.attributes.values() or kind.name == rule.name]
    told: list[KnownName] = []
    if kinds and (words or rule.section == "pieces"):
        told += _piece_names(kinds[0], Value(_kind_type(kinds[0]), 0))
    if words:
        told += [] if told else [("it", words, Value(Type("word", words), 0))]
        told.append((words, words, Value(Type("word", words), 0)))
    said = _with_parameters(step, told)
    if ctx.analysis.step_may_ask(step):
        cell_access.begin_block(ctx, cell_access.new_block(ctx), step.called)
        steps.subroutine(ctx, said)
        steps.finish_subroutines(ctx)
    else:
        steps.call(ctx, said, [value for _, _, value in told], Scope(step.called, frames=(Frame("routine"),)))


class _Dispatcher:
    """The ways that one sentence can go. thing: what says it; asks: whether somebody may be asked."""

    def __init__(self, ctx: Context, statement: DoWhat, scope: Scope, thing: Callable[[], Value], asks: bool) -> None:
        self.ctx, self.tree, self.scope, self.thing, self.asks = ctx, statement, scope, thing, asks

    def of_pieces(self, type_: Type) -> bool:
        """What a piece says, by its kind, or by a word that it has; whether there is anything."""
        ctx = self.ctx
        kinds = [ctx.edition.kinds[name] for name in ctx.edition.kinds if name in ctx.kinds_in(type_)]
        telling = [kind for kind in kinds if kind.says is not None or self.attribute(kind)]
        for kind in telling:
            if len(kinds) == 1:
                self.of_kind(kind)
                continue
            table = ctx.plan.kind_table(frozenset([kind.name]))
            self.where(ctx.emit.look_up(table, self.thing().operand), partial(self.of_kind, kind))
        return bool(telling)

    def attribute(self, kind: Kind) -> str:
        """The attribute of a piece whose words say something, or ''."""
        lists = self.ctx.edition.words
        said = (name for name, of in kind.attributes.items() if of in lists and any(w.says for w in lists[of].words))
        return next(said, "")

    def of_kind(self, kind: Kind) -> None:
        def piece() -> Value:
            return replace(self.thing(), type=_kind_type(kind))

        if kind.says is not None:
            self.do(kind.says, _piece_names(kind, piece()))
            return
        attribute = self.attribute(kind)
        self.of_words(
            kind.attributes[attribute],
            lambda: attributes.required_attribute(self.ctx, piece(), attribute),
            lambda: _piece_names(kind, piece()),
        )

    def of_words(
        self,
        words: str,
        word: Callable[[], Value] | None = None,
        before: Callable[[], list[KnownName]] | None = None,
        only: int | None = None,
    ) -> bool:
        """What a word says; whether any of its list does. word: that of a piece; before: what is known of it; only: the
        number of the word, where the sentence names one."""
        ctx, one = self.ctx, word or self.thing
        said: list[Step] = []
        numbers: list[int] = []
        for number, each in enumerate(ctx.edition.words[words].words):
            if each.says is None or only not in (None, number):
                numbers.append(-1)
                continue
            same = [step.body is each.says.body for step in said]
            if True not in same:
                said.append(each.says)
                same.append(True)
            numbers.append(same.index(True))
        table = ctx.plan.table(tuple(numbers))
        for number, step in enumerate(said):

            def then(step: Step = step) -> None:
                told = before() if before is not None else [("it", words, one())]
                self.do(step, [*told, (words, words, one())])

            found = ctx.emit.look_up(table, one().operand)
            self.where(ctx.emit.value("equal", found, constant(number)), then)
        return bool(said)

    def where(self, condition: int, then: Callable[[], None]) -> None:
        control.emit_branch(self.ctx, condition, then, None, self.scope, self.asks)

    def do(self, step: Step, told: list[KnownName]) -> None:
        ctx = self.ctx
        if ctx.current_step and (way := ctx.analysis.path_to_step(step, ctx.current_step, ctx.dispatched_steps)):
            message = f"This does itself: {' → '.join([way[-1], *way])}."
            raise ctx.error(self.tree, "circular", message, "What something says can do what others say, in no circle.")
        ctx.dispatched_steps.setdefault(ctx.current_step, []).append(step)
        steps.call(ctx, _with_parameters(step, told), [value for _, _, value in told], self.scope)
        ctx.checked_steps.add(step.name)


def _with_parameters(step: Step, told: list[KnownName]) -> Step:
    return replace(step, parameters=tuple((name, Scalar(of, step.place)) for name, of, _ in told))


def _piece_names(kind: Kind, piece: Value) -> list[KnownName]:
    one = canonical(kind.name)  # whatever the kind is called
    return [("it", one, piece), (kind.name, one, piece)]


def _kind_type(kind: Kind) -> Type:
    return Type("piece", frozenset([kind.name]))
