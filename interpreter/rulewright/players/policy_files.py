"""Files of trained players: weights as safetensors keep them, read with suspicion, and nothing in them is ever run.

Such a file is a length, a JSON header that says where each tensor stands, and the numbers. The tensors are those of a
`torch.nn.Sequential` of linear layers with a ReLU between each two: `0.weight`, of so many rows as it gives numbers,
`0.bias`, `2.weight`, `2.bias` … The header's metadata say what the policy was trained for.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rulewright.base import files
from rulewright.base.records import record
from rulewright.i18n.localizer import Phrase, phrase
from rulewright.players.kinds import PlayerError

FORMAT = "1"
LARGEST_FILE = 64_000_000
MOST_LAYERS = 16
MOST_NUMBERS = 100_000  # that a layer takes, or gives
_TENSOR = re.compile(r"([0-9]{1,3})\.(weight|bias)")

Layer = tuple[NDArray[np.float32], NDArray[np.float32]]
"""A linear layer: weights, inputs × outputs, and what is added to each output."""


class _Unfit(Exception):
    """Why a file is no policy: a part of a sentence."""


@record
class TrainedFor:
    """What a policy was trained for. title: the edition's; plays: the digest of its rules; seats: at the table;
    observations, actions: what each number is that it takes, and that it gives; roles: the virtual players among the
    seats, sorted, or None where a file of an older version does not say."""

    title: str
    plays: str
    seats: int
    observations: tuple[str, ...]
    actions: tuple[str, ...]
    roles: tuple[str, ...] | None = None


def write(path: Path, layers: Sequence[Layer], trained: TrainedFor) -> None:
    """Keep a policy. Raises PlayerError."""
    metadata = {
        "rulewright policy": FORMAT,
        "title": trained.title,
        "plays": trained.plays,
        "seats": str(trained.seats),
        "observations": json.dumps(trained.observations),
        "actions": json.dumps(trained.actions),
    }
    if trained.roles is not None:
        metadata["roles"] = json.dumps(trained.roles)
    header: dict[str, Any] = {"__metadata__": metadata}
    content = b""
    for number, (weights, added) in enumerate(layers):
        for name, tensor in (("weight", weights.T), ("bias", added)):
            numbers = tensor.astype("<f4").tobytes()
            where = [len(content), len(content) + len(numbers)]
            header[f"{2 * number}.{name}"] = {"dtype": "F32", "shape": list(tensor.shape), "data_offsets": where}
            content += numbers
    told = json.dumps(header, separators=(",", ":")).encode()
    told += b" " * (-len(told) % 8)
    try:
        files.replace(path, len(told).to_bytes(8, "little") + told + content)
    except (OSError, ValueError) as error:
        slots = {"path": str(path), "why": files.reason(error)}
        raise PlayerError(phrase("errors", "'{path}' cannot be written: {why}.", **slots)) from None


def read(path: Path) -> tuple[list[Layer], TrainedFor]:
    """The layers of a policy, and what it was trained for. Raises PlayerError."""
    try:
        content = files.read(path, LARGEST_FILE + 1)
    except FileNotFoundError:
        raise PlayerError(phrase("errors", "There is no file '{path}'.", path=str(path))) from None
    except (OSError, ValueError) as error:
        slots = {"path": str(path), "why": files.reason(error)}
        raise PlayerError(phrase("errors", "'{path}' cannot be read: {why}.", **slots)) from None
    try:
        if len(content) > LARGEST_FILE:
            raise _Unfit(phrase("errors", "it has more than {most} bytes", most=LARGEST_FILE))
        return _parsed(content)
    except _Unfit as why:
        told = phrase("errors", "'{path}' holds no policy of Rulewright: {why}.", path=str(path), why=why.args[0])
        raise PlayerError(told) from None


def _parsed(content: bytes) -> tuple[list[Layer], TrainedFor]:
    length = int.from_bytes(content[:8], "little")
    if len(content) < 8 or length > len(content) - 8:
        raise _Unfit(phrase("errors", "it is no safetensors file, or only a part of one"))
    try:
        header = json.loads(content[8 : 8 + length].decode())
        metadata = header.pop("__metadata__", {})
        if metadata.get("rulewright policy") is None:
            raise _Unfit(phrase("errors", "it does not say what it was trained for"))
        if metadata["rulewright policy"] != FORMAT:
            raise _Unfit(phrase("errors", "another version of Rulewright has written it"))
        trained = TrainedFor(
            str(metadata["title"]),
            str(metadata["plays"]),
            int(metadata["seats"]),
            _names(metadata["observations"]),
            _names(metadata["actions"]),
            _names(metadata["roles"]) if "roles" in metadata else None,
        )
        body = memoryview(content)[8 + length :]
        left = len(body)
        tensors: dict[tuple[int, str], NDArray[np.float32]] = {}
        for name, about in header.items():
            tensors[_place(name)] = tensor = _tensor(about, body)
            left -= tensor.nbytes
            if left < 0:
                raise ValueError  # the same bytes would become tensor after tensor
        numbers = sorted({number for number, _ in tensors})
        layers = [(tensors[number, "weight"], tensors[number, "bias"]) for number in numbers]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise _Unfit(phrase("errors", "it is damaged")) from None
    if why := misfit(layers, trained):
        raise _Unfit(why)
    return layers, trained


def misfit(layers: Sequence[Layer], trained: TrainedFor) -> Phrase | None:
    """Why layers are no policy for what they were trained for: a part of a sentence; or None."""
    if not 1 <= len(layers) <= MOST_LAYERS:
        return phrase("errors", "it needs from 1 to {most} layers, not {number}", most=MOST_LAYERS, number=len(layers))
    width = len(trained.observations)
    for weights, added in layers:
        if weights.ndim != 2 or weights.shape[0] != width or added.shape != weights.shape[1:]:
            return phrase("errors", "its layers do not fit each other, or not what its seat sees")
        if not (np.isfinite(weights).all() and np.isfinite(added).all()):
            return phrase("errors", "some of its numbers are infinite, or none at all")
        width = weights.shape[1]
    if width != len(trained.actions):
        slots = {"number": width, "actions": len(trained.actions)}
        return phrase("errors", "it values {number} actions, and there are {actions}", **slots)
    return None


def _names(text: Any) -> tuple[str, ...]:
    found = json.loads(text)
    if not isinstance(found, list) or not all(isinstance(name, str) for name in found):
        raise ValueError
    return tuple(found)


def _place(name: str) -> tuple[int, str]:
    match = _TENSOR.fullmatch(name)
    if match is None:
        raise ValueError
    return int(match[1]), match[2]


def _tensor(about: Mapping[str, Any], content: memoryview) -> NDArray[np.float32]:
    """The numbers of a tensor, as this package has them: inputs × outputs."""
    shape, (first, end) = about["shape"], about["data_offsets"]
    whole = [*shape, first, end]
    if about["dtype"] != "F32" or not 1 <= len(shape) <= 2 or any(type(number) is not int for number in whole):
        raise ValueError
    size = 4
    for number in shape:
        if not 0 <= number <= MOST_NUMBERS:
            raise ValueError
        size *= number
    if not 0 <= first <= end <= len(content) or end - first != size:
        raise ValueError
    return np.frombuffer(content[first:end], "<f4").astype(np.float32).reshape(shape).T
