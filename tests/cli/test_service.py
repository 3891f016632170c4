"""Service: only what answers like mindviz counts as one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from mindviz.cli.service import read_status
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
def test_a_stranger_is_not_taken_for_mindviz(code: int, body: bytes) -> None:
    with answering(code, body) as config:
        assert read_status(config) is None


def test_a_server_of_which_one_experiment_is_silent_has_no_status_yet() -> None:
    with answering(200, b'{"load_status": "loaded", "points": 3}', "/experiment/b") as config:
        sources = tuple(ExperimentSource(name, Path("logs")) for name in ("a", "b"))
        assert read_status(replace(config, url_path_prefix="", experiments=sources)) is None


def test_where_nobody_listens_there_is_no_status() -> None:
    with answering(200, b"") as config:
        pass
    assert read_status(config) is None
