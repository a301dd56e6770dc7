"""Views of lessons for pages: what a learner sees at each moment, and nothing that the seat may not see.

A server stores nothing about learners: requests name edition, lesson, moment and answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import structs

from rulewright.game.game import Game
from rulewright.game.terms import Terms, localizer_of
from rulewright.players.seating import usual_people
from rulewright.publish.labels import Labels
from rulewright.publish.lessons import Course, Lesson, course
from rulewright.publish.rulebook.model import anchor
from rulewright.server.edition_registry import PlayableEdition
from rulewright.server.views import explanations, question_view, seat_view, table_metadata
from rulewright.server.views.document import Fragment, Now, Sitting, TableDocument
from rulewright.server.views.replies import LessonLine, RuleTold

_SECONDS_FOR_STEP = 10
"""Time for two sentences and an answer."""


class LessonEntry(Fragment, frozen=True):
    """Lesson in the list. rule: title of the rule that it explains."""

    title: str
    rule: str


class LessonList(Fragment, frozen=True):
    """Lessons of an edition. people: at a usual table; usual: number of lessons that teach the game; minutes: for
    these, about."""

    title: str
    people: int
    usual: int
    minutes: int
    lessons: tuple[LessonEntry, ...]


class ReadPage(Fragment, frozen=True):
    """Text that is read before a moment, with the table that it is about. last: whether the moment's own text goes on
    with it."""

    text: str
    state: Now
    last: bool = False


class LessonMoment(Fragment, frozen=True):
    """Moment of a lesson.

    - number: from 0
    - lines: of the log since the moment before
    - taken: what the example answered there
    - why: the rules behind it
    - advice: keys that the example answers to the question
    - pages: what is read first
    """

    number: int
    lines: tuple[LessonLine, ...]
    state: Now
    taken: str
    why: tuple[RuleTold, ...]
    advice: tuple[str, ...] = ()
    pages: tuple[ReadPage, ...] = ()


class LessonView(Fragment, frozen=True):
    """Lesson. moments: their number; table: at which it is played; first: its first moment."""

    title: str
    text: str
    moments: int
    table: TableDocument
    first: LessonMoment


class OtherOutcome(Fragment, frozen=True):
    """Outcome of an answer that differs from the example's.

    example: the example's answer; missing: what that would have brought, and this did not.
    """

    lines: tuple[LessonLine, ...]
    state: Now
    example: str
    missing: tuple[str, ...] = ()


class AnswerView(Fragment, frozen=True):
    """Result of a learner's answer. next: the following moment, if the example answers the same."""

    next: LessonMoment | None = None
    other: OtherOutcome | None = None


def list_lessons(offer: PlayableEdition, language: str) -> LessonList:
    """List an edition's lessons. Raises EditionError."""
    edition, lessons = offer.rules.edition, course(offer.rules)
    localizer, terms = localizer_of(edition, language), Terms(edition)
    entries = (
        LessonEntry(one.title(localizer), localizer.title(terms.rule(one.case.explains))) for one in lessons.lessons
    )
    steps = sum(len(lessons.points(number)) for number in range(lessons.usual))
    minutes = max(1, round(steps * _SECONDS_FOR_STEP / 60))
    return LessonList(localizer.say(terms.title()), usual_people(edition), lessons.usual, minutes, tuple(entries))


def lesson_view(offer: PlayableEdition, number: int, language: str) -> LessonView:
    """Return a lesson with its first moment. number: of the lesson, from 0. Raises UnknownLesson, EditionError."""
    lessons = course(offer.rules)
    lesson, moments = lessons.lesson(number), lessons.points(number)
    labels = Labels(moments[0].game, language)
    localizer = labels.localizer
    table = TableDocument(
        you="seat",
        seat=lesson.seat,
        language=localizer.language,
        direction="rtl" if localizer.right_to_left else "ltr",
        edition=offer.pinned.digest,
        title=localizer.say(Terms(offer.rules.edition).title()),
        seats=tuple(_seats(labels, lesson)),
        begun=True,
        chosen=dict(lesson.case.setting.options),
        table=table_metadata.table_metadata(labels),
    )
    text = lesson.text(language, moments[0].game)
    return LessonView(lesson.title(localizer), text, len(moments), table, _moment_view(lessons, number, 0, language))


def moment_view(offer: PlayableEdition, number: int, index: int, language: str) -> LessonMoment:
    """Return a moment of a lesson. Raises UnknownLesson, EditionError. number, index: of the lesson and of the moment,
    from 0."""
    return _moment_view(course(offer.rules), number, index, language)


def answer_outcome(offer: PlayableEdition, number: int, index: int, keys: Sequence[str], language: str) -> AnswerView:
    """Return the result of an answer in a lesson. Raises UnknownLesson, AnswerError, RuleError, EditionError. number,
    index: as for `moment_view`."""
    lessons = course(offer.rules)
    lesson, moment = lessons.lesson(number), lessons.point(number, index)
    outcome = lesson.try_answer(moment, keys, language)
    if outcome is None:
        return AnswerView(next=_moment_view(lessons, number, index + 1, language))
    state = _state(Labels(outcome.game, language), lesson.seat, None, moment.game)
    return AnswerView(
        other=OtherOutcome(
            explanations.lesson_lines(outcome.lines), state, lesson.answer_text(moment, language), outcome.missing
        )
    )


def game_at(offer: PlayableEdition, number: int, index: int) -> tuple[Game, int]:
    """Return the game at a moment, and the learner's seat. Raises UnknownLesson, EditionError. number, index: as for
    `moment_view`."""
    lessons = course(offer.rules)
    return lessons.point(number, index).game, lessons.lesson(number).seat


def _moment_view(lessons: Course, number: int, index: int, language: str) -> LessonMoment:
    """Return what a learner sees at a moment of a lesson."""
    lesson, moment = lessons.lesson(number), lessons.point(number, index)
    before = lessons.point(number, index - 1) if index else moment
    question = None if moment.example_answer is None else index
    pages, last = list[ReadPage](), before.game
    for page in lesson.pages(moment, language):
        pages.append(ReadPage(page.text, _state(Labels(page.game, language), lesson.seat, None, last), page.is_last))
        last = page.game
    return LessonMoment(
        index,
        explanations.lesson_lines(lesson.lines(moment, language)),
        _state(Labels(moment.game, language), lesson.seat, question, last),
        lesson.answer_text(before, language) if index else "",
        tuple(RuleTold(why.title, why.text, anchor(why.key)) for why in lesson.rules(before, language)),
        moment.example_answer or (),
        tuple(pages),
    )


def _state(labels: Labels, seat: int, question: int | None, before: Game) -> Now:
    """Return the table at a moment, with what has moved since. question: number for the seat's decision, None to leave
    it out; before: the game at the moment before."""
    decision = None if question is None else question_view.question_now(labels, seat, question)
    return structs.replace(
        seat_view.table_state(labels, seat),
        asked=decision,
        sealed=seat_view.sealed_pieces(labels, seat),
        moves=seat_view.moves_since(labels, seat, before),
    )


def _seats(labels: Labels, lesson: Lesson) -> Iterator[Sitting]:
    """Yield the seats of a lesson's table."""
    for seat, role in enumerate(lesson.case.setting.roles):
        yield Sitting(labels.name(seat), "role" if role else "person", "")
