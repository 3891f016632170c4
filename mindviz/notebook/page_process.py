"""`mindviz start` as the child of a notebook's kernel, which ends it by ending in any way."""

from __future__ import annotations

import os
import runpy
import signal
import sys
import threading


def _end_with_parent() -> None:
    # The kernel holds the other end of the pipe, and never writes.
    os.read(0, 1)
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    threading.Thread(target=_end_with_parent, daemon=True).start()
    sys.argv = ["mindviz", "start", *sys.argv[1:]]
    runpy.run_module("mindviz", run_name="__main__", alter_sys=False)
