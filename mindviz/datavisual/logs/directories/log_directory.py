"""LogDirectory: one directory below the base dir, and what of it matters to train jobs."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from dataclasses import dataclass, field

from mindviz.datavisual.logs.directories.discovery import FoundJob, readable
from mindviz.datavisual.logs.directories.log_entry import LogEntry, recognise
from mindviz.datavisual.logs.formats import FileKind, LogFormat
from mindviz.datavisual.logs.log_file import is_gone
from mindviz.datavisual.payloads.projector_config import CONFIG
from mindviz.datavisual.series.findings import Finding, FindingKind

_NOT_ENTERED = "profiler"
"""MindSpore's profiler writes to directories whose names begin so; mindviz shows no profiles."""

_SETTLE_SECONDS = 2.0
"""The coarsest clock that file systems stamp directories with. What happens within the same tick
in which a directory was listed does not change its times, so it is listed once more later."""

_RELIST_SECONDS = 120.0
"""How long a directory's times are trusted; some network file systems don't keep them."""

_COSTLY_SECONDS = 0.05
"""A listing that takes longer is not repeated at once ..."""

_COST_SHARE = 0.05
"""... but when it takes up this part of the time at most."""


_MOST_OF_ANYTHING = 100
"""Files whose names say next to nothing. Where there are more, they are some data set."""


@dataclass(slots=True)
class Listing:
    """The names in a directory that matter. Each goes with whether it is a symbolic link."""

    directories: dict[str, bool] = field(default_factory=dict)
    logs: dict[str, tuple[LogFormat, FileKind, bool]] = field(default_factory=dict)
    uncertain: set[str] = field(default_factory=set)
    """Names of which it cannot be told at the moment whether they are directories."""
    all_utf8: bool = True
    """Whether every name is, of whatever else is in it too."""
    has_assets: bool = False
    """Whether a projector configuration is among them."""


def is_utf8(path: str) -> bool:
    """Whether the bytes behind a path of the file system are."""
    try:
        path.encode()
    except UnicodeEncodeError:  # Python keeps other bytes as lone surrogates
        return False
    return True


def _is_directory(entry: os.DirEntry[str]) -> bool | None:
    """Whether an entry is or leads to a directory; None if that cannot be told at the moment."""
    try:
        return entry.is_dir()
    except OSError as error:
        # A link that leads nowhere or in a circle is none. Should it be named like a log, it is one
        # that cannot be read.
        return False if is_gone(error) or error.errno == errno.ELOOP else None


def list_directory(path: str) -> Listing:
    """List a directory. Costs no system call per file, however many there are. Raises OSError."""
    listing = Listing()
    with os.scandir(path) as entries:
        for entry in entries:
            name = entry.name
            if not name.isascii():
                listing.all_utf8 &= is_utf8(name)
            is_directory = _is_directory(entry)
            if is_directory is None:
                listing.uncertain.add(name)
            elif is_directory:
                if not name.startswith(_NOT_ENTERED):
                    listing.directories[name] = entry.is_symlink()
            elif name == CONFIG:
                listing.has_assets = True
            elif (recognised := recognise(name)) is not None:
                listing.logs[name] = (*recognised, entry.is_symlink())
    anything = [name for name, (_, kind, _) in listing.logs.items() if kind.may_be_anything]
    if len(anything) > _MOST_OF_ANYTHING:
        for name in anything:
            del listing.logs[name]
    return listing


@dataclass(slots=True, eq=False)
class LogDirectory:
    """One directory below the base dir, as it was when it was last looked at."""

    path: str
    shown: str
    """Below the base dir, readable; empty for the base dir."""
    depth: int
    parent: LogDirectory | None
    identity: tuple[int, int]
    """Device and inode."""
    is_link: bool = False
    beyond_link: bool = False
    """Whether a link leads to it or to a directory above it."""
    named_like_log: bool = False
    subdirectories: dict[str, LogDirectory] = field(default_factory=dict)
    entries: dict[str, LogEntry] = field(default_factory=dict)
    hot: list[LogEntry] = field(default_factory=list)
    """Those of `entries` that changed lately."""
    outside: dict[str, Finding] = field(default_factory=dict)
    """By name: links to directories that were not followed."""
    all_utf8: bool = True
    """Whether all names in it are."""
    has_assets: bool = False
    """Whether a projector configuration is in it."""
    problem: Finding | None = None
    """Why it could not be listed."""
    unsettled: bool = False
    """Whether an error that may end by itself hides some of what is in it."""
    job: FoundJob | None = None
    jobs_below: int = 0
    """How many train jobs are in and below it."""
    gone: bool = False
    stamp: tuple[int, int] | None = None
    """mtime and ctime in nanoseconds, taken before it was listed; None: list it anyway."""
    stamp_seen: float = 0.0
    """Monotonic seconds at which `stamp` was first seen."""
    listed_at: float = 0.0
    """Monotonic seconds, from before the directory was last listed."""
    listing_cost: float = 0.0
    """Seconds that took."""
    hot_until: float = 0.0
    """Monotonic seconds until which it is looked at on every poll."""

    def child(self, name: str) -> tuple[str, str]:
        """Absolute and readable path of something in it."""
        shown = readable(name)
        return os.path.join(self.path, name), f"{self.shown}/{shown}" if self.shown else shown

    def lineage(self) -> Iterator[LogDirectory]:
        """Itself, its parent, and so on up to the base dir."""
        directory: LogDirectory | None = self
        while directory is not None:
            yield directory
            directory = directory.parent

    def should_be_listed(self, stamp: tuple[int, int], now: float) -> bool:
        """Whether something may have been added or deleted, if its times are `stamp` now."""
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
        """The problem of a directory that has a log's name and holds no logs."""
        if not self.named_like_log or self.jobs_below:
            return None
        return Finding(
            FindingKind.NOT_A_LOG, self.shown, detail="It is named like a log, but is a directory."
        )

    def find_job(self) -> FoundJob | None:
        """The train job that this directory is now; the same object as `job` if nothing changed."""
        entries = self._wanted_entries()
        if not entries:
            return None
        findings = [entry.finding for entry in entries]
        findings += [directory.misnamed for directory in self.subdirectories.values()]
        findings.append(self.problem)
        files = sorted((entry.found for entry in entries if entry.found), key=lambda f: f.path)
        job = FoundJob(
            train_id="./" + self.shown,
            directory=self.path,
            files=tuple(files),
            findings=tuple(sorted((f for f in findings if f), key=lambda f: f.path)),
            has_assets=self.has_assets,
        )
        return self.job if job == self.job else job

    def _wanted_entries(self) -> list[LogEntry]:
        """All entries but those whose name does not decide and whose content says no."""
        entries = list(self.entries.values())
        with_summary = {e.format.name for e in entries if e.kind.name == "summary" and e.found}
        return [
            e
            for e in entries
            if (e.format.name in with_summary and not e.kind.may_be_anything) or e.is_wanted()
        ]
