"""Access keys of a workbench: an address that only this user can read, and a new cookie each time.

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
from rulewright.i18n.file_errors import write_error
from rulewright.workbench.core.workspace import BenchError

COOKIE, ADDRESS, PAGE, PORT = "key", "address", "open.html", "port"
"""Files: the cookie of this workbench, the address that opens it, a page that leads a browser there, and at which port
it was last: what a browser keeps of a page, it keeps for that port."""
_KEY_BYTES = 24
"""Random bytes of a key, and the least characters of an earlier cookie that still counts."""
_MAX_BYTES = 1000
"""Maximum bytes read from one of these files."""
_REDIRECT = """\
<!doctype html>
<meta charset="utf-8">
<title>Rulewright</title>
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url={address}">
<p><a href="{address}">Rulewright</a></p>
"""
"""Page that leads to an address at once, without telling where from."""


@record
class Keys:
    """Keys of one workbench. address: part of the address that opens it; cookie: identifies a browser from then on;
    earlier: cookie of the previous workbench in this folder, whose page may still be open, or ''."""

    address: str
    cookie: str
    earlier: str = ""


def new_keys(folder: Path) -> Keys:
    """Make the keys of a starting workbench; store the new cookie in place of the previous one's. folder: the
    workbench's own data folder. Raises BenchError.
    """
    earlier = files.read_private(folder / COOKIE, _MAX_BYTES).decode("ascii", "replace").strip()
    keys = Keys(_key(), _key(), earlier if len(earlier) >= _KEY_BYTES else "")
    _write(folder / COOKIE, keys.cookie)
    return keys


def _key() -> str:
    """Make a random key."""
    return secrets.token_urlsafe(_KEY_BYTES)


def note_address(folder: Path, address: str) -> None:
    """Store the address of a running workbench, for a second start in the same folder. Raises BenchError."""
    _write(folder / ADDRESS, address)


def stored_address(folder: Path) -> str:
    """Return the stored address of the folder's workbench; '' if none is stored or the file is not private."""
    return files.read_private(folder / ADDRESS, _MAX_BYTES).decode("ascii", "replace").strip()


def last_port(folder: Path) -> int:
    """Return the port that the folder's workbench used last; 0 if unknown, or not from 1024 on."""
    text = files.read_private(folder / PORT, _MAX_BYTES).strip()
    return int(text) if text.isdigit() and 1024 <= int(text[:6]) < 65536 else 0


def note_port(folder: Path, port: int) -> None:
    """Store the port of the folder's workbench. Raises BenchError."""
    _write(folder / PORT, str(port))


def write_redirect_page(folder: Path, address: str) -> Path:
    """Write a page, readable by this user alone, that redirects to an address. Raises BenchError."""
    path = folder / PAGE
    _write(path, redirect_html(address))
    return path


def delete_address(folder: Path) -> None:
    """Delete the address and the redirect page of a workbench that has ended."""
    for name in (ADDRESS, PAGE):
        with suppress(OSError):
            (folder / name).unlink()


def redirect_html(address: str) -> str:
    """Return an HTML page that redirects to an address at once."""
    return _REDIRECT.format(address=escape(address))


def with_file(address: str, file: str) -> str:
    """Add the file to show first to an address; '' for none."""
    return f"{address}?{urlencode({'file': file})}" if file else address


def _write(path: Path, text: str) -> None:
    """Write a private file. Raises BenchError."""
    try:
        files.replace_private(path, text.encode())
    except (OSError, ValueError) as error:
        raise BenchError(write_error(path, error)) from None
