"""Inspection: the content of a log directory, read once; also the schema of its JSON."""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from typing import Any

from mindviz import __version__
from mindviz.cli.loading import load_all
from mindviz.config import Config
from mindviz.datavisual.logs.directories.discovery import readable
from mindviz.datavisual.logs.log_store import LogStore
from mindviz.datavisual.series.findings import Finding
from mindviz.datavisual.series.time_series import SCALAR_PLUGIN
from mindviz.datavisual.store import LogFileInfo, Store, TrainJobInfo
from mindviz.gc_control import gc_paused


@dataclass(frozen=True, slots=True)
class InspectedTag:
    """One series of a train job."""

    tag: str
    points: int
    """Includes points that a restart replaced."""
    first_step: int | None
    """Smallest; None if no point is readable."""
    last_step: int | None


@dataclass(frozen=True, slots=True)
class InspectedTrainJob:
    """One train job."""

    train_id: str
    display_name: str
    formats: tuple[str, ...]
    bytes: int
    records: int
    points: int
    """In all plugins."""
    files: tuple[LogFileInfo, ...]
    plugins: Mapping[str, tuple[InspectedTag, ...]]
    """plugin_name -> series, sorted by tag."""
    problems: tuple[Finding, ...]
    """Problems of the job that belong to none of its files."""

    @property
    def all_problems(self) -> tuple[Finding, ...]:
        """Problems of the job and of its files."""
        return (*(problem for file in self.files for problem in file.problems), *self.problems)


@dataclass(frozen=True, slots=True)
class Inspection:
    """A base dir."""

    mindviz_version: str
    summary_base_dir: str
    load_seconds: float
    """Wall clock time of discovery and loading."""
    peak_rss_bytes: int
    """Peak resident memory of this process after loading."""
    scanner: str
    """`native` or `python`."""
    checksum: str
    """`always` or `lazy`."""
    files: int
    bytes: int
    records: int
    points: int
    """In all plugins."""
    problem_count: int
    """Including those of train jobs and files."""
    problems: tuple[Finding, ...]
    """Problems of the base dir itself."""
    train_jobs: tuple[InspectedTrainJob, ...]
    """Sorted by train_id."""

    @property
    def scalar_points(self) -> int:
        """What other commands call points."""
        of_jobs = (job.plugins.get(SCALAR_PLUGIN, ()) for job in self.train_jobs)
        return sum(tag.points for tags in of_jobs for tag in tags)

    def as_json(self) -> dict[str, Any]:
        """Dictionaries and lists, field by field."""
        plain: dict[str, Any] = _plain(self)
        return plain


def _plain(value: Any) -> Any:
    """Like `dataclasses.asdict`, but ten times faster for a million tags."""
    if isinstance(value, InspectedTag):
        return {
            "tag": value.tag,
            "points": value.points,
            "first_step": value.first_step,
            "last_step": value.last_step,
        }
    if is_dataclass(value):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {key: _plain(content) for key, content in value.items()}
    if isinstance(value, tuple):
        return [_plain(content) for content in value]
    return value


@gc_paused()  # all objects live until they are printed
def inspect_logs(config: Config, *, native: bool) -> Inspection:
    """Load and inspect all logs in the base dir."""
    store = LogStore(config, scanner=None if native else "python")
    started = time.perf_counter()
    load_all(store)
    load_seconds = time.perf_counter() - started
    peak = peak_rss_bytes()
    status = store.status()
    infos = sorted(store.list_train_jobs(), key=lambda info: info.train_id)
    jobs = tuple(_inspect_job(store, info) for info in infos)
    return Inspection(
        mindviz_version=__version__,
        summary_base_dir=readable(str(config.summary_base_dir)),
        load_seconds=round(load_seconds, 6),
        peak_rss_bytes=peak,
        scanner=status.scanner,
        checksum=config.checksum,
        files=status.files,
        bytes=status.bytes,
        records=sum(job.records for job in jobs),
        points=sum(job.points for job in jobs),
        problem_count=len(status.problems) + sum(len(job.all_problems) for job in jobs),
        problems=status.problems,
        train_jobs=jobs,
    )


def _inspect_job(store: Store, info: TrainJobInfo) -> InspectedTrainJob:
    files = tuple(store.log_files(info.train_id))
    plugins = {
        name: tuple(_tags(store, info.train_id, name, tags))
        for name, tags in sorted(store.list_tags(info.train_id).items())
    }
    in_files = {problem for file in files for problem in file.problems}
    return InspectedTrainJob(
        train_id=info.train_id,
        display_name=info.display_name,
        formats=info.formats,
        bytes=info.bytes,
        records=sum(file.records for file in files),
        points=sum(tag.points for tags in plugins.values() for tag in tags),
        files=files,
        plugins=plugins,
        problems=tuple(problem for problem in info.problems if problem not in in_files),
    )


def _tags(
    store: Store, train_id: str, plugin_name: str, tags: Sequence[str]
) -> Iterator[InspectedTag]:
    if plugin_name == SCALAR_PLUGIN:
        summaries = store.scalar_summaries(train_id)
        stats = summaries.stats
        first, last = stats.first_step.tolist(), stats.last_step.tolist()
        yield from map(InspectedTag, summaries.tags, summaries.total, first, last)
        return
    for tag in tags:
        step = store.read_values(train_id, plugin_name, tag).step
        first_step, last_step = (int(step.min()), int(step.max())) if len(step) else (None, None)
        yield InspectedTag(tag, len(step), first_step, last_step)


def peak_rss_bytes(status_file: Path = Path("/proc/self/status")) -> int:
    """The peak resident memory of this process."""
    try:
        lines = status_file.read_text(encoding="ascii", errors="replace").splitlines()
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM:"))
    except (OSError, StopIteration):
        # Not Linux. Second choice, because on Linux ru_maxrss includes the parent's peak.
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak if sys.platform == "darwin" else peak * 1024
