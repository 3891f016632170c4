"""Pauses Python's garbage collector while objects are created that stay alive.

The collector runs after a number of allocations and traverses all objects each time. While logs
are loaded or graphs are built, that takes longer than creating the objects.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock, Thread

ALLOCATIONS = 10_000
"""Container objects between two collections of a program; Python's default is 700 to 2,000."""
LONGEST_LOAD = 60.0
"""Seconds after which collections resume while loading: requests create garbage, too."""


class _Collection:
    """The process-wide collector, which several threads may pause at once."""

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


def collect_less_often() -> None:
    """Collect once per `ALLOCATIONS`: imports, most of a start, take a fifth less."""
    gc.set_threshold(ALLOCATIONS, *gc.get_threshold()[1:])


@contextmanager
def gc_paused() -> Iterator[None]:
    """Pause the collector; nested and concurrent blocks are counted."""
    _COLLECTION.hold()
    try:
        yield
    finally:
        _COLLECTION.release()


def pause_gc_while_loading(wait_until_loaded: Callable[[float], None]) -> None:
    """Pause the collector in a background thread until loading ends, then freeze live objects.

    Collections take half of the time that loading 10,000 train jobs takes, and later pauses of
    0.1 s each. `wait_until_loaded` is called with a timeout in seconds.
    """

    def pause() -> None:
        with gc_paused():
            wait_until_loaded(LONGEST_LOAD)
        freeze_live_objects()

    Thread(target=pause, name="mindviz-gc", daemon=True).start()


def freeze_live_objects() -> None:
    """Freeze live objects so the collector skips them."""
    gc.freeze()
