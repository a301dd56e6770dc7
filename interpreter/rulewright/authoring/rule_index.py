"""Index of an edition's rules: those with a text, and which of them explain the others.

A rule is called as it is in Program.rules: 'setup', 'phases.NAME', 'steps.NAME', 'powers.NAME', 'roles.NAME',
'options.NAME', 'options.NAME.choices.CHOICE', 'words.LIST.WORD', 'pieces.KIND', 'scoring.NAME', 'ranking'.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.base.rule_keys import RuleKey
from rulewright.model.declarations import canonical
from rulewright.model.edition import Edition
from rulewright.model.references import NAMES, STEPS, Use, uses
from rulewright.model.symbols import symbols

_COURSE = ("setup", "phases", "steps", "words", "pieces")


class RuleIndex:
    """Rules of an edition.

    texts: of rules that have one; doers: rules that do each step; homes: phase or set-up that each step stands in, if a
    round has it.
    """

    def __init__(self, edition: Edition) -> None:
        self.edition, self.texts, self.uses = edition, edition.rule_texts(), uses(edition)
        self._steps = {canonical(name): RuleKey.of("steps", name) for name in edition.steps}
        self._say_steps = edition.say_steps()
        self.homes = dict(self._homes())
        self._order = {(entry.path[0], entry.name): number for number, entry in enumerate(symbols(edition))}
        self.doers: dict[RuleKey, list[RuleKey]] = {}
        for use in self.uses:
            if use.kind == STEPS and (step := self.step(use.name)) and (user := self.key(use)):
                self.doers.setdefault(step, []).append(user)

    def step(self, name: str) -> RuleKey | None:
        """The rule that a step is, by its name; or None."""
        return self._steps.get(canonical(name))

    def key(self, use: Use) -> RuleKey | None:
        """The rule in which something is named; None for what is none, such as a value."""
        match use.user:
            case ("setup" | "phases", *_, "steps", name):
                return RuleKey.of("steps", name)
            case ("phases", name):
                return self._phase(name)
            case ("options", name, "choices", choice):
                return RuleKey.of("options", name, choice)
            case ("powers" | "roles" | "options" | "scoring" as section, name):
                return RuleKey.of(section, name)
            case ("setup" | "ranking" as section,):
                return RuleKey(section)
            case ("words", words, word) if (key := RuleKey.of("words", words, word=word)) in self._say_steps:
                return key
            case ("pieces", kind) if (key := RuleKey.of("pieces", kind)) in self._say_steps:
                return key
        return None

    def done_by(self, key: RuleKey) -> list[RuleKey]:
        """The steps that a rule does, each once, in their order."""
        steps = (self.step(use.name) for use in self.uses if use.kind == STEPS and self.key(use) == key)
        return list(dict.fromkeys(filter(None, steps)))

    def explained(self, key: RuleKey) -> bool:
        """Whether a rule has a text, or is a step and all that does it is explained."""
        return self._explained(key, frozenset())

    def _explained(self, key: RuleKey, above: frozenset[RuleKey]) -> bool:
        if key in self.texts or key in above:
            return True
        doers = self.doers.get(key, [])
        return bool(doers) and all(self._explained(doer, above | {key}) for doer in doers)

    def tellers(self, key: RuleKey) -> list[RuleKey]:
        """The told rules under which a reader finds a rule: itself, or else those of the course that do it, over
        whatever untold steps; or else the phase or set-up that it stands in."""
        result, worklist, visited = list[RuleKey](), [key], {key}
        while worklist:
            current = worklist.pop(0)
            if current in self.texts:
                result.append(current)
                continue
            doers = [doer for doer in self.doers.get(current, []) if doer.section in _COURSE]
            worklist += dict.fromkeys(doer for doer in doers if doer not in visited)
            visited |= set(doers)
        home = self.homes.get(key)
        return result or ([home] if home is not None and home in self.texts else [])

    def only_with(self, key: RuleKey) -> set[str]:
        """The options without which nobody does a step; none if the course does it by itself."""
        result, worklist, visited = set[str](), [key], {key}
        while worklist:
            doers = self.doers.get(worklist.pop(), [])
            if any(doer.section in ("setup", "phases") for doer in doers):
                return set()
            result |= {doer.name for doer in doers if doer.section == "options"}
            worklist += [doer for doer in doers if doer.section == "steps" and doer not in visited]
            visited |= set(doers)
        return result

    def users(self, name: str) -> Iterator[RuleKey]:
        """The told rules whose sentences name something, over whatever values and terms."""
        worklist, visited = [canonical(name)], {canonical(name)}
        while worklist:
            current = worklist.pop()
            for use in self.uses:
                if use.kind != NAMES or use.name != current:
                    continue
                if use.user[:1] in (("values",), ("terms",)):
                    inner = canonical(use.user[-1])
                    worklist += [inner] if inner not in visited else []
                    visited.add(inner)
                elif (key := self.key(use)) is not None:
                    yield from self.tellers(key)

    def section(self, key: RuleKey) -> RuleKey:
        """The phase, or the set-up, that a rule is or stands in."""
        return self.homes.get(key, key)

    def place(self, key: RuleKey) -> tuple[int, str]:
        """Return the sort key of a rule by its place in the edition."""
        section = key.section
        if section == "steps":
            section = "setup" if self.section(key) == "setup" else "phases"
        return self._order.get((section, key.choice or key.name or section), 0), key

    def _homes(self) -> Iterator[tuple[RuleKey, RuleKey]]:
        for entry in symbols(self.edition):
            match entry.path:
                case ("setup", "steps", name):
                    yield RuleKey.of("steps", name), RuleKey("setup")
                case ("phases", phase, "steps", name):
                    yield RuleKey.of("steps", name), self._phase(phase)

    def _phase(self, name: str) -> RuleKey:
        """A phase that is not played in turn is a step of others."""
        return RuleKey.of("steps", name) if name in self.edition.steps else RuleKey.of("phases", name)
