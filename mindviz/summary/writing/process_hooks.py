"""Hooks that flush recordings on SIGTERM and reset them in a forked child.

`weakref.finalize` closes recordings at process exit. SIGKILL cannot be handled: records that are
not flushed by then are lost.
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
"""Maximum delay of SIGTERM, for writing."""


def register(pool: WritePool) -> None:
    """Flush the pool on SIGTERM, and reset it in every forked child."""
    _pools().add(pool)
    # A program with its own SIGTERM handler exits normally, which closes recordings.
    if (
        threading.current_thread() is threading.main_thread()
        and signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    ):
        signal.signal(signal.SIGTERM, _flush_and_terminate)


@cache
def _pools() -> weakref.WeakSet[WritePool]:
    """All pools of this process. The first call registers the fork hook."""
    pools: weakref.WeakSet[WritePool] = weakref.WeakSet()

    def reset_all() -> None:
        for pool in pools:
            pool.reset()

    os.register_at_fork(after_in_child=reset_all)
    return pools


def _flush_and_terminate(number: int, frame: FrameType | None) -> None:
    """Flush, then terminate as the signal does by default."""
    del frame
    for pool in list(_pools()):
        pool.flush(TERMINATION_SECONDS)
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
