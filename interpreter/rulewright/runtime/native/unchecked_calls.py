"""Unchecked calls of native functions, without the checks of wasmtime's `Func` at each call.

wasmtime (50.0) has no public call of this kind: `Func` looks up the types of parameters and results, and wraps each
value, at every call. That takes some fifteen times as long as the calls here (71 and 5 µs), and games at a table and
searches make thousands a second. So this uses `wasmtime._bindings`, which is not public; where that is missing or
different, `Func` is called.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any

BINDINGS = "wasmtime._bindings"
"""Module of wasmtime with the functions of its C library; private, so it may change."""


def unchecked_call(store: Any, function: Any) -> Callable[..., Any]:
    """Return the fastest way to call a function of a store: unchecked, or `Func` itself where wasmtime is different."""
    try:
        return _bind_unchecked(import_module(BINDINGS), store, function)
    except (ImportError, AttributeError):
        return partial(function, store)


def _bind_unchecked(bindings: Any, store: Any, function: Any) -> Callable[..., Any]:
    """Return an unchecked call of a function; types and buffers are prepared once. Raises where wasmtime's bindings
    differ."""
    type_ = function.type(store)
    results = [str(result) for result in type_.results]
    size = max(1, len(type_.params), len(results))
    words = (bindings.wasmtime_val_raw_t * size)()
    result, narrow = words[0], results != ["i64"]
    context, reference = store._context(), ctypes.byref(function._func)
    trap = ctypes.POINTER(bindings.wasm_trap_t)()
    enter, trapped = bindings.wasmtime_func_call_unchecked, ctypes.byref(trap)

    def call(*arguments: int) -> Any:
        for place, argument in enumerate(arguments):
            words[place].i64 = argument
        if enter(context, reference, words, size, trapped) or trap:
            raise RuntimeError("native code ran into a trap")
        return result.i32 if narrow else result.i64

    return call
