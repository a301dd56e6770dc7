"""The pane 'Cases': all cases and examples of an edition, which are red, and both pictures of what differs."""

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
from rulewright.workbench.play.game_start import GameBeginning
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


class _Made(Struct, frozen=True):
    node: int
    name: Annotated[str, Meta(max_length=200)]


class _Named(Struct, frozen=True):
    cases: str
    name: str


def routes(bench: Bench) -> list[Route]:
    store, watch = lines_of(bench), cases_of(bench)

    def found(request: Request, _: Any) -> object:
        files, current = watch.found(file(request))
        return {"files": files, "current": current}

    def proposed(request: Request, _: Any) -> object:
        """What a case of a place in the lines may be called."""
        with store.tree(file(request)) as tree:
            node = tree.node(_number(request.query_params.get("node", "")))
            return {"name": case_builder.name_for(tree, node, _taken(file(request)))}

    def made(request: Request, body: Any) -> object:
        wanted = read(_Made, body)
        edition = file(request)
        into = case_texts.cases_beside(edition)
        with store.tree(edition) as tree:
            node = tree.node(wanted.node)
            text = case_builder.with_made(_text(into), tree, node, wanted.name, edition)
            bench.replace(into, text)
            tree.made(node, wanted.name)
        return {"file": into}

    def pictured(request: Request, _: Any) -> object:
        """What was expected beside what came out."""
        compiled, case, _text = _case(request, request.query_params)
        assert compiled.offer is not None
        played = scenarios.play(case)
        if played.table is None:
            return {"picture": None}
        game = played.table.game
        zones = dict(case_runner.differing(played.failures, game.state, case))
        return {"picture": game_views.beside(compiled.offer, game, language(request), zones) if zones else None}

    def mended(request: Request, body: Any) -> object:
        wanted = read(_Named, body)
        _compiled, case, text = _case(request, {"cases": wanted.cases, "name": wanted.name})
        bench.replace(wanted.cases, case_runner.mended(case, text, wanted.cases))
        return {}

    def played(request: Request, body: Any) -> object:
        """Play a case's answers as a line, as far as they are allowed."""
        wanted = read(_Named, body)
        _compiled, case, text = _case(request, {"cases": wanted.cases, "name": wanted.name})
        with store.tree(file(request)) as tree:
            return {"node": played_as_line(tree, case, _given(text, wanted)).number}

    def _case(request: Request, wanted: Mapping[str, str]) -> tuple[CompiledEdition, Case, str]:
        compiled = bench.compiled(file(request))
        if compiled.rules is None:
            raise no_edition(file(request))
        name = wanted.get("cases", "")
        known = texts(bench, file(request))
        if name not in known:
            raise CaseTextError(phrase("errors", "'{file}' has no list of cases.", file=name))
        return compiled, case_runner.named(compiled.rules, name, known[name], wanted.get("name", "")), known[name]

    def _text(name: str) -> str:
        return bench.text(name) if bench.is_there(name) else ""

    def _taken(edition: str) -> list[str]:
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


def _given(text: str, wanted: _Named) -> Any:
    """The position with which a case begins, as it is written; None where the set-up is done."""
    tree = yaml_reader.read(None, text, Report(), wanted.cases)
    cases = tree.get("cases") if isinstance(tree, MappingNode) else None
    body = cases.get(wanted.name) if isinstance(cases, MappingNode) else None
    given = body.get("given") if isinstance(body, MappingNode) else None
    return source.plain(given) if given is not None else None


def played_as_line(tree: PlayTree, case: Case, given: Any) -> PlayNode:
    """The line of a case's answers, up to the first that is not allowed. Raises LostLine where it cannot begin."""
    setting = case.setting
    beginning = GameBeginning(setting.seats, setting.roles, setting.options, setting.seed, given)
    same = (root for root in tree.roots if root.beginning == beginning and not root.kept)
    node = next(same, None) or tree.begin(beginning)
    tree.go(node)
    for step in case.steps:
        if isinstance(step, ScriptedAnswer) and not step.refused:
            try:
                node = tree.answer(node, step.seat, step.keys)
            except RulewrightError:
                break
    tree.entitle(node, case.name)
    return node
