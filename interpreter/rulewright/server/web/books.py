"""Rulebooks of editions with options, as pages: rendered one at a time, since that takes seconds, and cached."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass

from rulewright.base.diagnostics import RulewrightError
from rulewright.i18n.localizer import phrase
from rulewright.publish.rulebook import book, html
from rulewright.publish.rulebook.changes import usual_builder
from rulewright.publish.rulebook.rulebook_builder import RulebookBuilder
from rulewright.server.edition_registry import PlayableEdition
from rulewright.server.limits import Buckets, Limits

MAX_CACHED = 12
"""Limit of rulebooks cached."""

BookKey = tuple[str, ...]


class BusyError(RulewrightError):
    """Refusal because too many rulebooks are wanted at once."""


@dataclass
class _BookRequest:
    """Request for a rulebook. address: of the first client; readers: clients that wait for it."""

    offer: PlayableEdition
    language: str
    options: Mapping[str, str]
    address: str
    done: asyncio.Future[str]
    readers: int = 0


class RulebookQueue:
    """Short queue of rulebooks, of which one address has a few places; requests that nobody waits for any more are
    dropped."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._limiter = Buckets(limits.books, limits.books_each_second)
        self._cache: OrderedDict[BookKey, str] = OrderedDict()
        self._requests: OrderedDict[BookKey, _BookRequest] = OrderedDict()
        self._making: asyncio.Task[None] | None = None
        self._current: BookKey | None = None  # the one that is being made

    async def page(self, offer: PlayableEdition, language: str, options: Mapping[str, str], address: str) -> str:
        """Return a rulebook as HTML: cached, or rendered when its turn comes. Raises GameError for unknown options,
        BusyError; may be cancelled when the client has left."""
        name = (offer.pinned.digest, language, *(text for option in sorted(options.items()) for text in option))
        if name in self._cache:
            self._cache.move_to_end(name)
            return self._cache[name]
        if name not in self._requests:
            self._take_place(address)
            result: asyncio.Future[str] = asyncio.get_running_loop().create_future()
            self._requests[name] = _BookRequest(offer, language, options, address, result)
        request = self._requests[name]
        request.readers += 1
        if self._making is None:
            self._making = asyncio.create_task(self._make())
        try:
            return await asyncio.shield(request.done)
        finally:
            request.readers -= 1
            if not request.readers and name != self._current and self._requests.get(name) is request:
                del self._requests[name]

    def _take_place(self, address: str) -> None:
        """Check that there is a free place, and count the request as one of its address. Raises BusyError."""
        own = sum(wanted.address == address for wanted in self._requests.values())
        full = len(self._requests) >= self._limits.books_waiting or own >= self._limits.books_for_one
        if full or not self._limiter.take(address):
            raise BusyError(
                phrase("errors", "Too many people are asking for rulebooks. Wait a moment, then reload the page.")
            )

    async def _make(self) -> None:
        """Render requested books until none is left."""
        while self._requests:
            self._current, request = next(iter(self._requests.items()))
            try:
                content = await asyncio.to_thread(_render, request.offer, request.language, request.options)
            except Exception as error:
                request.done.set_exception(error)
                request.done.exception()  # perhaps nobody is there any more
            else:
                self._keep(self._current, content)
                request.done.set_result(content)
            del self._requests[self._current]
            self._current = None
        self._making = None

    def _keep(self, name: BookKey, content: str) -> None:
        """Cache a rulebook, and drop the oldest beyond the limit."""
        self._cache[name] = content
        while len(self._cache) > MAX_CACHED:
            self._cache.popitem(last=False)


def _render(offer: PlayableEdition, language: str, options: Mapping[str, str]) -> str:
    """Render a rulebook as HTML."""
    builder = RulebookBuilder(offer.rules, language, options)
    return html.page(book.rulebook(builder, usual_builder(builder)))
