"""Builder of WebAssembly modules: functions with locals and nested blocks, linked with those of the library."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from rulewright.runtime.native.library_object import (
    LibraryFunction,
    LocalUse,
    Return,
    SymbolPlace,
    SymbolReference,
    library,
    split_code,
)
from rulewright.runtime.native.webassembly import I32, Code, Local, StackValue, ValueT, signed, unsigned

_NO_RESULT = 0x40
"""Type of a block that leaves no value."""
_BLOCK, _LOOP, _IF, _ELSE, _END = b"\x02", b"\x03", b"\x04", b"\x05", b"\x0b"
"""Opcodes of nests."""
_CALL, _RETURN, _UNREACHABLE = b"\x10", b"\x0f", b"\x00"
"""Opcodes that leave a nest or the function; _UNREACHABLE traps."""
_FUNCTION_TYPE, _MUTABLE = 0x60, 0x01
"""Mark of a function's type, and of a global that can change."""
MEMORY = "memory"
"""Name under which a module exports its memory."""


class Label:
    """Target of branches: a block (branch to its end) or a loop (branch to its beginning). depth: number of blocks that
    are open within it, itself included."""

    __slots__ = ("depth",)

    def __init__(self, depth: int) -> None:
        self.depth = depth


class FunctionBuilder:
    """Builder of one function, in the order of its code. parameters, result: types in binary form, the latter empty
    for a function without a result."""

    def __init__(
        self, module: Module, parameters: Sequence[type[StackValue]] = (), result: type[StackValue] | None = None
    ) -> None:
        self.module = module
        self.parameters = bytes(kind.type_ for kind in parameters)
        self.result = bytes([result.type_]) if result else b""
        self._types = bytearray(self.parameters)
        self._code: list[bytes] = []
        self._depth = 0
        self._temporaries: dict[int, list[int]] = {}

    def parameter(self, kind: type[ValueT], number: int) -> Local[ValueT]:
        """Return a parameter by its number, from 0; nothing checks that it is of this kind."""
        return Local(kind, number)

    def local(self, kind: type[ValueT]) -> Local[ValueT]:
        """Add a local variable."""
        self._types.append(kind.type_)
        return Local(kind, len(self._types) - 1)

    # ── instructions ──

    def add(self, *codes: Code) -> None:
        """Emit instructions."""
        self._code += [code.code for code in codes]

    def return_value(self, value: StackValue | int) -> None:
        """Emit a return of a value."""
        self._code += [(I32.const(value) if isinstance(value, int) else value).code, _RETURN]

    @contextmanager
    def block(self) -> Iterator[Label]:
        """Emit a block around the code of the `with`; a branch to its label leaves it."""
        with self._nest(_BLOCK) as label:
            yield label

    @contextmanager
    def loop(self) -> Iterator[Label]:
        """Emit a loop around the code of the `with`; a branch to its label begins the next round."""
        with self._nest(_LOOP) as label:
            yield label

    @contextmanager
    def if_true(self, condition: I32) -> Iterator[Label]:
        """Emit the code of the `with` as a branch of `if`."""
        with self._nest(condition.code + _IF) as label:
            yield label

    def start_else(self) -> None:
        """Begin the code for when the condition of `if_true` does not hold."""
        self._code.append(_ELSE)

    @contextmanager
    def _nest(self, opening: bytes) -> Iterator[Label]:
        """Emit a nest around the code of the `with`, opened by these opcodes."""
        self.open(opening)
        yield Label(self._depth)
        self.close()

    def open(self, opening: bytes = _BLOCK) -> Label:
        """Begin a block, or what else an opcode opens, that `close` ends."""
        self._code += [opening, bytes([_NO_RESULT])]
        self._depth += 1
        return Label(self._depth)

    def close(self) -> None:
        """End the nest that `open` began last."""
        self._code.append(_END)
        self._depth -= 1

    def branch(self, label: Label) -> None:
        """Jump to the begin of a loop, or behind any other nest."""
        self._code.append(b"\x0c" + unsigned(self._depth - label.depth))

    def branch_if(self, condition: I32, label: Label) -> None:
        """Jump as `branch` does, if a condition holds."""
        self._code.append(condition.code + b"\x0d" + unsigned(self._depth - label.depth))

    def branch_by(self, number: I32, labels: Sequence[Label], otherwise: Label) -> None:
        """Emit a branch to the label of a number, from 0; for any other number to `otherwise`."""
        targets = b"".join(unsigned(self._depth - label.depth) for label in (*labels, otherwise))
        self._code.append(number.code + b"\x0e" + unsigned(len(labels)) + targets)

    def unreachable(self) -> None:
        """Emit an instruction that traps, for places that code never reaches."""
        self._code.append(_UNREACHABLE)

    # ── calls ──

    def call(self, name: str, *values: StackValue | int, table: int = 0) -> bytes:
        """Return the instructions that call a function of the module or the library; short library functions are copied
        here. Python numbers are 32-bit constants. table: address that replaces the function's table symbol."""
        arguments = b"".join((I32.const(value) if isinstance(value, int) else value).code for value in values)
        function = library().get(name)
        if function is not None and function.inlined:
            return arguments + self._inline(function, table)
        return arguments + _CALL + self.module.index_of(name)

    def _inline(self, function: LibraryFunction, table: int) -> bytes:
        """Return the code of a library function, to be put where its arguments are on the stack."""
        locals_ = self._temporary(function.parameters + function.locals)
        parts = [b"\x21" + locals_[n] for n in reversed(range(len(function.parameters)))]
        parts += [_BLOCK, function.result or bytes([_NO_RESULT])]
        for piece in split_code(function.name):
            match piece:
                case bytes():
                    parts.append(piece)
                case LocalUse():
                    parts.append(bytes([piece.opcode]) + locals_[piece.local])
                case Return():
                    parts.append(b"\x0c" + unsigned(piece.depth))
                case SymbolReference():
                    parts.append(self.module.resolve(piece, table))
        return b"".join((*parts, _END))

    def _temporary(self, types: bytes) -> list[bytes]:
        """Return the indices, in binary form, of locals of these types; every copied function shares them."""
        counts: dict[int, int] = {}
        locals_: list[bytes] = []
        for type_ in types:
            number = counts[type_] = counts.get(type_, -1) + 1
            own = self._temporaries.setdefault(type_, [])
            if number == len(own):
                self._types.append(type_)
                own.append(len(self._types) - 1)
            locals_.append(unsigned(own[number]))
        return locals_

    def body(self) -> bytes:
        """Return the function's locals and code in binary form."""
        assert self._depth == 0, "a nest is not closed"
        locals_ = self._types[len(self.parameters) :]
        groups: list[tuple[int, int]] = []
        for type_ in locals_:
            if groups and groups[-1][1] == type_:
                groups[-1] = groups[-1][0] + 1, type_
            else:
                groups.append((1, type_))
        declared = b"".join(unsigned(count) + bytes([type_]) for count, type_ in groups)
        return b"".join((unsigned(len(groups)), declared, *self._code, _END))


class Module:
    """Module of functions and their exports. symbols: addresses and numbers that the library refers to; relocatable:
    whether states may lie anywhere, so that offsets count from a global with the address of the current one; else they
    are addresses."""

    def __init__(self, symbols: Mapping[str, int], relocatable: bool = False) -> None:
        self._symbols, self._relocatable = symbols, relocatable
        self._numbers: dict[str, int] = {}
        self._functions: dict[str, tuple[tuple[bytes, bytes], bytes]] = {}
        self._exports: list[str] = []

    def function(
        self, name: str, parameters: Sequence[type[StackValue]] = (), result: type[StackValue] | None = None
    ) -> _Definition:
        """Define a function: `with module.function(…) as f`."""
        return _Definition(self, name, FunctionBuilder(self, parameters, result))

    def define(self, name: str, function: FunctionBuilder) -> None:
        """Add a function that is complete. It replaces one of the same name in the library, unless that is copied to
        where it is called."""
        self._functions[name] = (function.parameters, function.result), function.body()

    def export(self, *names: str) -> None:
        """Make functions callable from outside."""
        for name in names:
            self._exports.append(name)
            self.index_of(name)

    def index_of(self, name: str) -> bytes:
        """Return the index of a function in binary form, whether or not it is defined yet; a new name gets the next."""
        return unsigned(self._numbers.setdefault(name, len(self._numbers)))

    def state_base(self) -> I32:
        """Return the address to which offsets in the current state are added."""
        return I32(b"\x23\x00") if self._relocatable else I32.const(0)

    def resolve(self, reference: SymbolReference, table: int = 0) -> bytes:
        """Return the operand that replaces a symbol; for a call, the whole instruction."""
        if reference.place is SymbolPlace.CALL:
            match reference.symbol:
                case "here":
                    return self.state_base().code
                case "set_here":
                    return b"\x24\x00"
            return _CALL + self.index_of(reference.symbol)
        address = table if reference.symbol == "TABLE" else self._symbols[reference.symbol]
        if reference.place is SymbolPlace.OFFSET:
            return unsigned((address + reference.addend) % 2**32)
        return signed((address + reference.addend + 2**31) % 2**32 - 2**31)

    # ── the module ──

    def binary(self, pages: int) -> bytes:
        """Return the module in binary form, with the library functions that it calls. pages: of memory, 64 KiB each."""
        bodies: list[tuple[tuple[bytes, bytes], bytes]] = []
        while len(bodies) < len(self._numbers):
            name = list(self._numbers)[len(bodies)]
            bodies.append(self._functions[name] if name in self._functions else self._link(library()[name]))
        types = list(dict.fromkeys(type_ for type_, _ in bodies))
        sections = [
            (1, [bytes([_FUNCTION_TYPE]) + _sized(parameters) + _sized(result) for parameters, result in types]),
            (3, [unsigned(types.index(type_)) for type_, _ in bodies]),
            (5, [b"\x01" + unsigned(pages) + unsigned(pages)]),
            (6, [bytes([I32.type_, _MUTABLE]) + I32.const(0).code + _END] if self._relocatable else []),
            (7, [_sized(MEMORY.encode()) + b"\x02\x00", *map(self._exported, self._exports)]),
            (10, [_sized(body) for _, body in bodies]),
        ]
        encoded = (
            bytes([number]) + _sized(unsigned(len(entries)) + b"".join(entries))
            for number, entries in sections
            if entries
        )
        return b"".join((b"\0asm\1\0\0\0", *encoded, self._names()))

    def _names(self) -> bytes:
        """Return the section with the functions' names, for debuggers."""
        entries = [unsigned(number) + _sized(name.encode()) for name, number in self._numbers.items()]
        functions = _sized(unsigned(len(entries)) + b"".join(entries))
        return b"\0" + _sized(_sized(b"name") + b"\1" + functions)

    def _exported(self, name: str) -> bytes:
        """Return the entry of a function in the section of exports."""
        return _sized(name.encode()) + b"\x00" + self.index_of(name)

    def _link(self, function: LibraryFunction) -> tuple[tuple[bytes, bytes], bytes]:
        """Return the type and body of a library function that is called, not copied."""
        parts, done = [b"".join((unsigned(len(function.locals)), *(bytes((1, type_)) for type_ in function.locals)))], 0
        for reference in function.references:
            parts.append(function.code[done : reference.position - (reference.place is SymbolPlace.CALL)])
            parts.append(self.resolve(reference))
            done = reference.end
        return (function.parameters, function.result), b"".join((*parts, function.code[done:]))


class _Definition:
    """Context manager that defines a function when its builder is complete."""

    def __init__(self, module: Module, name: str, function: FunctionBuilder) -> None:
        self._module, self._name, self._function = module, name, function

    def __enter__(self) -> FunctionBuilder:
        return self._function

    def __exit__(self, error: object, *more: object) -> None:
        if error is None:
            self._module.define(self._name, self._function)


def _sized(data: bytes) -> bytes:
    """Return data behind its length."""
    return unsigned(len(data)) + data
