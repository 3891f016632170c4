from __future__ import annotations

import json
import logging
import threading
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from queue import Queue
from typing import Any

import pytest

from mindviz.backend import webhook
from mindviz.backend.webhook import Webhook
from mindviz.config import parse_webhook
from mindviz.errors import StartError

HANG = 0
"""Instead of a status: no response."""
DRIP = 1
"""Instead of a status: a response that does not end, a byte at a time."""
TIMEOUT = 1.0
"""Seconds that a test waits for no response; others come much sooner."""
WAIT = 20.0
"""Seconds until a test fails."""


class Receiver(ThreadingHTTPServer):
    """A server that answers requests with `statuses`, then with 200."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.statuses: list[int] = []
        self.requests: Queue[tuple[str, dict[str, str], Any]] = Queue()
        self.released = threading.Event()
        """Ends requests that hang."""
        threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()

    def url(self, user: str = "") -> str:
        return f"http://{user}127.0.0.1:{self.server_port}/hook?key=secret"


class _Handler(BaseHTTPRequestHandler):
    server: Receiver

    def do_POST(self) -> None:
        text = self.rfile.read(int(self.headers["Content-Length"]))
        statuses = self.server.statuses
        status = statuses.pop(0) if statuses else 200
        self.server.requests.put((self.path, dict(self.headers), json.loads(text)))
        if status == HANG:
            self.server.released.wait(WAIT)
            return
        if status == DRIP:
            with suppress(OSError):
                self.wfile.write(b"HTTP/1.1 ")
                while not self.server.released.wait(0.02):
                    self.wfile.write(b"x")
            return
        self.send_response(status)
        self.send_header("Location", self.server.url())
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with Receiver() as server:
        yield server
        server.released.set()
        server.shutdown()


def hook(url: str, **options: Any) -> Webhook:
    return Webhook(url, **({"first_pause": 0.001} | options))


def settled(hook: Webhook) -> webhook.WebhookStatus:
    """The status once nothing is waiting."""
    assert hook.wait_until_idle(WAIT)
    hook.close()
    return hook.status()


def test_messages_arrive_in_order_as_json(receiver: Receiver) -> None:
    sender = hook(receiver.url())
    for number in range(3):
        sender.send({"number": number, "text": "größer"})
    status = settled(sender)
    assert (status.sent, status.waiting, status.dropped, status.problem) == (3, 0, 0, "")
    path, headers, body = receiver.requests.get(timeout=WAIT)
    assert path == "/hook?key=secret"
    assert headers["Content-Type"] == "application/json; charset=utf-8"
    assert body == {"number": 0, "text": "größer"}
    assert [receiver.requests.get(timeout=WAIT)[2]["number"] for _ in range(2)] == [1, 2]


def test_a_server_that_fails_hangs_and_recovers_gets_the_message(receiver: Receiver) -> None:
    receiver.statuses += [500, HANG, 429]
    sender = hook(receiver.url(), timeout=TIMEOUT)
    sender.send({})
    status = settled(sender)
    assert (status.sent, status.dropped, status.problem) == (1, 0, "")
    assert receiver.requests.qsize() == 4


def test_a_response_that_does_not_end_is_given_up(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webhook, "ATTEMPTS", 2)
    receiver.statuses += [DRIP] * 2
    sender = hook(receiver.url(), timeout=TIMEOUT)
    sender.send({"number": 1})
    sender.send({"number": 2})
    assert sender.wait_until_idle(WAIT)
    assert (sender.status().sent, sender.status().dropped) == (1, 1)
    assert receiver.requests.qsize() == 3


def test_attempts_are_bounded_and_the_next_message_is_sent(receiver: Receiver) -> None:
    receiver.statuses += [503] * webhook.ATTEMPTS
    sender = hook(receiver.url())
    sender.send({"number": 1})
    sender.send({"number": 2})
    status = settled(sender)
    assert (status.sent, status.dropped) == (1, 1)
    assert receiver.requests.qsize() == webhook.ATTEMPTS + 1


@pytest.mark.parametrize("status", [302, 400, 404])
def test_refusals_and_redirects_are_final(receiver: Receiver, status: int) -> None:
    receiver.statuses += [status]
    sender = hook(receiver.url())
    sender.send({})
    answer = settled(sender)
    assert (answer.sent, answer.dropped, answer.problem) == (0, 1, f"HTTP status {status}")
    assert receiver.requests.qsize() == 1


def test_a_full_queue_drops_and_counts(receiver: Receiver) -> None:
    receiver.statuses += [HANG]
    sender = hook(receiver.url(), max_waiting=2, timeout=WAIT)
    sender.send({})
    receiver.requests.get(timeout=WAIT)  # it hangs, so others wait
    for _ in range(5):
        sender.send({})
    status = sender.status()
    assert (status.sent, status.waiting, status.dropped) == (0, 3, 3)
    receiver.released.set()
    assert settled(sender).sent == 3


def test_nobody_listening_is_a_problem_in_the_status() -> None:
    with Receiver() as server:
        url = server.url()
        server.shutdown()
    sender = hook(url)
    sender.send({})
    status = settled(sender)
    assert (status.sent, status.dropped, status.problem) == (0, 1, "Connection refused")


def test_credentials_are_sent_but_neither_logged_nor_shown(
    receiver: Receiver, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    receiver.statuses += [400]
    sender = hook(receiver.url("me:pass%40word@"))
    sender.send({})
    status = settled(sender)
    _, headers, _ = receiver.requests.get(timeout=WAIT)
    assert headers["Authorization"] == "Basic bWU6cGFzc0B3b3Jk"
    assert status.host == "127.0.0.1"
    assert "dropped" in caplog.text
    for secret in ("secret", "pass%40word", "pass@word", "bWU6"):
        assert secret not in caplog.text + repr(status)


def test_only_http_urls_are_webhooks() -> None:
    assert parse_webhook("https://me:word@host:8443/a?b=c") == "https://me:word@host:8443/a?b=c"
    assert parse_webhook("") == ""
    for text in ("ftp://host/secret", "secret", "file:///secret", "http://", "http://h:secret/"):
        with pytest.raises(StartError) as raised:
            parse_webhook(text)
        assert "secret" not in str(raised.value)
    with pytest.raises(StartError):
        parse_webhook("http://host/a\r\nX: y")
