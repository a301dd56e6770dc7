"""Read the course of a game: set-up, phases and steps, change sets, scoring and rulings."""

from __future__ import annotations

import re
from collections.abc import Iterable

from rulewright.base.diagnostics import RelatedPlace, SourcePlace, did_you_mean, there_are
from rulewright.base.rule_keys import RuleKey
from rulewright.model import messages
from rulewright.model.declarations import (
    ChangeSet,
    Hook,
    Kind,
    LimitDeclaration,
    MeasureDeclaration,
    OptionDeclaration,
    Phase,
    Role,
    Ruling,
    ScoreDeclaration,
    Step,
    Word,
    canonical,
)
from rulewright.model.reader.section import (
    SectionReader,
    by_name,
    required_node,
    required_text,
    scalar,
    scalar_text,
    text_of,
)
from rulewright.syntax import sentences, source
from rulewright.syntax.source import Node, Scalar, SequenceNode, entries_of

_RULED = ("boards", "pieces", "zones", "counters", "phases", "powers", "roles", "options", "scoring")
"""Sections whose entries rulings can be about, beside steps, the set-up and the ranking."""


class CourseReader(SectionReader):
    """Reader of the sections on what happens in a game."""

    def read_phases(self) -> None:
        """Read the set-up and the phases that are played; others become steps."""
        setup = self.tree.get("setup")
        if isinstance(setup, source.MappingNode):
            self.edition.setup = Phase("setup", "Set-up", scalar(setup, "text"), required_node(setup, "do"))
            self.read_steps(setup)
        phases: dict[str, Phase] = {}
        for key, node in entries_of(self.tree.get("phases")):
            assert isinstance(node, source.MappingNode)
            title = text_of(node, "title") or key.text.capitalize()
            phases[key.text] = Phase(key.text, title, scalar(node, "text"), required_node(node, "do"))
        played = self.played_phases(phases)
        self.edition.phases += [phases[name] for name in played]
        for key, node in entries_of(self.tree.get("phases")):
            if key.text not in played:
                self.read_step(key, node)
            assert isinstance(node, source.MappingNode)
            self.read_steps(node)

    def played_phases(self, phases: Iterable[str]) -> list[str]:
        """Return the names of the phases that a round plays, in order; the other phases are steps."""
        order = self.tree.get("round")
        if not isinstance(order, SequenceNode):
            return list(phases)
        played: dict[str, SourcePlace] = {}
        for item in order.items:
            assert isinstance(item, Scalar)
            name = self.resolve(item, phases, messages.PHASE())
            if name in played:
                first = RelatedPlace(played[name], messages.PLAYED_HERE(name=name))
                self.report.error(item.place, messages.PLAYED_TWICE(name=name), related=(first,))
            elif name:
                played[name] = item.place
        return list(played)

    def read_steps(self, owner: source.MappingNode) -> None:
        """Read all steps of an edition or a phase."""
        for key, node in entries_of(owner.get("steps")):
            self.read_step(key, node)

    def read_step(self, key: Scalar, node: Node) -> None:
        """Read a step; a second one of the same name is an error."""
        others = (step for name, step in self.edition.steps.items() if canonical(name) == canonical(key.text))
        if (other := next(others, None)) is not None:
            related = RelatedPlace(other.place, messages.DECLARED_HERE(name=other.name))
            problem = messages.STEP_TWICE(name=key.text)
            self.report.error(key.place, problem, messages.STEPS_SHARE_NAMES(), related=(related,))
        if isinstance(node, source.MappingNode):
            title, body = text_of(node, "title") or key.text.capitalize(), required_node(node, "do")
            parameters, gives = self.read_parameters(node), scalar(node, "gives")
            step = Step(key.text, title, key.place, parameters, body, scalar(node, "text"), gives)
        else:
            step = Step(key.text, key.text.capitalize(), key.place, (), node, None)
        self.edition.steps[key.text] = step

    def read_powers(self) -> None:
        """Read the change sets of powers; report those that no piece can give."""
        names = {word.name for kind in self.edition.kinds.values() if kind.power_in for word in self.power_words(kind)}
        for key, node in entries_of(self.tree.get("powers")):
            if key.text not in names and not self.edition.lost.kinds:
                problem, related = messages.NO_SUCH_POWER(name=key.text), self.edition.removed_at(key.text)
                hints = self.edition.unknown_name_hints(key.text, names) or there_are(sorted(names))
                self.report.error(key.place, problem, *(hints or (messages.POWERS_OF_PIECES(),)), related=related)
            self.add_change_set("power", key, "", node)

    def power_words(self, kind: Kind) -> tuple[Word, ...]:
        """Return the words of the attribute that names the power of a kind's pieces; () if none does."""
        word_list = self.edition.words.get(kind.attributes.get(kind.power_word, ""))
        return word_list.words if word_list else ()

    def read_roles(self) -> None:
        """Read the virtual players and their change sets."""
        for key, own in entries_of(self.tree.get("roles")):
            node = self.merge_like(own, [key.text])
            joins = {int(n.text): scalar_text(v) == "required" for n, v in entries_of(node.get("joins"))}
            self.edition.roles[key.text] = Role(
                key.text,
                text_of(node, "title") or key.text.capitalize(),
                joins,
                self.flag(node, "scored", True),
                self.flag(node, "uses powers", True),
            )
            self.add_change_set("role", key, "", node)

    def merge_like(self, node: Node, above: list[str]) -> source.MappingNode:
        """Return a role merged with the one that its `like` names. above: names on the way, to detect circles."""
        assert isinstance(node, source.MappingNode)
        model, roles = scalar(node, "like"), dict(by_name(self.tree.get("roles")))
        name = self.resolve(model, roles, messages.VIRTUAL_PLAYER()) if model else ""
        if model is not None and name in above:
            self.report.error(model.place, messages.LIKE_ITSELF(names=" → ".join([*above, name])))
        elif name:
            base = self.merge_like(roles[name], [*above, name])
            return source.MappingNode(node.place, {**base.entries, **node.entries}, {**base.keys, **node.keys})
        return node

    def read_options(self) -> None:
        """Read the options, and a change set for each choice."""
        for key, node in entries_of(self.tree.get("options")):
            assert isinstance(node, source.MappingNode)
            branches = list(entries_of(node.get("choices")))
            choices = tuple(choice.text for choice, _ in branches) or ("no", "yes")
            default = scalar(node, "default")
            index = choices.index(default.text) if default is not None and default.text in choices else 0
            if default is not None and default.text not in choices:
                problem = messages.UNKNOWN_CHOICE(choices=choices)
                self.report.error(default.place, problem, *did_you_mean(default.text, choices))
            texts = {choice.text: text for choice, details in branches if (text := scalar(details, "text"))}
            self.edition.options[key.text] = OptionDeclaration(
                key.text, key.place, scalar(node, "text"), choices, texts, index
            )
            if branches:
                for choice, details in branches:
                    self.add_change_set("option", key, choice.text, details)
            else:
                self.add_change_set("option", key, "yes", node)

    def add_change_set(self, level: str, key: Scalar, choice: str, node: Node) -> None:
        """Add the change set of an option's choice, a role or a power. level: 'option', 'role' or 'power'; choice: of
        an option, else ''."""
        if not isinstance(node, source.MappingNode):
            return
        changes: dict[str, tuple[str, Scalar]] = {}
        for target, value in entries_of(node.get("change")):
            name = self.resolve(target, self.edition.figures, messages.VALUE_OR_TERM())
            if name and isinstance(value, Scalar):
                changes[name] = ("add" if re.match(r"\s*([+]|-\s*\d+\s*$)", value.text) else "set", value)
        hooks = [hook for k, v in node.items() if (hook := self.hook(k, v))]
        title, text = text_of(node, "title") or key.text.capitalize(), scalar(node, "text")
        overruled = node.get("overrules")
        overrules = tuple(
            n
            for n in (overruled.items if isinstance(overruled, SequenceNode) else [overruled])
            if isinstance(n, Scalar)
        )
        self.edition.change_sets.append(
            ChangeSet(level, key.text, choice, key.place, title, text, changes, tuple(hooks), overrules)
        )

    def hook(self, key: Scalar, node: Node) -> Hook | None:
        """Return the hook of an entry; None for another key, or with an error."""
        if not re.match(r"(may\s+)?(before|after|instead|whenever)\b", key.text):
            return None
        syntax = self.parse(key, sentences.hook)
        if syntax is None:
            return None
        assert syntax.step.span is not None
        start, end = syntax.step.span
        name = Scalar(syntax.step.text, key.place_at(start, end - start), False)
        step = self.resolve(name, self.edition.steps, messages.STEP())
        clauses = isinstance(node, source.MappingNode) and ("do" in node.entries or "ask" in node.entries)
        if syntax.optional and not clauses:
            self.report.error(node.place, messages.HOOK_WITHOUT_ASK())
        owner = node if isinstance(node, source.MappingNode) and clauses else None
        body = required_node(owner, "do") if owner else node
        if not step:
            return None
        conditional, optional = syntax.condition is not None, bool(syntax.optional)
        return Hook(syntax.when, step, key.place, conditional, key, optional, scalar(owner, "ask"), body)

    def read_rulings(self) -> None:
        """Read the rulings, but for those about removed rules."""
        known_rules = [
            "setup",
            "ranking",
            *(RuleKey.of(section, key.text) for section in _RULED for key, _ in self.entries_of(section)),
        ]
        known_rules += [RuleKey.of("steps", name) for name in self.edition.steps]
        known_rules += [key for key in self.edition.say_steps() if key.words]
        for key, node in self.entries_of("rulings"):
            about, text = scalar(node, "about"), scalar(node, "text")
            removed = about is not None and about.text.partition(".")[2] in self.edition.removed
            if text is not None and not removed:
                rule = self.resolve(about, known_rules, messages.RULE()) if about is not None else ""
                self.edition.rulings[key.text] = Ruling(key.text, text, RuleKey(rule))

    def entries_of(self, section: str) -> Iterable[tuple[Scalar, Node]]:
        """Return the entries of a section."""
        return entries_of(self.tree.get(section))

    def read_scores(self) -> None:
        """Read scoring lines, the ranking, limits and measures."""
        for key, node in entries_of(self.tree.get("scoring")):
            assert isinstance(node, source.MappingNode)
            title = text_of(node, "title") or key.text.capitalize()
            self.edition.scoring.append(
                ScoreDeclaration(key.text, title, required_text(node, "points"), scalar(node, "text"))
            )
        ranking = self.tree.get("ranking")
        if isinstance(ranking, source.MappingNode):
            self.edition.ranking, self.edition.ranking_text = scalar(ranking, "by"), scalar(ranking, "text")
        elif isinstance(ranking, Scalar):
            self.edition.ranking = ranking
        limit = self.tree.get("limit")
        answers, rounds = scalar(limit, "answers"), scalar(limit, "rounds")
        self.edition.limit = LimitDeclaration(
            int(answers.text) if answers else None,
            int(rounds.text) if rounds else None,
            isinstance(limit, source.MappingNode) and self.flag(limit, "scored", False),
        )
        for key, node in entries_of(self.tree.get("measures")):
            assert isinstance(node, source.MappingNode)
            title = text_of(node, "title") or key.text.capitalize()
            self.edition.measures.append(
                MeasureDeclaration(key.text, title, required_text(node, "is"), scalar(node, "text"))
            )
