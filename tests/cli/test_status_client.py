"""Service: only what responds like mindviz counts as one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from mindviz.cli.status_client import read_status
from mindviz.config import ExperimentSource
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
def test_another_server_is_not_mistaken_for_mindviz(code: int, body: bytes) -> None:
    with answering(code, body) as config:
        assert read_status(config) is None


def test_there_is_no_status_until_all_experiments_respond() -> None:
    with answering(200, b'{"load_status": "loaded", "points": 3}', "/experiment/b") as config:
        sources = tuple(ExperimentSource(name, Path("logs")) for name in ("a", "b"))
        assert read_status(replace(config, url_path_prefix="", experiments=sources)) is None


def test_without_a_server_there_is_no_status() -> None:
    with answering(200, b"") as config:
        pass
    assert read_status(config) is None
