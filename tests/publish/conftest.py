"""What a book of a variant is compared with is made once."""

from collections.abc import Iterator

import pytest

from books import contents_of
from rulewright.publish.rulebook import changes


@pytest.fixture(scope="session", autouse=True)
def one_base_for_all() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(changes, "Contents", contents_of)
        yield
