"""A rulebook that has a block of every kind, with the pictures of an edition: the forms of a book are tried with it."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from functools import cache
from typing import Any

from pypdf import PdfReader

from rulewright.base.diagnostics import Report
from rulewright.game import library
from rulewright.model.pictures import Pictures
from rulewright.model.reader import read
from rulewright.publish.rulebook.model import (
    BookBlock,
    Box,
    Changes,
    Chapter,
    Drawing,
    Example,
    ExampleLine,
    Flow,
    Gallery,
    Link,
    Paragraph,
    Piece,
    PrintedTable,
    Reference,
    Rule,
    Rulebook,
    Rulings,
    Setup,
    ShownTable,
    ShownZone,
    Tableau,
    VariantChange,
)
from rulewright.publish.scores import ScoreSheet

LONG_WORD = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft"
LONG_NAME = "Bartholomäus-Maximilian Freiherr von und zu Obergrünwald-Unterfürstenfeldbruck der Jüngere"
ACCENTS = "Žluťoučký kůň, İstanbul, Łódź, Reykjavík, naïve façade, ő ű ș ț ğ – “quoted” „zitiert“ «citato» …"
STORY = (
    "Ana and Ben both want the lion. Each bids three, and so they are tied; Cleo, who bid the refill card, looks on "
    "and hopes that something is left for her."
)
TEXT = (
    "Equal bids of two or more: the tied pay now, face down, and show their payments together. The highest total goes "
    "first. Who cannot pay shows nothing and comes after those who do."
)


@cache
def _pictures(edition: str) -> Pictures:
    """Return an edition's pictures, which need no check."""
    known = read(library.find(edition)[1], Report(), edition)
    assert known is not None
    return Pictures(known)


def picture(name: str, edition: str = "wild-cards/2022") -> str:
    return _pictures(edition).svg(name)


def animal(name: str, count: int = 1) -> Piece:
    signs = (picture("mountains"), picture("forest"))
    text = f"{count} {name}s" if count > 1 else name.capitalize()
    return Piece(name.capitalize(), count, picture(name), signs=signs, card=True, description=text)


def habitat(name: str, value: int, count: int = 1) -> Piece:
    call = f"{name.capitalize()} {value}"
    return Piece(call, count, picture(name), corner=str(value), card=True, description=call)


def hidden(count: int = 1) -> Piece:
    text = f"{count} habitat cards, face down"
    return Piece("Habitat card, face down", count, picture("back-habitat"), card=True, hidden=True, description=text)


TALISMAN = "Talisman"
REFILL = "Refill card"


def token(name: str, sample: str, count: int = 1, edition: str = "wild-cards/2022") -> Piece:
    return Piece(name, count, picture(sample, edition), description=name)


def player(name: str, *hand: Piece, collection: tuple[Piece, ...] = (), bid: tuple[Piece, ...] = ()) -> Tableau:
    places = (ShownZone("Hand", hand), ShownZone("Collection", collection), ShownZone("Bid", bid, "8 food"))
    return Tableau(name, places)


DISPLAY = ShownZone("Display", (animal("lion"), animal("peacock"), animal("meerkat"), animal("ibex")))
PILES = (
    ShownZone("Animal deck", (hidden(23),)),
    ShownZone("Supply", (token("Score token", "score-token", 20),), "20 left"),
)


def board() -> Drawing:
    """An island of hexagons."""
    hexagons = []
    for number in range(35):
        row, column = divmod(number, 7)
        x, y = 60 + column * 88 + row % 2 * 44, 60 + row * 76
        points = " ".join(
            f"{x + dx},{y + dy}" for dx, dy in ((0, -50), (43, -25), (43, 25), (0, 50), (-43, 25), (-43, -25))
        )
        fill = ("#F6BE45", "#2F6B4F", "#5E6472", "#CF9854", "#8FB14B", "#27508A")[number * number % 6]
        hexagons.append(f'<polygon points="{points}" fill="{fill}" stroke="#FFF6E3" stroke-width="4"/>')
    sample = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-10 -10 720 450">{"".join(hexagons)}</svg>'
    return Drawing(sample, "The island with its 35 tableaus; the bear has three animals in the north.")


def tie() -> Example:
    ana = (habitat("forest", 3), habitat("mountains", 2, 2), hidden(), habitat("wild", 4))
    before = ShownTable(
        tableaus=(
            Tableau("", (DISPLAY,)),
            player("Ana", *ana, collection=(animal("eagle"), animal("lion", 3)), bid=(habitat("savannah", 3),)),
            player("Ben", habitat("savannah", 1, 4), hidden(3), bid=(habitat("mountains", 3),)),
            player("Cleo", hidden(7), bid=(Piece(REFILL, 1, picture("refill-card"), card=True, description=REFILL),)),
        )
    )
    course = (
        ExampleLine("Everybody turns the bid over: Ana 3, Ben 3, Cleo the refill card."),
        ExampleLine("Two bids of three are equal, so Ana and Ben pay before they choose.", is_explanation=True),
        ExampleLine("Ana shows Mountains 2 and Mountains 2: 4."),
        ExampleLine("Ben shows Savannah 1: 1."),
        ExampleLine("The higher payment chooses first. Nobody gets anything back.", is_explanation=True),
        ExampleLine("Ana takes the lion."),
        ExampleLine("Ben takes the peacock and, with it, the peacock’s leader from the supply."),
    )
    after = ShownTable(
        tableaus=(
            Tableau("", (ShownZone("Display", (animal("meerkat"), animal("ibex"))),)),
            Tableau("Ana", (ShownZone("Collection", (animal("eagle"), animal("lion", 4))), ShownZone("Bid", ()))),
            Tableau("Ben", (ShownZone("Collection", (animal("peacock"),), "1 leader"),)),
        )
    )
    return Example("example-tie", "Two want the lion", STORY, before, course, after)


def migration() -> Example:
    food = token("Food token", "food-token", 8, "wildlife/2002")
    return Example(
        "example-migration",
        "Over the mountains",
        "The bear moves on.",
        ShownTable(boards=(board(),)),
        (ExampleLine("The bear migrates from the forest to the steppe."),),
        ShownTable(tableaus=(Tableau("Bear", (ShownZone("Food", (food,)),)),)),
    )


POWERS = {
    "peacock": "This leader is worth 3 points at the end of the game.",
    "squirrel": "When you bid the refill card, draw until you have 10 habitat cards.",
    "eagle": "You may bid two cards and choose between them once the others have shown theirs.",
    "ibex": "At the end of the round you may take your bid back into your hand, unless it is a wild card.",
    "lion": "You win every tie.",
    "meerkat": "When you bid the refill card, you may first exchange an animal of your collection for one on display. "
    "Leaders may change hands at once.",
}


def power(name: str, mark: str = "") -> Rule:
    return Rule(f"powers-{name}", name.capitalize(), POWERS[name], picture(f"power-{name}"), mark)


def setup() -> Setup:
    names = ("Ana", "Ben", "Cleo", "Dan")
    seats = tuple(
        Tableau(
            name,
            (ShownZone("Hand", (hidden(7), Piece(REFILL, 1, picture("refill-card"), card=True, description=REFILL))),),
        )
        for name in names
    )
    owner = replace(seats[0], places=(*seats[0].places, ShownZone("Keeps", (token(TALISMAN, "talisman"),))))
    table = Tableau("", (DISPLAY, *PILES))
    return Setup("The table for four players", ShownTable(tableaus=(table, owner, *seats[1:])))


def book() -> Rulebook:
    kinds = ("peacock", "squirrel", "eagle", "ibex", "lion", "meerkat")
    components = Chapter(
        "components",
        "Components",
        (
            Gallery(
                "pieces-animal",
                "Animal cards",
                "They lie on display, and are bid for.",
                tuple(map(animal, kinds, [7] * 6)),
            ),
            Gallery(
                "pieces-habitat-card",
                "Habitat cards",
                "",
                tuple(habitat(name, value, 9) for name in ("forest", "savannah", "mountains") for value in (1, 2, 3)),
            ),
            PrintedTable(
                "What lives where",
                ("Forest", "Savannah", "Mountains"),
                (("Lion", "never", "often", ""), ("Ibex", "", "rarely", "always")),
            ),
            Gallery(
                "pieces-token",
                "Tokens",
                "",
                (token(TALISMAN, "talisman"), token("Score token", "score-token", 20)),
                "changed",
            ),
        ),
    )
    round_ = Chapter(
        "round",
        "A round",
        (
            Paragraph("A round has four phases. They follow each other until too few animals are left."),
            Flow(
                (
                    Link("phases-bids", "Place bids"),
                    Link("steps-settle-tie", "Settle ties"),
                    Link("steps-long", "Acquire animals, one after the other"),
                    Link("steps-pass", "Prepare the next round"),
                ),
                "When too few animals are left for a display, the game ends.",
            ),
        ),
    )
    bids = Chapter(
        "phases-bids",
        "Place bids",
        (
            Paragraph(f"Everyone secretly lays a card face down. {ACCENTS}"),
            Rule(
                "steps-settle-tie",
                "Settle tie",
                TEXT,
                mark="changed",
                see=(Link("steps-pass", "Pass"), Link("scoring", "Scoring")),
            ),
            tie(),
            Rule("steps-pass", "Pass", "Without an animal, your bid goes back to you.", picture("squirrel"), "new"),
            Rule("steps-long", "A long story", " ".join([TEXT] * 9), see=(Link("powers-lion", "Lion"),)),
            Rule("steps-name", f"{LONG_NAME} {LONG_WORD}", f"It is {LONG_WORD} who says so, not {LONG_NAME}."),
            migration(),
        ),
    )
    powers = Chapter("powers", "Powers", tuple(power(name, "changed" if name == "lion" else "") for name in kinds))
    options = Chapter(
        "options",
        "Options",
        (
            Rule("options-even", "Even removal", "With three seats, one animal of each species leaves the game."),
            Box(
                "Variants (only if everyone agrees)",
                (
                    Paragraph("Agree before you begin."),
                    Rule("options-bluff", "No bluffing", "You may only bid what you could pay."),
                    Rule("options-first", "Talisman owner first", "The owner comes first in ties instead of last."),
                ),
            ),
        ),
    )
    ruling = Rule("rulings-deck", "No cards left", "Draw what there is.", see=(Link("scoring", "Scoring"),), number=1)
    lines = ("Largest herd", "Second herd", "Leaders", "Score tokens", LONG_WORD)
    changes = Changes(
        "The first edition",
        "The second edition",
        (
            VariantChange("changed", Link("steps-settle-tie", "Settle tie"), TEXT.replace("two", "three"), TEXT),
            VariantChange("new", Link("steps-pass", "Pass"), "", "Without an animal, your bid goes back to your hand."),
            VariantChange("gone", Link("powers", "Break tie"), "Whoever sits first clockwise wins the tie.", ""),
        ),
    )
    return Rulebook(
        language="en",
        right_to_left=False,
        title="Wild Cards",
        edition="2022",
        text="Outbid the others for the animals on display and build the most valuable collection. Whoever leads a "
        "species wins over its leader, and with it a power that bends the rules.",
        credits="Designed by Ada Muster, published by Muster & Daughters",
        cover=picture("cover"),
        facts=(("Players", "2–5"), ("Minutes", "45")),
        chapters=(
            components,
            Chapter("setup", "Setup", (Paragraph("Shuffle, and lay out a display of four animals."), setup())),
            round_,
            bids,
            powers,
            Chapter("island", "The island", (Paragraph("This is where the animals live."), board())),
            options,
            Chapter("scoring", "Scoring", (Rule("scoring-herd", "Largest herd", "2 points for each animal of it."),)),
            Chapter("rulings", "Rulings", (Rulings((ruling,)),)),
            Chapter("changes", "What is different", (changes,)),
            Chapter(
                "reference",
                "Powers at a glance",
                (Reference("Powers", tuple(replace(power(kind), anchor=f"again-{kind}") for kind in kinds)),),
            ),
            Chapter("sheet", "Score sheet", (ScoreSheet(lines, "Total", 5),)),
        ),
        words={},
    )


def hebrew() -> Rulebook:
    """Return the sample book from right to left, its headings and many of its texts in Hebrew."""
    rule = Rule(
        "steps-settle-tie", "תיקו", "הצעות שוות: השחקנים משלמים עכשיו, עם הפנים כלפי מטה.", picture("lion"), "new"
    )
    chapters = [replace(chapter, title=f"פרק {chapter.title}") for chapter in book().chapters]
    chapters[4] = replace(chapters[4], blocks=(Paragraph("כל אחד מניח קלף בסתר."), *chapters[4].blocks))
    bids = chapters[3]
    chapters[3] = replace(bids, blocks=(bids.blocks[0], rule, *bids.blocks[2:]))
    return replace(
        book(),
        language="he",
        right_to_left=True,
        title="קלפים פראיים",
        text="הציעו יותר מכולם.",
        chapters=tuple(chapters),
        words={"Contents": "תוכן", "Example": "דוגמה", "New": "חדש", "Table": "שולחן"},
    )


def every_kind() -> set[type]:
    """The kinds of block that the book has."""
    return {type(block) for chapter in book().chapters for block in chapter.blocks}


def one_of_each(text: str) -> list[BookBlock]:
    """A block of each kind in which all words are these."""
    first: dict[type, BookBlock] = {}
    for chapter in book().chapters:
        for block in chapter.blocks:
            first.setdefault(type(block), block)
    return [_saying(block, text) for block in first.values()]


def _saying(kind: Any, text: str) -> Any:
    if isinstance(kind, tuple):
        return tuple(_saying(item, text) for item in kind)
    if is_dataclass(kind) and not isinstance(kind, type):
        lines = [field.name for field in fields(kind) if field.name not in ("anchor", "mark", "picture", "signs")]
        return replace(kind, **{name: _saying(getattr(kind, name), text) for name in lines})
    return text if isinstance(kind, str) and kind else kind


def fonts(reader: PdfReader) -> set[str]:
    """The families whose letters are in a document."""
    results: set[str] = set()
    for number in range(1, int(str(reader.trailer["/Size"]))):
        kind: object = reader.get_object(number)
        if isinstance(kind, dict) and kind.get("/Type") == "/Font":
            results.add(str(kind["/BaseFont"]).partition("+")[2].partition("-")[0])
    return results
