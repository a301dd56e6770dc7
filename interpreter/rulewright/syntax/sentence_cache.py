"""Cache results of reading an edition's sentences between runs: most stay when a file changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache, wraps
from typing import Any, Generic, TypeVar

from rulewright.base import cache

Result = TypeVar("Result")
Reader = Callable[[str, str], Result]
SentenceKey = tuple[str, str, str]
"""Name of the reading function, entry point of the grammar, and text."""

MAX_SENTENCES = 5_000
"""Most sentences of one edition."""


class _SentenceCache(Generic[Result]):
    """Cached results of one edition.

    name: key in the cache; known: stored results, as plain data; used: results of this run, each with the function
    that makes plain data of it.
    """

    def __init__(self, name: str) -> None:
        entries = cache.get(name)
        self.name, self.known = name, entries if isinstance(entries, dict) else {}
        self.used: dict[SentenceKey, tuple[Any, Callable[[Any], Any]]] = {}

    def store(self) -> None:
        """Store the entries, if there are new ones."""
        if self.used.keys() - self.known.keys():
            self.known = self.all()
            cache.store(self.name, self.known)

    def all(self) -> dict[SentenceKey, Any]:
        """Return the entries to store, those used in this run first."""
        used = {entry: self.known.get(entry) or kept_form(found) for entry, (found, kept_form) in self.used.items()}
        return dict(list({**used, **self.known}.items())[:MAX_SENTENCES])


_CLEARERS: list[Callable[[], None]] = []
"""Functions that clear the caches in this process."""


def clear() -> None:
    """Forget all results in this process; those that are stored stay."""
    for clear in _CLEARERS:
        clear()


_CURRENT: ContextVar[_SentenceCache[Any] | None] = ContextVar("memory", default=None)
_opened = lru_cache(maxsize=4)(_SentenceCache[Any])
"""Caches of the editions read last, so that each is loaded once."""
_CLEARERS.append(_opened.cache_clear)


@contextmanager
def use_sentence_cache(edition: str) -> Iterator[None]:
    """Cache results while the sentences of an edition are read. edition: name of its cache, whatever its content,
    or '' for none."""
    name = cache.key("sentences", edition)
    if not edition or ((outer := _CURRENT.get()) is not None and outer.name == name):
        yield
        return
    memory = _opened(name)
    before = _CURRENT.set(memory)
    try:
        yield
    finally:
        _CURRENT.reset(before)
        memory.store()


def cache_readings(
    kept_form: Callable[[Result], Any], from_kept: Callable[[Any], Result]
) -> Callable[[Reader[Result]], Reader[Result]]:
    """Decorate a pure function of a text and an entry point of the grammar, to cache its results.

    kept_form: plain data for what it gives, never None; from_kept: the other way.
    """

    def decorated(work: Reader[Result]) -> Reader[Result]:
        @lru_cache(maxsize=10_000)
        def worked_out(text: str, start: str) -> Result:
            memory = _CURRENT.get()
            if memory is not None and (data := memory.known.get((work.__name__, start, text))) is not None:
                return from_kept(data)
            return work(text, start)

        @wraps(work)
        def lookup(text: str, start: str) -> Result:
            value = worked_out(text, start)
            if (memory := _CURRENT.get()) is not None:
                memory.used[work.__name__, start, text] = value, kept_form
            return value

        _CLEARERS.append(worked_out.cache_clear)
        return lookup

    return decorated
