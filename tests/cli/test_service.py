"""Service: only what answers like mindviz counts as one."""

from __future__ import annotations

import pytest

from mindviz.cli.service import read_status
from tests.status_server import answering


@pytest.mark.parametrize("prefix", ["", "/a/b"])
def test_a_status_is_read(prefix: str) -> None:
    with answering(200, b'{"load_status": "loaded", "points": 3}', prefix) as config:
        status = read_status(config)
    assert status == {"load_status": "loaded", "points": 3}


@pytest.mark.parametrize(
    ("code", "body"),
    [(404, b'{"load_status": "loaded"}'), (200, b"{}"), (200, b"<html>"), (200, b"[]"), (200, b"")],
)
def test_a_stranger_is_not_taken_for_mindviz(code: int, body: bytes) -> None:
    with answering(code, body) as config:
        assert read_status(config) is None


def test_where_nobody_listens_there_is_no_status() -> None:
    with answering(200, b"") as config:
        pass
    assert read_status(config) is None
