"""serve: a running mindviz, in this process, until a signal ends it.

The order of things is the start-up time: the port is bound first, so that whoever asks early waits
instead of being refused; then the scan starts; the web framework is imported while it runs. Why
uvicorn: docs/decisions/wsgi-server.md.
"""

from __future__ import annotations

import logging
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from types import FrameType
from typing import TYPE_CHECKING, NoReturn

from mindviz.backend.opened_experiments import OpenedExperiments
from mindviz.config import Config
from mindviz.errors import StartError
from mindviz.freed_memory import map_large_blocks
from mindviz.gc_control import pause_gc_while_loading
from mindviz.log_limit import limit_repeats

if TYPE_CHECKING:
    from ssl import SSLContext
    from wsgiref.types import WSGIApplication

    from mindviz.answer_memory import AnswerBudget
    from mindviz.datavisual.generic.data_provider import DataProvider

_logger = logging.getLogger(__name__)

SWITCH_SECONDS = 0.0005
"""How long a thread may keep the GIL while others wait for it."""

Beside = Callable[["DataProvider", "AnswerBudget"], AbstractContextManager[object]]
"""What else answers from the same data and budget, for as long as its block lasts."""


def nothing(_provider: DataProvider, _budget: AnswerBudget) -> AbstractContextManager[object]:
    """Nothing else."""
    return nullcontext()


def serve(config: Config, beside: Beside = nothing) -> None:
    """Serve all experiments until SIGINT or SIGTERM, and `beside` meanwhile.

    Raises StartError if the port is taken or the certificate cannot be used, and what `beside`
    raises.
    """
    limit_repeats()
    map_large_blocks()
    tls = None if config.certificate is None else config.certificate.server_context()
    with ended_by_signals(), listen(config) as listener, ExitStack() as at_end:
        # Everything that takes its time to import comes after the bind, the web after the scan.
        opened = at_end.enter_context(OpenedExperiments(config))
        pause_gc_while_loading(opened.wait_until_loaded)
        from mindviz.backend.app import ExperimentApps, answer_bounds  # noqa: PLC0415
        from mindviz.datavisual.generic.data_provider import StoreProvider  # noqa: PLC0415

        app = ExperimentApps(config, opened.experiments)
        opened.follow(app.mount)
        provider = StoreProvider(opened.experiments, answer_bounds(config))
        at_end.enter_context(beside(provider, app.budget))
        run(app, listener, tls)


@contextmanager
def ended_by_signals() -> Iterator[None]:
    """SIGINT and SIGTERM end what is inside as KeyboardInterrupt, which goes no further."""
    before = {}
    try:
        # Python lets only the main thread handle signals; elsewhere the caller has to.
        if threading.current_thread() is threading.main_thread():
            # Set even where the parent ignores SIGINT, as shells do for background jobs.
            for number in (signal.SIGINT, signal.SIGTERM):
                before[number] = signal.getsignal(number)
                signal.signal(number, _interrupt)
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
    # Python runs signal handlers between two instructions: a wait for a lock that begins right
    # after the signal would never end. Reading from a socket does, since each signal writes a byte.
    reader, writer = socket.socketpair()
    with reader, writer:
        writer.setblocking(False)
        # The signal may arrive before the assignment; no descriptor is right then, too.
        before = -1
        try:
            before = signal.set_wakeup_fd(writer.fileno(), warn_on_full_buffer=False)
            while True:
                reader.recv(1)
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


def run(app: WSGIApplication, listener: socket.socket, tls: SSLContext | None = None) -> None:
    """Answer requests on the socket until SIGINT or SIGTERM."""
    from mindviz.backend.http_server import HttpServer  # noqa: PLC0415

    # A small answer waits for the GIL about once per long one and step of its way. 5 ms each time,
    # Python's default, would add up.
    before = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH_SECONDS)
    try:
        HttpServer(app, listener, tls=tls).run()
    finally:
        sys.setswitchinterval(before)
