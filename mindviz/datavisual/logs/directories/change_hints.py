"""ChangeHints: changes below a directory, announced by the operating system.

Events come from inotify (or similar) through watchfiles, which may fail silently: at the limit of
watches, on network file systems, behind links created later. So callers must not rely on hints, and
polling passes the changes that it finds to `expected`, which detects missing hints.
"""

from __future__ import annotations

import logging
import math
import os
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from enum import Enum

_DEBOUNCE_MILLISECONDS = 100
_STEP_MILLISECONDS = 25
_MOST_PATHS = 10_000
"""Further hints are dropped and left to polling."""

_MOST_MISSED = 3


class Change(Enum):
    """What happened to a path."""

    ADDED = 1
    MODIFIED = 2
    DELETED = 3


Patience = Callable[[Change, str], float | None]
"""(change, path) -> seconds that it may wait for a poll; None: no poll needed."""


class ChangeHints:
    """Hints about some directories, from a background thread that starts at once."""

    def __init__(
        self,
        directories: Sequence[str],
        patience: Patience,
        notify: Callable[[], None],
        *,
        recursive: bool = True,
        rest_seconds: float,
        grace_seconds: float = 3.0,
    ) -> None:
        """Watch `directories`, including everything below if `recursive`.

        The thread calls `notify` whenever `due` becomes sooner. A hint may come `grace_seconds`
        later than the poll that saw the change. After an error, hints may be restarted
        `rest_seconds` later, when they are due.
        """
        self.directories = tuple(directories)
        self._recursive = recursive
        self._watched = frozenset(directories)
        self._patience = patience
        self._notify = notify
        self._grace_seconds = grace_seconds
        self._rest_seconds = rest_seconds
        self._again_at = math.inf
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._paths: set[str] = set()
        self.due = math.inf
        """Monotonic seconds of the next poll that hints require; infinity if none."""
        self._working_since = math.inf
        self._announced: dict[str, float] = {}
        self._awaited: dict[str, tuple[float, float]] = {}
        """Path -> earliest time of a valid hint, time at which polling saw the change."""
        self._missed = 0
        self._thread = threading.Thread(target=self._run, name="mindviz-hints", daemon=True)
        self._thread.start()

    @property
    def working(self) -> bool:
        """Whether the watch is set up and has not failed."""
        return self._working_since < math.inf and not self._stop.is_set()

    @property
    def should_restart(self) -> bool:
        """Whether a restart of hints for the same directories is due."""
        return time.monotonic() >= self._again_at

    def take(self) -> set[str]:
        """The paths that changed since the last call."""
        with self._lock:
            paths, self._paths, self.due = self._paths, set(), self._again_at
        return paths

    def expected(self, paths: Iterable[str], since: float) -> None:
        """Report changes that polling found and that happened after `since` (monotonic seconds).

        Hints are disabled after several misses.
        """
        now = time.monotonic()
        earliest = since - _DEBOUNCE_MILLISECONDS / 1000
        if not self.working:
            return
        if now > self._working_since + self._grace_seconds:
            for path in paths:
                if self._covers(path):
                    self._awaited.setdefault(path, (earliest, now))
        with self._lock:
            announced = self._announced
            self._announced = {
                path: at for path, at in announced.items() if at > earliest - self._grace_seconds
            }
        for path, (earliest, noticed) in list(self._awaited.items()):
            if any(announced.get(part, -1.0) >= earliest for part in _path_and_parents(path)):
                del self._awaited[path]
            elif now > noticed + self._grace_seconds:
                del self._awaited[path]
                self._missed += 1
        if self._missed >= _MOST_MISSED:
            self._give_up("changes come without hints")

    def stop(self) -> None:
        """End the thread; returns at once."""
        self._stop.set()

    def join(self, timeout: float) -> None:
        """Wait until the thread has ended."""
        self._thread.join(timeout)

    def _covers(self, path: str) -> bool:
        if self._recursive:
            return not self._watched.isdisjoint(_path_and_parents(path))
        return os.path.dirname(path) in self._watched

    def _give_up(self, reason: str) -> None:
        watched = ", ".join(self.directories[:3])
        logging.getLogger(__name__).info("%s: only polled: %s", watched, reason)
        self.stop()

    def _run(self) -> None:
        try:
            try:
                self._watch(ignore_permission_denied=False)
            except PermissionError:
                # The second choice, since it also ignores the limit of watches.
                self._watch(ignore_permission_denied=True)
        except Exception as error:  # noqa: BLE001 - polling continues without hints
            if self.working:
                # For example a name that is not UTF-8, of a file that may be gone by now, or a
                # link out of a new directory.
                with self._lock:
                    self._again_at = self.due = time.monotonic() + self._rest_seconds
            self._give_up(str(error))
            self._notify()
        finally:
            self._stop.set()

    def _watch(self, *, ignore_permission_denied: bool) -> None:
        # Imported late: it takes 30 ms. Not watchfiles' own iterators: when they return from an
        # empty wait, they discard changes that arrived in the meantime.
        from watchfiles._rust_notify import RustNotify  # noqa: PLC0415

        debug = force_polling = False
        poll_delay = no_timeout = 0
        with RustNotify(
            list(self.directories),
            debug,
            force_polling,
            poll_delay,
            self._recursive,
            ignore_permission_denied,
        ) as watcher:
            # Set up now; earlier changes are in no hint.
            self._working_since = self.due = time.monotonic()
            self._notify()
            while not self._stop.is_set():
                changes = watcher.watch(
                    _DEBOUNCE_MILLISECONDS, _STEP_MILLISECONDS, no_timeout, self._stop
                )
                if isinstance(changes, set):  # else a word that says why it ends
                    self._receive((Change(change), path) for change, path in changes)

    def _receive(self, changes: Iterable[tuple[Change, str]]) -> None:
        now = time.monotonic()
        due = math.inf
        paths = []
        for change, path in changes:
            if change is Change.DELETED and path in self._watched:
                # A new directory of this name would not be watched: restart at the next poll.
                self._again_at = now
                self._stop.set()
            patience = self._patience(change, path)
            if patience is not None:
                paths.append(path)
                due = min(due, now + patience)
        if not paths:
            return
        with self._lock:
            if len(self._paths) + len(paths) <= _MOST_PATHS:
                self._paths.update(paths)
            self._announced.update(dict.fromkeys(paths, now))
            self.due = min(self.due, due)
        self._notify()


def _path_and_parents(path: str) -> Iterable[str]:
    while True:
        yield path
        parent = os.path.dirname(path)
        if parent == path:
            return
        path = parent
