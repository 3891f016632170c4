"""LogStore: a Store over a directory of log files."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePath
from threading import Lock

import numpy as np

from mindviz.config import Config
from mindviz.datavisual.evictable_caches import Drop
from mindviz.datavisual.logs.directories.discovery import readable
from mindviz.datavisual.logs.directories.projector_assets import ProjectorAssets
from mindviz.datavisual.logs.directories.summary_watcher import SummaryWatcher
from mindviz.datavisual.logs.formats import ENTRY_POINTS as FORMATS
from mindviz.datavisual.logs.formats import log_formats, logged_metadata
from mindviz.datavisual.logs.loading.cache_manager import CacheManager
from mindviz.datavisual.logs.loading.cached_job import CachedJob
from mindviz.datavisual.logs.loading.job_numbers import JobNumbers
from mindviz.datavisual.logs.loading.job_totals import JobTotals, ProblemTotal
from mindviz.datavisual.logs.loading.listed_jobs import ListedJobs
from mindviz.datavisual.logs.loading.run_results import RunResults
from mindviz.datavisual.logs.loading.scan_options import ScanOptions
from mindviz.datavisual.logs.reading.damage_place import place_before
from mindviz.datavisual.logs.reading.generic_values import checked_read
from mindviz.datavisual.logs.reading.kept_lines import KeptLines
from mindviz.datavisual.logs.reading.snapshot_reader import SnapshotReader
from mindviz.datavisual.logs.reading.tag_statistics import TagStatistics
from mindviz.datavisual.logs.reading.value_reader import ValueReader
from mindviz.datavisual.logs.scanner.scan import ScannerName, scanner_name
from mindviz.datavisual.logs.snapshots.catalog import CatalogEntry
from mindviz.datavisual.logs.snapshots.series_lines import Line, ScalarLine
from mindviz.datavisual.logs.snapshots.train_job_snapshot import TrainJobSnapshot
from mindviz.datavisual.logs.warm.warm_cache import WarmCache
from mindviz.datavisual.plugins import ENTRY_POINTS as PLUGINS
from mindviz.datavisual.plugins import generic_names, plugins
from mindviz.datavisual.run_listing import JobVersion, ListedRun, RunListing
from mindviz.datavisual.series.columns import Int64s
from mindviz.datavisual.series.findings import DamagePlace
from mindviz.datavisual.series.generic_series import ScalarPoints
from mindviz.datavisual.series.lineage_facts import JobLineage
from mindviz.datavisual.series.selection import Restarts
from mindviz.datavisual.series.time_series import (
    SCALAR_PLUGIN,
    ScalarIncrement,
    ScalarTimeSeries,
    ValueTimeSeries,
)
from mindviz.datavisual.store import (
    BaseStatus,
    CacheStatus,
    LoadStatus,
    LogFileInfo,
    ScalarSummaries,
    Store,
    StoreInfo,
    TrainJobInfo,
)
from mindviz.errors import (
    LogUnreadable,
    TagNotFound,
    TagUnreadable,
    TrainJobNotFound,
    WriterNotFound,
)
from mindviz.extensions import versions


class LogStore(Store):
    """Reads the train jobs below `config.summary_base_dir`."""

    kept_results: RunResults | None = None

    def __init__(self, config: Config, *, scanner: ScannerName | None = None) -> None:
        """`scanner` forces a scanner; None uses the compiled one if available."""
        self._config = config
        self._scanner = scanner or scanner_name()
        # Import them now, not while the first file is read.
        log_formats()
        generic_names()
        verify_all = config.checksum == "always"
        warm = WarmCache.of(config, versions(FORMATS), [*sorted(plugins()), *versions(PLUGINS)])
        self._watcher = SummaryWatcher(
            config.summary_base_dir,
            max_depth=config.max_depth,
            follow_external_links=config.follow_external_links,
            inotify=config.inotify and config.reload_interval > 0,
            known=warm,
        )
        self._totals = JobTotals.of(-1, lambda: JobNumbers.of(()))
        self._problems = ProblemTotal()
        self.cache = CacheManager(
            self._watcher,
            options=ScanOptions(verify_all=verify_all, scanner=scanner, warm=warm),
            max_memory=config.max_memory,
            reload_interval=config.reload_interval,
            scratch_folder=config.workspace,
        )
        if warm is not None:
            self.kept_results = RunResults(warm, lambda: self.cache.jobs)
        self._statistics = TagStatistics(warm)
        self._lines = KeptLines(self.cache.budget.charge_cache)
        self.series = SnapshotReader(self.cache, self._assets_of)
        self._sorted = -1, JobNumbers.of(())
        """Version, and all jobs as of it, last updated first."""
        self._sorting = Lock()

    def start(self) -> None:
        """Watch and load in the background."""
        self.cache.start()

    def load_once(self) -> None:
        """Discover and load everything, then return; `close` is not needed afterwards."""
        self.cache.load_once()

    def refresh(self) -> None:
        """Read what is new in the base dir, then return."""
        self.cache.refresh()

    def wait_until_loaded(self, timeout: float) -> None:
        """Return when everything found at first is loaded, or after the timeout in seconds."""
        self.cache.wait_until_loaded(timeout)

    def close(self) -> None:
        """Stop all threads."""
        self.cache.close()
        if self.kept_results is not None:
            self.kept_results.save()

    def info(self) -> StoreInfo:
        times = [job.overview.create_time for job in self.cache.jobs.values()]
        base_dir = readable(str(self._config.summary_base_dir))
        return StoreInfo(base_dir, PurePath(base_dir).name, "", min(times, default=None))

    def status(self) -> BaseStatus:
        # In this order, so that the totals of a loaded store are complete.
        load_status, version, totals = self.cache.load_status, self.cache.version, self._totals
        if totals.version != version and (
            load_status is LoadStatus.LOADED or time.monotonic() > totals.good_until
        ):
            self._totals = totals = JobTotals.of(version, self._by_update)
        problems = totals.problems
        if load_status is LoadStatus.LOADED:
            self._problems = self._problems.at(version, self._by_update())
            problems = self._problems.problems
        return BaseStatus(
            summary_base_dir=readable(str(self._config.summary_base_dir)),
            load_status=load_status,
            train_jobs=totals.train_jobs,
            loaded_train_jobs=totals.loaded_train_jobs,
            files=totals.files,
            points=totals.points,
            bytes=totals.bytes,
            bytes_read=totals.bytes_read,
            scanner=self._scanner,
            version=version,
            watching=self._watcher.watching,
            problems=self.cache.findings,
            problem_count=len(self.cache.findings) + problems,
        )

    @property
    def version(self) -> int:
        return self.cache.version

    def when_changed(self, version: int, call: Callable[[], None]) -> Callable[[], None]:
        return self.cache.when_changed(version, call)

    def list_train_jobs(self) -> Sequence[TrainJobInfo]:
        return ListedJobs(self._by_update().jobs)

    def job_versions(self) -> Sequence[JobVersion]:
        return self._by_update().job_versions()

    def versions_of(self, train_ids: Collection[str]) -> Sequence[JobVersion]:
        jobs = self.cache.jobs
        found = [job for name in train_ids if (job := jobs.get(name)) is not None]
        if len(found) > 1:  # not for each run that is checked
            return JobNumbers.of(found).by_update().job_versions()
        return [JobVersion(job.train_id, job.version, job.listed.problems) for job in found]

    def listing(self) -> RunListing:
        return self._by_update().listing(self._listed)

    def _listed(self, job: CachedJob) -> ListedRun:
        listed = job.listed
        if not job.found.has_assets:
            return listed
        try:
            return listed._replace(tags=self.list_tags(job.train_id))
        except TrainJobNotFound:  # just deleted
            return listed

    def list_train_ids(self) -> Sequence[str]:
        return list(self.cache.jobs)

    def _by_update(self) -> JobNumbers:
        with self._sorting:  # once for all requests that wait for it
            # In this order, so that jobs newer than the version are sorted again.
            version = self.cache.version
            if version != self._sorted[0]:
                self._sorted = version, JobNumbers.of(self.cache.jobs.values()).by_update()
            return self._sorted[1]

    def train_job(self, train_id: str) -> TrainJobInfo:
        return self.cache.job(train_id).info

    def log_files(self, train_id: str) -> Sequence[LogFileInfo]:
        return [file.info for file in self.cache.job(train_id).snapshot.files]

    def damage_place(self, train_id: str, path: str, offset: int) -> DamagePlace | None:
        files = self.cache.job(train_id).snapshot.files
        log_file = next((file.found for file in files if file.found.relative_path == path), None)
        return None if log_file is None else place_before(log_file, offset)

    def cache_train_job(self, train_id: str) -> CacheStatus:
        before = self.cache.job(train_id).status
        self.cache.resident(train_id)
        return before

    def list_tags(self, train_id: str) -> Mapping[str, Sequence[str]]:
        job = self.cache.job(train_id)
        packed = job.packed
        if packed is not None:  # without assets
            return packed.traits.tags
        snapshot = job.snapshot
        asset_tags = self.assets(train_id).tags() if snapshot.found.has_assets else ()
        if not asset_tags:
            return snapshot.tags
        plugin_name = generic_names().asset_plugin
        of_logs = snapshot.tags.get(plugin_name, ())
        return {**snapshot.tags, plugin_name: sorted({*of_logs, *asset_tags})}

    def assets(self, train_id: str) -> ProjectorAssets:
        """Files next to the logs of a train job. Raises TrainJobNotFound."""
        return self._assets_of(self.cache.job(train_id))

    def _assets_of(self, job: CachedJob) -> ProjectorAssets:
        found = job.found
        base_dir = self._config.summary_base_dir
        return ProjectorAssets(found.directory, base_dir, job.report, may_be_there=found.has_assets)

    def scalar_summaries(self, train_id: str) -> ScalarSummaries:
        job = self.cache.job(train_id)
        try:
            return self.cache.summarized(job).summaries
        except LogUnreadable:
            # A table of many jobs must not fail for one that is temporarily unreadable.
            earlier = job.snapshot.latest_summaries
            if earlier is None:
                raise
            return earlier

    def scalar_statistic(self, tag: str, statistic: str) -> Mapping[str, float | int] | None:
        jobs = self.cache.jobs
        if len(jobs) <= self.cache.unpacked_jobs:
            return None
        return self._statistics.read(jobs, tag, statistic, self.scalar_summaries)

    def read_lineage(self, train_id: str) -> JobLineage:
        return self.cache.job(train_id).lineage

    def list_lineages(self) -> Sequence[JobLineage]:
        return self._by_update().lineages()

    def read_scalars(
        self, train_id: str, tag: str, *, restarts: Restarts = "latest", writer: str | None = None
    ) -> ScalarTimeSeries:
        points, names = self._scalar_line(train_id, tag, writer)
        if restarts == "all":
            return _series(points, None, names)
        return _series(points, points.counting, names)

    def read_points(self, train_ids: Iterable[str], tag: str) -> Iterator[ScalarPoints]:
        jobs = self.cache.jobs
        for train_id in train_ids:
            job = jobs.get(train_id)
            if job is None:
                continue
            snapshot = self.cache.resident_of(job)
            entry = snapshot.catalog.entries.get(SCALAR_PLUGIN, {}).get(tag)
            if entry is not None:
                yield self._lines.points(train_id, snapshot, entry)
            del snapshot  # the next one may need its memory

    def read_scalars_since(
        self, train_id: str, tag: str, *, epoch: str, total: int, writer: str | None = None
    ) -> ScalarIncrement:
        points, names = self._scalar_line(train_id, tag, writer)
        now = points.counting
        if epoch != points.epoch or total > len(points.step):
            return ScalarIncrement(_series(points, now, names), None, reset=True)
        before = points.counting_of_first(total)
        if np.array_equal(now[: len(before)], before):  # the usual case
            return ScalarIncrement(_series(points, now[len(before) :], names), None, reset=False)
        new = np.isin(now, before, assume_unique=True, invert=True)
        rewound = _rewound_to(points, now[new], before, now)
        if rewound is not None:
            new |= points.step[now] >= rewound
        return ScalarIncrement(_series(points, now[new], names), rewound, reset=False)

    def _scalar_line(
        self, train_id: str, tag: str, writer: str | None
    ) -> tuple[ScalarLine, tuple[str, ...]]:
        snapshot = self.cache.resident(train_id)
        lines = snapshot.lines(_entry(snapshot, train_id, SCALAR_PLUGIN, tag))
        points = self._lines.line(train_id, snapshot, _line(lines, writer))
        return points, tuple(line.writer for line in lines)

    def read_values(
        self, train_id: str, plugin_name: str, tag: str, *, writer: str | None = None
    ) -> ValueTimeSeries:
        snapshot = self.cache.resident(train_id)
        has_assets = plugin_name == generic_names().asset_plugin
        if has_assets and tag not in snapshot.catalog.entries.get(plugin_name, ()):
            series = self.assets(train_id).series(tag)
            if series is not None and writer is None:
                return series
        entry = _entry(snapshot, train_id, plugin_name, tag)
        if entry.is_scalar:
            raise TagNotFound(train_id, plugin_name, tag)
        lines = snapshot.lines(entry)
        line = _line(lines, writer)
        rows, owner, epoch = snapshot.value_rows(line)
        places = [(snapshot.files[part.ref.file], part.ref.kind) for part in line.parts]
        report = self.cache.job(train_id).report
        reader = ValueReader(rows, owner, places, entry.metadata, report=report)
        read = checked_read(reader.read, snapshot, entry, line, report)
        series = ValueTimeSeries(
            data_class=entry.series_class.data_class,
            step=rows.step,
            wall_time=rows.wall_time,
            read=read,
            read_size=reader.read_size,
            variety=entry.series_class.variety,
            epoch=epoch,
            writers=tuple(line.writer for line in lines),
        )
        if has_assets:
            return self.assets(train_id).with_sprites(tag, series)
        plugin = plugins().get(plugin_name)
        if plugin is not None and plugin.config is not None:
            content = logged_metadata(entry.metadata).plugin_content
            return replace(series, config=plugin.config(content))
        return series

    def charge_cache(self, train_id: str, key: Hashable, nbytes: int, drop: Drop) -> None:
        self.cache.budget.charge_cache(train_id, key, nbytes, drop)


def _entry(snapshot: TrainJobSnapshot, train_id: str, plugin_name: str, tag: str) -> CatalogEntry:
    try:
        return snapshot.catalog.entries[plugin_name][tag]
    except KeyError:
        if snapshot.unread:
            raise TagUnreadable(train_id, plugin_name, tag, snapshot.unread) from None
        known = snapshot.catalog.entries.get(plugin_name, ())
        raise TagNotFound(train_id, plugin_name, tag, known) from None


def _line(lines: Sequence[Line], writer: str | None) -> Line:
    for line in lines:
        if writer is None or line.writer == writer:
            return line
    assert writer is not None  # a series has at least one line
    raise WriterNotFound(writer, *(line.writer for line in lines))


def _series(
    points: ScalarLine, chosen: Int64s | None, writers: tuple[str, ...]
) -> ScalarTimeSeries:
    """The chosen points, or all, with marks."""
    pick = slice(None) if chosen is None else points.uncopied(chosen)
    return ScalarTimeSeries(
        step=points.step[pick],
        wall_time=points.wall_time[pick],
        value=points.value[pick],
        superseded=points.superseded if chosen is None else np.zeros(len(chosen), dtype=np.bool_),
        total=len(points.step),
        superseded_count=len(points.step) - len(points.counting),
        epoch=points.epoch,
        writers=writers,
    )


def _rewound_to(points: ScalarLine, new: Int64s, before: Int64s, now: Int64s) -> int | None:
    """The smallest step from which a reader of the points `before` must read again.

    `new` are those of the points `now` that did not count before: new points, points that were
    stray until their writer continued, and points that no longer are replaced.
    """
    fresh = points.step[new]
    gone = points.step[np.setdiff1d(before, now, assume_unique=True)]
    behind = fresh[fresh <= points.step[before[-1]]] if len(before) else fresh[:0]
    changed = np.concatenate([gone, behind])
    return int(changed.min()) if len(changed) else None
