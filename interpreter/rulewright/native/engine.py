"""WebAssembly, run by wasmtime. The only module that knows of it."""

from __future__ import annotations

from importlib import import_module
from typing import Any

wasmtime: Any = None
try:
    wasmtime = import_module("wasmtime")
except (ImportError, OSError, RuntimeError) as error:  # it is not there, or not for this kind of computer
    _missing = str(error)


class CannotRun(Exception):
    """There is no WebAssembly here; the argument says why."""


class Instance:
    """A module with a memory of its own, and nothing else to reach: it imports nothing."""

    def __init__(self, text: str) -> None:
        if wasmtime is None:
            raise CannotRun(_missing)
        config = wasmtime.Config()
        config.cranelift_flag_set("enable_heap_access_spectre_mitigation", "false")  # there are no secrets inside
        config.cranelift_flag_set("enable_table_access_spectre_mitigation", "false")
        engine = wasmtime.Engine(config)
        self._store = wasmtime.Store(engine)
        module = wasmtime.Module(engine, bytes(wasmtime.wat2wasm(text)))
        self._exports: Any = wasmtime.Instance(self._store, module, []).exports(self._store)
        self._memory: Any = self._exports["memory"]

    def call(self, name: str, *arguments: int) -> Any:
        return self._exports[name](self._store, *arguments)

    def read(self, address: int, size: int) -> bytes:
        return bytes(self._memory.read(self._store, address, address + size))

    def write(self, address: int, data: bytes) -> None:
        self._memory.write(self._store, data, address)
