"""Records: immutable classes of named fields."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, dataclass, field, fields
from operator import attrgetter
from typing import Any, TypeVar, dataclass_transform

RecordClass = TypeVar("RecordClass")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def record(cls: type[RecordClass]) -> type[RecordClass]:
    """Make a class a frozen dataclass, but much faster than `dataclass`: every command defines more than a hundred at
    its start. Only the type checker prevents changes. Records are equal if class and fields are."""
    cls.__doc__ = cls.__doc__ or cls.__name__  # else dataclass derives one from the signature, which is slow
    result = dataclass(init=False, eq=False, repr=False)(cls)
    shown_fields = [own.name for own in fields(result) if own.repr]  # type: ignore[arg-type]
    compared = [own.name for own in fields(result) if own.compare]  # type: ignore[arg-type]
    values: Callable[[object], object] = attrgetter(*compared) if compared else lambda _: ()

    def __init__(self: object, *arguments: object, **keywords: object) -> None:
        initializer = _initializer(result)
        result.__init__ = initializer  # type: ignore[method-assign]  # on first use: most classes have no instance
        initializer(self, *arguments, **keywords)

    def __eq__(self: object, other: object) -> bool:
        return values(self) == values(other) if self.__class__ is other.__class__ else NotImplemented

    def __hash__(self: object) -> int:
        return hash(values(self))

    def __repr__(self: object) -> str:
        return f"{type(self).__qualname__}({', '.join(f'{name}={getattr(self, name)!r}' for name in shown_fields)})"

    for method in (__init__, __eq__, __hash__, __repr__):
        setattr(result, method.__name__, method)
    return result


def _initializer(cls: type) -> Callable[..., None]:
    """Return the `__init__` of a dataclass."""
    names: dict[str, Any] = {"_missing": MISSING}
    parameters, lines = ["self"], ["pass"]
    for own in fields(cls):
        name, value = own.name, own.name
        if own.default_factory is not MISSING:
            names[f"_made_{name}"] = own.default_factory
            parameters.append(f"{name}=_missing")
            value = f"_made_{name}() if {name} is _missing else {name}"
        elif own.default is not MISSING:
            names[f"_usual_{name}"] = own.default
            parameters.append(f"{name}=_usual_{name}")
        else:
            parameters.append(name)
        lines.append(f"self.{name} = {value}")
    exec(f"def __init__({', '.join(parameters)}):\n " + "\n ".join(lines), names)
    initializer: Callable[..., None] = names["__init__"]
    initializer.__qualname__ = f"{cls.__qualname__}.__init__"
    return initializer
