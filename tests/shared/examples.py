"""How many examples property tests draw."""

from __future__ import annotations

from hypothesis import settings

USUAL = 100


def few(examples: int) -> settings:
    """So many, where a test of the usual number would take too long; with --long more, as all tests have."""
    assert settings.default is not None
    return settings(max_examples=examples * settings.default.max_examples // USUAL)
