"""What lets a browser into a workbench: an address that only this user can read, and a cookie that is new each time.

Whoever has the key can write files. So it is in no command line, which all users of a computer can read, and in no file
that came along with a folder.
"""

from __future__ import annotations

import secrets
from contextlib import suppress
from html import escape
from pathlib import Path
from urllib.parse import urlencode

from rulewright.base import files
from rulewright.base.records import record
from rulewright.i18n.localizer import phrase
from rulewright.workbench.core.workspace import BenchError

COOKIE, ADDRESS, PAGE, PORT = "key", "address", "open.html", "port"
"""Files: the cookie of this workbench, the address that opens it, a page that leads a browser there, and at which port
it was last: what a browser keeps of a page, it keeps for that port."""
_LENGTH = 24
_LARGEST = 1000
_REDIRECT = """\
<!doctype html>
<meta charset="utf-8">
<title>Rulewright</title>
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url={address}">
<p><a href="{address}">Rulewright</a></p>
"""


@record
class Keys:
    """address: stands in the address that opens a workbench; cookie: by which a browser is known then; earlier: that of
    the workbench before in this folder, whose page may still be open; '' for none."""

    address: str
    cookie: str
    earlier: str = ""


def new_keys(folder: Path) -> Keys:
    """Keys for a workbench that begins. folder: what is the workbench's own. Raises BenchError."""
    earlier = files.private(folder / COOKIE, _LARGEST).decode("ascii", "replace").strip()
    made = Keys(_key(), _key(), earlier if len(earlier) >= _LENGTH else "")
    _write(folder / COOKIE, made.cookie)
    return made


def _key() -> str:
    return secrets.token_urlsafe(_LENGTH)


def tell(folder: Path, address: str) -> None:
    """Note where the workbench of a folder is, for the next one that is begun there. Raises BenchError."""
    _write(folder / ADDRESS, address)


def known(folder: Path) -> str:
    """Where the workbench of a folder is; '' where nobody has noted that, or it is not to be believed."""
    return files.private(folder / ADDRESS, _LARGEST).decode("ascii", "replace").strip()


def last_port(folder: Path) -> int:
    """At which port the workbench of a folder was the last time; 0 where nobody knows."""
    told = files.private(folder / PORT, _LARGEST).strip()
    return int(told) if told.isdigit() and 1024 <= int(told[:6]) < 65536 else 0


def note_port(folder: Path, port: int) -> None:
    """Note where the workbench of a folder is. Raises BenchError."""
    _write(folder / PORT, str(port))


def page(folder: Path, address: str) -> Path:
    """A page for this user alone that leads to an address. Raises BenchError."""
    path = folder / PAGE
    _write(path, redirecting(address))
    return path


def forget(folder: Path) -> None:
    """The workbench of a folder has ended: its address leads nowhere any more."""
    for name in (ADDRESS, PAGE):
        with suppress(OSError):
            (folder / name).unlink()


def redirecting(address: str) -> str:
    """A page that leads to an address at once."""
    return _REDIRECT.format(address=escape(address))


def with_file(address: str, file: str) -> str:
    """An address that shows a file first; '' for none."""
    return f"{address}?{urlencode({'file': file})}" if file else address


def _write(path: Path, text: str) -> None:
    try:
        files.replace_private(path, text.encode())
    except (OSError, ValueError) as error:
        raise BenchError(
            phrase("errors", "'{path}' cannot be written: {why}.", path=str(path), why=files.reason(error))
        ) from None
