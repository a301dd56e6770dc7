"""Warn of declarations that nothing uses."""

from __future__ import annotations

from rulewright.authoring.lint.context import LintContext
from rulewright.base.diagnostics import Report, SourcePlace
from rulewright.model.declarations import NUMBER, NUMBERS, SLOT, ChangeSet, WordList, canonical
from rulewright.syntax.tree import DoWhat

CODE = "unused"


def check(context: LintContext, report: Report) -> None:
    """Warn of values, terms, counters, zones, words and steps that no sentence names, of powers nobody gets, and of
    what cards say and nobody does."""
    _Unused(context, report).check()


class _Unused:
    def __init__(self, context: LintContext, report: Report) -> None:
        self.context, self.edition, self.report = context, context.edition, report

    def check(self) -> None:
        edition = self.edition
        for figure in edition.figures.values():
            self._check_name("value" if figure.is_value else "term", figure.name, figure.place)
        for counter in (counter for counter in edition.counters.values() if not counter.side):
            self._check_name("counter", counter.name, counter.place)
        self._zones()
        for word_list in edition.words.values():
            self._words(word_list)
        for step in edition.steps.values():
            if canonical(step.name) not in self.context.steps_done:
                self._warn(step.place, f"Nothing does the step '{step.name}'.", f"Say 'do {step.name}', or delete it.")
        for changes in edition.change_sets:
            if changes.level == "power":
                self._power(changes)
        if not any(isinstance(line.tree, DoWhat) for line in self.context.lines):
            for key, saying in edition.say_steps().items():
                message = f"Nothing does what '{key.name}' says."
                self._warn(saying.place, message, "Say 'do what … says' where it is played, or delete its 'do'.")

    def _warn(self, place: SourcePlace, message: str, hint: str) -> None:
        self.report.warning(place, CODE, message, hint)

    def _check_name(self, sort: str, name: str, place: SourcePlace) -> None:
        if canonical(name) in self.context.names:
            return
        changed = [changes for changes in self.edition.change_sets if name in changes.changes]
        hint = "Name it where it should count, or delete it."
        if changed:
            hint = f"The {changed[0].level} '{changed[0].name}' changes it, but no sentence asks for it."
        self._warn(place, f"Nothing uses the {sort} '{name}'.", hint)

    def _zones(self) -> None:
        edition = self.edition
        starts = {kind.starts_in for kind in edition.kinds.values()}
        refilling = {zone.refills_from for zone in edition.zones.values()}
        giving = {kind.power_in for kind in edition.kinds.values()}
        for zone in edition.zones.values():
            if canonical(zone.name) in self.context.names or zone.name in starts | refilling:
                continue
            if zone.name in giving:
                message = f"Nothing is ever moved to '{zone.name}', so nobody gets the powers that pieces give there."
                self._warn(zone.place, message, "Say in a sentence when a piece comes there.")
            else:
                self._warn(zone.place, f"Nothing uses the zone '{zone.name}'.", "Move something there, or delete it.")

    def _words(self, word_list: WordList) -> None:
        edition, names = self.edition, self.context.names
        boards = edition.boards.values()
        slants = {board.slants for board in boards}
        if word_list.name in slants:
            return
        own = {canonical(word.name) for word in word_list.words} | {canonical(word_list.name)}
        if not own & names and canonical(word_list.name) not in self._typed():
            board = next((board for board in boards if board.spaces == word_list.name), None)
            subject = f"board '{board.name}'" if board else f"words of '{word_list.name}'"
            use = f"Let a zone be 'of: {word_list.name}'" if board else "Give it to pieces with 'each' or 'has'"
            self._warn(
                board.place if board else word_list.place, f"Nothing uses the {subject}.", f"{use}, or delete it."
            )
            return
        names = names | self._shown_attributes()
        if word_list.name in {board.directions for board in boards}:
            names = names | {"opposite"} | slants
        for attribute in (*word_list.attributes, *word_list.tables):
            findable = self.context.uses_in and word_list.attributes.get(attribute, NUMBER) not in NUMBERS
            if canonical(attribute) not in names and not findable:
                message = f"Nothing asks for the '{attribute}' of '{word_list.name}'."
                self._warn(word_list.places[attribute], message, "Use it, or delete it.")

    def _shown_attributes(self) -> set[str]:
        """The attributes that pieces only show."""
        looks = self.edition.looks.values()
        texts = [text.text for look in looks for text in (*look.pictures(), look.corner) if text]
        texts += [text.text for text in (*self.edition.grounds.values(), *self.edition.space_signs.values())]
        slots = (slot for text in texts for slot in SLOT.findall(text))
        return {canonical(name.strip()) for name in (*slots, *(look.table for look in looks))}

    def _typed(self) -> set[str]:
        """The word lists by which something is declared."""
        edition, lists = self.edition, self.edition.words.values()
        typed = {type_ for kind in edition.kinds.values() for type_ in kind.attributes.values()}
        typed |= {type_ for other in lists for type_ in other.attributes.values()}
        typed |= {type_ for other in lists for table in other.tables.values() for type_ in (table.by, table.holds)}
        typed |= {zone.of for zone in edition.zones.values()} | {figure.of for figure in edition.figures.values()}
        typed |= {held for counter in edition.counters.values() for held in (counter.of, counter.holds)}
        parameters = [thing.parameters for thing in edition.figures.values()]
        parameters += [thing.parameters for thing in edition.steps.values()]
        return {canonical(type_) for type_ in typed} | {
            canonical(type_.text) for told in parameters for _, type_ in told
        }

    def _power(self, changes: ChangeSet) -> None:
        """A power whose pieces all have no copies."""
        for kind in self.edition.kinds.values():
            if not kind.power_in:
                continue
            words = self.edition.words[kind.attributes[kind.power_word]].words
            index = list(kind.attributes).index(kind.power_word)
            if any(words[values[index]].name == changes.name for values, _ in kind.rows):
                return
        message = f"There is no piece that gives the power '{changes.name}'."
        self._warn(changes.place, message, "Look at 'copies': there it has none.")
