"""Nodes and the rules of the grammar that they are made from."""

from __future__ import annotations

import pytest

from rulewright.syntax import tree
from rulewright.syntax.condition_nodes import Compare
from rulewright.syntax.expression_nodes import Expression


def test_a_rule_has_one_class() -> None:
    with pytest.raises(TypeError, match=r"'compare' is the rule of rulewright\.syntax\.condition_nodes, too"):

        @tree.node
        class Compare(Expression):
            pass

    assert tree.CLASSES["compare"].__module__ == "rulewright.syntax.condition_nodes"


@pytest.mark.parametrize("parts", [("gold",), ("gold", "", "5", "more")])
def test_the_parts_of_a_rule_are_the_fields_of_its_class(parts: tuple[str, ...]) -> None:
    with pytest.raises(TypeError, match=f"'compare' gives {len(parts)} parts; Compare has left, relation, right"):
        tree.make("compare", parts, None)
    assert Compare.fields == ("left", "relation", "right")
