"""Explanations of things on a table: rules, their rulings, and examples to play."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulewright.authoring.rule_index import RuleIndex
from rulewright.base.diagnostics import RulewrightError
from rulewright.base.rule_keys import RuleKey
from rulewright.publish import rule_lookup
from rulewright.publish.labels import Labels
from rulewright.publish.lessons import Course, LessonText, course, has_lessons
from rulewright.publish.rulebook.model import anchor
from rulewright.server.views.replies import ExampleTold, Explained, LessonLine, RuleTold, RulingTold

_MAX_EXAMPLES = 2
"""Examples shown for one rule."""


def course_of(labels: Labels) -> Course | None:
    """Return the lessons of a game's edition, if it has any; slow when they are first needed."""
    if not has_lessons(labels.edition):
        return None
    try:
        return course(labels.game.rules)
    except RulewrightError:
        return None


def explain(
    labels: Labels, seat: int | None, topic: str, name: str, lessons: Course | None = None, reader: int = 0
) -> Explained:
    """Explain something on the table. seat: whose figures to use, None for a spectator; lessons: the edition's, for
    examples. topic: 'rule', or a kind of thing as in `protocol.Explain`; name: as there; reader: index of the reader,
    for the reply."""
    keys = _rules_at(labels, name) if topic == "rule" else rule_lookup.rules_of(labels, topic, name)
    rules = (
        RuleTold(
            rule.title,
            rule.text,
            anchor(rule.key),
            tuple(RulingTold(title, text) for title, text in rule.rulings),
            () if lessons is None else tuple(_examples(lessons, rule.key, labels.language)),
        )
        for rule in rule_lookup.rule_texts(labels, keys, seat)
    )
    carries = rule_lookup.piece_properties_of(labels, name) if topic == rule_lookup.PIECE else []
    return Explained(topic, name, tuple(rules), reader, tuple(carries))


def _rules_at(labels: Labels, passage: str) -> tuple[RuleKey, ...]:
    """Return the rule at a passage of the rulebook, and the one that it is a part of."""
    existing = labels.game.program.rules
    rule = next((key for key in existing if anchor(key) == passage), None)
    if rule is None:
        return ()
    whole = RuleIndex(labels.edition).homes.get(rule, rule)
    return tuple(key for key in dict.fromkeys((rule, whole)) if key in existing)


def lesson_lines(lines: Iterable[LessonText]) -> tuple[LessonLine, ...]:
    """Return lines of a lesson as they are sent."""
    return tuple(LessonLine(line.text, line.is_explanation, line.heading, line.seat) for line in lines)


def _examples(lessons: Course, key: RuleKey, language: str) -> Iterator[ExampleTold]:
    """Yield the examples of a rule, as their learners see them."""
    for number in lessons.lessons_on(key)[:_MAX_EXAMPLES]:
        lesson, moments = lessons.story(number)
        game = moments[0].game
        lines = (line for moment in moments for line in lesson.lines(moment, language))
        yield ExampleTold(
            number, lesson.title(game.localizer(language)), lesson.text(language, game), lesson_lines(lines)
        )
