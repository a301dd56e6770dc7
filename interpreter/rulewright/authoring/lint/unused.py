"""Warn of declarations that nothing uses."""

from __future__ import annotations

from rulewright.authoring.lint import messages
from rulewright.authoring.lint.context import LintContext
from rulewright.base.diagnostics import Report, SourcePlace
from rulewright.model.declarations import NUMBER, NUMBERS, SLOT, ChangeSet, WordList, canonical
from rulewright.syntax.flow_nodes import DoWhat


def check(context: LintContext, report: Report) -> None:
    """Warn of values, terms, counters, zones, word lists, boards, attributes and steps that no sentence names, of
    powers that no piece gives, and of instructions that nobody does."""
    _Unused(context, report).check()


class _Unused:
    """Search for unused declarations of one edition."""

    def __init__(self, context: LintContext, report: Report) -> None:
        self.context, self.edition, self.report = context, context.edition, report

    def check(self) -> None:
        """Warn of everything unused."""
        edition = self.edition
        for figure in edition.figures.values():
            self._check_name("value" if figure.is_value else "term", figure.name, figure.place)
        for counter in (counter for counter in edition.counters.values() if not counter.side):
            self._check_name("counter", counter.name, counter.place)
        self._check_zones()
        for word_list in edition.words.values():
            self._check_word_list(word_list)
        for step in edition.steps.values():
            if canonical(step.name) not in self.context.steps_done:
                hint = messages.DO_OR_DELETE(name=step.name)
                self.report.warning(step.place, messages.UNUSED_STEP(name=step.name), hint)
        for changes in edition.change_sets:
            if changes.level == "power":
                self._check_power(changes)
        if not any(isinstance(line.tree, DoWhat) for line in self.context.lines):
            for key, saying in edition.say_steps().items():
                problem = messages.UNUSED_INSTRUCTIONS(name=key.name)
                self.report.warning(saying.place, problem, messages.DO_WHAT_OR_DELETE())

    def _check_name(self, kind: str, name: str, place: SourcePlace) -> None:
        """Warn of a figure or counter that nothing names."""
        if canonical(name) in self.context.names:
            return
        changed = [changes for changes in self.edition.change_sets if name in changes.changes]
        hint = messages.NAME_OR_DELETE()
        if changed:
            changing = messages.KINDS[f"{changed[0].level}s"]()
            hint = messages.CHANGED_IN_VAIN(kind=changing, name=changed[0].name)
        self.report.warning(place, messages.UNUSED(kind=messages.KINDS[kind](), name=name), hint)

    def _check_zones(self) -> None:
        """Warn of zones that nothing names, fills or gives powers in."""
        edition = self.edition
        starts = {kind.starts_in for kind in edition.kinds.values()}
        refilling = {zone.refills_from for zone in edition.zones.values()}
        giving = {kind.power_in for kind in edition.kinds.values()}
        for zone in edition.zones.values():
            if canonical(zone.name) in self.context.names or zone.name in starts | refilling:
                continue
            if zone.name in giving:
                self.report.warning(zone.place, messages.NO_POWERS_IN_ZONE(zone=zone.name), messages.SAY_WHEN_MOVED())
            else:
                problem = messages.UNUSED(kind=messages.KINDS["zone"](), name=zone.name)
                self.report.warning(zone.place, problem, messages.MOVE_OR_DELETE())

    def _check_word_list(self, word_list: WordList) -> None:
        """Warn of a word list or board that nothing names, and of unused attributes."""
        edition, names = self.edition, self.context.names
        boards = edition.boards.values()
        slants = {board.slants for board in boards}
        if word_list.name in slants:
            return
        own = {canonical(word.name) for word in word_list.words} | {canonical(word_list.name)}
        if not own & names and canonical(word_list.name) not in self._types_in_use():
            board = next((board for board in boards if board.spaces == word_list.name), None)
            if board is None:
                problem = messages.UNUSED_WORDS(name=word_list.name)
                self.report.warning(word_list.place, problem, messages.GIVE_OR_DELETE())
            else:
                problem = messages.UNUSED(kind=messages.KINDS["board"](), name=board.name)
                self.report.warning(board.place, problem, messages.PLACE_ZONE_OR_DELETE(words=word_list.name))
            return
        names = names | self._shown_attributes()
        if word_list.name in {board.directions for board in boards}:
            names = names | {"opposite"} | slants
        for attribute in (*word_list.attributes, *word_list.tables):
            findable = self.context.uses_in and word_list.attributes.get(attribute, NUMBER) not in NUMBERS
            if canonical(attribute) not in names and not findable:
                problem = messages.UNUSED_ATTRIBUTE(attribute=attribute, words=word_list.name)
                self.report.warning(word_list.places[attribute], problem, messages.USE_OR_DELETE())

    def _shown_attributes(self) -> set[str]:
        """Return the canonical names of attributes and tables that pieces or spaces show, by pictures or corners."""
        looks = self.edition.looks.values()
        texts = [text.text for look in looks for text in (*look.pictures(), look.corner) if text]
        texts += [text.text for text in (*self.edition.grounds.values(), *self.edition.space_signs.values())]
        slots = (slot for text in texts for slot in SLOT.findall(text))
        return {canonical(name.strip()) for name in (*slots, *(look.table for look in looks))}

    def _types_in_use(self) -> set[str]:
        """Return the canonical names of the types and owners that declarations have, word lists among them."""
        edition, lists = self.edition, self.edition.words.values()
        types = {type_ for kind in edition.kinds.values() for type_ in kind.attributes.values()}
        types |= {type_ for other in lists for type_ in other.attributes.values()}
        types |= {type_ for other in lists for table in other.tables.values() for type_ in (table.by, table.holds)}
        types |= {zone.of for zone in edition.zones.values()} | {figure.of for figure in edition.figures.values()}
        types |= {type_ for counter in edition.counters.values() for type_ in (counter.of, counter.holds)}
        parameters = [thing.parameters for thing in edition.figures.values()]
        parameters += [thing.parameters for thing in edition.steps.values()]
        return {canonical(type_) for type_ in types} | {
            canonical(type_.text) for of_one in parameters for _, type_ in of_one
        }

    def _check_power(self, changes: ChangeSet) -> None:
        """Warn of a power that no piece in play gives."""
        for kind in self.edition.kinds.values():
            if not kind.power_in:
                continue
            words = self.edition.words[kind.attributes[kind.power_word]].words
            index = list(kind.attributes).index(kind.power_word)
            if any(words[values[index]].name == changes.name for values, _ in kind.rows):
                return
        problem = messages.NO_PIECE_WITH_POWER(name=changes.name)
        self.report.warning(changes.place, problem, messages.LOOK_AT_COPIES())
