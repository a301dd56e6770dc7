"""Lessons as the page shows them: what a learner sees at each moment, and nothing that the seat may not see.

A server keeps nothing of whoever learns: an edition, a lesson, a moment and an answer say all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import structs

from rulewright.game.game import Game
from rulewright.game.terms import Terms, speech_of
from rulewright.players.seating import usual_people
from rulewright.publish.labels import Labels
from rulewright.publish.lessons import Course, Lesson, course
from rulewright.publish.rulebook.contents import anchor
from rulewright.server.edition_registry import PlayableEdition
from rulewright.server.views import explanations, seat_view, table_metadata
from rulewright.server.views.document import Fragment, LessonLine, Now, RuleTold, Sitting, TableDocument


class LessonListed(Fragment, frozen=True):
    """rule: the title of the one that it explains."""

    title: str
    rule: str


class LessonList(Fragment, frozen=True):
    """people: at a usual table; usual: how many of the lessons make the game known."""

    title: str
    people: int
    usual: int
    lessons: tuple[LessonListed, ...]


class MomentTold(Fragment, frozen=True):
    """number: from 0; lines: told since the moment before; taken: what the example answered there; why: the rules."""

    number: int
    lines: tuple[LessonLine, ...]
    state: Now
    taken: str
    why: tuple[RuleTold, ...]


class LessonTold(Fragment, frozen=True):
    """moments: how many there are; table: at which it is played; first: its first moment."""

    title: str
    text: str
    moments: int
    table: TableDocument
    first: MomentTold


class OtherTold(Fragment, frozen=True):
    """What comes of an answer that the example does not give; example: what that answers."""

    lines: tuple[LessonLine, ...]
    state: Now
    example: str


class AnswerTold(Fragment, frozen=True):
    """next: the moment that follows, where the example gives the same answer."""

    next: MomentTold | None = None
    other: OtherTold | None = None


def contents(offer: PlayableEdition, language: str) -> LessonList:
    """Which lessons there are. Raises EditionError."""
    edition, learned = offer.rules.edition, course(offer.rules)
    said, terms = speech_of(edition, language), Terms(edition)
    listed = (LessonListed(one.title(said), said.title(terms.rule(one.case.explains))) for one in learned.lessons)
    return LessonList(said.say(terms.title()), usual_people(edition), learned.usual, tuple(listed))


def lesson(offer: PlayableEdition, number: int, language: str) -> LessonTold:
    """How a lesson begins. Raises NoLesson, EditionError."""
    learned = course(offer.rules)
    found, moments = learned.lesson(number), learned.points(number)
    labels = Labels(moments[0].game, language)
    said = labels.speech
    table = TableDocument(
        you="seat",
        seat=found.seat,
        language=said.language,
        direction="rtl" if said.right_to_left else "ltr",
        edition=offer.pinned.digest,
        title=said.say(Terms(offer.rules.edition).title()),
        seats=tuple(_seats(found)),
        begun=True,
        chosen=dict(found.case.setting.options),
        table=table_metadata.glossary(labels),
    )
    text = found.text(language, moments[0].game)
    return LessonTold(found.title(said), text, len(moments), table, _moment(learned, number, 0, language))


def moment(offer: PlayableEdition, number: int, at: int, language: str) -> MomentTold:
    """A moment of a lesson. Raises NoLesson, EditionError."""
    return _moment(course(offer.rules), number, at, language)


def answered(offer: PlayableEdition, number: int, at: int, keys: Sequence[str], language: str) -> AnswerTold:
    """What comes of an answer. Raises NoLesson, AnswerError, RuleError, EditionError."""
    learned = course(offer.rules)
    found, here = learned.lesson(number), learned.point(number, at)
    outcome = found.try_answer(here, keys, language)
    if outcome is None:
        return AnswerTold(next=_moment(learned, number, at + 1, language))
    state = _state(Labels(outcome.game, language), found.seat, None)
    return AnswerTold(other=OtherTold(explanations.lines(outcome.lines), state, found.answer_text(here, language)))


def game_at(offer: PlayableEdition, number: int, at: int) -> tuple[Game, int]:
    """The game at a moment, and the learner's seat. Raises NoLesson, EditionError."""
    learned = course(offer.rules)
    return learned.point(number, at).game, learned.lesson(number).seat


def _moment(learned: Course, number: int, at: int, language: str) -> MomentTold:
    found, here = learned.lesson(number), learned.point(number, at)
    before = learned.point(number, at - 1) if at else here
    return MomentTold(
        at,
        explanations.lines(found.lines(here, language)),
        _state(Labels(here.game, language), found.seat, None if here.example_answer is None else at),
        found.answer_text(before, language) if at else "",
        tuple(RuleTold(why.title, why.text, anchor(why.key)) for why in found.rules(before, language)),
    )


def _state(labels: Labels, seat: int, question: int | None) -> Now:
    asked = None if question is None else seat_view.asked(labels, seat, question)
    return structs.replace(seat_view.seen(labels, seat), asked=asked, sealed=seat_view.sealed(labels, seat))


def _seats(found: Lesson) -> Iterator[Sitting]:
    setting = found.case.setting
    for name, role in zip(setting.seats, setting.roles, strict=True):
        yield Sitting(name, "role" if role else "person", "")
