"""Records: compared, shown, replaced and pickled like frozen dataclasses."""

from __future__ import annotations

import pickle
from dataclasses import dataclass, field, replace

import pytest

from rulewright.base.records import record


@record
class Card:
    suit: str
    values: tuple[int, ...] = ()
    cache: list[str] = field(default_factory=list, compare=False, repr=False)


@record
class Marked(Card):
    mark: str = ""


@record
class Nothing:
    """Record without fields."""


@dataclass(frozen=True)
class Other:
    suit: str
    values: tuple[int, ...] = ()


def test_records_of_one_class_with_equal_fields_are_equal() -> None:
    assert Card("leaf", (1,), ["Ada"]) == Card("leaf", (1,)) != Card("leaf", (2,))
    different: list[object] = [Card("leaf"), Marked("leaf"), Other("leaf"), Nothing()]
    assert all(one != other for one in different for other in different if one is not other)
    assert Nothing() == Nothing()
    assert len({Card("leaf"), Card("leaf", cache=["Ada"]), Marked("leaf"), Nothing(), Nothing()}) == 3


def test_a_record_is_shown_as_its_constructor_call() -> None:
    assert repr(Marked("leaf", (1, 2), ["Ada"], "x")) == "Marked(suit='leaf', values=(1, 2), mark='x')"
    assert repr(Nothing()) == "Nothing()"


def test_records_can_be_replaced_and_pickled() -> None:
    assert replace(Marked("leaf"), mark="y") == Marked("leaf", mark="y")
    assert pickle.loads(pickle.dumps(Marked("leaf", (3,)))) == Marked("leaf", (3,))


def test_a_record_with_unhashable_fields_has_no_hash() -> None:
    with pytest.raises(TypeError):
        hash(Card("leaf", [1]))  # type: ignore[arg-type]
    match Card("leaf", (1,)):
        case Card(suit, values):
            assert (suit, values) == ("leaf", (1,))
