"""HttpConnection: uvicorn's HTTP/1.1 connection with time limits and JSON errors."""

from __future__ import annotations

import sys

import h11
from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle
from uvicorn.server import ServerState

from mindviz.backend.protocol_errors import error_message

IDLE_SECONDS = 75
"""How long a connection may wait for its next request."""
STALL_SECONDS = 30
"""How long a client may take to send more of a request, or to read more of an answer."""
LINGER_SECONDS = 2
"""How long the data of a refused client is discarded, so that it can read why it was refused."""


class HttpConnection(H11Protocol):
    """One connection; all methods run in the event loop."""

    def __init__(self, config: Config, server_state: ServerState) -> None:
        super().__init__(config, server_state, {})
        self._moved_at = self.loop.time()
        self._unsent = 0
        self._refused = False

    @property
    def is_idle(self) -> bool:
        """Whether no request is being answered, nor an answer written."""
        return not (self._is_answering or self.transport.get_write_buffer_size())

    @property
    def _is_answering(self) -> bool:
        # uvicorn declares no None here, but there is one until the first request.
        cycle: RequestResponseCycle | None = self.cycle
        return cycle is not None and not cycle.response_complete

    @property
    def moved_at(self) -> float:
        """When a byte last arrived or left, by the loop's clock."""
        unsent = self.transport.get_write_buffer_size()
        if unsent != self._unsent:
            self._unsent, self._moved_at = unsent, self.loop.time()
        return self._moved_at

    def abort_if_stalled(self) -> None:
        """End the connection if the client has let it wait for too long."""
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
        """Take bytes of requests."""
        if not self._refused:
            self._moved_at = self.loop.time()
            super().data_received(data)

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        self._moved_at = self.loop.time()
        super().on_response_complete()

    def send_400_response(self, msg: str) -> None:
        """Refuse what is not HTTP, or too large; uvicorn calls it while it handles the error."""
        error = sys.exc_info()[1]
        status = error.error_status_hint if isinstance(error, h11.RemoteProtocolError) else 400
        self.refuse(status, f"Not a valid HTTP request: {error or msg}.")

    def refuse(self, status: int, message: str) -> None:
        """End the connection, with an error unless an answer has begun."""
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
            # Closing with data unread resets the connection, and the client loses the answer.
            self.transport.write_eof()
        else:
            self.transport.close()
