"""HttpConnection: uvicorn's HTTP/1.1 connection with time limits and JSON errors."""

from __future__ import annotations

import sys

import h11
from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle
from uvicorn.server import ServerState

from mindviz.backend.protocol_errors import error_message

IDLE_SECONDS = 75
"""Maximum time between two requests of a connection."""
STALL_SECONDS = 30
"""Maximum time without progress while a client sends a request or reads a response."""
LINGER_SECONDS = 2
"""How long to read and discard data of a refused client, so that it can read the error."""


class HttpConnection(H11Protocol):
    """One connection; all methods run in the event loop."""

    def __init__(self, config: Config, server_state: ServerState) -> None:
        super().__init__(config, server_state, {})
        self._moved_at = self.loop.time()
        self._unsent = 0
        self._refused = False

    @property
    def is_idle(self) -> bool:
        """Whether the connection has no request in progress and no unsent data."""
        return not (self._is_answering or self.transport.get_write_buffer_size())

    @property
    def _is_answering(self) -> bool:
        # None until the first request, although uvicorn does not declare it.
        cycle: RequestResponseCycle | None = self.cycle
        return cycle is not None and not cycle.response_complete

    @property
    def moved_at(self) -> float:
        """Time of the last byte received or sent, by the loop's clock."""
        unsent = self.transport.get_write_buffer_size()
        if unsent != self._unsent:
            self._unsent, self._moved_at = unsent, self.loop.time()
        return self._moved_at

    def abort_if_stalled(self) -> None:
        """Close the connection after a timeout."""
        waited = self.loop.time() - self.moved_at
        if self._refused:
            overdue = waited > LINGER_SECONDS
        elif self.is_idle:
            is_inside_request = bool(self.conn.trailing_data[0])
            overdue = waited > (STALL_SECONDS if is_inside_request else IDLE_SECONDS)
        else:
            waits_for_client = self.cycle.more_body or self._unsent
            overdue = waited > STALL_SECONDS and bool(waits_for_client)
        if overdue:
            self.transport.abort()

    def data_received(self, data: bytes) -> None:
        """Process received data; called by asyncio."""
        if not self._refused:
            self._moved_at = self.loop.time()
            super().data_received(data)

    def on_response_complete(self) -> None:
        """Start to wait for the next request; called by uvicorn."""
        self._moved_at = self.loop.time()
        super().on_response_complete()

    def send_400_response(self, msg: str) -> None:
        """Refuse an invalid or too large request; called by uvicorn in an `except` block."""
        error = sys.exc_info()[1]
        status = error.error_status_hint if isinstance(error, h11.RemoteProtocolError) else 400
        self.refuse(status, f"Not a valid HTTP request: {error or msg}.")

    def refuse(self, status: int, message: str) -> None:
        """Close the connection, with an error unless a response has started."""
        has_begun = self._is_answering and self.cycle.response_started
        if self._is_answering:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        if not has_begun:
            self.transport.write(error_message(status, message))
        self._refused = True
        self._moved_at = self.loop.time()
        self._unset_keepalive_if_required()
        if self.transport.can_write_eof():
            # Closing a socket with unread data resets it, and the client would lose the error.
            self.transport.write_eof()
        else:
            self.transport.close()
