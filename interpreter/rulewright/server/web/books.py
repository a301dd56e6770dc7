"""Rulebooks of editions with options, as pages. One is made at a time, since that takes seconds, and some are kept."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass

from rulewright.base.diagnostics import RulewrightError
from rulewright.i18n.localizer import phrase
from rulewright.publish.rulebook import book, html
from rulewright.publish.rulebook.changes import usual_contents
from rulewright.publish.rulebook.contents import Contents
from rulewright.server.edition_registry import PlayableEdition
from rulewright.server.limits import Buckets, Limits

MOST_KEPT = 12

BookName = tuple[str, ...]


class BusyError(RulewrightError):
    """Too many rulebooks are wanted at once."""


@dataclass
class _Wanted:
    """A book that is waited for. address: of who asked first; readers: how many wait for it."""

    offer: PlayableEdition
    language: str
    options: Mapping[str, str]
    address: str
    done: asyncio.Future[str]
    readers: int = 0


class Books:
    """Those who wait stand in a short queue, of which one address has a few places; a book for which nobody waits any
    more is not begun."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._asked = Buckets(limits.books, limits.books_each_second)
        self._kept: OrderedDict[BookName, str] = OrderedDict()
        self._wanted: OrderedDict[BookName, _Wanted] = OrderedDict()
        self._making: asyncio.Task[None] | None = None
        self._made: BookName | None = None  # the one that is being made

    async def page(self, offer: PlayableEdition, language: str, options: Mapping[str, str], address: str) -> str:
        """Raises GameError for options that the edition does not have, BusyError. address: of who asks. It may be
        cancelled: somebody has left."""
        name = (offer.pinned.digest, language, *(text for option in sorted(options.items()) for text in option))
        if name in self._kept:
            self._kept.move_to_end(name)
            return self._kept[name]
        if name not in self._wanted:
            self._queue(address)
            done: asyncio.Future[str] = asyncio.get_running_loop().create_future()
            self._wanted[name] = _Wanted(offer, language, options, address, done)
        wanted = self._wanted[name]
        wanted.readers += 1
        if self._making is None:
            self._making = asyncio.create_task(self._make())
        try:
            return await asyncio.shield(wanted.done)
        finally:
            wanted.readers -= 1
            if not wanted.readers and name != self._made and self._wanted.get(name) is wanted:
                del self._wanted[name]

    def _queue(self, address: str) -> None:
        """Raises BusyError where there is no place for one more."""
        own = sum(wanted.address == address for wanted in self._wanted.values())
        full = len(self._wanted) >= self._limits.books_waiting or own >= self._limits.books_for_one
        if full or not self._asked.take(address):
            raise BusyError(
                phrase("errors", "Too many people are asking for rulebooks. Wait a moment, then reload the page.")
            )

    async def _make(self) -> None:
        while self._wanted:
            self._made, wanted = next(iter(self._wanted.items()))
            try:
                content = await asyncio.to_thread(_made, wanted.offer, wanted.language, wanted.options)
            except Exception as error:
                wanted.done.set_exception(error)
                wanted.done.exception()  # perhaps nobody is there any more
            else:
                self._keep(self._made, content)
                wanted.done.set_result(content)
            del self._wanted[self._made]
            self._made = None
        self._making = None

    def _keep(self, name: BookName, content: str) -> None:
        self._kept[name] = content
        while len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)


def _made(offer: PlayableEdition, language: str, options: Mapping[str, str]) -> str:
    contents = Contents(offer.rules, language, options)
    return html.page(book.rulebook(contents, usual_contents(contents)))
