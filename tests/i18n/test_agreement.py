"""French by a grammar and catalogs alone: agreement, you among others, nothing, ordinals, elision."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from babel.messages import plurals

from rulewright.base.diagnostics import Report
from rulewright.game import library
from rulewright.game.game import Game
from rulewright.i18n import catalog_update, grammar_files, languages, po_files
from rulewright.i18n.catalog_update import TERMS, CatalogMessage
from rulewright.i18n.catalogs import Catalog
from rulewright.i18n.grammar import GrammarTable, plurals_of
from rulewright.i18n.localizer import Argument, Localizer, Person, Phrase, Term, english, phrase
from rulewright.publish.console import Console, wrap

GRAMMAR = """\
language: Français
genders: {m: le, f: la}
cases: [own, toi]
beside others: toi
sounds:
  vowel: {begins: [a, e, h, i, o, u, œ], except: [hérisson]}
articles:
  le: {m: {vowel: l’, otherwise: le}, f: {vowel: l’, otherwise: la}, many: les}
  du: {case: toi, m: {vowel: de l’, otherwise: du}, f: {vowel: de l’, otherwise: de la}, many: des,
       name: {vowel: d’, otherwise: de}}
  que: {otherwise: {vowel: qu’, otherwise: que}}
ordinals:
  1er: {one: "#er", otherwise: "#e"}
"""
NOUNS = {
    "ibex": ("bouquetin [m]", "bouquetins"),
    "otter": ("loutre [f]", "loutres"),
    "squirrel": ("écureuil [m]", "écureuils"),
    "hedgehog": ("hérisson [m]", "hérissons"),
    "{animal} leader": ("chef [du] {animal} [m]", "chefs [du] {animal}"),
    "wild {animal}": ("{animal} sauvage[animal: |f=tte]", "{animal} sauvages"),
}


def table(tmp_path: Path, text: str = GRAMMAR, language: str = "fr") -> GrammarTable:
    path, report = tmp_path / "grammar.yaml", Report()
    path.write_text(text, encoding="utf-8")
    result = grammar_files.read(path, language, report)
    assert result is not None, report.render()
    return result


def animal(name: str, count: int = 1) -> Term:
    return Term("x", name, f"{name}s", (), count)


ADA, BEN, ME = Person("Ada"), Person("Ben"), Person("You", you=True)
LEADER = Term("x", "{animal} leader", "{animal} leaders", (("animal", animal("squirrel")),))
TAKES_PATTERN = "{what} [est pris|sont pris|f=est prise|many f=sont prises]."
LEFT = "{what} [part|partent|pars|partez]."
FORMATTED: list[tuple[str, Argument, str]] = [
    ("[le] " + TAKES_PATTERN, animal("ibex"), "Le bouquetin est pris."),
    ("[le] " + TAKES_PATTERN, animal("otter"), "La loutre est prise."),
    ("[le] " + TAKES_PATTERN, (animal("otter", 2),), "Les 2 loutres sont prises."),
    ("[le] " + TAKES_PATTERN, (animal("otter"), animal("ibex")), "La loutre et le bouquetin sont pris."),
    ("{what} est parti[·e|you=].", ADA, "Ada est parti·e."),
    ("{what} [est parti·e|es parti·e].", ME, "Tu es parti·e."),
    ("{what} [sont là|name=est là].", (ADA,), "Ada est là."),
    (LEFT, (ADA,), "Ada part."),
    (LEFT, (ADA, BEN), "Ada et Ben partent."),
    (LEFT, (ME,), "Tu pars."),
    (LEFT, (ADA, ME), "Ada et toi partez."),
    ("{what} [part|partent|you=pars|you and others=partez].", (ME, BEN), "Toi et Ben partez."),
    ("Ada [gagne|nothing=ne gagne] {what}.", phrase("argument", "nothing"), "Ada ne gagne rien."),
    ("Ada [gagne|nothing=ne gagne] {what}.", (phrase("argument", "nothing"),), "Ada ne gagne rien."),
    ("Ada [gagne|nothing=ne gagne] {what}.", 3, "Ada gagne 3."),
    ("le [1er] {what} tour", 1, "le 1er tour"),
    ("le [1er] {what} tour", 2, "le 2e tour"),
    ("le [1er] {what} tour", 21, "le 21e tour"),
    ("[le] {what}", LEADER, "le chef de l’écureuil"),
    ("[du] {what}", LEADER, "du chef de l’écureuil"),
    ("[le] {what}", animal("hedgehog"), "le hérisson"),
    ("[le] {what}", animal("squirrel"), "l’écureuil"),
    ("parce [que] {what} part", ADA, "parce qu’Ada part"),
    ("parce [que] {what} part", BEN, "parce que Ben part"),
    ("parce [que] {what} part", ME, "parce que tu part"),
    ("[du] {what}", ADA, "d’Ada"),
    ("{what} [point|points]", 1234, "1\u202f234 points"),
    ("« {what} » !".replace(" ", "\u00a0"), animal("ibex", 2), "«\u00a02\u00a0bouquetins\u00a0»\u00a0!"),
]


def french(tmp_path: Path, text: str = "") -> Localizer:
    entries = {("x", one): texts for one, texts in NOUNS.items()} | {("x", "{what}"): (text,)}
    entries |= {("pronoun", "You"): ("tu [toi=toi]",), ("argument", "nothing"): ("rien",)}
    entries |= {("count", "{number} {things}"): ("{number}\u00a0{things}",)}
    entries |= {("form", "{label}: {what}"): ("{label}\u00a0: {what}",)}
    return Localizer(table(tmp_path), (Catalog(entries),))


@pytest.mark.parametrize(("text", "kind", "expected"), FORMATTED)
def test_french_sentences_agree(text: str, kind: Argument, expected: str, tmp_path: Path) -> None:
    output = french(tmp_path, text)
    message = output.say(Phrase("x", "{what}", (("what", kind),)))
    assert (message if "\u00a0" in text else message.replace("\u00a0", " ")) == expected
    assert not output.missed


def test_a_noun_agrees_with_the_noun_in_it(tmp_path: Path) -> None:
    text = french(tmp_path, "[le] {what}")
    for name, expected in (("otter", "la loutre sauvagette"), ("ibex", "le bouquetin sauvage")):
        wild = Term("x", "wild {animal}", "wild {animal}s", (("animal", animal(name)),))
        assert text.say(Phrase("x", "{what}", (("what", wild),))) == expected


@pytest.mark.parametrize(
    ("language", "text", "numbers"),
    [
        ("de", 'ordinals: {1.: {otherwise: "#."}}', {1: "1.", 3: "3."}),
        ("nl", 'ordinals: {1.: {otherwise: "#e"}}', {1: "1e", 8: "8e"}),
        (
            "it",
            'ordinals: {1.: {many: "l’#º", otherwise: "il #º"}}',
            {1: "il 1º", 8: "l’8º", 12: "il 12º"},
        ),
    ],
)
def test_ordinals_of_other_languages(language: str, text: str, numbers: dict[int, str], tmp_path: Path) -> None:
    result = table(tmp_path, f"language: x\n{text}\n", language)
    assert {number: result.ordinal("1.", number, str(number)) for number in numbers} == numbers


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "1st 2nd 3rd 4th 11th 21st"),
        ("de", "1. 2. 3. 4. 11. 21."),
        ("nl", "1e 2e 3e 4e 11e 21e"),
        ("it", "1º 2º 3º 4º 11º 21º"),
        ("fr", "1er 2e 3e 4e 11e 21e"),
    ],
)
def test_places_in_a_ranking_are_ordinals(language: str, text: str) -> None:
    output = languages.localizer_for(language)
    assert " ".join(output.place(rank) for rank in (1, 2, 3, 4, 11, 21)) == text


def test_a_noun_that_ends_in_a_number_is_a_name_unless_a_noun_in_it_has_a_gender(tmp_path: Path) -> None:
    grammar = table(tmp_path)
    assert grammar.noun(["Mars 3"]).gender == "name"
    assert grammar.noun(["forêt 3"], "f").gender == "f"


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ('ordinals: {1er: {first: "#er"}}', "no ordinal 'first'"),
        ("ordinals: {1er: {one: er}}", "has a # where its number stands"),
        ("sounds: {vowel: {begin: [a]}}", "Did you mean 'begins'?"),
        ("cases: [own, toi]\nbeside others: moi", "no case 'moi'"),
    ],
)
def test_mistakes_in_a_grammar_are_reported(change: str, text: str, tmp_path: Path) -> None:
    path, report = tmp_path / "grammar.yaml", Report()
    path.write_text(f"language: x\n{change}\n", encoding="utf-8")
    assert grammar_files.read(path, "fr", report) is None
    assert text in report.render()


def test_no_break_blanks_stay(tmp_path: Path) -> None:
    """No-break blanks stay from the catalog through its update to the lines of a terminal, where they are shown as
    blanks."""
    long = "Voilà un texte qui tient sur plusieurs lignes, «\u00a0entre guillemets\u00a0», et qui demande\u202f: " * 3
    text = long.rstrip(" ") + " n’est-ce pas\u00a0?"
    message = CatalogMessage("x", "Is it?", "", TERMS)
    catalog = catalog_update.update([message], None, "fr", "test")
    entry = catalog.get("Is it?", "x")
    assert entry is not None
    entry.string = text
    path = tmp_path / "test.po"
    path.write_text(catalog_update.text_of(catalog), encoding="utf-8")
    again = catalog_update.text_of(catalog_update.update([message], po_files.read(path, "fr"), "fr", "test"))
    assert again == path.read_text(encoding="utf-8")
    (entry,) = (entry for entry in po_files.read(path, "fr") if entry.id)
    assert entry.string == text
    lines = wrap(text, 30)
    assert len(lines) > 3 and not any(line.lstrip()[0] in "?»:" for line in lines)


def test_punctuation_of_labels_follows_the_language(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = french(tmp_path)
    assert text.entry("Mode", "libre") == "Mode\u00a0: libre"
    assert english().entry("Mode", "free") == "Mode: free"
    assert (english().with_colon("Mode"), english().with_note("Mode", "2")) == ("Mode:", "Mode (2)")
    Console(None, sys.stdout, "never", text).write_line(text.entry("Mode", "libre"))
    assert capsys.readouterr().out == "Mode : libre\n"


def test_a_name_with_a_no_break_blank_is_typed_with_a_plain_one() -> None:
    game = Game.start(library.load("wild-cards/2022"), ["Ada", "Ben", "Cora"], seed=1)
    (question,) = (decision for decision in game.decisions("fr") if decision.seat == 0)
    assert "\u00a0" in game.localizer("fr").say(game.messages.type(game.program.types[-1]))
    assert any(choice.label[-2:] == " 1" for choice in question.choices)


@pytest.mark.parametrize(
    ("player", "text"),
    [
        (ADA, "Ada wins."),
        (ME, "You win."),
        ((ADA,), "Ada wins."),
        ((ME,), "You win."),
        ((ADA, BEN), "Ada and Ben win."),
        ((ADA, ME), "Ada and you win."),
    ],
)
def test_english_needs_two_forms_of_a_verb(player: Argument, text: str) -> None:
    assert languages.localizer_for("en").say(Phrase("x", "{who} [wins|win].", (("who", player),))) == text


def test_each_edition_has_its_own_plurals() -> None:
    """One localizer serves all tables at once."""
    lines = [english().say(Term("words.ware.clay", "clay", many, (), 2, counted=True)) for many in ("clays", "clay")]
    assert lines == ["2 clays", "2 clay"]


# The tables of Babel 2.18 and of 2.19, which has one more form.
@pytest.mark.parametrize(
    ("number", "rule", "results"),
    [
        (2, "(n > 1)", (2, "(n > 1)")),
        (3, "(n == 0 || n == 1) ? 0 : n != 0 && n % 1000000 == 0 ? 1 : 2", (2, "(n > 1)")),
        (3, "(n == 1 ? 0 : n != 0 && n % 1000000 == 0 ? 1 : 2)", (2, "(n != 1)")),
        (3, "(n == 1 ? 0 : n >= 2 && n <= 4 ? 1 : 2)", (3, "(n == 1 ? 0 : n >= 2 && n <= 4 ? 1 : 2)")),
    ],
)
def test_millions_have_no_plural_form_of_their_own(
    monkeypatch: pytest.MonkeyPatch, number: int, rule: str, results: tuple[int, str]
) -> None:
    monkeypatch.setattr(plurals, "get_plural", lambda _: SimpleNamespace(num_plurals=number, plural_expr=rule))
    assert plurals_of("fr") == results
