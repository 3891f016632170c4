"""WsgiBridge: the WSGI app as an ASGI app whose threads never wait for clients.

A thread makes a response, or its next piece, and returns; the event loop sends it as fast as the
client reads. Long work moves to a separate pool: docs/decisions/long-work.md.
"""

from __future__ import annotations

import asyncio
import io
import logging
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote_to_bytes, urlsplit

from mindviz.backend.errors import answer_for
from mindviz.backend.protocol_errors import error_body
from mindviz.backend.request_guard import MAX_BODY_BYTES
from mindviz.backend.work_pool import WorkPool
from mindviz.deadline import ChangeAhead, LongWorkAhead, Work, allow
from mindviz.errors import MindvizError, ServerBusy, release_frames

if TYPE_CHECKING:
    from wsgiref.types import WSGIApplication, WSGIEnvironment

_logger = logging.getLogger(__name__)

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]

SHORT_THREADS = 8
"""More threads help only requests that wait, because of the GIL."""
SHORT_SECONDS = 10.0
LONG_THREADS = 2
LONG_SECONDS = 60.0
"""From arrival to the response, or between two pieces of a streamed response."""
MAX_WAITING_LONG = 32
CHANGE_SECONDS = 20.0
"""Timeout of requests that wait for a change; proxies close silent connections after 30 to 60 s."""
MAX_WAITING_CHANGES = 128
"""Further requests are answered at once: those that wait keep connections, which are limited."""
PIECE_BYTES = 256 * 1024
"""Size of the pieces that the event loop sends."""
WHOLE_BYTES = 4 * 1024 * 1024
"""Responses of known length up to this one are read at once, to wait for a thread only once."""


class WsgiBridge:
    """The ASGI app; `close` it when the event loop ends."""

    def __init__(
        self,
        app: WSGIApplication,
        *,
        long_threads: int = LONG_THREADS,
        max_waiting: int = MAX_WAITING_LONG,
    ) -> None:
        self._app = app
        self._short = WorkPool("mindviz-short", SHORT_THREADS, sys.maxsize)
        self._long = WorkPool("mindviz-long", long_threads, max_waiting)
        # A separate pool, because finished large responses would wait for long work otherwise.
        self._streams = WorkPool("mindviz-stream", 1, sys.maxsize)
        self._running: set[Work] = set()
        self._changes: set[asyncio.Future[None]] = set()

    def close(self) -> None:
        """Cancel all work."""
        for work in self._running:
            work.cancelled = True
        for change in self._changes:
            _resolve(change)
        for pool in (self._short, self._long, self._streams):
            pool.close()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request; ASGI."""
        environ = await _environ(scope, receive)
        if environ is None:
            return
        work = allow(SHORT_SECONDS, is_short=True)
        work.begin_answer()
        self._running.add(work)
        watch = asyncio.create_task(_cancel_on_disconnect(receive, work))
        try:
            try:
                pool, pieces, piece, more = await self._begin(environ, work)
            except ChangeAhead as ahead:
                release_frames(ahead)
                work.end_answer()
                await self._wait_for(ahead, watch)
                work.begin_answer()
                if work.cancelled:
                    await _refuse(send, 503, "The server is stopping.")
                    return
                work.begin_again()
                pool, pieces, piece, more = await self._begin(environ, work)
        except ServerBusy as busy:
            await _refuse(send, 503, str(busy), busy)
        except Exception:
            _logger.exception("unexpected error at %s %s", scope["method"], scope["path"])
            await _refuse(send, 500, "System error.")
        else:
            await self._send(pool, pieces, piece, more=more, work=work, send=send)
        finally:
            work.end_answer()
            watch.cancel()
            self._running.discard(work)

    async def _begin(
        self, environ: WSGIEnvironment, work: Work
    ) -> tuple[WorkPool, _Pieces, bytes, bool]:
        """The pool for further pieces, the response, its first piece, whether there are more."""

        def begin() -> tuple[_Pieces, bytes, bool]:
            pieces = _Pieces(self._app, environ)
            return pieces, *pieces.read()

        try:
            return self._short, *await self._short.submit(work, begin)
        except LongWorkAhead as ahead:
            release_frames(ahead)  # free the data read so far
        work.move_to_long(LONG_SECONDS)
        environ["wsgi.input"].seek(0)
        return self._streams, *await self._long.submit(work, begin)

    async def _wait_for(self, ahead: ChangeAhead, disconnected: asyncio.Task[None]) -> None:
        """Return after the change, the client's end, the server's, or a timeout."""
        if len(self._changes) >= MAX_WAITING_CHANGES or disconnected.done():
            return
        loop = asyncio.get_running_loop()
        change = loop.create_future()

        def notify() -> None:
            # The loop may be closed by now.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(_resolve, change)

        cancel = ahead.subscribe(notify)
        if cancel is None:
            return
        self._changes.add(change)
        try:
            await asyncio.wait(
                {change, disconnected},
                timeout=CHANGE_SECONDS,
                return_when=asyncio.FIRST_COMPLETED,
            )
        finally:
            self._changes.discard(change)
            cancel()

    async def _send(
        self, pool: WorkPool, pieces: _Pieces, piece: bytes, *, more: bool, work: Work, send: Send
    ) -> None:
        start = {"type": "http.response.start", "status": pieces.status, "headers": pieces.headers}
        try:
            await send(start)
            while True:
                if more or len(piece) > PIECE_BYTES:
                    work.end_answer()  # the client may be slow
                await _send_slices(send, piece, more=more)
                if not more or work.cancelled:
                    return
                work.ends_at = time.monotonic() + work.seconds
                work.is_short = False  # a response in progress cannot be restarted
                piece, more = await pool.submit(work, pieces.read, goes_on=True)
        except asyncio.CancelledError:
            pieces.forget()  # the server stops, and a thread may still read them
            raise
        except MindvizError as error:
            # The status is already sent: close the connection within the response.
            _logger.warning("a response was aborted: %s", error)
        except Exception:
            _logger.exception("a response was aborted")
        finally:
            if pieces.is_open:
                await self._short.submit(work, pieces.close, goes_on=True)


class _Pieces:
    """The response of the WSGI app; created and read in threads."""

    def __init__(self, app: WSGIApplication, environ: WSGIEnvironment) -> None:
        """Call the app. Raises LongWorkAhead, and as the app."""
        self.status = 500
        self.headers: list[tuple[bytes, bytes]] = []
        self._missing = -1
        iterable = app(environ, self._start)
        self._iterator: Iterator[bytes] = iter(iterable)
        self._close: Callable[[], None] | None = getattr(iterable, "close", None)

    def _start(
        self, status: str, headers: list[tuple[str, str]], _error: object = None, /
    ) -> Callable[[bytes], object]:
        self.status = int(status[:3])
        self.headers = [
            (name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers
        ]
        self._missing = int(dict(self.headers).get(b"content-length", b"-1"))
        return _no_write

    def read(self) -> tuple[bytes, bool]:
        """(next piece, whether there may be more). Raises as the app."""
        pieces, size = [], 0
        enough = WHOLE_BYTES if 0 <= self._missing <= WHOLE_BYTES else PIECE_BYTES
        try:
            for piece in self._iterator:
                pieces.append(piece)
                size += len(piece)
                # Most bodies are a single piece of any size.
                if size >= enough and size != self._missing:
                    self._missing -= size
                    return b"".join(pieces), True
        except BaseException:
            self.close()
            raise
        if size <= PIECE_BYTES:
            self.close()  # larger ones keep their reservation until they are sent
        return pieces[0] if len(pieces) == 1 else b"".join(pieces), False

    @property
    def is_open(self) -> bool:
        """Whether `close` must still be called."""
        return self._close is not None

    def forget(self) -> None:
        """Don't close it."""
        self._close = None

    def close(self) -> None:
        """Let the app clean up; idempotent."""
        close, self._close = self._close, None
        if close is not None:
            close()


def _resolve(change: asyncio.Future[None]) -> None:
    if not change.done():
        change.set_result(None)


def _no_write(_data: bytes) -> None:
    raise NotImplementedError


async def _send_slices(send: Send, piece: bytes, *, more: bool) -> None:
    """Send a piece of any size, without copying it as a whole."""
    view = memoryview(piece)
    for start in range(0, len(piece) or 1, PIECE_BYTES):
        end = start + PIECE_BYTES
        whole = start == 0 and end >= len(piece)
        await send(
            {
                "type": "http.response.body",
                "body": piece if whole else bytes(view[start:end]),
                "more_body": more or end < len(piece),
            }
        )


async def _refuse(send: Send, status: int, message: str, busy: ServerBusy | None = None) -> None:
    headers, body = error_body(status, message, answer_for(busy).error_code if busy else "")
    if busy is not None:
        headers.append((b"retry-after", str(busy.retry_after).encode()))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def _cancel_on_disconnect(receive: Receive, work: Work) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass  # the rest of a too large body
    work.cancelled = True


async def _environ(scope: Scope, receive: Receive) -> WSGIEnvironment | None:
    """The request as a WSGI environment with its body; None if the client has disconnected.

    Of a too large body, only the length is kept, which makes the app reject it.
    """
    path, query = scope["raw_path"], scope["query_string"]
    if not path.startswith(b"/") and path != b"*":
        path = urlsplit(path).path
    host, port = scope["server"] or ("", 0)
    client = scope["client"] or ("", 0)
    environ: WSGIEnvironment = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(path).decode("latin-1"),
        "QUERY_STRING": query.decode("latin-1"),
        "SERVER_NAME": host,
        "SERVER_PORT": str(port),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "REMOTE_ADDR": client[0],
        "REMOTE_PORT": str(client[1]),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
    }
    has_body = False
    for raw_name, raw_value in scope["headers"]:
        # WSGI could not distinguish "_" from "-".
        if b"_" in raw_name:
            continue
        name = raw_name.decode("latin-1").upper().replace("-", "_")
        value = raw_value.decode("latin-1")
        has_body = has_body or name in {"CONTENT_LENGTH", "TRANSFER_ENCODING"}
        if name not in {"CONTENT_LENGTH", "CONTENT_TYPE"}:
            name = f"HTTP_{name}"
        environ[name] = f"{environ[name]},{value}" if name in environ else value
    environ.pop("HTTP_TRANSFER_ENCODING", None)  # replaced by CONTENT_LENGTH below
    body = bytearray()
    while has_body and int(environ.get("CONTENT_LENGTH", 0)) <= MAX_BODY_BYTES:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        body += message["body"]
        if not message.get("more_body", False):
            environ["CONTENT_LENGTH"] = str(len(body))
        elif len(body) > MAX_BODY_BYTES:
            environ["CONTENT_LENGTH"] = str(len(body))
            body.clear()
            break
        else:
            continue
        break
    environ["wsgi.input"] = io.BytesIO(body)
    return environ
