"""The server at its connection limit."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

from mindviz.backend.http_server import max_connections
from tests.backend.test_http_connection import EndlessStream, has_ended, hello
from tests.http_servers import PATIENCE, ask, connect, get, http_server, read_answer

ROOT = Path(__file__).resolve().parent.parent.parent

FEW_DESCRIPTORS = """
import json, logging, resource, socket, sys
from pathlib import Path

logging.basicConfig(format="%(message)s")
from mindviz.backend.http_server import HttpServer
from mindviz.backend.server import listen
from mindviz.config import Config

def hello(environ, start_response):
    start_response("200 OK", [("Content-Length", "7")])
    return [b'"hello"']

listener = listen(Config(Path("/data"), port=0))
server = HttpServer(hello, listener, connection_limit=10_000)
resource.setrlimit(resource.RLIMIT_NOFILE, (40, 40))
print(listener.getsockname()[1], flush=True)
server.run()
"""


def test_connections_leave_file_descriptors_for_other_uses() -> None:
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    assert 0 < max_connections() < soft


def test_the_longest_idle_connection_is_evicted() -> None:
    with http_server(hello, connection_limit=3) as port, ExitStack() as opened:
        clients = [opened.enter_context(connect(port)) for _ in range(3)]
        for client in [clients[1], clients[0], clients[2]]:
            client.sendall(get("/"))
            read_answer(client)
        assert ask(port, get("/")) == (200, "hello")
        assert has_ended(clients[1])
        clients[0].sendall(get("/"))
        assert read_answer(clients[0])[1] == b'"hello"'


def test_no_connection_is_evicted_below_the_limit() -> None:
    with http_server(hello, connection_limit=150) as port, ExitStack() as opened:
        clients = [opened.enter_context(connect(port)) for _ in range(150)]
        for client in clients:
            client.sendall(get("/"))
            assert read_answer(client)[1] == b'"hello"'


def test_many_idle_connections_do_not_block_new_ones() -> None:
    with http_server(hello, connection_limit=50) as port, ExitStack() as opened:
        for _ in range(200):
            opened.enter_context(connect(port))
        assert ask(port, get("/")) == (200, "hello")


def test_busy_connections_are_not_evicted() -> None:
    with http_server(EndlessStream(), connection_limit=2) as port, ExitStack() as opened:
        busy = [opened.enter_context(connect(port, receive_buffer=4096)) for _ in range(2)]
        for client in busy:
            client.sendall(get("/"))
            assert client.recv(1) == b"H"
        status, body = ask(port, get("/"))
        assert (status, set(body)) == (503, {"error_code", "error_msg"})
        assert len(busy[0].recv(1000)) > 0


def test_a_lack_of_file_descriptors_is_logged_once() -> None:
    command = [sys.executable, "-c", FEW_DESCRIPTORS]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            port = int(process.stdout.readline())
            with ExitStack() as opened:
                for _ in range(100):
                    opened.enter_context(connect(port))
                assert ask(port, get("/")) == (200, "hello")
        finally:
            process.terminate()
            _, errors = process.communicate(timeout=PATIENCE)
    lines = errors.splitlines()
    assert len([line for line in lines if "cannot accept connections" in line]) == 1
    assert len(lines) < 40, json.dumps(lines)


def test_it_stops_while_clients_do_not_read() -> None:
    with ExitStack() as opened, http_server(EndlessStream()) as port:
        for _ in range(4):
            client = opened.enter_context(connect(port, receive_buffer=4096))
            client.sendall(get("/"))
            assert client.recv(1) == b"H"
