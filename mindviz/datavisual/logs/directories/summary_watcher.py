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
from collections.abc import Mapping
from types import MappingProxyType

from mindviz.datavisual.logs.directories.change_hints import Change, ChangeHints
from mindviz.datavisual.logs.directories.directory_tree import DirectoryTree
from mindviz.datavisual.logs.directories.discovery import Discovery, FoundFile, FoundJob
from mindviz.datavisual.logs.directories.log_directory import directory_identity
from mindviz.datavisual.logs.directories.log_entry import recognize, unreadable
from mindviz.datavisual.logs.directories.unchanged_job import Known
from mindviz.datavisual.logs.directories.watchable import Watchable
from mindviz.datavisual.logs.log_file import is_gone, is_transient
from mindviz.datavisual.logs.storage.file_system import file_system
from mindviz.datavisual.series.findings import NO_BASE_DIR, Finding, FindingKind

__all__ = ["Discovery", "FoundFile", "FoundJob", "SummaryWatcher"]

_MOST_FINDINGS = 100
_ALL_DIRECTORIES = 10_000
"""Up to this number, all directories are checked on each poll."""

_HINTED_SWEEP, _BLIND_SWEEP = 0.005, 0.05
"""Share of the time for which a sweep may use a core, while the system reports changes and while it
does not. So sweeps of 100,000 directories take longer than `sweep_seconds`."""
_LEAST_SWEPT = 100
"""Directories per poll that are checked in any case."""

_GROWTH_SECONDS = (0.2, 0.5)
"""Minimum seconds between polls caused only by file growth: with few files, and with many."""
_GROWTH_SHARE = 20
"""Within these bounds, a poll is followed by a pause of so many times its duration."""

_ECHO_SECONDS = 1.0
"""Seconds until the poll after one that followed a hint: files created in a new directory before
the system watches it are in no hint."""

_FIRST_REST = 1.0
_LONGEST_REST = 60.0
"""Seconds until hints restart after an error; doubled by each further error."""

_STOP_SECONDS = 0.5
"""Removing 100,000 inotify watches takes longer; nothing depends on its end."""


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
        self._hints: tuple[ChangeHints, ...] = ()
        self._hinted = Watchable((), ())
        """What `_hints` watch."""
        self._rest_seconds = _FIRST_REST
        self._restarted_at = -math.inf
        self._hints_disabled = False
        self._jobs: Mapping[str, FoundJob] = MappingProxyType({})
        self._polled_at = -math.inf
        self._poll_seconds = 0.0
        self.unsettled = False
        """Whether a transient error hid a part of the base dir from the last poll."""
        self._followed_hint = False
        self._changed = threading.Condition()
        self._woken = False
        self._closed = False

    @property
    def watching(self) -> str:
        """`inotify` while the system reports changes, else `polling`."""
        hints = self._hints
        return "inotify" if hints and all(hint.working for hint in hints) else "polling"

    def poll(self) -> Discovery:
        """Look for changes. Problems on disk are reported as findings, never raised."""
        now = time.monotonic()
        hinted = set().union(*(hints.take() for hints in self._hints))
        self._followed_hint = bool(hinted)
        tree, problem, self.unsettled = self._tree_now()
        touched: set[str] | None = None
        findings = [] if problem is None else [problem]
        if tree is not None:
            is_new = tree is not self._tree
            if problem is None:
                self._check_directories(tree, now, hinted)
            touched = tree.update_jobs()
            self.unsettled |= tree.unsettled
            findings += [f for f in tree.findings() if f != problem]
            if not is_new:
                for hints in self._hints:
                    hints.expected(tree.noticed, self._polled_at)
            tree.noticed.clear()
            if is_new:
                touched = None
        if tree is not self._tree or self._hints_are_stale():
            self._tree = tree
            self._stop_hints()  # the next wait restarts them
        self._polled_at = now
        self._poll_seconds = time.monotonic() - now
        return self._discovery({} if tree is None else tree.jobs, touched, findings)

    def wait(self, timeout: float) -> None:
        """Wait `timeout` seconds, or until a hint is due or `wake` is called.

        At most a second after a poll that followed a hint.
        """
        longest = min(timeout, _ECHO_SECONDS) if self._followed_hint else timeout
        end = time.monotonic() + longest
        with self._changed:
            while not self._woken:
                self._start_hints()
                due = min((hints.due for hints in self._hints), default=end)
                remaining = min(end, due) - time.monotonic()
                if remaining <= 0:
                    break
                self._changed.wait(remaining)
            self._woken = self._closed

    def hold_hints(self) -> None:
        """Disable hints until `want_hints`.

        They also report each file that is opened, which takes longer than the first reading of
        thousands of files.
        """
        self._hints_disabled = True

    def want_hints(self) -> None:
        """Enable hints."""
        with self._changed:
            self._hints_disabled = False
            self._changed.notify_all()

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
        for one in hints:
            one.stop()
        for one in hints:
            one.join(_STOP_SECONDS)

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

    def _check_directories(self, tree: DirectoryTree, now: float, hinted: set[str]) -> None:
        turns = tree.turns
        since = min(max(0.0, now - self._polled_at), self._sweep_seconds)
        share = since / self._sweep_seconds if self._sweep_seconds > 0 else 1.0
        affordable = since * (_HINTED_SWEEP if self.watching == "inotify" else _BLIND_SWEEP)
        end = time.thread_time() + affordable
        least = _LEAST_SWEPT if self._sweep_seconds > 0 else len(turns)
        for number in range(math.ceil(len(turns) * share)):
            if number >= least and time.thread_time() > end:
                break  # the next polls go on
            directory = turns.popleft()
            if not directory.gone:
                tree.check(directory, now, thoroughly=True)
                turns.append(directory)
        for directory in set().union(*(tree.nearest(path) for path in hinted)):
            tree.check(directory, now, thoroughly=True)
        if len(turns) <= _ALL_DIRECTORIES:
            for directory in tuple(turns):
                tree.check(directory, now, thoroughly=False)
            return
        for directory in tuple(tree.warm):
            tree.check(directory, now, thoroughly=False)
            if directory.hot_until < now:
                tree.warm.discard(directory)

    def _discovery(
        self, jobs: Mapping[str, FoundJob], touched: set[str] | None, findings: list[Finding]
    ) -> Discovery:
        before = self._jobs
        ids = before.keys() | jobs.keys() if touched is None else touched
        changed = {i for i in ids if i in jobs and jobs[i] != before.get(i)}
        removed = {i for i in ids if i in before and i not in jobs}
        if changed or removed:
            self._jobs = MappingProxyType(jobs)
        return Discovery(
            self._jobs, frozenset(changed), frozenset(removed), _bounded(tuple(findings))
        )

    def _start_hints(self) -> None:
        tree = self._tree
        unwanted = not self._inotify or self._hints_disabled or self._closed
        if unwanted or self._hints or tree is None:
            return
        trees, alone = self._hinted = tree.watchable()
        self._hints = tuple(
            ChangeHints(
                directories,
                self._patience,
                self._notify,
                recursive=recursive,
                rest_seconds=self._rest_seconds,
            )
            for directories, recursive in ((trees, True), (alone, False))
            if directories
        )

    def _hints_are_stale(self) -> bool:
        """Whether hints must be restarted, for these or other directories."""
        if not self._hints or self._tree is None:
            return False
        if any(hints.should_restart for hints in self._hints):
            now = time.monotonic()
            is_repeated = now < self._restarted_at + 2 * _LONGEST_REST
            longer = min(2 * self._rest_seconds, _LONGEST_REST)
            self._rest_seconds = longer if is_repeated else _FIRST_REST
            self._restarted_at = now
            return True
        return self._hinted != self._tree.watchable()

    def _stop_hints(self) -> None:
        for hints in self._hints:
            hints.stop()
        self._hints = ()

    def _notify(self) -> None:
        with self._changed:
            self._changed.notify_all()

    def _patience(self, change: Change, path: str) -> float | None:
        """How long a change may wait for the next poll. Called from the hints' thread."""
        if recognize(os.path.basename(path)) is not None:
            return self._growth_patience() if change is Change.MODIFIED else 0.0
        if change is Change.ADDED and os.path.isdir(path):
            return 0.0
        tree = self._tree
        if change is Change.DELETED and tree is not None and tree.base.below(path) is not None:
            return 0.0
        return None

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
