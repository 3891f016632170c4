"""`mindviz start` where something is not as its user thinks: real processes."""

from __future__ import annotations

import os
import re
import shutil
import socket
import stat
import subprocess
from pathlib import Path

import pytest

from tests.mindviz_process import PATIENCE, Mindviz, run
from tests.written_logs import tensorboard_log, write

ROOT = Path(__file__).resolve().parent.parent.parent
MAKE = "make run PORT="


@pytest.fixture
def homeless(tmp_path: Path) -> dict[str, str]:
    """An environment whose home cannot be written, not even by root."""
    (tmp_path / "home").touch()
    (tmp_path / "tmp").mkdir()
    return {
        "HOME": str(tmp_path / "home"),
        "TMPDIR": str(tmp_path / "tmp"),
        "MINDVIZ_WORKSPACE": "",
    }


def test_without_a_writable_home_a_temporary_workspace_is_used(
    tmp_path: Path, homeless: dict[str, str]
) -> None:
    write(tmp_path / "logs" / "a", "tfevents.1", tensorboard_log([(1, 0.5)]))
    started = run("start", str(tmp_path / "logs"), "--port", "0", "--daemon", env=homeless)
    try:
        assert started.returncode == 0, started.stderr
        (found,) = re.findall(r"home/mindviz is not writable.* in (\S+) until", started.stdout)
        workspace = Path(found)
        assert workspace.parent == tmp_path / "tmp"
        assert stat.S_IMODE(workspace.stat().st_mode) == 0o700
        assert list((workspace / "log").iterdir())
    finally:
        stopped = run("stop", env=homeless)
    assert stopped.returncode == 0, stopped.stderr


def test_a_temporary_workspace_of_another_user_is_not_used(
    tmp_path: Path, homeless: dict[str, str]
) -> None:
    theirs = tmp_path / "tmp" / f"mindviz-{os.getuid()}"
    trap = tmp_path / "trap"
    trap.mkdir()
    theirs.symlink_to(trap)
    env = {**homeless, "MINDVIZ_PORT": "0"}
    started = run("start", str(tmp_path), "--daemon", env=env)
    (found,) = re.findall(r"are kept in (\S+) until", started.stdout)
    assert run("stop", "--workspace", found, env=homeless).returncode == 0
    assert Path(found) != theirs
    assert list(trap.iterdir()) == []


def test_a_given_workspace_must_be_writable(tmp_path: Path, homeless: dict[str, str]) -> None:
    named = str(tmp_path / "home" / "mindviz")
    for options, env in ((["--workspace", named], {}), ([], {"MINDVIZ_WORKSPACE": named})):
        result = run("start", str(tmp_path), "--port", "0", *options, env={**homeless, **env})
        assert (result.returncode, "Cannot use the workspace" in result.stderr) == (2, True)


def test_an_unexpanded_pattern_is_noted(tmp_path: Path) -> None:
    with Mindviz(str(tmp_path / "logs" / "run*"), tmp_path / "workspace") as mindviz:
        note = mindviz.wait_for_line("does not exist yet")
        assert f"did not expand. Use {str(tmp_path / 'logs')!r}" in note
        assert "*tfevents*" in note


def test_a_daemons_notes_are_printed(tmp_path: Path) -> None:
    options = ("--workspace", str(tmp_path / "workspace"))
    started = run("start", str(tmp_path / "later"), "--port", "0", "--daemon", *options)
    assert run("stop", *options).returncode == 0
    assert "does not exist yet" in started.stdout


def test_a_directory_of_other_files_is_explained(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "train.csv").touch()
    with Mindviz(tmp_path / "data", tmp_path / "workspace") as mindviz:
        said = mindviz.wait_for_line("train.csv")
        assert "1 file (train.csv), but log files are named like" in said
    result = run("inspect", str(tmp_path / "data"))
    assert "1 file (train.csv), but log files are named like" in " ".join(result.stdout.split())


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://me@127.0.0.1:1/logs?password=hunter22",
        "postgresql://me:hunter22@127.0.0.1:1/logs?sslmode=x",
        "postgresql://me:hunter@22@127.0.0.1:1/logs",
        "oracle://me:hunter22@127.0.0.1/logs",
        "host=127.0.0.1 password=hunter22",
    ],
)
def test_errors_about_a_database_hide_its_password(url: str, tmp_path: Path) -> None:
    for command in (["start", "--port", "0"], ["import", str(tmp_path)]):
        result = run(*command, env={"MINDVIZ_DB": url})
        assert result.returncode != 0
        assert "hunter" not in result.stdout + result.stderr
        assert "127.0.0.1" in result.stderr


@pytest.mark.parametrize("command", ["inspect", "import", "export"])
def test_commands_suggest_an_existing_directory(command: str, tmp_path: Path) -> None:
    (tmp_path / "trainings").mkdir()
    more = {
        "inspect": [],
        "import": ["--db", str(tmp_path / "x.db")],
        "export": ["--format", "csv", "--what", "scalars"],
    }[command]
    result = run(command, str(tmp_path / "trainngs"), *more)
    assert (result.returncode, result.stderr.count("\n")) == (2, 1)
    assert "Did you mean 'trainings'?" in result.stderr


def test_under_make_a_port_in_use_suggests_a_make_command(tmp_path: Path) -> None:
    env = {"MINDVIZ_PORT_COMMAND": MAKE}
    workspace = tmp_path / "workspace"
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        options = ["--port", str(port), "--workspace", str(workspace)]
        result = run("start", str(tmp_path), *options, env=env)
    assert result.returncode == 2
    assert f"`make run PORT={port + 1}`, or any with `make run PORT=0`" in result.stderr
    with Mindviz(tmp_path, workspace) as mindviz:
        taken = int(mindviz.url.rstrip("/").rpartition(":")[2])
        options = ["--port", str(taken), "--workspace", str(workspace)]
        result = run("start", str(tmp_path), *options, env=env)
    assert (
        f"mindviz stop --port {taken}`, or use another port with `make run PORT={taken + 1}`"
        in result.stderr
    )


@pytest.mark.skipif(shutil.which("make") is None, reason="needs make")
def test_make_passes_the_port() -> None:
    dry = ["make", "--dry-run", "--silent", "run", "DIR=my logs", "PORT=8123"]
    result = subprocess.run(
        dry, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE, check=True
    )
    assert '--summary-base-dir "my logs" --port 8123' in result.stdout
    assert MAKE in result.stdout.replace("DIR='my logs' ", "")
