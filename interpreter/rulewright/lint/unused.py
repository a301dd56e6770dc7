"""What is declared and nothing uses."""

from __future__ import annotations

from rulewright.declarations import ChangeSet, WordList, canonical
from rulewright.diagnostics import Place, Report
from rulewright.lint.reading import Reading

CODE = "unused"


def look(reading: Reading, report: Report) -> None:
    """Warn of values, terms, counters, zones, words and steps that no sentence names, and of powers nobody gets."""
    _Unused(reading, report).look()


class _Unused:
    def __init__(self, reading: Reading, report: Report) -> None:
        self.reading, self.edition, self.report = reading, reading.edition, report

    def look(self) -> None:
        edition = self.edition
        for figure in edition.figures.values():
            self._named("value" if figure.is_value else "term", figure.name, figure.place)
        for counter in edition.counters.values():
            self._named("counter", counter.name, counter.place)
        self._zones()
        for word_list in edition.words.values():
            self._words(word_list)
        for step in edition.steps.values():
            if canonical(step.name) not in self.reading.done:
                self._warn(step.place, f"Nothing does the step '{step.name}'.", f"Say 'do {step.name}', or delete it.")
        for changes in edition.change_sets:
            if changes.level == "power":
                self._power(changes)

    def _warn(self, place: Place, message: str, hint: str) -> None:
        self.report.warning(place, CODE, message, hint)

    def _named(self, what: str, name: str, place: Place) -> None:
        if canonical(name) in self.reading.names:
            return
        changed = [changes for changes in self.edition.change_sets if name in changes.changes]
        hint = "Name it where it should count, or delete it."
        if changed:
            hint = f"The {changed[0].level} '{changed[0].name}' changes it, but no sentence asks for it."
        self._warn(place, f"Nothing uses the {what} '{name}'.", hint)

    def _zones(self) -> None:
        edition = self.edition
        starts = {kind.starts_in for kind in edition.kinds.values()}
        refilling = {zone.refills_from for zone in edition.zones.values()}
        giving = {kind.power_in for kind in edition.kinds.values()}
        for zone in edition.zones.values():
            if canonical(zone.name) in self.reading.names or zone.name in starts | refilling:
                continue
            if zone.name in giving:
                message = f"Nothing is ever moved to '{zone.name}', so nobody gets the powers that pieces give there."
                self._warn(zone.place, message, "Say in a sentence when a piece comes there.")
            else:
                self._warn(zone.place, f"Nothing uses the zone '{zone.name}'.", "Move something there, or delete it.")

    def _words(self, word_list: WordList) -> None:
        edition, names = self.edition, self.reading.names
        typed = {canonical(type_) for kind in edition.kinds.values() for type_ in kind.attributes.values()}
        typed |= {canonical(type_) for other in edition.words.values() for type_ in other.attributes.values()}
        parameters = [thing.parameters for thing in edition.figures.values()]
        parameters += [thing.parameters for thing in edition.steps.values()]
        typed |= {canonical(type_.text) for told in parameters for _, type_ in told}
        own = {canonical(word.name) for word in word_list.words} | {canonical(word_list.name)}
        if not own & names and canonical(word_list.name) not in typed:
            hint = "Give it to pieces with 'each' or 'has', or delete it."
            self._warn(word_list.place, f"Nothing uses the words of '{word_list.name}'.", hint)
            return
        for attribute in word_list.attributes:
            if canonical(attribute) not in names:
                message = f"Nothing asks for the '{attribute}' of '{word_list.name}'."
                self._warn(word_list.places[attribute], message, "Use it, or delete it.")

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
