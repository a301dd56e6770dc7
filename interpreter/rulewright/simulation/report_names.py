"""Names in a report: a game's own words, as its table has them, in the reader's language.

A run keeps only the names in its tables. With the rules at hand, a report shows the names that people know.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress

from rulewright.base.diagnostics import RulewrightError
from rulewright.base.rule_keys import RuleKey
from rulewright.game import library
from rulewright.game.library import Rules
from rulewright.game.messages import Messages, yes_or_no
from rulewright.game.terms import Terms, localizer_of
from rulewright.i18n.localizer import Argument, Localizer, phrase
from rulewright.program.form import Program, Site
from rulewright.runtime.game_statistics import EMPTY, SOME, CountedDecision, StatisticsLayout
from rulewright.runtime.view import HIDDEN
from rulewright.simulation.plan import Plan


class GameWords:
    """Names of one run; without its rules, the names in its tables.

    rules: the edition's, or None if they are not at hand; other rules than the run's are ignored; program: one of the
    run's, if it is compiled already.
    """

    def __init__(
        self, plan: Plan, localizer: Localizer, rules: Rules | None = None, program: Program | None = None
    ) -> None:
        self.plan, self.localizer = plan, localizer
        self._terms: Terms | None = None
        self._messages: Messages | None = None
        self._questions: dict[str, list[CountedDecision]] = {}
        if rules is None or rules.hash != plan.hash:
            return
        program = program or rules.machine(len(plan.seats)).program
        names = [str(number) for number in range(1, len(plan.seats) + 1)]
        self.localizer = localizer_of(rules.edition, localizer.language) if localizer.language != "en" else localizer
        self._terms, self._messages = Terms(rules.edition), Messages(program, rules.edition, names)
        for question in StatisticsLayout(program).decisions:
            self._questions.setdefault(question.id, []).append(question)

    def say(self, message: Argument) -> str:
        """Return a text in the language."""
        return self.localizer.say(message)

    def title(self) -> str:
        """Return the title of the game and its edition."""
        return self.plan.title if self._terms is None else self.say(self._terms.title())

    def line(self, name: str) -> str:
        """Return the title of a scoring line."""
        if self._terms is not None:
            return self.say(self._terms.score(name))
        return next((line.title for line in self.plan.lines if line.name == name), name)

    def measure(self, name: str) -> str:
        """Return the title of a measure."""
        if self._messages is not None:
            titles = [it.title for it in self._messages.program.measures if it.name == name]
            if titles:
                return self.say(self._messages.text(titles[0], None, None))
        return next((measure.title for measure in self.plan.measures if measure.name == name), name)

    def power(self, name: str) -> str:
        """Return the title of a power."""
        return name if self._terms is None else self.say(self._terms.rule(RuleKey.of("powers", name)))

    def role(self, name: str) -> str:
        """Return the title of a virtual player."""
        return name if self._terms is None else self.say(self._terms.rule(RuleKey.of("roles", name)))

    # ── what was tried ──

    def option(self, name: str) -> str:
        """Return the title of an option, or of a value that is a plain number."""
        terms = self._terms
        if terms is None:
            return name
        if name in terms.edition.options:
            return self.say(terms.option(name))
        known = terms.edition.figures.get(name)
        return self.say(terms.figure(name)) if known is not None and known.noun else name

    def value(self, name: str, value: str) -> str:
        """Return the text of a choice of an option, or of a value."""
        terms = self._terms
        if terms is not None and name in terms.edition.options:
            return self.say(terms.choice(name, value))
        if value in ("yes", "no"):
            return self.say(yes_or_no(value == "yes"))
        return self.localizer.number(int(value)) if value.lstrip("-").isdigit() and len(value) < 12 else value

    def with_value(self, name: str, value: str) -> str:
        """Return an option or a value with its choice."""
        option, value_text = self.option(name), self.value(name, value)
        if value.lstrip("-").isdigit():
            return self.say(phrase("report", "{option} {value}", option=option, value=value_text))
        return self.localizer.entry(option, value_text)

    def instead(self, name: str, value: str, other: str) -> str:
        """Return an option or a value with its choice and another one: hand limit 8 instead of 10."""
        message = phrase(
            "report", "{value} instead of {other}", value=self.value(name, value), other=self.value(name, other)
        )
        if value.lstrip("-").isdigit():
            return self.say(phrase("report", "{option} {value}", option=self.option(name), value=message))
        return self.localizer.entry(self.option(name), self.say(message))

    def setting(self, setting: Mapping[str, str], names: tuple[str, ...]) -> str:
        """Return the choices of a setting for these names in words; '' without names."""
        return self.localizer.list([self.with_value(name, setting[name]) for name in names]) if names else ""

    # ── decisions ──

    def decision(self, id_: str) -> str:
        """Return the question of a decision as the table shows it."""
        site = self._site(id_)
        if site is None or self._messages is None:
            return id_.replace(".", ": ")
        return self.say(self._messages.text(site.ask, None if site.ask.slots else (), None))

    def choice(self, id_: str, choice: str) -> str:
        """Return an answer as people read it. choice: its name in the tables."""
        messages = self._messages
        question = next((q for q in self._questions.get(id_, []) if choice in q.choices), None)
        if messages is None or question is None:
            return choice
        site = messages.program.sites[question.sites[0]]
        if choice == EMPTY:
            if site.none is None:
                return self.say(phrase("argument", "nothing"))
            return self.say(messages.text(site.none, None if site.none.slots else (), None))
        if choice == SOME:
            return self.say(phrase("report", "any"))
        return self.say(self._answer_in_words(messages, site, question, choice))

    def _answer_in_words(self, messages: Messages, site: Site, question: CountedDecision, choice: str) -> Argument:
        """Return an answer of a question in the game's words."""
        terms, number = messages.terms, question.choices.index(choice)
        match question.base:
            case "branch":
                text = site.branch_texts[number]
                return messages.text(text, None if text.slots else (), None)
            case "truth":
                return yes_or_no(choice == "yes")
            case "word":
                return messages.word_label(str(site.element.detail), number)
            case "seat" if number == 0:
                return phrase("report", "oneself")
            case "seat" if messages.program.layout.seats == 2:
                return phrase("report", "the other player")
            case "seat":
                return phrase("report", "the [1st] {number} player to the left", number=number)
            case "number":
                low, to, high = choice.partition(" to ")
                if to:
                    return self.localizer.span(int(low), int(high))
                if choice.startswith("over "):
                    return phrase("report", "over {number}", number=int(choice.removeprefix("over ")))
                if choice.startswith("below "):
                    return phrase("report", "below {number}", number=int(choice.removeprefix("below ")))
                return int(choice)
            case _ if choice == HIDDEN:
                return phrase("choice", "hidden")
            case _:
                type_ = next((type_ for type_ in messages.program.types if type_.name == choice), None)
                return messages.type(type_) if type_ is not None else terms.kind(terms.edition.kinds[choice])

    def _site(self, id_: str) -> Site | None:
        """Return the place in the program where a decision is asked first; None if it is unknown."""
        questions = self._questions.get(id_)
        return self._messages.program.sites[questions[0].sites[0]] if questions and self._messages else None


def words_of(
    plan: Plan, localizer: Localizer, rules: Sequence[Rules] = (), program: Program | None = None
) -> GameWords:
    """Return the names of a run. rules: may contain the edition's.

    Without its rules, a shipped edition is found by its name; a file that a results folder names is not looked for.
    """
    rules_found = next((each for each in rules if each.hash == plan.hash), None)
    if rules_found is None and plan.edition in library.available():
        with suppress(RulewrightError):
            rules_found = library.load(plan.edition)
    return GameWords(plan, localizer, rules_found, program)
