"""Chapters of a rulebook on the course of a game: set-up, a round at a glance, and its phases."""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import replace

from rulewright.authoring.edition_texts import body_lines
from rulewright.base.rule_keys import RuleKey
from rulewright.i18n.localizer import phrase
from rulewright.publish.rulebook import setup_pictures
from rulewright.publish.rulebook.menus import Menus
from rulewright.publish.rulebook.model import BookBlock, Box, Chapter, Flow, Link, Paragraph, Rule, anchor
from rulewright.publish.rulebook.passages import Passages
from rulewright.publish.rulebook.round_outline import RoundOutline
from rulewright.syntax.source import MappingNode, Node, entries_of


class CourseChapters:
    """Chapters on the course of a game. optional_steps: anchors of the set-up steps that only
    unchosen options need; `setup` leaves them out."""

    def __init__(self, passages: Passages, optional_steps: Set[str]) -> None:
        self._book, self._optional_steps, self._menus = passages, optional_steps, Menus(passages.edition)

    def setup(self) -> Chapter:
        """Return the chapter on the set-up: its text, a picture, what depends on the number of players, and numbered
        steps."""
        setup = self._book.edition.tree.get("setup")
        blocks_before: list[BookBlock] = []
        steps: list[Rule] = []
        for block in self._part("setup", setup):
            if not isinstance(block, Rule):
                blocks_before.append(block)
            elif block.anchor not in self._optional_steps:
                steps.append(block)
        rules = {rule.anchor: replace(rule, number=number) for number, rule in enumerate(steps, 1)}
        names = {
            key.name: rules[anchor_].number for key in self._book.texts.rule_keys() if (anchor_ := anchor(key)) in rules
        }
        picture = setup_pictures.setup_picture(self._book.rules, self._book.texts.options, self._book.localizer, names)
        table = setup_pictures.figures_by_players(self._book.edition, self._book.texts, self._book.localizer)
        blocks = [*blocks_before, *([picture] if picture is not None else []), *([table] if table is not None else [])]
        blocks += rules.values()
        return replace(
            self._book.chapter("setup", phrase("phase", "Set-up"), blocks),
            picture=self._book.rule_picture("setup"),
        )

    def round(self) -> Chapter:
        """Return the chapter with a round at a glance: its phases in order, or the steps of a single one; empty if
        there are fewer than two."""
        phases, course = self._book.edition.phases, RoundOutline(self._book.edition)
        title, ending = phrase("rulebook", "A round"), course.ending_phase()
        steps = course.steps(set(self._book.texts.rule_keys()))
        links = tuple(
            Link(anchor(k), self._book.localizer.title(self._book.terms.rule(k)), self._book.rule_picture(k))
            for k in steps
        )
        ends = phrase("rulebook", "Rounds follow one another until the game ends.")
        if ending is not None and len(phases) > 1:
            name = self._book.localizer.title(self._book.terms.phase(ending.name))
            ends = phrase("rulebook", "Then the next round begins, unless the game ends: see “{phase}”.", phase=name)
        flow = [Flow(links, self._book.say(ends), ordered=len(phases) > 1)] if len(links) > 1 else []
        return self._book.chapter("round", title, flow)

    def phases(self) -> Iterator[Chapter]:
        """Yield a chapter for each phase of the round, each with the declared phases that it does as steps."""
        phases = self._book.edition.tree.get("phases")
        declared = {key.text: node for key, node in entries_of(phases)}
        own_names = {phase.name for phase in self._book.edition.phases}
        for phase in self._book.edition.phases:
            blocks = list(self._part(RuleKey.of("phases", phase.name), declared[phase.name]))
            lines = " ".join(body_lines(phase.body, with_texts=False))
            for name in (name for name in declared if name not in own_names):
                if f"do {name}" in lines:
                    blocks += self._within(name, declared[name])
            key = RuleKey.of("phases", phase.name)
            yield replace(
                self._book.chapter(key, self._book.terms.phase(phase.name), blocks),
                picture=self._book.rule_picture(key),
            )

    def _within(self, name: str, node: Node) -> Iterator[BookBlock]:
        """Yield the text and the steps of a declared phase that is a step of others here."""
        if (
            rule := self._book.rule(RuleKey.of("steps", name), self._book.rule_picture(RuleKey.of("phases", name)))
        ) is not None:
            yield rule
        yield from self._part("", node)

    def _part(self, key: str, node: object) -> Iterator[BookBlock]:
        """Yield the text of a phase or the set-up, then its steps, each with its menus."""
        if text := self._book.text(key):
            yield Paragraph(text)
            yield from self._branches(RuleKey(key))
        for step, _ in entries_of(node.get("steps") if isinstance(node, MappingNode) else None):
            if (rule := self._book.rule(RuleKey.of("steps", step.text))) is not None:
                yield rule
                yield from self._branches(RuleKey.of("steps", step.text))

    def _branches(self, key: RuleKey) -> Iterator[Box]:
        """Yield the choices in menus of a rule that no text mentions."""
        for menu in self._menus.undescribed(key):
            title = menu.ask if menu.ask is not None else phrase("rulebook", "One of these")
            yield Box(self._book.say(title), tuple(Paragraph(self._book.say(branch)) for branch in menu.branches))
