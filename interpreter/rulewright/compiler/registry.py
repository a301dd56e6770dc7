"""Registry of the functions that compile each class of sentence and expression.

A module registers them with `compiles` and `means`; `build` imports all modules and fails to import where a class of
the syntax tree has none.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any, Generic, ParamSpec, TypeVar

from rulewright.base.records import record
from rulewright.compiler.context import Context
from rulewright.compiler.scopes import Binding, Scope
from rulewright.compiler.typed_values import Meaning
from rulewright.model.declarations import Figure
from rulewright.syntax.expression_nodes import Expression, Path
from rulewright.syntax.source import MappingNode, Node, Scalar
from rulewright.syntax.statement_nodes import Statement
from rulewright.syntax.tree import CLASSES


@record
class StatementParts:
    """Parts of a statement around its sentence.

    - key: the sentence as written
    - value: what stands below it, or None
    - clauses: that, if it is a mapping
    - node: the whole statement
    - asks: whether it may ask a seat
    - compile_body: compiles the body of a loop, None where that is `value`
    """

    key: Scalar
    value: Node | None
    clauses: MappingNode | None
    node: Node
    asks: bool
    compile_body: Callable[[Scope], None] | None = None

    @property
    def body(self) -> Node:
        """Node below the sentence; asserts that there is one."""
        assert self.value is not None
        return self.value

    def clause(self, name: str) -> Node | None:
        """Return the clause of this name below the sentence, or None."""
        return self.clauses.get(name) if self.clauses else None

    def text(self, name: str) -> Scalar | None:
        """Return the text of a clause, or None."""
        clause = self.clause(name)
        return clause if isinstance(clause, Scalar) else None


P = ParamSpec("P")
T = TypeVar("T")
AStatement = TypeVar("AStatement", bound=Statement)
AnExpression = TypeVar("AnExpression", bound=Expression)
AMeaning = TypeVar("AMeaning", bound=Meaning)

_STATEMENTS: dict[type[Statement], Callable[[Context, Any, Scope, StatementParts], None]] = {}
"""Class of statement -> function that compiles it, as `compiles` registers them."""
_EXPRESSIONS: dict[type[Expression], Callable[[Context, Any, Scope], Meaning]] = {}
"""Class of expression -> function that compiles it, as `means` registers them."""


def compiles(
    form: type[AStatement],
) -> Callable[
    [Callable[[Context, AStatement, Scope, StatementParts], None]],
    Callable[[Context, AStatement, Scope, StatementParts], None],
]:
    """Register the function that compiles a class of sentence."""

    def register(
        function: Callable[[Context, AStatement, Scope, StatementParts], None],
    ) -> Callable[[Context, AStatement, Scope, StatementParts], None]:
        _STATEMENTS[form] = function
        return function

    return register


def means(
    form: type[AnExpression],
) -> Callable[[Callable[[Context, AnExpression, Scope], AMeaning]], Callable[[Context, AnExpression, Scope], AMeaning]]:
    """Register the function that returns the meaning of a class of expression."""

    def register(
        function: Callable[[Context, AnExpression, Scope], AMeaning],
    ) -> Callable[[Context, AnExpression, Scope], AMeaning]:
        _EXPRESSIONS[form] = function
        return function

    return register


def compile_statement(ctx: Context, statement: Statement, scope: Scope, parts: StatementParts) -> None:
    """Compile a sentence by the function of its class. Raises ReportedError."""
    _STATEMENTS[type(statement)](ctx, statement, scope, parts)


class Forward(Generic[P, T]):
    """Function declared here and defined by a higher module: names mean figures, whose expressions hold names.
    declaration: gives its parameters."""

    def __init__(self, declaration: Callable[P, T]) -> None:
        self._definition = declaration

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> T:
        """Call the definition; before there is one, the declaration, which raises NotImplementedError."""
        return self._definition(*args, **kwargs)

    def defines(self, function: Callable[P, T]) -> Callable[P, T]:
        """Set the function that is called from now on."""
        self._definition = function
        return function


@Forward
def path_meaning(ctx: Context, path: Path, scope: Scope, expected_list: str, expected: str, all_seats: bool) -> Meaning:
    """Return the meaning of a path of names; parameters as of `meaning_of`."""
    raise NotImplementedError


@Forward
def figure_meaning(ctx: Context, figure: Figure, owner: int | None, arguments: list[Binding], scope: Scope) -> Meaning:
    """Return a figure's value for an owner, with every change that is active for it. Raises ReportedError, TooLarge.
    owner: operand of the seat, word or piece; None for a figure of the table."""
    raise NotImplementedError


def meaning_of(
    ctx: Context,
    expression: Expression,
    scope: Scope,
    expected_list: str = "",
    expected: str = "",
    all_seats: bool = False,
) -> Meaning:
    """Return the meaning of any expression. What is expected decides between several meanings of a name; it is not
    checked. expected_list: word list of an expected word; expected: base of the expected type, or one of SET, COUNTER,
    PLACE, ANYTHING; '' for both if unknown; all_seats: whether `seat` means all seats, as in `each seat`."""
    if isinstance(expression, Path):
        return path_meaning(ctx, expression, scope, expected_list, expected, all_seats)
    return _EXPRESSIONS[type(expression)](ctx, expression, scope)


def require_all(*modules: ModuleType) -> None:
    """Raise NotImplementedError if a class of the language has no function. modules: those that register them."""
    for form in CLASSES.values():
        missing = (issubclass(form, Statement) and form not in _STATEMENTS) or (
            issubclass(form, Expression) and form not in _EXPRESSIONS and form is not Path
        )
        if missing:
            names = ", ".join(module.__name__.rpartition(".")[2] for module in modules)
            raise NotImplementedError(f"No function in {names} compiles {form.__name__}.")
