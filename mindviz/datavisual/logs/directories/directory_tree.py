"""DirectoryTree: the directories below a base dir and their train jobs."""

from __future__ import annotations

import math
import os
import stat
import time
from collections import deque
from collections.abc import Mapping, Sequence

from mindviz.datavisual.logs.directories.change_hints import UNWATCHED, ChangeHints
from mindviz.datavisual.logs.directories.discovery import FoundJob, joined, readable
from mindviz.datavisual.logs.directories.log_directory import (
    Listing,
    LogDirectory,
    directory_identity,
    directory_stamp,
    kept_listing,
    list_directory,
)
from mindviz.datavisual.logs.directories.log_entry import (
    LogEntry,
    Territory,
    recognize,
    unreadable,
)
from mindviz.datavisual.logs.directories.same_directories import SameDirectories
from mindviz.datavisual.logs.directories.unchanged_job import Known, UnchangedJob
from mindviz.datavisual.logs.log_file import is_gone, is_transient
from mindviz.datavisual.logs.storage.file_system import FileSystem
from mindviz.datavisual.series.findings import Finding, FindingKind

_MOST_PATHS = 16
"""Paths per directory: crossing links could multiply it without end."""


class DirectoryTree:
    """All directories below a base dir, as last seen.

    No method raises for what is on disk; only `check` and `update_jobs` access files.
    """

    def __init__(
        self,
        path: str,
        identity: int,
        files: FileSystem,
        *,
        max_depth: int | None,
        follow_external_links: bool,
        hot_seconds: float,
        known: Known | None = None,
    ) -> None:
        """`path` has no symbolic links."""
        self._known = known
        self._earlier = known
        """None after the first poll."""
        self._files = files
        self._territory = Territory(path, follow_external_links)
        self._max_depth = math.inf if max_depth is None else max_depth
        self._hot_seconds = hot_seconds
        self.same = SameDirectories()
        self._dirty: set[LogDirectory] = set()
        self._undecided: set[LogDirectory] = set()
        """Those with unreadable files that must be read to be recognized."""
        self._irregular: set[LogDirectory] = set()
        """Those that may have a finding outside train jobs."""
        self.base = LogDirectory(path, 0, None, identity)
        self.turns: deque[LogDirectory] = deque()
        """All directories, the least recently checked first; some may be gone."""
        self.warm: set[LogDirectory] = set()
        """Directories with recent changes."""
        self.hints: ChangeHints | None = None
        """Those of all directories that are checked from now on."""
        self.noticed: set[int] = set()
        """Identities of directories with changed logs that hints should have announced."""
        self.jobs: dict[str, FoundJob] = {}
        """Replaced as a whole, so that what was found before can be compared."""
        self._add(self.base)

    @property
    def unsettled(self) -> bool:
        """Whether a transient error hides a part of the tree."""
        return bool(self._undecided) or any(one.unsettled for one in self._irregular)

    def findings(self) -> list[Finding]:
        """Findings that belong to no train job, sorted by path."""
        findings: list[Finding | None] = []
        for directory in self._irregular:
            findings += directory.outside.values()
            if directory.job is None or directory is self.base:
                findings.append(directory.problem)
            if directory.parent is not None and directory.parent.job is None:
                findings.append(directory.misnamed)
        return sorted((f for f in findings if f is not None), key=lambda f: f.path)

    def check(self, directory: LogDirectory, now: float, *, thoroughly: bool) -> bool:
        """Update a directory and add its new subdirectories.

        Checks all entries if the directory's times changed or `thoroughly`, else only the hot ones.
        `now`: monotonic seconds, from before the poll's first check. False if a transient error hid
        changes, or a costly listing was postponed.
        """
        if directory.gone or directory.listed_at == now:
            return True
        is_new = directory.begin_watch(self.hints)
        # Earlier changes are found now: hints are expected of those that are found later.
        is_done = self._check(directory, now, thoroughly=thoroughly or is_new)
        if is_new:
            self.noticed.discard(directory.identity)
        return is_done

    def _check(self, directory: LogDirectory, now: float, *, thoroughly: bool) -> bool:
        try:
            status = self._files.stat(directory.path)
        except OSError as error:
            if is_gone(error) and directory.parent is not None:
                self._forget(directory)
            else:
                self._mark_unreachable(directory, error)
            return not directory.unsettled
        if not self._is_still(directory, status, thoroughly=thoroughly):
            # Replaced, or a link leads elsewhere now.
            if directory.parent is not None:
                self._forget(directory)
                self._list_all(directory.parent, now)
            return True
        stamp = directory_stamp(status)
        if directory.should_be_listed(stamp, now):
            if stamp != directory.stamp:
                directory.stamp, directory.stamp_seen = stamp, time.monotonic()
                self._warm_up(directory, now)
            self._list_all(directory, now)
            return not directory.unsettled
        if thoroughly and not directory.sleeps_on(self._files.stat):
            self._refresh(directory, directory.entries, now, check_links=True)
        elif directory.hot:
            self._refresh(directory, directory.hot, now, check_links=False)
        return stamp == directory.stamp

    def update_jobs(self) -> set[str]:
        """Update `jobs`; the ids of those that changed or are gone."""
        before, touched = self.jobs, set()
        self._earlier = None
        self._dirty |= self._undecided
        self._undecided.clear()
        # At most twice: a job that appears or disappears affects the findings of the job above it.
        while self._dirty:
            dirty, self._dirty = self._dirty, set()
            # First those that are gone, which others may have replaced.
            for directory in sorted(dirty, key=lambda directory: not directory.gone):
                if self._update_job(directory, before):
                    touched.add("./" + directory.shown)
                directory.fall_asleep()
        return touched

    def _update_job(self, directory: LogDirectory, before: Mapping[str, FoundJob]) -> bool:
        job = None if directory.gone else directory.find_job(self._files.stat)
        if not directory.gone and any(e.is_undecided for e in directory.entries):
            self._undecided.add(directory)
        if job is directory.job:
            return False
        if self.jobs is before:
            self.jobs = dict(before)
        if job is not None:
            known = before.get(job.train_id)
            job = self.jobs[job.train_id] = known if known == job else job
        elif directory.job is not None:
            self.jobs.pop(directory.job.train_id, None)
        self._set_job(directory, job)
        return True

    def _set_job(self, directory: LogDirectory, job: FoundJob | None) -> None:
        more = (job is not None) - (directory.job is not None)
        directory.job = job
        self._count_jobs(directory, more)

    def _count_jobs(self, directory: LogDirectory, more: int) -> None:
        """There are so many more jobs in and below a directory."""
        for ancestor in directory.lineage() if more else ():
            ancestor.jobs_below += more
            if ancestor.named_like_log and ancestor.parent is not None:
                self._dirty.add(ancestor.parent)

    def _is_still(
        self, directory: LogDirectory, status: os.stat_result, *, thoroughly: bool
    ) -> bool:
        """Whether its path still leads to the same directory, and may be followed."""
        if not stat.S_ISDIR(status.st_mode) or directory.identity != directory_identity(status):
            return False
        return not (thoroughly and directory.is_link) or self._territory.admits(directory.path)

    def _list_all(self, top: LogDirectory, now: float) -> None:
        """List a directory and all new ones below it."""
        stack = [top]
        while stack:
            directory = stack.pop()
            directory.listed_at = now
            is_new = directory.begin_watch(self.hints)
            started = time.perf_counter()
            try:
                kept = directory.kept_in(self._earlier, "./" + directory.shown)
                listing = None if kept is None else kept_listing(kept)
                listing = listing or list_directory(directory.path, self._files.scandir)
            except OSError as error:
                if is_gone(error) and directory.parent is not None:
                    self._forget(directory)
                else:
                    self._mark_unreachable(directory, error)
                continue
            directory.listing_cost = time.perf_counter() - started
            if directory.problem is not None:
                directory.problem = None
                self._dirty.add(directory)
            directory.is_plain = listing.is_plain
            directory.unsettled = bool(listing.uncertain)
            if listing.uncertain:
                directory.stamp = None  # list it again in the next poll
                self._irregular.add(directory)
            if directory.has_assets != listing.has_assets:
                directory.has_assets = listing.has_assets
                self._dirty.add(directory)
            self._merge_logs(directory, listing, now)
            if directory.depth < self._max_depth:
                if self._earlier is not None and not directory.beyond_link:
                    self._restore(directory, listing, self._earlier)
                stack += self._merge_directories(directory, listing, now)
            if is_new:
                self.noticed.discard(directory.identity)

    def _merge_logs(self, directory: LogDirectory, listing: Listing, now: float) -> None:
        if directory.sleeps_on(self._files.stat, listing):
            return
        entries = {entry.name: entry for entry in directory.entries}
        for name in entries.keys() - listing.logs.keys() - listing.uncertain:
            del entries[name]
            self._dirty.add(directory)
        for name, (log_format, kind, is_link) in listing.logs.items():
            known = entries.get(name)
            if known is None or known.is_link != is_link:
                entries[name] = LogEntry(
                    *(directory.path, directory.shown, name),
                    log_format,
                    kind,
                    is_link=is_link,
                    boundary=self._territory.boundary,
                )
        directory.entries = tuple(entries.values())
        self._refresh(directory, directory.entries, now, check_links=True)

    def _refresh(
        self, directory: LogDirectory, entries: Sequence[LogEntry], now: float, *, check_links: bool
    ) -> None:
        for entry in entries:
            territory = self._territory if check_links else None
            if not entry.refresh(territory, self._files.stat, self._known):
                continue
            entry.hot_until = now + entry.heat(self._hot_seconds)
            if entry.hot_until > now:
                directory.hot_until = max(directory.hot_until, entry.hot_until)
                self.warm.add(directory)
            self._dirty.add(directory)
            if directory.watch != UNWATCHED and not entry.is_link:
                self.noticed.add(directory.identity)
        if any(entry.gone for entry in entries):
            directory.entries = tuple(entry for entry in directory.entries if not entry.gone)
        if check_links:
            directory.hot = tuple(e for e in directory.entries if e.hot_until > now)
            if directory not in self._dirty:
                directory.fall_asleep()

    def _restore(self, parent: LogDirectory, listing: Listing, earlier: Known) -> None:
        """Add the new subdirectories that are as an earlier start left them."""
        children = parent.children
        before, boundary = len(children), self._territory.boundary
        hot_ns = int((time.time() - self._hot_seconds) * 1e9)
        folder, above = parent.path, "./" + (f"{parent.shown}/" if parent.parent else "")
        for name, is_link in listing.directories.items():
            if is_link or name in children:
                continue
            kept = earlier.files_of(train_id := above + readable(name))
            path = joined(folder, name)
            child = kept and parent.child_with(kept, name, path, hot_ns, self._files.stat)
            if kept and child:
                child.job = self.jobs[train_id] = UnchangedJob(train_id, child, kept, boundary)
                children[name] = child
                self._add(child)
                if (child.stamp or 0) >> 64 > hot_ns:
                    self._warm_up(child, child.listed_at)
        parent.subdirectories = children or parent.subdirectories
        self._count_jobs(parent, len(children) - before)

    def _merge_directories(
        self, directory: LogDirectory, listing: Listing, now: float
    ) -> list[LogDirectory]:
        """Remove missing subdirectories and add new ones, which are returned for listing."""
        known = directory.children
        for name, child in list(known.items()):
            if name not in listing.uncertain and listing.directories.get(name) != child.is_link:
                self._forget(child)
        outside: dict[str, Finding] = {}
        entered = []
        folder, above = directory.path, f"{directory.shown}/" if directory.parent else ""
        for name, is_link in listing.directories.items():
            if name not in known:
                names = name, joined(folder, name), above + readable(name)
                new, finding = self._enter(directory, names, now, is_link=is_link)
                if finding is not None:
                    outside[name] = finding
                if new is not None:
                    directory.subdirectories = known
                    known[name] = new
                    self._add(new)
                    if new.problem is None:
                        entered.append(new)
        if outside != directory.outside:
            directory.outside = outside
            self._irregular.add(directory)
        return entered

    def _enter(
        self, parent: LogDirectory, names: tuple[str, str, str], now: float, *, is_link: bool
    ) -> tuple[LogDirectory | None, Finding | None]:
        """The directory with a name, path and readable path in `parent`, or why not.

        Neither if a link leads in a circle.
        """
        name, path, shown = names
        identity, stamp, problem, unsettled = 0, None, None, False
        try:
            status = self._files.stat(path)
        except OSError as error:
            if is_gone(error):
                return None, None
            problem, unsettled = unreadable(shown, error), is_transient(error)
        else:
            identity, stamp = directory_identity(status), directory_stamp(status)
        if is_link:
            if not self._territory.admits(path):
                detail = "It is a link that leads out of the base dir, and was not followed."
                return None, Finding(FindingKind.OUTSIDE, shown, detail=detail)
            if any(directory.identity == identity for directory in parent.lineage()):
                return None, None
            if len(self.same.of(identity)) >= _MOST_PATHS:
                return None, None
        match = recognize(name)
        child = LogDirectory(
            *(name, parent.depth + 1, parent, identity),
            is_link=is_link,
            beyond_link=is_link or parent.beyond_link,
            named_like_log=match is not None and match[1].is_wanted is None,
            problem=problem,
            unsettled=unsettled,
            stamp=stamp,
            stamp_seen=time.monotonic(),
        )
        if problem is not None:
            self._irregular.add(child)
        if stamp is None or time.time() - status.st_mtime < self._hot_seconds:
            self._warm_up(child, now)
        return child, None

    def _add(self, directory: LogDirectory) -> None:
        self.same.add(directory)
        self.turns.append(directory)
        if directory.named_like_log and directory.parent is not None:
            self._irregular.add(directory)
            self._dirty.add(directory.parent)

    def _forget(self, directory: LogDirectory) -> None:
        if directory.parent is not None:
            directory.parent.children.pop(directory.name, None)
            if directory.named_like_log:
                self._dirty.add(directory.parent)
        stack = [directory]
        while stack:
            lost = stack.pop()
            stack += lost.subdirectories.values()
            lost.gone = True
            self.same.remove(lost)
            if self.hints is not None and not self.same.has(lost.identity):
                self.hints.unwatch(lost.watch, lost.identity)
            self._irregular.discard(lost)
            self.warm.discard(lost)
            self._dirty.add(lost)

    def _mark_unreachable(self, directory: LogDirectory, error: OSError) -> None:
        """Record that a directory is unreachable; its contents are kept."""
        problem = unreadable(directory.shown or "./", error)
        directory.stamp = None
        directory.unsettled = is_transient(error)
        self._irregular.add(directory)
        if problem != directory.problem:
            directory.problem = problem
            self._dirty.add(directory)

    def _warm_up(self, directory: LogDirectory, now: float) -> None:
        directory.hot_until = now + self._hot_seconds
        self.warm.add(directory)
