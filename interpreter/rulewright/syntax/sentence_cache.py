"""What was worked out of an edition's sentences, remembered for the next time: a file that is changed keeps most."""

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
"""What was worked out, how the text was read, and the text."""

MOST_SENTENCES = 5_000
"""Of one edition."""


class _Memory(Generic[Result]):
    """name: by which it is kept; known: what was found earlier, in a form that can be kept; used: what is found now,
    and what makes that form."""

    def __init__(self, name: str, known: dict[SentenceKey, Any]) -> None:
        self.name, self.known = name, known
        self.used: dict[SentenceKey, tuple[Any, Callable[[Any], Any]]] = {}

    def all(self) -> dict[SentenceKey, Any]:
        """What was used now first, for that is wanted again."""
        used = {entry: self.known.get(entry) or kept_form(found) for entry, (found, kept_form) in self.used.items()}
        return dict(list({**used, **self.known}.items())[:MOST_SENTENCES])


_FORGETTING: list[Callable[[], None]] = []
"""What empties the memory of each function in this process."""


def forget() -> None:
    """Forget all results in this process; those that are stored stay."""
    for clear in _FORGETTING:
        clear()


_MEMORY: ContextVar[_Memory[Any] | None] = ContextVar("memory", default=None)


@contextmanager
def remembering(edition: str) -> Iterator[None]:
    """While the sentences of an edition are read. edition: its file, whatever stands in it."""
    name = cache.key("sentences", edition)
    if (outer := _MEMORY.get()) is not None and outer.name == name:
        yield
        return
    known = cache.found(name)
    memory: _Memory[Any] = _Memory(name, known if isinstance(known, dict) else {})
    before = _MEMORY.set(memory)
    try:
        yield
    finally:
        _MEMORY.reset(before)
        if memory.used.keys() - memory.known.keys():
            cache.keep(name, memory.all())


def remembered(
    kept_form: Callable[[Result], Any], from_kept: Callable[[Any], Result]
) -> Callable[[Reader[Result]], Reader[Result]]:
    """Of a function of a text and how it is read, which gives the same for the same.

    kept_form: plain data for what it gives, never None; from_kept: the other way.
    """

    def decorated(work: Reader[Result]) -> Reader[Result]:
        @lru_cache(maxsize=10_000)
        def worked_out(text: str, start: str) -> Result:
            memory = _MEMORY.get()
            if memory is not None and (kept := memory.known.get((work.__name__, start, text))) is not None:
                return from_kept(kept)
            return work(text, start)

        @wraps(work)
        def found(text: str, start: str) -> Result:
            value = worked_out(text, start)
            if (memory := _MEMORY.get()) is not None:
                memory.used[work.__name__, start, text] = value, kept_form
            return value

        _FORGETTING.append(worked_out.cache_clear)
        return found

    return decorated
