"""Valid files of every kind, spoilt: in their bytes, their lines and their structure. One number, one spoilt file."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from typing import Any

import yaml

Rng = random.Random
Spoiler = Callable[[bytes, Rng], bytes]

ODD_TEXT = (
    "\0",
    "\x1b[2J",
    "\u202e",
    "\u200b",
    "\ufeff",
    "\u2028",
    "\x85",
    "\ud7ff",
    "e\u0301",
    "٣",
    "\U0001f9a3",
    "\U000e0041",
    "a" * 5000,
    "{",
    "}",
    "{{}}",
    "{0.__class__}",
    "%s",
    "'",
    '"',
    ": ",
    "#",
    "- ",
    "\t",
    "&a ",
    "*a",
    "!!python/object/apply:os.system [true]",
    "<<: *a",
    "|",
    ">-",
    "---\n",
    "...\n",
    "../../../etc/passwd",
    "/dev/zero",
    "nul",
    "",
    " ",
)
ODD_BYTES = (b"\x00", b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\r", b"\n\n", b"\x1a", b"\x80")
ODD_NUMBERS = ("0", "-1", "1.5", "1e999", "0x10", "1_000", "99999999999", "9" * 5000, "٣", "1 to 999999", "NaN", "-0")
ODD_VALUES: tuple[Any, ...] = (
    None, True, "", "x", -1, 0, 1, 2**31, 2**63, 10**30, -(10**30), 1.5, [], {}, [[]], {"": {}}, {"x": [{}]}
)  # fmt: skip


# ── bytes ──


def _flip(data: bytes, rng: Rng) -> bytes:
    spoilt = bytearray(data)
    for _ in range(rng.choice((1, 1, 1, 3, 30))):
        index = rng.randrange(len(spoilt))
        spoilt[index] ^= 1 << rng.randrange(8)
    return bytes(spoilt)


def _cut(data: bytes, rng: Rng) -> bytes:
    return data[: rng.randrange(len(data))]


def _hole(data: bytes, rng: Rng) -> bytes:
    index = rng.randrange(len(data))
    return data[:index] + data[index + rng.choice((1, 2, 10, 100, 1000)) :]


def _again(data: bytes, rng: Rng) -> bytes:
    index = rng.randrange(len(data))
    part = data[index : index + rng.choice((1, 10, 100, 1000))]
    return data[:index] + part * rng.choice((1, 1, 50)) + data[index:]


def _insert(data: bytes, rng: Rng) -> bytes:
    index = rng.randrange(len(data) + 1)
    return data[:index] + rng.choice((*ODD_BYTES, rng.choice(ODD_TEXT).encode())) + data[index:]


def _encoded(data: bytes, rng: Rng) -> bytes:
    text = data.decode("utf-8", "replace")
    cases: tuple[Callable[[], bytes], ...] = (
        lambda: b"\xef\xbb\xbf" + data,
        lambda: text.encode("utf-16"),
        lambda: text.encode("utf-32-be"),
        lambda: text.encode("latin-1", "replace"),
        lambda: data.replace(b"\n", b"\r\n"),
        lambda: data.replace(b"\n", b"\r"),
        lambda: data.replace(b"\n", b"\r\r\n"),
        lambda: data.replace(b"\n", "\u2028".encode()),
        lambda: data.replace(b" ", "\u00a0".encode()),
        lambda: data + b"\0" * 1000,
        lambda: data.rstrip(b"\n"),
        lambda: b"",
        lambda: b"\n" * 1000,
    )
    return rng.choice(cases)()


BYTES: tuple[Spoiler, ...] = (_flip, _cut, _hole, _again, _insert, _encoded)


# ── lines and words ──


def _lines(data: bytes, rng: Rng) -> bytes:
    lines = data.decode("utf-8", "replace").split("\n")
    for _ in range(rng.choice((1, 1, 2, 5))):
        index, other = rng.randrange(len(lines)), rng.randrange(len(lines))
        match rng.randrange(9):
            case 0:
                del lines[index]
            case 1:
                lines.insert(index, lines[other])
            case 2:
                lines[index], lines[other] = lines[other], lines[index]
            case 3:
                lines[index] = rng.choice(("  ", " ", "\t", "        ")) + lines[index]
            case 4:
                lines[index] = lines[index].lstrip()
            case 5:
                lines[index : index + 2] = [" ".join(lines[index : index + 2])]
            case 6:
                lines[index] = lines[index][: rng.randrange(len(lines[index]) + 1)]
            case 7:
                length = rng.choice((1, 3, 20))
                lines[other:other] = lines[index : index + length]
            case 8:
                lines[index] += rng.choice(ODD_TEXT)
        lines = lines or [""]
    return "\n".join(lines).encode("utf-8", "replace")


def _words(data: bytes, rng: Rng) -> bytes:
    parts = re.findall(r"\s+|\w+|[^\w\s]", data.decode("utf-8", "replace")) or [""]
    for _ in range(rng.choice((1, 1, 2, 5))):
        index, other = rng.randrange(len(parts)), rng.randrange(len(parts))
        match rng.randrange(5):
            case 0:
                parts[index] = parts[other]
            case 1:
                parts.insert(index, f" {parts[other]} ")
            case 2:
                parts[index] = ""
            case 3:
                parts[index] = rng.choice((*ODD_TEXT, *ODD_NUMBERS))
            case 4:
                numbers = [place for place, part in enumerate(parts) if part.isdecimal()]
                if numbers:
                    parts[rng.choice(numbers)] = rng.choice(ODD_NUMBERS)
    return "".join(parts).encode("utf-8", "replace")


LINES: tuple[Spoiler, ...] = (_lines, _words)


# ── structure ──


def spots(node: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The path of keys and indices to every value within a value."""
    results = []
    for key in list(node) if isinstance(node, dict) else range(len(node)) if isinstance(node, list) else ():
        results += [(*path, key), *spots(node[key], (*path, key))]
    return results


def _node_at(node: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        node = node[key]
    return node


def spoil_tree(tree: Any, rng: Rng) -> Any:
    """A value with up to three of its parts removed, moved, doubled, renamed or replaced. The value is changed."""
    for _ in range(rng.choice((1, 1, 2, 3))):
        paths = spots(tree)
        if not paths:
            return rng.choice(ODD_VALUES)
        *outer, key = rng.choice(paths)
        owner, other = _node_at(tree, tuple(outer)), _node_at(tree, rng.choice(paths))
        copied = json.loads(json.dumps(other, default=str))
        match rng.randrange(8):
            case 0:
                del owner[key]
            case 1:
                owner[key] = rng.choice(ODD_VALUES)
            case 2:
                owner[key] = copied
            case 3:
                owner[key] = [owner[key]]
            case 4:
                owner[key] = {rng.choice(("", "x", "do", "each", "0")): owner[key]}
            case 5:
                value = owner[key]
                for _ in range(rng.choice((3, 40, 400))):
                    value = [value] if rng.random() < 0.5 else {"do": value}
                owner[key] = value
            case 6 if isinstance(owner, dict):
                owner[rng.choice((*map(str, owner), *ODD_TEXT[:12], "x"))] = owner.pop(key)
            case _:
                if isinstance(owner, list):
                    rng.shuffle(owner)
                else:
                    owner[f"{key}s"] = copied
    return tree


def _tree(data: bytes) -> Any:
    """Parse YAML. Raises YAMLError, ValueError: also for aliases, of which a few can hold more than any memory."""
    if re.search(rb"\*a", data):
        raise ValueError
    return yaml.load(data.decode(), yaml.BaseLoader)


def _yaml(data: bytes, rng: Rng) -> bytes:
    try:
        tree = _tree(data)
    except (yaml.YAMLError, ValueError):
        return _lines(data, rng)
    tree = spoil_tree(tree, rng)
    try:
        dumper = yaml.dump(tree, sort_keys=False, allow_unicode=True, width=rng.choice((30, 120)))
    except RecursionError:
        return _lines(data, rng)
    return str(dumper).encode("utf-8", "replace")


def _anchors(data: bytes, rng: Rng) -> bytes:
    bomb = "\n".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 9))
    texts = (
        f"a0: &a0 [1]\n{bomb}\n",
        "a: &a\n  b: *a\n",
        "x: " + "[" * rng.choice((10, 1000, 100_000)) + "\n",
        "x: " + "{a: " * rng.choice((10, 1000, 50_000)) + "\n",
        "- " * rng.choice((10, 1000, 100_000)) + "\n",
        "? a\n: b\n",
        "%YAML 9.9\n---\n",
        "x: !!binary aGVsbG8=\n",
        "<<: {title: x}\n",
    )
    lines = data.split(b"\n")
    starts = [index for index, line in enumerate(lines) if line[:1].strip()] or [0]
    index = rng.choice(starts)
    return b"\n".join([*lines[:index], rng.choice(texts).encode(), *lines[index:]])


def _json(data: bytes, rng: Rng) -> bytes:
    try:
        tree = json.loads(data)
    except ValueError:
        return _lines(data, rng)
    match rng.randrange(6):
        case 0:
            text = json.dumps(tree)
            return (text[: rng.randrange(len(text))]).encode()
        case 1:
            deep = rng.choice((10, 1000, 100_000))
            return b"[" * deep + data + b"]" * deep
        case 2:
            numbers = list(re.finditer(rb"-?\d+|\Z", data))
            result = rng.choice(numbers)
            return data[: result.start()] + rng.choice(ODD_NUMBERS).encode() + data[result.end() :]
        case 3:
            keys = list(re.finditer(rb'"[^"]*": |\Z', data))
            result = rng.choice(keys)
            return data[: result.start()] + result[0] + b"null, " * bool(result[0]) + data[result.start() :]
        case _:
            return json.dumps(spoil_tree(tree, rng)).encode()


# ── gently: what is left is often sound ──


def _figures(data: bytes, rng: Rng) -> bytes:
    figures = list(re.finditer(rb"\d+|\Z", data))
    for _ in range(rng.choice((1, 1, 3))):
        result = rng.choice(figures)
        if result[0]:
            new = str(rng.choice((rng.randrange(13), max(0, int(result[0][:9]) + rng.choice((-1, 1)))))).encode()
            data = (
                data[: result.start()]
                + new.ljust(len(result[0]))[: max(len(result[0]), len(new))]
                + data[result.end() :]
            )
            figures = list(re.finditer(rb"\d+|\Z", data))
    return data


def _siblings(tree: Any, rng: Rng) -> Any:
    """One item or entry less or more, or two exchanged."""
    owners = [tree, *(_node_at(tree, path) for path in spots(tree))]
    owner = rng.choice([one for one in owners if isinstance(one, (list, dict)) and one] or [[]])
    keys = list(owner) if isinstance(owner, dict) else list(range(len(owner)))
    if not keys:
        return tree
    one, other = rng.choice(keys), rng.choice(keys)
    match rng.randrange(3):
        case 0:
            del owner[one]
        case 1:
            owner[one], owner[other] = owner[other], owner[one]
        case _ if isinstance(owner, list):
            owner.insert(other, json.loads(json.dumps(owner[one])))
        case _:
            owner[one] = json.loads(json.dumps(owner[other]))
    return tree


def _gentle_yaml(data: bytes, rng: Rng) -> bytes:
    try:
        tree = _tree(data)
        return str(yaml.dump(_siblings(tree, rng), sort_keys=False, allow_unicode=True)).encode()
    except (yaml.YAMLError, ValueError, RecursionError):
        return _figures(data, rng)


def _gentle_json(data: bytes, rng: Rng) -> bytes:
    try:
        return json.dumps(_siblings(json.loads(data), rng)).encode()
    except (ValueError, RecursionError):
        return _figures(data, rng)


def _exchanged(data: bytes, rng: Rng) -> bytes:
    """A word that stands there in the place of another."""
    words = list(re.finditer(rb"[a-z]{2,}", data))
    if not words:
        return data
    one, other = rng.choice(words), rng.choice(words)
    return data[: one.start()] + other[0] + data[one.end() :]


GENTLE: dict[str, tuple[Spoiler, ...]] = {
    "yaml": (_figures, _figures, _gentle_yaml, _gentle_yaml, _exchanged),
    "json": (_figures, _gentle_json, _gentle_json, _exchanged),
    "text": (_figures, _exchanged),
}

HARSH: dict[str, tuple[Spoiler, ...]] = {
    "yaml": (*BYTES, *LINES, *LINES, _yaml, _yaml, _yaml, _anchors),
    "json": (*BYTES, *LINES, _json, _json, _json, _json),
    "text": (*BYTES, *LINES, *LINES),
    "bytes": BYTES,
}


def spoilt(data: bytes, kind: str, rng: Rng) -> bytes:
    """A file with one or two things wrong. kind: of HARSH; half of those that GENTLE has too stay nearly sound."""
    cases = GENTLE[kind] if kind in GENTLE and rng.random() < 0.5 else HARSH[kind]
    for _ in range(rng.choice((1, 1, 1, 2))):
        data = rng.choice(cases)(data or b"\n", rng)
    return data
