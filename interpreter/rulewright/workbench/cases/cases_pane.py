"""Pane 'Cases': all cases and examples of an edition, the failing ones with expected and actual pictures."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Annotated, Any

from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.routing import Route

from rulewright.authoring import scenarios
from rulewright.authoring.scenarios.cases import Case
from rulewright.base.diagnostics import Report, RulewrightError
from rulewright.i18n.languages import diagnostic_translator
from rulewright.i18n.localizer import Phrase, phrase
from rulewright.syntax import source, yaml_reader
from rulewright.syntax.source import MappingNode
from rulewright.workbench.cases import case_builder, case_runner, case_texts
from rulewright.workbench.cases.case_texts import CaseTextError
from rulewright.workbench.cases.case_watch import cases_of, texts
from rulewright.workbench.core.bench import Bench
from rulewright.workbench.core.json_handlers import file, get, language, post, read
from rulewright.workbench.play import game_views
from rulewright.workbench.play.game_start import GameStart
from rulewright.workbench.play.line_store import lines_of
from rulewright.workbench.play.play_tree import PlayNode, PlayTree

WORDS: Mapping[str, Phrase] = {
    "cases": phrase("design", "Cases"),
    "cases none": phrase("design", "There are no cases yet. Play, and where something is right, make it a case."),
    "cases told": phrase("design", "Every case is run again after each change of the rules."),
    "cases all right": phrase("design", "All is right. Cases: {count}"),
    "cases wrong": phrase("design", "{wrong} of {count} come out otherwise."),
    "cases running": phrase("design", "The cases are being run …"),
    "cases right": phrase("design", "right"),
    "cases otherwise": phrase("design", "otherwise"),
    "cases source": phrase("design", "Show in the source"),
    "cases play": phrase("design", "Play from here"),
    "cases mend": phrase("design", "That is right now"),
    "cases mended": phrase("design", "The case says now what comes out."),
    "cases expected": phrase("design", "Expected"),
    "cases actual": phrase("design", "What came out"),
    "cases includes": phrase("design", "and perhaps others"),
    "cases any order": phrase("design", "in any order"),
    "cases only wrong": phrase("design", "Only those that come out otherwise"),
    "cases file wrong": phrase("design", "This file cannot be run: {why}"),
}  # fmt: skip
"""Phrases of the page by the names that its code has for them."""


class _NewCase(Struct, frozen=True):
    """Name for a case of a node."""

    node: int
    name: Annotated[str, Meta(max_length=200)]


class _CaseName(Struct, frozen=True):
    """Case by name. cases: its file."""

    cases: str
    name: str


class _CasesPane:
    """Handlers of the pane."""

    def __init__(self, bench: Bench) -> None:
        self._bench, self._lines, self._watch = bench, lines_of(bench), cases_of(bench)

    def results(self, request: Request, _: Any) -> object:
        """Return what the cases of an edition came to last, and whether that is up to date; from now on they are run
        after every change."""
        files, current = self._watch.results(file(request))
        translate = diagnostic_translator(language(request))
        return {"files": [each.translated(translate) for each in files], "current": current}

    def propose_name(self, request: Request, _: Any) -> object:
        """Propose a name for a case of a node."""
        into = case_texts.cases_beside(file(request))
        with self._lines.tree(file(request)) as tree:
            node = tree.node(_number(request.query_params.get("node", "")))
            return {"name": case_builder.name_for(tree, node, case_texts.names_in(self._text(into), into))}

    def make_case(self, request: Request, body: Any) -> object:
        """Write a case of a node's line into the file beside the edition, which is made if missing, and note it at the
        node; return the name of the file."""
        fields = read(_NewCase, body)
        edition = file(request)
        into = case_texts.cases_beside(edition)
        with self._lines.tree(edition) as tree:
            node = tree.node(fields.node)
            translate = diagnostic_translator(language(request))
            text = case_builder.add_case(self._text(into), tree, node, fields.name, edition, translate)
            self._bench.replace(into, text)
            tree.set_case(node, fields.name)
        return {"file": into}

    def picture(self, request: Request, _: Any) -> object:
        """Return the actual table beside the expected contents of zones, as `picture`; None if no zone differs."""
        case, _text = self._case(request, request.query_params)
        played = scenarios.play(case)
        if played.table is None:
            return {"picture": None}
        game = played.table.game
        zones = dict(case_runner.differing_zones(played.failures, game.state, case))
        if not zones:
            return {"picture": None}
        offer = self._bench.offer(file(request))
        return {"picture": game_views.expected_view(offer, game, language(request), zones)}

    def update_expectations(self, request: Request, body: Any) -> object:
        """Rewrite a case so that it expects what comes out; return {}."""
        fields = read(_CaseName, body)
        case, text = self._case(request, {"cases": fields.cases, "name": fields.name})
        translate = diagnostic_translator(language(request))
        self._bench.replace(fields.cases, case_runner.update_expectations(case, text, fields.cases, translate))
        return {}

    def play(self, request: Request, body: Any) -> object:
        """Play a case's answers as a line, as far as they are allowed; return the number of its last node."""
        fields = read(_CaseName, body)
        case, text = self._case(request, {"cases": fields.cases, "name": fields.name})
        with self._lines.tree(file(request)) as tree:
            return {"node": add_line(tree, case, _starting_position(text, fields)).number}

    def _case(self, request: Request, fields: Mapping[str, str]) -> tuple[Case, str]:
        """Return a case by its file and name, and the file's text. Raises BenchError, CaseTextError."""
        rules = self._bench.rules(file(request))
        name = fields.get("cases", "")
        known = texts(self._bench, file(request))
        if name not in known:
            raise CaseTextError(phrase("errors", "'{file}' has no list of cases.", file=name))
        return case_runner.find_case(rules, name, known[name], fields.get("name", "")), known[name]

    def _text(self, name: str) -> str:
        """Return the text of a file; '' if it is missing."""
        return self._bench.text(name) if self._bench.is_there(name) else ""


def routes(bench: Bench) -> list[Route]:
    """Return the routes of the pane of cases."""
    pane = _CasesPane(bench)
    return [
        get("/api/cases", pane.results),
        get("/api/cases/name", pane.propose_name),
        get("/api/cases/picture", pane.picture),
        post("/api/cases/make", pane.make_case),
        post("/api/cases/mend", pane.update_expectations),
        post("/api/cases/play", pane.play),
    ]


def _number(text: str) -> int:
    """Read a number; 0 for other text."""
    return int(text) if text.isdecimal() and len(text) < 16 else 0


def _starting_position(text: str, case_name: _CaseName) -> Any:
    """Return the starting position of a case, as written; None if the set-up is done."""
    tree = yaml_reader.read(None, text, Report(), case_name.cases)
    cases = tree.get("cases") if isinstance(tree, MappingNode) else None
    body = cases.get(case_name.name) if isinstance(cases, MappingNode) else None
    position = body.get("given") if isinstance(body, MappingNode) else None
    return source.plain(position) if position is not None else None


def add_line(tree: PlayTree, case: Case, position: Any) -> PlayNode:
    """Add the line of a case's answers, up to the first that is not allowed; answers that a line has already are used
    again. Give its end the case's name. Raises PlayLineError if it cannot start.
    """
    setting = case.setting
    beginning = GameStart(setting.seats, setting.roles, setting.options, setting.seed, position)
    same = (root for root in tree.roots if root.beginning == beginning and not root.is_recorded)
    node = next(same, None) or tree.start_game(beginning)
    tree.visit(node)
    with suppress(RulewrightError):  # the rest is not allowed
        for answer in case.answers:
            node = tree.answer(node, answer.seat, answer.keys)
    tree.set_title(node, case.name)
    return node
