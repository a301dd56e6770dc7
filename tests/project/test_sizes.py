"""Functions, classes and modules stay small enough to read."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from rulewright.game import library

PACKAGE = Path(library.__file__).parents[1]
LIMITS = {"lines of a function": 60, "public methods": 25, "parameters": 8, "lines of a module": 450}
Function = ast.FunctionDef | ast.AsyncFunctionDef

EXCEPTIONS = {
    "i18n/localizer.py": "a phrase says itself in English, so it stands with what says phrases",
    "rl/training.py train": "called from notebooks by names, all but the first with usual values",
    "runtime/native/library_calls.py Library": "generated: one method for each function in C",
    "runtime/native/meanings.py Meanings": "one method for each instruction",
}
"""Exceptions to the limits, with the reason: 'module.py', 'module.py name'."""


def measures(path: Path) -> Iterator[tuple[str, str, int]]:
    """Yield the place, what is measured, and how much it is."""
    module, text = path.relative_to(PACKAGE).as_posix(), path.read_text("utf-8")
    yield module, "lines of a module", len(text.splitlines())
    for node in statements(ast.parse(text)):
        if isinstance(node, Function):
            arguments = node.args
            names = [argument.arg for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
            yield f"{module} {node.name}", "parameters", len([name for name in names if name not in ("self", "cls")])
            yield f"{module} {node.name}", "lines of a function", length(node)
        elif isinstance(node, ast.ClassDef):
            methods = [one for one in node.body if isinstance(one, Function) and not one.name.startswith("_")]
            yield f"{module} {node.name}", "public methods", len(methods)


def statements(node: ast.AST) -> Iterator[ast.stmt]:
    """Yield all statements below a node; no others hold functions and classes."""
    for block in ("body", "orelse", "finalbody", "handlers", "cases"):
        for inner in getattr(node, block, ()):
            if isinstance(inner, ast.stmt):
                yield inner
            yield from statements(inner)


def length(function: Function) -> int:
    """Return the number of lines of a function without its docstring."""
    first = function.body[0]
    is_docstring = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    return last_line(function) - function.lineno + 1 - (last_line(first) - first.lineno + 1 if is_docstring else 0)


def last_line(node: ast.stmt) -> int:
    assert node.end_lineno is not None
    return node.end_lineno


def test_functions_classes_and_modules_are_small() -> None:
    everything = (measure for path in PACKAGE.rglob("*.py") for measure in measures(path))
    large = {place: f"{number} {what}" for place, what, number in everything if number > LIMITS[what]}
    assert {place: size for place, size in large.items() if place not in EXCEPTIONS} == {}
    assert EXCEPTIONS.keys() - large.keys() == set(), "no longer exceptions"
