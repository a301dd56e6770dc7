"""What the edition tells of something on a table: its rules, their rulings, and examples by which one learns them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulewright.base.diagnostics import RulewrightError
from rulewright.base.rule_keys import RuleKey
from rulewright.publish import rule_lookup
from rulewright.publish.labels import Labels
from rulewright.publish.lessons import Course, LessonText, course, has_lessons
from rulewright.publish.rulebook.contents import anchor
from rulewright.server.views.document import ExampleTold, Explained, LessonLine, RuleTold, RulingTold

_MOST = 2
"""Examples that are told of one rule."""


def learned(labels: Labels) -> Course | None:
    """The lessons of a game's edition, as far as it has any. Takes long where they have not been read."""
    if not has_lessons(labels.edition):
        return None
    try:
        return course(labels.game.rules)
    except RulewrightError:
        return None


def explained(
    labels: Labels, seat: int | None, what: str, name: str, lessons: Course | None = None, reader: int = 0
) -> Explained:
    """seat: whose figures are told; None for a spectator. lessons: of the edition, whose examples are told, too."""
    told = (
        RuleTold(
            telling.title,
            telling.text,
            anchor(telling.key),
            tuple(RulingTold(title, text) for title, text in telling.rulings),
            () if lessons is None else tuple(_examples(lessons, telling.key, labels.language)),
        )
        for telling in rule_lookup.rule_texts(labels, rule_lookup.rules_of(labels, what, name), seat)
    )
    carries = rule_lookup.piece_properties_of(labels, name) if what == rule_lookup.PIECE else []
    return Explained(what, name, tuple(told), reader, tuple(carries))


def lines(told: Iterable[LessonText]) -> tuple[LessonLine, ...]:
    return tuple(LessonLine(line.text, line.is_explanation, line.heading) for line in told)


def _examples(lessons: Course, key: RuleKey, language: str) -> Iterator[ExampleTold]:
    """The examples of a rule, each as its learner is told of it."""
    for number in lessons.lessons_on(key)[:_MOST]:
        lesson, moments = lessons.lesson(number), lessons.points(number)
        game = moments[0].game
        told = (line for moment in moments for line in lesson.lines(moment, language))
        yield ExampleTold(number, lesson.title(game.speech(language)), lesson.text(language, game), lines(told))
