"""SnapshotReader: many series of many train jobs at once, from snapshots."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from mindviz.datavisual.answer_bounds import KEY_BYTES, AnswerSize, check_series
from mindviz.datavisual.logs.directories.projector_assets import ProjectorAssets
from mindviz.datavisual.logs.loading.cache_manager import CacheManager
from mindviz.datavisual.logs.loading.cached_job import CachedJob
from mindviz.datavisual.logs.reading.asset_values import asset_values
from mindviz.datavisual.logs.reading.blob_extents import BlobExtent
from mindviz.datavisual.logs.reading.generic_values import (
    GenericValues,
    LoggedValues,
    fact_values,
    generic_values,
)
from mindviz.datavisual.logs.reading.logged_blob import LoggedBlob
from mindviz.datavisual.logs.reading.value_reader import ValuePlace
from mindviz.datavisual.logs.snapshots.generic_catalog import GenericEntry
from mindviz.datavisual.logs.snapshots.train_job_snapshot import TrainJobSnapshot
from mindviz.datavisual.plugins import generic_names
from mindviz.datavisual.series.blob_key import BlobAddress
from mindviz.datavisual.series.findings import FindingKind
from mindviz.datavisual.series.generic_series import (
    Blob,
    BlobElements,
    Nested,
    RunInfo,
    ScalarAggregate,
    ScalarPoints,
    SeriesListing,
    TensorPoints,
)
from mindviz.datavisual.series.selection import StepRange, kept_ranks, step_slice
from mindviz.datavisual.series.series_query import RunTagFilter, SeriesQuery, index_slice
from mindviz.datavisual.series.time_series import DataClass
from mindviz.datavisual.store import SeriesReader
from mindviz.errors import BlobNotFound, DamagedValue, LogUnreadable

_T = TypeVar("_T")

_LONGEST_MEMORY = 10_000
"""Series of blob sequences whose longest value is remembered."""


class SnapshotReader(SeriesReader):
    """Reads from the snapshots of a cache.

    Damage found while a value is read is reported to its train job. Listings use the places of
    values, so they count a damaged value until it is read.
    """

    def __init__(
        self, cache: CacheManager, assets_of: Callable[[CachedJob], ProjectorAssets]
    ) -> None:
        """`assets_of` gives the files next to the logs of a job."""
        self._cache = cache
        self._assets_of = assets_of
        self._longest: dict[tuple[str, str, str], tuple[int, int, int]] = {}
        """Series -> number of values, edition of the last one, length of the longest."""

    def plugins(self) -> set[str]:
        names: set[str] = set()
        facts = {name.name for name in generic_names().facts}
        seen: set[int] = set()
        for job in list(self._cache.jobs.values()):
            packed = job.packed
            if packed is not None:
                if id(packed.traits) in seen:
                    continue
                seen.add(id(packed.traits))
            names |= job.snapshot.generic.plugin_names
            if not facts <= names:
                derived = fact_values(job.snapshot)
                names |= {values.series.metadata.plugin_name for values in derived}
            if not job.found.has_assets:
                continue
            assets = asset_values(self._assets_of(job), {})
            names |= {values.series.metadata.plugin_name for values in assets}
        return names

    def runs(self) -> Iterable[RunInfo]:
        return [
            RunInfo(train_id, overview.label, overview.start_time)
            for train_id, job in self._cache.jobs.items()
            for overview in [job.overview]
        ]

    def list_series(self, query: SeriesQuery) -> Nested[SeriesListing]:
        answer: dict[str, dict[str, SeriesListing]] = {}
        for train_id, job in self._jobs(query):
            tags: dict[str, SeriesListing] = {}
            if query.data_class in (None, DataClass.SCALAR):
                tags.update(_scalar_listings(self._summarized(job, query), query))
            for data_class in (DataClass.TENSOR, DataClass.BLOB_SEQUENCE):
                if query.data_class in (None, data_class):
                    for values in self._values(job, replace(query, data_class=data_class)):
                        tags[values.series.tag] = self._listing(train_id, values)
            if tags:
                answer[train_id] = dict(sorted(tags.items()))
        return answer

    def _listing(self, train_id: str, values: GenericValues) -> SeriesListing:
        metadata = values.completed().metadata
        finite = values.wall_time[np.isfinite(values.wall_time)]
        return SeriesListing(
            data_class=metadata.data_class,
            max_step=int(values.step[-1]),
            max_wall_time=float(finite.max()) if len(finite) else math.nan,
            max_length=self._max_length(train_id, values),
            summary_metadata=metadata,
        )

    def _max_length(self, train_id: str, values: GenericValues) -> int:
        """Reads only values that are new since the last call."""
        if values.series.metadata.data_class is not DataClass.BLOB_SEQUENCE:
            return 0
        assert isinstance(values, LoggedValues)
        key = (train_id, values.series.metadata.plugin_name, values.series.tag)
        known, edition, longest = self._longest.get(key, (0, 0, 0))
        count = len(values.step)
        if known > count or (known and values.edition(known - 1) != edition):
            known = longest = 0
        longest = max(longest, values.max_length(known))
        if len(self._longest) >= _LONGEST_MEMORY:
            self._longest.clear()
        self._longest[key] = (count, values.edition(count - 1), longest)
        return longest

    def read_points(self, query: SeriesQuery, size: AnswerSize) -> Nested[ScalarPoints]:
        answer: dict[str, dict[str, ScalarPoints]] = {}
        for train_id, job in self._jobs(query):
            snapshot = self._resident(job, query)
            for tag, entry in snapshot.generic.admitted(query):
                points = snapshot.counting_points(entry.logged).selected(
                    query.steps, query.downsample
                )
                size.add(len(points.step), 24 * len(points.step))
                answer.setdefault(train_id, {})[tag] = points
            del snapshot  # the next one may need its memory
        return self._checked(answer, query)

    def aggregate_points(self, query: SeriesQuery) -> Nested[ScalarAggregate]:
        answer: dict[str, dict[str, ScalarAggregate]] = {}
        for train_id, job in self._jobs(query):
            tags = _known_aggregates(self._summarized(job, query), query)
            if tags is None:
                snapshot = self._resident(job, query)
                tags = {}
                for tag, entry in snapshot.generic.admitted(query):
                    aggregate = ScalarAggregate.of(
                        snapshot.counting_points(entry.logged).selected(query.steps, None)
                    )
                    if aggregate is not None:
                        tags[tag] = aggregate
                del snapshot
            if tags:
                answer[train_id] = tags
        return self._checked(answer, query)

    def read_tensors(self, query: SeriesQuery, size: AnswerSize) -> Nested[TensorPoints]:
        answer: dict[str, dict[str, TensorPoints]] = {}
        for train_id, job in self._jobs(query):
            for values in self._values(job, query):
                indices: list[int] = []
                tensors: list[NDArray[np.generic]] = []
                for index in _chosen(values, query):
                    tensor = _tensor(values, index, size.bounds.tensor_bytes)
                    if tensor is not None:
                        size.add(1, tensor_bytes(tensor))
                        indices.append(index)
                        tensors.append(tensor)
                answer.setdefault(train_id, {})[values.series.tag] = TensorPoints(
                    values.step[indices], values.wall_time[indices], tuple(tensors)
                )
        return self._checked(answer, query)

    def read_blob_sequences(self, query: SeriesQuery, size: AnswerSize) -> Nested[BlobElements]:
        answer: dict[str, dict[str, BlobElements]] = {}
        for train_id, job in self._jobs(query):
            for values in self._values(job, query):
                assert isinstance(values, LoggedValues)
                rows: list[int] = []
                blobs: list[tuple[tuple[int, int], ...]] = []
                for row, extents in values.extents(_chosen(values, query)):
                    indices = range(len(extents))[index_slice(query.indices, len(extents))]
                    size.add(len(indices), KEY_BYTES * len(indices))
                    edition = values.edition(row) if indices else 0
                    rows.append(row)
                    blobs.append(tuple((index, edition) for index in indices))
                answer.setdefault(train_id, {})[values.series.tag] = BlobElements(
                    values.step[rows], values.wall_time[rows], tuple(blobs)
                )
        return self._checked(answer, query)

    def read_blob(self, address: BlobAddress) -> Blob:
        job = self._cache.jobs.get(address.train_id)
        if job is None:
            raise BlobNotFound
        place, extent = self._blob_place(job, address)
        return LoggedBlob(place, extent, job.report)

    def _blob_place(self, job: CachedJob, address: BlobAddress) -> tuple[ValuePlace, BlobExtent]:
        """Raises BlobNotFound."""
        named = RunTagFilter(tags=frozenset([address.tag]))
        query = SeriesQuery(address.plugin_name, DataClass.BLOB_SEQUENCE, named)
        for values in self._values(job, query):
            assert isinstance(values, LoggedValues)
            row = int(np.searchsorted(values.step, address.step))
            if row < len(values.step) and values.step[row] == address.step:
                with suppress(DamagedValue):
                    place, extents = values.placed(row)
                    if values.edition(row) == address.edition and address.index < len(extents):
                        return place, extents[address.index]
        raise BlobNotFound

    def _jobs(self, query: SeriesQuery) -> Iterator[tuple[str, CachedJob]]:
        """The jobs that a query selects, by train_id."""
        jobs = self._cache.jobs
        train_ids = query.run_tag_filter.train_ids
        # Look names up: there may be 10,000 jobs.
        admitted = jobs if train_ids is None else train_ids & jobs.keys()
        count = 0
        for train_id in sorted(admitted):
            job = jobs[train_id]
            count += 1 + job.snapshot.generic.count_admitted(query)
            check_series(count)
            yield train_id, job

    def _checked(self, answer: Nested[_T], query: SeriesQuery) -> Nested[_T]:
        """The answer. Raises LogUnreadable if it is empty because logs cannot be read."""
        if not answer:
            for _, job in self._jobs(query):
                if job.snapshot.unread:
                    raise LogUnreadable(job.snapshot.unread)
        return answer

    def _resident(self, job: CachedJob, query: SeriesQuery) -> TrainJobSnapshot:
        """With columns if the query selects a series."""
        snapshot = job.snapshot
        return self._cache.resident_of(job) if any(snapshot.generic.admitted(query)) else snapshot

    def _summarized(self, job: CachedJob, query: SeriesQuery) -> TrainJobSnapshot:
        """With summaries if the query selects a series of scalars."""
        snapshot = job.snapshot
        has_scalars = any(snapshot.generic.admitted(replace(query, data_class=DataClass.SCALAR)))
        return self._cache.summarized(job) if has_scalars else snapshot

    def _values(self, job: CachedJob, query: SeriesQuery) -> Iterator[GenericValues]:
        snapshot = self._resident(job, query)
        for _, entry in snapshot.generic.admitted(query):
            line = snapshot.lines(entry.logged)[0]
            values = generic_values(snapshot, entry, line, job.report)
            if len(values.step):
                yield values
        rules = generic_names().find_any(query.plugin_name)
        if rules is None or query.data_class is not rules.data_class:
            return
        derived: Iterable[GenericValues] = ()
        if rules.facts is not None:
            derived = fact_values(snapshot, query.plugin_name)
        elif rules.asset is not None:
            assets, logged = self._assets_of(job), snapshot.generic.entries
            derived = asset_values(assets, logged, query.plugin_name)
        for values in derived:
            if query.run_tag_filter.admits(values.series.tag):
                yield values


def _scalar_listings(
    snapshot: TrainJobSnapshot, query: SeriesQuery
) -> Iterator[tuple[str, SeriesListing]]:
    admitted = list(snapshot.generic.admitted(replace(query, data_class=DataClass.SCALAR)))
    if not admitted:
        return  # the columns that summaries may need were not requested
    summaries = snapshot.summaries
    for tag, entry in admitted:
        row = summaries.index_of(entry.logged.series_class.tag)
        yield (
            tag,
            SeriesListing(
                data_class=DataClass.SCALAR,
                max_step=int(summaries.stats.last_step[row]),
                max_wall_time=float(summaries.stats.last_wall_time[row]),
                max_length=0,
                summary_metadata=entry.series.metadata,
            ),
        )


def _known_aggregates(
    snapshot: TrainJobSnapshot, query: SeriesQuery
) -> dict[str, ScalarAggregate] | None:
    """Aggregates of whole series without their points; None if the points are needed."""
    if query.steps != StepRange():
        return None
    aggregates: dict[str, ScalarAggregate] = {}
    for tag, entry in snapshot.generic.admitted(query):
        aggregate = summed_up(snapshot, entry)
        if aggregate is None:
            return None
        aggregates[tag] = aggregate
    return aggregates


def summed_up(snapshot: TrainJobSnapshot, entry: GenericEntry) -> ScalarAggregate | None:
    """The aggregate without the points; None if a restart makes them necessary."""
    summaries = snapshot.summaries
    row = summaries.index_of(entry.logged.series_class.tag)
    stats = summaries.stats
    if not stats.increasing[row]:
        return None
    return ScalarAggregate(
        count=summaries.total[row],
        min=float(stats.min[row]),
        argmin=int(stats.min_step[row]),
        max=float(stats.max[row]),
        argmax=int(stats.max_step[row]),
        first=float(stats.first[row]),
        last=float(stats.last[row]),
    )


def _tensor(values: GenericValues, index: int, limit: int) -> NDArray[np.generic] | None:
    """None for tensors to leave out: damaged, or larger than `limit` bytes."""
    if values.size(index) <= limit:
        try:
            tensor = values.tensor(index)
        except DamagedValue:
            return None  # already reported
        # The size in the log says little: one element may stand for all.
        if tensor_bytes(tensor) <= limit:
            return tensor
    values.report(
        index,
        FindingKind.LARGE_TENSOR,
        f"Tag {values.series.tag[:100]!r} has a tensor over {limit} bytes: it is left out of "
        "generic answers, and shown in slices.",
    )
    return None


def tensor_bytes(tensor: NDArray[np.generic]) -> int:
    """What a tensor takes when it is sent."""
    if tensor.dtype != object:
        return int(tensor.nbytes)
    strings: list[bytes] = tensor.ravel().tolist()
    return sum(map(len, strings))


def _chosen(values: GenericValues, query: SeriesQuery) -> Sequence[int]:
    in_range = range(len(values.step))[step_slice(values.step, query.steps)]
    kept = kept_ranks(len(in_range), query.downsample)
    return in_range if kept is None else [in_range[rank] for rank in kept.tolist()]
