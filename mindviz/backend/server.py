"""serve: runs the server in this process until a signal.

For a short startup, the port is bound first, so that early clients wait instead of being refused.
Then the scan starts, and the web framework is imported while it runs. Why uvicorn:
docs/decisions/wsgi-server.md.
"""

from __future__ import annotations

import logging
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from types import FrameType
from typing import TYPE_CHECKING, NoReturn

from mindviz.backend.opened_experiments import OpenedExperiments
from mindviz.config import Config
from mindviz.errors import StartError
from mindviz.freed_memory import map_large_blocks, trim_heaps
from mindviz.gc_control import pause_gc_while_loading
from mindviz.log_limit import limit_repeats

if TYPE_CHECKING:
    from ssl import SSLContext
    from wsgiref.types import WSGIApplication

    from mindviz.answer_memory import AnswerBudget
    from mindviz.backend.app import ExperimentApps
    from mindviz.datavisual.generic.data_provider import DataProvider

_logger = logging.getLogger(__name__)

SWITCH_SECONDS = 0.0005
"""Maximum time that a thread keeps the GIL while others wait."""

Service = Callable[["DataProvider", "AnswerBudget"], AbstractContextManager[object]]
"""Another service for the same data and budget, as a context manager."""


_LONGEST_LOADING = 86_400.0
"""Seconds."""
_CHECK_SECONDS = 1.0
"""Runs are checked this long after they are loaded: first answers need the processor."""
_held_until_exit: list[object] = []
"""Stores and their tables. To free 100,000 runs takes 15 s, for which the process would not end."""


def serve(config: Config, also_serve: Service | None = None) -> None:
    """Serve all experiments and run `also_serve` until SIGINT or SIGTERM.

    Raises StartError if the port is in use or the certificate is invalid, and as `also_serve`.
    """
    limit_repeats()
    map_large_blocks()
    tls = None if config.certificate is None else config.certificate.server_context()
    with ended_by_signals(), listen(config) as listener, ExitStack() as at_end:
        # Slow imports come after the bind; the web framework after the start of the scan.
        opened = at_end.enter_context(OpenedExperiments(config))
        _held_until_exit.append(opened)
        pause_gc_while_loading(opened.wait_until_loaded)
        from mindviz.backend.app import ExperimentApps, answer_bounds  # noqa: PLC0415
        from mindviz.backend.new_events import NewEvents  # noqa: PLC0415
        from mindviz.backend.webhook import Webhook  # noqa: PLC0415
        from mindviz.datavisual.generic.data_provider import StoreProvider  # noqa: PLC0415

        new_events = None
        if config.webhook:
            new_events = NewEvents(Webhook(config.webhook))
            at_end.callback(new_events.close)
        app = ExperimentApps(config, opened.experiments, new_events=new_events)
        _held_until_exit.append(app)
        opened.follow(app.mount)
        threading.Thread(target=_prepare, args=(opened, app), daemon=True).start()
        provider = StoreProvider(opened.experiments, answer_bounds(config))
        if also_serve is not None:
            at_end.enter_context(also_serve(provider, app.budget))
        run(app, listener, tls)


def _prepare(opened: OpenedExperiments, app: ExperimentApps) -> None:
    opened.wait_until_loaded(_LONGEST_LOADING)
    with suppress(Exception):  # the request reports it
        app.prepare()
    trim_heaps()
    time.sleep(_CHECK_SECONDS)
    with suppress(Exception):
        app.check()


@contextmanager
def ended_by_signals() -> Iterator[None]:
    """SIGINT and SIGTERM end the `with` block by a KeyboardInterrupt, which is suppressed."""
    before = {}
    try:
        # Python allows signal handlers only in the main thread.
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
    # A second signal must not interrupt the shutdown.
    signal.signal(number, signal.SIG_IGN)
    raise KeyboardInterrupt


def wait_for_signal() -> NoReturn:
    """Wait for a signal inside `ended_by_signals`, in the main thread."""
    # Python runs signal handlers between instructions, so waiting for a lock right after a signal
    # would never end. Reading from this socket ends, because each signal writes a byte to it.
    reader, writer = socket.socketpair()
    with reader, writer:
        writer.setblocking(False)
        # For a signal before the assignment.
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
    """Serve requests on the socket until SIGINT or SIGTERM."""
    from mindviz.backend.http_server import HttpServer  # noqa: PLC0415

    # Short requests wait for the GIL several times per concurrent long one. Python's default of
    # 5 ms would add up.
    before = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH_SECONDS)
    try:
        HttpServer(app, listener, tls=tls).run()
    finally:
        sys.setswitchinterval(before)
