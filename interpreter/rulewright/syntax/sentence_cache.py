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

    name: key in the cache; known: results of earlier runs, as plain data; used: results of this run, each with the
    function that makes plain data of it.
    """

    def __init__(self, name: str, known: dict[SentenceKey, Any]) -> None:
        self.name, self.known = name, known
        self.used: dict[SentenceKey, tuple[Any, Callable[[Any], Any]]] = {}

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


@contextmanager
def use_sentence_cache(edition: str) -> Iterator[None]:
    """Cache results while the sentences of an edition are read. edition: its file, whatever its content."""
    name = cache.key("sentences", edition)
    if (outer := _CURRENT.get()) is not None and outer.name == name:
        yield
        return
    known = cache.get(name)
    memory: _SentenceCache[Any] = _SentenceCache(name, known if isinstance(known, dict) else {})
    before = _CURRENT.set(memory)
    try:
        yield
    finally:
        _CURRENT.reset(before)
        if memory.used.keys() - memory.known.keys():
            cache.store(name, memory.all())


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
