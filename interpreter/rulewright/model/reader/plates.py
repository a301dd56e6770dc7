"""Read what looks say of seats: what stands beside their names, their goals, score pads and races."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.model import messages
from rulewright.model.declarations import SEAT
from rulewright.model.reader.section import SectionReader, scalar, scalar_text, text_of
from rulewright.syntax.source import Node, Scalar, SequenceNode, entries_of, value_of


class PlateReader(SectionReader):
    """Reader of the part of `looks` about seats."""

    def read_looks_of_seats(self) -> None:
        """Read all that `looks` says of seats: points, plates, who is ahead, goals, score pad, race and end."""
        looks, known = self.tree.get("looks"), [measure.name for measure in self.edition.measures]
        seats = value_of(looks, "seats")
        self.edition.has_late_points = text_of(seats, "points") == "at the end"
        points = value_of(seats, "points")
        self.edition.choices_without_points = self.chosen_options(points, "not with")
        measures = value_of(seats, "show")
        listed = measures.items if isinstance(measures, SequenceNode) else (measures,)
        nodes = (node for node in listed if isinstance(node, Scalar) and node.text not in self.edition.removed)
        candidates = [*known, *(line.name for line in self.edition.scoring)]
        names = tuple(filter(None, (self.resolve(node, candidates, messages.MEASURE()) for node in nodes)))
        ahead = scalar(seats, "ahead") if seats is not None else None
        if ahead is not None and ahead.text not in self.edition.removed:
            self.edition.lead_measure = self.resolve(ahead, known, messages.MEASURE())
        self.edition.plate_measures = tuple(dict.fromkeys((*names, *filter(None, (self.edition.lead_measure,)))))
        self.read_goals(value_of(seats, "goals"))
        self.read_score_pad(value_of(seats, "pad"))
        self.read_race(value_of(seats, "race"))
        self.read_end(seats, known)

    def read_end(self, seats: Node | None, measures: Sequence[str]) -> None:
        """Read what stands on the score sheet when a game is over: names of steps that bring points, and measures."""
        sources = value_of(seats, "points from")
        known = [*(step.short_name for step in self.edition.steps.values()), *(one.name for one in self.edition.phases)]
        for key, title in entries_of(sources):
            if key.text not in self.edition.removed and (name := self.resolve(key, known, messages.STEP())):
                self.edition.step_points_titles[name] = scalar_text(title)
        final = value_of(seats, "final")
        listed = final.items if isinstance(final, SequenceNode) else (final,)
        nodes = (node for node in listed if isinstance(node, Scalar) and node.text not in self.edition.removed)
        self.edition.final_measures = tuple(
            filter(None, (self.resolve(node, measures, messages.MEASURE()) for node in nodes))
        )

    def read_score_pad(self, node: Node | None) -> None:
        """Read the two counters of a score pad with a line for each word: points, and whether the line is still free;
        and the term of what a line would bring."""
        known = [name for name, counter in self.edition.counters.items() if counter.of == SEAT and counter.by]
        nodes = [one for one in (scalar(node, "lines"), scalar(node, "free")) if one is not None]
        names = [self.resolve(one, known, messages.COUNTER()) for one in nodes]
        if len(names) == 2 and all(names):
            self.edition.score_pad_counters = (names[0], names[1])
            self.edition.score_pad_worth = scalar(node, "worth")

    def read_race(self, node: Node | None) -> None:
        """Read a seats' counter and the value that it should reach, drawn as a track."""
        known = [name for name, counter in self.edition.counters.items() if counter.of == SEAT]
        for key, goal in entries_of(node):
            name = self.resolve(key, known, messages.COUNTER())
            if name and isinstance(goal, Scalar):
                figure = self.resolve(goal, self.edition.figures, messages.VALUE_OR_TERM())
                self.edition.race = (name, figure) if figure else None

    def read_goals(self, node: Node | None) -> None:
        """Read the counters that hold what each seat aims for in another counter, such as a bid of tricks."""
        known = [name for name, counter in self.edition.counters.items() if counter.of == SEAT]
        for key, goal in entries_of(node):
            if key.text in self.edition.removed or not isinstance(goal, Scalar) or goal.text in self.edition.removed:
                continue
            names = self.resolve(key, known, messages.COUNTER()), self.resolve(goal, known, messages.COUNTER())
            if all(names):
                self.edition.goals[names[0]] = names[1]

    def chosen_options(self, look: Node | None, key: str) -> dict[str, str]:
        """Return the choices of options, by option, in the entries below a key of a look; unknown ones are reported,
        and an unknown choice is ''."""
        result = {}
        for name, choice in entries_of(value_of(look, key)):
            option = self.edition.options.get(self.resolve(name, self.edition.options, messages.OPTION()))
            if option is not None and isinstance(choice, Scalar):
                result[option.name] = self.resolve(choice, option.choices, messages.CHOICE())
        return result
