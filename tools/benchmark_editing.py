"""Response times of the language server: `python tools/benchmark_editing.py [EDITION]`.

A server is started as editors start it and spoken to over its standard input and output. Each number is one keystroke
in the middle of the file together with the answer to what an editor asks for then: the middle and the slowest of many,
and how much of the middle one the server has worked, where the system tells that (Linux). The rest is the pause before
a text is read, and waiting for a processor that others use.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from name_arguments import one_of
from rulewright.model.editions import available, examples_of

KEYSTROKES = 40
EXAMPLES = "examples of "


class Editor:
    """One file, open in a language server of its own, which is started and asked as editors do."""

    def __init__(self, path: Path) -> None:
        self.text, self.uri, self.version, self.number = path.read_text("utf-8"), path.as_uri(), 0, 0
        command = [sys.executable, "-m", "rulewright", "language-server"]
        self.server = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self.ask("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
        self.tell("initialized", {})
        document = {"uri": self.uri, "languageId": "yaml", "version": 0, "text": self.text}
        self.tell("textDocument/didOpen", {"textDocument": document})
        self.wait_for(is_publishing)

    def send(self, message: dict[str, Any]) -> None:
        """Write a message to the server."""
        assert self.server.stdin is not None
        content = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.server.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(content), content))
        self.server.stdin.flush()

    def tell(self, method: str, params: dict[str, Any]) -> None:
        """Send a notification."""
        self.send({"method": method, "params": params})

    def ask(self, method: str, params: dict[str, Any]) -> Any:
        """Send a request and wait for its result."""
        self.number += 1
        self.send({"id": self.number, "method": method, "params": params})
        return self.wait_for(lambda message: message.get("id") == self.number and "method" not in message)["result"]

    def wait_for(self, is_expected: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
        """Read messages up to the first one that is expected, and return that."""
        assert self.server.stdout is not None
        while True:
            length = 0
            while line := self.server.stdout.readline().strip():
                name, _, value = line.partition(b":")
                length = int(value) if name.lower() == b"content-length" else length
            message: dict[str, Any] = json.loads(self.server.stdout.read(length))
            if is_expected(message):
                return message

    def type(self, line: int, column: int, removed: int, text: str) -> None:
        """Tell of an edit: characters removed at a place, counted from 0, and a text in their stead."""
        self.version += 1
        place = {"start": {"line": line, "character": column}, "end": {"line": line, "character": column + removed}}
        document = {"uri": self.uri, "version": self.version}
        self.tell(
            "textDocument/didChange", {"textDocument": document, "contentChanges": [{"range": place, "text": text}]}
        )

    def processor_seconds(self) -> float:
        """Return the seconds that the server has had a processor; 0 where the system does not tell."""
        tasks = Path(f"/proc/{self.server.pid}/task").glob("*/schedstat")
        return sum(int(task.read_text().split()[0]) for task in tasks) / 1e9

    def close(self) -> None:
        """Shut the server down."""
        self.ask("shutdown", {})
        self.tell("exit", {})
        self.server.wait(10)


def is_publishing(message: dict[str, Any]) -> bool:
    """Return whether a message tells of a file's diagnostics, be it that there are none."""
    return message.get("method") == "textDocument/publishDiagnostics"


def measured(path: Path) -> dict[str, list[tuple[float, float]]]:
    """Return milliseconds by request: of each time after a keystroke, and of the server's work for it."""
    editor = Editor(path)
    lines = editor.text.split("\n")
    middle = next(
        n
        for n, line in enumerate(lines)
        if n > len(lines) / 2 and line.strip().startswith(("- move ", "- Ada: ", "- {"))
    )
    column = len(lines[middle])
    own = {"textDocument": {"uri": editor.uri}, "position": {"line": middle, "character": column}}
    screen = {"start": {"line": middle - 25, "character": 0}, "end": {"line": middle + 25, "character": 0}}
    document = {"textDocument": {"uri": editor.uri}}
    questions: dict[str, tuple[str, dict[str, Any]]] = {
        "completion": ("textDocument/completion", own),
        "hover": ("textDocument/hover", own),
        "colours of a screen": ("textDocument/semanticTokens/range", {**document, "range": screen}),
        "colours": ("textDocument/semanticTokens/full", document),
        "figures": ("textDocument/inlayHint", {**document, "range": screen}),
        "outline": ("textDocument/documentSymbol", document),
        "folding": ("textDocument/foldingRange", document),
    }
    results: dict[str, list[tuple[float, float]]] = {}

    @contextmanager
    def timed(name: str) -> Iterator[None]:
        started, duration = time.perf_counter(), editor.processor_seconds()
        yield
        took = time.perf_counter() - started
        results.setdefault(name, []).append((took * 1000, (editor.processor_seconds() - duration) * 1000))

    for name, (method, params) in questions.items():
        for number in range(KEYSTROKES):
            with timed(name):
                editor.type(middle, column, 0, " ") if number % 2 == 0 else editor.type(middle, column, 1, "")
                editor.ask(method, params)
    for _ in range(KEYSTROKES // 4):
        with timed("colours, a new line"):
            editor.type(middle, column, 0, "\n")
            editor.ask("textDocument/semanticTokens/full", document)
    for _ in range(KEYSTROKES // 4):
        with timed("a mistake told"):
            editor.type(middle + 1, 0, 0, '"')
            editor.wait_for(lambda message: is_publishing(message) and message["params"]["diagnostics"])
        editor.type(middle + 1, 0, 1, "")
        editor.wait_for(lambda message: is_publishing(message) and not message["params"]["diagnostics"])
    editor.close()
    return results


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    files = [*available(), *(f"{EXAMPLES}{name}" for name, path in available().items() if examples_of(path).is_file())]
    parser.add_argument("files", nargs="*", type=one_of(files), metavar="FILE", help="an edition, or its examples")
    usual = ["wildlife/2002", "wild-cards/2022", f"{EXAMPLES}wildlife/2002"]
    for name in parser.parse_args().files or usual:
        path = available()[name.removeprefix(EXAMPLES)]
        path = examples_of(path) if name.startswith(EXAMPLES) else path
        print(f"{name}: {len(path.read_text('utf-8').splitlines())} lines")
        for kind, times in measured(path).items():
            took, duration = zip(*times, strict=True)
            text = f"worked {statistics.median(duration):4.0f} ms   slowest {max(took):5.0f} ms"
            print(f"  {kind:<20} {statistics.median(took):5.0f} ms   {text}", flush=True)


if __name__ == "__main__":
    main()
