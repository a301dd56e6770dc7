"""Fusion of instructions just emitted into one that does the same."""

from __future__ import annotations

from rulewright.compiler.emitter import Emitter
from rulewright.program.instructions import PURE, register_value


def fuse_table_lookups(emit: Emitter, begin: int) -> None:
    """Replace a loop, emitted since `begin`, that collects table entries of items by one instruction; other code stays
    as it is."""
    match emit.code[begin:]:
        case [
            ("vector", int(entries)),
            ("for", int(item), int(items)),
            ("table", int(entry), int(table), index),
            ("push", _, pushed),
            ("end",),
        ] if index == register_value(item) and pushed == register_value(entry):
            emit.code[begin:] = [("entries", entries, items, table)]


def fuse_sift(emit: Emitter, pieces: int, zone: int) -> bool:
    """Move the pieces of a vector just selected from a zone without building the vector; return whether that was
    possible. Only for editions where seats do not remember pieces."""
    if not emit.code or emit.code[-1][:2] != ("select", pieces):
        return False
    _, _, all_, table, value = emit.code[-1]
    for instruction in reversed(emit.code[:-1]):
        if instruction[:3] == ("read", all_, 0):
            emit.code.pop()
            emit.pieces.sift(int(instruction[3]), zone, int(table), int(value))
            return True
        if instruction[0] not in PURE:
            break
    return False
