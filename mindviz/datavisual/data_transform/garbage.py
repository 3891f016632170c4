"""Garbage: when Python may look for objects that hold each other alive.

It looks whenever so many more were made than given back, and each time at all there are. While
logs are read or graphs are built, everything that is made stays, and looking at a million objects
over and over takes more time than making them.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock


class _Collection:
    """The collector of this process, which several threads may hold off at once."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._held_by = 0
        self._was_enabled = False

    def hold(self) -> None:
        with self._lock:
            if not self._held_by:
                self._was_enabled = gc.isenabled()
                gc.disable()
            self._held_by += 1

    def release(self) -> None:
        with self._lock:
            self._held_by -= 1
            if not self._held_by and self._was_enabled:
                gc.enable()


_COLLECTION = _Collection()


@contextmanager
def no_collections() -> Iterator[None]:
    """Look for no garbage inside; also if another thread ends its own such block meanwhile."""
    _COLLECTION.hold()
    try:
        yield
    finally:
        _COLLECTION.release()


def keep_all() -> None:
    """Never look again at what there is now: it stays, or is given back by its last user."""
    gc.freeze()
