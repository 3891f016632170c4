"""SummaryWatcher: finds the train jobs below a base dir, and what changed since it last looked.

Polling is the truth. Every poll asks each directory for its times, which tell of new and deleted
entries, and each file that changed lately for its size; growth of the other files is noticed when
their turn comes, within `sweep_seconds`. Hints from the system only say where to look sooner.
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
from mindviz.datavisual.logs.directories.directory_tree import DirectoryTree, Watchable
from mindviz.datavisual.logs.directories.discovery import Discovery, FoundFile, FoundJob
from mindviz.datavisual.logs.directories.log_entry import recognise, unreadable
from mindviz.datavisual.logs.log_file import is_gone, is_transient
from mindviz.datavisual.series.findings import NO_BASE_DIR, Finding, FindingKind

__all__ = ["Discovery", "FoundFile", "FoundJob", "SummaryWatcher"]

_MOST_FINDINGS = 100
_ALL_DIRECTORIES = 10_000
"""Up to so many directories are all asked for their times on each poll."""

_GROWTH_PATIENCE = 0.5
"""Seconds between two early polls that only grown files are the reason for."""

_ECHO_SECONDS = 1.0
"""How long after a poll that followed a hint the next one comes at the latest: what is put into a
new directory before the system watches that, too, is in no hint."""

_FIRST_REST = 1.0
_LONGEST_REST = 60.0
"""Seconds until hints that an error ended start again: twice as many after each error."""


class SummaryWatcher:
    """The train jobs below one base dir.

    `poll` and `wait` belong to one thread; the rest is for any.
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
    ) -> None:
        """Look at `base_dir` and `max_depth` levels of directories below it (None: all).

        What changed within `hot_seconds` is looked at on every poll, the rest in turns, all of it
        within `sweep_seconds`. Nothing is read before the first poll.
        """
        self._base_dir = os.path.abspath(base_dir)
        self._max_depth = max_depth
        self._follow_external_links = follow_external_links
        self._hot_seconds = hot_seconds
        self._sweep_seconds = sweep_seconds
        self._inotify = inotify
        self._tree: DirectoryTree | None = None
        self._hints: tuple[ChangeHints, ...] = ()
        self._hinted = Watchable((), ())
        """What `_hints` are about."""
        self._rest_seconds = _FIRST_REST
        self._restarted_at = -math.inf
        self._hints_held = False
        self._jobs: Mapping[str, FoundJob] = MappingProxyType({})
        self._polled_at = -math.inf
        self._unsettled = False
        self._followed_hint = False
        self._changed = threading.Condition()
        self._woken = False
        self._closed = False

    @property
    def watching(self) -> str:
        """`inotify` while the system announces changes, else `polling`."""
        hints = self._hints
        return "inotify" if hints and all(hint.working for hint in hints) else "polling"

    @property
    def unsettled(self) -> bool:
        """Whether an error that may end by itself hid some of what is there from the last poll."""
        return self._unsettled

    def poll(self) -> Discovery:
        """Look for changes. Never raises for what is on disk: that is in the findings."""
        now = time.monotonic()
        hinted = set().union(*(hints.take() for hints in self._hints))
        self._followed_hint = bool(hinted)
        tree, problem, self._unsettled = self._tree_now()
        touched: set[str] | None = None
        findings = [] if problem is None else [problem]
        if tree is not None:
            is_new = tree is not self._tree
            if problem is None:
                self._look_around(tree, now, hinted)
            touched = tree.update_jobs()
            self._unsettled |= tree.unsettled
            findings += [f for f in tree.findings() if f != problem]
            if not is_new:
                for hints in self._hints:
                    hints.expected(tree.noticed, self._polled_at)
            tree.noticed.clear()
            if is_new:
                touched = None
        if tree is not self._tree or self._hints_are_astray():
            self._tree = tree
            self._stop_hints()  # they start again in the next wait, where they should be
        self._polled_at = now
        return self._discovery({} if tree is None else tree.jobs, touched, findings)

    def wait(self, timeout: float) -> None:
        """Wait `timeout` seconds, or less: until a hint says that it is time to poll, or `wake`.

        After a poll that followed a hint it is a second at most.
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
        """Don't ask the system for changes until `want_hints`.

        It tells of each file that is opened, too: while thousands are read for the first time, that
        takes longer than reading them.
        """
        self._hints_held = True

    def want_hints(self) -> None:
        """Ask the system for changes from now on."""
        with self._changed:
            self._hints_held = False
            self._changed.notify_all()

    def wake(self) -> None:
        """End the present or the next `wait`."""
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
            one.join(2.0)

    def _tree_now(self) -> tuple[DirectoryTree | None, Finding | None, bool]:
        """The tree of what the base dir is now, what is wrong with it, and if that may end."""
        try:
            status = os.stat(self._base_dir)
            if not stat.S_ISDIR(status.st_mode):
                detail = "The base dir is no directory; waiting for one."
                return None, Finding(FindingKind.UNREADABLE, "./", detail=detail), False
            identity = status.st_dev, status.st_ino
            if self._tree is not None and self._tree.base.identity == identity:
                return self._tree, None, False
            real_path = os.path.realpath(self._base_dir, strict=True)
        except OSError as error:
            if is_gone(error):
                return None, Finding(FindingKind.UNREADABLE, "./", detail=NO_BASE_DIR), False
            # It may be a matter of moments: what is known is kept.
            return self._tree, unreadable("./", error), is_transient(error)
        tree = DirectoryTree(
            real_path,
            identity,
            max_depth=self._max_depth,
            follow_external_links=self._follow_external_links,
            hot_seconds=self._hot_seconds,
        )
        return tree, None, False

    def _look_around(self, tree: DirectoryTree, now: float, hinted: set[str]) -> None:
        turns = tree.turns
        since = min(max(0.0, now - self._polled_at), self._sweep_seconds)
        share = since / self._sweep_seconds if self._sweep_seconds > 0 else 1.0
        for _ in range(math.ceil(len(turns) * share)):
            directory = turns.popleft()
            if not directory.gone:
                tree.look(directory, now, thoroughly=True)
                turns.append(directory)
        for directory in set().union(*(tree.nearest(path) for path in hinted)):
            tree.look(directory, now, thoroughly=True)
        if len(turns) <= _ALL_DIRECTORIES:
            for directory in tuple(turns):
                tree.look(directory, now, thoroughly=False)
            return
        for directory in tuple(tree.warm):
            tree.look(directory, now, thoroughly=False)
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
            # A job whose directory was replaced by an equal one keeps its object.
            now = {i: job if i in changed else before[i] for i, job in jobs.items()}
            self._jobs = MappingProxyType(now)
        return Discovery(
            self._jobs, frozenset(changed), frozenset(removed), _bounded(tuple(findings))
        )

    def _start_hints(self) -> None:
        tree = self._tree
        unwanted = not self._inotify or self._hints_held or self._closed
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

    def _hints_are_astray(self) -> bool:
        """Whether other directories should be watched than are, or the same ones once more."""
        if not self._hints or self._tree is None:
            return False
        if any(hints.worth_another_try for hints in self._hints):
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
        if recognise(os.path.basename(path)) is not None:
            return _GROWTH_PATIENCE if change is Change.MODIFIED else 0.0
        if change is Change.ADDED and os.path.isdir(path):
            return 0.0
        tree = self._tree
        if change is Change.DELETED and tree is not None and path in tree.directories:
            return 0.0
        return None


def _bounded(findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    if len(findings) <= _MOST_FINDINGS:
        return findings
    rest = len(findings) - _MOST_FINDINGS
    last = Finding(FindingKind.UNREADABLE, "./", detail=f"{rest} further problems are not listed.")
    return (*findings[:_MOST_FINDINGS], last)
