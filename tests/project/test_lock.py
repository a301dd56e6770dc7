"""Releases are made of exact versions with hashes, within the ranges of the package."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import lock

DIGEST = "sha256:" + "0" * 64


def requirements_of(extras: tuple[str, ...]) -> Iterator[Requirement]:
    """Yield the requirements of the package with extras, and with those that these bring."""
    declared = tomllib.loads((lock.ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    yield from map(Requirement, declared["build-system"]["requires"])
    yield from map(Requirement, declared["project"]["dependencies"])
    left, counts = list(extras), set[str]()
    while left:
        extra = left.pop()
        if extra in counts:
            continue
        counts.add(extra)
        for one in map(Requirement, declared["project"]["optional-dependencies"][extra]):
            if one.name == "rulewright":
                left += one.extras
            else:
                yield one


@pytest.mark.parametrize("file", lock.LOCKS)
def test_locks_have_what_the_package_asks_for_with_hashes(file: str) -> None:
    text = (lock.ROOT / file).read_text(encoding="utf-8")
    locked: dict[str, str] = {}
    for block in re.split(r"(?m)^(?=\w)", text)[1:]:
        name, version = re.findall(r"([\w.-]+)(?:\[.*?\])?==([\w.]+)", block)[0]
        assert "--hash=sha256:" in block, name
        locked[canonicalize_name(name)] = version
    for requirement in requirements_of(lock.LOCKS[file]):
        version = locked.get(canonicalize_name(requirement.name), "")
        assert version in requirement.specifier, f"{requirement}: run python tools/lock.py"


def test_images_get_the_digests_of_their_tags() -> None:
    for name in lock.WITH_IMAGES:
        text = (lock.ROOT / name).read_text(encoding="utf-8")
        images = re.findall(r"docker\.io/[^\s@]+", text)
        pinned = lock.pin_images(text, lambda _: DIGEST)
        assert images and re.findall(r"docker\.io/[^\s@]+@(\S+)", pinned) == [DIGEST] * len(images)
        assert lock.pin_images(pinned, lambda _: DIGEST) == pinned
