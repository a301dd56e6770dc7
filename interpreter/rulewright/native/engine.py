"""WebAssembly, run by wasmtime. The only module that knows of it."""

from __future__ import annotations

import ctypes
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
        exports: Any = wasmtime.Instance(self._store, module, []).exports(self._store)
        self._functions = {name: exports[name] for name in exports if name != "memory"}
        self._memory: Any = exports["memory"]
        self._base = ctypes.addressof(self._memory.data_ptr(self._store).contents)  # stays, since no memory grows
        self._size: int = self._memory.data_len(self._store)

    def call(self, name: str, *arguments: int) -> Any:
        """Arguments take long: what is called often is rather told in memory."""
        return self._functions[name](self._store, *arguments)

    def read(self, address: int, size: int) -> bytes:
        return ctypes.string_at(self._address(address, size), size)

    def write(self, address: int, data: bytes) -> None:
        ctypes.memmove(self._address(address, len(data)), data, len(data))

    def _address(self, address: int, size: int) -> int:
        if not 0 <= address <= self._size - size:
            raise IndexError("beyond the module's memory")
        return self._base + address
