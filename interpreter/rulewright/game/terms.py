"""Names of an edition's items as phrases, each with its key in catalogs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from rulewright.base.rule_keys import RuleKey
from rulewright.i18n.languages import for_edition
from rulewright.i18n.localizer import Item, Localizer, Phrase, Term, phrase
from rulewright.model.declarations import NUMBER, SLOT, Kind
from rulewright.model.edition import Edition
from rulewright.model.editions import is_path
from rulewright.syntax.nouns import plural

_LEVELS = {"powers": "power", "roles": "role", "options": "option"}
"""Section of change sets -> their level."""


def localizer_of(edition: Edition, language: str) -> Localizer:
    """Return a localizer with the texts of an edition, and of those that it extends."""
    file = Path(edition.file) if is_path(edition.name) else None
    return for_edition(language, (edition.name, *edition.bases), file)


class Terms:
    """Names of one edition's items, given by their names in it; numbers of words count from 0.

    An unknown word list, kind, zone, counter, figure or step raises KeyError where it must be looked up; other unknown
    names become phrases of the name itself.
    """

    def __init__(self, edition: Edition) -> None:
        self.edition = edition

    def word(self, words: str, number: int) -> Term:
        """Return a word's noun; a space of a map without a noun is named by column and row in every language."""
        word = self.edition.words[words].words[number]
        for board in self.edition.boards.values() if word.noun.one == word.name else ():
            if board.positions and board.spaces == words:
                label = board.coordinates.label(board.positions[number])
                return Term("", label, label)
        return Term(f"words.{words}.{word.name}", word.noun.one, word.noun.many)

    def piece(self, kind: Kind, values: Sequence[int], count: int = 1) -> Term:
        """Return the noun of a piece with these values of its attributes; of a kind that borrows the noun of a word,
        that noun."""
        slots: list[tuple[str, Item]] = []
        for (attribute, type_), value in zip(kind.attributes.items(), values, strict=True):
            slots.append((attribute, str(value) if type_ == NUMBER else self.word(type_, value)))
        only = SLOT.fullmatch(kind.noun.one)
        noun = dict(slots).get(only[1]) if only else None
        if isinstance(noun, Term):
            return Term(noun.context, noun.one, noun.many, noun.slots, count)
        if noun is not None:
            return Term("", str(noun), str(noun), (), count)
        used = [(name, item) for name, item in slots if f"{{{name}}}" in kind.noun.one + kind.noun.many]
        return Term(f"pieces.{kind.name}", kind.noun.one, self.many(kind), tuple(used), count)

    @staticmethod
    def many(kind: Kind) -> str:
        """Return the plural of a kind's noun; of one that ends with a slot, such as '{colour} {value}', the noun
        itself."""
        return kind.noun.one if kind.noun.one.endswith("}") else kind.noun.many

    def kind(self, kind: Kind) -> Phrase:
        """Return the heading for pieces of a kind."""
        total = sum(count for _, count in kind.rows)
        noun = kind.noun.one if total == 1 else kind.noun.many
        return Phrase(f"pieces.{kind.name}.title", (plural(kind.name) if "{" in noun else noun).capitalize())

    def any_of_kind(self, kind: Kind, count: int) -> Term:
        """Return the noun of any pieces of a kind, with their number, without their attributes."""
        if "{" not in kind.noun.one:
            return Term(f"pieces.{kind.name}", kind.noun.one, self.many(kind), (), count)
        return Term(f"pieces.{kind.name}.any", kind.name, plural(kind.name), (), count)

    def face_down(self, count: int, kinds: Iterable[str]) -> Phrase:
        """Return a text that names a number of unknown pieces, which may be of these kinds, as face down."""
        return phrase("table", "{pieces}, face down", pieces=self.any_of_kinds(count, kinds))

    def any_of_kinds(self, count: int, kinds: Iterable[str]) -> Term:
        """Return the noun of pieces of these kinds, with their number: of a single kind, 'cards', or 'pieces'."""
        kinds_in_use = [kind for name in kinds if (kind := self.edition.kinds[name]).rows]
        if len(kinds_in_use) == 1:
            return self.any_of_kind(kinds_in_use[0], count)
        if kinds_in_use and all((look := self.edition.looks.get(kind.name)) and look.card for kind in kinds_in_use):
            return Term("piece", "card", "cards", (), count)
        return Term("piece", "piece", "pieces", (), count)

    def zone(self, name: str) -> Term:
        """Return the heading of a zone."""
        return Term(f"zones.{name}", self.edition.zones[name].noun.heading, "")

    def counter(self, name: str) -> Term:
        """Return the heading of a counter."""
        counter = self.edition.counters[name]
        return Term(f"{'words' if counter.side else 'counters'}.{name}", counter.noun.heading, "")

    def tokens(self, name: str) -> Phrase | Term:
        """Return the heading for the tokens of a counter, which must have some."""
        token = self.edition.tokens[name]
        if token.noun is None:
            return self.counter(name)
        noun = token.noun.one if sum(token.copies.values()) == 1 else token.noun.many
        return Phrase(f"tokens.{name}", noun.capitalize())

    def words(self, name: str) -> Phrase:
        """Return the title of a word list."""
        return Phrase(f"words.{name}", name)

    def attribute(self, words: str, name: str) -> Phrase:
        """Return the title of an attribute of a word list."""
        return Phrase(f"words.{words}.has.{name}", name)

    def letter(self, board: str, letter: str) -> Phrase:
        """Return the letter that marks a type of space on a map, as a phrase."""
        return Phrase(f"boards.{board}.letters.{letter}", letter)

    def phase(self, name: str) -> Phrase:
        """Return the title of a phase; the name itself if there is no such phase, 'Set-up' for ''."""
        title = next((phase.title for phase in self.edition.phases if phase.name == name), name)
        return Phrase(f"phases.{name}.title", title) if name else phrase("phase", "Set-up")

    def score(self, name: str) -> Phrase:
        """Return the title of a scoring line; the name itself if there is no such line."""
        title = next((line.title for line in self.edition.scoring if line.name == name), name)
        return Phrase(f"scoring.{name}.title", title)

    def points_from(self, step: str) -> Phrase:
        """Return the title of the points that a step or a phase brings; 'At the start' for those of the set-up, ''."""
        edition = self.edition
        if not step:
            return phrase("score", "At the start")
        if step in edition.step_points_titles:
            return Phrase(f"looks.points from.{step}", edition.step_points_titles[step])
        return self.rule(f"{'steps' if step in edition.steps else 'phases'}.{step}")

    def option(self, name: str) -> Phrase:
        """Return the title of an option."""
        return Phrase(f"options.{name}", name)

    def choice(self, option: str, name: str) -> Phrase:
        """Return the title of an option's choice."""
        if name == "yes":
            return phrase("answer", "yes")
        return phrase("answer", "no") if name == "no" else Phrase(f"options.{option}.choices.{name}", name)

    def figure(self, name: str) -> Phrase:
        """Return the title of a figure in tables: its noun, which may be ''."""
        return Phrase(f"values.{name}", self.edition.figures[name].noun)

    def reconstruction_note(self, place: str) -> Phrase:
        """Return the note on a rule that the published rules leave open and the edition had to reconstruct. place: key
        of the rule, as in `Edition.reconstructed`."""
        return Phrase(f"reconstructed.{place}", " ".join(self.edition.reconstructed[place].split()))

    def series(self) -> Phrase:
        """Return the series under which lists show the game."""
        return Phrase("series", self.edition.series)

    def credits(self) -> Phrase:
        """Return the edition's credits."""
        return Phrase("credits", self.edition.credits)

    def title(self) -> Phrase:
        """Return the game's title with its edition, in the same order in every language."""
        return phrase(
            "title", "{title} {edition}", title=Phrase("title", self.edition.title), edition=self.edition.edition
        )

    def word_title(self, key: RuleKey) -> Phrase:
        """Return the heading of a word's rules. Raises ValueError for an unknown word."""
        [word] = [word for word in self.edition.words[key.words].words if word.name == key.name]
        return Phrase(f"{key}.title", word.title or word.noun.one.capitalize())

    def rule(self, key: str) -> Phrase:
        """Return the heading of a rule, given by its key: 'phases.NAME', 'options.NAME.choices.CHOICE' and others."""
        place = RuleKey(key)
        section, name = place.section, place.name
        if place.choice:
            return self.choice(name, place.choice)
        if section == "phases":
            return self.phase(name)
        if section == "scoring":
            return self.score(name)
        if section in _LEVELS:
            sets = (s for s in self.edition.change_sets if s.level == _LEVELS[section] and s.name == name)
            title = next((found.title for found in sets), name)
            return self.option(name) if section == "options" else Phrase(f"{key}.title", title)
        if key == "edition":
            return self.title()
        if key == "setup":
            return phrase("phase", "Set-up")
        if key == "ranking":
            return phrase("heading", "Ranking")
        if key == "limit":
            return phrase("heading", "Limit")
        if section == "words":
            return self.word_title(place)
        if section == "pieces":
            return self.kind(self.edition.kinds[name])
        if section == "zones":
            return Phrase(key, self.edition.zones[name].noun.heading)
        if section == "counters":
            return Phrase(key, self.edition.counters[name].noun.heading)
        if section == "steps":
            return Phrase(key, self.edition.steps[name].title)
        return Phrase(f"{key}.title", (name or section).capitalize())
