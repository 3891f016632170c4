"""HttpServer: uvicorn on a bound socket, with a limit of connections that evicts idle ones.

uvicorn's own acceptor has no such limit, and asyncio's logs thousands of lines a second when there
are no file descriptors left.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import resource
import socket
import ssl
from contextlib import suppress
from typing import TYPE_CHECKING

import uvicorn

from mindviz.backend.http_connection import IDLE_SECONDS, HttpConnection
from mindviz.backend.protocol_errors import error_message
from mindviz.backend.request_guard import MAX_QUERY_BYTES
from mindviz.backend.wsgi_bridge import WsgiBridge

if TYPE_CHECKING:
    from collections.abc import Awaitable
    from wsgiref.types import WSGIApplication

_logger = logging.getLogger(__name__)

MAX_HEADER_BYTES = MAX_QUERY_BYTES + 64 * 1024
"""Of a request's line and headers: queries a little too long are refused by the app."""
MAX_CONNECTIONS = 4096
HANDSHAKE_SECONDS = 10.0
SHUTDOWN_SECONDS = 1
"""For answers under way when the server ends."""
_ACCEPTED_AT_ONCE = 64
_RETRY_SECONDS = 0.1
_WARNING_SECONDS = 60.0
_OUT_OF_RESOURCES = {errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM}


def max_connections() -> int:
    """As many as leave half of the process's file descriptors to logs and databases."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MAX_CONNECTIONS if soft == resource.RLIM_INFINITY else min(MAX_CONNECTIONS, soft // 2)


class HttpServer(uvicorn.Server):
    """Serves a WSGI app; `run` returns after SIGINT or SIGTERM, or once `should_exit` is set."""

    def __init__(
        self,
        app: WSGIApplication,
        listener: socket.socket,
        *,
        tls: ssl.SSLContext | None = None,
        connection_limit: int | None = None,
    ) -> None:
        self._bridge = WsgiBridge(app)
        super().__init__(
            uvicorn.Config(
                self._bridge,
                http=HttpConnection,
                ws="none",
                loop="asyncio",
                lifespan="off",
                interface="asgi3",
                log_config=None,
                access_log=False,
                proxy_headers=False,
                server_header=False,
                timeout_keep_alive=IDLE_SECONDS,
                timeout_graceful_shutdown=SHUTDOWN_SECONDS,
                h11_max_incomplete_event_size=MAX_HEADER_BYTES,
            )
        )
        # Its lines about single clients are not actionable; ours say what is.
        logging.getLogger("uvicorn").setLevel(logging.CRITICAL)
        self._listener = listener
        self._tls = tls
        self._limit = connection_limit or max_connections()
        self._opening: set[asyncio.Task[None]] = set()
        self._warned_at = float("-inf")

    async def startup(
        self,
        sockets: list[socket.socket] | None = None,  # noqa: ARG002 -- uvicorn's signature
    ) -> None:
        """Accept connections; called by uvicorn."""
        await self.lifespan.startup()
        self.servers = []
        self._loop = asyncio.get_running_loop()
        self._listener.setblocking(False)
        self._loop.add_reader(self._listener, self._accept)
        self._loop.call_later(1.0, self._sweep)
        self.started = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop accepting, cancel long work and finish what can be finished; called by uvicorn."""
        self._loop.remove_reader(self._listener)
        self._listener.close()
        self._bridge.close()
        await super().shutdown(sockets)
        for connection in self._connections():
            connection.transport.abort()  # its client did not read all of an answer
        await asyncio.sleep(0)

    def _accept(self) -> None:
        for _ in range(_ACCEPTED_AT_ONCE):
            is_full = len(self.server_state.connections) + len(self._opening) >= self._limit
            if is_full and self._opening and not self._idle():
                self._pause()  # what is being opened can be evicted in a moment
                return
            try:
                client, _ = self._listener.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return
            except OSError as error:
                if error.errno not in _OUT_OF_RESOURCES:
                    raise
                self._evict(_ACCEPTED_AT_ONCE)
                self._warn(f"cannot accept connections: {error.strerror}")
                self._pause()
                return
            client.setblocking(False)
            # asyncio does it only for sockets whose protocol number is given.
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if is_full and not self._evict(1):
                self._turn_away(client)
                continue
            task = self._loop.create_task(self._open(client))
            self._opening.add(task)
            task.add_done_callback(self._opening.discard)

    async def _open(self, client: socket.socket) -> None:
        opening: Awaitable[object] = self._loop.connect_accepted_socket(
            lambda: HttpConnection(self.config, self.server_state),
            client,
            ssl=self._tls,
            ssl_handshake_timeout=HANDSHAKE_SECONDS if self._tls else None,
        )
        try:
            await opening
        except OSError:  # among them: a client that speaks no TLS
            client.close()

    def _connections(self) -> list[HttpConnection]:
        return [
            connection
            for connection in self.server_state.connections
            if isinstance(connection, HttpConnection)
        ]

    def _idle(self) -> list[HttpConnection]:
        return [connection for connection in self._connections() if connection.is_idle]

    def _evict(self, count: int) -> int:
        """Close the connections that have been idle longest; how many there were."""
        idle = sorted(self._idle(), key=lambda connection: connection.moved_at)
        for connection in idle[:count]:
            connection.transport.abort()
            # Not counted from now on; the transport reports its end a little later.
            self.server_state.connections.discard(connection)
        return len(idle[:count])

    def _turn_away(self, client: socket.socket) -> None:
        self._warn(f"{self._limit} connections are busy; new ones are refused")
        if self._tls is None:
            with suppress(OSError):
                client.send(error_message(503, "Too many connections. Try again later."))
        client.close()

    def _pause(self) -> None:
        """Accept nothing for a moment; the listener would only stay readable."""
        self._loop.remove_reader(self._listener)
        self._loop.call_later(_RETRY_SECONDS, self._resume)

    def _resume(self) -> None:
        if not self.should_exit:
            self._loop.add_reader(self._listener, self._accept)

    def _warn(self, message: str) -> None:
        now = self._loop.time()
        if now - self._warned_at > _WARNING_SECONDS:
            self._warned_at = now
            _logger.warning(message)

    def _sweep(self) -> None:
        for connection in self._connections():
            connection.abort_if_stalled()
        self._loop.call_later(1.0, self._sweep)
