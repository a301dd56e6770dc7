"""Lessons: every example of every edition is played from its learner's seat, in every language, and tells no more."""

from __future__ import annotations

import io
import json
import random
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from msgspec.json import encode
from starlette.testclient import TestClient

from example_counts import without_a_series
from game_servers import guessing, offered, server
from indistinguishable_games import act_alike
from rulewright.authoring import scenarios
from rulewright.game import library
from rulewright.game.library import Rules
from rulewright.i18n.languages import languages
from rulewright.publish import lessons
from rulewright.publish.labels import Labels
from rulewright.publish.lessons import Course, Lesson, LessonPoint, course
from rulewright.runtime.information_state import determinize, information_state
from rulewright.runtime.view import sees_zone
from rulewright.server.edition_registry import PlayableEdition, playable_edition
from rulewright.server.limits import Limits
from rulewright.server.views import explanations, lesson_views
from rulewright.server.views.document import Now

NAMES = without_a_series()


@pytest.fixture(scope="module", params=NAMES)
def edition(request: pytest.FixtureRequest) -> PlayableEdition:
    return playable_edition(library.load(request.param))


def moments(result: PlayableEdition) -> Iterator[tuple[int, int, Lesson, LessonPoint]]:
    """Yield the positions of the lessons, and of every third other example."""
    learned = course(result.rules)
    for number, lesson in enumerate(learned.lessons):
        if number >= learned.usual and number % 3:
            continue
        for index, moment in enumerate(learned.points(number)):
            yield number, index, lesson, moment


LESSON_TEXTS = [
    pytest.param(name, code, marks=[] if code == "en" or at % len(NAMES) == number else pytest.mark.long)
    for number, name in enumerate(NAMES)
    for at, code in enumerate(languages())
]
"""Every edition in English, and every language."""


@pytest.mark.rotating(3)
@pytest.mark.parametrize(("edition", "language"), LESSON_TEXTS, indirect=["edition"])
def test_a_tutorial_is_played_through(edition: PlayableEdition, language: str) -> None:
    """The answers of the examples are offered, and each lesson ends with a message."""
    text = lesson_views.list_lessons(edition, language)
    assert 5 <= text.usual <= 13 and text.minutes <= 4
    for number in range(text.usual):
        lesson = lesson_views.lesson_view(edition, number, language)
        assert lesson.title and text.lessons[number].rule
        view = lesson.first
        received = list(view.lines)
        for index in range(lesson.moments - 1):
            question = view.state.asked
            assert question is not None and question.prompt and question.question == index
            answer = course(edition.rules).point(number, index).example_answer
            assert answer is not None
            assert set(answer) <= {choice.key for choice in question.choices}
            result = lesson_views.answer_outcome(edition, number, index, answer, language).next
            assert result is not None and result.number == index + 1 and result.taken
            view = result
            received += view.lines
        assert view.state.asked is None and view.why
        assert any(line.said for line in received)


@pytest.mark.rotating(3)
def test_each_main_rule_is_learned_before_the_first_table(edition: PlayableEdition) -> None:
    text = lesson_views.list_lessons(edition, "en")
    usual = [lesson.case for lesson in course(edition.rules).lessons[: text.usual]]
    assert len({case.explains for case in usual}) == len(usual)
    asking = [case for number, case in enumerate(usual) if len(course(edition.rules).points(number)) > 1]
    assert len(asking) >= len(usual) - 2


@pytest.mark.rotating(10)
def test_every_choice_in_a_lesson_can_be_tried(edition: PlayableEdition) -> None:
    """Another answer is played, and the lesson is where it was."""
    other = 0
    for number, index, _, moment in moments(edition):
        view = lesson_views.moment_view(edition, number, index, "en")
        question = view.state.asked
        if question is None or moment.example_answer is None or question.least > 1:
            continue
        for choice in question.choices[:3]:
            result = lesson_views.answer_outcome(edition, number, index, [choice.key], "en")
            assert (result.next is not None) == ([choice.key] == list(moment.example_answer))
            if result.other is not None:
                other += 1
                assert result.other.state.asked is None and result.other.example
                assert not {line.text for line in result.other.lines} & set(result.other.missing)
        assert lesson_views.moment_view(edition, number, index, "en") == view
    assert other > 20


@pytest.mark.parametrize(
    ("edition", "answer", "missing"),
    [
        ("classics/go", "a9", ("You placed a stone on E4 and took 1 stone.",)),
        ("classics/reversi", "c4", ()),
    ],
    indirect=["edition"],
)
def test_another_answer_tells_what_the_example_would_have_brought(
    edition: PlayableEdition, answer: str, missing: tuple[str, ...]
) -> None:
    other = lesson_views.answer_outcome(edition, 0, 0, [answer], "en").other
    assert other is not None and other.missing == missing


def hidden_otherwise(moment: LessonPoint, seat: int, rng: random.Random) -> LessonPoint:
    """Return the same position with other hidden state."""
    game = moment.game.copy()
    game.history.present = determinize(game.machine, information_state(game.machine, game.state, seat), seat, rng)
    act_alike(game, moment.game)
    parts = tuple(replace(part, game=game) if isinstance(part, lessons._Explanation) else part for part in moment.parts)
    return replace(moment, game=game, parts=parts)


@pytest.mark.rotating(3)
def test_a_lesson_reveals_nothing_hidden(edition: PlayableEdition, monkeypatch: pytest.MonkeyPatch) -> None:
    learned, rng = course(edition.rules), random.Random(5)
    for number, index, lesson, moment in moments(edition):
        if moment.game.view(lesson.seat).over:
            continue
        other = hidden_otherwise(moment, lesson.seat, rng)
        if other.game.view(lesson.seat).waiting != moment.game.view(lesson.seat).waiting:
            continue  # with those secrets somebody else would be asked, for all to see
        text = encode(lesson_views.moment_view(edition, number, index, "en"))
        walked = tuple(other if here is moment else here for here in learned.points(number))
        monkeypatch.setitem(learned._points, number, walked)
        assert encode(lesson_views.moment_view(edition, number, index, "en")) == text
        monkeypatch.setitem(learned._points, number, tuple(lesson.points()))


@pytest.mark.rotating(3)
def test_pieces_are_named_only_where_they_are_seen(edition: PlayableEdition) -> None:
    for number, index, lesson, moment in moments(edition):
        state = lesson_views.moment_view(edition, number, index, "en").state
        names = {name for zone in state.zones.values() for name in zone.pieces or ()}
        game = moment.game
        known = {
            game.program.types[game.program.appearance(game.state, piece)].name
            for space in game.program.layout.zones
            if sees_zone(space, lesson.seat)
            or (game.over and any(sees_zone(space, seat) for seat in range(len(game.names))))
            for piece in game.state[space.address]
        }
        assert names <= known


COUNTING = """\
rulewright: 1
title: Counting
players: 2
pieces:
  nut: {copies: 9, starts in: bag}
zones:
  bag: {seen by: all}
  nest: {of: seat, seen by: owner}
phases:
  picking:
    text: Take one or two nuts.
    do:
      - each seat: do pick
      - if bag is empty: end game
    steps:
      pick:
        text: Nobody sees what you take.
        do:
          - choose 1 to 2 from bag into nest: {ask: How many nuts?}
scoring:
  nuts: {points: number of nest}
ranking: highest score
"""
EXAMPLES = """\
edition: counting.yaml
seats: [Nora, Timo]
cases:
  two nuts:
    explains: phases.picking
    learner: Timo
    text: Timo takes two.
    do:
      - {Nora: nut, Timo: [nut, nut]}
      - expect: {bag: 6}
        tell: There are {number of bag} left, and Nora has {number of nest}.
  nobody answers:
    explains: steps.pick
    do:
      - expect: {bag: 9}
"""


def counting(folder: Path, examples: str = EXAMPLES) -> Rules:
    (folder / "counting.yaml").write_text(COUNTING, encoding="utf-8")
    (folder / "counting.examples.yaml").write_text(examples, encoding="utf-8")
    return library.load(str(folder / "counting.yaml"))


def test_a_learner_has_the_seat_that_the_example_names(tmp_path: Path) -> None:
    """Else that of whoever answers most, of several the first."""
    assert Course(counting(tmp_path)).lesson(0).seat == 1
    unnamed = EXAMPLES.replace("    learner: Timo\n", "")
    assert Course(counting(tmp_path, unnamed)).lesson(0).seat == 0


def test_a_lesson_that_teaches_says_you(tmp_path: Path) -> None:
    """The learner reads neither the story nor its explanations, which others still do."""
    teaching = EXAMPLES.replace(
        "    do:\n      - {Nora", "    do:\n      - teach: There are {number of bag} nuts. Take two.\n      - {Nora", 1
    ).replace("Nora has {number of nest}.", "Nora has {number of nest}.\n        teach: You have two nuts.")
    offer = playable_edition(counting(tmp_path, teaching))
    lesson = lesson_views.lesson_view(offer, 0, "de")
    assert [seat.name for seat in lesson.table.seats] == ["Nora", "Du"] and lesson.text == ""
    assert [line.text for line in lesson.first.lines] == ["There are 9 nuts. Take two."]
    end = lesson_views.moment_view(offer, 0, 1, "en")
    assert [line.text for line in end.lines] == ["You have two nuts."]
    (rule,) = explanations.explain(
        Labels(course(offer.rules).points(0)[0].game), 0, "phase", "picking", course(offer.rules)
    ).told
    assert rule.examples[0].text == "Timo takes two."
    assert rule.examples[0].lines[-1].text == "There are 6 left, and Nora has 1."


def test_lessons_have_the_order_of_the_file(tmp_path: Path) -> None:
    """The other examples follow the lessons."""
    assert Course(counting(tmp_path)).usual == 1
    listed = Course(counting(tmp_path, EXAMPLES.replace("cases:", "lessons: [nobody answers, two nuts]\ncases:")))
    assert listed.usual == 2
    assert [lesson.case.name for lesson in listed.lessons] == ["nobody answers", "two nuts"]


def test_an_unknown_lesson_is_refused(tmp_path: Path) -> None:
    counting(tmp_path, EXAMPLES.replace("cases:", "lessons: [three nuts]\ncases:"))
    text = io.StringIO()
    assert scenarios.run([str(tmp_path / "counting.examples.yaml")], text) == 2
    assert "There is no example 'three nuts'." in text.getvalue()


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    counting(tmp_path)
    with server(tmp_path, [str(tmp_path / "counting.yaml"), guessing(tmp_path)], Limits(burst=60)) as result:
        yield result


def got(client: TestClient, path: str, status: int = 200) -> Any:
    answer = client.get(f"/editions/{offered(client)}/{path}")
    assert answer.status_code == status, answer.text
    return json.loads(answer.text) if answer.text else None


def test_a_trick_is_explained_where_it_still_lies() -> None:
    offer = playable_edition(library.load("classics/hearts"))
    moment = lesson_views.moment_view(offer, 0, 1, "en")
    [page] = moment.pages
    assert page.last and page.text.startswith("The highest club takes the trick")

    def trick(state: Now) -> list[str]:
        return [name for one in state.zones.values() if one.zone == "played" for name in one.pieces or ()]

    assert sorted(trick(page.state)) == ["ace of diamonds", "king of clubs", "nine of clubs", "two of clubs"]
    assert trick(moment.state) == []
    assert lesson_views.moment_view(offer, 2, 1, "en").pages == ()  # nothing that all saw has gone


def test_a_lesson_is_served_moment_by_moment(client: TestClient) -> None:
    page = client.get(f"/editions/{offered(client)}/learn").text
    assert re.search(r"/page/learn(-\w+)?\.js", page)  # by itself, or bundled
    assert [lesson["title"] for lesson in got(client, "lessons")["lessons"]] == ["Two nuts", "Nobody answers"]
    first = got(client, "lessons/0?language=de")
    assert first["table"]["seat"] == 1 and first["first"]["state"]["asked"]["prompt"] == "How many nuts?"
    other = got(client, "lessons/0/0/answer?take=nut")["other"]
    assert other["example"] == "nut ×2"
    next_ = got(client, "lessons/0/0/answer?take=nut&take=nut")["next"]
    assert next_["lines"][-1] == {"text": "There are 6 left, and Nora has 1.", "said": True}
    assert got(client, "lessons/0/1")["lines"] == next_["lines"]
    assert got(client, "lessons/0/0/explained?what=phase&name=picking")["told"][0]["text"] == "Take one or two nuts."


def test_invalid_lessons_and_answers_are_refused(client: TestClient) -> None:
    for path in ("lessons/2", "lessons/x", f"lessons/{'9' * 5000}", "lessons/0/2", "lessons/0/-1", "lessons/-1"):
        got(client, path, 404)
    assert "cannot be chosen" in got(client, "lessons/0/0/answer?take=stone", 400)["text"]
    assert "Choose 1 to 2" in got(client, "lessons/0/0/answer", 400)["text"]
    assert got(client, "lessons/0/1/answer?take=nut", 404) is None
    got(client, "lessons/0/0/answer?" + "&".join(["take=nut"] * 600), 404)
    assert client.get("/editions/none/lessons").status_code == 404


def test_too_many_requests_wait(tmp_path: Path) -> None:
    counting(tmp_path)
    with server(tmp_path, [str(tmp_path / "counting.yaml")], Limits(burst=3, each_second=0.001)) as client:
        for _ in range(3):
            got(client, "lessons")
        got(client, "lessons", 429)


def test_an_edition_without_examples_has_no_lessons(client: TestClient) -> None:
    listed = client.get("/editions").json()["editions"]
    assert [one["learn"] for one in listed] == [True, False]
    assert client.get(f"/editions/{listed[1]['edition']}/lessons").json()["lessons"] == []
