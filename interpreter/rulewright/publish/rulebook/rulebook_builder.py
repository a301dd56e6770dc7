"""Builder of a rulebook, chapter by chapter in the order of learning: components, set-up, a round, the rest."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from rulewright.authoring.scenarios.examples import Examples, examples
from rulewright.base.diagnostics import readable
from rulewright.base.rule_keys import RuleKey
from rulewright.game.library import Rules
from rulewright.game.rule_texts import length_limits
from rulewright.game.setup import check_options
from rulewright.i18n.languages import diagnostic_translator
from rulewright.i18n.localizer import ENGLISH, Phrase, phrase
from rulewright.model.declarations import Kind
from rulewright.model.edition import Edition
from rulewright.publish import scores
from rulewright.publish.rulebook.course_chapters import CourseChapters
from rulewright.publish.rulebook.examples import UnplayableExample, example
from rulewright.publish.rulebook.model import (
    BookBlock,
    Box,
    Chapter,
    Example,
    Gallery,
    Paragraph,
    Rule,
    Rulebook,
    anchor,
)
from rulewright.publish.rulebook.options_chapter import OptionsChapter
from rulewright.publish.rulebook.passages import Passages
from rulewright.publish.rulebook.player_aid import player_aid
from rulewright.publish.rulebook.rulings import number_rulings
from rulewright.publish.rulebook.word_tables import word_tables

WORDS = (
    phrase("rulebook", "Contents"),
    phrase("rulebook", "p."),  # before the number of a page
    phrase("rulebook", "Example"),
    phrase("rulebook", "What happens"),
    phrase("rulebook", "Outcome"),
    phrase("rulebook", "the sentence with this number"),  # beside a number, in the key to the pictures of examples
    phrase("rulebook", "decides"),  # beside a ring: the piece that decides
    phrase("rulebook", "goes there"),  # beside an arrow
    phrase("rulebook", "comes there"),  # beside a plus
    phrase("rulebook", "can be chosen"),  # beside a dashed ring
    phrase("rulebook", "Table"),  # that one plays on
    phrase("rulebook", "Player"),
    phrase("rulebook", "New"),
    phrase("rulebook", "Changed"),
    phrase("rulebook", "Gone"),
    phrase("rulebook", "Search the rulebook"),
    phrase("rulebook", "Close"),  # contents, on a small screen
    phrase("rulebook", "Found:"),  # how many places
    phrase("rulebook", "Nothing was found."),
    phrase("rulebook", "Unfold all examples"),
    phrase("rulebook", "Dark colours"),  # rather than light ones
    phrase("rulebook", "The link was copied."),
    phrase("form", "{label}: {what}"),
    phrase("form", "{what} ({note})"),
    phrase("form", "{what},"),
)
"""Fixed words of a book's forms."""


class RulebookBuilder(Passages):
    """Builder of the chapters of a rulebook, in one language and for some options.

    options: chosen options that differ from the usual ones, by name; GameError for impossible choices. played: play the
    examples, which takes seconds; left_out: a sentence about each example that cannot be shown. Raises EditionError
    where a file of examples is invalid.
    """

    def __init__(
        self, rules: Rules, language: str = ENGLISH, options: Mapping[str, str] | None = None, *, played: bool = True
    ) -> None:
        choices = check_options(rules, options or {})
        example_set = examples(rules, choices) if played else Examples(rules, (), (), frozenset())
        super().__init__(example_set.rules, language, choices)
        left_out = list(example_set.left_out)
        self.examples: dict[str, list[Example]] = {}
        names: set[str] = set()
        for number, case in enumerate(example_set.cases, 1):
            anchor_ = anchor(f"example {case.name}")
            anchor_ = f"{anchor_}-{number}" if anchor_ in names or anchor_ == "example" else anchor_
            names.add(anchor_)
            try:
                played_example = replace(
                    example(case, anchor_, self.localizer), printed=case.name in example_set.printed
                )
                self.examples.setdefault(case.explains, []).append(played_example)
            except UnplayableExample as error:
                left_out.append(error.wording)
        translate = diagnostic_translator(language)
        self.left_out = [readable(wording.render(translate).strip()) for wording in left_out]

    @property
    def picture_errors(self) -> tuple[str, ...]:
        """Errors of pictures that the edition names and that had to be left out."""
        return tuple(self.pieces.faces.picture_errors.values())

    def rulebook(self) -> Rulebook:
        """Build the whole book."""
        edition, say = self.edition, self.say
        options = OptionsChapter(self)
        course = CourseChapters(self, options.optional_steps.keys())
        flow, powers, scoring = course.round(), self.powers(), self.scoring()
        phases = list(course.phases())
        chapters = [self.components(), course.setup(), flow, *phases, *self.words(), powers, scoring]
        chapters += [self.roles(), options.chapter()]
        chapters, rulings = number_rulings([*chapters, self.places()], self.rulings())
        chapters.append(self.chapter("rulings", phrase("rules", "Rulings"), rulings))
        aid = player_aid(flow, phases, powers, scoring, [anchor(key) for key in edition.aid])
        chapters += [self.origin(), self.sheet(), self.chapter("reference", phrase("rulebook", "At a glance"), aid)]
        chapters = [chapter for chapter in chapters if chapter.blocks]
        more_examples = self.chapter("examples", phrase("rulebook", "More examples"), [])
        return Rulebook(
            language=self.localizer.language,
            right_to_left=self.localizer.right_to_left,
            title=say(Phrase("title", edition.title)),
            edition=edition.edition,
            text=self.text("edition"),
            credits=self.credits(),
            cover=self.picture(self.pieces.faces.pictures.cover),
            facts=tuple(self.facts()),
            chapters=tuple(_insert_examples(chapters, self.examples, more_examples)),
            words={word.text: self.localizer.template(word) for word in WORDS},
        )

    def players(self) -> tuple[str, str]:
        """Return the label and the number of players."""
        return self.say(phrase("rulebook", "Players")), self.localizer.span(*self.edition.people)

    def facts(self) -> Iterator[tuple[str, str]]:
        """Yield the facts of the box, each with its label."""
        yield self.players()
        if self.edition.minutes:
            yield self.say(phrase("rulebook", "Minutes")), self.localizer.span(*self.edition.minutes)
        if self.edition.age:
            yield self.say(phrase("rulebook", "Age")), self.localizer.number(self.edition.age) + "+"

    # ── chapters ──

    def components(self) -> Chapter:
        """Return the chapter on components, with the properties of words, and the tokens that track counters."""
        galleries = (self.gallery(kind) for kind in self.edition.kinds.values() if kind.rows and self.is_included(kind))
        blocks: list[BookBlock] = [*self.rules_in("boards"), *galleries]
        blocks += [*word_tables(self.edition, self.localizer), *self.tokens()]
        return self.chapter("components", phrase("rulebook", "Components"), blocks)

    def places(self) -> Chapter:
        """Return the chapter on what is on the table: zones, and counters without tokens."""
        counted = [name for name in self.names("counters") if name not in self.edition.tokens]
        return self.chapter(
            "places", phrase("rules", "On the table"), [*self.rules_in("zones"), *self.rules_in("counters", counted)]
        )

    def words(self) -> Iterator[Chapter]:
        """Yield a chapter on the texts of each word list."""
        for name in self.edition.words:
            keys = (key for key in self.texts.rule_keys() if key.words == name)
            rules = (self.rule(key, self.picture(key.name)) for key in keys)
            yield self.chapter(RuleKey.of("words", name), self.terms.words(name), filter(None, rules))

    def powers(self) -> Chapter:
        """Build the chapter on powers, each with its picture; without rules if there are none."""
        pictures = {name: self.picture(f"power-{name}") for name in self.names("powers")}
        rules = (self.rule(RuleKey.of("powers", name), picture) for name, picture in pictures.items())
        return self.chapter("powers", phrase("rules", "Powers"), filter(None, rules))

    def roles(self) -> Chapter:
        """Build the chapter on virtual players."""
        rules = (self.rule(RuleKey.of("roles", name), self.picture(name)) for name in self.names("roles"))
        boxes = [_split_into_box(rule) for rule in rules if rule is not None]
        title = phrase("rulebook", "Virtual player") if len(boxes) == 1 else phrase("rulebook", "Virtual players")
        return self.chapter("roles", title, boxes)

    def scoring(self) -> Chapter:
        """Build the chapter on scoring: each line, the ranking, and the limit of a game, if any."""
        lines = [self.rule(RuleKey.of("scoring", line.name)) for line in self.edition.scoring]
        lines += [self.rule("ranking"), self.limit()]
        return self.chapter("scoring", scoring_title(self.edition), filter(None, lines))

    def limit(self) -> Rule | None:
        """Return the rule about the limit where every game ends, or None."""
        if self.edition.tree.get("limit") is None:
            return None
        text = " ".join(map(self.say, length_limits(self.edition)))
        return Rule(anchor("limit"), self.localizer.title(self.terms.rule("limit")), text)

    def origin(self) -> Chapter:
        """Build the chapter about the rulebook: credits, and what was reconstructed."""
        guesses = tuple(
            Paragraph(self.localizer.title(self.terms.reconstruction_note(place)))
            for place in self.edition.reconstructed
        )
        box = [Box(self.say(phrase("rulebook", "What we had to reconstruct")), guesses)] if guesses else []
        disclaimer = phrase(
            "rulebook",
            "This rulebook was written independently. It is not an official one.",
        )
        # A game without credits is its writer's own.
        credits = [Paragraph(f"{self.credits()}."), Paragraph(self.say(disclaimer))] if self.edition.credits else []
        return self.chapter("origin", phrase("rulebook", "About this rulebook"), [*credits, *box])

    def sheet(self) -> Chapter:
        """Build the chapter with the score sheet; without rules if the game has none."""
        score_sheet = scores.score_sheet(self.edition, self.localizer)
        return self.chapter(
            "sheet", phrase("rulebook", "Score sheet"), [score_sheet] if score_sheet is not None else []
        )

    def rulings(self) -> list[tuple[str, Rule]]:
        """List the rulings, each with the anchor of its rule."""
        rules = (
            (ruling.about, self.rule(RuleKey.of("rulings", name))) for name, ruling in self.edition.rulings.items()
        )
        return [(anchor(about), rule) for about, rule in rules if rule is not None]

    # ── parts ──

    def gallery(self, kind: Kind) -> Gallery:
        """Return the sorts of a kind of piece."""
        key, signs = RuleKey.of("pieces", kind.name), self.pieces.faces.signs(kind)
        sorts, title = self.pieces.sorts(kind), self.localizer.title(self.terms.kind(kind))
        return Gallery(anchor(key), title, self.text(key), sorts, key=signs)

    def is_included(self, kind: Kind) -> bool:
        """Return whether the chosen options include such pieces."""
        look = self.edition.looks.get(kind.name)
        return look is None or all(self.texts.options[name] == choice for name, choice in look.only_with.items())

    def tokens(self) -> Iterator[Gallery]:
        """Yield the tokens that track counters, with the counters' texts."""
        for name in self.edition.counters:
            key, token = RuleKey.of("counters", name), self.edition.tokens.get(name)
            if token is not None:
                title = self.localizer.title(self.terms.tokens(name))
                yield Gallery(anchor(key), title, self.text(key), self.pieces.tokens(token))

    def credits(self) -> str:
        """Return the credits, in the language; '' if there are none."""
        return self.say(self.terms.credits()) if self.edition.credits else ""


def scoring_title(edition: Edition) -> Phrase:
    """Return the title of the part on winning: without points, nothing is scored."""
    return phrase("rules", "Scoring") if edition.scoring else phrase("rules", "Who wins")


_LABEL = re.compile(r"(?:^|(?<=[.!?]\s))(\w[^.:!?]{0,24}?)\s?:\s")
"""Beginning of a sentence that names its subject with a colon."""


def _split_into_box(rule: Rule) -> Box:
    """Return a long rule as a box: parts with a label, as in 'Ties: …', become rules of their own."""
    opening, *labelled = _LABEL.split(rule.text)
    parts: list[Paragraph | Rule] = [Paragraph(opening.strip())] if opening.strip() else []
    pairs = zip(labelled[::2], labelled[1::2], strict=True)
    parts += [Rule("", label, text.strip()[:1].upper() + text.strip()[1:]) for label, text in pairs]
    return Box(rule.title, tuple(parts), rule.anchor, rule.picture)


def _insert_examples(
    chapters: Iterable[Chapter], examples: Mapping[str, Sequence[Example]], rest: Chapter
) -> Iterator[Chapter]:
    """Insert each example behind its rule, or at the end of the chapter; others become the last chapter. rest:
    that chapter, still empty."""
    remaining = {anchor(key): shown for key, shown in examples.items()}
    for chapter in chapters:
        blocks: list[BookBlock] = []
        inside: list[Example] = []
        pending: list[Example] = []
        for block in chapter.blocks:
            if not (isinstance(block, Box) and not block.anchor):  # what a rule lets one choose stays with it
                blocks, pending = [*blocks, *pending], []
            blocks.append(block)
            if isinstance(block, Rule) or (isinstance(block, Box) and block.anchor):
                pending += remaining.pop(block.anchor, [])
            for inner in block.blocks if isinstance(block, Box) else ():
                inside += remaining.pop(inner.anchor, []) if isinstance(inner, Rule) else []
        blocks += pending
        yield replace(chapter, blocks=(*blocks, *inside, *remaining.pop(chapter.anchor, [])))
    if remaining:
        yield replace(rest, blocks=tuple(shown for listed in remaining.values() for shown in listed))
