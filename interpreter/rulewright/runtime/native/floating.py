"""Code for states that lie anywhere: what was the address of a place in the state becomes one counted from $BASE.

Such code is written as if its state lay at FLOATING, where no memory is: a number near it can only be such an address.
"""

from __future__ import annotations

import re

from rulewright.runtime.native.inlining import closing
from rulewright.runtime.native.memory import FLOATING

_NEAR = range(FLOATING // 2, FLOATING + FLOATING // 4)

BASE = "(global $BASE (mut i32) (i32.const 0))"
_HERE = "(local.get $base)"


def floating(functions: str, globals_: dict[str, int], origin: int) -> str:
    """Functions as they are written for a state near FLOATING, for one at $BASE. globals_: what they may name; origin:
    the address that $BASE itself stands for."""
    for name, number in globals_.items():
        if number in _NEAR:
            functions = functions.replace(f"(global.get ${name})", f"(i32.const {number})")
    functions = functions.replace("(global.get $HERE)", _HERE)
    functions = _with_offsets(functions, origin)
    functions = _ADDRESS.sub(lambda found: _address(int(found[1]), origin), functions)
    return "".join(map(_with_base, re.split(r"(?=^\(func )", functions, flags=re.MULTILINE)))


_OFFSET = re.compile(r"offset=(\d{9,10}) ")
_ADDRESS = re.compile(r"\(i32\.const (\d{9,10})\)")
_HEAD = re.compile(r'\(func (?:\$\w+|\(export "\w+"\))(?:\s*\((?:param|result|local) [^)]*\))*')


def _with_offsets(functions: str, origin: int) -> str:
    """What an offset is added to is counted from $BASE too."""
    parts, done = [], 0
    for found in _OFFSET.finditer(functions):
        if (number := int(found[1])) in _NEAR and found.start() >= done:
            parts += [functions[done : found.start()], f"offset={number - origin} (i32.add {_HERE} "]
            done = closing(functions, found.end()) + 1
            parts += [_with_offsets(functions[found.end() : done], origin), ")"]
    return "".join([*parts, functions[done:]])


def _address(number: int, origin: int) -> str:
    return f"(i32.add {_HERE} (i32.const {number - origin}))" if number in _NEAR else f"(i32.const {number})"


def _with_base(function: str) -> str:
    if _HERE not in function:
        return function
    head = _HEAD.match(function)
    assert head is not None, function
    return f"{head[0]} (local $base i32)\n(local.set $base (global.get $BASE)){function[head.end() :]}"
