"""The function that compiles each form of sentence and expression.

A module that defines one registers it with `compiles` or `means`; `build` imports them all, and refuses to be imported
where a class of the syntax tree has none.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any, TypeVar

from rulewright.base.records import record
from rulewright.compiler.context import Context
from rulewright.compiler.typed_values import Meaning, Scope
from rulewright.syntax.source import MappingNode, Node, Scalar
from rulewright.syntax.tree import CLASSES, Expression, Path, Statement


@record
class StatementParts:
    """What stands around a sentence. done: of a loop, what is done in it, if not its body's sentences."""

    key: Scalar
    value: Node | None
    clauses: MappingNode | None
    node: Node
    asks: bool
    done: Callable[[Scope], None] | None = None

    @property
    def body(self) -> Node:
        assert self.value is not None
        return self.value

    def clause(self, name: str) -> Node | None:
        return self.clauses.get(name) if self.clauses else None

    def text(self, name: str) -> Scalar | None:
        clause = self.clause(name)
        return clause if isinstance(clause, Scalar) else None


AStatement = TypeVar("AStatement", bound=Statement)
AnExpression = TypeVar("AnExpression", bound=Expression)
AMeaning = TypeVar("AMeaning", bound=Meaning)

_STATEMENTS: dict[type[Statement], Callable[[Context, Any, Scope, StatementParts], None]] = {}
_EXPRESSIONS: dict[type[Expression], Callable[[Context, Any, Scope], Meaning]] = {}


def compiles(
    form: type[AStatement],
) -> Callable[
    [Callable[[Context, AStatement, Scope, StatementParts], None]],
    Callable[[Context, AStatement, Scope, StatementParts], None],
]:
    """Register the function that writes the instructions of a form of sentence."""

    def register(
        function: Callable[[Context, AStatement, Scope, StatementParts], None],
    ) -> Callable[[Context, AStatement, Scope, StatementParts], None]:
        _STATEMENTS[form] = function
        return function

    return register


def means(
    form: type[AnExpression],
) -> Callable[[Callable[[Context, AnExpression, Scope], AMeaning]], Callable[[Context, AnExpression, Scope], AMeaning]]:
    """Register the function that gives what a form of expression means."""

    def register(
        function: Callable[[Context, AnExpression, Scope], AMeaning],
    ) -> Callable[[Context, AnExpression, Scope], AMeaning]:
        _EXPRESSIONS[form] = function
        return function

    return register


def compile_statement(ctx: Context, statement: Statement, scope: Scope, parts: StatementParts) -> None:
    """Write the instructions of a sentence. Raises Wrong."""
    _STATEMENTS[type(statement)](ctx, statement, scope, parts)


def meaning_of(ctx: Context, expression: Expression, scope: Scope) -> Meaning:
    """Return what an expression means; not for paths, which mean different things at different places."""
    return _EXPRESSIONS[type(expression)](ctx, expression, scope)


def require_all(*modules: ModuleType) -> None:
    """Raise NotImplementedError where a form of the language has no function. modules: those that register them."""
    for form in CLASSES.values():
        missing = (issubclass(form, Statement) and form not in _STATEMENTS) or (
            issubclass(form, Expression) and form not in _EXPRESSIONS and form is not Path
        )
        if missing:
            names = ", ".join(module.__name__.rpartition(".")[2] for module in modules)
            raise NotImplementedError(f"No function in {names} compiles {form.__name__}.")
