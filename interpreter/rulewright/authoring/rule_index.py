"""Which rules of an edition are told in words, and which of them explains what else happens.

A rule is called as it is in Program.rules: 'setup', 'phases.NAME', 'steps.NAME', 'powers.NAME', 'roles.NAME',
'options.NAME', 'options.NAME.choices.CHOICE', 'scoring.NAME', 'ranking'.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.model.declarations import Edition, canonical
from rulewright.model.entries import entries
from rulewright.model.references import NAMES, STEPS, Use, uses

_COURSE = ("setup", "phases", "steps")


class Tellings:
    """The rules of an edition. texts: of those that are told; doers: of each step, the rules that do it; homes: of each
    step, the phase or the set-up that it stands in, if a round has that."""

    def __init__(self, edition: Edition) -> None:
        self.edition, self.texts, self.uses = edition, edition.told(), uses(edition)
        self._steps = {canonical(name): f"steps.{name}" for name in edition.steps}
        self.homes = dict(self._homes())
        self._order = {(entry.path[0], entry.name): number for number, entry in enumerate(entries(edition))}
        self.doers: dict[str, list[str]] = {}
        for use in self.uses:
            if use.how == STEPS and (step := self.step(use.name)) and (by := self.key(use)):
                self.doers.setdefault(step, []).append(by)

    def step(self, name: str) -> str:
        """The rule that a step is, by its name; or ''."""
        return self._steps.get(canonical(name), "")

    def key(self, use: Use) -> str:
        """The rule in which something is named; '' for what is none, such as a value."""
        match use.by:
            case ("setup" | "phases", *_, "steps", name):
                return f"steps.{name}"
            case ("phases", name):
                return self._phase(name)
            case ("options", name, "choices", choice):
                return f"options.{name}.choices.{choice}"
            case ("powers" | "roles" | "options" | "scoring" as section, name):
                return f"{section}.{name}"
            case ("setup" | "ranking" as section,):
                return section
        return ""

    def done_by(self, key: str) -> list[str]:
        """The steps that a rule does, each once, in their order."""
        found = (self.step(use.name) for use in self.uses if use.how == STEPS and self.key(use) == key)
        return list(dict.fromkeys(filter(None, found)))

    def explained(self, key: str) -> bool:
        """Whether a rule has a text, or is a step and all that does it is explained."""
        return self._explained(key, frozenset())

    def _explained(self, key: str, above: frozenset[str]) -> bool:
        if key in self.texts or key in above:
            return True
        doers = self.doers.get(key, [])
        return bool(doers) and all(self._explained(doer, above | {key}) for doer in doers)

    def tellers(self, key: str) -> list[str]:
        """The told rules under which a reader finds a rule: itself, or else those of the course that do it, over
        whatever untold steps; or else the phase or set-up that it stands in."""
        found, todo, seen = list[str](), [key], {key}
        while todo:
            here = todo.pop(0)
            if here in self.texts:
                found.append(here)
                continue
            doers = [doer for doer in self.doers.get(here, []) if doer.partition(".")[0] in _COURSE]
            todo += dict.fromkeys(doer for doer in doers if doer not in seen)
            seen |= set(doers)
        home = self.homes.get(key, "")
        return found or ([home] if home in self.texts else [])

    def users(self, name: str) -> Iterator[str]:
        """The told rules whose sentences name something, over whatever values and terms."""
        todo, seen = [canonical(name)], {canonical(name)}
        while todo:
            wanted = todo.pop()
            for use in self.uses:
                if use.how != NAMES or use.name != wanted:
                    continue
                if use.by[:1] in (("values",), ("terms",)):
                    inner = canonical(use.by[-1])
                    todo += [inner] if inner not in seen else []
                    seen.add(inner)
                else:
                    yield from self.tellers(self.key(use))

    def section(self, key: str) -> str:
        """The phase, or the set-up, that a rule is or stands in."""
        return self.homes.get(key, key)

    def place(self, key: str) -> tuple[int, str]:
        """Where a rule stands in the edition, for sorting."""
        section, _, name = key.partition(".")
        if section == "steps":
            section = "setup" if self.section(key) == "setup" else "phases"
        name = name.partition(".choices.")[2] or name
        return self._order.get((section, name or section), 0), key

    def _homes(self) -> Iterator[tuple[str, str]]:
        for entry in entries(self.edition):
            match entry.path:
                case ("setup", "steps", name):
                    yield f"steps.{name}", "setup"
                case ("phases", phase, "steps", name):
                    yield f"steps.{name}", self._phase(phase)

    def _phase(self, name: str) -> str:
        """A phase that is not played in turn is a step of others."""
        return f"steps.{name}" if name in self.edition.steps else f"phases.{name}"
