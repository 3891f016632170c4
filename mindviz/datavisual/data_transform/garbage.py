"""Garbage: when Python may look for objects that hold each other alive.

It looks whenever so many more were made than given back, and each time at all there are. While
logs are read or graphs are built, everything that is made stays, and looking at a million objects
over and over takes more time than making them.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock, Thread

LONGEST_LOAD = 60.0
"""Seconds for which no garbage is looked for: requests make some, too."""


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


def hold_off_while_loading(wait_until_loaded: Callable[[float], None]) -> None:
    """Look for no garbage until this returns, nor later among what is there then; returns at once.

    It takes half of the time that 10,000 train jobs do, and a tenth of a second at a time later on.
    `wait_until_loaded` is given the seconds after which it has to return.
    """

    def hold_off() -> None:
        with no_collections():
            wait_until_loaded(LONGEST_LOAD)
        keep_all()

    Thread(target=hold_off, name="mindviz-garbage", daemon=True).start()


def keep_all() -> None:
    """Never look again at what there is now: it stays, or is given back by its last user."""
    gc.freeze()
