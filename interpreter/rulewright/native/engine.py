"""WebAssembly, run by wasmtime. The only module that knows of it."""

from __future__ import annotations

from typing import Any

try:
    import wasmtime
except (ImportError, OSError, RuntimeError) as error:  # it is not there, or not for this kind of computer
    wasmtime = None
    REASON = str(error)
else:
    REASON = ""


class Instance:
    """A module with a memory of its own, and nothing else to reach: it imports nothing."""

    def __init__(self, text: str) -> None:
        engine = wasmtime.Engine()
        self._store = wasmtime.Store(engine)
        module = wasmtime.Module(engine, wasmtime.wat2wasm(text))
        self._exports = wasmtime.Instance(self._store, module, []).exports(self._store)
        self._memory = self._exports["memory"]

    def call(self, name: str, *arguments: int) -> Any:
        return self._exports[name](self._store, *arguments)

    def read(self, address: int, size: int) -> bytes:
        return bytes(self._memory.read(self._store, address, address + size))

    def write(self, address: int, data: bytes) -> None:
        self._memory.write(self._store, data, address)
