"""A server in a separate process: it responds, and stops on a signal."""

from __future__ import annotations

import http.client
import json
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from mindviz.backend.server import ended_by_signals, listen, wait_for_signal
from mindviz.config import Config
from mindviz.errors import StartError

ROOT = Path(__file__).resolve().parent.parent.parent
SERVE = """
import sys
import threading
from pathlib import Path
from mindviz.backend import server
from mindviz.config import Config

listen = server.listen

def tell(config):
    listener = listen(config)
    print(listener.getsockname()[1], flush=True)
    return listener

server.listen = tell
server.serve(Config(Path(sys.argv[1]), port=0, workspace=Path(sys.argv[1]) / "ws"))
print("ended", flush=True)
"""


@contextmanager
def running(base_dir: Path) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A server on a free port, and that port."""
    command = [sys.executable, "-c", SERVE, str(base_dir)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process, int(process.stdout.readline())
        finally:
            process.kill()


def ask(connection: http.client.HTTPConnection, path: str) -> tuple[int, Any]:
    connection.request("GET", path)
    response = connection.getresponse()
    return response.status, json.loads(response.read())


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_responds_from_bind_to_signal(tmp_path: Path, number: signal.Signals) -> None:
    with running(tmp_path) as (process, port):
        # The port is printed before imports, so the first request waits.
        with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=60)) as connection:
            assert ask(connection, "/v1/mindviz/status")[0] == 200
            # On the same connection; rejected by the app, not by the HTTP server.
            status, body = ask(connection, "/v1/mindviz/datavisual/scalars?tag=" + "a" * 100_000)
            assert (status, body["error_code"]) == (400, "50540002")
            assert ask(connection, "/v1/mindviz/datavisual/train-jobs")[1]["total"] == 0
        process.send_signal(number)
        output, _ = process.communicate(timeout=60)
        assert (output, process.returncode) == ("ended\n", 0)


def test_the_error_names_a_port_in_use() -> None:
    with listen(Config(Path("/data"), port=0)) as listener:
        port = listener.getsockname()[1]
        with pytest.raises(StartError, match=str(port)):
            listen(Config(Path("/data"), port=port))


def test_an_unknown_host_is_a_one_line_error() -> None:
    with pytest.raises(StartError, match=r"nowhere\.invalid"):
        listen(Config(Path("/data"), host="nowhere.invalid", port=0))


def test_signal_handlers_are_restored() -> None:
    before = signal.getsignal(signal.SIGTERM)
    reached = False
    with ended_by_signals():
        signal.raise_signal(signal.SIGTERM)
        reached = True
    assert not reached
    assert signal.getsignal(signal.SIGTERM) is before


def test_a_signal_to_any_thread_ends_the_wait() -> None:
    main = threading.get_ident()

    def signal_here() -> None:
        while sys._current_frames()[main].f_code is not wait_for_signal.__code__:
            time.sleep(0)  # let the main thread continue
        signal.pthread_kill(threading.get_ident(), signal.SIGTERM)

    before = signal.set_wakeup_fd(-1)
    for _ in range(20):
        with ended_by_signals():
            threading.Thread(target=signal_here, daemon=True).start()
            wait_for_signal()
    assert signal.set_wakeup_fd(before) == -1
