"""Templates for translators: every text of an edition, with its role and the possible values of its slots."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache

from rulewright.authoring.scenarios import cases
from rulewright.authoring.scenarios.examples import sources, with_texts
from rulewright.base.records import record
from rulewright.base.rule_keys import RuleKey
from rulewright.game import library
from rulewright.game.game import Game
from rulewright.game.library import Rules
from rulewright.game.terms import Terms
from rulewright.i18n.catalog_update import LOG, PROMPTS, RULES, SORTS, TERMS, CatalogMessage, SlotKind
from rulewright.i18n.localizer import Localizer, Phrase, Term, english, phrase
from rulewright.model.declarations import NUMBER, NUMBERS, PLAIN
from rulewright.model.edition import Edition
from rulewright.players.seating import missing_roles, read_seats, role_seat
from rulewright.program.form import Program, Text
from rulewright.program.value_types import Type
from rulewright.syntax.nouns import plural
from rulewright.syntax.source import Scalar


def messages(editions: Iterable[Rules]) -> list[CatalogMessage]:
    """Return the texts of editions that share a catalog, each once, terms first."""
    by_source: dict[tuple[str, str], CatalogMessage] = {}
    for rules in editions:
        for message in _MessageCollector(rules).all():
            by_source.setdefault((message.context, message.one), message)
    return sorted(by_source.values(), key=lambda message: SORTS.index(message.sort))


@cache
def family_messages(domain: str) -> Sequence[CatalogMessage]:
    """Return the texts of the shipped editions that share a catalog. Raises EditionError if one has errors."""
    return messages([library.load(name) for name in library.available() if name.partition("/")[0] == domain])


def own_messages(rules: Rules) -> list[CatalogMessage]:
    """Return the texts of an edition in a file of its own, without those of the shipped editions that it extends.

    The latter are translated in their own catalogs.
    """
    shipped_names = library.available()
    shipped = {
        (message.context, message.one)
        for base in rules.edition.bases
        if base in shipped_names
        for message in family_messages(base.partition("/")[0])
    }
    return [message for message in messages([rules]) if (message.context, message.one) not in shipped]


_EXAMPLE_COMMENTS = {
    "text": "An example in the rulebook: the story so far.",
    "tell": "An example in the rulebook: said of what has happened, to explain it.",
    "teach": "A lesson: said to whoever plays it, before they decide or at its end.",
}
"""Comments for translators on the texts of an example, by key."""


class _MessageCollector:
    """Collector of the texts of one edition."""

    def __init__(self, rules: Rules) -> None:
        self.edition: Edition = rules.edition
        self.terms = Terms(rules.edition)
        example_sources = list(sources(rules.edition))
        read, errors = with_texts(rules, example_sources)
        self.examples = [each for each in example_sources if not any(each is other for other, _ in errors)]
        self.programs: list[Program] = [read.machine(seats).program for seats in rules.edition.seat_counts()]
        self.places = _text_places(
            [rules.edition.tree, *(each.name for each in example_sources), *(each.body for each in example_sources)]
        )

    def all(self) -> Iterator[CatalogMessage]:
        """Yield all messages, also equal ones."""
        yield from self.names()
        yield from self.sentences()

    def names(self) -> Iterator[CatalogMessage]:
        """Yield what things are called: the game, words, pieces, zones, counters, options and headings."""
        yield self.phrase(Phrase("title", self.edition.title), "The game's name.")
        yield from self.word_lists()
        yield from self.pieces()
        yield from self.zones_and_counters()
        for changes in self.edition.change_sets:
            if changes.level in ("power", "role"):
                rule = RuleKey.of(f"{changes.level}s", changes.name)
                yield self.phrase(self.terms.rule(rule), f"The name of a {changes.level}.")
        yield from self.spaces()
        yield from self.options()
        yield from self.headings()

    def word_lists(self) -> Iterator[CatalogMessage]:
        """Yield the messages of the lists of words and of what is told of each word."""
        edition, terms = self.edition, self.terms
        spaces = {board.spaces for board in edition.boards.values() if board.positions}
        for name, words in edition.words.items():
            comment = f"What tells of {_with_article(name)}."
            if name in spaces:  # they are called by their column and row; only what is counted of them needs words
                for attribute, value_type in words.attributes.items():
                    if value_type in NUMBERS and not any(
                        board.is_coordinate(attribute) for board in edition.boards.values()
                    ):
                        yield self.phrase(terms.attribute(name, attribute), comment)
                continue
            explained = any(word.text for word in words.words)
            if words.attributes or words.tables or name == edition.sides or explained:
                yield self.phrase(terms.words(name), "What a list of words is called.")
            for attribute in (*words.attributes, *words.tables):
                yield self.phrase(terms.attribute(name, attribute), comment)
            for number in range(len(words.words)):
                yield self.term(terms.word(name, number), f"{_with_article(name).capitalize()}.", inflected=True)

    def pieces(self) -> Iterator[CatalogMessage]:
        """Yield what kinds of piece, and pieces, are called."""
        terms, kinds = self.terms, [kind for kind in self.edition.kinds.values() if kind.rows]
        for kind in kinds:
            yield self.phrase(terms.kind(kind), "What pieces of a kind are called together: a heading.")
            term = terms.piece(kind, kind.rows[0][0])
            if term.context == RuleKey.of("pieces", kind.name):
                lists = {
                    attribute: "a number" if value_type == NUMBER else _with_article(value_type)
                    for attribute, value_type in kind.attributes.items()
                }
                slot_comments = [
                    f"{{{name}}}: {description}" for name, description in lists.items() if f"{{{name}}}" in term.one
                ]
                slots = (
                    (n, SlotKind.NUMBER if value_type == NUMBER else SlotKind.THING)
                    for n, value_type in kind.attributes.items()
                )
                message = self.term(term, f"A piece: {kind.name}.", *slot_comments, inflected=True)
                yield replace(message, slots=tuple(slots))
        for kind in kinds:
            term = terms.any_of_kind(kind, 1)
            if term.context != RuleKey.of("pieces", kind.name):
                yield self.term(term, "A piece, whatever stands on it.", inflected=True)

    def zones_and_counters(self) -> Iterator[CatalogMessage]:
        """Yield the messages of zones, counters and tokens."""
        edition, terms = self.edition, self.terms
        for name, zone in edition.zones.items():
            if zone.shown:
                yield self.term(terms.zone(name), "A place where pieces lie; the head of a column.")
        for name, counter in edition.counters.items():
            if counter.shown and not counter.side:
                yield self.term(terms.counter(name), "Something that is counted or noted; the head of a column.")
        for name, token in edition.tokens.items():
            if token.noun is not None and isinstance(heading := terms.tokens(name), Phrase):
                yield self.phrase(heading, "What the tokens of a counter are called together: a heading.")

    def spaces(self) -> Iterator[CatalogMessage]:
        """Yield the names of boards' spaces, and the letters of maps in the terminal."""
        edition, terms = self.edition, self.terms
        for board in edition.boards.values():
            spaces = edition.words[board.spaces]
            if board.positions and any(all(map(board.is_coordinate, word.attributes)) for word in spaces.words):
                yield self.phrase(terms.words(board.spaces), "What a space of the map is called.")
            for letter in dict.fromkeys(board.letters if PLAIN not in board.letters else ()):
                space = spaces.words[board.letters.index(letter)]
                attributes = ", ".join(
                    terms.word(value_type, value).one
                    for name, value in space.attributes.items()
                    if (value_type := spaces.attributes[name]) not in NUMBERS
                )
                comment = f"A letter on the terminal's map, no two alike: {attributes}."
                yield self.phrase(terms.letter(board.name, letter), comment)
            for number in range(len(spaces.words)) if board.positions else ():
                if (term := terms.word(board.spaces, number)).context:
                    yield self.term(term, "A space of the map that has a name of its own.", inflected=True)

    def options(self) -> Iterator[CatalogMessage]:
        """Yield the names of options, and of choices besides yes and no."""
        for name, option in self.edition.options.items():
            yield self.phrase(self.terms.option(name), "An option of the rules.")
            for choice in option.choices:
                if choice not in ("yes", "no"):
                    yield self.phrase(self.terms.choice(name, choice), f"What may be chosen for '{name}'.")

    def headings(self) -> Iterator[CatalogMessage]:
        """Yield the titles of figures, phases, score lines and rules."""
        edition, terms = self.edition, self.terms
        for key, _ in edition.figure_texts():
            yield self.phrase(terms.figure(RuleKey(key).name), "A figure: the head of a line in a table.")
        for phase in edition.phases:
            yield self.phrase(terms.phase(phase.name), "The title of a phase.")
        for line in edition.scoring:
            yield self.phrase(terms.score(line.name), "The title of a line of the final scores.")
        for step in edition.step_points_titles:
            yield self.phrase(terms.points_from(step), "What points come from: the head of a row of the score sheet.")
        for key in dict.fromkeys(key for program in self.programs for key in program.rules):
            if key.section in ("boards", "steps", "words", "rulings"):
                yield self.phrase(terms.rule(key), "The heading of a rule.")

    def sentences(self) -> Iterator[CatalogMessage]:
        """Yield questions, answers, log lines, measures, and texts of rules."""
        for program in self.programs:
            for site in program.sites:
                yield self.text(site.ask, PROMPTS, "A question to one player.")
                if site.none is not None:
                    yield self.text(site.none, PROMPTS, "An answer: to choose nothing.")
                if site.some is not None:
                    yield self.text(site.some, PROMPTS, "An answer, on a button: what is picked.")
                if site.whole is not None:
                    yield self.text(site.whole, PROMPTS, "An answer, on a button: everything.")
                if site.number_text is not None:
                    yield self.text(site.number_text, PROMPTS, "An answer, on a button: this number.")
                for text in site.branch_texts:
                    yield self.text(text, PROMPTS, "An answer.")
        for program in self.programs:
            for text in program.texts:
                if RuleKey(text.key).section != "phases":
                    comment = (
                        "A heading in the log, over the lines that follow." if text.heading else "A line of the log."
                    )
                    yield self.text(text, LOG, comment)
        for program in self.programs:
            for measure in program.measures:
                yield self.text(measure.title, RULES, "The title of a figure in statistics.")
                if measure.text is not None:
                    yield self.text(measure.text.text, RULES, "What a figure in statistics tells.")
            for rule in program.rules.values():
                yield self.text(rule.text, RULES, "A rule of the game.")
        if self.edition.series:
            yield self.rule_phrase(
                self.terms.series(), "A heading in the list of games, over those that belong together."
            )
        if self.edition.credits:
            yield self.rule_phrase(self.terms.credits(), "Who made the game; the names stay.")
        for example in self.examples:
            title = Phrase(f"{cases.key_of(example.name.text)}.title", example.name.text)
            yield self.rule_phrase(title, "The title of an example in the rulebook.")
            for key, scalar in cases.texts_of(example.name.text, example.body):
                comment = _EXAMPLE_COMMENTS[key.rpartition(".")[2]]
                yield self.text(self.programs[0].asides[key, " ".join(scalar.text.split())].text, RULES, comment)
        for place in self.edition.reconstructed:
            yield self.rule_phrase(
                self.terms.reconstruction_note(place), f"What the published rules do not say of '{place}'."
            )

    # ── messages ──

    def phrase(self, phrase: Phrase, comment: str) -> CatalogMessage:
        """Return the message of a phrase that names something."""
        return CatalogMessage(phrase.context, phrase.text, "", TERMS, False, (comment,), self.places_of(phrase.text))

    def rule_phrase(self, phrase: Phrase, comment: str) -> CatalogMessage:
        """Return the message of a phrase that is a text of the rules."""
        return CatalogMessage(phrase.context, phrase.text, "", RULES, False, (comment,), self.places_of(phrase.text))

    def term(self, term: Term, *comments: str, inflected: bool = False) -> CatalogMessage:
        """Return the message of a term, with its plural. inflected: whether a language may give it further forms."""
        return CatalogMessage(term.context, term.one, term.many, TERMS, inflected, comments, self.places_of(term.one))

    def text(self, text: Text, sort: str, comment: str) -> CatalogMessage:
        """Return the message of a text, with what its slots can be."""
        slot_comments = tuple(
            f"{{{name}}}: {_slot_values(type_)}" for name, type_ in zip(text.slots, text.types, strict=True)
        )
        kinds = tuple((name, _slot_kind(type_)) for name, type_ in zip(text.slots, text.types, strict=True))
        return CatalogMessage(
            text.key, text.text, "", sort, False, (comment, *slot_comments), self.places_of(text.text), kinds
        )

    def places_of(self, text: str) -> tuple[tuple[str, int], ...]:
        """Return where a text stands, () if that is unknown."""
        return self.places.get(text, ())


def _with_article(noun: str) -> str:
    """Return a noun with its article."""
    return english().say(phrase("", "[a] {noun}", noun=Term("", noun, plural(noun))))


def _slot_kind(type_: Type) -> SlotKind:
    """Return what a slot of a type holds, for translators."""
    match type_.base:
        case "seat":
            return SlotKind.PLAYERS if type_.many else SlotKind.PLAYER
        case "piece" | "word":
            return SlotKind.THINGS if type_.many else SlotKind.THING
        case "truth":
            return SlotKind.THING
    return SlotKind.NUMBER


def _slot_values(type_: Type) -> str:
    """Describe the possible values of a slot."""
    match type_.base:
        case "piece":
            kinds = type_.detail if isinstance(type_.detail, frozenset) else {type_.detail}
            pieces = f"pieces ({', '.join(sorted(kinds))})" if any(kinds) else "pieces"
            return f"a list of {pieces}" if type_.many else f"one of the {pieces}"
        case "seat":
            return "a list of players" if type_.many else "a player"
        case "word":
            return f"a list of {plural(str(type_.detail))}" if type_.many else _with_article(str(type_.detail))
        case "truth":
            return "yes or no"
    return "a number"


def _text_places(trees: Iterable[object]) -> dict[str, tuple[tuple[str, int], ...]]:
    """Map each text to its first occurrence: file without folders, and line."""
    places: dict[str, tuple[tuple[str, int], ...]] = {}
    worklist = list(trees)
    while worklist:
        node = worklist.pop()
        if isinstance(node, Scalar):
            file = node.place.file.replace("\\", "/").rpartition("/")[2]
            places[" ".join(node.text.split())] = ((file, node.place.line),)
        else:
            inner = getattr(node, "items", None)
            if callable(inner):
                for key, value in inner():
                    worklist += [value, key]
            elif isinstance(inner, list):
                worklist += inner
    return places


# ── examples ──


@record
class ExampleTexts:
    """Lines that a text gives with some values of its slots.

    missed: catalog entries, by context and text, that are missing, so that a part is in English.
    """

    lines: list[str]
    missed: dict[tuple[str, str], None]


def games(rules: Rules) -> Iterator[Game]:
    """Yield a game of an edition for each number of players, most first, with the virtual players that must join."""
    for people in range(rules.edition.people[1], rules.edition.people[0] - 1, -1):
        seats = read_seats(",".join(["you", *["random"] * (people - 1)]), rules.edition)
        seats += map(role_seat, missing_roles(seats, rules.edition))
        roles = {seat.name: seat.role for seat in seats if seat.role}
        yield Game.start(rules, [seat.name for seat in seats], None, 1, roles)


def examples(game: Game, localizer: Localizer, only: str = "") -> dict[str, ExampleTexts]:
    """Return lines for every text of a game, so many that each of its slots has each possible value once.

    The values are one and several, first and last of a list. The result is keyed by the texts' keys. localizer: its
    `missed` is emptied; only: key of the one text to return, '' for all.
    """
    examples_by_key: dict[str, ExampleTexts] = {}
    for text in (text for text in texts(game.program) if only in ("", text.key)):
        varieties = [list(_example_arguments(game, type_)) for type_ in text.types]
        example = examples_by_key.setdefault(text.key, ExampleTexts([], {}))
        for number in range(max(map(len, varieties), default=1)):
            localizer.missed.clear()
            arguments = [values[number % len(values)] for values in varieties]
            line = localizer.say(game.messages.text(text, arguments, 0))
            example.missed.update(dict.fromkeys(localizer.missed))
            if line not in example.lines:
                example.lines.append(line)
    return examples_by_key


def texts(program: Program) -> Iterator[Text]:
    """Yield every text of a program that people can read."""
    for site in program.sites:
        yield site.ask
        yield from (text for text in (site.none, site.some, site.whole) if text is not None)
        yield from [site.number_text] if site.number_text is not None else []
        yield from site.branch_texts
    yield from program.texts
    yield from (rule.text for rule in program.rules.values())
    yield from (rule.text for (key, _), rule in program.asides.items() if RuleKey(key).section != "values")
    yield from (line.title for line in program.scoring)
    for measure in program.measures:
        yield measure.title
        yield from [measure.text.text] if measure.text is not None else []


def _example_arguments(game: Game, type_: Type) -> Iterator[list[object]]:
    """Yield the possible values of a slot, as a program encodes them: each alone; of a list also three, equal ones, and
    none."""
    program = game.program
    match type_.base:
        case "piece":
            kinds = type_.detail if isinstance(type_.detail, frozenset) else frozenset()
            types = [number for number, look in enumerate(program.types) if not kinds or look.kind in kinds]
            zone = next((space.address for space in program.layout.zones if space.seen_by == "all"), None)
            hidden_zone = next((space.address for space in program.layout.zones if space.seen_by == "nobody"), None)
            zone_address = zone if zone is not None else program.layout.zones[0].address
            single: list[object] = [(look, zone_address) for look in types]
            hidden: list[object] = [(types[0], hidden_zone)] if hidden_zone is not None else []
        case "seat":
            single, hidden = list(range(program.layout.seats)), []
        case "word":
            single, hidden = list(range(len(program.words[str(type_.detail)]))), []
        case "truth":
            single, hidden = [0, 1], []
        case _:
            single, hidden = [1, 0, 2, 12, 1234], []
    yield from ([one] for one in single)
    if type_.many:
        yield from (single[start : start + 3] for start in range(0, len(single), 3))
        yield single[-1:] + single[:1]
        yield single[:1] * 2
        yield single[:1] + hidden * 2
        yield []
