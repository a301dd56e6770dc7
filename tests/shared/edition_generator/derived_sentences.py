"""Sentences derived from the grammar, for those of its rules that no other module here generates.

So a sentence or function that is new in the language is in random editions without a line for it: its rule is derived
with the edition's names, and stays where `check` accepts it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from lark.grammar import Rule

from edition_generator.declarations import NUMBER, Declarations
from edition_generator.random_source import RandomSource
from rulewright.syntax import sentence_grammar
from rulewright.syntax.statement_nodes import Statement
from rulewright.syntax.tree import CLASSES

TRIES = 20
"""Derivations of one rule, until one is accepted."""
DEPTH = 2
"""Rules inside each other that are derived, before names and numbers are taken."""
_ELSEWHERE = {"hook", "span"}
_BLANKS, _WORD_ENDS = "[^\\S\x1f]+", "(?![\\w\x1f])"
"""Patterns that the grammar's loader makes of blanks in keywords, and of their ends."""
_SETS = {"set", "filtered_set", "inner_set", "joined_set", "simple_set"}
_NUMBERS = {"expr", "value", "conj", "neg", "sum", "product", "operand"}


@cache
def rules_not_generated() -> list[str]:
    """Return the rules with a phrase that no text of a module here has; docstrings and words of Python do not count."""
    sources = [path for path in sorted(Path(__file__).parent.glob("*.py")) if path != Path(__file__)]
    nodes = [node for path in sources for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))]
    docstrings = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    texts = [node.value for node in nodes if isinstance(node, ast.Constant) and id(node) not in docstrings]
    generated = "\n".join(" ".join(text.split()) for text in texts if isinstance(text, str))
    phrases = {
        rule: [_literal(symbol.name) for symbol in _rule(rule).expansion if symbol.is_term] for rule in _aliases()
    }
    return sorted(rule for rule, own in phrases.items() if not all(_says(generated, phrase) for phrase in own))


def insert_derived(
    rng: RandomSource, declarations: Declarations, tree: dict[str, Any], sound: Callable[[], bool], rules: Sequence[str]
) -> None:
    """Put a sentence with each rule into an edition, where `sound` accepts one."""
    bodies = list(_bodies(tree["phases"]))
    for rule in rules:
        for _ in range(TRIES):
            body, place = rng.pick(bodies), rng.below(3)
            text = _Derivation(rng, declarations).sentence(rule)
            sentence: Any = {text: [{"log": "It is so."}]} if _has_body(rule, text) else text
            body.insert(place, {"each seat": [sentence]} if rng.chance(50) else sentence)
            if sound():
                break
            body.pop(min(place, len(body) - 1))


class _Derivation:
    """Derivation of a text by the grammar, with names of an edition where the grammar has names."""

    def __init__(self, rng: RandomSource, declarations: Declarations) -> None:
        self.rng, self.declarations, self.new_names = rng, declarations, 0
        self.unused_counters: list[str] = []  # of one type, so that a sentence can have two of them

    def sentence(self, rule: str) -> str:
        """Return a sentence that has a rule."""
        derived = _rule(rule)
        text = self._expand(derived, 0)
        if derived.origin.name == "statement":
            return text
        if derived.origin.name in _SETS | {"primary", "bracketed"}:
            return f"let thing be number of ({text})"
        return f"let thing be {text}" if self.rng.chance(50) else f"let thing be ({text})"

    def _expand(self, rule: Rule, depth: int) -> str:
        parts: list[str] = []
        for symbol in rule.expansion:
            before = parts[-1] if parts else ""
            if before == "/":
                parts.append(str(self.rng.number(1, 3)))  # nothing is divided by zero
            else:
                parts.append(self._terminal(symbol.name, before) if symbol.is_term else self._part(symbol.name, depth))
        return re.sub(r" '", "'", " ".join(parts))

    def _part(self, name: str, depth: int) -> str:
        if depth < DEPTH and not (name in _SETS | _NUMBERS | {"primary", "amount", "counter"} and self.rng.chance(75)):
            return self._expand(self.rng.pick(_by_origin()[name]), depth + 1)
        if name in _SETS:
            return self.rng.pick(self._sets())
        if name in _NUMBERS:
            return self.rng.pick([*self._counters(), *map(str, range(3)), f"number of {self.rng.pick(self._sets())}"])
        if name == "counter":
            return self._counter()
        if name in ("primary", "path", "bracketed", "target"):
            return self.rng.pick([*self._zones(), *self._lists_of_values(), *self._sets()[:1]])
        if name == "amount":
            return str(self.rng.number(1, 2))
        if name in ("keys", "key"):
            return self.rng.pick(["random", f"highest {self.rng.pick(self._attributes() or ['thing'])}"])
        shortest = min(_by_origin()[name], key=lambda rule: len(rule.expansion))
        return self._expand(shortest, depth + 1)

    def _counter(self) -> str:
        """Return a counter of the table or of the seat, of one type in all of a sentence, and another one each time as
        long as there are some."""
        if not self.unused_counters:
            counters = [one for one in self.declarations.counters if one.of in ("game", "seat") and one.index is None]
            types = [one.holds for one in counters] or [NUMBER]
            of_type = self.rng.pick(types)
            of_this_type = [one for one in counters if one.holds == of_type]
            self.unused_counters = [
                f"my {one.name}" if one.of == "seat" else str(one.name) for one in of_this_type
            ] or ["thing"]
        return self.unused_counters.pop(self.rng.below(len(self.unused_counters)))

    def _terminal(self, name: str, before: str) -> str:
        if name == "NAME":
            if before in ("as", "be", "let"):
                self.new_names += 1
                return f"thing {'abc'[self.new_names % 3]}"
            return self.rng.pick(self._names())
        return str(self.rng.number(1, 3)) if name == "INT" else self.rng.pick(_literal(name).split("|"))

    def _names(self) -> list[str]:
        """Return names that a NAME of the grammar can be: zones and counters of seats and of the table, attributes,
        steps."""
        zones, counters = self.declarations.zones, self.declarations.counters
        holders = [*(zone.name for zone in zones), *(counter.name for counter in counters)]
        steps = [step.name for step in self.declarations.steps]
        return [*self._attributes(), *map(str, [*holders, *steps]), "thing"]

    def _zones(self) -> list[str]:
        return [str(zone.name) for zone in self.declarations.zones if zone.of == "game"]

    def _lists_of_values(self) -> list[str]:
        return [str(counter.name) for counter in self.declarations.lists_of_values]

    def _counters(self) -> list[str]:
        return [str(one.name) for one in self.declarations.counters if one.of == "game" and one.index is None]

    def _attributes(self) -> list[str]:
        return [str(name) for kind in self.declarations.kinds for name in kind.attributes]

    def _sets(self) -> list[str]:
        in_zones = [f"{kind.name.many} in {zone}" for kind in self.declarations.kinds for zone in self._zones()]
        word_lists = [words.name.many for words in self.declarations.lists]
        return ["seats", "you", "it", "left of you", "left of it", *word_lists, *in_zones, *self._zones()]


@cache
def _by_origin() -> dict[str, list[Rule]]:
    rules: dict[str, list[Rule]] = {}
    for rule in sentence_grammar.parser().rules:
        rules.setdefault(rule.origin.name, []).append(rule)
    return rules


def _rule(alias: str) -> Rule:
    """Return the longest alternative of a rule: with all that it may have."""
    matching = [rule for rule in sentence_grammar.parser().rules if (rule.alias or rule.origin.name) == alias]
    return max(matching, key=lambda rule: len(rule.expansion))


def _aliases() -> Iterable[str]:
    """Return the names of rules that a sentence can have."""
    return {rule.alias or rule.origin.name for rule in sentence_grammar.parser().rules} & CLASSES.keys() - _ELSEWHERE


@cache
def _literal(terminal: str) -> str:
    """Return the words of a terminal, alternatives parted by '|'; '' for names and numbers."""
    if terminal in ("NAME", "INT"):
        return ""
    [pattern] = [str(each.pattern.value) for each in sentence_grammar.parser().terminals if each.name == terminal]
    return pattern if len(pattern) == 1 else pattern.replace(_BLANKS, " ").replace(_WORD_ENDS, "").strip("()")


def _says(generated: str, literal: str) -> bool:
    """Return whether one of the alternatives of a terminal is among the texts of the modules here."""
    return not re.search(r"\w", literal) or any(
        re.search(rf"\b{' '.join(re.findall(r'[a-z]+', phrase))}\b", generated) for phrase in literal.split("|")
    )


def _has_body(rule: str, text: str) -> bool:
    cls = CLASSES[rule]
    return bool(issubclass(cls, Statement) and cls.has_body and text)


def _bodies(node: Any) -> Iterator[list[Any]]:
    if isinstance(node, dict):
        for key, inner in node.items():
            if key == "do" and isinstance(inner, list):
                yield inner
            yield from _bodies(inner)
