"""Which kinds of players there are that are no people, by their names."""

from __future__ import annotations

import re
from pathlib import Path

from rulewright.base.diagnostics import RulewrightError
from rulewright.base.records import record
from rulewright.i18n.localizer import Phrase, meant, phrase

KINDS = ("random", "greedy", "search")
POLICY = "policy"  # with the file of a trained player: 'policy:FILE'
POLICY_FILES = ".safetensors"
ITERATIONS = 1000  # of 'search', where nothing else is said
AT_A_TABLE, QUICK_AT_A_TABLE = 400, 200  # milliseconds for 'search', and for others, where people wait
LEAST_AT_A_TABLE = 50  # for less, 'greedy' takes over
MOST_ITERATIONS = 1_000_000
MOST_MILLISECONDS = 600_000


class PlayerError(RulewrightError):
    """A kind of player that there is not."""


@record
class Budget:
    """How many tries, or how long, a decision may take."""

    iterations: int = 1_000_000
    milliseconds: int | None = None


def check_kind(kind: str) -> str:
    """The kind, if there are such players. Raises PlayerError."""
    budget(kind)
    return kind


def budget(kind: str) -> tuple[str, Budget]:
    """The name of a kind, and how much it tries out. Raises PlayerError."""
    if is_policy(kind):
        return POLICY, Budget(iterations=1)
    name, dash, amount = kind.partition("-")
    if name not in KINDS:
        raise PlayerError(
            phrase(
                "errors",
                "There is no kind of player '{kind}'. {hint} Kinds: {kinds}.",
                kind=kind,
                hint=meant(kind, KINDS),
                kinds=", ".join(KINDS),
            )
        )
    if not dash:
        return name, Budget(iterations=ITERATIONS)
    if name == "random" or (name == "greedy" and not amount.endswith("ms")):
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
    number, most = int(match[1]), MOST_MILLISECONDS if match[2] else MOST_ITERATIONS
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
    return name, Budget(milliseconds=number) if match[2] else Budget(iterations=number)


def is_policy(kind: str) -> bool:
    """Whether a kind is a trained player of some file."""
    return kind.partition(":")[0] == POLICY


def policy_of(file: str) -> str:
    """The kind of player that a policy file is, wherever one is later. Raises PlayerError."""
    if not _is_called_so(Path(file)):
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
    """A policy file that is there. Raises PlayerError."""
    path = Path(file)
    if not _is_called_so(path):
        slots = {"path": file, "suffix": POLICY_FILES}
        raise PlayerError(phrase("errors", "The name of a trained player's file ends in {suffix}: '{path}'.", **slots))
    if not path.is_file():
        hint = meant(file, [str(other) for other in path.parent.glob(f"*{POLICY_FILES}")])
        raise PlayerError(phrase("errors", "There is no file '{path}'. {hint}", path=file, hint=hint))
    return path


def _is_called_so(path: Path) -> bool:
    return path.suffix.lower() == POLICY_FILES


def policy_file(kind: str) -> Path:
    """The file of a trained player."""
    return Path(kind.partition(":")[2])


def called(kind: str) -> Phrase:
    """How such a player decides, for people. Raises PlayerError."""
    name, _ = budget(kind)
    if name == POLICY:
        return phrase("player", "trained")
    if name == "random":
        return phrase("player", "at random")
    return phrase("player", "quick") if name == "greedy" else phrase("player", "thinking")


def by_the_clock(kind: str) -> bool:
    """Whether such a player thinks for so long, not so much: its answers depend on the computer. Raises PlayerError."""
    return budget(kind)[1].milliseconds is not None


def at_a_table(kind: str, share: float = 1.0) -> str:
    """The same kind of player where people wait for it: for how long it may think. share: of its usual time that it
    has, where many wait."""
    if kind == "greedy":
        return f"greedy-{max(LEAST_AT_A_TABLE, int(QUICK_AT_A_TABLE * share))}ms"
    if kind != "search":
        return kind
    return _limited("search", int(AT_A_TABLE * share))


def after_waiting(kind: str, seconds: float) -> str:
    """The same kind of player, quicker if it thinks by the clock and has waited for its turn: of several that always
    wait for each other, each gets about its share."""
    name, most = budget(kind)
    if most.milliseconds is None:
        return kind
    return _limited(name, most.milliseconds // round(1 + 1000 * seconds / most.milliseconds))


def _limited(name: str, milliseconds: int) -> str:
    if milliseconds >= LEAST_AT_A_TABLE:
        return f"{name}-{milliseconds}ms"
    return f"greedy-{LEAST_AT_A_TABLE}ms"


def tries(kind: str) -> int:
    """About how many games such a player tries out, if only in part, at each decision: the most that it could, where it
    thinks by the clock. Raises PlayerError."""
    name, most = budget(kind)
    return {"random": 0, "greedy": 5}.get(name, most.iterations)
