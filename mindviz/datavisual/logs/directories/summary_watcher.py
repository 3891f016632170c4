"""SummaryWatcher: finds the train jobs below a base dir and what changed.

Only polling is reliable. Each poll checks the times of all directories, which reveal new and
deleted entries, and the sizes of recently changed files; growth of other files is noticed within
`sweep_seconds`. Hints from the system only say where to look sooner.
"""

from __future__ import annotations

import math
import os
import stat
import threading
import time
from collections.abc import Mapping, Sequence
from functools import partial
from types import MappingProxyType

from mindviz.datavisual.logs.directories.change_hints import (
    Announced,
    Change,
    ChangeHints,
    log_only_polled,
)
from mindviz.datavisual.logs.directories.directory_tree import DirectoryTree
from mindviz.datavisual.logs.directories.discovery import Discovery, FoundFile, FoundJob, joined
from mindviz.datavisual.logs.directories.log_directory import LogDirectory, directory_identity
from mindviz.datavisual.logs.directories.log_entry import recognize, unreadable
from mindviz.datavisual.logs.directories.unchanged_job import Known
from mindviz.datavisual.logs.log_file import is_gone, is_transient
from mindviz.datavisual.logs.storage.file_system import file_system
from mindviz.datavisual.series.findings import NO_BASE_DIR, Finding, FindingKind

__all__ = ["Discovery", "FoundFile", "FoundJob", "SummaryWatcher"]

_MOST_FINDINGS = 100
_ALL_DIRECTORIES = 10_000
"""Up to this number, all directories are checked on each poll."""

_HINTED_SWEEP, _BLIND_SWEEP, _WATCHING_SWEEP = 0.005, 0.05, 0.2
"""Share of the time for which a sweep may use a core: while the system reports changes, while it
does not, and while that is being requested. So sweeps of 100,000 directories may take longer than
`sweep_seconds`."""
_LEAST_SWEPT = 100
"""Directories per poll that are checked in any case."""

_GROWTH_SECONDS = (0.2, 0.5)
"""Minimum seconds between polls caused only by file growth: with few files, and with many."""
_GROWTH_SHARE = 20
"""Within these bounds, a poll is followed by a pause of so many times its duration."""

_UNFINISHED_SECONDS = 1.0
"""Seconds until the next poll if this one has left hints or unwatched directories."""

_STOP_SECONDS = 0.5
"""Removing many inotify watches may take longer; nothing depends on its end."""


class SummaryWatcher:
    """The train jobs below one base dir.

    `poll` and `wait` belong to one thread; the other methods are thread-safe.
    """

    def __init__(
        self,
        base_dir: str | os.PathLike[str],
        *,
        max_depth: int | None = None,
        follow_external_links: bool = False,
        inotify: bool = True,
        hot_seconds: float = 600.0,
        sweep_seconds: float = 30.0,
        known: Known | None = None,
    ) -> None:
        """Watch `base_dir` and `max_depth` levels of directories below it (None: all).

        Entries that changed within `hot_seconds` are checked on every poll, the others in turn, all
        within `sweep_seconds`. Nothing is read before the first poll, but raises StartError if
        `base_dir` is a URL that cannot be listed.
        """
        self._files = file_system(base_dir)
        self._known = known
        self._max_depth = max_depth
        self._follow_external_links = follow_external_links or not self._files.is_local
        self._hot_seconds = hot_seconds
        self._sweep_seconds = sweep_seconds if self._files.is_local else 0.0
        self._inotify = inotify and self._files.is_local
        self.rest_seconds = 0.0
        """Seconds until the next poll is affordable."""
        self.readers = self._files.readers
        """As in `FileSystem`."""
        self._tree: DirectoryTree | None = None
        self._hints: ChangeHints | None = None
        self._unwatched = 0
        """Number of directories, first in the tree's turns, that may not be watched, or whose hints
        are lost."""
        self._postponed: Sequence[LogDirectory] = ()
        """Hinted directories that the last poll could not list, or not yet."""
        self._jobs: Mapping[str, FoundJob] = MappingProxyType({})
        self._polled_at = -math.inf
        self._poll_seconds = 0.0
        self.unsettled = False
        """Whether a transient error hid a part of the base dir from the last poll."""
        self._changed = threading.Condition()
        self._woken = False
        self._closed = False

    @property
    def watching(self) -> str:
        """`inotify` while the system reports changes, else `polling`."""
        return "inotify" if self._is_hinted and not self._unwatched else "polling"

    def poll(self) -> Discovery:
        """Look for changes. Problems on disk are reported as findings, never raised."""
        now = time.monotonic()
        hinted = set() if self._hints is None else self._hints.take()
        tree, problem, self.unsettled = self._tree_now()
        touched: set[str] | None = None
        findings = [] if problem is None else [problem]
        if tree is not self._tree:
            self._stop_hints()  # the next wait restarts them
        if tree is not None:
            if problem is None:
                self._check_directories(tree, now, hinted)
            elif hinted != set():
                self._unwatched = len(tree.turns)
            touched = tree.update_jobs()
            self.unsettled |= tree.unsettled
            findings += [f for f in tree.findings() if f != problem]
            if self._hints is not None:
                self._hints.expected(tree.noticed, self._polled_at)
            tree.noticed.clear()
            if tree is not self._tree:
                touched = None
        self._tree = tree
        self._polled_at = now
        self._poll_seconds = time.monotonic() - now
        return self._discovery({} if tree is None else tree.jobs, touched, findings)

    def wait(self, timeout: float) -> None:
        """Wait `timeout` seconds, or until a hint is due or `wake` is called."""
        is_unfinished = self._is_hinted and (self._unwatched or self._postponed)
        end = time.monotonic() + (min(timeout, _UNFINISHED_SECONDS) if is_unfinished else timeout)
        with self._changed:
            while not self._woken:
                self._start_hints()
                due = end if self._hints is None else min(end, self._hints.due)
                remaining = due - time.monotonic()
                if remaining <= 0:
                    break
                self._changed.wait(remaining)
            self._woken = self._closed

    def wake(self) -> None:
        """End the current or next `wait`."""
        with self._changed:
            self._woken = True
            self._changed.notify_all()

    def close(self) -> None:
        """Stop watching; `wait` returns at once from now on."""
        self._closed = True
        self.wake()
        hints = self._hints
        if hints is not None:
            hints.stop()
            hints.join(_STOP_SECONDS)

    @property
    def _is_hinted(self) -> bool:
        hints = self._hints  # read once: another thread may ask
        return hints is not None and hints.working

    def _tree_now(self) -> tuple[DirectoryTree | None, Finding | None, bool]:
        """The current tree, its finding, and whether that is transient."""
        try:
            self.rest_seconds = self._files.refresh()
            status = self._files.stat(self._files.base_dir)
            if not stat.S_ISDIR(status.st_mode):
                detail = "The base dir is no directory; waiting for one."
                return None, Finding(FindingKind.UNREADABLE, "./", detail=detail), False
            identity = directory_identity(status)
            if self._tree is not None and self._tree.base.identity == identity:
                return self._tree, None, False
            real_path = self._files.real_path()
        except OSError as error:
            if is_gone(error):
                return None, Finding(FindingKind.UNREADABLE, "./", detail=NO_BASE_DIR), False
            # Perhaps temporary: known data is kept.
            return self._tree, unreadable("./", error), is_transient(error)
        tree = DirectoryTree(
            real_path,
            identity,
            self._files,
            max_depth=self._max_depth,
            follow_external_links=self._follow_external_links,
            hot_seconds=self._hot_seconds,
            known=self._known,
        )
        return tree, None, False

    def _check_directories(
        self, tree: DirectoryTree, now: float, hinted: set[tuple[int, str]] | None
    ) -> None:
        turns = tree.turns
        if hinted is None:
            self._unwatched = len(turns)
        again = self._postponed
        found = (one for identity, name in hinted or () for one in tree.same.hinted(identity, name))
        # First, and parents first: a replaced directory is not noticed once it has been listed.
        self._postponed = [
            directory
            for directory in sorted({*again, *found}, key=lambda directory: directory.depth)
            if not tree.check(directory, now, thoroughly=True)
        ]
        tree.noticed.difference_update(one.identity for one in again)  # announced before
        self._sweep(tree, now)
        if len(turns) <= _ALL_DIRECTORIES:
            for directory in tuple(turns):
                tree.check(directory, now, thoroughly=False)
            return
        for directory in tuple(tree.warm):
            tree.check(directory, now, thoroughly=False)
            if directory.hot_until < now:
                tree.warm.discard(directory)

    def _sweep(self, tree: DirectoryTree, now: float) -> None:
        """Check the next directories in turn."""
        turns = tree.turns
        since = min(max(0.0, now - self._polled_at), self._sweep_seconds)
        share = since / self._sweep_seconds if self._sweep_seconds > 0 else 1.0
        core = _BLIND_SWEEP
        if self._is_hinted:
            core = _WATCHING_SWEEP if self._unwatched else _HINTED_SWEEP
        end = time.thread_time() + since * core
        least = _LEAST_SWEPT if self._sweep_seconds > 0 else len(turns)
        most = math.ceil(len(turns) * share)
        if self._unwatched and len(turns) <= _ALL_DIRECTORIES:
            least = most = len(turns)
        for number in range(most):
            if number >= least and time.thread_time() > end:
                break  # the next polls go on
            directory = turns.popleft()
            self._unwatched = max(0, self._unwatched - 1)
            if not directory.gone:
                tree.check(directory, now, thoroughly=True)
                turns.append(directory)

    def _discovery(
        self, jobs: Mapping[str, FoundJob], touched: set[str] | None, findings: list[Finding]
    ) -> Discovery:
        before = self._jobs
        ids = before.keys() | jobs.keys() if touched is None else touched
        changed = {i for i in ids if i in jobs and (i not in before or jobs[i] != before[i])}
        removed = {i for i in ids if i in before and i not in jobs}
        if changed or removed:
            self._jobs = MappingProxyType(jobs)
        return Discovery(
            self._jobs, frozenset(changed), frozenset(removed), _bounded(tuple(findings))
        )

    def _start_hints(self) -> None:
        tree = self._tree
        if not self._inotify or self._closed or self._hints is not None or tree is None:
            return
        try:
            hints = ChangeHints(tree.base.path, partial(self._patience, tree), self._notify)
        except ImportError:  # not Linux
            self._inotify = False
        except OSError as error:
            self._inotify = False
            log_only_polled(tree.base.path, error)
        else:
            self._hints = tree.hints = hints
            self._unwatched = len(tree.turns)

    def _stop_hints(self) -> None:
        if self._hints is not None:
            self._hints.stop()
        self._hints = None
        self._unwatched = 0
        self._postponed = ()

    def _notify(self) -> None:
        with self._changed:
            self._changed.notify_all()

    def _patience(self, tree: DirectoryTree, announced: Announced) -> float | None:
        """How long a change may wait for the next poll. Called from the hints' thread."""
        identity, name, change, is_directory = announced
        if is_directory or not name:
            return 0.0
        if recognize(name) is not None:
            return self._growth_patience() if change is Change.MODIFIED else 0.0
        directories = tree.same.of(identity)
        if change is Change.ADDED:  # perhaps a link to a directory
            is_relevant = any(os.path.isdir(joined(one.path, name)) for one in directories)
        else:
            is_relevant = any(name in one.subdirectories for one in directories)
        return 0.0 if is_relevant else None

    def _growth_patience(self) -> float:
        least, most = _GROWTH_SECONDS
        pause = min(most, max(least, _GROWTH_SHARE * self._poll_seconds))
        return max(0.0, self._polled_at + pause - time.monotonic())


def _bounded(findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    if len(findings) <= _MOST_FINDINGS:
        return findings
    rest = len(findings) - _MOST_FINDINGS
    last = Finding(FindingKind.UNREADABLE, "./", detail=f"{rest} further problems are not listed.")
    return (*findings[:_MOST_FINDINGS], last)
