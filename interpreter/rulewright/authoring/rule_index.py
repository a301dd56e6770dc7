"""Index of an edition's rules: rules with a text, and which of them explain the others.

Rules have the keys of Program.rules: 'setup', 'phases.NAME', 'steps.NAME', 'powers.NAME', 'roles.NAME', 'options.NAME',
'options.NAME.choices.CHOICE', 'words.LIST.WORD', 'pieces.KIND', 'scoring.NAME', 'ranking'.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.base.rule_keys import RuleKey
from rulewright.model.declarations import canonical
from rulewright.model.edition import Edition
from rulewright.model.references import NAMES, STEPS, Use, uses
from rulewright.model.symbols import symbols

_COURSE = ("setup", "phases", "steps", "words", "pieces")
"""Sections whose rules do other rules in a game; those of options and powers count elsewhere."""


class RuleIndex:
    """Rules of an edition. texts: of rules that have one, by key; uses: of all names; doers: step -> rules that do it;
    homes: step -> rule that declares it: the set-up, a phase, or a declared phase that is a step of others."""

    def __init__(self, edition: Edition) -> None:
        self.edition, self.texts, self.uses = edition, edition.rule_texts(), uses(edition)
        self._steps = {canonical(name): RuleKey.of("steps", name) for name in edition.steps}
        self._say_steps = edition.say_steps()
        self.homes = dict(self._steps_with_section())
        self._order = {(entry.path[0], entry.name): number for number, entry in enumerate(symbols(edition))}
        self.doers: dict[RuleKey, list[RuleKey]] = {}
        for use in self.uses:
            if use.kind == STEPS and (step := self.step(use.name)) and (user := self.key(use)):
                self.doers.setdefault(step, []).append(user)

    def step(self, name: str) -> RuleKey | None:
        """Return the rule of a step, by its name; None if there is none."""
        return self._steps.get(canonical(name))

    def key(self, use: Use) -> RuleKey | None:
        """Return the rule that contains a use of a name; None if that is no rule, such as a value."""
        match use.user:
            case ("setup" | "phases", *_, "steps", name):
                return RuleKey.of("steps", name)
            case ("phases", name):
                return self._phase_or_step(name)
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

    def steps_done_by(self, key: RuleKey) -> list[RuleKey]:
        """Return the steps that a rule does, each once, in order."""
        steps = (self.step(use.name) for use in self.uses if use.kind == STEPS and self.key(use) == key)
        return list(dict.fromkeys(filter(None, steps)))

    def is_explained(self, key: RuleKey) -> bool:
        """Return whether a rule has a text, or is a step and all that does it is explained."""
        return self._explained(key, frozenset())

    def _explained(self, key: RuleKey, above: frozenset[RuleKey]) -> bool:
        """Return whether a rule has a text, or is done by rules that all are explained. above: rules under question,
        which count as explained."""
        if key in self.texts or key in above:
            return True
        doers = self.doers.get(key, [])
        return bool(doers) and all(self._explained(doer, above | {key}) for doer in doers)

    def explaining_rules(self, key: RuleKey) -> list[RuleKey]:
        """Return the rules with a text under which a reader finds a rule: itself; or those that do it, also through
        steps without a text, but not options, powers or roles; or the phase or set-up that declares it; else []."""
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
        """Return the names of the options that lead to a step, also through other steps; none if the set-up or a phase
        does it without options."""
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
        """Yield the rules with a text whose sentences use a name, also through values and terms; some perhaps more than
        once."""
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
                    yield from self.explaining_rules(key)

    def section(self, key: RuleKey) -> RuleKey:
        """Return the phase or set-up that declares a step; the rule itself if it is none."""
        return self.homes.get(key, key)

    def sort_key(self, key: RuleKey) -> tuple[int, str]:
        """Return the sort key of a rule by its place in the edition; unknown rules come first."""
        section = key.section
        if section == "steps":
            section = "setup" if self.section(key) == "setup" else "phases"
        return self._order.get((section, key.choice or key.name or section), 0), key

    def _steps_with_section(self) -> Iterator[tuple[RuleKey, RuleKey]]:
        """Yield each step that a round or the set-up declares, with its phase or the set-up."""
        for entry in symbols(self.edition):
            match entry.path:
                case ("setup", "steps", name):
                    yield RuleKey.of("steps", name), RuleKey("setup")
                case ("phases", phase, "steps", name):
                    yield RuleKey.of("steps", name), self._phase_or_step(phase)

    def _phase_or_step(self, name: str) -> RuleKey:
        """Return the rule of a declared phase: that of a step if it is no part of the round, but done by others."""
        return RuleKey.of("steps", name) if name in self.edition.steps else RuleKey.of("phases", name)
