"""The documents' fenced blocks: editions, what is done with them, and what is wrong with them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from project_folders import SPEC

_FENCE = re.compile(r"^```([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    """A fenced block of a document. words: what stands behind its fence; line: where its text begins."""

    file: str
    line: int
    words: tuple[str, ...]
    text: str

    @property
    def location(self) -> str:
        return f"{self.file}:{self.line}"


@dataclass(frozen=True)
class Example:
    """An edition with the cases that are played with it, the errors that it has, or what stops its games."""

    location: str
    edition: Any
    cases: str = ""
    base: Any = None  # what a variant extends, as workbench.yaml
    errors: tuple[str, ...] = ()
    stop: str = ""

    @property
    def label(self) -> str:
        """Name for `-k`, without blanks, that stays when lines move: of the first case, or from what goes wrong."""
        case = re.search(r"(?m)^cases:\n  (.+?):", self.cases)
        first = case[1] if case else (self.errors or (self.stop,))[0].removeprefix("error")[:60]
        return re.sub(r"[^\w.]+", "-", f"{self.location.partition(':')[0]} {first}").strip("-")


@cache
def blocks(path: Path) -> tuple[Block, ...]:
    if not path.is_file():
        return ()
    text = path.read_text(encoding="utf-8")
    return tuple(
        Block(path.name, text.count("\n", 0, match.start()) + 2, tuple(match[1].split()), match[2])
        for match in _FENCE.finditer(text)
    )


def read_block(block: Block) -> Any:
    """Return what the YAML of a block says. A failure names the block's place in its document."""
    try:
        return yaml.load(block.text, yaml.CBaseLoader)
    except yaml.YAMLError as error:
        raise AssertionError(f"{block.location}: {error}") from error


def merged(base: Any, change: Any) -> Any:
    """Mappings merge by name; everything else is replaced."""
    if isinstance(base, dict) and isinstance(change, dict):
        return {name: merged(base.get(name), change.get(name, base.get(name))) for name in {**base, **change}}
    return change


def examples(path: Path) -> Iterator[Example]:
    """The editions of a document, each with the blocks that follow it."""
    names: dict[str, Any] = {}
    edition: Any = None
    base: Any = None
    bad: Block | None = None
    for block in blocks(path):
        match block.words:
            case ("yaml", "edition" | "fragment" | "bad" | "variant" as kind, *name):
                assert bad is None, f"{bad.location if bad else ''}: no 'text error' follows"
                read = read_block(block)
                base = names[name[-1]] if "variant" in (kind, *name) else None
                edition = merged(names[name[0]], read) if kind != "edition" and name and not base else read
                if (kind == "edition" and name) or (kind == "fragment" and len(name) > 1):
                    names[name[-1]] = edition
                bad = block if kind == "bad" else None
            case ("yaml", "cases"):
                yield Example(block.location, edition, block.text, base)
            case ("text", "error"):
                assert bad is not None, f"{block.location}: no 'yaml bad' stands before this"
                yield Example(block.location, edition, base=base, errors=tuple(block.text.strip().splitlines()))
                bad = None
            case ("text", "stop"):
                yield Example(block.location, edition, stop=block.text.strip())
    assert bad is None, f"{bad.location}: no 'text error' follows"


@cache
def documented() -> tuple[Example, ...]:
    return tuple(
        example for name in ("FIRST_GAME.md", "LANGUAGE.md", "SCENARIOS.md") for example in examples(SPEC / name)
    )


def as_text(edition: Any) -> str:
    return yaml.dump(edition, Dumper=yaml.CSafeDumper, sort_keys=False, allow_unicode=True, width=1000)


DOCUMENT = SPEC / "DIAGNOSTICS.md"


@cache
def base(name: str) -> Any:
    (block,) = [block for block in blocks(DOCUMENT) if block.words == ("yaml", "edition", name)]
    return read_block(block)
