"""Commands `rulewright data backup`, `restore` and `forget`."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from rulewright.commands.common import CommandError, choose_localizer
from rulewright.commands.serve import data_location, require
from rulewright.i18n.localizer import Either, phrase
from rulewright.publish.console import Console

if TYPE_CHECKING:
    from rulewright.server.storage.retention import SeatRecord
    from rulewright.server.storage.store import Store


_LOCK_OWNER = "rulewright data"
"""Name in the lock, shown to whoever tries to serve the folder meanwhile."""


def backup(arguments: Namespace) -> int:
    """Copy all tables to a file. They may be served meanwhile: the copy is what was kept at one moment."""
    from rulewright.server.storage.backup import back_up  # noqa: PLC0415 - it needs what is not always there
    from rulewright.server.storage.open_store import FILE  # noqa: PLC0415

    tables = back_up(_folder(arguments, "pg_dump --format=custom --file=FILE") / FILE, Path(arguments.file))
    _console(arguments).paragraph(
        phrase("data", "{count} [table is|tables are] kept in '{path}'.", count=tables, path=arguments.file)
    )
    return 0


def restore(arguments: Namespace) -> int:
    """Bring the tables of a copy to a folder that has none, and that is not served, or to an empty database."""
    if isinstance(data_location(arguments.data), str):
        return _import(arguments)
    from rulewright.server.storage.backup import restore  # noqa: PLC0415 - it needs what is not always there
    from rulewright.server.storage.open_store import FILE, lock_folder  # noqa: PLC0415

    folder = _folder(arguments, "pg_restore --clean --if-exists --single-transaction")
    with lock_folder(folder, _LOCK_OWNER):
        copy = restore(Path(arguments.file), folder / FILE)
    _report_restored(arguments, copy.tables, str(folder), checked=copy.checked)
    return 0


def _import(arguments: Namespace) -> int:
    """Import a copy of the data into a PostgreSQL database."""
    from rulewright.server.storage.postgresql_import import import_copy  # noqa: PLC0415 - it needs what is not always there
    from rulewright.server.storage.store import Store  # noqa: PLC0415

    store = Store(arguments.data)
    try:
        copy = import_copy(Path(arguments.file), store)
        address = store.database.address
    finally:
        store.close()
    _report_restored(arguments, copy.tables, address, checked=copy.checked)
    return 0


def _report_restored(arguments: Namespace, tables: int, address: str, *, checked: bool) -> None:
    """Print how many tables are back, and a warning for a copy without a checksum."""
    console = _console(arguments)
    console.paragraph(phrase("data", "{count} [table is|tables are] back in '{path}'.", count=tables, path=address))
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
    gone. Their answers stay, as moves of the game. By name, and without --table or --all, only tell where somebody of
    that name sits; a link is of one person, who is taken out at once. Return 1 if nobody is found."""
    require("serve", "msgspec")
    if bool(arguments.name) == bool(arguments.link):
        raise CommandError(phrase("errors", "Say who: write {examples}.", examples=Either(("NAME", "--link LINK"))))
    from rulewright.server.storage import retention  # noqa: PLC0415 - it needs what is not always there

    console = _console(arguments)
    with _open_log(arguments) as store:
        seats = _find_seats(arguments, store)
        erased = seats if arguments.all or arguments.link else [p for p in seats if p.game in arguments.table]
        for place in erased or seats:
            console.write_line(f"{place.game:>8}  {place.created[:10]}  {place.edition}, seat {place.seat + 1}")
        if erased:
            retention.erase(store, erased)
    if erased:
        message = phrase(
            "data",
            "Forgotten at {count} [table|tables]: name, link and messages. Copies that were made before still have "
            "them.",
            count=len(erased),
        )
    elif seats:
        message = phrase(
            "data",
            "{count} [table|tables]; nothing has changed. Several people may have this name: choose tables by "
            "{option}, or all of them by {all}.",
            count=len(seats),
            option="--table",
            all="--all",
        )
    else:
        message = phrase("data", "Nobody is found; nothing has changed.")
    console.paragraph(message)
    return 0 if seats else 1


def _find_seats(arguments: Namespace, store: Store) -> list[SeatRecord]:
    """Return the seats that a link or a name refers to."""
    from rulewright.server.storage import retention  # noqa: PLC0415 - it needs what is not always there

    if not arguments.link:
        return retention.find_by_name(store, arguments.name)
    tokens = arguments.link.rpartition("#")[2].split(",")
    return [place for token in tokens if (place := retention.find_by_link(store, token)) is not None]


@contextmanager
def _open_log(arguments: Namespace) -> Iterator[Store]:
    """Open the log while no server of its folder runs, which would go on with what it has in memory."""
    from rulewright.server.storage.open_store import open_store  # noqa: PLC0415 - it needs what is not always there

    with open_store(data_location(arguments.data), _LOCK_OWNER) as store:
        try:
            yield store
        finally:
            store.close()


def _folder(arguments: Namespace, instead: str) -> Path:
    """Return the folder of the tables. Raises CommandError for a database, which has tools of its own."""
    require("serve", "msgspec")
    data = data_location(arguments.data)
    if isinstance(data, str):
        raise CommandError(phrase("errors", "PostgreSQL has a tool of its own for that: {command}.", command=instead))
    return data


def _console(arguments: Namespace) -> Console:
    return Console(None, sys.stdout, localizer=choose_localizer(arguments.lang))
