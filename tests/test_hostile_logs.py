"""Hostile logs through every route, export and command: no failure, and no exceeded bound."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests import (
    forked,
    hostile_payloads,  # noqa: F401 -- registers its logs
)
from tests.every_command import commands_on, run_command
from tests.every_request import send_requests
from tests.hostile_logs import HOSTILE_LOGS

MOST_KILOBYTES = 512 * 1024
"""Limit of a command's memory, and of the growth of the process that sends requests."""
SLACK = 2
"""Factor on the CPU limits of routes: machines differ, and tests run in parallel."""


@pytest.mark.parametrize("name", HOSTILE_LOGS)
def test_every_request_stays_within_its_bound(name: str, tmp_path: Path) -> None:
    base_dir = tmp_path / "logs"
    base_dir.mkdir()
    try:
        HOSTILE_LOGS[name](base_dir)
    except OSError:
        pytest.skip("this file system takes names in UTF-8 only")
    requests = forked.run(tmp_path, send_requests, base_dir, tmp_path / "workspace")
    assert requests.returncode == 0, requests.stderr[-2000:]
    assert len(stays_within_bounds(requests.stdout)) > 100
    for arguments in commands_on(base_dir, tmp_path / "imported.sqlite"):
        costs = tmp_path / "costs"
        command = forked.run(tmp_path, run_command, base_dir, arguments, costs)
        assert command.returncode == 0, command.stderr[-2000:]
        assert "Traceback" not in command.stderr, command.stderr[-2000:]
        assert len(stays_within_bounds(costs.read_text("utf-8"))) == 1


def stays_within_bounds(printed: str) -> list[dict[str, Any]]:
    """Check the costs of requests or commands, and the memory of their process; return them."""
    *costs, memory = map(json.loads, printed.splitlines())
    assert [one for one in costs if one["status"] >= 500] == []
    assert [one for one in costs if one["nbytes"] > one["max_bytes"]] == []
    assert [one for one in costs if one["seconds"] > SLACK * one["max_seconds"]] == []
    assert memory["kilobytes"] < MOST_KILOBYTES
    return costs
