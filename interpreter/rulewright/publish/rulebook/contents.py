"""The contents of a rulebook, in the order in which one learns a game: what there is, set-up, a round, the rest."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from rulewright.authoring.rule_index import Tellings
from rulewright.authoring.scenarios.examples import Examples, examples
from rulewright.authoring.wording import sentences
from rulewright.base.rule_keys import RuleKey
from rulewright.game.library import Rules
from rulewright.game.rule_texts import RuleTexts, limit_told
from rulewright.game.setup import check_options
from rulewright.game.terms import Terms, speech_of
from rulewright.i18n.localizer import ENGLISH, Phrase, phrase
from rulewright.model.declarations import Edition, Kind
from rulewright.model.pictures import PictureError
from rulewright.model.reader.section import items
from rulewright.publish import scores
from rulewright.publish.rulebook import setup_pictures
from rulewright.publish.rulebook.examples import Untold, example
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
from rulewright.publish.rulebook.round_outline import RoundCourse
from rulewright.publish.rulebook.rulings import with_rulings
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
"""What the forms of a book say themselves."""

_LABEL = re.compile(r"(?:^|(?<=[.!?]\s))(\w[^.:!?]{0,24}?)\s?:\s")
"""What a sentence begins with that names its subject first."""


class Contents:
    """What a rulebook says. options: those that are not as usual, by name; GameError for what cannot be chosen.

    played: whether examples are played, which takes seconds; left_out: of each that cannot be shown, a sentence that
    says why. Raises EditionError where a file of examples is none.
    """

    def __init__(
        self, rules: Rules, language: str = ENGLISH, options: Mapping[str, str] | None = None, *, played: bool = True
    ) -> None:
        chosen = check_options(rules, options or {})
        found = examples(rules, chosen) if played else Examples(rules, (), (), frozenset())
        self.rules, self.edition = found.rules, rules.edition
        self.speech = speech_of(rules.edition, language)
        self.texts = RuleTexts(found.rules, chosen)
        self.terms, self.shown = Terms(rules.edition), Pieces(found.rules, self.speech, chosen)
        self.apart, self.menus = dict(self.only_with_options()), Menus(rules.edition)
        self.left_out = list(found.left_out)
        self.examples: dict[str, list[Example]] = {}
        names: set[str] = set()
        for number, case in enumerate(found.cases, 1):
            at = anchor(f"example {case.name}")
            at = f"{at}-{number}" if at in names or at == "example" else at
            names.add(at)
            try:
                shown = replace(example(case, at, self.speech), printed=case.name in found.printed)
                self.examples.setdefault(case.explains, []).append(shown)
            except Untold as untold:
                self.left_out.append(str(untold))

    @property
    def unseen(self) -> tuple[str, ...]:
        """What is wrong with pictures that the edition names and that had to be left out."""
        return tuple(self.shown.faces.picture_errors.values())

    def rulebook(self) -> Rulebook:
        edition, say = self.edition, self.say
        flow, powers, scoring = self.round(), self.powers(), self.scoring()
        course = list(self.course())
        chapters = [self.components(), self.setup(), flow, *course, *self.words(), powers, scoring]
        chapters += [self.roles(), self.options()]
        chapters, rulings = with_rulings([*chapters, self.places()], self.rulings())
        chapters.append(self.chapter("rulings", phrase("rules", "Rulings"), rulings))
        aid = player_aid(flow, course, powers, scoring, [anchor(key) for key in edition.aid])
        chapters += [self.origin(), self.sheet(), self.chapter("reference", phrase("rulebook", "At a glance"), aid)]
        return Rulebook(
            language=self.speech.language,
            right_to_left=self.speech.right_to_left,
            title=say(Phrase("title", edition.title)),
            edition=edition.edition,
            text=self.told("edition"),
            credits=self.credits(),
            cover=self.picture(self.shown.faces.pictures.cover),
            facts=tuple(self.facts()),
            chapters=tuple(self.with_examples(chapter for chapter in chapters if chapter.blocks)),
            words={word.text: self.speech.template(word) for word in WORDS},
        )

    def players(self) -> tuple[str, str]:
        """What the number of players is called, and the number."""
        return self.say(phrase("rulebook", "Players")), self.speech.span(*self.edition.people)

    def facts(self) -> Iterator[tuple[str, str]]:
        """What stands on a box: each with what it is called."""
        yield self.players()
        if self.edition.minutes:
            yield self.say(phrase("rulebook", "Minutes")), self.speech.span(*self.edition.minutes)
        if self.edition.age:
            yield self.say(phrase("rulebook", "Age")), self.speech.number(self.edition.age) + "+"

    # ── chapters ──

    def components(self) -> Chapter:
        """What there is and what it is for, with what words carry, and the tokens by which counters are kept."""
        galleries = (self.gallery(kind) for kind in self.edition.kinds.values() if kind.rows and self.there(kind))
        blocks: list[BookBlock] = [*self.told_of("boards"), *galleries]
        blocks += [*word_tables(self.edition, self.speech), *self.tokens()]
        return self.chapter("components", phrase("rulebook", "Components"), blocks)

    def places(self) -> Chapter:
        """What lies on the table, and what is counted there without tokens."""
        counted = [name for name in self.names("counters") if name not in self.edition.tokens]
        return self.chapter(
            "places", phrase("rules", "On the table"), [*self.told_of("zones"), *self.told_of("counters", counted)]
        )

    def setup(self) -> Chapter:
        setup = self.edition.tree.get("setup")
        told: list[BookBlock] = []
        steps: list[Rule] = []
        for block in self.part("setup", setup):
            if not isinstance(block, Rule):
                told.append(block)
            elif block.anchor not in self.apart:
                steps.append(block)
        rules = {rule.anchor: replace(rule, number=number) for number, rule in enumerate(steps, 1)}
        names = {key.name: rules[at].number for key in self.texts.told() if (at := anchor(key)) in rules}
        drawn = setup_pictures.picture(self.rules, self.texts.options, self.speech, names)
        table = setup_pictures.by_players(self.edition, self.texts, self.speech)
        blocks = [*told, *([drawn] if drawn is not None else []), *([table] if table is not None else [])]
        blocks += rules.values()
        return replace(self.chapter("setup", phrase("phase", "Set-up"), blocks), picture=self.rule_picture("setup"))

    def round(self) -> Chapter:
        """The way through a round at a glance: its phases, or of a single one what it is made of, in whatever
        order that is done."""
        phases, course = self.edition.phases, RoundCourse(self.edition)
        title, ending = phrase("rulebook", "A round"), course.ending()
        steps = course.steps(set(self.texts.told()))
        links = tuple(Link(anchor(k), self.speech.title(self.terms.rule(k)), self.rule_picture(k)) for k in steps)
        ends = phrase("rulebook", "Rounds follow one another until the game ends.")
        if ending is not None and len(phases) > 1:
            name = self.speech.title(self.terms.phase(ending.name))
            ends = phrase("rulebook", "Then the next round begins, unless the game ends: see “{phase}”.", phase=name)
        flow = [Flow(links, self.say(ends), ordered=len(phases) > 1)] if len(links) > 1 else []
        return self.chapter("round", title, flow)

    def course(self) -> Iterator[Chapter]:
        """The phases of a round; with each what it does of those that are no phases of their own here."""
        phases = self.edition.tree.get("phases")
        declared = {key.text: node for key, node in items(phases)}
        own = {phase.name for phase in self.edition.phases}
        for phase in self.edition.phases:
            blocks = list(self.part(RuleKey.of("phases", phase.name), declared[phase.name]))
            done = " ".join(sentences(phase.body, told=False))
            for name in (name for name in declared if name not in own):
                if f"do {name}" in done:
                    blocks += self.within(name, declared[name])
            key = RuleKey.of("phases", phase.name)
            yield replace(self.chapter(key, self.terms.phase(phase.name), blocks), picture=self.rule_picture(key))

    def within(self, name: str, node: Node) -> Iterator[BookBlock]:
        """A phase of another edition that is a step of this one."""
        if (rule := self.rule(RuleKey.of("steps", name), self.rule_picture(RuleKey.of("phases", name)))) is not None:
            yield rule
        yield from self.part("", node)

    def words(self) -> Iterator[Chapter]:
        """What words say, or mean: a chapter for each list."""
        for name in self.edition.words:
            told = (key for key in self.texts.told() if key.words == name)
            rules = (self.rule(key, self.picture(key.name)) for key in told)
            yield self.chapter(RuleKey.of("words", name), self.terms.words(name), filter(None, rules))

    def powers(self) -> Chapter:
        drawn = {name: self.picture(f"power-{name}") for name in self.names("powers")}
        rules = (self.rule(RuleKey.of("powers", name), picture) for name, picture in drawn.items())
        return self.chapter("powers", phrase("rules", "Powers"), filter(None, rules))

    def roles(self) -> Chapter:
        rules = (self.rule(RuleKey.of("roles", name), self.picture(name)) for name in self.names("roles"))
        boxes = [self.boxed(rule) for rule in rules if rule is not None]
        title = phrase("rulebook", "Virtual player") if len(boxes) == 1 else phrase("rulebook", "Virtual players")
        return self.chapter("roles", title, boxes)

    @staticmethod
    def boxed(rule: Rule) -> Box:
        """A long rule as a box: what begins with a label of its own, as in 'Ties: …', stands by itself."""
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
        """Where a game ends that has not ended before, if the edition says so."""
        if self.edition.tree.get("limit") is None:
            return None
        told = " ".join(map(self.say, limit_told(self.edition)))
        return Rule(anchor("limit"), self.speech.title(self.terms.rule("limit")), told)

    def options(self) -> Chapter:
        """What is agreed on, then in a box what is not."""
        agreed: list[BookBlock] = []
        off: list[Rule] = []
        for name in self.edition.options:
            rule = self.rule(RuleKey.of("options", name))
            if rule is not None and self.texts.options[name] == "no":
                off += [rule, *self.led_to(name)]
            elif rule is not None:
                chosen, others = self.choices(name, rule)
                agreed.append(Box(rule.title, (Paragraph(rule.text), *chosen)) if chosen else rule)
                off += others
        box = [Box(self.say(phrase("rulebook", "Variants (only if everyone agrees)")), tuple(off))] if off else []
        return self.chapter("options", phrase("rules", "Options"), [*agreed, *box])

    def only_with_options(self) -> Iterator[tuple[str, str]]:
        """The steps of the set-up to which only an option leads that is off: their anchors, and that option."""
        tellings = Tellings(self.edition)
        for key in self.texts.told():
            options = tellings.only_with(key) if tellings.section(key) == "setup" and key != "setup" else set()
            if options and all(self.texts.options[name] == "no" for name in options):
                yield anchor(key), min(options)

    def led_to(self, option: str) -> list[Rule]:
        """The steps of the set-up that an option alone leads to."""
        steps = (key for key in self.texts.told() if self.apart.get(anchor(key)) == option)
        return [rule for key in steps if (rule := self.rule(key)) is not None]

    def choices(self, name: str, option: Rule) -> tuple[list[Rule], list[Rule]]:
        """What is told of the choice that is agreed on for an option, and of its others."""
        told = {choice: self.rule(RuleKey.of("options", name, choice)) for choice in self.edition.options[name].choices}
        found = {choice: rule for choice, rule in told.items() if rule is not None}
        chosen = found.pop(self.texts.options[name], None)
        others = [replace(rule, title=self.speech.entry(option.title, rule.title)) for rule in found.values()]
        return [chosen] if chosen is not None else [], others

    def origin(self) -> Chapter:
        guessed = tuple(Paragraph(self.speech.title(self.terms.guess(place))) for place in self.edition.reconstructed)
        box = [Box(self.say(phrase("rulebook", "What we had to reconstruct")), guessed)] if guessed else []
        theirs = phrase(
            "rulebook",
            "This rulebook was written independently. It is not an official one.",
        )
        # A game without credits is its writer's own.
        credits = [Paragraph(f"{self.credits()}."), Paragraph(self.say(theirs))] if self.edition.credits else []
        return self.chapter("origin", phrase("rulebook", "About this rulebook"), [*credits, *box])

    def sheet(self) -> Chapter:
        found = scores.score_sheet(self.edition, self.speech)
        return self.chapter("sheet", phrase("rulebook", "Score sheet"), [found] if found is not None else [])

    def rulings(self) -> list[tuple[str, Rule]]:
        """Each ruling behind the anchor of the rule that it is about."""
        found = (
            (ruling.about, self.rule(RuleKey.of("rulings", name))) for name, ruling in self.edition.rulings.items()
        )
        return [(anchor(about), rule) for about, rule in found if rule is not None]

    def with_examples(self, chapters: Iterable[Chapter]) -> Iterator[Chapter]:
        """Every example behind the rule that it explains, or at the end of the chapter; others come last."""
        left = {anchor(key): shown for key, shown in self.examples.items()}
        for chapter in chapters:
            blocks: list[BookBlock] = []
            inside: list[Example] = []
            behind: list[Example] = []
            for block in chapter.blocks:
                if not (isinstance(block, Box) and not block.anchor):  # what a rule lets one choose stays with it
                    blocks, behind = [*blocks, *behind], []
                blocks.append(block)
                if isinstance(block, Rule) or (isinstance(block, Box) and block.anchor):
                    behind += left.pop(block.anchor, [])
                for inner in block.blocks if isinstance(block, Box) else ():
                    inside += left.pop(inner.anchor, []) if isinstance(inner, Rule) else []
            blocks += behind
            yield replace(chapter, blocks=(*blocks, *inside, *left.pop(chapter.anchor, [])))
        rest = [shown for listed in left.values() for shown in listed]
        if rest:
            yield self.chapter("examples", phrase("rulebook", "More examples"), rest)

    # ── parts ──

    def part(self, key: str, node: object) -> Iterator[BookBlock]:
        """What is said of a phase or the set-up, then of its steps."""
        if text := self.told(key):
            yield Paragraph(text)
            yield from self.branches(RuleKey(key))
        for step, _ in items(node.get("steps") if isinstance(node, MappingNode) else None):
            if (rule := self.rule(RuleKey.of("steps", step.text))) is not None:
                yield rule
                yield from self.branches(RuleKey.of("steps", step.text))

    def branches(self, key: RuleKey) -> Iterator[Box]:
        """What there is to choose among in the menus of a rule that no text tells of."""
        for menu in self.menus.of(key):
            title = menu.ask if menu.ask is not None else phrase("rulebook", "One of these")
            yield Box(self.say(title), tuple(Paragraph(self.say(branch)) for branch in menu.branches))

    def gallery(self, kind: Kind) -> Gallery:
        """The sorts of a kind of piece."""
        key, signs = RuleKey.of("pieces", kind.name), self.shown.faces.signs(kind)
        sorts, title = self.shown.sorts(kind), self.speech.title(self.terms.kind(kind))
        return Gallery(anchor(key), title, self.told(key), sorts, key=signs)

    def there(self, kind: Kind) -> bool:
        """Whether there are such pieces with the options as they are."""
        look = self.edition.looks.get(kind.name)
        return look is None or all(self.texts.options[name] == choice for name, choice in look.only_with.items())

    def tokens(self) -> Iterator[Gallery]:
        """The tokens by which counters are kept, with what is told of these."""
        for name in self.edition.counters:
            key, token = RuleKey.of("counters", name), self.edition.tokens.get(name)
            if token is not None:
                title = self.speech.title(self.terms.tokens(name))
                yield Gallery(anchor(key), title, self.told(key), self.shown.tokens(token))

    def credits(self) -> str:
        return self.say(self.terms.credits()) if self.edition.credits else ""

    def chapter(self, key: str, title: Phrase, blocks: Iterable[BookBlock]) -> Chapter:
        return Chapter(anchor(key), self.speech.title(title), tuple(blocks))

    def rule(self, key: str, picture: str = "") -> Rule | None:
        text = self.told(key)
        drawn = picture or self.rule_picture(key)
        return Rule(anchor(key), self.speech.title(self.terms.rule(key)), text, drawn) if text else None

    def rule_picture(self, key: str) -> str:
        """The picture that the edition gives to a rule."""
        named = self.edition.rule_pictures.get(key)
        return self.shown.faces.picture(named.text) if named is not None else ""

    def told_of(self, section: str, names: Iterable[str] | None = None) -> list[Rule]:
        """All that is told of a section, or of some of its names, in its order."""
        told = self.names(section) if names is None else names
        return [rule for name in told if (rule := self.rule(RuleKey.of(section, name))) is not None]

    def names(self, section: str) -> list[str]:
        return [key.name for key in self.texts.told() if key.section == section]

    def told(self, key: str) -> str:
        found = self.texts.rule(key)
        return self.say(found) if found is not None else ""

    def say(self, told: Phrase) -> str:
        return self.speech.say(told)

    def picture(self, name: str) -> str:
        """A picture that need not be there."""
        try:
            return self.shown.faces.pictures.svg("-".join(name.lower().split()))
        except PictureError:
            return ""


def scoring_title(edition: Edition) -> Phrase:
    """What the part is called that tells who wins: without points, nothing is scored."""
    return phrase("rules", "Scoring") if edition.scoring else phrase("rules", "Who wins")


def anchor(key: str) -> str:
    """A rule's place as it stands in links."""
    return re.sub(r"[^a-z0-9]+", "-", key.lower()).strip("-")
