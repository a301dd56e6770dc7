"""WebAssembly as typed values: a wrong operand is a type error.

A value is code that leaves one number on the stack. It can be used any number of times, and is computed each time.
Python numbers are constants.
"""

from __future__ import annotations

import struct
from functools import lru_cache
from typing import ClassVar, Generic, TypeVar

_ENDS_HERE = 0x80
"""Bit that is set in all bytes of a number but the last; so the least value that needs another byte."""


@lru_cache(maxsize=10_000)
def unsigned(number: int) -> bytes:
    """Return a number from 0 on as unsigned LEB128."""
    code = bytearray()
    while number >= _ENDS_HERE:
        code.append(number & 0x7F | 0x80)
        number >>= 7
    code.append(number)
    return bytes(code)


@lru_cache(maxsize=10_000)
def signed(number: int) -> bytes:
    """Return a number as signed LEB128."""
    code = bytearray()
    while not -64 <= number < 64:
        code.append(number & 0x7F | 0x80)
        number >>= 7
    code.append(number & 0x7F)
    return bytes(code)


class Code:
    """Instructions that leave nothing on the stack."""

    __slots__ = ("code",)

    def __init__(self, code: bytes = b"") -> None:
        self.code = code

    def then(self, *more: Code) -> Code:
        """Return these instructions, followed by more."""
        return Code(b"".join((self.code, *(other.code for other in more))))


class StackValue:
    """Instructions that leave one value. type_: its type as WebAssembly writes it."""

    __slots__ = ("code",)
    type_: ClassVar[int]

    def __init__(self, code: bytes) -> None:
        self.code = code

    def dropped(self) -> Code:
        """Return code that computes the value and discards it."""
        return Code(self.code + b"\x1a")


ValueT = TypeVar("ValueT", bound=StackValue)


class I32(StackValue):
    """32-bit value: an address, size, item or truth value (1 or 0). Numbers are signed where a method does not say
    otherwise."""

    __slots__ = ()
    type_ = 0x7F

    @classmethod
    def const(cls, number: int) -> I32:
        """Return a constant: the lower 32 bits of a number."""
        return cls(b"\x41" + signed((number + 2**31) % 2**32 - 2**31))

    @classmethod
    def _of(cls, number: I32 | int) -> bytes:
        return (cls.const(number) if isinstance(number, int) else number).code

    def _with(self, other: I32 | int, opcode: int) -> I32:
        return I32(self.code + self._of(other) + bytes([opcode]))

    def is_zero(self) -> I32:
        return I32(self.code + b"\x45")

    def equals(self, other: I32 | int) -> I32:
        return self._with(other, 0x46)

    def differs(self, other: I32 | int) -> I32:
        return self._with(other, 0x47)

    def less(self, other: I32 | int) -> I32:
        return self._with(other, 0x48)

    def greater(self, other: I32 | int) -> I32:
        return self._with(other, 0x4A)

    def above(self, other: I32 | int) -> I32:
        """Compare as unsigned numbers: return whether it is greater."""
        return self._with(other, 0x4B)

    def at_least(self, other: I32 | int) -> I32:
        return self._with(other, 0x4E)

    def __add__(self, other: I32 | int) -> I32:
        return self if other == 0 else self._with(other, 0x6A)

    def __sub__(self, other: I32 | int) -> I32:
        return self._with(other, 0x6B)

    def __mul__(self, other: I32 | int) -> I32:
        return self._with(other, 0x6C)

    def modulo(self, other: I32 | int) -> I32:
        """Return the remainder as unsigned numbers; traps for 0."""
        return self._with(other, 0x70)

    def __and__(self, other: I32 | int) -> I32:
        return self._with(other, 0x71)

    def __or__(self, other: I32 | int) -> I32:
        return self._with(other, 0x72)

    def __lshift__(self, other: I32 | int) -> I32:
        return self._with(other, 0x74)

    def extended(self) -> I64:
        """Return it as 64 bits, unsigned."""
        return I64(self.code + b"\xad")

    def splat(self) -> V128:
        """Return four lanes of it."""
        return V128(self.code + b"\xfd\x11")


class I64(StackValue):
    """64-bit value: that of a register, or a word of a mask. Numbers are signed where a method does not say
    otherwise."""

    __slots__ = ()
    type_ = 0x7E

    @classmethod
    def const(cls, number: int) -> I64:
        """Return a constant: the lower 64 bits of a number."""
        return cls(b"\x42" + signed((number + 2**63) % 2**64 - 2**63))

    @classmethod
    def _of(cls, number: I64 | int) -> bytes:
        return (cls.const(number) if isinstance(number, int) else number).code

    def _with(self, other: I64 | int, opcode: int) -> I64:
        return I64(self.code + self._of(other) + bytes([opcode]))

    def _compared(self, other: I64 | int, opcode: int) -> I32:
        return I32(self.code + self._of(other) + bytes([opcode]))

    def is_zero(self) -> I32:
        return I32(self.code + b"\x50")

    def equals(self, other: I64 | int) -> I32:
        return self._compared(other, 0x51)

    def differs(self, other: I64 | int) -> I32:
        return self._compared(other, 0x52)

    def less(self, other: I64 | int) -> I32:
        return self._compared(other, 0x53)

    def below(self, other: I64 | int) -> I32:
        """Compare as unsigned numbers: return whether it is less."""
        return self._compared(other, 0x54)

    def above(self, other: I64 | int) -> I32:
        """Compare as unsigned numbers: return whether it is greater."""
        return self._compared(other, 0x56)

    def at_most(self, other: I64 | int) -> I32:
        return self._compared(other, 0x57)

    def bit_count(self) -> I64:
        """Return the number of set bits."""
        return I64(self.code + b"\x7b")

    def __add__(self, other: I64 | int) -> I64:
        return self._with(other, 0x7C)

    def __sub__(self, other: I64 | int) -> I64:
        return self._with(other, 0x7D)

    def __mul__(self, other: I64 | int) -> I64:
        return self._with(other, 0x7E)

    def divided(self, other: I64 | int) -> I64:
        """Return the quotient, rounded towards 0; traps for 0."""
        return self._with(other, 0x7F)

    def remainder(self, other: I64 | int) -> I64:
        """Return the remainder of `divided`, with the sign of this number; traps for 0."""
        return self._with(other, 0x81)

    def __and__(self, other: I64 | int) -> I64:
        return self._with(other, 0x83)

    def __or__(self, other: I64 | int) -> I64:
        return self._with(other, 0x84)

    def __lshift__(self, other: I64 | int) -> I64:
        return self._with(other, 0x86)

    def __rshift__(self, other: I64 | int) -> I64:
        """Shift an unsigned number."""
        return self._with(other, 0x88)

    def wrapped(self) -> I32:
        """Return the lower 32 bits."""
        return I32(self.code + b"\xa7")


class V128(StackValue):
    """128-bit value: a bit set, or four lanes of 32 bits."""

    __slots__ = ()
    type_ = 0x7B

    @classmethod
    def const(cls, bits: int) -> V128:
        return cls(b"\xfd\x0c" + bits.to_bytes(16, "little"))

    @classmethod
    def lanes(cls, *numbers: int) -> V128:
        """Return a constant of four signed lanes."""
        return cls(b"\xfd\x0c" + struct.pack("<4i", *numbers))

    def _with(self, other: V128, opcode: bytes) -> V128:
        return V128(self.code + other.code + opcode)

    def __and__(self, other: V128) -> V128:
        return self._with(other, b"\xfd\x4e")

    def without(self, other: V128) -> V128:
        """Return the bits that the other one lacks."""
        return self._with(other, b"\xfd\x4f")

    def __or__(self, other: V128) -> V128:
        return self._with(other, b"\xfd\x50")

    def any(self) -> I32:
        """Return whether a bit is set."""
        return I32(self.code + b"\xfd\x53")

    def lanes_equal(self, other: V128) -> V128:
        """Compare lane by lane: return -1 where they are equal, else 0."""
        return self._with(other, b"\xfd\x37")

    def lanes_minus(self, other: V128) -> V128:
        """Subtract lane by lane."""
        return self._with(other, b"\xfd\xb1\x01")


class Address:
    """Place in memory: a base and a constant offset."""

    __slots__ = ("base", "offset")

    def __init__(self, base: I32 | int, offset: int = 0) -> None:
        self.base = I32.const(base) if isinstance(base, int) else base
        self.offset = offset

    def _access(self, opcode: bytes) -> bytes:
        return opcode + b"\x00" + unsigned(self.offset)

    def offset_by(self, size: int) -> Address:
        """Return the address so many bytes further on."""
        return Address(self.base, self.offset + size)

    def value(self) -> I32:
        """Return the address itself."""
        return self.base + self.offset

    def load(self) -> I32:
        """Return 32 bits."""
        return I32(self.base.code + self._access(b"\x28"))

    def load_byte(self) -> I64:
        """Return a byte as an unsigned number."""
        return I64(self.base.code + self._access(b"\x31"))

    def load_word(self) -> I64:
        """Return 32 bits as a signed number."""
        return I64(self.base.code + self._access(b"\x34"))

    def load_long(self) -> I64:
        """Return 64 bits."""
        return I64(self.base.code + self._access(b"\x29"))

    def load_set(self) -> V128:
        """Return 128 bits."""
        return V128(self.base.code + self._access(b"\xfd\x00"))

    def store(self, value: I32 | int) -> Code:
        value = I32.const(value) if isinstance(value, int) else value
        return Code(self.base.code + value.code + self._access(b"\x36"))

    def store_word(self, value: I64) -> Code:
        """Return code that stores the lower 32 bits."""
        return Code(self.base.code + value.code + self._access(b"\x3e"))

    def store_long(self, value: I64) -> Code:
        return Code(self.base.code + value.code + self._access(b"\x37"))

    def store_set(self, value: V128) -> Code:
        return Code(self.base.code + value.code + self._access(b"\xfd\x0b"))


class Items:
    """Items of 32 bits in memory: address of the first, and number of items."""

    __slots__ = ("address", "size")

    def __init__(self, address: I32 | int, size: I32 | int) -> None:
        self.address = I32.const(address) if isinstance(address, int) else address
        self.size = I32.const(size) if isinstance(size, int) else size

    def end(self) -> I32:
        """Return the address after the last item."""
        return self.address + (self.size << 2)


class Local(Generic[ValueT]):
    """Local variable of a function."""

    __slots__ = ("_value", "index", "kind")

    def __init__(self, kind: type[ValueT], index: int) -> None:
        self.kind, self.index = kind, index
        self._value = kind(b"\x20" + unsigned(index))

    def get(self) -> ValueT:
        return self._value

    def set(self, value: ValueT) -> Code:
        return Code(value.code + b"\x21" + unsigned(self.index))

    def tee(self, value: ValueT) -> ValueT:
        """Set it, and return the value."""
        return self.kind(value.code + b"\x22" + unsigned(self.index))


def select(one: ValueT, other: ValueT, condition: I32) -> ValueT:
    """Return one value where a condition holds, else the other; both are computed."""
    return type(one)(one.code + other.code + condition.code + b"\x1b")


def choose(condition: I32, one: ValueT, other: ValueT) -> ValueT:
    """Return one value where a condition holds, else the other; only that one is computed."""
    kind = bytes([one.type_])
    return type(one)(condition.code + b"\x04" + kind + one.code + b"\x05" + other.code + b"\x0b")


def after(code: Code, value: ValueT) -> ValueT:
    """Return a value that is computed after some instructions."""
    return type(value)(code.code + value.code)
