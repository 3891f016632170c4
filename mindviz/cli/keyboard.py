"""Keys of a terminal, one at a time, without echo."""

from __future__ import annotations

import os
import re
import select
import sys
import termios
import tty
from collections.abc import Iterator
from contextlib import contextmanager

_KEYS = {
    **dict.fromkeys(("\x1b[A", "\x1bOA", "k"), "up"),
    **dict.fromkeys(("\x1b[B", "\x1bOB", "j"), "down"),
    **dict.fromkeys(("\x1b[5~", "b"), "page up"),
    **dict.fromkeys(("\x1b[6~", " "), "page down"),
    **dict.fromkeys(("\x1b[H", "\x1bOH", "\x1b[1~", "g"), "home"),
    **dict.fromkeys(("\x1b[F", "\x1bOF", "\x1b[4~", "G"), "end"),
    **dict.fromkeys(("q", "Q"), "quit"),
}
_SEQUENCE = re.compile(r"\x1b(?:\[[0-9;]*[@-~]|O[@-~])|.", re.DOTALL)


def keys_of(text: str) -> list[str]:
    """`up`, `down`, `page up`, `page down`, `home`, `end` and `quit`; other keys are ignored.

    Letters are those of `less` and vi.
    """
    return [_KEYS[sequence] for sequence in _SEQUENCE.findall(text) if sequence in _KEYS]


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
