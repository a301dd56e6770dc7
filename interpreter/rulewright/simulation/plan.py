"""Plan of a run: all that decides the content of its tables, as `run.json` stores it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, field, replace
from functools import cached_property
from typing import Any

from rulewright.base.diagnostics import RulewrightError
from rulewright.base.records import record
from rulewright.i18n.localizer import Phrase, phrase

FORMAT = 1
"""Version of the form of `run.json`."""
MAX_GAMES = 100_000_000
"""Maximum number of games of each setting."""
MAX_SETTINGS = 100
"""Maximum number of settings of a plan."""
MAX_FILE_SIZE = 1_000_000
"""Most bytes of `run.json`."""


class PlanError(RulewrightError):
    """Raised for an impossible run, or a file that holds none."""


@record
class PlannedSeat:
    """Player of a seat. player: kind of player; role: a virtual player's name, or None."""

    player: str
    role: str | None = None


@record
class NameAndTitle:
    """Scoring line or measure: its name in the edition, and what people read."""

    name: str
    title: str


@record
class Chunk:
    """Games of one setting, from number `first` on."""

    setting: int
    first: int
    games: int

    @property
    def name(self) -> str:
        """Name of the chunk's files, without their ending."""
        return f"{self.setting:03}-{self.first:09}"

    def mark(self, run: str) -> dict[str, Any]:
        """Return the description in the chunk's files. run: identity of its plan."""
        return {"run": run, **asdict(self)}


@record
class Plan:
    """One run.

    - settings: option or value -> its choice, for each setting
    - games: of each setting
    - per_chunk: games in a chunk
    - played: seeds of games played by people
    - own: the edition's own values of what is varied, {} if nothing is
    - own_asked: whether that setting was requested, not only added for comparison
    """

    version: str
    edition: str
    title: str
    hash: str
    seats: tuple[PlannedSeat, ...]
    settings: tuple[Mapping[str, str], ...]
    varied: tuple[str, ...]
    seed: int
    games: int
    per_chunk: int
    lines: tuple[NameAndTitle, ...]
    measures: tuple[NameAndTitle, ...]
    powers: tuple[str, ...]
    played: tuple[int, ...] = ()
    own: Mapping[str, str] = field(default_factory=dict)
    own_asked: bool = True

    def chunks(self) -> Iterator[Chunk]:
        """Yield all chunks: settings advance side by side, so that a stopped run can be compared."""
        for first in range(0, self.games, self.per_chunk):
            for setting in range(len(self.settings)):
                yield Chunk(setting, first, min(self.per_chunk, self.games - first))

    def seeds(self, chunk: Chunk) -> range:
        """Return the seeds of a chunk's games; the lowest 64 bits of each count. They depend on `seed` and the games'
        numbers alone, so are equal for all settings; `played` is ignored."""
        first = int(hashlib.sha256(f"rulewright simulation {self.seed}".encode()).hexdigest()[:16], 16)
        return range(first + chunk.first, first + chunk.first + chunk.games)

    def table_seeds(self, chunk: Chunk) -> Sequence[int]:
        """Return the seeds as they are in the tables: those of `played`, if there are any; else those of `seeds`, cut
        to 64 bits."""
        seeds = [seed % 2**64 for seed in self.seeds(chunk)]
        return self.played[chunk.first : chunk.first + chunk.games] if self.played else seeds

    @cached_property
    def identity(self) -> str:
        """Digest that is equal for all runs that can share a folder: of the whole plan but the edition's name, `games`,
        `own` and `own_asked`."""
        # An edition, and what it has itself, are known by its hash, wherever its file is.
        plan = replace(self, edition="", games=1, own={})
        return hashlib.sha256(json.dumps(plan.to_json(), sort_keys=True).encode()).hexdigest()[:16]

    @property
    def labels(self) -> list[str]:
        """Label of each setting: '' if nothing is varied."""
        return [", ".join(f"{name} {setting[name]}" for name in self.varied) for setting in self.settings]

    def differences(self, other: Plan) -> list[Phrase]:
        """List the differences of another, later run, as parts of a sentence: of edition, seats, options, seed, version
        and saved games. [] where only others differ, though the identities do."""
        parts: list[Phrase] = []
        if self.hash != other.hash and self.edition == other.edition:
            parts.append(phrase("errors", "the edition (the rules of {name} have changed since)", name=self.edition))
        elif self.hash != other.hash:
            parts.append(phrase("errors", "the edition ({name} there)", name=self.edition))
        seats = [",".join(seat.role or seat.player for seat in plan.seats) for plan in (self, other)]
        settings = [_as_options(plan.settings) for plan in (self, other)]
        pairs: list[tuple[Phrase, Sequence[Phrase | str]]] = [
            (phrase("errors", "the seats"), seats),
            (phrase("errors", "the options"), settings),
            (phrase("errors", "the seed"), (str(self.seed), str(other.seed))),
            (phrase("errors", "the version of Rulewright"), (self.version, other.version)),
        ]
        if self.played != other.played:
            parts.append(phrase("errors", "the saved games"))
        for subject, (before, now) in pairs:
            if before != now:
                parts.append(phrase("errors", "{what} ({there} there, {now} now)", what=subject, there=before, now=now))
        return parts

    # ── as JSON ──

    def to_json(self) -> dict[str, Any]:
        """Return the plan as JSON values, for `run.json`."""
        return {
            "rulewright simulation": FORMAT,
            "version": self.version,
            "edition": {"name": self.edition, "title": self.title, "hash": self.hash},
            "seats": [asdict(place) for place in self.seats],
            "settings": [dict(setting) for setting in self.settings],
            "varied": list(self.varied),
            "seed": self.seed,
            "games": self.games,
            "games per chunk": self.per_chunk,
            "lines": [asdict(line) for line in self.lines],
            "measures": [asdict(measure) for measure in self.measures],
            "powers": list(self.powers),
            **({"played": list(self.played)} if self.played else {}),
            **({"own": dict(self.own), "own asked": self.own_asked} if self.own else {}),
        }

    @classmethod
    def from_json(cls, text: str) -> Plan:
        """Read a plan. Raises PlanError."""
        try:
            data = json.loads(text)
        except (ValueError, RecursionError):
            raise PlanError(phrase("errors", "it is damaged")) from None
        if not isinstance(data, dict) or "rulewright simulation" not in data:
            raise PlanError(phrase("errors", "it is no simulation of Rulewright"))
        if data["rulewright simulation"] != FORMAT:
            other_format, own_format = str(data["rulewright simulation"])[:20], str(FORMAT)
            raise PlanError(
                phrase(
                    "errors", "it has another format ({there}) than this ({here})", there=other_format, here=own_format
                )
            )
        try:
            plan = cls(
                version=_text(data["version"]),
                edition=_text(data["edition"]["name"]),
                title=_text(data["edition"]["title"]),
                hash=_text(data["edition"]["hash"]),
                seats=tuple(
                    PlannedSeat(_text(seat["player"]), None if seat["role"] is None else _text(seat["role"]))
                    for seat in _list(data["seats"])
                ),
                settings=tuple(
                    {_text(key): _text(value) for key, value in setting.items()} for setting in _list(data["settings"])
                ),
                varied=tuple(map(_text, _list(data["varied"]))),
                seed=_number(data["seed"], 0, 2**64 - 1),
                games=_number(data["games"], 1, MAX_GAMES),
                per_chunk=_number(data["games per chunk"], 1, MAX_GAMES),
                lines=tuple(NameAndTitle(_text(line["name"]), _text(line["title"])) for line in _list(data["lines"])),
                measures=tuple(NameAndTitle(_text(it["name"]), _text(it["title"])) for it in _list(data["measures"])),
                powers=tuple(map(_text, _list(data["powers"]))),
                played=tuple(_number(seed, 0, 2**64 - 1) for seed in _list(data.get("played", []))),
                own={_text(key): _text(value) for key, value in data.get("own", {}).items()},
                own_asked=bool(data.get("own asked", True)),
            )
        except (KeyError, TypeError, ValueError, AttributeError):
            raise PlanError(phrase("errors", "it is damaged")) from None
        if not plan.seats or not 1 <= len(plan.settings) <= MAX_SETTINGS:
            raise PlanError(phrase("errors", "it is damaged"))
        if any(name not in setting for name in plan.varied for setting in plan.settings):
            raise PlanError(phrase("errors", "it is damaged"))
        return plan


def _as_options(settings: tuple[Mapping[str, str], ...]) -> Phrase | str:
    """Return the settings as the command line would have them."""
    values: dict[str, dict[str, None]] = {}
    for setting in settings:
        for name, value in setting.items():
            values.setdefault(name, {})[value] = None
    return " ".join(f"{name}={','.join(choices)}" for name, choices in values.items()) or phrase("errors", "none")


def _text(value: Any) -> str:
    """Return a value that must be a text. Raises TypeError."""
    if not isinstance(value, str):
        raise TypeError
    return value


def _list(value: Any) -> list[Any]:
    """Return a value that must be a list. Raises TypeError."""
    if not isinstance(value, list):
        raise TypeError
    return value


def _number(value: Any, least: int, most: int) -> int:
    """Return a value that must be a whole number from `least` to `most`. Raises ValueError."""
    if type(value) is not int or not least <= value <= most:
        raise ValueError
    return value
