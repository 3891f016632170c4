"""HttpServer: uvicorn on a bound socket, with a connection limit that evicts idle connections.

uvicorn's acceptor has no such limit, and asyncio's logs thousands of lines per second when it runs
out of file descriptors.
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
"""Maximum size of a request's line and headers; the app reports slightly too long queries."""
MAX_CONNECTIONS = 4096
HANDSHAKE_SECONDS = 10.0
SHUTDOWN_SECONDS = 1
"""Grace period for responses in flight at shutdown."""
_ACCEPTED_AT_ONCE = 64
_RETRY_SECONDS = 0.1
_WARNING_SECONDS = 60.0
_OUT_OF_RESOURCES = {errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM}


def max_connections() -> int:
    """The connection limit: half of the file descriptors remain for logs and databases."""
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
        # Its messages about single clients are not actionable.
        logging.getLogger("uvicorn").setLevel(logging.CRITICAL)
        self._listener = listener
        self._tls = tls
        self._limit = connection_limit or max_connections()
        self._opening: dict[HttpConnection, asyncio.Task[None]] = {}
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
        """Stop accepting, cancel long work, finish short responses; called by uvicorn."""
        self._loop.remove_reader(self._listener)
        self._listener.close()
        self._bridge.close()
        await super().shutdown(sockets)
        for connection in self._connections():
            connection.transport.abort()  # the client has not read its response
        await asyncio.sleep(0)

    def _accept(self) -> None:
        for _ in range(_ACCEPTED_AT_ONCE):
            is_full = self._count() >= self._limit
            if is_full and self._opening and not self._idle():
                self._pause()  # connections being opened can be evicted soon
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
            # asyncio sets it only on sockets with an explicit protocol number.
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if is_full and not self._evict(1):
                self._turn_away(client)
                continue
            connection = HttpConnection(self.config, self.server_state)
            self._opening[connection] = self._loop.create_task(self._open(connection, client))

    async def _open(self, connection: HttpConnection, client: socket.socket) -> None:
        opening: Awaitable[object] = self._loop.connect_accepted_socket(
            lambda: connection,
            client,
            ssl=self._tls,
            ssl_handshake_timeout=HANDSHAKE_SECONDS if self._tls else None,
        )
        try:
            await opening
        except OSError:  # e.g. a client without TLS
            client.close()
        finally:
            self._opening.pop(connection, None)

    def _count(self) -> int:
        """Number of connections; one that opens is soon in both collections."""
        opened = self.server_state.connections
        return len(opened) + len(self._opening.keys() - opened)

    def _connections(self) -> list[HttpConnection]:
        return [
            connection
            for connection in self.server_state.connections
            if isinstance(connection, HttpConnection)
        ]

    def _idle(self) -> list[HttpConnection]:
        return [connection for connection in self._connections() if connection.is_idle]

    def _evict(self, count: int) -> int:
        """Close up to `count` connections that were idle longest; returns their number."""
        idle = sorted(self._idle(), key=lambda connection: connection.moved_at)
        for connection in idle[:count]:
            connection.transport.abort()
            # Stop counting it now; the transport reports its end later.
            self.server_state.connections.discard(connection)
            self._opening.pop(connection, None)
        return len(idle[:count])

    def _turn_away(self, client: socket.socket) -> None:
        self._warn(f"{self._limit} connections are busy; new ones are refused")
        if self._tls is None:
            with suppress(OSError):
                client.send(error_message(503, "Too many connections. Try again later."))
        client.close()

    def _pause(self) -> None:
        """Stop accepting for a moment, because the listener stays readable."""
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
