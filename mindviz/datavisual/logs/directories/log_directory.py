"""LogDirectory: one directory below the base dir, as far as it matters to train jobs."""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from mindviz.datavisual.logs.directories.change_hints import UNWATCHED, ChangeHints
from mindviz.datavisual.logs.directories.discovery import (
    ExaminedJob,
    FoundJob,
    joined,
    readable,
)
from mindviz.datavisual.logs.directories.log_entry import LogEntry, recognize
from mindviz.datavisual.logs.directories.unchanged_job import (
    KeptFiles,
    Known,
    StatFile,
    are_unchanged,
)
from mindviz.datavisual.logs.formats import FileKind, LogFormat
from mindviz.datavisual.logs.log_file import is_gone
from mindviz.datavisual.logs.storage.file_system import Entry
from mindviz.datavisual.payloads.projector_config import CONFIG
from mindviz.datavisual.series.findings import Finding, FindingKind

ScanDir = Callable[[str], AbstractContextManager[Iterator[Entry]]]

_NOT_ENTERED = "profiler"
"""Prefix of the output directories of MindSpore's profiler, which mindviz does not show."""

_SETTLE_SECONDS = 2.0
"""The coarsest time stamps of file systems. A change within the same tick as a listing does not
change the directory's times, so it is listed once more later."""

_LASTING_SECONDS = 60.0
"""Age of a directory's times with which they tell the next start that nothing was added. Longer
than above, since the clock of a file server may differ."""

_CTIME = (1 << 64) - 1

_RELIST_SECONDS = 120.0
"""How long a directory's times are trusted; some network file systems don't keep them."""

_COSTLY_SECONDS = 0.05
"""A listing that takes longer is not repeated at once ..."""

_COST_SHARE = 0.05
"""... but when it takes at most this share of the time."""


_MOST_OF_ANYTHING = 100
"""Files that need their content to be recognized. With more, the directory is some data set."""


@dataclass(slots=True)
class Listing:
    """The relevant names in a directory, with whether each is a symbolic link."""

    directories: dict[str, bool] = field(default_factory=dict)
    logs: dict[str, tuple[LogFormat, FileKind, bool]] = field(default_factory=dict)
    uncertain: set[str] = field(default_factory=set)
    """Names that may be directories; a transient error hides it."""
    has_assets: bool = False
    """Whether there is a projector configuration."""

    @property
    def is_plain(self) -> bool:
        """Whether it has nothing but logs, as far as it matters."""
        return not (self.directories or self.uncertain or self.has_assets) and not any(
            is_link for _, _, is_link in self.logs.values()
        )


def _is_directory(entry: Entry) -> bool | None:
    """Whether an entry is or leads to a directory; None if a transient error hides it."""
    try:
        return entry.is_dir()
    except OSError as error:
        # A dangling or circular link. If it is named like a log, it is reported as unreadable.
        return False if is_gone(error) or error.errno == errno.ELOOP else None


def list_directory(path: str, scandir: ScanDir = os.scandir) -> Listing:
    """List a directory, without a system call per file. Raises OSError."""
    listing = Listing()
    with scandir(path) as entries:
        for entry in entries:
            name = entry.name
            is_directory = _is_directory(entry)
            if is_directory is None:
                listing.uncertain.add(name)
            elif is_directory:
                if not name.startswith(_NOT_ENTERED):
                    listing.directories[name] = entry.is_symlink()
            elif name == CONFIG:
                listing.has_assets = True
            elif (match := recognize(name)) is not None:
                listing.logs[name] = (*match, entry.is_symlink())
    anything = [name for name, (_, kind, _) in listing.logs.items() if kind.may_be_anything]
    if len(anything) > _MOST_OF_ANYTHING:
        for name in anything:
            del listing.logs[name]
    return listing


def kept_listing(kept: KeptFiles) -> Listing | None:
    """The listing of a directory that had only these files."""
    names = [name for name, _ in kept.logs]
    logs = {name: (*match, False) for name in names if (match := recognize(name)) is not None}
    return Listing(logs=logs) if len(logs) == len(names) else None


def directory_identity(status: os.stat_result) -> int:
    """Device and inode as one number, which takes a third of a tuple's memory."""
    return status.st_dev << 64 | status.st_ino


def directory_stamp(status: os.stat_result) -> int:
    """Mtime and ctime in ns as one number."""
    return (status.st_mtime_ns << 64) + status.st_ctime_ns


_NOTHING: Mapping[str, Any] = MappingProxyType({})


def _nothing() -> Mapping[str, Any]:
    return _NOTHING


@dataclass(slots=True, eq=False)
class LogDirectory:
    """One directory below the base dir, as last seen."""

    name: str
    """In its parent; the path of the base dir."""
    depth: int
    parent: LogDirectory | None
    identity: int
    """Device and inode, as `directory_identity`."""
    watch: int = UNWATCHED
    """As from `ChangeHints.watch`."""
    is_link: bool = False
    beyond_link: bool = False
    """Whether it or an ancestor is reached by a link."""
    named_like_log: bool = False
    subdirectories: Mapping[str, LogDirectory] = field(default_factory=_nothing)
    """By name; a dict if there are any."""
    entries: Sequence[LogEntry] = ()
    """Files that are named like logs. A dict for each of 100,000 directories takes 18 MB."""
    hot: Sequence[LogEntry] = ()
    """Recently changed `entries`."""
    is_asleep: bool = False
    """Whether it has no `entries`, because they follow from `job`."""
    outside: Mapping[str, Finding] = field(default_factory=_nothing)
    """By name: links out of the base dir."""
    is_plain: bool = False
    """As in `Listing`."""
    has_assets: bool = False
    """Whether it has a projector configuration."""
    problem: Finding | None = None
    """Why it could not be listed."""
    unsettled: bool = False
    """Whether a transient error hides a part of it."""
    job: FoundJob | None = None
    jobs_below: int = 0
    """Number of train jobs in and below it."""
    gone: bool = False
    stamp: int | None = None
    """mtime and ctime, as `directory_stamp`, from before the listing; None forces a listing."""
    stamp_seen: float = 0.0
    """Monotonic seconds at which `stamp` was first seen."""
    listed_at: float = 0.0
    """Monotonic seconds, from before the directory was last listed."""
    listing_cost: float = 0.0
    """Seconds that the listing took."""
    hot_until: float = 0.0
    """Monotonic seconds until which it is checked on every poll."""

    @property
    def path(self) -> str:
        """Absolute, for system calls. Of 100,000 directories, paths take 20 MB."""
        base, *names = self._names()
        return joined(base, "/".join(names)) if names else base

    @property
    def shown(self) -> str:
        """Below the base dir, readable; empty for the base dir."""
        return "/".join(map(readable, self._names()[1:]))

    @property
    def children(self) -> dict[str, LogDirectory]:
        """The `subdirectories` themselves, or a new dict while there are none."""
        return self.subdirectories if isinstance(self.subdirectories, dict) else {}

    def _names(self) -> Sequence[str]:
        # Without recursion, which directories may exceed.
        return [directory.name for directory in self.lineage()][::-1]

    def fall_asleep(self) -> None:
        """Free the entries, if they follow from the job."""
        job = self.job
        if job is None or not self.is_plain or self.hot or job.findings or self.problem:
            return
        entries = sorted(self.entries, key=lambda entry: entry.path)
        sure = [e.found for e in entries if not (e.finding or e.is_undecided)]
        if entries and len(sure) == len(entries) and sure == list(job.files):
            self.entries, self.is_asleep = (), True

    def kept_in(self, known: Known | None, train_id: str) -> KeptFiles | None:
        """All its files, if no entries were added or deleted since an earlier start."""
        if known is None or self.stamp is None or self.beyond_link:
            return None
        kept = known.files_of(train_id)
        return kept if kept is not None and kept.are_all_in(self.identity, self.stamp) else None

    def child_with(
        self, kept: KeptFiles, name: str, path: str, hot_ns: int, stat: StatFile
    ) -> LogDirectory | None:
        """A new subdirectory, if it is as an earlier start left it and no log is newer."""
        status = kept.unchanged_at(path, stat, hot_ns)
        if status is None:
            return None
        child = LogDirectory(name, self.depth + 1, self, directory_identity(status))
        child.is_asleep = child.is_plain = True
        child.stamp, child.jobs_below = directory_stamp(status), 1
        child.listed_at = self.listed_at
        return child

    def sleeps_on(self, stat: StatFile, listing: Listing | None = None) -> bool:
        """Whether it is asleep and its files have not changed; else it wakes up.

        With a `listing`, whether it has other files, too.
        """
        job = self.job
        if job is None or not self.is_asleep:
            return False
        names = {name for name, _ in job.logs}
        is_same = listing is None or (listing.is_plain and listing.logs.keys() == names)
        if is_same and are_unchanged(self.path, job.logs, stat):
            return True
        self.wake_up()
        return False

    def wake_up(self) -> None:
        """Create the entries again."""
        if self.is_asleep and self.job is not None:
            self.is_asleep = False
            self.entries = tuple(map(LogEntry.of, self.job.files))

    def lineage(self) -> Iterator[LogDirectory]:
        """Itself and its ancestors up to the base dir."""
        directory: LogDirectory | None = self
        while directory is not None:
            yield directory
            directory = directory.parent

    def begin_watch(self, hints: ChangeHints | None) -> bool:
        """Watch it before it is read, so that no change is lost; whether it was not watched."""
        if hints is None or hints.watches(self.watch):
            return False
        self.watch = hints.watch(self.path, self.identity)
        return self.watch != UNWATCHED

    def should_be_listed(self, stamp: int, now: float) -> bool:
        """Whether entries may have been added or deleted, given its times are `stamp` now."""
        if (
            stamp == self.stamp
            and self.listed_at - self.stamp_seen >= _SETTLE_SECONDS
            and now - self.listed_at < _RELIST_SECONDS
        ):
            return False
        cost = self.listing_cost
        return cost < _COSTLY_SECONDS or now > self.listed_at + cost / _COST_SHARE

    @property
    def misnamed(self) -> Finding | None:
        """The finding of a directory that is named like a log and holds no logs."""
        if not self.named_like_log or self.jobs_below:
            return None
        return Finding(
            FindingKind.NOT_A_LOG, self.shown, detail="It is named like a log, but is a directory."
        )

    def find_job(self, stat: StatFile = os.stat) -> FoundJob | None:
        """The train job that this directory is now; the same object as `job` if unchanged."""
        self.wake_up()
        entries = self._wanted_entries()
        if not entries and not self.has_assets:
            return None
        findings = [entry.finding for entry in entries]
        findings += [directory.misnamed for directory in self.subdirectories.values()]
        findings.append(self.problem)
        files = [entry.found for entry in entries if entry.found]
        if len(files) > 1:
            files.sort(key=lambda file: file.path)
        job = ExaminedJob(
            train_id="./" + self.shown,
            directory=files[0].folder if files else self.path,
            files=tuple(files),
            findings=tuple(sorted((f for f in findings if f), key=lambda f: f.path)),
            has_assets=self.has_assets,
            assets_time=0.0 if files or not self.has_assets else self._assets_time(stat),
            identity=self.identity,
            stamp=self._lasting_stamp() if len(files) == len(self.entries) else None,
        )
        return self.job if job == self.job else job

    def _lasting_stamp(self) -> int | None:
        """The stamp, if no later change can leave it as it is, and it is plain."""
        if self.stamp is None or not self.is_plain or self.beyond_link or self.named_like_log:
            return None
        changed_ns = max(self.stamp >> 64, self.stamp & _CTIME)
        return self.stamp if time.time() - changed_ns / 1e9 > _LASTING_SECONDS else None

    def _assets_time(self, stat: StatFile) -> float:
        try:
            return stat(os.path.join(self.path, CONFIG)).st_mtime
        except OSError:
            return 0.0

    def _wanted_entries(self) -> list[LogEntry]:
        """All entries but those whose content shows that they are no logs."""
        entries = self.entries
        with_summary = {e.format.name for e in entries if e.kind.name == "summary" and e.found}
        return [
            e
            for e in entries
            if (e.format.name in with_summary and not e.kind.may_be_anything) or e.is_wanted()
        ]
