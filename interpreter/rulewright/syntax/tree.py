"""The syntax tree of a sentence: one class for each rule of the grammar, and what is true of its kind.

Every class is called as its rule in `spec/sentences.lark`: `ChooseGroup` is built from `choose_group`, and its fields
are the rule's parts in their order. What is true of all sentences of a kind (that they ask, have a body, move pieces)
stands in their class, so that the compiler, `check`, the trace and the random editions ask the same question.

No other module knows how the parser represents a sentence.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Sequence
from dataclasses import field
from typing import Any, ClassVar, Literal, NamedTuple, Never, Self, TypeAlias, TypeVar, dataclass_transform

Relation: TypeAlias = Literal["", "not", "at least", "at most", "more than", "less than"]
"""A comparison without its verb; '' for `is`."""
Which: TypeAlias = Literal["highest", "lowest"]
Quantifier: TypeAlias = Literal["any", "every", "no"]
End: TypeAlias = Literal["top", "bottom", "first", "last"]

AnyNode = TypeVar("AnyNode", bound="Node")

CLASSES: dict[str, type[Any]] = {}
"""The class of each rule of the grammar."""


class Span(NamedTuple):
    """Offsets into the sentence, from the first character to behind the last."""

    start: int
    end: int


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def node(cls: type[AnyNode]) -> type[AnyNode]:
    """Make a class the one of the rule that is called as it is, or as its `rule` says.

    Its fields are the attributes that it declares itself. As with `record`, the type checker alone holds that nothing
    changes, and nothing is generated: a hundred dataclasses would take a tenth of a second when a command begins.
    """
    if "rule" not in cls.__dict__:
        cls.rule = "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in cls.__name__).lstrip("_")
    cls.fields = tuple(inspect.get_annotations(cls))
    CLASSES[cls.rule] = cls
    return cls


class Node:
    """A part of a sentence. Two are equal if they say the same, wherever they stand.

    span: where it stands; None for a part that no sentence has, such as the path in `total price of hand`.
    """

    rule: ClassVar[str]
    fields: ClassVar[tuple[str, ...]]
    span: Span | None = None

    def __init__(self, *values: Never) -> None:
        self.__dict__.update(zip(self.fields, values, strict=False))

    def with_span(self, span: Span | None) -> Self:
        """Return this node, which has just been made, with its place in the sentence."""
        self.span = span
        return self

    def values(self) -> tuple[object, ...]:
        """Return what its fields hold."""
        return tuple(getattr(self, name) for name in self.fields)

    def __eq__(self, other: object) -> bool:
        return self.values() == other.values() if isinstance(other, Node) and type(self) is type(other) else False

    def __hash__(self) -> int:
        return hash((self.rule, self.values()))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={getattr(self, name)!r}' for name in self.fields)})"

    def children(self) -> Iterator[Node]:
        """Yield the nodes that this one is made of, as they follow one another."""
        for value in self.values():
            if isinstance(value, Node):
                yield value
            elif isinstance(value, tuple):
                yield from value

    def walk(self) -> Iterator[Node]:
        """Yield this node and all inside it, each before its parts."""
        yield self
        for child in self.children():
            yield from child.walk()

    def find(self, *classes: type[AnyNode]) -> Iterator[AnyNode]:
        """Yield the nodes of some classes, this one included."""
        return (node for node in self.walk() if isinstance(node, classes))


@node
class Name(Node):
    """A name, with single blanks between its words."""

    text: str

    def __str__(self) -> str:
        return self.text


# ── statements ──


class Statement(Node):
    """An item of a `do` list.

    word: how messages call it; has_body: whether it is followed by a colon and what is done inside; clauses: the keys
    that may stand below it; visible: whether anything that somebody could see happens by it.
    """

    word: ClassVar[str] = ""
    has_body: ClassVar[bool] = False
    clauses: ClassVar[frozenset[str]] = frozenset()
    visible: ClassVar[bool] = True
    moves_pieces: ClassVar[bool] = False
    ends: ClassVar[str] = ""
    """Part of the game that it ends: 'loop', 'step', 'phase' or 'game'; '' for none."""

    @property
    def changed(self) -> Expression | None:
        """The counter or zone that it changes, where it says which."""
        return None

    @property
    def test(self) -> Expression | None:
        """The condition on which its body is done."""
        return None

    @classmethod
    def keyword(cls) -> str:
        """Return the words by which messages call it."""
        return cls.word or cls.rule.replace("_", " ")


class Question(Statement):
    """Asks somebody, who answers before the game goes on."""


class Loop(Statement):
    """Statement that repeats its body."""

    has_body: ClassVar[bool] = True


class Change(Statement):
    """Changes what a counter, or a list, holds."""

    counter: Expression

    @property
    def changed(self) -> Expression:
        return self.counter


class Ending(Statement):
    """Ends something that it stands in: nothing behind it in its list is done."""


@node
class Move(Statement):
    moves_pieces = True
    pieces: Expression
    target: Target


@node
class Shuffle(Statement):
    moves_pieces = True
    zone: Expression


@node
class Roll(Statement):
    moves_pieces = True
    pieces: Expression


@node
class Swap(Statement):
    moves_pieces = True
    one: Expression
    other: Expression


@node
class Show(Statement):
    pieces: Expression
    viewers: Expression


@node
class Fill(Statement):
    moves_pieces = True
    zone: Expression
    kinds: Expression
    source: Expression
    amount: Expression

    @property
    def changed(self) -> Expression:
        return self.zone


@node
class Assign(Change):
    """`set COUNTER to VALUE`"""

    word = "set"
    counter: Expression
    value: Expression


@node
class Add(Change):
    amount: Expression
    counter: Expression


@node
class Take(Change):
    amount: Expression
    counter: Expression


@node
class AddToEnd(Change):
    value: Expression
    counter: Expression


@node
class AddToBeginning(Change):
    value: Expression
    counter: Expression


@node
class Sort(Change):
    counter: Expression
    keys: Keys


@node
class TakeOut(Statement):
    """`take SOME of LIST as NAME`"""

    taken: Expression
    name: Name


@node
class Let(Statement):
    visible = False
    name: Name
    value: Expression


@node
class Choose(Question):
    clauses = frozenset(["ask", "none", "by place"])
    moves_pieces = True
    how_many: HowMany
    source: Expression
    outcome: Outcome


@node
class ChooseGroup(Question):
    """`choose HOW_MANY from SET that make one NAME …`"""

    clauses = frozenset(["ask", "none", "ask more", "none more"])
    moves_pieces = True
    how_many: HowMany
    source: Expression
    group: Name
    outcome: Outcome


@node
class ChooseAtRandom(Statement):
    moves_pieces = True
    how_many: HowMany
    source: Expression
    weight: Expression | None
    outcome: Outcome


@node
class ChooseNumber(Question):
    clauses = frozenset(["ask", "none", "text"])
    low: Expression
    high: Expression
    name: Name


@node
class ChooseOne(Question):
    clauses = frozenset(["ask", "none", "none if", "among"])
    name: Name | None


@node
class May(Question):
    clauses = frozenset(["ask", "do"])
    name: Name | None


@node
class RepeatChoosing(Question, Loop):
    has_body = False
    clauses = frozenset(["ask", "none", "none if", "among"])
    name: Name | None


@node
class Each(Loop):
    things: Expression
    name: Name | None
    keys: Keys | None


@node
class EachGroup(Loop):
    things: Expression
    keys: Keys
    name: Name


@node
class GoRound(Loop):
    seats: Expression
    keys: Keys | None
    until: Expression | None


@node
class RepeatWhile(Loop):
    condition: Expression

    @property
    def test(self) -> Expression:
        return self.condition


@node
class RepeatTimes(Loop):
    times: Expression


@node
class AtOnce(Loop):
    seats: Expression


@node
class ActAs(Statement):
    has_body = True
    seat: Expression


@node
class If(Statement):
    has_body = True
    condition: Expression

    @property
    def test(self) -> Expression:
        return self.condition


@node
class DropOut(Statement):
    pass


@node
class Do(Statement):
    step: Name
    arguments: Expression | Several | None
    name: Name | None


@node
class DoWhat(Statement):
    thing: Expression


@node
class Give(Ending):
    visible = False
    ends = "step"
    value: Expression


@node
class EndLoop(Ending):
    visible = False
    ends = "loop"


@node
class EndStep(Ending):
    visible = False
    ends = "step"


@node
class EndPhase(Ending):
    ends = "phase"


@node
class EndGame(Ending):
    ends = "game"


# ── parts of statements ──


class Target(Node):
    """Goal of a move."""

    zone: Expression
    at_bottom: ClassVar[bool] = False


@node
class EndOf(Target):
    zone: Expression


@node
class TopOf(Target):
    zone: Expression


@node
class BottomOf(Target):
    at_bottom = True
    zone: Expression


class Outcome(Node):
    """Use of what is chosen."""


@node
class Into(Outcome):
    target: Target


@node
class Named(Outcome):
    name: Name


class HowMany(Node):
    """Number of things to choose."""


@node
class Exactly(HowMany):
    number: Expression


@node
class Between(HowMany):
    low: Expression
    high: Expression


@node
class UpTo(HowMany):
    number: Expression


@node
class AtLeast(HowMany):
    number: Expression


@node
class AnyNumber(HowMany):
    pass


@node
class Several(Node):
    """Several arguments of `for`: `(2, bank)`."""

    parts: tuple[Expression, ...]


@node
class Keys(Node):
    """Keys of an order: the first, among equals the next."""

    keys: tuple[Key, ...]


class Key(Node):
    """One key of an order."""


@node
class ExtremeFirst(Key):
    which: Which
    figure: Expression


@node
class TrueFirst(Key):
    condition: Expression


@node
class Clockwise(Key):
    start: Expression


@node
class AtRandom(Key):
    pass


@node
class HookKey(Node):
    """Key of a hook in a change set: `may before clear table if …`."""

    rule = "hook"

    optional: bool
    when: str
    step: Name
    condition: Expression | None


@node
class NumberRange(Node):
    """`2 to 5`; high: None where it is one number."""

    rule = "span"
    low: Number | Negative
    high: Number | Negative | None = None


# ── expressions ──


class Expression(Node):
    """Something that has a value: a number, a truth, a thing or a set.

    traceable: whether the trace of a sentence shows it; opaque: whether it shows it as a whole, as its parts say
    nothing by themselves or speak of each thing.
    """

    traceable: ClassVar[bool] = True
    opaque: ClassVar[bool] = False

    def traced(self) -> Iterator[Node]:
        """Yield the parts that the trace of a sentence shows as well."""
        return iter(()) if self.opaque else self.children()


class SetExpression(Expression):
    """A set; parentheses around it are left out where the sentence means the same without them.

    picked_from: the set of which these are the members that something holds of, or that have most of something.
    """

    opaque: ClassVar[bool] = True
    bare: ClassVar[bool] = True

    @property
    def picked_from(self) -> Expression | None:
        return None


class Arithmetic(Expression):
    """Reckons with two numbers."""

    left: Expression
    right: Expression


@node
class Or(Expression):
    left: Expression
    right: Expression


@node
class And(Expression):
    left: Expression
    right: Expression


@node
class Not(Expression):
    operand: Expression


@node
class Compare(Expression):
    left: Expression
    relation: Relation
    right: Expression


@node
class Among(Expression):
    left: Expression
    denied: bool
    right: Expression


@node
class Empty(Expression):
    things: Expression
    denied: bool


@node
class Exists(Expression):
    quantifier: Quantifier
    things: Expression


@node
class Quantified(Expression):
    quantifier: Quantifier
    things: Expression
    condition: Expression

    def traced(self) -> Iterator[Node]:
        yield self.things


@node
class Plus(Arithmetic):
    left: Expression
    right: Expression


@node
class Minus(Arithmetic):
    left: Expression
    right: Expression


@node
class Times(Arithmetic):
    left: Expression
    right: Expression


@node
class Divided(Arithmetic):
    left: Expression
    right: Expression
    rounded: Literal["up", "down"]


@node
class Remainder(Arithmetic):
    left: Expression
    right: Expression


@node
class Number(Expression):
    traceable = False
    digits: str


@node
class Negative(Expression):
    traceable = False
    digits: str


@node
class Yes(Expression):
    traceable = False


@node
class No(Expression):
    traceable = False


@node
class NumberOf(Expression):
    things: Expression


@node
class Total(Expression):
    """`total NAME for ARGUMENT of SET`"""

    name: Name
    argument: Expression | None
    things: Expression

    def traced(self) -> Iterator[Node]:
        yield self.things


@node
class Extreme(Expression):
    """`highest FIGURE among SET`"""

    which: Which
    figure: Expression
    things: Expression

    def traced(self) -> Iterator[Node]:
        yield self.things


@node
class ExtremeOf(Expression):
    """`highest of (A, B)`"""

    which: Which
    parts: tuple[Expression, ...]


@node
class LongestRun(Expression):
    figure: Expression
    things: Expression

    def traced(self) -> Iterator[Node]:
        yield self.things


@node
class LongestLine(Expression):
    things: Expression
    through: Expression | None


@node
class PositionOf(Expression):
    owners: Expression


@node
class Distance(Expression):
    one: Expression
    other: Expression


# ── sets ──


@node
class Where(SetExpression):
    bare = False
    things: Expression
    condition: Expression

    @property
    def picked_from(self) -> Expression:
        return self.things


@node
class BestWhere(SetExpression):
    """`SET where CONDITION with highest FIGURE`"""

    bare = False
    things: Expression
    condition: Expression
    which: Which
    figure: Expression

    @property
    def picked_from(self) -> Expression:
        return self.things


@node
class Best(SetExpression):
    """`SET with highest FIGURE`"""

    bare = False
    things: Expression
    which: Which
    figure: Expression

    @property
    def picked_from(self) -> Expression:
        return self.things


class Line(SetExpression):
    """Spaces of a board that lie one behind the other in a direction."""

    traceable: ClassVar[bool] = False
    bare: ClassVar[bool] = False
    direction: Expression
    start: Expression


@node
class WholeLine(Line):
    direction: Expression
    start: Expression


@node
class LineTo(Line):
    """`DIRECTION of SPACE as far as CONDITION`"""

    direction: Expression
    start: Expression
    condition: Expression


@node
class LineAlong(Line):
    """`DIRECTION of SPACE as long as CONDITION up to CONDITION`"""

    direction: Expression
    start: Expression
    condition: Expression
    until: Expression | None


@node
class Union(SetExpression):
    opaque = False
    left: Expression
    right: Expression


@node
class Inside(SetExpression):
    """`SET in PLACE`"""

    things: Expression
    place: Expression


@node
class InLines(SetExpression):
    things: Expression
    length: Expression


@node
class Outside(SetExpression):
    """`SET outside GROUPS leaving lowest FIGURE`"""

    things: Expression
    group: Name
    figure: Name | None


@node
class Images(SetExpression):
    """`NAME of SET`: what an attribute, or a direction, of each member comes to."""

    what: Expression
    things: Expression


@node
class Connected(SetExpression):
    land: Expression
    origins: Expression


@node
class Neighbours(SetExpression):
    things: Expression


@node
class SomeOf(SetExpression):
    """`top 2 of SET`"""

    opaque = False
    end: End
    amount: Expression
    things: Expression

    def traced(self) -> Iterator[Node]:
        yield self.amount


@node
class NextOf(SetExpression):
    seats: Expression
    after: Expression


@node
class LeftOf(SetExpression):
    seat: Expression


@node
class GroupOf(SetExpression):
    """`group 1 of SET by NAME`: the members of one of the groups of equals, the largest first."""

    rank: Expression
    things: Expression
    name: Name


@node
class Lookup(Expression):
    """`NAME for ARGUMENT`"""

    opaque = True
    figure: Expression
    arguments: Expression | Several


@node
class PossessionOf(Expression):
    """`(EXPRESSION)'s NAME`"""

    opaque = True
    owner: Expression
    names: tuple[Name, ...]


@node
class Path(Expression):
    """`my NAME's NAME`; own: 'my' or 'its', if it begins so."""

    opaque = True
    own: Literal["my", "its"] | None
    names: tuple[Name, ...]


# ── making them ──

_VARIADIC = frozenset({Path, PossessionOf, ExtremeOf, Several, Keys})
"""The classes whose last field takes all parts that are left."""

Data: TypeAlias = tuple[str, tuple[int, ...], list[Any]]
"""A node as plain data: its rule, its span, what its fields hold."""


def make(rule: str, parts: Sequence[object], span: Span | None) -> Node:
    """Return the node of a rule, with the values of its fields in their order."""
    cls = CLASSES[rule]
    count = len(cls.fields)
    values = [*parts[: count - 1], tuple(parts[count - 1 :])] if cls in _VARIADIC else parts[:count]
    node: Node = cls(*values)
    return node.with_span(span)


def to_data(node: Node) -> Data:
    """Return a node as plain data, of which `from_data` makes it again."""

    def plain(value: object) -> object:
        if isinstance(value, Node):
            return to_data(value)
        return [plain(each) for each in value] if isinstance(value, tuple) else value

    return node.rule, node.span or (), [plain(getattr(node, name)) for name in node.fields]


def from_data(data: Data) -> Node:
    """Return the node that `to_data` was given."""

    def value_of(plain: Any) -> object:
        if isinstance(plain, tuple):
            return from_data(plain)
        return tuple(map(value_of, plain)) if isinstance(plain, list) else plain

    rule, span, values = data
    node: Node = CLASSES[rule](*map(value_of, values))
    return node.with_span(Span(*span) if span else None)
