"""Report section on choices: decisions in the game's words, the share of each answer, and how its seats fared."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from rulewright.i18n.localizer import phrase
from rulewright.players.seating import RANDOM_BOT
from rulewright.simulation import choices, plots
from rulewright.simulation.choices import AnswerCount, DecisionCount
from rulewright.simulation.markup import Html, fold, paragraph, table, tag
from rulewright.simulation.plots import Strip, StripMark
from rulewright.simulation.quantities import GameGroup
from rulewright.simulation.report_texts import ReportTexts

_MAX_DECISIONS = 12
"""Limit of decisions that are drawn."""
_MIN_SHARE, _MIN_WINS = 0.5, 0.2
"""Shortest axes: of shares of answers, and of differences of wins."""


def choices_section(
    texts: ReportTexts, groups: Sequence[GameGroup], labels: Sequence[str], colour: Callable[[int], int]
) -> Iterable[Html]:
    """Yield the decisions, most frequent first, _MAX_DECISIONS at most; nothing where there was no choice. labels: of
    the groups; colour: number of the colour of a group by its number."""
    decisions = choices.count_decisions([group.setting for group in groups])
    if not decisions:
        return
    note = phrase(
        "report",
        "How seats fared in the games in which they gave an answer, against those in which they could have and never "
        "did. That is an association, not a cause: who is ahead chooses differently, and a choice may come with a good "
        "hand.",
    )
    yield paragraph(texts.say(note))
    if len(groups) > 1:
        yield plots.legend(*((label, colour(number)) for number, label in enumerate(labels)))
    kinds = {each.player for per_group in decisions for each in per_group if each}
    for per_group in decisions[:_MAX_DECISIONS]:
        yield from _DecisionPlot(texts, groups, labels, colour, per_group).render(len(kinds) > 1)
    if (more := len(decisions) - _MAX_DECISIONS) > 0:
        note = phrase(
            "report",
            "{count} less frequent [decision is|decisions are] not shown; the tables have them.",
            count=more,
        )
        yield paragraph(texts.say(note))
    enough = all(len(choice.counts) >= choices.ENOUGH_CHUNKS for g in groups for choice in g.setting.choices[:1])
    if enough:
        note = phrase("report", "Intervals come from how chunks of games differ from each other.")
    else:
        note = phrase(
            "report",
            "There are too few chunks of games to compare them: the intervals take games and seats as independent.",
        )
    yield paragraph(texts.say(note), faint=True)


class _DecisionPlot:
    """Plot of one decision in every group: a strip for each answer, and its numbers below. names: its answers by name,
    of any group; by_name: of each group; at_random: the players answer at random, so wins are compared instead of how
    often an answer is given."""

    def __init__(
        self,
        texts: ReportTexts,
        groups: Sequence[GameGroup],
        labels: Sequence[str],
        colour: Callable[[int], int],
        per_group: Sequence[DecisionCount | None],
    ) -> None:
        self.texts, self.groups, self.labels, self.colour = texts, groups, labels, colour
        self.player, self.id = next((each.player, each.decision) for each in per_group if each)
        self.words = next(texts.words(group) for group, each in zip(groups, per_group, strict=True) if each)
        self.by_name = [{answer.name: answer for answer in each.answers} if each else {} for each in per_group]
        self.names = {answer.name: answer for each in per_group if each for answer in each.answers}
        # What is drawn at random is taken as often as chance has it: how it turned out is all there is to see.
        known = any(answer.wins_difference.known for found in self.by_name for answer in found.values())
        self.at_random = self.player == RANDOM_BOT and known

    def answer_label(self, answer: AnswerCount) -> str:
        """Return an answer as readers know it."""
        if answer.others:
            return self.texts.say(phrase("report", "{count} others together", count=answer.others))
        return self.words.choice(self.id, answer.name)

    def render(self, several_kinds: bool) -> Iterable[Html]:
        """Yield the title, the strips and the numbers. several_kinds: whether to name the kind of player."""
        texts, title = self.texts, self.words.decision(self.id)
        yield tag("h3", texts.localizer.with_note(title, self.player) if several_kinds else title)
        rows = [
            self._row(name, answer) for name, answer in self.names.items() if not (answer.others and self.at_random)
        ]
        ends = [
            end
            for row in rows
            for mark in row.marks
            if mark.estimate is not None and mark.estimate.known
            for end in (mark.estimate.low, mark.estimate.high)
        ]
        if self.at_random:
            far = max([_MIN_WINS / 2, *map(abs, ends)])
            axis = plots.scale([-far, far], _MIN_WINS, 0.0, (-1, 1))
            caption = phrase("report", "Wins, in percentage points")
            yield plots.strips(texts.say(caption), [("", rows)], axis, lambda value: texts.signed(value, 0, True))
        else:
            axis = plots.scale([0.0, *ends], _MIN_SHARE, bounds=(0, 1))
            caption = phrase("report", "Chosen, of the times it was offered")
            yield plots.strips(texts.say(caption), [("", rows)], axis, texts.percent)
        head = [
            "",
            texts.say(phrase("report", "offered")),
            texts.say(phrase("report", "chosen")),
            texts.say(phrase("report", "wins, percentage points")),
            texts.say(phrase("report", "points")),
        ]
        yield fold(texts.say(phrase("report", "The numbers")), table(head, self._numbers(), title))

    def _row(self, name: str, answer: AnswerCount) -> Strip:
        """Return an answer with a mark for every group, and the figure as text if there is only one."""
        answers_of_groups = [answers.get(name) for answers in self.by_name]
        estimates = [
            None if each is None else each.wins_difference if self.at_random else each.share_chosen
            for each in answers_of_groups
        ]
        marks = [
            StripMark(estimate, self.colour(number), self.texts.is_unchanged(group))
            for number, (group, estimate) in enumerate(zip(self.groups, estimates, strict=True))
        ]
        text = ""
        if len(estimates) == 1 and estimates[0] is not None:
            [only] = estimates
            text = self.texts.signed_cell(only, True) if self.at_random else self.texts.cell(only, True)
        return Strip(self.answer_label(answer), marks, text)

    def _numbers(self) -> Iterable[list[str]]:
        """Yield a row of the table for each answer in each group."""
        texts = self.texts
        for name, any_answer in self.names.items():
            for label, answers in zip(self.labels, self.by_name, strict=True):
                if name not in answers:
                    continue
                answer_name, answer = self.answer_label(any_answer), answers[name]
                yield [
                    answer_name if len(self.groups) == 1 else texts.localizer.join_items([answer_name, label]),
                    texts.whole(answer.times_offered),
                    texts.cell(answer.share_chosen, True),
                    texts.signed_cell(answer.wins_difference, True),
                    texts.signed_cell(answer.points_difference),
                ]
