"""Page of a search: the proposal and its reasons, the trade-offs as pictures, and every candidate with its figures."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import combinations

from rulewright.i18n.localizer import Argument, DecimalNumber, Localizer, Phrase, phrase
from rulewright.simulation.markup import Html, bullets, join_lines, page, paragraph, section, table, tag
from rulewright.simulation.statistics import Estimate
from rulewright.simulation.tuning import pareto_front, trade_offs, tuning_texts
from rulewright.simulation.tuning.configurations import CandidateGames
from rulewright.simulation.tuning.goals import Goal
from rulewright.simulation.tuning.search_space import Candidate, VariedValue
from rulewright.simulation.tuning.trade_offs import PictureAxis, TradeOffDot
from rulewright.simulation.tuning.tuning import Tuning

_MAX_PICTURES = 6
"""Limit of pictures on a page; the first pairs are drawn."""


def tuning_page(tuning: Tuning, localizer: Localizer, variant: str = "") -> str:
    """Return the whole page. variant: text of the variant that has the proposed values, or ''."""
    return page(_title(tuning, localizer), *_PageParts(tuning, localizer).parts(variant), language=localizer.language)


def _title(tuning: Tuning, localizer: Localizer) -> str:
    """Return the title of the page: the question of the search."""
    names = localizer.list([each.name for each in tuning.space.varied])
    return localizer.title(phrase("tuning", "{title}: which {names}?", title=tuning.rules.title, names=names))


class _PageParts:
    """Parts of the page of one search."""

    def __init__(self, tuning: Tuning, localizer: Localizer) -> None:
        self._tuning, self._localizer = tuning, localizer
        self._best = tuning.best()
        self._numbers = {each.candidate: at for at, each in enumerate([tuning.base, *tuning.tried])}
        self._proposed = tuning.proposed().candidate
        self._proposes_own = self._proposed == tuning.space.now

    def _say(self, context: Phrase) -> str:
        """Return a text in the language."""
        return self._localizer.say(context)

    def parts(self, variant: str) -> Iterator[Html]:
        """Yield the parts of the page from top to bottom."""
        tuning, localizer = self._tuning, self._localizer
        yield tag("h1", _title(tuning, localizer))
        yield bullets(goal.in_words(localizer) for goal in tuning.goals)
        yield paragraph(f"{tuning_texts.play_note(tuning, localizer)} {tuning_texts.progress_note(tuning, localizer)}")
        yield self._summary(variant)
        yield self._pictures()
        yield self._best_ones()
        yield self._all_candidates()
        if failed := [each for each in tuning.tried if not each.sound]:
            yield self._failed_candidates(failed)
        yield self._notes()

    # ── what is proposed ──

    def _summary(self, variant: str) -> Html:
        """Return the section that proposes values, with the text of their variant."""
        tuning, localizer = self._tuning, self._localizer
        parts: list[Html] = []
        if self._proposes_own:
            parts.append(bullets([tuning_texts.reason(tuning, localizer)], class_="findings"))
        else:
            proposed_values = tag(
                "strong", localizer.title(tuning_texts.candidate_text(tuning, self._proposed, localizer))
            )
            lines = [proposed_values, tuning_texts.reason(tuning, localizer), *tuning_texts.proposal(tuning, localizer)]
            parts.append(bullets(lines, class_="findings"))
        brackets = phrase("tuning", "In brackets: where the true figure lies, with 95 % certainty.")
        parts.append(paragraph(self._say(brackets), faint=True))
        if variant:
            summary = tag("summary", self._say(phrase("tuning", "The variant with these values")))
            text = tag("pre", join_lines(*variant.splitlines()), tabindex="0", style="overflow-x:auto")
            parts.append(tag("details", summary, text))
        return section("short", self._say(phrase("tuning", "In short")), *parts)

    # ── pictures ──

    def _pictures(self) -> Html:
        """Return the section of pictures: of each two goals, else of each value and goal."""
        goals, varied = self._tuning.goals, self._tuning.space.varied
        pairs = list(combinations(goals, 2))[:_MAX_PICTURES]
        pictures = [self._picture_of_goals(across, up) for across, up in pairs]
        if not pairs or len(varied) == 1:
            pictures += [self._picture_of_value(at, each, goal) for goal in goals for at, each in enumerate(varied)]
        kinds = ("chosen", "now", "best", "other")
        words = {
            "chosen": phrase("tuning", "proposed"),
            "now": phrase("tuning", "the edition's own values"),
            "best": phrase("tuning", "beaten by no other in all goals"),
            "other": phrase("tuning", "others that were tried"),
        }
        kinds_shown = [kind for kind in kinds if kind != "chosen" or not self._proposes_own]
        key = tag(
            "ul",
            *(tag("li", Html(trade_offs.legend_mark(kind)), self._say(words[kind])) for kind in kinds_shown),
            class_="key",
        )
        note = phrase(
            "tuning",
            "Lines through a mark show its interval. Green is where a figure is to be. Numbers name candidates.",
        )
        title = phrase("tuning", "Trade-offs") if pairs else phrase("tuning", "What each value brings")
        figures = (tag("figure", Html(svg)) for svg in pictures[:_MAX_PICTURES])
        return section("trade-offs", self._say(title), key, *figures, paragraph(self._say(note), faint=True))

    def _sound_candidates(self) -> list[CandidateGames]:
        """List the candidates that can be played, the edition's own values first."""
        return [each for each in (self._tuning.base, *self._tuning.tried) if each.sound]

    def _kind_of_dot(self, played: CandidateGames) -> str:
        """Return how a candidate is marked: 'now', 'chosen', 'best' or 'other'."""
        if played.candidate == self._tuning.space.now:
            return "now"
        if played.candidate == self._proposed:
            return "chosen"
        return "best" if any(played is each for each in self._best) else "other"

    def _label(self, played: CandidateGames) -> str:
        """Return the number of a candidate that is in the tables of the best, else ''."""
        return str(self._numbers[played.candidate]) if played.candidate in self._tuning.to_check() else ""

    def _picture_of_goals(self, across: Goal, up: Goal) -> str:
        """Return a picture of all candidates between two goals."""
        marks = []
        for played in self._sound_candidates():
            x, y = (goal.estimate(played.values[goal.name]) for goal in (across, up))
            marks.append(TradeOffDot(x, y, self._kind_of_dot(played), self._label(played)))
        names: dict[str, Argument] = {
            each: goal.measure.title_in(self._localizer) for each, goal in (("x", across), ("y", up))
        }
        title = self._say(phrase("tuning", "{x} against {y}", **names))
        return trade_offs.dots(title, self._description(), self._axis(across), self._axis(up), marks)

    def _picture_of_value(self, index: int, varied: VariedValue, goal: Goal) -> str:
        """Return a picture of all candidates between a varied value and a goal."""
        names = [] if varied.ordered and _is_number(varied.now) else list(dict.fromkeys([varied.now, *varied.tried]))
        marks = []
        for played in self._sound_candidates():
            value = played.candidate[index]
            place = float(names.index(value)) if names else float(Decimal(value))
            y = goal.estimate(played.values[goal.name])
            kind = self._kind_of_dot(played)
            marks.append(TradeOffDot(Estimate(place, place, place, 1), y, kind, self._label(played)))
        goal_title = goal.measure.title_in(self._localizer)
        title = self._say(phrase("tuning", "{x} against {y}", x=varied.name, y=goal_title))
        across = PictureAxis(self._localizer.title(varied.name), self._number, names=names)
        return trade_offs.dots(title, self._description(), across, self._axis(goal), marks)

    def _axis(self, goal: Goal) -> PictureAxis:
        """Return the axis of a goal's figures."""
        share = goal.measure.share
        bounds = (goal.least, goal.most) if goal.toward == "span" else (math.inf, -math.inf)

        def format_figure(figure: float, places: int) -> str:
            return self._localizer.decimal(DecimalNumber(figure, places, percent=share))

        return PictureAxis(goal.measure.title_in(self._localizer), format_figure, *bounds, share=share)

    def _number(self, value: float, places: int) -> str:
        """Format a number with so many decimals."""
        return self._localizer.decimal(DecimalNumber(value, places))

    def _description(self) -> str:
        """Return the text of a picture for screen readers."""
        return self._say(phrase("tuning", "A mark for every candidate; the tables below have the figures."))

    # ── tables ──

    def _head(self, goals: Sequence[str]) -> list[str]:
        """Return the head of a table of candidates: the number, each varied name, and what follows."""
        names = [self._localizer.title(each.name) for each in self._tuning.space.varied]
        return [self._say(phrase("tuning", "No.")), *names, *goals]

    def _row(self, played: CandidateGames) -> list[str]:
        """Return the first cells of a candidate's row: number and values."""
        number = self._numbers[played.candidate]
        mark = {"now": phrase("tuning", "as it is"), "chosen": phrase("tuning", "proposed")}.get(
            self._kind_of_dot(played)
        )
        first = str(number) if mark is None else self._localizer.with_note(str(number), self._say(mark))
        return [first, *(value.replace("-", "−", value[:1] == "-") for value in played.candidate)]

    def _best_ones(self) -> Html:
        """Return for each goal the figures of the best in the search, and in games that had no part in the choice."""
        tuning = self._tuning
        parts: list[Html] = []
        for goal in tuning.goals:
            name = tag("h3", goal.in_words(self._localizer))
            parts += [*([name] if len(tuning.goals) > 1 else []), self._table_of_goal(goal)]
        if tuning.checked:
            note = phrase(
                "tuning",
                "Candidates were chosen by the games of the search, where the best looks better than it is. The fresh "
                "games ({games} each, seed {seed}) had no part in the choice.",
                games=tuning.check_table.games,
                seed=str(tuning.check_table.seed),
            )
            parts.append(paragraph(self._say(note), faint=True))
        return section("best", self._say(phrase("tuning", "The best beside each other")), *parts)

    def _table_of_goal(self, goal: Goal) -> Html:
        """Return a table of the best candidates' figures for one goal."""
        tuning = self._tuning
        known = {each.candidate: each for each in (tuning.base, *tuning.tried)}
        head = self._head([self._say(phrase("tuning", "In the search"))])
        if tuning.checked:
            head += [self._say(phrase("tuning", "In fresh games")), self._say(phrase("tuning", "Against no. 0 there"))]
        rows = []
        for candidate in tuning.to_check():
            row = [*self._row(known[candidate]), self._figure_text(goal, known[candidate])]
            if tuning.checked:
                again = tuning.checked.get(candidate)
                sound = again is not None and again.sound
                row += [self._figure_text(goal, again) if again and sound else "–", self._verdict_text(goal, candidate)]
            rows.append(row)
        return table(head, rows)

    def _verdict_text(self, goal: Goal, candidate: Candidate) -> str:
        """Return the verdict on a checked candidate for one goal, '–' for others."""
        tuning = self._tuning
        if candidate == tuning.space.now or not tuning.is_checked(candidate):
            return "–"
        verdicts = pareto_front.verdicts(tuning.goals, tuning.checked[tuning.space.now], tuning.checked[candidate])
        return self._say(next(tuning_texts.verdict_word(each.judgement) for each in verdicts if each.goal is goal))

    def _figure_text(self, goal: Goal, played: CandidateGames) -> str:
        """Return a candidate's figure for a goal, with its interval."""
        return goal.figure(goal.estimate(played.values[goal.name]), self._localizer)

    def _all_candidates(self) -> Html:
        """Return the section with all candidates that can be played, sorted by their values."""
        goals = [goal.measure.title_in(self._localizer) for goal in self._tuning.goals]
        candidates = sorted(self._sound_candidates(), key=lambda each: [_sort_key(value) for value in each.candidate])
        rows = [
            [*self._row(each), *(self._figure_text(goal, each) for goal in self._tuning.goals)] for each in candidates
        ]
        title = phrase("tuning", "All that was tried")
        summary = phrase("tuning", "{count} candidates with their figures", count=len(rows))
        body = tag("details", tag("summary", self._say(summary)), table(self._head(goals), rows))
        return section("all", self._say(title), body)

    def _failed_candidates(self, failed: Sequence[CandidateGames]) -> Html:
        """Return the section with the candidates that cannot be played, and why."""
        rows = [
            [*self._row(each), self._say(each.problem) if isinstance(each.problem, Phrase) else each.problem]
            for each in failed
        ]
        head = self._head([self._say(phrase("tuning", "Why"))])
        return section("failed", self._say(phrase("tuning", "What cannot be played")), table(head, rows))

    def _notes(self) -> Html:
        """Return the notes on how to read the page."""
        notes = (
            phrase(
                "tuning",
                "All candidates play the same shuffles, so that differences come from the values. What is surely "
                "nearer or farther is told from differences game by game, so strictly that in 19 of 20 tables like the "
                "one above it is never said by mistake.",
            ),
            phrase(
                "tuning",
                "The compromise is the candidate nearest to a point that has the best of every goal, each goal "
                "measured by the span of its figures. If another trade-off is dearer to you, take its values from the "
                "table.",
            ),
        )
        goals = {goal.measure.among > 1 for goal in self._tuning.goals}
        spread = phrase(
            "tuning",
            "The spread of seat wins is what the seat that wins most wins more often than the one that wins least. "
            "Luck alone gives it some, the less the more games there are.",
        )
        parts = [paragraph(self._say(each)) for each in notes]
        parts += [paragraph(self._say(spread))] if True in goals else []
        return section("how", self._say(phrase("tuning", "How to read this")), join_lines(*parts))


def _is_number(text: str) -> bool:
    """Return whether a value is a number, perhaps with a sign or a point."""
    return text.lstrip("+-").replace(".", "", 1).isdigit()


def _sort_key(value: str) -> tuple[int, Decimal, str]:
    """Return the key by which values are sorted: numbers first."""
    return (0, Decimal(value), "") if _is_number(value) else (1, Decimal(0), value)
