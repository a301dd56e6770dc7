"""WebAssembly, run by wasmtime. Only this module and `unchecked_calls` know of it."""

from __future__ import annotations

import atexit
import ctypes
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any
from weakref import WeakSet

from rulewright.runtime.native.unchecked_calls import unchecked_call

wasmtime: Any = None
try:
    wasmtime = import_module("wasmtime")
except (ImportError, OSError, RuntimeError) as error:  # it is not there, or not for this kind of computer
    _missing = str(error)
    """Reason why there is no wasmtime here."""


class CannotRun(Exception):
    """WebAssembly cannot run on this computer; the argument says why."""


class Instance:
    """Instance of a module, with a memory of its own; the module imports nothing. words: the memory, usable as long as
    the instance exists; functions: the exported ones by name. binary: the module; compiled: result of `serialized`,
    instead of `binary`. Raises CannotRun, also if `compiled` is from another version of wasmtime or kind of
    computer."""

    def __init__(self, binary: bytes, compiled: bytes = b"") -> None:
        if wasmtime is None:
            raise CannotRun(_missing)
        config = wasmtime.Config()
        config.cranelift_flag_set("enable_heap_access_spectre_mitigation", "false")  # there are no secrets inside
        config.cranelift_flag_set("enable_table_access_spectre_mitigation", "false")
        engine = wasmtime.Engine(config)
        self._store = wasmtime.Store(engine)
        try:
            self._module = module = (
                wasmtime.Module.deserialize(engine, compiled) if compiled else wasmtime.Module(engine, binary)
            )
        except wasmtime.WasmtimeError as error:
            if not compiled:
                raise
            raise CannotRun(str(error)) from None
        exports: Any = wasmtime.Instance(self._store, module, []).exports(self._store)
        self.functions: Mapping[str, Callable[..., Any]] = {
            name: unchecked_call(self._store, exports[name]) for name in exports if name != "memory"
        }
        self._memory: Any = exports["memory"]
        self._base = ctypes.addressof(self._memory.data_ptr(self._store).contents)  # stays, since no memory grows
        self._size: int = self._memory.data_len(self._store)
        self.words = memoryview((ctypes.c_char * self._size).from_address(self._base)).cast("B").cast("i")
        _alive.add(self)

    def serialized(self) -> bytes:
        """Return the compiled module, for this computer and this version of wasmtime."""
        return bytes(self._module.serialize())

    def call(self, name: str, *arguments: int) -> Any:
        """Call an exported function."""
        return self.functions[name](*arguments)

    def read(self, address: int, size: int) -> bytes:
        """Copy bytes from the memory. Raises IndexError beyond its end."""
        return ctypes.string_at(self._address(address, size), size)

    def write(self, address: int, data: bytes) -> None:
        """Copy bytes to the memory. Raises IndexError beyond its end."""
        ctypes.memmove(self._address(address, len(data)), data, len(data))

    def _address(self, address: int, size: int) -> int:
        """Return the address in this process. Raises IndexError beyond the end of the memory."""
        if not 0 <= address <= self._size - size:
            raise IndexError("beyond the module's memory")
        return self._base + address


_alive: WeakSet[Instance] = WeakSet()
"""Instances that have not been freed, for `_leak_at_exit`."""


@atexit.register
def _leak_at_exit() -> None:
    """Never free instances when the interpreter ends; the system does. wasmtime's destructors may find their modules
    emptied, and closing instances would take the memory from threads still in native code."""
    for instance in list(_alive):
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(instance))
