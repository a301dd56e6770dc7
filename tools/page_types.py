"""Write what pages know of the records of messages and answers: their types, and the values that messages leave out.

`python tools/page_types.py` writes `server/page/protocol.d.ts`, `server/page/defaults.js` and
`workbench/page/records.d.ts` of the package.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import indent
from typing import Any, get_args

import msgspec
from msgspec import inspect

from rulewright.i18n.catalog_editing import TranslatedText
from rulewright.server.views import document, replies
from rulewright.server.web import protocol
from rulewright.workbench.book.changes_pane import Change, ComparisonChoice
from rulewright.workbench.book.source_map import Passage
from rulewright.workbench.cases.case_runner import FileRun
from rulewright.workbench.core.version_history import Version
from rulewright.workbench.play.game_views import ExpectedView, GameView
from rulewright.workbench.share.comment_api import MomentView
from rulewright.workbench.share.friends_games import FriendsGame
from rulewright.workbench.share.friends_server import FriendTable
from rulewright.workbench.share.share_store import GameComment
from rulewright.workbench.statistics.number_values import NumberValue
from rulewright.workbench.steps.position_draft import CounterForm, PieceForm, PositionDraft
from rulewright.workbench.steps.trace_view import TraceView

_PACKAGE = Path(__file__).resolve().parents[1] / "interpreter" / "rulewright"
PROTOCOL = _PACKAGE / "server" / "page" / "protocol.d.ts"
DEFAULTS = _PACKAGE / "server" / "page" / "defaults.js"
RECORDS = _PACKAGE / "workbench" / "page" / "records.d.ts"
PROTOCOL_HEAD = (
    "// Written by tools/page_types.py from the records of messages: spec/PROTOCOL.md says what each field means."
)
DEFAULTS_HEAD = "// Written by tools/page_types.py from the records of messages: what is left out where it is as usual."
RECORDS_HEAD = "// Written by tools/page_types.py from the records that the workbench answers with."
_TABLE_RECORDS = {**vars(document), **vars(replies)}
_TABLE_MODULES = {document.__name__, replies.__name__}
_ANSWERED = [
    *(Change, ComparisonChoice, Passage, TranslatedText),
    *(FileRun, Version, GameView, ExpectedView),
    *(MomentView, FriendsGame, FriendTable, GameComment),
    *(NumberValue, CounterForm, PieceForm, PositionDraft, TraceView),
]
"""Records of the workbench's answers; those inside them are written, too."""
_FILLED_IN = (
    "Asked",
    "ChainPick",
    "HostLinks",
    "Line",
    "Move",
    "NamedPart",
    "Now",
    "Offered",
    "Placed",
    "ScoreNow",
    "Sitting",
    "ZoneNow",
)
"""Records whose missing fields a page fills in."""
_Record = inspect.StructType | inspect.DataclassType
_PLAIN = {
    inspect.AnyType: "unknown",
    inspect.RawType: "unknown",
    inspect.BoolType: "boolean",
    inspect.IntType: "number",
    inspect.FloatType: "number",
    inspect.StrType: "string",
    inspect.NoneType: "null",
}


def texts() -> dict[Path, str]:
    """Return the files with their texts."""
    return {
        PROTOCOL: "\n".join([f"{PROTOCOL_HEAD}\n", *message_types()]),
        DEFAULTS: "\n".join([f"{DEFAULTS_HEAD}\n", *defaults()]),
        RECORDS: "\n".join([f"{RECORDS_HEAD}\n", *answer_types()]),
    }


def message_types() -> Iterator[str]:
    """Yield an interface for each record of the server's document and messages, then those of the page's messages, with
    a union for each kind of message."""
    for record in _TABLE_RECORDS.values():
        if isinstance(record, type) and issubclass(record, document.Fragment) and record.__struct_fields__:
            yield interface(record)
    sent = get_args(replies.ServerMessage)
    yield f"export type ServerMessage = {' | '.join(record.__name__ for record in sent)};\n"
    received = [record for record in protocol.Message.__subclasses__() if record.__module__ == protocol.__name__]
    union = f"export type Any = {' | '.join(record.__name__ for record in received)};\n"
    records: list[type[msgspec.Struct]] = [*received, protocol.WantedSeat, protocol.WantedTable]
    inside = "\n".join([*map(interface, records), union])
    yield f"/** What a page says. */\nexport namespace Said {{\n{indent(inside, '  ')}}}\n"


def defaults() -> Iterator[str]:
    """Yield a constant for each record of which a page fills in what a message leaves out."""
    for name in _FILLED_IN:
        fields = msgspec.structs.fields(_TABLE_RECORDS[name])
        values = {one.name: msgspec.to_builtins(_default(one)) for one in fields if not one.required}
        body = "".join(f"  {field}: {json.dumps(value)},\n" for field, value in values.items())
        yield f"export const {name} = {{\n{body}}};\n"


def _default(field: msgspec.structs.FieldInfo) -> object:
    return field.default if field.default_factory is msgspec.NODEFAULT else field.default_factory()


def answer_types() -> Iterator[str]:
    """Yield the import of records that tables know, and an interface for each of the workbench's own."""
    records = list(dict.fromkeys(inner for record in _ANSWERED for inner in records_in(inspect.type_info(record))))
    own = [record for record in records if record.__module__ not in _TABLE_MODULES]
    imported = sorted(record.__name__ for record in records if record not in [*own, document.TableDocument])
    yield (
        f'import type {{ {", ".join(imported)} }} from "../../server/page/protocol";\n'
        'import type { TableDocument } from "../../server/page/types";\n'
    )
    yield from map(interface, own)


def records_in(described: inspect.Type) -> Iterator[type[Any]]:
    """Yield the records within a type, inner ones first; of records of tables only the outermost."""
    if isinstance(described, _Record):
        if described.cls.__module__ not in _TABLE_MODULES:
            for field in described.fields:
                yield from records_in(field.type)
        yield described.cls
    for name in ("types", "item_types"):
        for inner in getattr(described, name, ()):
            yield from records_in(inner)
    for name in ("item_type", "value_type"):
        if (inner := getattr(described, name, None)) is not None:
            yield from records_in(inner)


def interface(record: type[Any]) -> str:
    """Return the interface of a record: what is as usual may be left out, where that is how it is sent or read."""
    described = inspect.type_info(record)
    assert isinstance(described, _Record)
    tag = described.tag if isinstance(described, inspect.StructType) else None
    lines = [f'  type: "{tag}";\n'] if tag is not None else []
    for field in described.fields:
        optional = "" if field.required or _is_complete(record) else "?"
        lines.append(f"  {field.encode_name}{optional}: {type_text(field.type)};\n")
    return f"export interface {record.__name__} {{\n{''.join(lines)}}}\n"


def _is_complete(record: type[Any]) -> bool:
    """Return whether all fields of a record are always sent."""
    if not issubclass(record, msgspec.Struct):
        return True
    return record.__module__ != protocol.__name__ and not record.__struct_config__.omit_defaults


def type_text(described: inspect.Type) -> str:
    """Return a type as TypeScript has it."""
    if isinstance(described, _Record):
        return described.cls.__name__
    if isinstance(described, inspect.UnionType):
        return " | ".join(type_text(one) for one in described.types if not isinstance(one, inspect.RawType))
    if isinstance(described, inspect.LiteralType):
        return " | ".join(f'"{value}"' for value in described.values)
    if isinstance(described, inspect.TupleType):
        return f"[{', '.join(map(type_text, described.item_types))}]"
    if isinstance(described, inspect.VarTupleType | inspect.ListType):
        item = type_text(described.item_type)
        return f"({item})[]" if " " in item and not item.startswith("[") else f"{item}[]"
    if isinstance(described, inspect.DictType):
        return f"Record<string, {type_text(described.value_type)}>"
    if isinstance(described, inspect.Metadata):
        return type_text(described.type)
    return _PLAIN[type(described)]


if __name__ == "__main__":
    for path, text in texts().items():
        path.write_text(text, encoding="utf-8")
    sys.exit(0)
