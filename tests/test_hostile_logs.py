"""Hostile logs through every route, export and command: no failure, and no exceeded bound."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests import hostile_payloads  # noqa: F401 -- registers its logs
from tests.hostile_logs import HOSTILE_LOGS

MOST_KILOBYTES = 512 * 1024
"""Limit of the process's growth."""
SLACK = 5
"""Factor on the CPU limits of routes: machines differ, and tests run in parallel."""


@pytest.mark.parametrize("name", HOSTILE_LOGS)
def test_every_request_stays_within_its_bound(name: str, tmp_path: Path) -> None:
    base_dir = tmp_path / "logs"
    base_dir.mkdir()
    try:
        HOSTILE_LOGS[name](base_dir)
    except OSError:
        pytest.skip("this file system takes names in UTF-8 only")
    requested = subprocess.run(
        [sys.executable, "-m", "tests.every_request", base_dir, tmp_path / "imported.sqlite"],
        cwd=Path(__file__).parent.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    assert requested.returncode == 0, requested.stderr[-2000:]
    *costs, memory = map(json.loads, requested.stdout.splitlines())
    assert len(costs) > 100
    assert [one for one in costs if one["status"] >= 500] == []
    assert [one for one in costs if one["nbytes"] > one["max_bytes"]] == []
    assert [one for one in costs if one["seconds"] > SLACK * one["max_seconds"]] == []
    assert memory["grown_kilobytes"] < MOST_KILOBYTES
    assert memory["commands_kilobytes"] < MOST_KILOBYTES
