"""The tool that tells whether tests notice mistakes: it makes different ones, the same each time."""

from __future__ import annotations

import ast
from typing import Any

import pytest

import mutants


@pytest.mark.rotating(10)
def test_mistakes_are_different_and_the_same_each_time() -> None:
    file = mutants.PACKAGE / "model" / "conflicts.py"
    results = [(name, inside, ast.unparse(tree)) for name, inside, tree in mutants.mistakes(file)]
    assert results == [(name, inside, ast.unparse(tree)) for name, inside, tree in mutants.mistakes(file)]
    texts = [text for _, _, text in results]
    assert len(set(texts)) == len(texts) > 50
    assert ast.unparse(ast.parse(file.read_text("utf-8"))) not in texts


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a < b", ["a <= b", "a >= b"]),
        ("a and b", ["a or b"]),
        ("a if not b else 1", ["a if not not b else 1", "a if not not b else 1", "a if not b else 2"]),
        ("any(a)", ["all(a)"]),
        ("f(a, b, c=d)", ["f(b, a, c=d)", "f(a, b)"]),
        ("[a for a in b if c]", ["[a for a in b]"]),
        ("return a", ["return None"]),
        ("return", []),
        ("a = b", []),
        ("a.b = c", ["pass"]),
        ("f(a)", []),
    ],
)
def test_kinds_of_mutations(before: str, after: list[str]) -> None:
    tree = ast.parse(before)
    results = []
    for number, (node, _) in enumerate(mutants.looked_at(tree)):
        for which, (name, _) in enumerate(mutants.changes(node)):
            other = ast.parse(before)
            existing = [node for node, _ in mutants.looked_at(other)][number]
            list(mutants.changes(existing))[which][1](existing)
            if not (name == "instead pass" and isinstance(tree.body[0], ast.Expr)):
                results.append(ast.unparse(other))
    assert sorted(results) == sorted(after)


@pytest.mark.parametrize(
    ("work", "lines"), [(lambda answer: answer.write("x") and 4, (4, "x")), (lambda _: 1 / 0, (3, ""))]
)
def test_results_of_a_child_process(work: Any, lines: tuple[int, str]) -> None:
    assert mutants.in_a_child(work, 5) == lines
