"""Fixture that makes the base of a variant's book once."""

from collections.abc import Iterator

import pytest

from rulewright.publish.rulebook import changes
from shipped_books import contents_of


@pytest.fixture(scope="session", autouse=True)
def one_base_for_all() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(changes, "RulebookBuilder", contents_of)
        yield
