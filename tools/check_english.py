"""Check docstrings, names and subjects of commits for plain English.

`python tools/check_english.py` prints a table of the package's rooms; with paths, each place in them:

    python tools/check_english.py interpreter/rulewright/server tests/server
    python tools/check_english.py --subjects main..HEAD

A docstring's first line is an imperative ('Return the seats …') or a noun phrase ('Seats that …') with a full stop.
A name is a noun or a verb: neither a lone participle (`found`, `told`) nor a pronoun, an adverb or a preposition.
"""

from __future__ import annotations

import argparse
import ast
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "interpreter" / "rulewright"
MAX_SUBJECT = 72  # characters

CLAUSES = """what how where who whom whose which whoever whomever whatever whichever wherever when whenever why that if
    as because while until unless though although since once"""
PREPOSITIONS = (
    "of for in on at by with without from to into onto upon between among beside behind below above after before"
)
PRONOUNS = "it its they them their there here he she we you i this these those none"
VERBS = """is are was were be been has have had can could may might must shall should will would does did do so and or
    but then"""
THIRD_PERSON = "returns gives tells says makes writes takes finds gets adds raises keeps puts goes does creates calls"
PARTICIPLES = "called told said made found seen heard asked kept given"
NO_BEGINNINGS = frozenset(" ".join((CLAUSES, PREPOSITIONS, PRONOUNS, VERBS, THIRD_PERSON, PARTICIPLES)).split())
"""First words of a docstring that neither an imperative nor a noun phrase has. `do` names the rule language's key."""

_BANNED = """
    found told made lying heard met todo luck trouble leavings hall house street door crowd eyes veil here there its
    ways begun keeps forgets said sayings partings kept fresh alike apart whose who
    seen asked wanted gone taken given shown named called written drawn meant thought chosen spoken spent worked held
    lacking showing standing missing_out beside behind beneath at by off them those these where when what how why
"""
BANNED = frozenset(_BANNED.split())
"""Words that are no name for a value, a function or a class."""

ALLOWED: dict[str, frozenset[str]] = {
    "players/observations.py": frozenset(["chosen"]),
    "publish/rulebook/summary.py": frozenset(["chosen"]),  # a field of `/editions/EDITION/glance`
    "rl/game_tree.py": frozenset(["given"]),  # what other programs call
    "rl/training.py": frozenset(["told"]),
    "server/limits.py": frozenset(["begun", "said"]),  # settings of `serve`
    "server/storage/records.py": frozenset(["at", "by"]),  # columns
    "server/views/document.py": frozenset(
        [
            "Asked",
            "asked",
            "at",
            "begun",
            "chosen",
            "held",
            "named",
            "said",
            "taken",
            "told",
            "trouble",
            "wanted",
            "what",
        ]
    ),  # fields of messages, and their classes as the pages import them
    "server/views/replies.py": frozenset(["Kept", "gone", "said", "taken", "told", "what", "why"]),
    "server/views/lesson_views.py": frozenset(["taken", "why"]),
    "server/web/protocol.py": frozenset(["by", "what"]),
    "model/declarations.py": frozenset(["by", "shown", "when"]),  # keys of the rule language
    "program/state_layout.py": frozenset(["by"]),
    "runtime/native/library_calls.py": frozenset(["beside", "lying"]),  # instructions
    "runtime/native/meanings.py": frozenset(["beside", "lying"]),
    "shared/forked_processes.py": frozenset(["when"]),  # what pytest calls
    "syntax/change_nodes.py": frozenset(["taken"]),
    "syntax/part_nodes.py": frozenset(["Named", "when"]),  # as in the grammar
    "syntax/set_nodes.py": frozenset(["Where", "what"]),
}
"""Names that stay: fields of messages, saves and results, and what other programs call. End of a path -> names."""


@dataclass(frozen=True, slots=True)
class Lapse:
    """Place where a docstring or a name is not plain."""

    path: Path
    line: int
    kind: str
    """`docstring` or `name`"""
    text: str

    def __str__(self) -> str:
        path = self.path.relative_to(ROOT) if self.path.is_relative_to(ROOT) else self.path
        return f"{path}:{self.line}: {self.kind}: {self.text}"


@dataclass(frozen=True, slots=True)
class Count:
    """Docstrings of a folder, and its lapses."""

    docstrings: int
    lapses: tuple[Lapse, ...]

    def of(self, kind: str) -> int:
        """Count the lapses of a kind."""
        return sum(lapse.kind == kind for lapse in self.lapses)


def docstrings(nodes: Sequence[ast.AST]) -> Iterator[tuple[ast.AST, ast.Constant]]:
    """Yield each docstring with what it describes: a module, class or function, or the assignment above it."""
    for node in nodes:
        if not isinstance(node, (ast.Module, ast.stmt)):
            continue
        above: ast.AST = node
        body = getattr(node, "body", None)
        for statement in body if isinstance(body, list) else []:
            text = statement.value if isinstance(statement, ast.Expr) else None
            if isinstance(text, ast.Constant) and isinstance(text.value, str):
                yield above, text
            above = statement


def docstring_problem(text: str, described: ast.AST) -> str:
    """Say why a docstring's first line is not plain; '' if it is, as far as can be decided."""
    first = " ".join(text.strip().partition("\n\n")[0].split())
    word = first.split(" ")[0].rstrip(".,:;").lower() if first else ""
    if not word:
        return "empty"
    if word == "whether" and isinstance(described, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return "" if _is_predicate(described) else "begins with 'Whether'"
    if (word in NO_BEGINNINGS and not first.startswith("Do nothing")) or word == "whether":
        return f"begins with '{first.split(' ')[0]}'"
    if first.lower().startswith(("the same", "one that", "one who")):
        return "begins with a riddle"
    if word in ("return", "yield") and (problem := _wrong_result(word, described)):
        return problem
    if isinstance(described, (ast.Assign, ast.AnnAssign)):
        return ""
    if first.startswith("`") and first.endswith("`"):  # the syntax of what a class stands for
        return ""
    return "" if first.endswith((".", "?", "!", ":", "::")) else "no full stop"


def _wrong_result(word: str, described: ast.AST) -> str:
    """Say that a function does not return or yield what its docstring begins with; '' if it may."""
    if not isinstance(described, (ast.FunctionDef, ast.AsyncFunctionDef)) or described.decorator_list:
        return ""
    result = ast.unparse(described.returns) if described.returns is not None else ""
    if result == "None":
        return f"begins with '{word.capitalize()}', but nothing is returned"
    if word == "return" and result.startswith(("Iterator", "Generator")):
        return "begins with 'Return', but this yields"
    return ""


_QUOTED = re.compile(r"`[^`]*`|'[^']*'")
_LABELS = re.compile(r"(?:(?<=[.;] )|(?<=  ))([a-z_]\w*(?:, [a-z_]\w*)*): ")


def stale_labels(text: str, described: ast.AST) -> list[str]:
    """List the words that a docstring explains, as in 'seat: who asks', and that are no parameter or field any more."""
    labels = _LABELS.findall(_QUOTED.sub("", "  " + re.sub(r"\n\s*", " ", text)))
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    if not labels:
        return []
    if isinstance(described, ast.ClassDef) and not described.bases:
        nodes = list(ast.walk(described))
    elif isinstance(described, functions) and described.args.kwarg is None:
        nodes = list(ast.walk(described.args))
    else:
        return []
    known = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    known |= {node.id for node in nodes if isinstance(node, ast.Name)}
    known |= {node.arg for node in nodes if isinstance(node, ast.arg)}
    known |= {node.name for node in nodes if isinstance(node, functions)}
    return [label for group in labels for label in group.split(", ") if label not in known]


def _is_predicate(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return isinstance(function.returns, ast.Name) and function.returns.id == "bool"


def names(nodes: Sequence[ast.AST]) -> Iterator[tuple[int, str]]:
    """Yield line and name of all that a module's nodes define, but for variables of comprehensions."""
    inner = {
        id(name)
        for node in nodes
        if isinstance(node, ast.comprehension)
        for name in ast.walk(node.target)
        if isinstance(name, ast.Name)
    }
    for node in nodes:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node.lineno, node.name
        elif isinstance(node, ast.arg):
            yield node.lineno, node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and id(node) not in inner:
            yield node.lineno, node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.lineno, node.attr
        elif isinstance(node, ast.alias) and node.asname:
            yield node.lineno, node.asname
        elif isinstance(node, (ast.MatchAs, ast.MatchStar)) and node.name:
            yield node.lineno, node.name


def lapses(path: Path) -> tuple[int, list[Lapse]]:
    """Count the docstrings of a file and list its lapses, in the order of lines."""
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    allowed = frozenset(name for end, some in ALLOWED.items() if path.as_posix().endswith(end) for name in some)
    number, result = 0, []
    for described, node in docstrings(nodes):
        number += 1
        if problem := docstring_problem(str(node.value), described):
            result.append(
                Lapse(path, node.lineno, "docstring", f"{problem}: {str(node.value).strip().splitlines()[0]}")
            )
        for label in stale_labels(str(node.value), described):
            result.append(Lapse(path, node.lineno, "docstring", f"explains '{label}', which there is not"))
    if path.stem.strip("_") in BANNED:
        result.append(Lapse(path, 1, "name", path.stem))
    for line, name in names(nodes):
        if name.strip("_").lower() in BANNED and name not in allowed:
            result.append(Lapse(path, line, "name", name))
    return number, sorted(result, key=lambda lapse: lapse.line)


def count(paths: Iterable[Path]) -> Count:
    """Check all Python files in folders, and files."""
    number = 0
    result: list[Lapse] = []
    for path in paths:
        for file in [path] if path.is_file() else sorted(path.rglob("*.py")):
            some, of_file = lapses(file)
            number += some
            result += of_file
    return Count(number, tuple(result))


def paths_of_rooms() -> dict[str, list[Path]]:
    """Return the folders and files of each room of the package, of what lies outside of rooms (''), tests and tools."""
    folders = sorted(path.parent for path in PACKAGE.glob("*/__init__.py"))
    return {
        "": sorted(PACKAGE.glob("*.py")),
        **{folder.name: [folder] for folder in folders},
        "tests": [ROOT / "tests"],
        "tools": [ROOT / "tools"],
    }


def count_rooms() -> dict[str, Count]:
    """Check each room, the tests and the tools."""
    return {room: count(paths) for room, paths in paths_of_rooms().items()}


def subject_problem(subject: str) -> str:
    """Say why a commit's subject is not plain: too long or no imperative; '' if it is."""
    word = subject.split(" ", maxsplit=1)[0].lower()
    if len(subject) > MAX_SUBJECT:
        return f"{len(subject)} characters"
    if word in NO_BEGINNINGS - {"do"} or word in ("a", "an", "the", "every", "each") or word.endswith(("ing", "ed")):
        return "no imperative"
    return ""


def check_subjects(commits: str) -> list[str]:
    """List the commits of a range whose subject is not plain."""
    log = subprocess.run(
        ["git", "log", "--format=%h %s", commits], cwd=ROOT, capture_output=True, text=True, check=True
    )
    lines = [line.partition(" ") for line in log.stdout.splitlines()]
    problems = [(commit, subject_problem(subject), subject) for commit, _, subject in lines]
    return [f"{commit}: {problem}: {subject}" for commit, problem, subject in problems if problem]


def main(arguments: list[str]) -> int:
    """Print the table or the places; the exit status is 1 if paths or a range have any."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("paths", nargs="*", type=Path, metavar="PATH", help="folders and files whose lapses to list")
    parser.add_argument("--subjects", metavar="RANGE", help="commits whose subjects to check, such as main..HEAD")
    options = parser.parse_args(arguments)
    if options.subjects:
        lines = check_subjects(options.subjects)
        print("\n".join(lines))
        return bool(lines)
    if options.paths:
        result = count(path.resolve() for path in options.paths)
        print(*result.lapses, sep="\n")
        print(f"{result.docstrings} docstrings, {result.of('docstring')} not plain; {result.of('name')} names")
        return bool(result.lapses)
    print(f"{'room':<12}{'docstrings':>11}{'not plain':>11}{'names':>7}")
    for room, of_room in count_rooms().items():
        print(f"{room or '(outside)':<12}{of_room.docstrings:>11}{of_room.of('docstring'):>11}{of_room.of('name'):>7}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
