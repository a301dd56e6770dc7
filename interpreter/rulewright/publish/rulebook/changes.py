"""Changes of a variant, as its rulebook lists them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set

from rulewright.authoring.differences.changes import behaviour
from rulewright.authoring.differences.comparison import played
from rulewright.authoring.edition_texts import EditionTexts, one_line
from rulewright.authoring.rule_index import RuleIndex
from rulewright.base.diagnostics import EditionError
from rulewright.base.records import record
from rulewright.base.rule_keys import RuleKey
from rulewright.game import library
from rulewright.game.library import Rules
from rulewright.i18n.localizer import Phrase
from rulewright.model.edition import Edition
from rulewright.model.editions import is_path
from rulewright.publish.rulebook.cross_references import related_rules
from rulewright.publish.rulebook.rulebook_builder import RulebookBuilder

_CHANGE_SECTIONS = ("powers", "roles", "options")
"""Sections of rules that change others."""
NEW, CHANGED, REMOVED, OTHER_CHOICE, UNWORDED = "new", "changed", "gone", "chosen", "changed without words"
"""Kinds of changes of a rule; `VariantDifference` says what each means."""


@record
class VariantDifference:
    """One difference between two editions or settings.

    kind: NEW, CHANGED or REMOVED; OTHER_CHOICE for an option with another choice; UNWORDED for a rule with the same
    text that is played in another way. key: of the rule, as in Program.rules, or 'pieces.NAME' of a component, whose
    sort is the title, or 'players' for their number. before, now: the text, an option's choice, or a number; for
    UNWORDED the edition's own statements, or '' where an option leads to it; '' where there is none.
    """

    kind: str
    key: str
    title: str
    before: str
    now: str


def usual_builder(builder: RulebookBuilder) -> RulebookBuilder | None:
    """Return the builder of the same edition with all options as usual, which plays no examples; None if they are."""
    usual = {option.name: option.usual_choice for option in builder.edition.options.values()}
    is_usual = builder.texts.options == usual
    return None if is_usual else RulebookBuilder(builder.rules, builder.localizer.language, played=False)


def base_builder(builder: RulebookBuilder) -> RulebookBuilder | None:
    """Return the builder that a rulebook is compared with, in its language.

    The same edition with all options as usual, if some are not, else the edition that it extends. None if it extends
    none, or one with errors.
    """
    if (usual := usual_builder(builder)) is not None:
        return usual
    rules = extended_rules(builder.edition)
    return None if rules is None else RulebookBuilder(rules, builder.localizer.language, played=False)


def extended_rules(edition: Edition) -> Rules | None:
    """Return the edition that another one extends. None if it extends none, or one with errors."""
    if not edition.bases:
        return None
    name = edition.bases[0]
    try:
        return library.load(str(edition.files[1]) if is_path(name) else name)
    except EditionError:
        return None


def changes(now: RulebookBuilder, base: RulebookBuilder) -> tuple[VariantDifference, ...]:
    """Return the differences: number of players, components, rules in the edition's order, rules that are gone, limit
    of a game."""
    return (
        *_players(now, base),
        *_components(now, base),
        *_RuleChanges(now, base).changes(),
        *_limit_changes(now, base),
    )


def _players(now: RulebookBuilder, base: RulebookBuilder) -> Iterator[VariantDifference]:
    """Yield the difference between the numbers of players, if any."""
    (title, current), (_, original) = now.players(), base.players()
    if current != original:
        yield VariantDifference(CHANGED, "players", title, original, current)


def _limit_changes(now: RulebookBuilder, base: RulebookBuilder) -> Iterator[VariantDifference]:
    """Yield how the limit of a game's length changed."""
    current, original = now.limit(), base.limit()
    if current is not None and original is None:
        yield VariantDifference(NEW, "limit", current.title, "", current.text)
    elif original is not None and current is None:
        yield VariantDifference(REMOVED, "limit", original.title, original.text, "")
    elif current is not None and original is not None and current != original:
        yield VariantDifference(CHANGED, "limit", current.title, original.text, current.text)


# ── components ──


def _components(now: RulebookBuilder, base: RulebookBuilder) -> Iterator[VariantDifference]:
    """Yield new and missing kinds; for others, the sorts whose number has changed."""
    kinds = {name: kind for builder in (now, base) for name, kind in builder.edition.kinds.items()}
    counts = _counts(now), _counts(base)
    for name in kinds:
        current, original = (by_kind.get(name, {}) for by_kind in counts)
        if bool(current) != bool(original):
            builder, kind = (now, NEW) if current else (base, REMOVED)
            title = builder.localizer.title(builder.terms.kind(builder.edition.kinds[name]))
            total = str(sum(count for _, count in (current or original).values()))
            yield VariantDifference(
                kind, RuleKey.of("pieces", name), title, "" if current else total, total if current else ""
            )
            continue
        for sort in dict.fromkeys([*current, *original]):
            title, after = current.get(sort, ("", 0))
            old, before = original.get(sort, ("", 0))
            if before != after:
                kind = CHANGED if before and after else NEW if after else REMOVED
                yield VariantDifference(
                    kind, RuleKey.of("pieces", name), title or old, str(before or ""), str(after or "")
                )


def _counts(builder: RulebookBuilder) -> dict[str, dict[frozenset[tuple[str, str]], tuple[str, int]]]:
    """Count the sorts of each kind, by their attributes, with their names for readers."""
    wording, edition = EditionTexts(builder.edition), builder.edition
    return {
        name: {
            frozenset(wording.attributes(kind, row).items()): (
                builder.localizer.title(builder.terms.piece(kind, row)),
                n,
            )
            for row, n in kind.rows
            if n
        }
        for name, kind in edition.kinds.items()
    }


# ── rules ──


class _RuleChanges:
    """Comparison of the rules of two rulebooks. current, original: texts of rules now and before; keys: rules that both
    have, each with its key in the other one."""

    def __init__(self, now: RulebookBuilder, base: RulebookBuilder) -> None:
        self.now, self.base = now, base
        self.rule_index = RuleIndex(now.edition)
        self.current, self.original = _rule_texts(now), _rule_texts(base)
        self.keys = {key: other for key in self.current if (other := self.counterpart(key, self.original))}

    def counterpart(self, key: RuleKey, others: Mapping[RuleKey, object]) -> RuleKey | None:
        """Return the rule's key in the other edition, where it may be a step instead of a phase; or None."""
        other = {"steps": "phases", "phases": "steps"}.get(key.section)
        also = RuleKey.of(other, key.name) if other else key
        return key if key in others else also if also in others else None

    def changes(self) -> Iterator[VariantDifference]:
        """Yield what is new, changed and gone, rule by rule; a rule whose text stays though it does something else,
        with its sentences."""
        unworded = self.unworded_changes()
        for key in sorted(self.current, key=self.rule_index.sort_key):
            yield from self.option_changes(key)
            if key not in self.keys and self.is_common(key):
                yield VariantDifference(NEW, key, self.title(self.now, key), "", self.now.text(key))
            elif self.is_reworded(key):
                yield self.change(CHANGED, key)
            elif key in self.keys and key in unworded:
                lines = ("; ".join(dict.fromkeys(statements)) for statements in unworded[key])
                yield VariantDifference(UNWORDED, key, self.title(self.now, key), *lines)
        for key in (key for key in self.original if key not in self.keys.values() and self.is_common(key)):
            yield VariantDifference(REMOVED, key, self.title(self.base, key), self.base.text(key), "")

    def is_reworded(self, key: RuleKey) -> bool:
        """Return whether both have a rule, with another title or text."""
        return key in self.keys and self.current[key] != self.original[self.keys[key]]

    def is_common(self, key: RuleKey) -> bool:
        """Return whether a text is not about pieces that only one edition has: those are listed among the
        components."""
        return key.section != "pieces" or all(key.name in side.edition.kinds for side in (self.now, self.base))

    def change(self, kind: str, key: RuleKey) -> VariantDifference:
        """Return a change of a rule with its two texts."""
        return VariantDifference(
            kind, key, self.title(self.now, key), self.base.text(self.keys[key]), self.now.text(key)
        )

    def option_changes(self, key: RuleKey) -> Iterator[VariantDifference]:
        """Yield the change of an option that has another choice."""
        name = key.name
        options = self.base.texts.options, self.now.texts.options
        if key.section == "options" and not key.choice and all(name in choices for choices in options):
            before, after = (choices[name] for choices in options)
            if before != after:
                title, say = self.title(self.now, key), self.now.localizer.title
                yield VariantDifference(
                    OTHER_CHOICE, key, title, *(say(self.now.terms.choice(name, c)) for c in (before, after))
                )

    def title(self, builder: RulebookBuilder, key: RuleKey) -> str:
        """Return the title of a rule in one of the books."""
        return builder.localizer.title(builder.terms.rule(key))

    # ── what is played otherwise, whatever is said ──

    def unworded_changes(self) -> dict[RuleKey, tuple[list[str], list[str]]]:
        """Map rules to the statements and formulas that only one of the editions has.

        These are rules with a text that are played in another way, or that mention steps without a text that are. A
        formula that new words describe is no such change.
        """
        before, after = _statements(self.base.edition), _statements(self.now.edition)
        removed, added = self.original.keys() - self.keys.values(), self.current.keys() - self.keys
        lines_by_rule: dict[RuleKey, tuple[list[str], list[str]]] = {}

        def add(keys: Iterable[RuleKey], was: Sequence[str] = (), now: Sequence[str] = ()) -> None:
            for key in keys:
                lines = lines_by_rule.setdefault(key, ([], []))
                lines[0].extend(line for line in was if line not in now)
                lines[1].extend(line for line in now if line not in was)

        for key, lines in after.items():
            other = self.counterpart(key, before)
            if other and (before_lines := _without_steps(before[other], removed)) != (
                now := _without_steps(lines, added)
            ):
                add(self.rule_index.explaining_rules(key), before_lines, now)
        old, new = EditionTexts(self.base.edition), EditionTexts(self.now.edition)
        for name, figure in self.now.edition.figures.items():
            usual_figure = self.base.edition.figures.get(name)
            if usual_figure is not None and old.formula(usual_figure) != new.formula(figure):
                using = dict.fromkeys(key for key in self.rule_index.users(name) if key.section not in _CHANGE_SECTIONS)
                formulas = [f"{name}: {formula}" for formula in (old.formula(usual_figure), new.formula(figure))]
                if not any(self.is_reworded(key) for key in using):
                    add(using, formulas[:1], formulas[1:])
        leading = related_rules(self.now.edition)
        for name, choice in self.now.texts.options.items():
            usual = self.base.texts.options.get(name, choice)
            if usual != choice:
                for key in (
                    RuleKey.of("options", name),
                    *(RuleKey.of("options", name, each) for each in (usual, choice)),
                ):
                    add(leading.get(key, ()))
        return lines_by_rule


def _rule_texts(builder: RulebookBuilder) -> dict[RuleKey, tuple[object, ...]]:
    """Map rules with a text to their titles and texts, in no language."""
    texts = ((key, builder.texts.rule(key)) for key in builder.texts.rule_keys())
    return {
        key: (*(_untranslated(builder.terms.rule(key)) if key != "edition" else ()), *_untranslated(text))
        for key, text in texts
        if text is not None
    }


def _without_steps(lines: list[str], removed_steps: Set[RuleKey]) -> list[str]:
    """Return the lines that do none of these steps, which are changes of their own."""
    names = [re.escape(key.name) for key in removed_steps if key.section == "steps"]
    doing = re.compile(rf"\bdo ({'|'.join(names)})\b") if names else None
    return [line for line in lines if doing is None or not doing.search(line)]


def _untranslated(text: Phrase) -> tuple[object, ...]:
    """Return a text without its context in catalogs, for comparing it with another edition's."""
    return text.text, text.slots


def _statements(edition: Edition) -> dict[RuleKey, list[str]]:
    """Map rules to what happens, in the edition's own statements."""
    lines = {RuleKey.of("steps", step.name): played(step.body) for step in edition.steps.values()}
    lines |= {RuleKey.of("phases", phase.name): played(phase.body) for phase in edition.phases}
    lines |= {key: played(step.body) for key, step in edition.say_steps().items()}
    if edition.setup is not None:
        lines[RuleKey("setup")] = played(edition.setup.body)
    for changing in edition.change_sets:
        choice = changing.choice if changing.choice != "yes" else ""
        lines[RuleKey.of(f"{changing.level}s", changing.name, choice)] = behaviour(changing)
    for role in edition.roles.values():
        lines[RuleKey.of("roles", role.name)] += [f"{role.joins}", f"{role.scored}", f"{role.uses_powers}"]
    lines |= {RuleKey.of("scoring", line.name): [one_line(line.points.text)] for line in edition.scoring}
    if edition.ranking is not None:
        lines[RuleKey("ranking")] = [one_line(edition.ranking.text)]
    return lines
