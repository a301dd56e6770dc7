"""Contents of a rulebook, in the order of learning: components, set-up, a round, the rest."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from rulewright.authoring.edition_texts import body_lines
from rulewright.authoring.rule_index import RuleIndex
from rulewright.authoring.scenarios.examples import Examples, examples
from rulewright.base.rule_keys import RuleKey
from rulewright.game.library import Rules
from rulewright.game.rule_texts import RuleTexts, limit_told
from rulewright.game.setup import check_options
from rulewright.game.terms import Terms, localizer_of
from rulewright.i18n.localizer import ENGLISH, Phrase, phrase
from rulewright.model.declarations import Edition, Kind
from rulewright.model.pictures import PictureError
from rulewright.model.reader.section import items
from rulewright.publish import scores
from rulewright.publish.rulebook import setup_pictures
from rulewright.publish.rulebook.examples import UnplayableExample, example
from rulewright.publish.rulebook.menus import Menus
from rulewright.publish.rulebook.model import (
    BookBlock,
    Box,
    Chapter,
    Example,
    Flow,
    Gallery,
    Link,
    Paragraph,
    Rule,
    Rulebook,
)
from rulewright.publish.rulebook.pieces import Pieces
from rulewright.publish.rulebook.player_aid import player_aid
from rulewright.publish.rulebook.round_outline import RoundOutline
from rulewright.publish.rulebook.rulings import number_rulings
from rulewright.publish.rulebook.word_tables import word_tables
from rulewright.syntax.source import MappingNode, Node

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

_LABEL = re.compile(r"(?:^|(?<=[.!?]\s))(\w[^.:!?]{0,24}?)\s?:\s")
"""Beginning of a sentence that names its subject with a colon."""


class Contents:
    """Content of a rulebook.

    options: chosen options that differ from the usual ones, by name; GameError for impossible choices. played: play the
    examples, which takes seconds; left_out: a sentence about each example that cannot be shown. Raises EditionError
    where a file of examples is invalid.
    """

    def __init__(
        self, rules: Rules, language: str = ENGLISH, options: Mapping[str, str] | None = None, *, played: bool = True
    ) -> None:
        chosen = check_options(rules, options or {})
        example_set = examples(rules, chosen) if played else Examples(rules, (), (), frozenset())
        self.rules, self.edition = example_set.rules, rules.edition
        self.localizer = localizer_of(rules.edition, language)
        self.texts = RuleTexts(example_set.rules, chosen)
        self.terms, self.pieces = Terms(rules.edition), Pieces(example_set.rules, self.localizer, chosen)
        self.optional_steps, self.menus = dict(self.only_with_options()), Menus(rules.edition)
        self.left_out = list(example_set.left_out)
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
                self.left_out.append(str(error))

    @property
    def picture_errors(self) -> tuple[str, ...]:
        """Errors of pictures that the edition names and that had to be left out."""
        return tuple(self.pieces.faces.picture_errors.values())

    def rulebook(self) -> Rulebook:
        edition, say = self.edition, self.say
        flow, powers, scoring = self.round(), self.powers(), self.scoring()
        course = list(self.course())
        chapters = [self.components(), self.setup(), flow, *course, *self.words(), powers, scoring]
        chapters += [self.roles(), self.options()]
        chapters, rulings = number_rulings([*chapters, self.places()], self.rulings())
        chapters.append(self.chapter("rulings", phrase("rules", "Rulings"), rulings))
        aid = player_aid(flow, course, powers, scoring, [anchor(key) for key in edition.aid])
        chapters += [self.origin(), self.sheet(), self.chapter("reference", phrase("rulebook", "At a glance"), aid)]
        return Rulebook(
            language=self.localizer.language,
            right_to_left=self.localizer.right_to_left,
            title=say(Phrase("title", edition.title)),
            edition=edition.edition,
            text=self.text("edition"),
            credits=self.credits(),
            cover=self.picture(self.pieces.faces.pictures.cover),
            facts=tuple(self.facts()),
            chapters=tuple(self.with_examples(chapter for chapter in chapters if chapter.blocks)),
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

    def setup(self) -> Chapter:
        setup = self.edition.tree.get("setup")
        blocks_before: list[BookBlock] = []
        steps: list[Rule] = []
        for block in self.part("setup", setup):
            if not isinstance(block, Rule):
                blocks_before.append(block)
            elif block.anchor not in self.optional_steps:
                steps.append(block)
        rules = {rule.anchor: replace(rule, number=number) for number, rule in enumerate(steps, 1)}
        names = {key.name: rules[anchor_].number for key in self.texts.told() if (anchor_ := anchor(key)) in rules}
        picture = setup_pictures.setup_picture(self.rules, self.texts.options, self.localizer, names)
        table = setup_pictures.figures_by_players(self.edition, self.texts, self.localizer)
        blocks = [*blocks_before, *([picture] if picture is not None else []), *([table] if table is not None else [])]
        blocks += rules.values()
        return replace(self.chapter("setup", phrase("phase", "Set-up"), blocks), picture=self.rule_picture("setup"))

    def round(self) -> Chapter:
        """Return the chapter with a round at a glance: its phases, or the steps of a single one, in order or not."""
        phases, course = self.edition.phases, RoundOutline(self.edition)
        title, ending = phrase("rulebook", "A round"), course.ending_phase()
        steps = course.steps(set(self.texts.told()))
        links = tuple(Link(anchor(k), self.localizer.title(self.terms.rule(k)), self.rule_picture(k)) for k in steps)
        ends = phrase("rulebook", "Rounds follow one another until the game ends.")
        if ending is not None and len(phases) > 1:
            name = self.localizer.title(self.terms.phase(ending.name))
            ends = phrase("rulebook", "Then the next round begins, unless the game ends: see “{phase}”.", phase=name)
        flow = [Flow(links, self.say(ends), ordered=len(phases) > 1)] if len(links) > 1 else []
        return self.chapter("round", title, flow)

    def course(self) -> Iterator[Chapter]:
        """Yield a chapter for each phase, each with those of its steps that are phases of another edition."""
        phases = self.edition.tree.get("phases")
        declared = {key.text: node for key, node in items(phases)}
        own_names = {phase.name for phase in self.edition.phases}
        for phase in self.edition.phases:
            blocks = list(self.part(RuleKey.of("phases", phase.name), declared[phase.name]))
            lines = " ".join(body_lines(phase.body, with_texts=False))
            for name in (name for name in declared if name not in own_names):
                if f"do {name}" in lines:
                    blocks += self.within(name, declared[name])
            key = RuleKey.of("phases", phase.name)
            yield replace(self.chapter(key, self.terms.phase(phase.name), blocks), picture=self.rule_picture(key))

    def within(self, name: str, node: Node) -> Iterator[BookBlock]:
        """Yield a phase of another edition that is a step of this one."""
        if (rule := self.rule(RuleKey.of("steps", name), self.rule_picture(RuleKey.of("phases", name)))) is not None:
            yield rule
        yield from self.part("", node)

    def words(self) -> Iterator[Chapter]:
        """Yield a chapter on the texts of each word list."""
        for name in self.edition.words:
            keys = (key for key in self.texts.told() if key.words == name)
            rules = (self.rule(key, self.picture(key.name)) for key in keys)
            yield self.chapter(RuleKey.of("words", name), self.terms.words(name), filter(None, rules))

    def powers(self) -> Chapter:
        pictures = {name: self.picture(f"power-{name}") for name in self.names("powers")}
        rules = (self.rule(RuleKey.of("powers", name), picture) for name, picture in pictures.items())
        return self.chapter("powers", phrase("rules", "Powers"), filter(None, rules))

    def roles(self) -> Chapter:
        rules = (self.rule(RuleKey.of("roles", name), self.picture(name)) for name in self.names("roles"))
        boxes = [self.split_into_box(rule) for rule in rules if rule is not None]
        title = phrase("rulebook", "Virtual player") if len(boxes) == 1 else phrase("rulebook", "Virtual players")
        return self.chapter("roles", title, boxes)

    @staticmethod
    def split_into_box(rule: Rule) -> Box:
        """Return a long rule as a box: parts with a label, as in 'Ties: …', become rules of their own."""
        opening, *labelled = _LABEL.split(rule.text)
        parts: list[Paragraph | Rule] = [Paragraph(opening.strip())] if opening.strip() else []
        pairs = zip(labelled[::2], labelled[1::2], strict=True)
        parts += [Rule("", label, text.strip()[:1].upper() + text.strip()[1:]) for label, text in pairs]
        return Box(rule.title, tuple(parts), rule.anchor, rule.picture)

    def scoring(self) -> Chapter:
        lines = [self.rule(RuleKey.of("scoring", line.name)) for line in self.edition.scoring]
        lines += [self.rule("ranking"), self.limit()]
        return self.chapter("scoring", scoring_title(self.edition), filter(None, lines))

    def limit(self) -> Rule | None:
        """Return the rule about the limit where every game ends, or None."""
        if self.edition.tree.get("limit") is None:
            return None
        text = " ".join(map(self.say, limit_told(self.edition)))
        return Rule(anchor("limit"), self.localizer.title(self.terms.rule("limit")), text)

    def options(self) -> Chapter:
        """Return the chapter on options: chosen ones, then the others in a box."""
        agreed: list[BookBlock] = []
        unchosen: list[Rule] = []
        for name in self.edition.options:
            rule = self.rule(RuleKey.of("options", name))
            if rule is not None and self.texts.options[name] == "no":
                unchosen += [rule, *self.steps_of_option(name)]
            elif rule is not None:
                chosen_rules, others = self.choices(name, rule)
                agreed.append(Box(rule.title, (Paragraph(rule.text), *chosen_rules)) if chosen_rules else rule)
                unchosen += others
        box = (
            [Box(self.say(phrase("rulebook", "Variants (only if everyone agrees)")), tuple(unchosen))]
            if unchosen
            else []
        )
        return self.chapter("options", phrase("rules", "Options"), [*agreed, *box])

    def only_with_options(self) -> Iterator[tuple[str, str]]:
        """Yield the set-up steps that only an unchosen option leads to: their anchors, and that option."""
        rule_index = RuleIndex(self.edition)
        for key in self.texts.told():
            options = rule_index.only_with(key) if rule_index.section(key) == "setup" and key != "setup" else set()
            if options and all(self.texts.options[name] == "no" for name in options):
                yield anchor(key), min(options)

    def steps_of_option(self, option: str) -> list[Rule]:
        """List the set-up steps that only this option leads to."""
        steps = (key for key in self.texts.told() if self.optional_steps.get(anchor(key)) == option)
        return [rule for key in steps if (rule := self.rule(key)) is not None]

    def choices(self, name: str, option: Rule) -> tuple[list[Rule], list[Rule]]:
        """Return the rules of an option's chosen choice, and of its other choices."""
        rules = {
            choice: self.rule(RuleKey.of("options", name, choice)) for choice in self.edition.options[name].choices
        }
        rules_with_text = {choice: rule for choice, rule in rules.items() if rule is not None}
        chosen_rule = rules_with_text.pop(self.texts.options[name], None)
        others = [
            replace(rule, title=self.localizer.entry(option.title, rule.title)) for rule in rules_with_text.values()
        ]
        return [chosen_rule] if chosen_rule is not None else [], others

    def origin(self) -> Chapter:
        guesses = tuple(
            Paragraph(self.localizer.title(self.terms.guess(place))) for place in self.edition.reconstructed
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

    def with_examples(self, chapters: Iterable[Chapter]) -> Iterator[Chapter]:
        """Insert each example behind its rule, or at the end of the chapter; others become the last chapter."""
        remaining = {anchor(key): shown for key, shown in self.examples.items()}
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
        rest = [shown for listed in remaining.values() for shown in listed]
        if rest:
            yield self.chapter("examples", phrase("rulebook", "More examples"), rest)

    # ── parts ──

    def part(self, key: str, node: object) -> Iterator[BookBlock]:
        """Yield the text of a phase or the set-up, then its steps."""
        if text := self.text(key):
            yield Paragraph(text)
            yield from self.branches(RuleKey(key))
        for step, _ in items(node.get("steps") if isinstance(node, MappingNode) else None):
            if (rule := self.rule(RuleKey.of("steps", step.text))) is not None:
                yield rule
                yield from self.branches(RuleKey.of("steps", step.text))

    def branches(self, key: RuleKey) -> Iterator[Box]:
        """Yield the choices in menus of a rule that no text mentions."""
        for menu in self.menus.undescribed(key):
            title = menu.ask if menu.ask is not None else phrase("rulebook", "One of these")
            yield Box(self.say(title), tuple(Paragraph(self.say(branch)) for branch in menu.branches))

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
        return self.say(self.terms.credits()) if self.edition.credits else ""

    def chapter(self, key: str, title: Phrase, blocks: Iterable[BookBlock]) -> Chapter:
        return Chapter(anchor(key), self.localizer.title(title), tuple(blocks))

    def rule(self, key: str, picture: str = "") -> Rule | None:
        text = self.text(key)
        picture_ = picture or self.rule_picture(key)
        return Rule(anchor(key), self.localizer.title(self.terms.rule(key)), text, picture_) if text else None

    def rule_picture(self, key: str) -> str:
        """Return the picture that the edition gives to a rule."""
        name = self.edition.rule_pictures.get(key)
        return self.pieces.faces.picture(name.text) if name is not None else ""

    def rules_in(self, section: str, names: Iterable[str] | None = None) -> list[Rule]:
        """List the rules with a text in a section, or for some of its names, in its order."""
        known_names = self.names(section) if names is None else names
        return [rule for name in known_names if (rule := self.rule(RuleKey.of(section, name))) is not None]

    def names(self, section: str) -> list[str]:
        return [key.name for key in self.texts.told() if key.section == section]

    def text(self, key: str) -> str:
        rule = self.texts.rule(key)
        return self.say(rule) if rule is not None else ""

    def say(self, text: Phrase) -> str:
        return self.localizer.say(text)

    def picture(self, name: str) -> str:
        """Return a picture by its name, or '' if it does not exist."""
        try:
            return self.pieces.faces.pictures.svg("-".join(name.lower().split()))
        except PictureError:
            return ""


def scoring_title(edition: Edition) -> Phrase:
    """Return the title of the part on winning: without points, nothing is scored."""
    return phrase("rules", "Scoring") if edition.scoring else phrase("rules", "Who wins")


def anchor(key: str) -> str:
    """Return the anchor of a rule in links."""
    return re.sub(r"[^a-z0-9]+", "-", key.lower()).strip("-")
