"""Workspace: pid files that prove what they say."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from mindviz.cli.workspace import Instance, Workspace
from mindviz.errors import StartError

_CLAIM = """
import os, sys, time
from pathlib import Path
from mindviz.cli.workspace import Instance, Workspace
with Workspace(Path(sys.argv[1])).claim(Instance(os.getpid(), int(sys.argv[2]), "url", "logs")):
    print("claimed", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    workspace = Workspace(tmp_path / "deep" / "workspace")
    workspace.prepare()
    return workspace


def _claim(workspace: Workspace, port: int) -> subprocess.Popen[str]:
    claimer = subprocess.Popen(
        [sys.executable, "-c", _CLAIM, str(workspace.path), str(port)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert claimer.stdout is not None
    assert claimer.stdout.readline() == "claimed\n"
    return claimer


def test_a_workspace_is_private(workspace: Workspace) -> None:
    assert workspace.path.stat().st_mode & 0o077 == 0


def test_a_file_cannot_be_a_workspace(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    with pytest.raises(StartError, match="Cannot use the workspace"):
        Workspace(file).prepare()


def test_a_running_process_is_found_until_it_exits(workspace: Workspace) -> None:
    with _claim(workspace, 8081) as claimer:
        expected = Instance(claimer.pid, 8081, "url", "logs")
        assert workspace.instances() == [expected]
        assert workspace.instance(8081) == expected
        assert workspace.instance(8080) is None
        claimer.communicate()
    assert workspace.instances() == []


def test_the_pid_file_of_a_killed_process_is_ignored(workspace: Workspace) -> None:
    with _claim(workspace, 8081) as claimer:
        claimer.send_signal(signal.SIGKILL)
        claimer.wait()
    assert workspace.instance(8081) is None
    with _claim(workspace, 8081) as successor:
        found = workspace.instance(8081)
        assert found is not None
        assert found.pid == successor.pid
        successor.communicate()


def test_an_invalid_pid_file_is_ignored(workspace: Workspace) -> None:
    stranger = {"pid": os.getpid(), "port": 8080, "url": "", "summary_base_dir": ""}
    (workspace.path / "run" / "mindviz.8080.pid").write_text(json.dumps(stranger))
    assert workspace.instance(8080) is None


def test_a_port_can_be_claimed_once(workspace: Workspace) -> None:
    with _claim(workspace, 8080) as claimer:
        with (
            pytest.raises(StartError, match="is locked by another server"),
            workspace.claim(Instance(1, 8080, "", "")),
        ):
            pass
        assert workspace.instance(8080) is not None
        claimer.communicate()
