"""ChangeHints: changes in directories, announced by Linux (inotify).

Some changes are never announced: those on network file systems, and writes through memory maps. So
callers must not rely on hints, and polling passes the changes that it finds to `expected`, which
detects missing hints.
"""

from __future__ import annotations

import contextlib
import errno
import logging
import math
import select
import socket
import threading
import time
from collections.abc import Callable, Iterable
from enum import Enum
from typing import Any, NamedTuple

from mindviz.datavisual.logs.log_file import is_gone

_GATHER_SECONDS = 0.025
"""Wait after an event for more, so that constant writes wake the thread 40 times per second."""

_MOST_HINTS = 10_000
"""With more at a time, all directories count as changed."""

_MOST_MISSED = 3

_UNREADABLE = {errno.EACCES, errno.ELOOP, errno.ENAMETOOLONG}
"""Errors of a directory that cannot be listed either."""

_LIMITS = {
    errno.ENOSPC: "the limit of inotify watches is reached (sysctl fs.inotify.max_user_watches)",
    errno.EMFILE: "no inotify instance is left (sysctl fs.inotify.max_user_instances, ulimit -n)",
}

UNWATCHED = 0


class Change(Enum):
    """What happened to an entry of a directory, or to the directory itself."""

    ADDED = 1
    MODIFIED = 2
    DELETED = 3


class Announced(NamedTuple):
    """A change in a watched directory."""

    identity: int
    """Of the directory, as given to `ChangeHints.watch`."""
    name: str
    """Of the entry; empty for the directory itself."""
    change: Change
    is_directory: bool
    """Whether the entry is a directory; links are none."""


Patience = Callable[[Announced], float | None]
"""Seconds that a change may wait for a poll; None: no poll needed."""


class ChangeHints:
    """Hints about the directories that are given to `watch`, from a background thread."""

    def __init__(
        self,
        base_dir: str,
        patience: Patience,
        notify: Callable[[], None],
        *,
        grace_seconds: float = 3.0,
    ) -> None:
        """Raises ImportError if the system has no inotify, OSError at its limits.

        Messages name `base_dir`. The thread calls `notify` whenever `due` becomes sooner. A hint
        may come `grace_seconds` later than the poll that saw the change.
        """
        from inotify_simple import INotify, flags  # noqa: PLC0415 - installed on Linux only

        self._base_dir = base_dir
        self._patience = patience
        self._notify = notify
        self._grace_seconds = grace_seconds
        self._flags: Any = flags
        entries = flags.CREATE | flags.DELETE | flags.MODIFY | flags.MOVED_FROM | flags.MOVED_TO
        itself = flags.ATTRIB | flags.MOVE_SELF
        self._mask = entries | itself | flags.ONLYDIR | flags.EXCL_UNLINK
        self._lock = threading.Lock()
        """Held until the identity of a new watch is known, since its events may come at once."""
        self._identities: dict[int, int] = {}
        """Watch -> directory."""
        self._hints: set[tuple[int, str]] = set()
        self._incomplete = False
        self.due = time.monotonic()
        """Monotonic seconds of the next poll that hints require; infinity if none."""
        self._announced: dict[int, float] = {}
        self._awaited: dict[int, tuple[float, float]] = {}
        """Directory -> earliest time of a valid hint, time at which polling saw the change."""
        self._missed = 0
        self._stop = threading.Event()
        self._inotify: Any = INotify()
        self._stopper, self._stopped = socket.socketpair()
        self._thread = threading.Thread(target=self._run, name="mindviz-hints", daemon=True)
        self._thread.start()

    @property
    def working(self) -> bool:
        """Whether it has neither failed nor been stopped."""
        return not self._stop.is_set()

    def watches(self, watch: int) -> bool:
        """Whether the result of an earlier `watch` is valid."""
        return watch in self._identities

    def watch(self, path: str, identity: int) -> int:
        """Announce all changes in a directory from now on; UNWATCHED if that is impossible.

        The result is the same for all paths of a directory.
        """
        with self._lock:
            if self._stop.is_set():
                return UNWATCHED
            try:
                watch: int = self._inotify.add_watch(path, self._mask)
            except OSError as error:
                if not is_gone(error) and error.errno not in _UNREADABLE:
                    self._give_up(error)
                return UNWATCHED
            other = self._identities.setdefault(watch, identity)
            if other == identity:
                return watch
            # The path has just been replaced: both must be identified again.
            self._remove(watch)
            self._hints |= {(identity, ""), (other, "")}
            self.due = time.monotonic()
            return UNWATCHED

    def unwatch(self, watch: int, identity: int) -> None:
        """Announce no more changes in a directory."""
        with self._lock:
            if not self._stop.is_set() and self._identities.get(watch) == identity:
                self._remove(watch)

    def take(self) -> set[tuple[int, str]] | None:
        """Directories with changes since the last call, and the names of the changed entries.

        None if some are unknown: all directories must be checked, and watched unless they are.
        """
        with self._lock:
            hints = None if self._incomplete else self._hints
            self._hints, self._incomplete, self.due = set(), False, math.inf
        return hints

    def expected(self, directories: Iterable[int], since: float) -> None:
        """Report directories with changes that polling found, later than `since` (monotonic).

        Hints are disabled after several misses.
        """
        now = time.monotonic()
        if not self.working:
            return
        for identity in directories:
            self._awaited.setdefault(identity, (since, now))
        with self._lock:
            announced = self._announced
            oldest = since - self._grace_seconds
            self._announced = {one: at for one, at in announced.items() if at > oldest}
        for identity, (earliest, noticed) in list(self._awaited.items()):
            if announced.get(identity, -1.0) >= earliest:
                del self._awaited[identity]
            elif now > noticed + self._grace_seconds:
                del self._awaited[identity]
                self._missed += 1
        if self._missed >= _MOST_MISSED:
            self._give_up("changes come without hints")

    def stop(self) -> None:
        """End the thread; returns at once."""
        self._stop.set()
        self._stopper.close()

    def join(self, timeout: float) -> None:
        """Wait until the thread has ended."""
        self._thread.join(timeout)

    def _give_up(self, why: Exception | str) -> None:
        log_only_polled(self._base_dir, why)
        self.stop()

    def _remove(self, watch: int) -> None:
        del self._identities[watch]
        with contextlib.suppress(OSError):  # the directory is gone, and its watch with it
            self._inotify.rm_watch(watch)

    def _run(self) -> None:
        events = select.poll()
        events.register(self._inotify, select.POLLIN)
        events.register(self._stopped, select.POLLIN)
        try:
            while events.poll() and not self._stop.wait(_GATHER_SECONDS):
                self._receive(set(self._inotify.read(timeout=0)))
        except Exception as error:  # noqa: BLE001 - polling continues without hints
            self._give_up(error)
            self._notify()
        finally:
            self._stopped.close()
            with self._lock:  # no watch is being added
                self._identities.clear()
                self._inotify.close()

    def _receive(self, events: Iterable[Any]) -> None:
        now = time.monotonic()
        patience = {one: self._patience(one) for one in self._translate(events)}
        waits = [wait for wait in patience.values() if wait is not None]
        hints = {one[:2] for one, wait in patience.items() if wait is not None}
        with self._lock:
            self._incomplete |= len(self._hints) + len(hints) > _MOST_HINTS
            if self._incomplete:
                self._hints.clear()
                self.due = now
            elif hints:
                self._hints |= hints
                self.due = min(self.due, now + min(waits))
            else:
                return
            self._announced.update((identity, now) for identity, _ in hints)
        self._notify()

    def _translate(self, events: Iterable[Any]) -> list[Announced]:
        flags = self._flags
        announced = []
        gone = []
        is_overflow = False
        with self._lock:
            for watch, mask, _, name in events:
                is_overflow |= bool(mask & flags.Q_OVERFLOW)
                identity = self._identities.get(watch)
                if identity is None:
                    continue
                if mask & flags.IGNORED:
                    gone.append(watch)
                if mask & (flags.CREATE | flags.MOVED_TO):
                    change = Change.ADDED
                elif mask & (flags.MODIFY | flags.ATTRIB):
                    change = Change.MODIFIED
                else:
                    change = Change.DELETED
                announced.append(Announced(identity, name, change, bool(mask & flags.ISDIR)))
            for watch in gone:
                del self._identities[watch]
            if is_overflow:
                self._incomplete = True
                # Some may have been deleted; the others get the same watches again.
                self._identities.clear()
        return announced


def log_only_polled(base_dir: str, why: Exception | str) -> None:
    """Log once why there are no hints."""
    limit = _LIMITS.get(why.errno or 0) if isinstance(why, OSError) else None
    level = logging.WARNING if limit else logging.INFO
    logging.getLogger(__name__).log(
        level, "%s: changes are found by polling only: %s", base_dir, limit or why
    )
