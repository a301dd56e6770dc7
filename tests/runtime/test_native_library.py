"""The library of native code: the committed code is compiled from its source, and copies of its functions work."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import build_native_library as build
from rulewright.runtime.native.assembler import FunctionBuilder, Module
from rulewright.runtime.native.engine import Instance
from rulewright.runtime.native.library_calls import Library
from rulewright.runtime.native.library_object import LibraryObject, library
from rulewright.runtime.native.webassembly import I32, I64, Items, signed, unsigned

pytest.importorskip("wasmtime")


def test_the_committed_library_is_compiled_from_its_source() -> None:
    """Run `python tools/build_native_library.py` if this fails."""
    assert build.DIGEST.read_text() == build.digest()


def test_calls_match_the_functions_of_the_library() -> None:
    assert build.CALLS.read_text(encoding="utf-8") == build.calls()


def test_compiling_again_gives_the_same_bytes() -> None:
    pytest.importorskip("ziglang")
    assert build.compiled() == build.OBJECT.read_bytes()


def test_library_has_no_data_of_its_own() -> None:
    """The parts of the program that it needs are inserted when it is joined to generated code."""
    with pytest.raises(AssertionError, match="no WebAssembly"):
        LibraryObject(b"something else")
    assert all(function.code.endswith(b"\x0b") for function in library().values())


@given(st.integers(-(2**63), 2**63 - 1))
def test_numbers_are_written_as_the_library_has_them(number: int) -> None:
    def read(data: bytes) -> int:
        bits = sum((byte & 0x7F) << 7 * place for place, byte in enumerate(data))
        size = 7 * len(data)
        return bits - (1 << size) if bits >> (size - 1) else bits

    assert read(signed(number)) == number
    assert sum((byte & 0x7F) << 7 * place for place, byte in enumerate(unsigned(abs(number)))) == abs(number)


TABLE, ITEMS, TO = 64, 4096, 8192
ENTRIES = [5, 0, 3, 0, -1, 5, 7, 0]


def build_chooser(f: FunctionBuilder) -> I32:
    """Count the items with an entry, and 1000 for each whose entry is not 0, by a copy of them."""
    items, call = Items(ITEMS, f.parameter(I32, 0).get()), Library(f)
    stored = Items(TO, call.filter(TO, items, TABLE))
    return call.count_of(items, f.parameter(I64, 1).get(), TABLE).wrapped() + call.copy(TO + 1024, stored) * 1000


@given(st.lists(st.integers(0, 7), max_size=12), st.sampled_from([5, 0, 3, 9]))
def test_functions_are_copied_with_their_table(items: list[int], value: int) -> None:
    """Several functions are copied into one, some inside the arguments of others."""
    module = Module({})
    with module.function("chosen", [I32, I64], I32) as f:
        f.return_value(build_chooser(f))
    module.export("chosen")
    instance = Instance(module.binary(1))
    instance.write(TABLE, b"".join(entry.to_bytes(4, "little", signed=True) for entry in ENTRIES))
    instance.write(ITEMS, b"".join(item.to_bytes(4, "little") for item in items))
    count = sum(ENTRIES[item] == value for item in items)
    assert instance.call("chosen", len(items), value) == count + 1000 * sum(ENTRIES[item] != 0 for item in items)
