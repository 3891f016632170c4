"""`mindviz stop` ends the mindviz that is meant, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.mindviz_process import Mindviz, run


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    return tmp_path / "workspace"


def port_of(mindviz: Mindviz) -> str:
    return mindviz.url.rstrip("/").rpartition(":")[2]


def test_it_stops_a_server_in_the_foreground(tmp_path: Path, workspace: Path) -> None:
    with Mindviz(tmp_path / "logs", workspace) as mindviz:
        result = run("stop", "--port", port_of(mindviz), "--workspace", str(workspace))
        assert result.returncode == 0, result.stderr
        assert mindviz.url in result.stdout
        assert mindviz.process.wait(10) == 0


def test_the_port_is_required_if_several_are_running(tmp_path: Path, workspace: Path) -> None:
    with (
        Mindviz(tmp_path / "a", workspace) as first,
        Mindviz(tmp_path / "b", workspace) as second,
    ):
        result = run("stop", "--workspace", str(workspace))
        assert result.returncode == 2
        assert port_of(first) in result.stderr
        assert port_of(second) in result.stderr
        assert run("stop", "--port", port_of(first), "--workspace", str(workspace)).returncode == 0
        assert second.process.poll() is None
        assert run("stop", "--workspace", str(workspace)).returncode == 0
        assert second.process.wait(10) == 0


def test_a_server_of_another_workspace_is_not_stopped(tmp_path: Path, workspace: Path) -> None:
    with Mindviz(tmp_path / "logs", workspace) as mindviz:
        other = tmp_path / "other"
        result = run("stop", "--port", port_of(mindviz), "--workspace", str(other))
        assert result.returncode == 2
        assert f"does not belong to the workspace {other}" in result.stderr
        assert mindviz.process.poll() is None


def test_without_a_server_it_is_an_error(workspace: Path) -> None:
    for options in ([], ["--port", "1"]):
        result = run("stop", "--workspace", str(workspace), *options)
        assert (result.returncode, result.stdout) == (2, "")
        assert result.stderr.startswith("mindviz: No server is running")
        assert result.stderr.count("\n") == 1
