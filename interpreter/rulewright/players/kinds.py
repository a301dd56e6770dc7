"""Kinds of bots, by their names, with their budgets."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from rulewright.base.diagnostics import RulewrightError
from rulewright.base.records import record
from rulewright.i18n.localizer import Phrase, phrase, suggestion

LEVELS = ("easy", "medium", "hard", "best")
"""Levels that people are offered as opponents, from the weakest to the strongest."""
KINDS = ("random", *LEVELS, "greedy", "search")
"""Names of the kinds of players, without a budget or a policy's file."""
FORMER_KINDS = {"novice": "easy"}
"""Kinds as earlier versions called them, at tables and in saves, and what they are now."""
POLICY = "policy"
"""Kind of a trained player; its file follows, as in 'policy:FILE'."""
POLICY_FILES = ".safetensors"
"""End of the names of files with trained players."""
ITERATIONS = 1000
"""Usual number of iterations of 'search'."""
QUICK_TRIES = 16
"""Tries of 'greedy' where it goes by a learned value, at most."""
LEVEL_TRIES: Mapping[str, tuple[int, int]] = {
    "easy": (64, 5),
    "medium": (160, 10),
    "hard": (700, 30),
    "best": (4000, 100),
}
"""Tries of each level at a decision, and more for each choice there."""
SHORT_TRIES = 4
"""Tries of a level in place of each, where a try looks only a few decisions ahead: it takes far less time."""
USUAL_CHOICES = 8
"""Choices that are supposed of a decision."""
TABLE_MILLISECONDS, QUICK_TABLE_MILLISECONDS = 400, 200
"""Time for an answer where people wait: of 'search' and 'best', and of other kinds."""
MIN_TABLE_MILLISECONDS = 50
"""Time below which 'greedy' plays instead of a search."""
MAX_ITERATIONS = 1_000_000
"""Maximum number of iterations that a kind of player may name."""
MAX_MILLISECONDS = 600_000
"""Maximum time that a kind of player may name for an answer."""


class PlayerError(RulewrightError):
    """Error: a kind of player that there is not, or a trained player that cannot be used."""


@record
class Budget:
    """Limit of a decision: number of tries, and milliseconds if it thinks by the clock; whichever ends first."""

    iterations: int = 1_000_000
    milliseconds: int | None = None


def check_kind(kind: str) -> str:
    """Return the kind if such players exist. Raises PlayerError."""
    read_budget(kind)
    return kind


def read_budget(kind: str) -> tuple[str, Budget]:
    """Return a kind's name and its budget. Raises PlayerError."""
    if is_policy(kind):
        return POLICY, Budget(iterations=1)
    name, dash, amount = kind.partition("-")
    name = FORMER_KINDS.get(name, name)
    if name not in KINDS:
        raise PlayerError(
            phrase(
                "errors",
                "There is no kind of player '{kind}'. {hint} Kinds: {kinds}.",
                kind=kind,
                hint=suggestion(kind, KINDS),
                kinds=", ".join(KINDS),
            )
        )
    if not dash:
        return name, Budget(iterations=level_tries(name, USUAL_CHOICES) if name in LEVELS else ITERATIONS)
    if name == "random" or (name != "search" and not amount.endswith("ms")):
        slots = {"searching": "search", "name": name, "kind": kind}
        raise PlayerError(
            phrase("errors", "Only '{searching}' has a budget: write '{name}' instead of '{kind}'.", **slots)
        )
    match = re.fullmatch(r"([0-9]{1,20})(ms)?", amount)
    if match is None:
        raise PlayerError(
            phrase(
                "errors",
                "'{kind}' does not say how long to search. Write '{tries}' for 500 tries at each decision, or '{time}' "
                "for 800 milliseconds.",
                kind=kind,
                tries="search-500",
                time="search-800ms",
            )
        )
    number, most = int(match[1]), MAX_MILLISECONDS if match[2] else MAX_ITERATIONS
    if not 1 <= number <= most:
        tries = phrase(
            "errors", "'{kind}': a search may take from 1 to {most} tries at each decision.", kind=kind, most=most
        )
        time = phrase(
            "errors",
            "'{kind}': a search may take from 1 to {most} milliseconds at each decision.",
            kind=kind,
            most=most,
        )
        raise PlayerError(time if match[2] else tries)
    if name in LEVELS and name != "best":
        return name, Budget(level_tries(name, USUAL_CHOICES), number)
    return name, Budget(milliseconds=number) if match[2] else Budget(iterations=number)


def level_tries(level: str, choices: int) -> int:
    """Return the tries of a level at a decision with this number of choices."""
    tries, each = LEVEL_TRIES[level]
    return tries + each * choices


def is_policy(kind: str) -> bool:
    """Return whether a kind is a trained player from a file."""
    return kind.partition(":")[0] == POLICY


def policy_kind(file: str) -> str:
    """Return the kind for a policy file, with its absolute path. Raises PlayerError."""
    if not _has_policy_suffix(Path(file)):
        raise PlayerError(
            phrase(
                "errors",
                "'{kind}:{file}' names no trained player: write {kind}:FILE, where FILE ends in {suffix}.",
                kind=POLICY,
                file=file,
                suffix=POLICY_FILES,
            )
        )
    return f"{POLICY}:{policy_path(file).absolute()}"


def policy_path(file: str) -> Path:
    """Return the path of an existing policy file. Raises PlayerError."""
    path = Path(file)
    if not _has_policy_suffix(path):
        slots = {"path": file, "suffix": POLICY_FILES}
        raise PlayerError(phrase("errors", "The name of a trained player's file ends in {suffix}: '{path}'.", **slots))
    if not path.is_file():
        hint = suggestion(file, [str(other) for other in path.parent.glob(f"*{POLICY_FILES}")])
        raise PlayerError(phrase("errors", "There is no file '{path}'. {hint}", path=file, hint=hint))
    return path


def _has_policy_suffix(path: Path) -> bool:
    return path.suffix.lower() == POLICY_FILES


def policy_file(kind: str) -> Path:
    """Return the file of a trained player's kind."""
    return Path(kind.partition(":")[2])


def describe_kind(kind: str) -> Phrase:
    """Describe to people how such a player decides. Raises PlayerError."""
    name, _ = read_budget(kind)
    if name == POLICY:
        return phrase("player", "trained")
    if name == "random":
        return phrase("player", "at random")
    words = {
        "easy": phrase("player", "easy"),
        "medium": phrase("player", "medium"),
        "hard": phrase("player", "hard"),
        "best": phrase("player", "best"),
        "greedy": phrase("player", "quick"),
    }
    return words.get(name) or phrase("player", "thinking")


def is_time_limited(kind: str) -> bool:
    """Return whether such a player thinks for a time instead of a number of tries.

    Its answers then depend on the computer. Raises PlayerError.
    """
    return read_budget(kind)[1].milliseconds is not None


def table_kind(kind: str, share: float = 1.0) -> str:
    """Return the kind with its time limit at tables, where people wait.

    A kind with a budget of its own keeps it. share: part of the usual time, where many wait.
    """
    kind = FORMER_KINDS.get(kind, kind)
    if kind in ("search", "best"):
        return _with_time_limit(kind, int(TABLE_MILLISECONDS * share))
    if kind == "greedy" or kind in LEVELS:
        return f"{kind}-{max(MIN_TABLE_MILLISECONDS, int(QUICK_TABLE_MILLISECONDS * share))}ms"
    return kind


def kind_after_wait(kind: str, seconds: float) -> str:
    """Return the kind with less time if it thinks by the clock and has waited for its turn.

    Of several bots that always wait for each other, each gets about its share. Raises PlayerError.
    """
    name, limit = read_budget(kind)
    if limit.milliseconds is None:
        return kind
    return _with_time_limit(name, limit.milliseconds // round(1 + 1000 * seconds / limit.milliseconds))


def _with_time_limit(name: str, milliseconds: int) -> str:
    """Return a kind with a time limit, or the least limit of 'greedy'. Levels of few tries keep their name."""
    if milliseconds >= MIN_TABLE_MILLISECONDS or (name in LEVELS and name != "best"):
        return f"{name}-{max(MIN_TABLE_MILLISECONDS, milliseconds)}ms"
    return f"greedy-{MIN_TABLE_MILLISECONDS}ms"


def max_tries(kind: str) -> int:
    """Estimate the games that such a player tries out, if only in part, at each decision.

    The limit where it thinks by the clock. Raises PlayerError.
    """
    name, limit = read_budget(kind)
    return {"random": 0, "greedy": 5}.get(name, limit.iterations)
