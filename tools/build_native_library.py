"""Build the library of native code: `python tools/build_native_library.py [--check]`.

Compiles `runtime/native/library/library.c` to `library.wasm`, writes the digest of its source beside it, and writes
`library_calls.py`, by which generated code calls its functions. The compiler is Zig's, of the extra `native`: it
installs from PyPI, and one version gives the same bytes everywhere. `--check` only says whether all that is up to date.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

NATIVE = Path(__file__).parent.parent / "interpreter" / "rulewright" / "runtime" / "native"
SOURCE, OBJECT, DIGEST = NATIVE / "library", NATIVE / "library.wasm", NATIVE / "library.sha256"
CALLS = NATIVE / "library_calls.py"
COMPILER = "0.17.1"
FLAGS = (
    "-target wasm32-freestanding -mcpu=mvp+simd128+bulk_memory+sign_ext+mutable_globals -O2 -g0 -ffreestanding "
    "-fvisibility=default -fno-builtin -fwrapv -fno-strict-aliasing -ffp-contract=off -fno-vectorize "
    "-fno-slp-vectorize -fno-unroll-loops -Wall -Wextra -Werror"
)
TYPES = {"void": "Code", "int": "I32", "i64": "I64", "u64": "I64", "v128_t": "V128"}
HEAD = '''\
"""Typed calls of the library's functions, for generated code. Made by tools/build_native_library.py: do not edit."""

from __future__ import annotations

from rulewright.runtime.native.assembler import FunctionBuilder
from rulewright.runtime.native.webassembly import I32, I64, V128, Code, Items


class Library:
    """Code of calls of the library from one function of the module; each method emits nothing by itself.

    A method of type I32 or I64 returns the code of a number; one of type Code, of a call without a result. to: address
    that items are written to; the result is then their number. items, others: of vectors; p, q: addresses of items or
    keys; n: how many; table: address of a table of the program, in which entries of items are looked up; cell: number
    of a cell that items are added to; zone, source: cells of zones; rows, sets: addresses of bit sets.
    """

    def __init__(self, function: FunctionBuilder) -> None:
        self._call = function.call
'''


def digest() -> str:
    """The digest of the source and of how it is compiled."""
    text = hashlib.sha256(f"{COMPILER} {FLAGS}\n".encode())
    for path in sorted(SOURCE.iterdir()):
        text.update(path.name.encode() + b"\n" + path.read_bytes())
    return text.hexdigest() + "\n"


def compiled() -> bytes:
    """The library, compiled anew."""
    with tempfile.TemporaryDirectory() as folder:
        result = Path(folder) / "library.wasm"
        command = [sys.executable, "-m", "ziglang", "cc", *FLAGS.split(), "-c", "library.c", "-o", str(result)]
        subprocess.run(command, check=True, cwd=SOURCE)
        return result.read_bytes()


def calls() -> str:
    """The module that calls the library, from the heads of its functions in C."""
    from rulewright.runtime.native.library_object import LibraryObject  # noqa: PLC0415 - once it is compiled

    functions = LibraryObject(OBJECT.read_bytes()).functions
    heads: dict[str, list[str]] = {}
    for path in sorted(SOURCE.glob("*.c")):
        for comment, result, name, parameters in re.findall(
            r"((?:^//[^\n]*\n)*)^(?:INLINED )?(void|int|i64|v128_t) (\w+)\(([^)]*)\) \{",
            path.read_text(encoding="utf-8"),
            re.MULTILINE,
        ):
            heads[name] = [result, parameters, _docstring(comment)]
    lines = [HEAD]
    for name, (result, parameters, docstring) in heads.items():
        lines.append(_method(name, result, parameters, docstring, functions[name].needs_table))
    command = [sys.executable, "-m", "ruff", "format", "--stdin-filename", str(CALLS), "-"]
    source = subprocess.run(command, check=True, input="\n".join(lines), capture_output=True, text=True)
    return source.stdout


def _docstring(comment: str) -> str:
    """Return the docstring for the comment of a function in C: its first paragraph."""
    text = " ".join(line.removeprefix("//").strip() for line in comment.partition("//\n")[0].splitlines())
    return textwrap.fill(f'"""{text}"""', 120, initial_indent=" " * 8, subsequent_indent=" " * 8)


def _method(name: str, result: str, parameters: str, docstring: str, needs_table: bool) -> str:
    """Return the method that calls a function, as it would be written by hand."""
    lines, arguments = ["self"], [f'"{name}"']
    spelt = parameters.replace("int *p, int n", "items p").replace("int *q, int m", "others q")
    for parameter in [] if spelt == "void" else spelt.split(", "):
        type_, _, word = parameter.rpartition(" ")
        if type_ in ("items", "others"):
            lines.append(f"{type_}: Items")
            arguments += [f"{type_}.address", f"{type_}.size"]
            continue
        kind = "I32" if word.startswith("*") else TYPES.get(type_, "I32")
        word = word.lstrip("*")
        lines.append(f"{word}: {kind}" + (" | int" if kind == "I32" else ""))
        arguments.append(word)
    if needs_table:
        lines.append("table: int")
        arguments.append("table=table")
    kind = TYPES.get(result, "I32")
    head = f"    def {name}({', '.join(lines)}) -> {kind}:"
    return f"{head}\n{docstring}\n        return {kind}(self._call({', '.join(arguments)}))\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="only say whether the library is up to date")
    arguments = parser.parse_args()
    if arguments.check:
        raise SystemExit(None if DIGEST.read_text() == digest() else "The library is older than its source.")
    OBJECT.write_bytes(compiled())
    DIGEST.write_text(digest())
    CALLS.write_text(calls(), encoding="utf-8")


if __name__ == "__main__":
    main()
