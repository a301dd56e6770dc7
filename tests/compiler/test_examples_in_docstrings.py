"""The first sentence that a docstring quotes, of a node's class or of a function that compiles it, shows that node."""

from __future__ import annotations

import inspect
import re
from contextlib import suppress
from typing import Any

import pytest

from rulewright.compiler import build, registry
from rulewright.syntax import sentences
from rulewright.syntax.expression_nodes import Expression
from rulewright.syntax.sentence_errors import SentenceError
from rulewright.syntax.statement_nodes import Statement
from rulewright.syntax.tree import CLASSES


def example_of(described: Any) -> str:
    """Return the first quoted text of a docstring that has several words, all of them; its letters for parts, such as
    N and SET, become a number and names. '' without one."""
    quoted = re.findall(r"`([^`]+)`", " ".join((described.__doc__ or "").split()))
    text = next((each for each in quoted if " " in each and "…" not in each), "")
    text = re.sub(r"\b[A-Z]+\b", lambda part: "3" if part[0] == "N" else f"a {part[0].lower()}", text)
    return text.removesuffix(":")


def rules_in(text: str) -> set[str]:
    """Return the rules of a sentence or a value; none if it is neither."""
    for start in ("statement", "value"):
        with suppress(SentenceError):
            return {node.rule for node in sentences.parse(text, start).walk()}
    return set()


@pytest.mark.rotating(2)
def test_examples_are_sentences_of_what_they_explain() -> None:
    assert build  # imports all modules that compile something
    rules: dict[Any, set[str]] = {
        cls: {cls.rule} for cls in CLASSES.values() if issubclass(cls, (Statement, Expression))
    }
    compiling: dict[Any, Any] = {**registry._STATEMENTS, **registry._EXPRESSIONS}
    for cls, function in compiling.items():
        rules.setdefault(inspect.unwrap(function), set()).add(cls.rule)
    examples = {described: example for described in rules if (example := example_of(described))}
    assert len(examples) > 100
    wrong = {each.__name__: text for each, text in examples.items() if not rules_in(text) & rules[each]}
    assert wrong == {}
