"""Files of trained players: weights in the safetensors format, read as untrusted input; nothing in them is ever run.

A file is a length, a JSON header with the place of each tensor, and the numbers. The tensors are those of a
`torch.nn.Sequential` of linear layers with a ReLU between each two: `0.weight` with a row for each number that it
gives, `0.bias`, `2.weight`, `2.bias` … The header's metadata say what the policy was trained for.
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
from rulewright.i18n.file_errors import read_error, write_error
from rulewright.i18n.localizer import Phrase, phrase
from rulewright.players.kinds import PlayerError

FORMAT = "1"
"""Version of the format, in a file's metadata; others are refused."""
MAX_FILE_BYTES = 64_000_000
"""Maximum size of a policy's file."""
MAX_LAYERS = 16
"""Maximum number of layers of a network."""
MAX_LAYER_WIDTH = 100_000
"""Limit of the numbers that a layer takes or gives."""
_TENSOR = re.compile(r"([0-9]{1,3})\.(weight|bias)")
"""Name of a tensor: number of the layer, and weight or bias."""

Layer = tuple[NDArray[np.float32], NDArray[np.float32]]
"""Linear layer: weights, inputs × outputs, and the bias of each output."""


class _Unfit(Exception):
    """Error: why a file is no policy, as a part of a sentence."""


@record
class TrainedFor:
    """Game that a policy was trained for.

    - title: of the edition
    - plays: digest of its rules
    - seats: at the table
    - observations, actions: names of the numbers that it takes and gives
    - roles: sorted virtual players among the seats, or None where a file of an older version does not say
    """

    title: str
    plays: str
    seats: int
    observations: tuple[str, ...]
    actions: tuple[str, ...]
    roles: tuple[str, ...] | None = None


def write(path: Path, layers: Sequence[Layer], trained: TrainedFor) -> None:
    """Write a policy to a file. Raises PlayerError."""
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
    for number, (weights, biases) in enumerate(layers):
        for name, tensor in (("weight", weights.T), ("bias", biases)):
            numbers = tensor.astype("<f4").tobytes()
            span = [len(content), len(content) + len(numbers)]
            header[f"{2 * number}.{name}"] = {"dtype": "F32", "shape": list(tensor.shape), "data_offsets": span}
            content += numbers
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    try:
        files.replace(path, len(text).to_bytes(8, "little") + text + content)
    except (OSError, ValueError) as error:
        raise PlayerError(write_error(path, error)) from None


def read(path: Path) -> tuple[list[Layer], TrainedFor]:
    """Read the layers of a policy, and what it was trained for. Raises PlayerError."""
    try:
        content = files.read(path, MAX_FILE_BYTES + 1)
    except (OSError, ValueError) as error:
        raise PlayerError(read_error(path, error)) from None
    try:
        if len(content) > MAX_FILE_BYTES:
            raise _Unfit(phrase("errors", "it has more than {most} bytes", most=MAX_FILE_BYTES))
        return _parse_safetensors(content)
    except _Unfit as reason:
        message = phrase("errors", "'{path}' holds no policy of Rulewright: {why}.", path=str(path), why=reason.args[0])
        raise PlayerError(message) from None


def _parse_safetensors(content: bytes) -> tuple[list[Layer], TrainedFor]:
    """Read the layers and what they are trained for. Raises _Unfit."""
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
            _parse_names(metadata["observations"]),
            _parse_names(metadata["actions"]),
            _parse_names(metadata["roles"]) if "roles" in metadata else None,
        )
        body = memoryview(content)[8 + length :]
        remaining_bytes = len(body)
        tensors: dict[tuple[int, str], NDArray[np.float32]] = {}
        for name, description in header.items():
            tensors[_tensor_key(name)] = tensor = _read_tensor(description, body)
            remaining_bytes -= tensor.nbytes
            if remaining_bytes < 0:
                raise ValueError  # the same bytes would become tensor after tensor
        numbers = sorted({number for number, _ in tensors})
        layers = [(tensors[number, "weight"], tensors[number, "bias"]) for number in numbers]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise _Unfit(phrase("errors", "it is damaged")) from None
    if reason := misfit(layers, trained):
        raise _Unfit(reason)
    return layers, trained


def misfit(layers: Sequence[Layer], trained: TrainedFor) -> Phrase | None:
    """Return the reason why layers do not fit what they were trained for, as a part of a sentence, or None."""
    if not 1 <= len(layers) <= MAX_LAYERS:
        return phrase("errors", "it needs from 1 to {most} layers, not {number}", most=MAX_LAYERS, number=len(layers))
    width = len(trained.observations)
    for weights, biases in layers:
        if weights.ndim != 2 or weights.shape[0] != width or biases.shape != weights.shape[1:]:
            return phrase("errors", "its layers do not fit each other, or not what its seat sees")
        if not (np.isfinite(weights).all() and np.isfinite(biases).all()):
            return phrase("errors", "some of its numbers are infinite, or none at all")
        width = weights.shape[1]
    if width != len(trained.actions):
        slots = {"number": width, "actions": len(trained.actions)}
        return phrase("errors", "it values {number} actions, and there are {actions}", **slots)
    return None


def _parse_names(text: Any) -> tuple[str, ...]:
    """Return names from JSON. Raises ValueError, and TypeError for what is no text."""
    names = json.loads(text)
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise ValueError
    return tuple(names)


def _tensor_key(name: str) -> tuple[int, str]:
    """Return the layer of a tensor, and what it is of that. Raises ValueError for another name."""
    match = _TENSOR.fullmatch(name)
    if match is None:
        raise ValueError
    return int(match[1]), match[2]


def _read_tensor(description: Mapping[str, Any], content: memoryview) -> NDArray[np.float32]:
    """Return the numbers of a tensor in this package's layout, inputs × outputs. Raises ValueError, and KeyError or
    TypeError for another description."""
    shape, (first, end) = description["shape"], description["data_offsets"]
    integers = [*shape, first, end]
    if description["dtype"] != "F32" or not 1 <= len(shape) <= 2 or any(type(number) is not int for number in integers):
        raise ValueError
    size = 4
    for number in shape:
        if not 0 <= number <= MAX_LAYER_WIDTH:
            raise ValueError
        size *= number
    if not 0 <= first <= end <= len(content) or end - first != size:
        raise ValueError
    return np.frombuffer(content[first:end], "<f4").astype(np.float32).reshape(shape).T
