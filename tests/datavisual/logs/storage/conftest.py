"""An S3 server with an empty bucket."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.object_server import ObjectServer, object_server


@pytest.fixture
def server() -> Iterator[ObjectServer]:
    with pytest.MonkeyPatch.context() as environment, object_server(environment) as server:
        yield server
