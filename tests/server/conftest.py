"""Fixtures of server tests, which run with each kind of database."""

from collections.abc import Iterator

import pytest

import databases


@pytest.fixture(params=databases.BOTH)
def database(request: pytest.FixtureRequest) -> Iterator[str]:
    yield from databases.use(request.param)
