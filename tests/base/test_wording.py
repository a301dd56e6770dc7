"""Wordings: templates with their arguments, in English and translated."""

from __future__ import annotations

import pickle

from rulewright.base.diagnostics import Diagnostic, RelatedPlace, Report, SourcePlace
from rulewright.base.diagnostics_output import as_json, as_sarif
from rulewright.base.wording import Hint, Problem, Words

NOT_HELD = Problem("zone-does-not-hold", "{given} cannot lie in '{zone}': {number of cards} is {count}.")
SAY_WHERE = Hint("Say where: {zones}.")
SET_OF = Words("a set of {kind}")
PLACE, OTHER = SourcePlace("game.yaml", 3, 5, 4), SourcePlace("game.yaml", 1, 2, 3)
WORDING = NOT_HELD(given=SET_OF(kind="cards"), zone="{zone}", count=3)


def test_slots_are_filled_once_and_other_braces_stay() -> None:
    assert str(WORDING) == "A set of cards cannot lie in '{zone}': {number of cards} is 3."


def test_every_part_is_translated_and_arguments_are_not() -> None:
    catalog = {
        NOT_HELD.text: "In '{zone}' passt {given} nicht ({count}).",
        SET_OF.text: "eine Menge von {kind}",
    }
    assert WORDING.render(lambda text: catalog[text]) == "In '{zone}' passt eine Menge von cards nicht (3)."


def test_diagnostics_are_data() -> None:
    report = Report()
    for _ in range(2):
        report.error(PLACE, WORDING, SAY_WHERE(zones=("hand", "deck")), related=(RelatedPlace(OTHER, Words("here")()),))
    [diagnostic] = report.diagnostics
    assert (diagnostic.code, diagnostic.hint) == ("zone-does-not-hold", "Say where: hand, deck.")
    wording = diagnostic.has(SAY_WHERE)
    assert wording is not None
    assert wording["zones"] == ("hand", "deck")
    assert diagnostic.has(Hint("Say something else.")) is None
    copy: Diagnostic = pickle.loads(pickle.dumps(diagnostic))
    assert copy == diagnostic
    assert copy.has(SAY_WHERE) == wording


def test_arguments_and_related_places_reach_other_programs() -> None:
    report = Report()
    report.warning(PLACE, WORDING, related=(RelatedPlace(OTHER, Words("here")()),))
    assert '"zone": "{zone}"' in as_json(report.diagnostics)
    assert '"given": "a set of cards"' in as_json(report.diagnostics)
    assert '"relatedLocations"' in as_sarif(report.diagnostics)
    assert report.render().endswith("= game.yaml:1:2: here")


def test_no_break_blanks_of_a_translation_become_blanks_on_a_terminal() -> None:
    report = Report()
    report.error(PLACE, WORDING, SAY_WHERE(zones=("hand",)), related=(RelatedPlace(OTHER, Words("here")()),))
    lines = report.render(lambda text: text.replace(": ", "\u00a0: ")).split("\n")
    assert lines[0].endswith("A set of cards cannot lie in '{zone}' : {number of cards} is 3.")
    assert lines[1] == "      = Say where : hand."
