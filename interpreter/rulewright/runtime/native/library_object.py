"""Reader of the compiled library, a relocatable object file: its functions, and the symbols in their code.

`library/` holds its source; `tools/build_native_library.py` compiles it. Format:
https://github.com/WebAssembly/tool-conventions/blob/main/Linking.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum, IntEnum, auto
from functools import cache, cached_property
from importlib.resources import files

from rulewright.base.records import record

OBJECT = "library.wasm"
"""File of the compiled library, beside this module."""

_SYMBOL_TABLE = 8
"""Part of the section `linking` that has the symbols."""
_FUNCTION, _DATA_SYMBOL, _SECTION = 0, 1, 3
"""Kinds of symbols."""
_UNDEFINED, _HIDDEN, _EXPLICIT_NAME = 0x10, 0x04, 0x40
"""Flags of a symbol; hidden functions are copied into their callers."""
_FUNCTION_INDEX, _OFFSET, _ADDRESS = 0, 3, 4
"""Kinds of relocations."""
_PADDED = 5
"""Bytes of a number that is put in later."""


class _Section(IntEnum):
    """Kinds of a module's sections."""

    CUSTOM = 0
    TYPES = 1
    IMPORTS = 2
    FUNCTIONS = 3
    CODE = 10
    DATA = 11


class SymbolPlace(Enum):
    """Kinds of operands that refer to symbols: the function of a call, the offset of a load or store, a constant."""

    CALL = auto()
    OFFSET = auto()
    CONSTANT = auto()


@record
class SymbolReference:
    """A symbol in a function's code: position of its operand, and the addend to its address."""

    position: int
    place: SymbolPlace
    symbol: str
    addend: int

    @property
    def end(self) -> int:
        """Position after its operand."""
        return self.position + _PADDED


@record
class LibraryFunction:
    """Function of the library. parameters, result, locals: types as WebAssembly writes them; inlined: whether callers
    get a copy of its code instead of a call."""

    name: str
    parameters: bytes
    result: bytes
    locals: bytes
    code: bytes
    references: tuple[SymbolReference, ...]
    inlined: bool

    @property
    def needs_table(self) -> bool:
        """Whether each call names the table that the function looks into."""
        return any(reference.symbol == "TABLE" for reference in self.references)


class _Reader:
    """Reader of binary data: bytes, LEB128 numbers, names and sections, from a position on."""

    def __init__(self, data: bytes, position: int = 0, end: int | None = None) -> None:
        self.data, self.position, self.end = data, position, len(data) if end is None else end

    def byte(self) -> int:
        """Read a byte."""
        self.position += 1
        return self.data[self.position - 1]

    def number(self) -> int:
        """Read an unsigned number in LEB128."""
        number = shift = 0
        while True:
            byte = self.byte()
            number |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return number

    def signed(self) -> int:
        """Read a signed number in LEB128."""
        start = self.position
        number = self.number()
        bits = 7 * (self.position - start)
        return number - (1 << bits) if number >> (bits - 1) else number

    def bytes(self) -> bytes:
        """Read as many bytes as the number in front says."""
        size = self.number()
        self.position += size
        return self.data[self.position - size : self.position]

    def name(self) -> str:
        """Read a name, with its length in front."""
        return self.bytes().decode()

    def parts(self) -> Iterator[tuple[int, _Reader]]:
        """Yield each section, or part of one: its kind, and a reader of its content."""
        while self.position < self.end:
            kind, size = self.byte(), self.number()
            yield kind, _Reader(self.data, self.position, self.position + size)
            self.position += size


class LibraryObject:
    """A compiled library: its functions by name."""

    def __init__(self, data: bytes) -> None:
        assert data[:8] == b"\0asm\1\0\0\0", "no WebAssembly"
        self._types: list[tuple[bytes, bytes]] = []
        self._imported: list[str] = []
        self._type_numbers: list[int] = []  # of each function
        self._symbols: list[tuple[int, str, int, int]] = []  # kind, name, flags, function
        self._bodies: list[tuple[int, bytes]] = []  # where it begins in its section
        self._relocations: list[tuple[int, int, int, int]] = []  # kind, where, symbol, added
        for kind, section in _Reader(data, 8).parts():
            self._read_section(kind, section)

    def _read_section(self, kind: int, section: _Reader) -> None:
        """Read a section by its kind; others are skipped."""
        match kind:
            case _Section.TYPES:
                for _ in range(section.number()):
                    assert section.byte() == 0x60
                    self._types.append((section.bytes(), section.bytes()))
            case _Section.IMPORTS:
                self._read_imports(section)
            case _Section.FUNCTIONS:
                self._type_numbers = [section.number() for _ in range(section.number())]
            case _Section.CODE:
                start = section.position
                for _ in range(section.number()):
                    size = section.number()
                    self._bodies.append(
                        (section.position - start, section.data[section.position : section.position + size])
                    )
                    section.position += size
            case _Section.DATA:
                raise AssertionError("the library has data of its own")
            case _Section.CUSTOM:
                self._read_custom_section(section)

    def _read_imports(self, section: _Reader) -> None:
        """Read the names of imported functions."""
        for _ in range(section.number()):
            section.name()
            name, kind = section.name(), section.byte()
            match kind:
                case 0:
                    self._imported.append(name)
                    section.number()
                case 1 | 2:
                    if kind == 1:
                        section.byte()
                    flags = section.number()
                    section.number()
                    if flags & 1:
                        section.number()
                case _:
                    section.byte()
                    section.byte()

    def _read_custom_section(self, section: _Reader) -> None:
        """Read the symbols or the relocations."""
        match section.name():
            case "linking":
                section.number()
                for kind, part in section.parts():
                    if kind == _SYMBOL_TABLE:
                        self._symbols = [self._read_symbol(part) for _ in range(part.number())]
            case "reloc.CODE":
                section.number()
                for _ in range(section.number()):
                    kind, position, symbol = section.byte(), section.number(), section.number()
                    addend = section.signed() if kind in (_OFFSET, _ADDRESS) else 0
                    self._relocations.append((kind, position, symbol, addend))

    def _read_symbol(self, part: _Reader) -> tuple[int, str, int, int]:
        """Read a symbol: kind, name, flags, and index of its function or -1."""
        kind, flags = part.byte(), part.number()
        if kind == _DATA_SYMBOL:
            assert flags & _UNDEFINED, "the library has data of its own"
            return kind, part.name(), flags, -1
        index = part.number()
        has_name = kind != _SECTION and (not flags & _UNDEFINED or flags & _EXPLICIT_NAME)
        name = part.name() if has_name else self._imported[index] if kind == _FUNCTION else ""
        return kind, name, flags, index

    @cached_property
    def functions(self) -> Mapping[str, LibraryFunction]:
        """Functions that the library defines, by name."""
        functions: dict[str, LibraryFunction] = {}
        for kind, name, flags, index in self._symbols:
            if kind == _FUNCTION and not flags & _UNDEFINED:
                functions[name] = self._build_function(name, index - len(self._imported), bool(flags & _HIDDEN))
        return functions

    def _build_function(self, name: str, number: int, inlined: bool) -> LibraryFunction:
        """Return a function with its locals, code, and references to symbols."""
        start, body = self._bodies[number]
        reader, locals_ = _Reader(body), b""
        for _ in range(reader.number()):
            count = reader.number()
            locals_ += bytes([reader.byte()]) * count
        first = start + reader.position
        code = body[reader.position :]
        references = tuple(
            SymbolReference(position - first, _PLACES[kind], self._symbols[symbol][1], addend)
            for kind, position, symbol, addend in self._relocations
            if first <= position < start + len(body)
        )
        parameters, result = self._types[self._type_numbers[number]]
        return LibraryFunction(name, parameters, result, locals_, code, references, inlined)


_PLACES = {_FUNCTION_INDEX: SymbolPlace.CALL, _OFFSET: SymbolPlace.OFFSET, _ADDRESS: SymbolPlace.CONSTANT}
"""Kind of a relocation -> what kind of operand it changes."""


@cache
def library() -> Mapping[str, LibraryFunction]:
    """Return the functions of the library, by name."""
    return LibraryObject(files(__package__).joinpath(OBJECT).read_bytes()).functions


# ── code ──


@record
class LocalUse:
    """An instruction on a local: get, set or tee."""

    opcode: int
    local: int


@record
class Return:
    """Return from a function, out of this many nested blocks."""

    depth: int


CodePart = bytes | LocalUse | Return | SymbolReference
"""Bytes of code as they are, or what is put in where the function is copied."""


@cache
def split_code(name: str) -> tuple[CodePart, ...]:
    """Return the code of a function in parts: bytes, and the places that differ in every copy."""
    return tuple(_code_parts(library()[name]))


def _code_parts(function: LibraryFunction) -> Iterator[CodePart]:
    """Yield the code of a function in parts: bytes that stay as they are, returns, and uses of locals."""
    references = {reference.position: reference for reference in function.references}
    reader = _Reader(function.code, 0, len(function.code) - 1)  # without the last `end`
    depth = done = 0
    while reader.position < reader.end:
        start = reader.position
        opcode = reader.byte()
        match opcode:
            case 0x02 | 0x03 | 0x04:
                depth += 1
            case 0x0B:
                depth -= 1
            case 0x0F:
                yield reader.data[done:start]
                yield Return(depth)
                done = reader.position
                continue
            case 0x20 | 0x21 | 0x22:
                yield reader.data[done:start]
                yield LocalUse(opcode, reader.number())
                done = reader.position
                continue
        for position in _operands(opcode, reader):
            if position in references:
                yield reader.data[done : position - (opcode == _CALL)]
                yield references[position]
                done = position + _PADDED
    yield reader.data[done : reader.end]


_CALL = 0x10
"""Opcode of a call."""


def _operands(opcode: int, reader: _Reader) -> Iterator[int]:
    """Yield the position of each operand of an instruction; the reader moves past it when the next one is taken."""
    numbers, fixed = 0, 0
    match opcode:
        case 0x02 | 0x03 | 0x04 | 0x0C | 0x0D | 0x10 | 0x23 | 0x24 | 0x41 | 0x42:
            numbers = 1
        case 0x0E:
            numbers = reader.number() + 1
        case 0x43:
            fixed = 4
        case 0x44:
            fixed = 8
        case 0xFC:
            fixed = {10: 2, 11: 1}.get(reader.number(), 0)
        case 0xFD:
            numbers, fixed = _operands_of_vectors(reader.number())
        case _ if 0x28 <= opcode <= 0x3E:
            numbers = 2
        case _:
            assert opcode in (0x05, 0x0B, 0x00, 0x01, 0x1A, 0x1B) or 0x45 <= opcode <= 0xC4, hex(opcode)
    for _ in range(numbers):
        yield reader.position
        reader.number()
    reader.position += fixed


def _operands_of_vectors(opcode: int) -> tuple[int, int]:
    """Return the number of LEB128 operands, and of other bytes, of a 128-bit instruction."""
    if opcode <= 11 or opcode in (92, 93):
        return 2, 0
    if opcode in (12, 13):
        return 0, 16
    if 21 <= opcode <= 34:
        return 0, 1
    return (2, 1) if 84 <= opcode <= 91 else (0, 0)
