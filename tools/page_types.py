"""Write what pages know of the records of messages: their types, and the values that messages leave out.

`python tools/page_types.py` writes `protocol.d.ts` and `defaults.js` in `interpreter/rulewright/server/page`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import indent
from typing import get_args

import msgspec
from msgspec import inspect

from rulewright.server.views import document
from rulewright.server.web import protocol

_FOLDER = Path(__file__).resolve().parents[1] / "interpreter" / "rulewright" / "server" / "page"
FILE, DEFAULTS = _FOLDER / "protocol.d.ts", _FOLDER / "defaults.js"
_FILLED_IN = ("Asked", "HostLinks", "Line", "NamedPart", "Now", "Offered", "Placed", "ScoreNow", "Sitting", "ZoneNow")
"""Records whose missing fields a page fills in."""
HEAD = "// Written by tools/page_types.py from the records of messages: spec/PROTOCOL.md says what each field means.\n"
_PLAIN = {
    inspect.AnyType: "unknown",
    inspect.RawType: "unknown",
    inspect.BoolType: "boolean",
    inspect.IntType: "number",
    inspect.FloatType: "number",
    inspect.StrType: "string",
    inspect.NoneType: "null",
}


def text() -> str:
    """Return the declarations: those of the server's document and messages, then those of the page's messages."""
    return HEAD + "".join(f"\n{declaration}" for declaration in declarations())


def defaults() -> str:
    """Return a module with the default values of records: what a page fills in where a message leaves it out."""
    lines = ["// Written by tools/page_types.py from the records of messages: what is left out where it is as usual.\n"]
    for name in _FILLED_IN:
        fields = msgspec.structs.fields(getattr(document, name))
        values = {one.name: msgspec.to_builtins(_default(one)) for one in fields if not one.required}
        body = "".join(f"  {field}: {json.dumps(value)},\n" for field, value in values.items())
        lines.append(f"export const {name} = {{\n{body}}};\n")
    return "\n".join(lines)


def _default(field: msgspec.structs.FieldInfo) -> object:
    return field.default if field.default_factory is msgspec.NODEFAULT else field.default_factory()


def declarations() -> Iterator[str]:
    """Yield an interface for each record, and a union for each kind of message."""
    for record in vars(document).values():
        if isinstance(record, type) and issubclass(record, document.Fragment) and record.__struct_fields__:
            yield interface(record)
    sent = get_args(document.ServerMessage)
    yield f"export type ServerMessage = {' | '.join(record.__name__ for record in sent)};\n"
    texts = [record for record in protocol.Message.__subclasses__() if record.__module__ == protocol.__name__]
    union = f"export type Any = {' | '.join(record.__name__ for record in texts)};\n"
    records: list[type[msgspec.Struct]] = [*texts, protocol.WantedSeat, protocol.WantedTable]
    inside = "\n".join([*map(interface, records), union])
    yield f"/** What a page says. */\nexport namespace Said {{\n{indent(inside, '  ')}}}\n"


def interface(record: type[msgspec.Struct]) -> str:
    """Return the interface of a record: what is as usual may be left out."""
    message = inspect.type_info(record)
    assert isinstance(message, inspect.StructType)
    lines = [f'  type: "{message.tag}";\n'] if message.tag is not None else []
    for field in message.fields:
        lines.append(f"  {field.encode_name}{'' if field.required else '?'}: {type_text(field.type)};\n")
    return f"export interface {record.__name__} {{\n{''.join(lines)}}}\n"


def type_text(message: inspect.Type) -> str:
    """Return a type as TypeScript has it."""
    if isinstance(message, inspect.StructType):
        return message.cls.__name__
    if isinstance(message, inspect.UnionType):
        return " | ".join(type_text(one) for one in message.types if not isinstance(one, inspect.RawType))
    if isinstance(message, inspect.LiteralType):
        return " | ".join(f'"{value}"' for value in message.values)
    if isinstance(message, inspect.TupleType):
        return f"[{', '.join(map(type_text, message.item_types))}]"
    if isinstance(message, inspect.VarTupleType):
        item = type_text(message.item_type)
        return f"({item})[]" if " " in item and not item.startswith("[") else f"{item}[]"
    if isinstance(message, inspect.DictType):
        return f"Record<string, {type_text(message.value_type)}>"
    if isinstance(message, inspect.Metadata):
        return type_text(message.type)
    return _PLAIN[type(message)]


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
    DEFAULTS.write_text(defaults(), encoding="utf-8")
    sys.exit(0)
