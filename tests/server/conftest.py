"""What tests of the server share: that tables are kept in one database as in the other."""

from collections.abc import Iterator

import pytest

import databases


@pytest.fixture(params=databases.BOTH)
def database(request: pytest.FixtureRequest) -> Iterator[str]:
    yield from databases.use(request.param)
