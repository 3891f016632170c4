"""OpenRecordings: what is to happen to open recordings when the process forks, or is told to end.

At exit, recordings are closed by `weakref.finalize`. A kill with signal 9 reaches nobody: then
counts what was flushed.
"""

from __future__ import annotations

import os
import signal
import threading
import weakref
from functools import cache
from types import FrameType

from mindviz.summary.writing.write_pool import WritePool

TERMINATION_SECONDS = 10.0
"""How long a process that is told to end is kept for writing."""


def watch(pool: WritePool) -> None:
    """Flush the pool when SIGTERM comes, and begin it anew in every forked child."""
    _pools().add(pool)
    # Whoever handles SIGTERM already will end the process in a way that closes recordings.
    if (
        threading.current_thread() is threading.main_thread()
        and signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    ):
        signal.signal(signal.SIGTERM, _flush_and_terminate)


@cache
def _pools() -> weakref.WeakSet[WritePool]:
    """All pools of this process; made, with its hook, when there is the first."""
    pools: weakref.WeakSet[WritePool] = weakref.WeakSet()

    def begin_anew() -> None:
        for pool in pools:
            pool.begin()

    os.register_at_fork(after_in_child=begin_anew)
    return pools


def _flush_and_terminate(number: int, frame: FrameType | None) -> None:
    """Write what there is; then do what the signal does to a process that handles none."""
    del frame
    for pool in list(_pools()):
        pool.flush(TERMINATION_SECONDS)
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
