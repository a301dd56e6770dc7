"""Pane 'Cases': all cases and examples of an edition, the failing ones with expected and actual pictures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.routing import Route

from rulewright.authoring import scenarios
from rulewright.authoring.scenarios.cases import Case, ScriptedAnswer
from rulewright.base.diagnostics import Report, RulewrightError
from rulewright.i18n.localizer import Phrase, phrase
from rulewright.syntax import source, yaml_reader
from rulewright.syntax.source import MappingNode
from rulewright.workbench.cases import case_builder, case_runner, case_texts
from rulewright.workbench.cases.case_texts import CaseTextError
from rulewright.workbench.cases.case_watch import cases_of, texts
from rulewright.workbench.core.bench import Bench, CompiledEdition
from rulewright.workbench.core.json_handlers import file, json_handler, language, read
from rulewright.workbench.core.workspace import no_edition
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


class _NewCase(Struct, frozen=True):
    node: int
    name: Annotated[str, Meta(max_length=200)]


class _CaseName(Struct, frozen=True):
    cases: str
    name: str


def routes(bench: Bench) -> list[Route]:
    store, watch = lines_of(bench), cases_of(bench)

    def found(request: Request, _: Any) -> object:
        files, current = watch.results(file(request))
        return {"files": files, "current": current}

    def proposed(request: Request, _: Any) -> object:
        """Propose a name for a case of a node."""
        with store.tree(file(request)) as tree:
            node = tree.node(_number(request.query_params.get("node", "")))
            return {"name": case_builder.name_for(tree, node, _existing_names(file(request)))}

    def made(request: Request, body: Any) -> object:
        fields = read(_NewCase, body)
        edition = file(request)
        into = case_texts.cases_beside(edition)
        with store.tree(edition) as tree:
            node = tree.node(fields.node)
            text = case_builder.add_case(_text(into), tree, node, fields.name, edition)
            bench.replace(into, text)
            tree.set_case(node, fields.name)
        return {"file": into}

    def pictured(request: Request, _: Any) -> object:
        """Send the expected and the actual table."""
        compiled, case, _text = _case(request, request.query_params)
        assert compiled.offer is not None
        played = scenarios.play(case)
        if played.table is None:
            return {"picture": None}
        game = played.table.game
        zones = dict(case_runner.differing_zones(played.failures, game.state, case))
        return {"picture": game_views.expected_view(compiled.offer, game, language(request), zones) if zones else None}

    def mended(request: Request, body: Any) -> object:
        fields = read(_CaseName, body)
        _compiled, case, text = _case(request, {"cases": fields.cases, "name": fields.name})
        bench.replace(fields.cases, case_runner.update_expectations(case, text, fields.cases))
        return {}

    def played(request: Request, body: Any) -> object:
        """Play a case's answers as a line, as far as they are allowed."""
        fields = read(_CaseName, body)
        _compiled, case, text = _case(request, {"cases": fields.cases, "name": fields.name})
        with store.tree(file(request)) as tree:
            return {"node": add_line(tree, case, _starting_position(text, fields)).number}

    def _case(request: Request, fields: Mapping[str, str]) -> tuple[CompiledEdition, Case, str]:
        compiled = bench.compiled(file(request))
        if compiled.rules is None:
            raise no_edition(file(request))
        name = fields.get("cases", "")
        known = texts(bench, file(request))
        if name not in known:
            raise CaseTextError(phrase("errors", "'{file}' has no list of cases.", file=name))
        return compiled, case_runner.find_case(compiled.rules, name, known[name], fields.get("name", "")), known[name]

    def _text(name: str) -> str:
        return bench.text(name) if bench.is_there(name) else ""

    def _existing_names(edition: str) -> list[str]:
        into = case_texts.cases_beside(edition)
        return case_texts.names_in(_text(into), into)

    post = ["POST"]
    return [
        Route("/api/cases", json_handler(found)),
        Route("/api/cases/name", json_handler(proposed)),
        Route("/api/cases/picture", json_handler(pictured)),
        Route("/api/cases/make", json_handler(made), methods=post),
        Route("/api/cases/mend", json_handler(mended), methods=post),
        Route("/api/cases/play", json_handler(played), methods=post),
    ]


def _number(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 16 else 0


def _starting_position(text: str, case_name: _CaseName) -> Any:
    """Return the starting position of a case, as written; None if the set-up is done."""
    tree = yaml_reader.read(None, text, Report(), case_name.cases)
    cases = tree.get("cases") if isinstance(tree, MappingNode) else None
    body = cases.get(case_name.name) if isinstance(cases, MappingNode) else None
    position = body.get("given") if isinstance(body, MappingNode) else None
    return source.plain(position) if position is not None else None


def add_line(tree: PlayTree, case: Case, position: Any) -> PlayNode:
    """Add the line of a case's answers, up to the first that is not allowed. Raises LostLine if it cannot start."""
    setting = case.setting
    beginning = GameStart(setting.seats, setting.roles, setting.options, setting.seed, position)
    same = (root for root in tree.roots if root.beginning == beginning and not root.is_recorded)
    node = next(same, None) or tree.start_game(beginning)
    tree.go(node)
    for step in case.steps:
        if isinstance(step, ScriptedAnswer) and not step.refused:
            try:
                node = tree.answer(node, step.seat, step.keys)
            except RulewrightError:
                break
    tree.set_title(node, case.name)
    return node
