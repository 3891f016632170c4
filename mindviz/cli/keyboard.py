"""Keys of a terminal, one at a time, without echo."""

from __future__ import annotations

import os
import select
import sys
import termios
import tty
from collections.abc import Iterator
from contextlib import contextmanager


class Keyboard:
    """Standard input of this process."""

    @contextmanager
    def unbuffered(self) -> Iterator[None]:
        """Deliver keys at once during the `with` block; Ctrl-C still interrupts."""
        if not sys.stdin.isatty():
            yield
            return
        descriptor = sys.stdin.fileno()
        before = termios.tcgetattr(descriptor)
        try:
            tty.setcbreak(descriptor)
            yield
        finally:
            termios.tcsetattr(descriptor, termios.TCSADRAIN, before)

    def wait(self, seconds: float) -> str:
        """The keys pressed; empty after `seconds` without any. End of input is `q`."""
        descriptor = sys.stdin.fileno()
        readable, _, _ = select.select([descriptor], [], [], seconds)
        if not readable:
            return ""
        return os.read(descriptor, 1024).decode("utf-8", "replace") or "q"
