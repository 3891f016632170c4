"""serve: a running mindviz, in this process, until a signal ends it.

The order of things is the start-up time: the port is bound first, so that whoever asks early waits
instead of being refused; then the scan starts; the web framework is imported while it runs. Why
waitress: docs/decisions/wsgi-server.md.
"""

from __future__ import annotations

import logging
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from types import FrameType
from typing import TYPE_CHECKING, NoReturn

from mindviz.backend.opened_experiments import OpenedExperiments
from mindviz.config import Config
from mindviz.datavisual.data_transform.garbage import hold_off_while_loading
from mindviz.errors import StartError

if TYPE_CHECKING:
    from wsgiref.types import WSGIApplication

    from mindviz.datavisual.data_transform.data_provider import DataProvider

_logger = logging.getLogger(__name__)

THREADS = 8
"""Answers are made one at a time under the GIL anyway; more threads only for those that wait."""
MAX_CONNECTIONS = 1000
MAX_HEADER_BYTES = 4 * 1024 * 1024
"""Far more than is accepted, so that it is our app that refuses a long query, and says why."""
MAX_BODY_BYTES = 16 * 1024 * 1024
"""As above: the app refuses bodies over its own, smaller bound."""
BUFFER_BYTES = 256 * 1024 * 1024
"""Of one answer on its way to a slow client: kept in memory, never in a temporary file."""
STREAM_BYTES = 1024 * 1024
"""Of an answer that is made piece by piece: no more are made before the client has taken these."""

Beside = Callable[["DataProvider"], AbstractContextManager[object]]
"""What else answers from the same data, for as long as its block lasts."""


def nothing(_provider: DataProvider) -> AbstractContextManager[object]:
    """Nothing else."""
    return nullcontext()


def serve(config: Config, beside: Beside = nothing) -> None:
    """Serve all experiments until SIGINT or SIGTERM, and `beside` meanwhile.

    Raises StartError if the port is taken, and what `beside` raises.
    """
    with ended_by_signals(), listen(config) as listener, ExitStack() as at_end:
        # Everything that takes its time to import comes after the bind, the web after the scan.
        opened = at_end.enter_context(OpenedExperiments(config))
        hold_off_while_loading(opened.wait_until_loaded)
        from mindviz.backend.app import ExperimentApps  # noqa: PLC0415
        from mindviz.datavisual.data_transform.answers.experiments_provider import (  # noqa: PLC0415
            ExperimentsProvider,
        )

        app = ExperimentApps(config, opened.experiments)
        opened.follow(app.mount)
        at_end.enter_context(beside(ExperimentsProvider(opened.experiments)))
        run(app, listener)


@contextmanager
def ended_by_signals() -> Iterator[None]:
    """SIGINT and SIGTERM end what is inside as KeyboardInterrupt, which goes no further."""
    before = {}
    # Python lets only the main thread handle signals; elsewhere the caller has to.
    if threading.current_thread() is threading.main_thread():
        # Set even where the parent ignores SIGINT, as shells do for what runs in background.
        for number in (signal.SIGINT, signal.SIGTERM):
            before[number] = signal.signal(number, _interrupt)
    try:
        yield
    except KeyboardInterrupt:
        _logger.info("ended by a signal")
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _interrupt(number: int, _frame: FrameType | None) -> None:
    # Once is enough; a second one must not break off the orderly end.
    signal.signal(number, signal.SIG_IGN)
    raise KeyboardInterrupt


def wait_for_signal() -> NoReturn:
    """Wait inside `ended_by_signals` until one ends it; the main thread only."""
    # Python itself notes a signal, and looks at its notes between two steps of the program: a wait
    # for a lock that begins right after the signal would never end. Reading does: each is a byte.
    told, tell = socket.socketpair()
    with told, tell:
        tell.setblocking(False)
        before = signal.set_wakeup_fd(tell.fileno(), warn_on_full_buffer=False)
        try:
            while True:
                told.recv(1)
        finally:
            signal.set_wakeup_fd(before)


def listen(config: Config) -> socket.socket:
    """A listening socket on the config's host and port. Raises StartError."""
    try:
        infos = socket.getaddrinfo(
            config.host, config.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
        family, _, _, _, address = infos[0]
        return socket.create_server(address[:2], family=family, backlog=1024)
    except OSError as error:
        reason = error.strerror or str(error)
        raise StartError(f"Cannot listen on {config.host}:{config.port}: {reason}.") from error


def run(app: WSGIApplication, listener: socket.socket) -> None:
    """Answer requests on the socket until KeyboardInterrupt."""
    from waitress.server import create_server  # type: ignore[import-untyped] # noqa: PLC0415

    from mindviz.backend.refusals import JsonChannel  # noqa: PLC0415

    # One line per client that gave up is nothing that anybody can act on.
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)
    server = create_server(
        app,
        sockets=[listener],
        threads=THREADS,
        connection_limit=MAX_CONNECTIONS,
        max_request_header_size=MAX_HEADER_BYTES,
        max_request_body_size=MAX_BODY_BYTES,
        outbuf_overflow=BUFFER_BYTES,
        outbuf_high_watermark=STREAM_BYTES,
        recv_bytes=64 * 1024,
        asyncore_use_poll=True,  # select() ends at file descriptor 1023
        ident="mindviz",
    )
    server.channel_class = JsonChannel
    try:
        server.run()
    finally:
        server.close()
