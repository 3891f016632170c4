"""Servers as children of this process, as of a notebook's kernel."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from mindviz.errors import StartError
from mindviz.notebook import page_servers
from mindviz.notebook.page_servers import PageServers
from tests.written_logs import tensorboard_log, write

TOKEN = "a-token-of-some-length"


@pytest.fixture
def servers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[PageServers]:
    monkeypatch.setenv("MINDVIZ_WORKSPACE", str(tmp_path / "workspace"))
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "logs" / "a", "events.out.tfevents.1000.host", tensorboard_log([(0, 1.0)]))
    started = PageServers()
    yield started
    for server in started.running():
        server.stop()


def test_a_server_answers_and_is_found_by_its_arguments(
    servers: PageServers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = servers.start(["logs"], ["--port", "0"], TOKEN)
    status = Request(f"http://127.0.0.1:{server.port}/v1/mindviz/status")
    with pytest.raises(HTTPError, match="401"):
        urlopen(status)
    status.add_header("Authorization", f"Bearer {TOKEN}")
    with urlopen(status) as response:
        assert json.load(response)["summary_base_dir"] == str(tmp_path / "logs")

    assert servers.find(["logs"]) is server
    assert servers.find(["logs", "--reload-interval", "1"]) is None
    monkeypatch.chdir(tmp_path / "logs")
    assert servers.find(["logs"]) is None

    server.stop()
    assert servers.running() == []


def test_the_reason_of_a_failed_start_is_one_sentence(servers: PageServers) -> None:
    with pytest.raises(StartError) as error:
        servers.start(["logs", "--reload-interval", "never"])
    assert "'never' is not a reload interval" in str(error.value)
    assert "\n" not in str(error.value)


def test_an_interrupted_start_leaves_no_process(
    servers: PageServers, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[subprocess.Popen[str]] = []

    def interrupted(process: subprocess.Popen[str]) -> int:
        started.append(process)
        raise KeyboardInterrupt

    monkeypatch.setattr(page_servers, "_announced_port", interrupted)
    with pytest.raises(KeyboardInterrupt):
        servers.start(["logs", "--port", "0"])
    (process,) = started
    assert process.returncode is not None
    assert servers.running() == []


KERNEL = """
import os, sys, time
from mindviz.notebook.page_servers import PageServers
server = PageServers().start([sys.argv[1], "--port", "0"])
print(server.process.pid, flush=True)
sys.stdin.read()
"""


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="waits for a process by pidfd")
def test_a_server_ends_when_its_kernel_is_killed(servers: PageServers, tmp_path: Path) -> None:
    kernel = subprocess.Popen(
        [sys.executable, "-c", KERNEL, str(tmp_path / "logs")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with kernel:
        assert kernel.stdout is not None
        descriptor = os.pidfd_open(int(kernel.stdout.readline()))
        kernel.kill()
    try:
        # Readable once the process has ended.
        os.set_blocking(descriptor, True)
        import select

        ready, _, _ = select.select([descriptor], [], [], 60)
        assert ready
    finally:
        os.close(descriptor)
