"""An in-memory Store for tests."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from mindviz.datavisual.answer_bounds import AnswerSize
from mindviz.datavisual.evictable_caches import Drop, JobCaches
from mindviz.datavisual.series.blob_key import BlobAddress
from mindviz.datavisual.series.columns import SeriesStats
from mindviz.datavisual.series.findings import Finding
from mindviz.datavisual.series.generic_series import (
    Blob,
    BlobElements,
    Nested,
    RunInfo,
    ScalarAggregate,
    ScalarPoints,
    SeriesListing,
    SummaryMetadata,
    TensorPoints,
)
from mindviz.datavisual.series.lineage_facts import (
    NO_FACTS,
    JobLineage,
    LineageFacts,
)
from mindviz.datavisual.series.selection import Restarts
from mindviz.datavisual.series.series_query import SeriesQuery
from mindviz.datavisual.series.time_series import (
    Audio,
    DataClass,
    Image,
    ScalarIncrement,
    ScalarTimeSeries,
    Value,
    ValueTimeSeries,
)
from mindviz.datavisual.store import (
    BaseStatus,
    CacheStatus,
    LoadStatus,
    LogFileInfo,
    ScalarSummaries,
    SeriesReader,
    Store,
    StoreInfo,
    TrainJobInfo,
)
from mindviz.errors import BlobNotFound, TagNotFound, TrainJobNotFound, WriterNotFound
from tests.fake_series import FakeScalars, FakeValues, points_of, stats_of

START = 1_700_000_000.0
T = TypeVar("T")


@dataclass
class FakeJob:
    """A train job that tests may change."""

    train_id: str
    create_time: float = START
    update_time: float = START
    formats: tuple[str, ...] = ("tensorboard",)
    cache_status: CacheStatus = CacheStatus.CACHED
    version: int = 1
    problems: tuple[Finding, ...] = ()
    display_name: str = ""
    facts: LineageFacts = NO_FACTS
    lineage_files: int = 0
    scalars: dict[str, FakeScalars] = field(default_factory=dict)
    values: dict[tuple[str, str], FakeValues] = field(default_factory=dict)
    caches: JobCaches = field(default_factory=JobCaches)
    writer: str = "events"

    def append(
        self, tag: str, steps: Sequence[int], values: Sequence[float], wall_time: float = START
    ) -> None:
        """Append points to a scalar series, one second apart."""
        series = self.scalars.setdefault(tag, FakeScalars())
        series.step.extend(int(step) for step in steps)
        series.value.extend(float(value) for value in values)
        series.wall_time.extend(wall_time + i for i in range(len(steps)))
        self.version += 1

    def replace(self, tag: str, steps: Sequence[int], values: Sequence[float]) -> None:
        """Simulate that another file replaced the one with this series."""
        epoch = self.scalars.pop(tag).epoch
        self.append(tag, steps, values)
        self.scalars[tag].epoch = epoch + 1

    def add_values(
        self, plugin_name: str, tag: str, steps: Sequence[int], values: Sequence[Value]
    ) -> None:
        """Add a series of images, histograms or tensors."""
        blob = any(isinstance(value, Image | Audio | bytes) for value in values)
        self.values[plugin_name, tag] = FakeValues(
            DataClass.BLOB_SEQUENCE if blob else DataClass.TENSOR,
            list(steps),
            [START + step for step in steps],
            list(values),
        )
        self.version += 1

    def damage(self, plugin_name: str, tag: str, row: int) -> None:
        """Make a value fail its checksum."""
        self.values[plugin_name, tag].damaged.add(row)
        self.version += 1


class FakeStore(Store):
    """A store over `jobs`, a dict that tests may change."""

    def __init__(self, summary_base_dir: str = "/data/base") -> None:
        self.summary_base_dir = summary_base_dir
        self.jobs: dict[str, FakeJob] = {}
        self.load_status = LoadStatus.LOADED
        self.problems: tuple[Finding, ...] = ()
        self.reads = 0
        """How many series were read, to observe caching."""
        self.series = FakeReader(self)

    def add(self, train_id: str) -> FakeJob:
        """Add an empty job."""
        self.jobs[train_id] = job = FakeJob(train_id)
        return job

    def info(self) -> StoreInfo:
        return StoreInfo(self.summary_base_dir, Path(self.summary_base_dir).name)

    def status(self) -> BaseStatus:
        infos = [self._info(job) for job in self.jobs.values()]
        size = sum(info.bytes for info in infos)
        return BaseStatus(
            summary_base_dir=self.summary_base_dir,
            load_status=self.load_status,
            train_jobs=len(infos),
            loaded_train_jobs=len(infos),
            files=len(infos),
            points=sum(info.points for info in infos),
            bytes=size,
            bytes_read=size,
            scanner="python",
            version=sum(info.version for info in infos),
            watching="polling",
            problems=self.problems,
            problem_count=len(self.problems) + sum(len(info.problems) for info in infos),
        )

    @property
    def version(self) -> int:
        return self.status().version

    def list_train_jobs(self) -> Sequence[TrainJobInfo]:
        infos = [self._info(job) for job in self.jobs.values()]
        return sorted(infos, key=lambda info: (-info.update_time, info.train_id))

    def train_job(self, train_id: str) -> TrainJobInfo:
        return self._info(self._job(train_id))

    def log_files(self, train_id: str) -> Sequence[LogFileInfo]:
        job = self._job(train_id)
        return [
            LogFileInfo(f"{train_id[2:]}/events", job.formats[0], "summary", 0, 0, job.problems)
        ]

    def cache_train_job(self, train_id: str) -> CacheStatus:
        job = self._job(train_id)
        before = job.cache_status
        job.cache_status = CacheStatus.CACHED
        return before

    def list_tags(self, train_id: str) -> Mapping[str, Sequence[str]]:
        job = self._job(train_id)
        tags: dict[str, list[str]] = {}
        if job.scalars:
            tags["scalar"] = sorted(job.scalars)
        for plugin_name, tag in sorted(job.values):
            tags.setdefault(plugin_name, []).append(tag)
        return tags

    def scalar_summaries(self, train_id: str) -> ScalarSummaries:
        job = self._job(train_id)
        tags = sorted(job.scalars)
        rows = [stats_of(job.scalars[tag]) for tag in tags]
        columns: dict[str, list[float]] = {
            name: [row[name] for row in rows] for name in SeriesStats.__dataclass_fields__
        }
        dtypes = {"step": np.int64, "count": np.int64, "increasing": np.bool_}
        arrays: dict[str, Any] = {
            name: np.array(column, dtype=dtypes.get(name.rpartition("_")[2] or name, np.float64))
            for name, column in columns.items()
        }
        total = tuple(len(job.scalars[tag].step) for tag in tags)
        return ScalarSummaries(tuple(tags), total, SeriesStats(**arrays))

    def read_lineage(self, train_id: str) -> JobLineage:
        job = self._job(train_id)
        return JobLineage(train_id, job.version, job.create_time, job.update_time, job.facts)

    def list_lineages(self) -> Sequence[JobLineage]:
        return [self.read_lineage(info.train_id) for info in self.list_train_jobs()]

    def read_scalars(
        self, train_id: str, tag: str, *, restarts: Restarts = "latest", writer: str | None = None
    ) -> ScalarTimeSeries:
        self.reads += 1
        series = self._scalars(train_id, tag, writer)
        total = len(series.step)
        latest = series.latest(total)
        chosen = range(total) if restarts == "all" else latest
        return points_of(series, list(chosen), latest, total)

    def read_scalars_since(
        self, train_id: str, tag: str, *, epoch: str, total: int, writer: str | None = None
    ) -> ScalarIncrement:
        series = self._scalars(train_id, tag, writer)
        now = len(series.step)
        if epoch != str(series.epoch) or total > now:
            return ScalarIncrement(self.read_scalars(train_id, tag, writer=writer), None, True)
        before, after = series.latest(total), series.latest(now)
        same = 0
        while same < min(len(before), len(after)) and before[same] == after[same]:
            same += 1
        truncate = series.step[before[same]] if same < len(before) else None
        return ScalarIncrement(points_of(series, after[same:], after, now), truncate, False)

    def read_values(
        self, train_id: str, plugin_name: str, tag: str, *, writer: str | None = None
    ) -> ValueTimeSeries:
        job = self._job(train_id)
        try:
            series = job.values[plugin_name, tag]
        except KeyError:
            raise TagNotFound(train_id, plugin_name, tag) from None
        return ValueTimeSeries(
            data_class=series.data_class,
            step=np.array(series.step, dtype=np.int64),
            wall_time=np.array(series.wall_time, dtype=np.float64),
            read=series.read,
            read_size=series.read_size if plugin_name == "image" else None,
            epoch=str(series.epoch),
        )

    def charge_cache(self, train_id: str, key: Hashable, nbytes: int, drop: Drop) -> None:
        self._job(train_id).caches.charge(key, nbytes, drop)

    def remove(self, train_id: str) -> None:
        """Remove a job and its caches."""
        self.jobs.pop(train_id).caches.drop_all()

    def _job(self, train_id: str) -> FakeJob:
        try:
            return self.jobs[train_id]
        except KeyError:
            raise TrainJobNotFound(train_id) from None

    def _scalars(self, train_id: str, tag: str, writer: str | None) -> FakeScalars:
        job = self._job(train_id)
        if tag not in job.scalars:
            raise TagNotFound(train_id, "scalar", tag)
        if writer is not None and writer != job.writer:
            raise WriterNotFound(writer, job.writer)
        return job.scalars[tag]

    def _info(self, job: FakeJob) -> TrainJobInfo:
        return TrainJobInfo(
            train_id=job.train_id,
            create_time=job.create_time,
            update_time=job.update_time,
            formats=job.formats,
            summary_files=1,
            lineage_files=job.lineage_files,
            graph_files=0,
            bytes=100,
            cache_status=job.cache_status,
            version=job.version,
            points=sum(len(series.step) for series in job.scalars.values()),
            problems=job.problems,
            display_name=job.display_name,
            session_status=job.facts.session_status,
        )


def _listing(points: ScalarPoints) -> SeriesListing:
    end = int(points.step[-1]), float(points.wall_time.max())
    return SeriesListing(DataClass.SCALAR, *end, 0, SummaryMetadata("scalars"))


class FakeReader(SeriesReader):
    """Reads the scalars of a `FakeStore`; generic clients see only these."""

    def __init__(self, store: FakeStore) -> None:
        self._store = store

    def plugins(self) -> Collection[str]:
        return {"scalars"} if any(job.scalars for job in self._store.jobs.values()) else set()

    def runs(self) -> Iterable[RunInfo]:
        return [RunInfo(job.train_id, job.display_name, START) for job in self._store.jobs.values()]

    def _nested(self, query: SeriesQuery, of: Callable[[ScalarPoints], T | None]) -> Nested[T]:
        train_ids = query.run_tag_filter.train_ids
        answer: dict[str, dict[str, T]] = {}
        for train_id in sorted(
            self._store.jobs if train_ids is None else train_ids & self._store.jobs.keys()
        ):
            for tag in filter(
                query.run_tag_filter.admits, sorted(self._store.jobs[train_id].scalars)
            ):
                series = self._store.read_scalars(train_id, tag)
                read = of(ScalarPoints(series.step, series.wall_time, series.value))
                if query.plugin_name == "scalars" and read is not None:
                    answer.setdefault(train_id, {})[tag] = read
        return answer

    def list_series(self, query: SeriesQuery) -> Nested[SeriesListing]:
        return self._nested(query, _listing)

    def read_points(self, query: SeriesQuery, size: AnswerSize) -> Nested[ScalarPoints]:
        return self._nested(query, lambda points: points.selected(query.steps, query.downsample))

    def aggregate_points(self, query: SeriesQuery) -> Nested[ScalarAggregate]:
        return self._nested(
            query, lambda points: ScalarAggregate.of(points.selected(query.steps, None))
        )

    def read_tensors(self, query: SeriesQuery, size: AnswerSize) -> Nested[TensorPoints]:
        return {}

    def read_blob_sequences(self, query: SeriesQuery, size: AnswerSize) -> Nested[BlobElements]:
        return {}

    def read_blob(self, address: BlobAddress) -> Blob:
        raise BlobNotFound
