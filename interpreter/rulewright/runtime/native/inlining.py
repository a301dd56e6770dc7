"""Functions of library.wat written where they are called, as the compiler of WebAssembly does not do that.

`(call $f A B)` becomes a block that puts A and B into locals named after f and its parameters, and then holds f's body.
A function that is written so has no `return`; it sets its own locals before it reads them, or they begin as 0.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib.resources import files

from rulewright.base.records import record

# Small, or called often from few places; each after those that it calls.
INLINED = (
    *(
        "there",
        "entry",
        "set",
        "bit",
        "toggle",
        "zone_of",
        "lies_at",
        "mark",
        "marked",
        "among",
        "item",
        "bits",
        "fair",
        "chance",
        "fraction",
        "next_size",
        "copy",
        "keep",
        "reach_row",
        "bit_of",
        "in_bits",
        "size_of_bits",
        "bits_at",
        "moved_up",
        "moved_down",
        "spread_word",
    ),
    *("copy_of_few", "keep_of_few", "join_of_few"),
    *("lay", "lay_one", "from_there", "take_one", "move_up", "move_all", "move", "spill"),
    *("before", "further", "scatter"),
    *("lanes_further_1", "lanes_further_2", "lanes_further_3", "offsets"),
    *(
        "entries",
        "tally",
        "none_of",
        "count_of",
        "filter",
        "filter_of_kind",
        "select",
        "burn",
        "spend",
        "pick_one",
        "pick_up_to_one",
        "pick_number",
        "pick_up_to_one_number",
        "span",
        "too_large",
        "tally_of_one",
        "count_of_one",
        "vacant_four",
        "sight_of",
        "is_unlike",
    ),
    *("join", "sift", "places", "order", "sort_by_order", "back", "answer_one"),
)


ZERO = {"v128": "(v128.const i64x2 0 0)"}


@record
class LibraryFunction:
    """One function of the library. parameters, locals: names and types; result: a type, or ''."""

    head: str
    parameters: tuple[tuple[str, str], ...]
    result: str
    locals: tuple[tuple[str, str], ...]
    body: str


@cache
def library() -> dict[str, LibraryFunction]:
    """The library's functions by name, with those calls written out that are to be."""
    found = _functions_in(files(__package__).joinpath("library.wat").read_text(encoding="utf-8"))
    for name in (*INLINED, *found):
        found[name] = _expanded(found[name], found)
    return found


def spelt_with(text: str, names: Sequence[str]) -> str:
    """More functions, with calls of the library's written out as there, and those of the functions of these names."""
    own = _functions_in(text)
    found = {**library(), **own}
    call = _calls_of((*INLINED, *names))
    for name in (*names, *own):
        found[name] = _expanded(found[name], found, call)
    return "\n".join(_spelt(found[name]) for name in own if name not in names)


def _functions_in(text: str) -> dict[str, LibraryFunction]:
    found: dict[str, LibraryFunction] = {}
    for part in re.sub(r";;.*", "", text).split("\n(func ")[1:]:
        head, declared, body = re.match(_FUNCTION, part).groups()  # type: ignore[union-attr]
        name = head.strip("$ ") if head.startswith("$") else head
        result = re.search(r"\(result (\w+)\)", declared)
        found[name] = LibraryFunction(
            head,
            tuple(re.findall(r"\(param \$(\w+) (\w+)\)", declared)),
            result[1] if result else "",
            tuple(re.findall(r"\(local \$(\w+) (\w+)\)", declared)),
            body.rstrip()[:-1],
        )
    return found


_FUNCTION = re.compile(r'(\$\w+|\(export "\w+"\))((?:\s*\((?:param|result|local) [^)]*\))*)(.*)', re.DOTALL)


def _calls_of(names: Iterable[str]) -> re.Pattern[str]:
    return re.compile(rf"\(call \$({'|'.join(names)})\b")


_CALL = _calls_of(INLINED)


def _expanded(
    function: LibraryFunction, found: dict[str, LibraryFunction], call: re.Pattern[str] = _CALL
) -> LibraryFunction:
    body, locals_ = inlined(function.body, found, call)
    return LibraryFunction(
        function.head, function.parameters, function.result, tuple({**dict(function.locals), **locals_}.items()), body
    )


def inlined(
    text: str, functions: dict[str, LibraryFunction], written_out: re.Pattern[str] = _CALL
) -> tuple[str, dict[str, str]]:
    """The text with calls written out, and the locals that it then needs."""
    needed: dict[str, str] = {}
    if "(call $" not in text:
        return text, needed
    while call := written_out.search(text):
        end = closing(text, call.start())
        function = functions[call[1]]
        needed |= {f"{call[1]}_{name}": type_ for name, type_ in (*function.parameters, *function.locals)}
        text = text[: call.start()] + _written(function, f"{call[1]}_", text[call.end() : end]) + text[end + 1 :]
    return text, needed


def _written(function: LibraryFunction, prefix: str, arguments: str) -> str:
    """What a call becomes. A parameter that is an `offset` in the body is a constant, known here."""
    result, body, offsets = _prefixed(function, prefix)
    if offsets:
        split = _split(arguments)
        for place, offset in offsets:
            body = body.replace(offset, f"offset={split[place].split()[1].rstrip(')')}")
    return f"(block {result} {arguments} {body})"


@cache
def _prefixed(function: LibraryFunction, prefix: str) -> tuple[str, str, tuple[tuple[int, str], ...]]:
    """The type of a function's result, its body with other names for its locals, and which parameters are offsets."""
    assert "(return" not in function.body, function.head
    result = f"(result {function.result})" if function.result else ""
    taken = " ".join(f"(local.set ${prefix}{name})" for name, _ in reversed(function.parameters))
    body = re.sub(r"\(local\.(get|set|tee) \$", rf"(local.\1 ${prefix}", function.body)
    begun = "".join(
        f"(local.set ${prefix}{name} {ZERO.get(type_, f'({type_}.const 0)')})"
        for name, type_ in function.locals
        if "_" not in name  # those of what is written out inside begin there
    )
    offsets = ((place, f"offset=${name}") for place, (name, _) in enumerate(function.parameters))
    return result, f"{taken} {begun} {body}", tuple(found for found in offsets if found[1] in body)


def _split(arguments: str) -> list[str]:
    found, start = [], arguments.find("(")
    while start >= 0:
        end = closing(arguments, start)
        found.append(arguments[start : end + 1])
        start = arguments.find("(", end)
    return found


def closing(text: str, start: int) -> int:
    """Where what is opened at a place is closed."""
    depth = 0
    for place in _PARENTHESES.finditer(text, start):
        depth += 1 if place[0] == "(" else -1
        if not depth:
            return place.start()
    raise AssertionError(text[start:])


_PARENTHESES = re.compile(r"[()]")


def written(text: Iterable[str], exports: Sequence[str]) -> Iterator[str]:
    """The functions that a text calls, or that the host does, without those that are written where they are called."""
    functions = library()
    waiting = [f'(export "{name}")' for name in exports] + [name for line in text for name in _CALLED.findall(line)]
    found: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name in functions and name not in found:
            found.add(name)
            waiting += _CALLED.findall(functions[name].body)
    for name in functions:
        if name in found:
            yield _spelt(functions[name])


_CALLED = re.compile(r"\(call \$(\w+)")


def _spelt(function: LibraryFunction) -> str:
    declared = [f"(param ${name} {type_})" for name, type_ in function.parameters]
    declared += [f"(result {function.result})"] if function.result else []
    declared += [f"(local ${name} {type_})" for name, type_ in function.locals]
    return f"(func {function.head} {' '.join(declared)}\n{function.body})"
