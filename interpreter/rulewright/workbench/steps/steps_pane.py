"""Pane 'Steps': the sentences run since an answer, the table in between, and the causes of its state."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from threading import Lock
from typing import Any

from starlette.requests import Request
from starlette.routing import Route

from rulewright.authoring import sentence_trace
from rulewright.authoring.sentence_trace import Reason, SentenceTrace
from rulewright.base.diagnostics import RulewrightError
from rulewright.game.game import Game
from rulewright.i18n.localizer import Phrase, phrase
from rulewright.program.appearance import type_with_marks
from rulewright.program.state_layout import NOTHING
from rulewright.publish.labels import Labels
from rulewright.runtime.state import State
from rulewright.runtime.view import MAKER
from rulewright.server.views.seat_view import zone_key
from rulewright.workbench.core.bench import Bench
from rulewright.workbench.core.json_handlers import get, language, not_understood
from rulewright.workbench.play.line_games import NodeGame, document, number_of, requested_game
from rulewright.workbench.steps import trace_view
from rulewright.workbench.steps.trace_view import TraceDescriber

_MAX_CACHED_TRACES = 12
"""Maximum number of cached traces: people go back and forth between a few."""
_MAX_EQUAL_PIECES = 8
"""Maximum number of equal pieces of a zone among which the last moved is sought."""

WORDS: Mapping[str, Phrase] = {
    "steps": phrase("design", "Steps"),
    "steps told": phrase("design", "Tap a piece or a counter to see which sentence put it there."),
    "steps opening": phrase("design", "How it began"),
    "steps answer": phrase("design", "After {name}: {taken}"),
    "earlier answer": phrase("design", "The answer before"),
    "later answer": phrase("design", "The answer after"),
    "steps first": phrase("design", "To the first sentence"),
    "step back": phrase("design", "One sentence back"),
    "step on": phrase("design", "One sentence on"),
    "steps last": phrase("design", "To the last sentence"),
    "to the cursor": phrase("design", "To the cursor’s line"),
    "not in line": phrase("design", "No sentence of this line was done here."),
    "yes sign": phrase("design", "yes"),
    "no sign": phrase("design", "no"),
    "step of": phrase("design", "{number} of {count}"),
    "steps left out": phrase("design", "{done} sentences were done. The last {count} are here."),
    "no steps": phrase("design", "Nothing was done. Others still have to answer."),
    "sentences done": phrase("design", "Sentences"),
    "goes on inside": phrase("design", "goes on"),
    "fold": phrase("design", "Hide what was done inside"),
    "unfold": phrase("design", "Show what was done inside ({count})"),
    "step acting": phrase("design", "In the name of"),
    "step given": phrase("design", "Names given"),
    "step read": phrase("design", "It read"),
    "step yes": phrase("design", "Yes, so what stands inside is done."),
    "step no": phrase("design", "No, so what stands inside is not done."),
    "step moved": phrase("design", "It moved"),
    "step counted": phrase("design", "It counted"),
    "step shuffled": phrase("design", "It shuffled"),
    "step changed": phrase("design", "It changed"),
    "step told": phrase("design", "It told"),
    "step nothing": phrase("design", "Nothing on the table changed."),
    "step line": phrase("design", "line {line}"),
    "step asks": phrase("design", "Then it asks"),
    "moved from": phrase("design", "{pieces}: from {start} to {goal}"),
    "moved within": phrase("design", "{pieces}: to another place in {start}"),
    "from to": phrase("design", "{label}: {before}, then {after}"),
    "why here": phrase("design", "Why is it here? {piece}"),
    "never moved": phrase("design", "Nothing has moved this since the game began."),
    "never counted": phrase("design", "Nothing has changed this since the game began."),
    "steps table": phrase("design", "The table after this sentence"),
    "seen by": phrase("design", "As seen by"),
    "sees all": phrase("design", "everybody’s cards open"),
    "spectator": phrase("design", "somebody who watches"),
}
"""Phrases of the page by the names that its code has for them."""


class NoStep(RulewrightError):
    """Missing answer, step or piece."""


class _TraceCache:
    """Cache of recent traces."""

    def __init__(self) -> None:
        self._traces: OrderedDict[tuple[object, ...], SentenceTrace] = OrderedDict()
        self._lock = Lock()

    def trace_of(self, node_game: NodeGame, answer: int) -> SentenceTrace:
        """Return the trace after an answer of a node's game, cached; -1 for what comes before the first answer. Raises
        BenchError."""
        with self._lock:
            if not -1 <= answer < len(node_game.game.history.answers):
                raise _node_is_missing()
            key = (node_game.game.rules, node_game.node, answer)
            if key not in self._traces:
                self._traces[key] = sentence_trace.after_answer(node_game.game, answer)
                while len(self._traces) > _MAX_CACHED_TRACES:
                    self._traces.popitem(last=False)
            self._traces.move_to_end(key)
            return self._traces[key]


def routes(bench: Bench) -> list[Route]:
    """Return the routes of the pane of steps."""
    traces = _TraceCache()

    def steps(request: Request, _: Any) -> object:
        """Send the sentences run after an answer; after the last one, if none is named or fewer fit the rules now."""
        node_game = requested_game(bench, request)
        answers = node_game.game.history.answer_keys()
        answer = min(number_of(request, "answer", len(answers) - 1), len(answers) - 1)
        content = _describer(bench, request, node_game, traces.trace_of(node_game, answer)).describe()
        return {
            "node": node_game.node,
            "answer": answer,
            "answers": len(answers),
            "taken": _describe_answer(node_game.game, answer, language(request)),
            "table": document(node_game, language(request)),
            "trace": content,
        }

    def table(request: Request, _: Any) -> object:
        """Send the table between two sentences."""
        node_game = requested_game(bench, request)
        trace = traces.trace_of(node_game, number_of(request, "answer", len(node_game.game.history.answers) - 1))
        states = trace_view.tables(trace)
        number = number_of(request, "state", len(states) - 1)
        if not 0 <= number < len(states):
            raise _node_is_missing()
        return trace_view.table(node_game.game, states[number], _reader(request, node_game.game), language(request))

    def find_reason(request: Request, _: Any) -> object:
        """Find the sentence that last moved a piece, or changed a counter, up to the step shown."""
        node_game = requested_game(bench, request)
        last = len(node_game.game.history.answers) - 1
        answer = number_of(request, "answer", last)
        trace = traces.trace_of(node_game, answer)
        upto = number_of(request, "step", len(trace.steps) - 1)
        if not 0 <= upto < len(trace.steps):
            raise _node_is_missing()
        game = (
            node_game.game if answer == last else node_game.game.with_history(node_game.game.history.before(answer + 1))
        )
        known = [reason for reason in _reasons(request, game, trace.steps[upto].after, upto) if reason is not None]
        if not known:
            return {"step": None}
        number, of, step = max(known, key=lambda reason: (reason[0], reason[2].number))
        return {"answer": number, "step": next(place for place, one in enumerate(of.steps) if one is step)}

    return [
        get("/api/steps", steps),
        get("/api/steps/table", table),
        get("/api/steps/why", find_reason),
    ]


def _reasons(request: Request, game: Game, state: State, upto: int) -> list[Reason | None]:
    """Find the reason of a piece's or counter's state; of each of several equal pieces. Raises NoStep."""
    parameters = request.query_params
    if name := parameters.get("piece"):
        space = next(
            (s for s in game.program.layout.zones if zone_key(game.program, s) == parameters.get("zone")), None
        )
        if space is None:
            raise _node_is_missing()
        numbers = [
            one
            for one in state[space.address]
            if type_with_marks(game.program, game.program.appearance(state, one)).name == name
        ]
        return [sentence_trace.moved_last(game, piece, upto) for piece in numbers[:_MAX_EQUAL_PIECES]]
    counter = next((one for one in game.program.layout.counters if one.name == parameters.get("counter")), None)
    owner = number_of(request, "owner", NOTHING)
    if counter is None or not -(not counter.of) <= owner < counter.owners:
        raise _node_is_missing()
    return [sentence_trace.counted_last(game, counter.name, owner, upto)]


def _describer(bench: Bench, request: Request, node_game: NodeGame, trace: SentenceTrace) -> TraceDescriber:
    return TraceDescriber(trace, node_game.game, language(request), bench.folder.readable)


def _describe_answer(game: Game, answer: int, language: str) -> dict[str, Any] | None:
    """Describe an answer and who gave it; None before the first answer."""
    if answer < 0:
        return None
    answered = game.history.answers[answer]
    decision = game.with_history(game.history.before(answer)).decision(answered.seat, language)
    answer_text = Labels(game, language).answer(decision, answered.keys) if decision is not None else ""
    return {"seat": answered.seat, "taken": answer_text}


def _reader(request: Request, game: Game) -> int | None:
    """Return the viewer: a seat, 'all' (sees everything), or 'none' (a spectator)."""
    viewer = request.query_params.get("seat", "all")
    if viewer in ("all", "none"):
        return MAKER if viewer == "all" else None
    if not viewer.isdigit() or int(viewer) >= len(game.names):
        raise not_understood()
    return int(viewer)


def _node_is_missing() -> NoStep:
    return NoStep(phrase("errors", "This place in the game is not there any more."))
