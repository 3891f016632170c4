"""An in-memory Store for tests of what stands on experiments, and a server to try the UI on.

Run `python -m tests.experiment_fake --port 8080` for a server over made-up jobs; one of them grows.
"""

from __future__ import annotations

import argparse
import math
import threading
import time
import zlib
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from mindviz.datavisual.evictable_caches import Drop, JobCaches
from mindviz.datavisual.series.columns import Float64s, Int64s, SeriesStats
from mindviz.datavisual.series.findings import Finding
from mindviz.datavisual.series.lineage_facts import (
    NO_FACTS,
    JobLineage,
    LineageFacts,
)
from mindviz.datavisual.series.selection import Restarts
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
    Store,
    TrainJobInfo,
)
from mindviz.errors import DamagedValue, TagNotFound, TrainJobNotFound, WriterNotFound

START = 1_700_000_000.0


@dataclass
class FakeScalars:
    """The raw points of one series, in the order written."""

    step: list[int] = field(default_factory=list)
    wall_time: list[float] = field(default_factory=list)
    value: list[float] = field(default_factory=list)
    epoch: int = 0

    def latest(self, total: int) -> list[int]:
        """Indices that count among the first `total`: each step's last, rewinds supersede."""
        kept: list[int] = []
        for i in range(total):
            while kept and self.step[kept[-1]] >= self.step[i]:
                kept.pop()
            kept.append(i)
        return kept


@dataclass
class FakeValues:
    """A series of anything else."""

    data_class: DataClass
    step: list[int]
    wall_time: list[float]
    values: list[Value]
    epoch: int = 0
    damaged: set[int] = field(default_factory=set)

    def read(self, i: int) -> Value:
        """Value number i."""
        if i in self.damaged:
            raise DamagedValue("The record fails its checksum.")
        return self.values[i]

    def read_size(self, i: int) -> tuple[int, int]:
        """Width and height of image number i."""
        image = self.read(i)
        assert isinstance(image, Image)
        return image.width, image.height


@dataclass
class FakeJob:
    """A train job; tests change it as they like."""

    train_id: str
    create_time: float = START
    update_time: float = START
    formats: tuple[str, ...] = ("tensorboard",)
    cache_status: CacheStatus = CacheStatus.CACHED
    version: int = 1
    problems: tuple[Finding, ...] = ()
    display_name: str = ""
    facts: LineageFacts = NO_FACTS
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
        """As if the file with this series was replaced by another."""
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
    """An experiment over `jobs`, a dict that tests may change."""

    def __init__(self, summary_base_dir: str = "/data/base") -> None:
        self.summary_base_dir = summary_base_dir
        self.jobs: dict[str, FakeJob] = {}
        self.load_status = LoadStatus.LOADED
        self.problems: tuple[Finding, ...] = ()
        self.reads = 0
        """How many series were read, to see what a cache saves."""

    def add(self, train_id: str) -> FakeJob:
        """A new, empty job."""
        self.jobs[train_id] = job = FakeJob(train_id)
        return job

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
        rows = [_stats_of(job.scalars[tag]) for tag in tags]
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
        return _points(series, list(chosen), latest, total)

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
        return ScalarIncrement(_points(series, after[same:], after, now), truncate, False)

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
        """Let a job be gone, and what was kept of it."""
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
            lineage_files=0,
            graph_files=0,
            bytes=100,
            cache_status=job.cache_status,
            version=job.version,
            points=sum(len(series.step) for series in job.scalars.values()),
            problems=job.problems,
            is_integrity=not job.problems,
            display_name=job.display_name,
            session_status=job.facts.session_status,
        )


def _points(
    series: FakeScalars, chosen: list[int], latest: list[int], total: int
) -> ScalarTimeSeries:
    counting = set(latest)
    index: Int64s = np.array(chosen, dtype=np.int64)
    return ScalarTimeSeries(
        step=np.array(series.step, dtype=np.int64)[index],
        wall_time=np.array(series.wall_time, dtype=np.float64)[index],
        value=np.array(series.value, dtype=np.float64)[index],
        superseded=np.array([i not in counting for i in chosen], dtype=np.bool_),
        total=total,
        superseded_count=total - len(latest),
        epoch=str(series.epoch),
        writers=("events",),
    )


def _stats_of(series: FakeScalars) -> dict[str, float]:
    numbers = [(value, step) for value, step in zip(series.value, series.step, strict=True)]
    known = [pair for pair in numbers if not math.isnan(pair[0])] or [(math.nan, series.step[0])]
    low, high = min(known), max(known)
    return {
        "first": series.value[0],
        "last": series.value[-1],
        "min": low[0],
        "max": high[0],
        "first_step": series.step[0],
        "last_step": series.step[-1],
        "min_step": low[1],
        "max_step": high[1],
        "nan_count": sum(math.isnan(value) for value in series.value),
        "first_wall_time": min(series.wall_time),
        "last_wall_time": max(series.wall_time),
        "increasing": series.step == sorted(set(series.step)),
    }


def demo_experiment(jobs: int = 12, points: int = 5000) -> FakeStore:
    """Made-up jobs with noisy losses and accuracies."""
    experiment = FakeStore("/data/summaries")
    steps = range(points)
    for number in range(jobs):
        job = experiment.add(f"./sweep/lr_{number:02}")
        job.update_time = START + number
        random = np.random.default_rng(zlib.crc32(job.train_id.encode()))
        axis: Float64s = np.linspace(0, 6, points)
        for tag in ("loss/train", "loss/valid", "accuracy/top1", "lr"):
            noise = random.normal(0, 0.05, points)
            job.append(tag, steps, (np.exp(-axis * (1 + number / 10)) + noise).tolist())
    return experiment


def main() -> None:
    """Serve the made-up jobs; the first one grows by a point each second."""
    from mindviz.backend.app import create_app
    from mindviz.config import Config

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=8080)
    port = parser.parse_args().port
    experiment = demo_experiment()
    growing = next(iter(experiment.jobs.values()))

    def grow() -> None:
        while True:
            time.sleep(1)
            for tag, series in list(growing.scalars.items()):
                growing.append(tag, [series.step[-1] + 1], [math.sin(time.time())], time.time())
            growing.update_time = time.time()

    threading.Thread(target=grow, daemon=True).start()
    app = create_app(Config(Path(experiment.summary_base_dir), port=port), experiment)
    app.run("127.0.0.1", port, threaded=True)


if __name__ == "__main__":
    main()
