"""Webhook: sends JSON to a URL in the background, with bounded memory and retries."""

from __future__ import annotations

import base64
import http.client
import logging
import socket
import ssl
import threading
import time
from collections import deque
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from urllib.parse import SplitResult, unquote, urlsplit

import mindviz
from mindviz.backend.encoding import to_json

_LOGGER = logging.getLogger(__name__)

MAX_WAITING = 1_000
"""Messages in the queue; more are dropped."""
ATTEMPTS = 5
"""Per message."""
FIRST_PAUSE = 1.0
"""Seconds until the second attempt; each further one waits twice as long."""
TIMEOUT = 10.0
"""Seconds to connect, and to wait for the response."""
_RETRIED = (408, 425, 429)
"""Client errors that pass; server errors are retried, too."""


@dataclass(frozen=True, slots=True)
class WebhookStatus:
    """Delivery counts."""

    host: str
    """Of the URL; its other parts may be secret."""
    sent: int
    waiting: int
    dropped: int
    """Not delivered: the queue was full, all attempts failed, or the server refused them."""
    problem: str
    """Of the last attempt; empty if it succeeded."""


class Webhook:
    """Sends messages in order, in its own thread. Thread-safe."""

    def __init__(
        self,
        url: str,
        *,
        first_pause: float = FIRST_PAUSE,
        timeout: float = TIMEOUT,
        max_waiting: int = MAX_WAITING,
    ) -> None:
        """`url` is one that `parse_webhook` accepts."""
        self._url = urlsplit(url)
        self._first_pause = first_pause
        self._timeout = timeout
        self._max_waiting = max_waiting
        self._changed = threading.Condition()
        self._waiting: deque[bytes] = deque()
        self._is_sending = False
        self._closed = threading.Event()
        self._sent = 0
        self._dropped = 0
        self._problem = ""
        self._thread = threading.Thread(target=self._run, name="mindviz-webhook", daemon=True)
        self._thread.start()

    def send(self, message: Mapping[str, Any]) -> None:
        """Queue a message; never waits."""
        text = to_json(message)
        with self._changed:
            if len(self._waiting) >= self._max_waiting or self._closed.is_set():
                self._drop(f"the queue is full ({self._max_waiting:,} messages)")
                return
            self._waiting.append(text)
            self._changed.notify_all()

    def status(self) -> WebhookStatus:
        """Counts since the start."""
        with self._changed:
            return WebhookStatus(
                self._url.hostname or "",
                self._sent,
                len(self._waiting) + self._is_sending,
                self._dropped,
                self._problem,
            )

    def wait_until_idle(self, timeout: float) -> bool:
        """Whether all messages were sent or dropped within `timeout` seconds."""
        with self._changed:
            return self._changed.wait_for(
                lambda: not self._waiting and not self._is_sending, timeout
            )

    def close(self) -> None:
        """Stop sending; waiting messages are lost."""
        self._closed.set()
        with self._changed:
            self._changed.notify_all()

    def _drop(self, why: str) -> None:
        """With the lock."""
        self._dropped += 1
        self._problem = why
        _LOGGER.warning("Webhook at %s: an event was dropped: %s", self._url.hostname, why)

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting or self._closed.is_set())
                if self._closed.is_set():
                    return
                message = self._waiting.popleft()
                self._is_sending = True
            problem = self._deliver(message)
            with self._changed:
                self._is_sending = False
                if not problem:
                    self._sent += 1
                elif not self._closed.is_set():
                    self._drop(problem)
                self._changed.notify_all()

    def _deliver(self, message: bytes) -> str:
        """Why it was not delivered; empty if it was."""
        pause = self._first_pause
        for attempt in range(ATTEMPTS):
            if attempt and self._closed.wait(pause * 2 ** (attempt - 1)):
                break
            problem, is_final = self._attempt(message)
            with self._changed:
                self._problem = problem
            if is_final:
                break
        return problem

    def _attempt(self, message: bytes) -> tuple[str, bool]:
        """The problem, and whether there is no point in trying again."""
        connection = _connection(self._url, self._timeout)
        # The time limit of a socket is that of each read: a server may send a byte at a time.
        begun = time.monotonic()
        end = threading.Timer(self._timeout, _interrupt, [connection])
        end.daemon = True
        end.start()
        try:
            path = self._url.path or "/"
            if self._url.query:
                path += f"?{self._url.query}"
            connection.request("POST", path, message, _headers(self._url))
            status = connection.getresponse().status
        except (OSError, http.client.HTTPException, ValueError) as error:
            if time.monotonic() >= begun + self._timeout:
                return TimeoutError.__name__, False
            # Its message may contain what the server sent.
            return getattr(error, "strerror", None) or type(error).__name__, False
        finally:
            end.cancel()
            connection.close()
        if 200 <= status < 300:
            return "", True
        return f"HTTP status {status}", status < 500 and status not in _RETRIED


def _connection(url: SplitResult, timeout: float) -> http.client.HTTPConnection:
    # Redirects are not followed: they could lead anywhere.
    if url.scheme == "https":
        context = ssl.create_default_context()
        return http.client.HTTPSConnection(
            url.hostname or "", url.port, timeout=timeout, context=context
        )
    return http.client.HTTPConnection(url.hostname or "", url.port, timeout=timeout)


def _interrupt(connection: http.client.HTTPConnection) -> None:
    """End what another thread waits for."""
    if connection.sock is not None:
        with suppress(OSError):  # it is not connected
            connection.sock.shutdown(socket.SHUT_RDWR)


def _headers(url: SplitResult) -> dict[str, str]:
    headers = {
        "Content-Type": "application/json; charset=utf-8",
        "User-Agent": f"mindviz/{mindviz.__version__}",
    }
    if url.username is not None:
        user = f"{unquote(url.username)}:{unquote(url.password or '')}"
        headers["Authorization"] = f"Basic {base64.b64encode(user.encode()).decode()}"
    return headers
