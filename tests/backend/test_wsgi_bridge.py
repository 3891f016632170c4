"""Slow clients and long requests delay no others."""

from __future__ import annotations

import queue
import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import pytest

from mindviz import deadline
from mindviz.backend import wsgi_bridge
from mindviz.backend.wsgi_bridge import LONG_THREADS, MAX_WAITING_LONG, SHORT_THREADS
from mindviz.deadline import begin_long_work, check, let_requests_pass, wait_for_change
from tests.http_servers import PATIENCE, ask, connect, get, http_server, read_answer

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIEnvironment

PIECE = b"x" * 1_000_000
PIECES = 100


class App:
    """Serves `/small`, streams `/stream`, and works on `/long` until its client disconnects."""

    def __init__(self) -> None:
        self.pieces = 0
        self.closed: queue.SimpleQueue[str] = queue.SimpleQueue()
        self.working: queue.SimpleQueue[str] = queue.SimpleQueue()
        self.environs: queue.SimpleQueue[WSGIEnvironment] = queue.SimpleQueue()

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Any:
        self.environs.put(environ)
        path = environ["PATH_INFO"]
        if path == "/long-stream":
            begin_long_work()
        if path.endswith("stream"):
            start_response("200 OK", [])
            return Stream(self)
        if path == "/long":
            begin_long_work()
            self.working.put(threading.current_thread().name)
            try:
                while True:
                    check()
            finally:
                self.closed.put("long")
        body = b'"small"'
        start_response("200 OK", [("Content-Length", str(len(body)))])
        return [body]


class Stream:
    """A practically endless number of pieces."""

    def __init__(self, app: App) -> None:
        self._app = app

    def __iter__(self) -> Iterator[bytes]:
        for _ in range(PIECES):
            self._app.pieces += 1
            yield PIECE

    def close(self) -> None:
        self._app.closed.put("stream")


def test_slow_clients_hold_no_thread_and_few_pieces() -> None:
    app = App()
    clients = 4 * SHORT_THREADS
    with http_server(app) as port, ExitStack() as connections:
        for _ in range(clients):
            client = connections.enter_context(connect(port, receive_buffer=4096))
            client.sendall(get("/stream"))
            assert client.recv(1) == b"H"  # its response has started
        for _ in range(20):
            assert ask(port, get("/small")) == (200, "small")
        # The kernel buffers at most a few megabytes per client.
        assert app.pieces < clients * PIECES / 4
        connections.close()
        for _ in range(clients):
            assert app.closed.get(timeout=PATIENCE) == "stream"


def test_background_work_goes_on_beside_slow_clients_and_those_that_wait(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(deadline, "_LONGEST_PAUSE", 60.0)
    app, news = App(), News()
    with http_server(app) as slow, http_server(news) as port:
        with connect(slow, receive_buffer=4096) as client, connect(port) as other:
            client.sendall(get("/stream"))
            assert client.recv(1) == b"H"
            other.sendall(get("/news"))
            news.calls.get(timeout=PATIENCE)
            thread = threading.Thread(target=let_requests_pass, daemon=True)
            thread.start()
            thread.join(PATIENCE)
            assert not thread.is_alive()
        assert app.closed.get(timeout=PATIENCE) == "stream"
        assert news.cancelled.get(timeout=PATIENCE) == "cancelled"


def test_a_stream_continues_during_long_work() -> None:
    app = App()
    with http_server(app) as port, ExitStack() as connections, connect(port) as client:
        client.sendall(get("/long-stream", "Connection: close"))
        assert client.recv(1) == b"H"
        for _ in range(LONG_THREADS):
            connections.enter_context(connect(port)).sendall(get("/long"))
            app.working.get(timeout=PATIENCE)
        received = sum(map(len, iter(lambda: client.recv(1 << 20), b"")))
    assert received > PIECES * len(PIECE)


def test_a_stream_is_complete() -> None:
    app = App()
    with http_server(app) as port, connect(port) as client:
        client.sendall(get("/stream", "Connection: close"))
        received = sum(map(len, iter(lambda: client.recv(1 << 20), b"")))
    assert received > PIECES * len(PIECE)
    assert app.pieces == PIECES
    assert app.closed.get(timeout=PATIENCE) == "stream"


class News:
    """Serves `/news`, whose first version waits for a change, and `/small`."""

    def __init__(self) -> None:
        self.calls: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self.cancelled: queue.SimpleQueue[str] = queue.SimpleQueue()
        self.text = "old"

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Any:
        if environ["PATH_INFO"] == "/news" and self.text == "old":
            wait_for_change(self.subscribe)
        body = f'"{self.text}"'.encode()
        start_response("200 OK", [("Content-Length", str(len(body)))])
        return [body]

    def subscribe(self, call: Callable[[], None]) -> Callable[[], None]:
        self.calls.put(call)
        return lambda: self.cancelled.put("cancelled")


def test_a_request_waits_for_a_change_without_a_thread() -> None:
    app = News()
    with http_server(app) as port, ExitStack() as connections:
        waiting = [connections.enter_context(connect(port)) for _ in range(4 * SHORT_THREADS)]
        for client in waiting:
            client.sendall(get("/news"))
        calls = [app.calls.get(timeout=PATIENCE) for _ in waiting]
        assert ask(port, get("/small")) == (200, "old")
        app.text = "new"
        for call in calls:
            call()
        assert {read_answer(client)[1] for client in waiting} == {b'"new"'}


def test_a_wait_for_a_change_ends_with_its_client_and_the_server() -> None:
    app = News()
    with http_server(app) as port, connect(port) as stays:
        with connect(port) as goes:
            goes.sendall(get("/news"))
            app.calls.get(timeout=PATIENCE)
        assert app.cancelled.get(timeout=PATIENCE) == "cancelled"
        stays.sendall(get("/news"))
        app.calls.get(timeout=PATIENCE)
    assert app.cancelled.get(timeout=PATIENCE) == "cancelled"


def test_a_stopping_server_answers_requests_that_wait() -> None:
    app = News()
    with ExitStack() as connections:
        with http_server(app) as port:
            waiting = [connections.enter_context(connect(port)) for _ in range(SHORT_THREADS)]
            for client in waiting:
                client.sendall(get("/news"))
                app.calls.get(timeout=PATIENCE)
        heads = {read_answer(client)[0].partition(b"\r\n")[0] for client in waiting}
    assert heads == {b"HTTP/1.1 503 Service Unavailable"}


def test_only_so_many_requests_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wsgi_bridge, "MAX_WAITING_CHANGES", 1)
    app = News()
    with http_server(app) as port, connect(port) as waiting:
        waiting.sendall(get("/news"))
        app.calls.get(timeout=PATIENCE)
        assert ask(port, get("/news")) == (200, "old")


def test_a_request_that_waits_keeps_no_data() -> None:
    class Data:
        pass

    waiting: queue.SimpleQueue[weakref.ref[Data]] = queue.SimpleQueue()

    def app(_environ: WSGIEnvironment, _start_response: StartResponse) -> Any:
        data = Data()
        reference = weakref.ref(data)

        def subscribe(_call: Callable[[], None]) -> Callable[[], None]:
            waiting.put(reference)
            return lambda: None

        wait_for_change(subscribe)
        return data

    with http_server(app) as port, connect(port) as client:
        client.sendall(get("/news"))
        assert waiting.get(timeout=PATIENCE)() is None


def test_a_request_without_anything_to_wait_for_is_answered_at_once() -> None:
    def app(_environ: WSGIEnvironment, start_response: StartResponse) -> Any:
        wait_for_change(lambda _call: None)
        start_response("200 OK", [("Content-Length", "2")])
        return [b"{}"]

    with http_server(app) as port:
        assert ask(port, get("/news")) == (200, {})


def test_long_requests_do_not_delay_short_ones() -> None:
    app = App()
    with http_server(app) as port, ExitStack() as connections:
        long = [connections.enter_context(connect(port)) for _ in range(8)]
        for client in long:
            client.sendall(get("/long"))
        threads = {app.working.get(timeout=PATIENCE) for _ in range(LONG_THREADS)}
        assert all("long" in name for name in threads)
        assert len(threads) == LONG_THREADS
        for _ in range(20):
            assert ask(port, get("/small")) == (200, "small")
        assert app.working.empty()
        # After a disconnect, the request ends and the next one starts.
        connections.close()
        assert app.closed.get(timeout=PATIENCE) == "long"


def test_too_many_long_requests_have_retry_after() -> None:
    app = App()
    with http_server(app) as port, ExitStack() as connections:
        for _ in range(LONG_THREADS):
            connections.enter_context(connect(port)).sendall(get("/long"))
            app.working.get(timeout=PATIENCE)
        waiting = [connections.enter_context(connect(port)) for _ in range(MAX_WAITING_LONG + 1)]
        for client in waiting:
            client.sendall(get("/long"))
        answers: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        for client in waiting:
            read = threading.Thread(target=lambda c=client: answers.put(head_of(c)), daemon=True)
            read.start()
        head = answers.get(timeout=PATIENCE)
        assert head.split()[1] == b"503"
        assert b"\r\nretry-after: " in head.lower()
        assert ask(port, get("/small")) == (200, "small")


def head_of(client: Any) -> bytes:
    try:
        return read_answer(client)[0]
    except OSError:
        return b""


def test_the_app_gets_a_wsgi_environment() -> None:
    app = App()
    with http_server(app) as port:
        ask(
            port,
            b"GET http://other/a%20%C3%BC?b=%20 HTTP/1.1\r\nHost: localhost\r\nX-Y: 1\r\n"
            b"X_Y: forged\r\nX-Y: 2\r\n\r\n",
        )
        environ = app.environs.get(timeout=PATIENCE)
        body = b'{"a": 1}'
        ask(
            port,
            b"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
            b"8\r\n" + body + b"\r\n0\r\n\r\n",
        )
        posted = app.environs.get(timeout=PATIENCE)
    assert environ["PATH_INFO"] == "/a \xc3\xbc"
    assert environ["QUERY_STRING"] == "b=%20"
    assert environ["HTTP_X_Y"] == "1,2"
    assert environ["REMOTE_ADDR"] == "127.0.0.1"
    assert environ["wsgi.input"].read() == b""
    assert posted["CONTENT_LENGTH"] == str(len(body))
    assert posted["wsgi.input"].read() == body
