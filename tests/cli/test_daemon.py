"""Daemon: the command returns when mindviz answers, or says why it does not."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from mindviz.cli.workspace import Workspace
from tests.mindviz_process import PATIENCE, Service, run, wait_until


def start_daemon(log: Path, serve: str, answers: str = "lambda: False") -> str:
    """What `start_daemon` says to these two functions, in a new process: it forks."""
    program = f"""
import pathlib, sys, time
from mindviz.cli.daemon import start_daemon
from mindviz.errors import MindvizError, StartError
def fail(error): raise error
try:
    start_daemon({serve}, {answers}, pathlib.Path(sys.argv[1]))
    print("answers")
except MindvizError as error:
    print(error)
"""
    command = [sys.executable, "-c", program, str(log)]
    result = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=True)
    return result.stdout.strip()


def test_a_daemon_responds_when_the_command_returns_until_stop(tmp_path: Path) -> None:
    workspace = tmp_path / "workspace"
    options = ["--workspace", str(workspace)]
    started = run("start", str(tmp_path / "logs"), "--port", "0", "--daemon", *options)
    try:
        assert started.returncode == 0, started.stderr
        found = re.search(r"http://\S+/", started.stdout)
        assert found is not None
        assert Service(found[0]).json("/status")["train_jobs"] == 0
        (instance,) = Workspace(workspace).instances()
        assert found[0] == instance.url
        assert str(instance.pid) in started.stdout
    finally:
        stopped = run("stop", *options)
    assert stopped.returncode == 0, stopped.stderr
    assert Workspace(workspace).instances() == []
    log = (workspace / "log" / f"mindviz.{instance.port}.log").read_text()
    assert "Traceback" not in log
    assert instance.url in log


def test_a_daemons_log_is_private(tmp_path: Path) -> None:
    log = tmp_path / "log"
    wrote = "lambda: (print('hello', flush=True), time.sleep(0.1))"
    ready = f"lambda: pathlib.Path({str(log)!r}).exists() and pathlib.Path(sys.argv[1]).read_text()"
    assert start_daemon(log, wrote, ready) == "answers"
    assert log.read_text() == "hello\n"
    assert log.stat().st_mode & 0o077 == 0


def test_the_error_of_a_failed_start_is_reported(tmp_path: Path) -> None:
    said = start_daemon(tmp_path / "log", "lambda: fail(StartError('Port 1 is busy.'))")
    assert said == "Port 1 is busy."


def test_the_error_of_a_crash_names_the_log(tmp_path: Path) -> None:
    log = tmp_path / "log"
    said = start_daemon(log, "lambda: fail(RuntimeError('boom'))")
    assert str(log) in said
    wait_until(lambda: "boom" in log.read_text(), "the traceback is in the log")
