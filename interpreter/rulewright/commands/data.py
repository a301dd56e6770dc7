"""What `rulewright data` does: what a server keeps is copied, brought back, and rid of people who want it."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from rulewright.commands.common import CommandError, spoken
from rulewright.commands.serve import kept_in, need
from rulewright.i18n.localizer import Either, phrase
from rulewright.publish.console import Console

if TYPE_CHECKING:
    from rulewright.server.storage.retention import Place
    from rulewright.server.storage.store import Store


_BY = "rulewright data"
"""Instead of an address, for whoever would serve the folder meanwhile."""


def backup(arguments: Namespace) -> int:
    """Copy all tables to a file. They may be served meanwhile: the copy is what was kept at one moment."""
    from rulewright.server.storage.backup import backed_up  # noqa: PLC0415 - it needs what is not always there
    from rulewright.server.storage.open_store import FILE  # noqa: PLC0415

    tables = backed_up(_folder(arguments, "pg_dump --format=custom --file=FILE") / FILE, Path(arguments.file))
    _say(arguments).paragraph(
        phrase("data", "{count} [table is|tables are] kept in '{path}'.", count=tables, path=arguments.file)
    )
    return 0


def restore(arguments: Namespace) -> int:
    """Bring the tables of a copy to a folder that has none, and that is not served, or to an empty database."""
    if isinstance(kept_in(arguments.data), str):
        return _move(arguments)
    from rulewright.server.storage.backup import restored  # noqa: PLC0415 - it needs what is not always there
    from rulewright.server.storage.open_store import FILE, alone  # noqa: PLC0415

    folder = _folder(arguments, "pg_restore --clean --if-exists --single-transaction")
    with alone(folder, _BY):
        back = restored(Path(arguments.file), folder / FILE)
    _tell_restored(arguments, back.tables, str(folder), checked=back.checked)
    return 0


def _move(arguments: Namespace) -> int:
    from rulewright.server.storage.postgresql_import import move  # noqa: PLC0415 - it needs what is not always there
    from rulewright.server.storage.store import Store  # noqa: PLC0415

    store = Store(arguments.data)
    try:
        back = move(Path(arguments.file), store)
        where = store.database.where
    finally:
        store.close()
    _tell_restored(arguments, back.tables, where, checked=back.checked)
    return 0


def _tell_restored(arguments: Namespace, tables: int, where: str, *, checked: bool) -> None:
    console = _say(arguments)
    console.paragraph(phrase("data", "{count} [table is|tables are] back in '{path}'.", count=tables, path=where))
    if not checked:
        console.paragraph(
            phrase(
                "data",
                "This copy has no checksum, as older copies have none: whether it changed since it was made cannot be "
                "told.",
            )
        )


def forget(arguments: Namespace) -> int:
    """Take a person out of tables: another name stands there, their link opens nothing any more, and what they said is
    gone. Their answers stay, as moves of the game. Without --table or --all, only tell where somebody of that name
    sits."""
    need("serve", "msgspec")
    if bool(arguments.name) == bool(arguments.link):
        raise CommandError(phrase("errors", "Say who: write {examples}.", examples=Either(("NAME", "--link LINK"))))
    from rulewright.server.storage import retention  # noqa: PLC0415 - it needs what is not always there

    console = _say(arguments)
    with _log(arguments) as store:
        found = _found(arguments, store)
        wanted = found if arguments.all or arguments.link else [p for p in found if p.game in arguments.table]
        for place in wanted or found:
            console.write_line(f"{place.game:>8}  {place.created[:10]}  {place.edition}, seat {place.seat + 1}")
        if wanted:
            retention.forget(store, wanted)
    if wanted:
        told = phrase(
            "data",
            "Forgotten at {count} [table|tables]: name, link and messages. Copies that were made before still have "
            "them.",
            count=len(wanted),
        )
    elif found:
        told = phrase(
            "data",
            "{count} [table|tables]; nothing has changed. Several people may have this name: choose tables by "
            "{option}, or all of them by {all}.",
            count=len(found),
            option="--table",
            all="--all",
        )
    else:
        told = phrase("data", "Nobody is found; nothing has changed.")
    console.paragraph(told)
    return 0 if found else 1


def _found(arguments: Namespace, store: Store) -> list[Place]:
    from rulewright.server.storage import retention  # noqa: PLC0415 - it needs what is not always there

    if not arguments.link:
        return retention.places(store, arguments.name)
    tokens = arguments.link.rpartition("#")[2].split(",")
    return [place for token in tokens if (place := retention.by_link(store, token)) is not None]


@contextmanager
def _log(arguments: Namespace) -> Iterator[Store]:
    """The log, which no server of a folder may use meanwhile: it would go on telling what it remembers."""
    from rulewright.server.storage.open_store import opened  # noqa: PLC0415 - it needs what is not always there

    with opened(kept_in(arguments.data), _BY) as store:
        try:
            yield store
        finally:
            store.close()


def _folder(arguments: Namespace, instead: str) -> Path:
    """Raises CommandError for a database, which has tools of its own."""
    need("serve", "msgspec")
    data = kept_in(arguments.data)
    if isinstance(data, str):
        raise CommandError(phrase("errors", "PostgreSQL has a tool of its own for that: {command}.", command=instead))
    return data


def _say(arguments: Namespace) -> Console:
    return Console(None, sys.stdout, speech=spoken(arguments.lang))
