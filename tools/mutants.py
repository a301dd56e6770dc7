"""Test of the tests by mutants: `python tools/mutants.py PART… [--sample N] [--seed N] [--seconds N]`.

Makes a seeded sample of small mistakes in the modules of a part, one at a time and only in memory, and runs those of
the part's nearest tests that call the function it stands in, the quickest first, up to the first failure. Each runs
in a process of its own, forked where the libraries are loaded but not the package. `.mutants/PART.txt` gets a line
for each mistake; what stands there is not tried again, so that it can be stopped and go on. Delete lines to try them
anew.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import copy
import json
import os
import random
import resource
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib.machinery import SourceFileLoader
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, settings

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "interpreter" / "rulewright"

# part -> its modules, its nearest tests (files, or tests in them), and which of them (as for `pytest -k`)
PARTS: dict[str, tuple[str, str, str]] = {
    "conflicts": ("model/conflicts.py", "model/test_extend.py", "contradict or power or option or overrul or role"),
    "game": (
        "game/game.py",
        "game/test_game.py players/test_session.py editions/test_games.py game/test_rule_texts.py "
        "editions/test_properties.py",
        "",
    ),
    "knowledge": ("runtime/information_state.py", "runtime/test_knowledge.py players/test_players.py", "not matches"),
    "lint": (
        "authoring/lint/*.py",
        "authoring/test_lint.py authoring/test_lint_texts.py authoring/test_broken.py model/test_extend.py",
        "",
    ),
    "abbreviations": ("publish/abbreviations.py", "terminal/test_maps.py", ""),
    "passes": ("program/passes/*.py", "program/test_passes.py runtime/test_machine.py runtime/test_native.py", ""),
    "players": ("players/*.py", "players/test_players.py players/test_by_place.py", "not matches and not browser"),
    "statistics": ("simulation/statistics.py", "simulation/test_statistics.py", ""),
    "store": ("server/storage/store*.py", "server/test_store.py server/test_serving_log.py", ""),
    "view": ("runtime/view.py", "runtime/test_view.py", ""),
}

COMPARED: dict[type, tuple[type, ...]] = {
    ast.Eq: (ast.NotEq,), ast.NotEq: (ast.Eq,), ast.In: (ast.NotIn,), ast.NotIn: (ast.In,), ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,), ast.Lt: (ast.LtE, ast.GtE), ast.LtE: (ast.Lt, ast.Gt), ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
}  # fmt: skip
REPLACED: dict[type, type] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.FloorDiv: ast.Mult, ast.Div: ast.Mult,
    ast.Mod: ast.Add, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.Pow: ast.Mult, ast.And: ast.Or, ast.Or: ast.And,
}  # fmt: skip
SWAPPED_CALLS = {"any": "all", "all": "any", "min": "max", "max": "min", "sorted": "list", "reversed": "list"}
SWAPPED_CALLS |= {"floor": "ceil", "ceil": "floor", "union": "intersection", "intersection": "union", "set": "tuple"}

LEFT_ALONE = ("annotation", "returns", "type_params", "decorator_list")
BODIES = ("body", "orelse", "finalbody")

Change = Callable[[Any], object]


def changes(node: Any) -> Iterator[tuple[str, Change]]:
    """Yield the mistakes that can be made in a node: the name of each, and what makes it in an equal node."""
    if isinstance(node, ast.Compare):
        for place, operator in enumerate(node.ops):
            for other in COMPARED[type(operator)]:
                yield other.__name__, partial(replaced, "ops", place, other())
    elif isinstance(node, (ast.BoolOp, ast.BinOp, ast.AugAssign)) and type(node.op) in REPLACED:
        yield REPLACED[type(node.op)].__name__, partial(put, "op", REPLACED[type(node.op)]())
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield "another", partial(put, "value", not node.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
        yield "another", partial(put, "value", node.value + 1)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.isidentifier():
        yield "another", partial(put, "value", f"{node.value}X")
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        yield "dropped", partial(put, "op", ast.UAdd())
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield "dropped", partial(put, "operand", ast.UnaryOp(ast.Not(), node.operand))
    elif isinstance(node, (ast.If, ast.IfExp, ast.While)):
        yield "negated", partial(put, "test", ast.UnaryOp(ast.Not(), node.test))
    elif isinstance(node, ast.comprehension):
        for place in range(len(node.ifs)):
            yield "without if", partial(removed, "ifs", place)
    elif isinstance(node, ast.Call):
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        if name in SWAPPED_CALLS:
            yield SWAPPED_CALLS[name], partial(renamed, SWAPPED_CALLS[name])
        if len(node.args) > 1 and not any(isinstance(argument, ast.Starred) for argument in node.args):
            yield "swapped", lambda call: call.args.insert(0, call.args.pop(1))
        for place in range(len(node.keywords)):
            yield "without keyword", partial(removed, "keywords", place)
    elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        for place, decorator in enumerate(node.decorator_list):
            if "cache" not in ast.unparse(decorator):
                yield "without decorator", partial(removed, "decorator_list", place)
    for field in BODIES:
        statements = getattr(node, field, [])
        for place, statement in enumerate(statements if isinstance(statements, list) else []):
            if (another := instead(statement)) is not None:
                yield f"instead {ast.unparse(another)}", partial(replaced, field, place, another)


def put(field: str, value: Any, node: Any) -> None:
    """Set a node's field."""
    setattr(node, field, value)


def replaced(field: str, place: int, value: Any, node: Any) -> None:
    """Replace an item of a list in a node's field."""
    getattr(node, field)[place] = value


def removed(field: str, place: int, node: Any) -> None:
    """Remove an item of a list in a node's field."""
    del getattr(node, field)[place]


def renamed(name: str, call: Any) -> None:
    """Let a call call another function."""
    setattr(call.func, "id" if isinstance(call.func, ast.Name) else "attr", name)


def instead(statement: ast.stmt) -> ast.stmt | None:
    """Return the statement that could replace another one, or None."""
    if isinstance(statement, ast.Expr):
        return None if isinstance(statement.value, ast.Constant) else ast.Pass()
    if isinstance(statement, ast.Assign):
        return None if isinstance(statement.targets[0], (ast.Name, ast.Tuple)) else ast.Pass()
    if isinstance(statement, ast.Return):
        return ast.Return(ast.Constant(None)) if statement.value and ast.unparse(statement.value) != "None" else None
    if isinstance(statement, (ast.Break, ast.Continue)):
        return ast.Continue() if isinstance(statement, ast.Break) else ast.Break()
    return ast.Pass() if isinstance(statement, (ast.AugAssign, ast.Raise, ast.Delete)) else None


def looked_at(tree: ast.AST, inside: int = 0) -> Iterator[tuple[ast.AST, int]]:
    """Yield the nodes that mistakes can be made in, always in the same order, with the first line of their function, or
    0 outside."""
    yield tree, inside
    if isinstance(tree, ast.FunctionDef):
        inside = min([tree.lineno, *(decorator.lineno for decorator in tree.decorator_list)])
    for field, value in ast.iter_fields(tree):
        if field not in LEFT_ALONE and not isinstance(tree, (ast.JoinedStr, ast.Assert)):
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    yield from looked_at(child, inside)


def mistakes(file: Path) -> Iterator[tuple[str, int, ast.Module]]:
    """Yield all mistakes of a module: what each is, the first line of its function (0 outside), and the tree that has
    it."""
    tree = ast.parse(file.read_text("utf-8"))
    for number, (node, inside) in enumerate(looked_at(tree)):
        for which, (name, _) in enumerate(changes(node)):
            other = copy.deepcopy(tree)
            existing: Any = next(found for n, (found, _) in enumerate(looked_at(other)) if n == number)
            before = ast.unparse(existing).splitlines()
            list(changes(existing))[which][1](existing)
            after = ast.unparse(existing).splitlines()
            index = next((n for n, lines in enumerate(zip(before, after)) if lines[0] != lines[1]), 0)
            text = "  =>  ".join(lines[index].strip() if index < len(lines) else "" for lines in (before, after))
            line = getattr(getattr(existing, "iter", existing), "lineno", 1) + index
            yield f"{file.relative_to(PACKAGE)}:{line} [{name}] {text}", inside, ast.fix_missing_locations(other)


class Watch:
    """Plugin of pytest that notes of each test the functions of some files that it calls, and its duration."""

    def __init__(self, files: set[str]) -> None:
        self.files = files
        self.tests: dict[str, Any] = {}
        self.calls: set[tuple[str, int]] = set()

    def traced(self, frame: Any, event: str, argument: Any) -> None:
        if frame.f_code.co_filename in self.files:
            self.calls.add((frame.f_code.co_filename, frame.f_code.co_firstlineno))

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item: Any) -> Iterator[None]:
        self.calls, began = set(), time.process_time()
        threading.settrace(self.traced)
        sys.settrace(self.traced)
        yield
        sys.settrace(None)
        self.tests[item.nodeid] = [time.process_time() - began, sorted(self.calls)]


class Quiet:
    """Plugin of pytest: random tests are the same each time, and look for no smaller example of a failure."""

    def pytest_configure(self) -> None:
        phases = (Phase.explicit, Phase.generate)
        settings.register_profile("mutants", settings.default, phases=phases, database=None, derandomize=True)
        settings.load_profile("mutants")


def in_a_child(work: Callable[[Any], int], seconds: float) -> tuple[int, str]:
    """Run work in a process of its own, and return its result and its output; -1 after a timeout."""
    end, start = os.pipe()
    child = os.fork()
    if not child:
        code = 3
        with contextlib.suppress(BaseException):
            os.setsid()
            limit = int(seconds) + 1
            resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))
            nothing = os.open(os.devnull, os.O_RDWR)
            for stream in (0, 1, 2):
                os.dup2(nothing, stream)
            with os.fdopen(start, "w") as answer:
                code = work(answer)
        os._exit(code)
    os.close(start)
    late = threading.Timer(5 * seconds + 30, lambda: os.killpg(child, signal.SIGKILL))
    late.start()
    with os.fdopen(end) as answer:
        text = answer.read()
    _, status = os.waitpid(child, 0)
    late.cancel()
    with contextlib.suppress(OSError):
        os.killpg(child, signal.SIGKILL)
    return (os.WEXITSTATUS(status) if os.WIFEXITED(status) else -1), text


def run(arguments: list[str], plugins: list[Any], changed: tuple[Path, ast.Module] | None = None) -> int:
    """Run pytest, with a module of the package changed or none; return its exit status."""
    if changed is not None:
        usual = SourceFileLoader.get_code

        def get_code(self: SourceFileLoader, name: str) -> Any:
            return compile(changed[1], self.path, "exec") if Path(self.path) == changed[0] else usual(self, name)

        pytest.MonkeyPatch().setattr(SourceFileLoader, "get_code", get_code)
    return int(pytest.main(["-x", "-q", "-p", "no:cacheprovider", *arguments], plugins=[Quiet(), *plugins]))


def tried(file: Path, tree: ast.Module, calling: dict[str, float], seconds: float) -> str:
    """Run the tests on a mutant, and return what came of it: 'noticed', 'survived', 'late' or 'untested'.

    calling: tests that call its function, and their durations.
    """
    near: list[str] = []
    took = 0.0
    for test in sorted(calling, key=calling.__getitem__):
        took += calling[test]
        if took < seconds or not near:
            near.append(test)
    if not near:
        return "untested"
    code, _ = in_a_child(lambda _: run(near, [], (file, tree)), 10 + 4 * max(seconds, calling[near[0]]))
    return {0: "survived", -1: "late"}.get(code, "noticed")


def try_part(part: str, sample: int, seed: int, seconds: float, out: Path) -> None:
    """Try a sample of a part's mistakes, append to its log what came of each that is not there yet, and print how many
    were noticed. Exits if the tests fail as they are. seconds: that the tests of one mistake take."""
    modules, tests, which = PARTS[part]
    files = sorted(file for pattern in modules.split() for file in PACKAGE.glob(pattern))
    choices = [f"tests/{test}" for test in tests.split() if (ROOT / "tests" / test.split("::")[0]).exists()]
    choices += ["-k", which] if which else []

    def watched(answer: Any) -> int:
        watch = Watch({str(file) for file in files})
        code = run(choices, [watch])
        json.dump(watch.tests, answer)
        return code

    code, text = in_a_child(watched, 3000)
    if code:
        sys.exit(f"The tests of '{part}' fail as they are ({code}).")
    known: dict[str, Any] = json.loads(text)
    values = [(file, *mistake) for file in files for mistake in mistakes(file)]
    random.Random(f"{seed} {part}").shuffle(values)
    log = out / f"{part}.txt"
    done: dict[str, str] = {}
    for line in log.read_text("utf-8").splitlines() if log.exists() else ():
        result, _, name = line.partition(" ")
        done[name] = result
    for file, name, inside, tree in values[:sample]:
        if name not in done:
            calling = {
                test: took for test, (took, calls) in known.items() if not inside or [str(file), inside] in calls
            }
            done[name] = tried(file, tree, calling, seconds)
            with log.open("a", encoding="utf-8") as lines:
                lines.write(f"{done[name]} {name}\n")
    results = [done[name] for _, name, _, _ in values[:sample]]
    text = ", ".join(f"{results.count(word)} {word}" for word in ("noticed", "late", "survived", "untested"))
    print(f"{part}: {len(values)} mistakes can be made, {len(results)} tried: {text}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("part", nargs="+", choices=list(PARTS))
    parser.add_argument("--sample", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=5, help="that the tests of one mistake take, when all is well")
    parser.add_argument("--out", type=Path, default=ROOT / ".mutants")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    os.environ["RULEWRIGHT_CACHE"] = "off"  # every test that needs a function calls it
    os.chdir(ROOT)
    sys.path[:0] = [str(ROOT / "tests" / "shared"), str(ROOT / "tools")]
    for library in ("hypothesis", "jsonschema", "lark", "babel.plural", "yaml", "wasmtime", "starlette.testclient"):
        with contextlib.suppress(ImportError):
            __import__(library)
    for part in arguments.part:
        try_part(part, arguments.sample, arguments.seed, arguments.seconds, arguments.out)


if __name__ == "__main__":
    main()
