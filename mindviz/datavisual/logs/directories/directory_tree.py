"""DirectoryTree: the directories below a base dir, and the train jobs that they are."""

from __future__ import annotations

import math
import os
import stat
import time
from collections import deque
from typing import NamedTuple

from mindviz.datavisual.logs.directories.discovery import FoundJob
from mindviz.datavisual.logs.directories.log_directory import (
    Listing,
    LogDirectory,
    is_utf8,
    list_directory,
)
from mindviz.datavisual.logs.directories.log_entry import (
    LogEntry,
    Territory,
    recognise,
    unreadable,
)
from mindviz.datavisual.logs.log_file import is_gone, is_transient
from mindviz.datavisual.series.findings import Finding, FindingKind

_MOST_PATHS = 16
"""Under how many paths one directory is shown: links that cross could multiply it without end."""


class Watchable(NamedTuple):
    """Absolute paths of directories that the system can tell changes of."""

    trees: tuple[str, ...]
    """Those watched with all that is below them."""
    alone: tuple[str, ...]
    """Those watched without what is below them."""


class DirectoryTree:
    """All directories below a base dir, as they were when last looked at.

    Nothing here raises for what is on disk, and nothing looks at the disk unasked.
    """

    def __init__(
        self,
        path: str,
        identity: tuple[int, int],
        *,
        max_depth: int | None,
        follow_external_links: bool,
        hot_seconds: float,
    ) -> None:
        """A tree at `path` (without symbolic links), which has the device and inode `identity`."""
        self._territory = Territory(path, follow_external_links)
        self._max_depth = math.inf if max_depth is None else max_depth
        self._hot_seconds = hot_seconds
        self._alike: dict[tuple[int, int], set[LogDirectory]] = {}
        """By device and inode: several if links lead to one directory."""
        self._dirty: set[LogDirectory] = set()
        self._undecided: set[LogDirectory] = set()
        """Those with files whose content decides, and could not be read."""
        self._troubled: set[LogDirectory] = set()
        """Those that may have a finding which belongs to no train job, or a name in no UTF-8."""
        self.base = LogDirectory(path, "", 0, None, identity)
        self.directories: dict[str, LogDirectory] = {}
        """By absolute path."""
        self.turns: deque[LogDirectory] = deque()
        """All directories, the one looked at thoroughly least lately first; some may be gone."""
        self.warm: set[LogDirectory] = set()
        """Those where something changed lately."""
        self.noticed: list[str] = []
        """Paths of logs that changed, where hints should tell of it under the same path."""
        self.jobs: dict[str, FoundJob] = {}
        self._add(self.base)

    @property
    def unsettled(self) -> bool:
        """Whether an error that may end by itself hides some of what is there."""
        return bool(self._undecided) or any(one.unsettled for one in self._troubled)

    def watchable(self) -> Watchable:
        """What watchfiles can watch: whole trees where possible, else directory by directory.

        In a tree it follows every link, and one that leads out may lead to the root of the file
        system. A name that is not UTF-8 ends it. So a directory with such a link or name, and those
        above it, are watched alone.
        """
        alone = {
            ancestor
            for directory in self._troubled
            if directory.outside or not directory.all_utf8
            for ancestor in directory.lineage()
        }
        if not alone:
            return Watchable((self.base.path,), ())
        trees = (
            child.path
            for directory in alone
            for child in directory.subdirectories.values()
            if child not in alone and not child.is_link
        )
        return Watchable(
            tuple(sorted(filter(is_utf8, trees))),
            tuple(sorted(directory.path for directory in alone if is_utf8(directory.path))),
        )

    def findings(self) -> list[Finding]:
        """What is wrong in places that belong to no train job, sorted by path."""
        findings: list[Finding | None] = []
        for directory in self._troubled:
            findings += directory.outside.values()
            if directory.job is None or directory is self.base:
                findings.append(directory.problem)
            if directory.parent is not None and directory.parent.job is None:
                findings.append(directory.misnamed)
        return sorted((f for f in findings if f is not None), key=lambda f: f.path)

    def nearest(self, path: str) -> set[LogDirectory]:
        """Where to look for a change of `path`: the directory itself, or the one that holds it.

        If links lead there too, all the paths it has: the system tells of one of them only.
        """
        while path not in self.directories:
            parent = os.path.dirname(path)
            if parent == path:
                return set()
            path = parent
        return set(self._alike[self.directories[path].identity])

    def look(self, directory: LogDirectory, now: float, *, thoroughly: bool) -> None:
        """See what changed in a directory; new ones in it are entered at once.

        Entries are looked at if the directory's times changed, else only the hot ones, or, if
        `thoroughly`, all of them. `now`: monotonic seconds, from before the poll's first look.
        """
        if directory.gone or directory.listed_at == now:
            return
        try:
            status = os.stat(directory.path)
        except OSError as error:
            if is_gone(error) and directory.parent is not None:
                self._forget(directory)
            else:
                self._trouble(directory, error)
            return
        if not self._is_still(directory, status, thoroughly=thoroughly):
            # Another entry has taken its place, or its name leads elsewhere now.
            if directory.parent is not None:
                self._forget(directory)
                self._list_all(directory.parent, now)
            return
        stamp = (status.st_mtime_ns, status.st_ctime_ns)
        if directory.should_be_listed(stamp, now):
            if stamp != directory.stamp:
                directory.stamp, directory.stamp_seen = stamp, time.monotonic()
                self._warm_up(directory, now)
            self._list_all(directory, now)
        elif thoroughly:
            self._refresh(directory, list(directory.entries.values()), now, check_links=True)
        elif directory.hot:
            self._refresh(directory, directory.hot, now, check_links=False)

    def update_jobs(self) -> set[str]:
        """Bring `jobs` up to date with what was seen; the ids of those that changed or are gone."""
        touched: set[str] = set()
        self._dirty |= self._undecided
        self._undecided.clear()
        # Twice at most: a job that appears or goes may make a directory's name (no) problem of
        # the job above it.
        while self._dirty:
            dirty, self._dirty = self._dirty, set()
            for directory in dirty:
                if self._update_job(directory):
                    touched.add("./" + directory.shown)
        return touched

    def _update_job(self, directory: LogDirectory) -> bool:
        job = None if directory.gone else directory.find_job()
        if not directory.gone and any(e.is_undecided for e in directory.entries.values()):
            self._undecided.add(directory)
        before = directory.job
        if job is before:
            return False
        directory.job = job
        if job is not None:
            self.jobs[job.train_id] = job
        elif before is not None and self.jobs.get(before.train_id) is before:
            # Else another directory has taken its place, and has been here already.
            del self.jobs[before.train_id]
        more = (job is not None) - (before is not None)
        if more:
            for ancestor in directory.lineage():
                ancestor.jobs_below += more
                if ancestor.named_like_log and ancestor.parent is not None:
                    self._dirty.add(ancestor.parent)
        return True

    def _is_still(
        self, directory: LogDirectory, status: os.stat_result, *, thoroughly: bool
    ) -> bool:
        """Whether its path leads to the same directory as before, and may be followed."""
        if not stat.S_ISDIR(status.st_mode) or directory.identity != _identity(status):
            return False
        return not (thoroughly and directory.is_link) or self._territory.admits(directory.path)

    def _list_all(self, top: LogDirectory, now: float) -> None:
        """List a directory, and whatever new ones are found below it."""
        stack = [top]
        while stack:
            directory = stack.pop()
            directory.listed_at = now
            started = time.perf_counter()
            try:
                listing = list_directory(directory.path)
            except OSError as error:
                if is_gone(error) and directory.parent is not None:
                    self._forget(directory)
                else:
                    self._trouble(directory, error)
                continue
            directory.listing_cost = time.perf_counter() - started
            if directory.problem is not None:
                directory.problem = None
                self._dirty.add(directory)
            directory.all_utf8 = listing.all_utf8
            directory.unsettled = bool(listing.uncertain)
            if listing.uncertain:
                directory.stamp = None  # list it again in the next poll
            if not listing.all_utf8 or listing.uncertain:
                self._troubled.add(directory)
            if directory.has_assets != listing.has_assets:
                directory.has_assets = listing.has_assets
                self._dirty.add(directory)
            self._merge_logs(directory, listing, now)
            if directory.depth < self._max_depth:
                stack += self._merge_directories(directory, listing, now)

    def _merge_logs(self, directory: LogDirectory, listing: Listing, now: float) -> None:
        entries = directory.entries
        for name in entries.keys() - listing.logs.keys() - listing.uncertain:
            del entries[name]
            self._dirty.add(directory)
        for name, (log_format, kind, is_link) in listing.logs.items():
            known = entries.get(name)
            if known is None or known.is_link != is_link:
                path, shown = directory.child(name)
                entries[name] = LogEntry(
                    path,
                    shown,
                    log_format,
                    kind,
                    is_link=is_link,
                    boundary=self._territory.boundary,
                )
        self._refresh(directory, list(entries.values()), now, check_links=True)

    def _refresh(
        self, directory: LogDirectory, entries: list[LogEntry], now: float, *, check_links: bool
    ) -> None:
        for entry in entries:
            if not entry.refresh(self._territory if check_links else None):
                continue
            if entry.gone:
                directory.entries.pop(entry.name, None)
            entry.hot_until = now + self._heat(entry)
            directory.hot_until = max(directory.hot_until, entry.hot_until)
            self.warm.add(directory)
            self._dirty.add(directory)
            if len(self._alike[directory.identity]) == 1 and not directory.beyond_link:
                self.noticed.append(entry.path)
        if check_links:
            directory.hot = [e for e in directory.entries.values() if e.hot_until > now]

    def _heat(self, entry: LogEntry) -> float:
        """For how many seconds an entry that changed is worth a look on every poll."""
        if entry.found is None:
            return self._hot_seconds
        # Clocks of file servers may go differently; a time in the future counts as now.
        age = max(0.0, time.time() - entry.found.identity.mtime_ns / 1e9)
        return self._hot_seconds - age

    def _merge_directories(
        self, directory: LogDirectory, listing: Listing, now: float
    ) -> list[LogDirectory]:
        """Forget what is gone, enter what is new; the new ones, which nobody has listed yet."""
        known = directory.subdirectories
        for name, child in list(known.items()):
            if name not in listing.uncertain and listing.directories.get(name) != child.is_link:
                self._forget(child)
        outside: dict[str, Finding] = {}
        entered = []
        for name, is_link in listing.directories.items():
            if name not in known:
                new, finding = self._enter(directory, name, now, is_link=is_link)
                if finding is not None:
                    outside[name] = finding
                if new is not None:
                    known[name] = new
                    self._add(new)
                    if new.problem is None:
                        entered.append(new)
        if outside != directory.outside:
            directory.outside = outside
            self._troubled.add(directory)
        return entered

    def _enter(
        self, parent: LogDirectory, name: str, now: float, *, is_link: bool
    ) -> tuple[LogDirectory | None, Finding | None]:
        """The directory `name` in `parent`, or why not; neither if a link leads in a circle."""
        path, shown = parent.child(name)
        identity, stamp, problem, unsettled = (0, 0), None, None, False
        try:
            status = os.stat(path)
        except OSError as error:
            if is_gone(error):
                return None, None
            problem, unsettled = unreadable(shown, error), is_transient(error)
        else:
            identity, stamp = _identity(status), (status.st_mtime_ns, status.st_ctime_ns)
        if is_link:
            if not self._territory.admits(path):
                detail = "It is a link that leads out of the base dir, and was not followed."
                return None, Finding(FindingKind.OUTSIDE, shown, detail=detail)
            if any(directory.identity == identity for directory in parent.lineage()):
                return None, None
            if len(self._alike.get(identity, ())) >= _MOST_PATHS:
                return None, None
        recognised = recognise(name)
        child = LogDirectory(
            path,
            shown,
            parent.depth + 1,
            parent,
            identity,
            is_link=is_link,
            beyond_link=is_link or parent.beyond_link,
            named_like_log=recognised is not None and recognised[1].is_wanted is None,
            problem=problem,
            unsettled=unsettled,
            stamp=stamp,
            stamp_seen=time.monotonic(),
        )
        if problem is not None:
            self._troubled.add(child)
        self._warm_up(child, now)
        return child, None

    def _add(self, directory: LogDirectory) -> None:
        self.directories[directory.path] = directory
        self._alike.setdefault(directory.identity, set()).add(directory)
        self.turns.append(directory)
        if directory.named_like_log and directory.parent is not None:
            self._troubled.add(directory)
            self._dirty.add(directory.parent)

    def _forget(self, directory: LogDirectory) -> None:
        """Take a directory and all below it out of the tree."""
        if directory.parent is not None:
            directory.parent.subdirectories.pop(os.path.basename(directory.path), None)
            if directory.named_like_log:
                self._dirty.add(directory.parent)
        stack = [directory]
        while stack:
            lost = stack.pop()
            stack += lost.subdirectories.values()
            lost.gone = True
            del self.directories[lost.path]
            self._alike[lost.identity].discard(lost)
            if not self._alike[lost.identity]:
                del self._alike[lost.identity]
            self._troubled.discard(lost)
            self.warm.discard(lost)
            self._dirty.add(lost)

    def _trouble(self, directory: LogDirectory, error: OSError) -> None:
        """Note that a directory cannot be reached; what was found in it before is kept."""
        problem = unreadable(directory.shown or "./", error)
        directory.stamp = None
        directory.unsettled = is_transient(error)
        self._troubled.add(directory)
        if problem != directory.problem:
            directory.problem = problem
            self._dirty.add(directory)

    def _warm_up(self, directory: LogDirectory, now: float) -> None:
        directory.hot_until = now + self._hot_seconds
        self.warm.add(directory)


def _identity(status: os.stat_result) -> tuple[int, int]:
    return status.st_dev, status.st_ino
