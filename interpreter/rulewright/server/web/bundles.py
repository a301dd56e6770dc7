"""The page's files as they are sent: one script and one style sheet for each page, named by their content.

The modules stand apart so that people find their way; a browser would ask for each, one after the other.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping

_IMPORT = re.compile(r'^import \{ ([^}]*) \} from "\./(\w+\.js)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export ((?:async )?(?:function\*?|class|const|let)) (\w+)", re.MULTILINE)
_STYLES = re.compile(r'(?:<link rel="stylesheet" href="/page/\w+\.css">\n)+')
_STYLE = re.compile(r'href="/page/(\w+\.css)"')
_COMMENT = re.compile(r"^ *(?://.*|/\*(?:[^*]|\*(?!/))*\*/ *)\n", re.MULTILINE)
"""Lines of their own, which are a fifth of what a browser would be sent."""
_SCRIPT = re.compile(r'(<script type="module" src="/page/)(\w+)\.js(">)')


class BundleError(ValueError):
    """A module that cannot be put together with the others."""


def bundled(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """The files, of which pages name bundles: a name with the digest of its content, which is for good. Raises
    BundleError."""
    found = dict(files)

    def add(name: str, ending: str, content: str) -> str:
        digest = hashlib.sha256(content.encode()).hexdigest()[:16]
        found[f"{name}.{digest}.{ending}"] = content.encode()
        return f"{name}.{digest}"

    for page in [name for name in files if name.endswith(".html")]:
        name = page.removesuffix(".html")
        text = files[page].decode()
        if styles := _STYLES.search(text):
            content = "".join(_COMMENT.sub("", files[sheet].decode()) for sheet in _STYLE.findall(styles[0]))
            link = f'<link rel="stylesheet" href="/page/{add(name, "css", content)}.css">\n'
            text = text[: styles.start()] + link + text[styles.end() :]
        if script := _SCRIPT.search(text):
            called = add(name, "js", one_script(f"{script[2]}.js", files))
            text = text[: script.start()] + f"{script[1]}{called}.js{script[3]}" + text[script.end() :]
        found[page] = text.encode()
    return found


def is_bundle(name: str) -> bool:
    """Whether a file's name says what it holds."""
    return re.fullmatch(r"\w+\.[0-9a-f]{16}\.\w+", name) is not None


def one_script(entry: str, files: Mapping[str, bytes]) -> str:
    """A module and all that it imports, as one module: each in a function of its own, in the order in which they need
    each other. Raises BundleError."""
    written: dict[str, str] = {}

    def write(name: str, wanted_by: tuple[str, ...]) -> None:
        if name in wanted_by:
            raise BundleError(f"{' > '.join((*wanted_by, name))}: these modules import each other.")
        if name in written:
            return
        if name not in files:
            raise BundleError(f"{wanted_by[-1]} imports {name}, which is not there.")
        text = _COMMENT.sub("", files[name].decode())
        for _, other in _IMPORT.findall(text):
            write(other, (*wanted_by, name))
        exported = [export for _, export in _EXPORT.findall(text)]
        body = _EXPORT.sub(r"\1 \2", _IMPORT.sub(_taken, text))
        if stray := re.search(r"^(import|export)\b.*", body, re.MULTILINE):
            raise BundleError(f"{name}: '{stray[0]}' is not written as the others are.")
        written[name] = body if name == entry else _function(name, body, exported)

    write(entry, ())
    return "\n".join(written.values())


def _taken(found: re.Match[str]) -> str:
    names = found[1].replace(" as ", ": ")
    return f"const {{ {names} }} = {_variable(found[2])};\n"


def _function(name: str, body: str, exported: list[str]) -> str:
    return f"const {_variable(name)} = (() => {{\n{body}return {{ {', '.join(exported)} }};\n}})();\n"


def _variable(name: str) -> str:
    return f"${name.removesuffix('.js')}"
