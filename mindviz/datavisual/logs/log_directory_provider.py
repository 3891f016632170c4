"""LogDirectoryProvider: the generic interface over the logs below one base dir."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from mindviz.datavisual.generic.answer_bounds import (
    AnswerBounds,
    AnswerSize,
    check_query,
    index_slice,
)
from mindviz.datavisual.generic.blob_key import BlobAddress
from mindviz.datavisual.generic.data_provider import (
    Blob,
    BlobReference,
    BlobSequenceColumns,
    DataProvider,
    ExperimentInfo,
    Nested,
    RunInfo,
    ScalarAggregate,
    ScalarColumns,
    SeriesListing,
    TensorColumns,
)
from mindviz.datavisual.generic.last_value import with_session_value
from mindviz.datavisual.generic.series_query import RequestContext, RunTagFilter, SeriesQuery
from mindviz.datavisual.logs.answers.asset_values import ASSET_PLUGINS, asset_values
from mindviz.datavisual.logs.answers.blob_extents import BlobExtent
from mindviz.datavisual.logs.answers.generic_scalars import (
    aggregate,
    known_aggregates,
    points_of,
    scalar_listings,
    selected,
)
from mindviz.datavisual.logs.answers.generic_values import (
    GenericValues,
    LoggedValues,
    fact_values,
    generic_values,
)
from mindviz.datavisual.logs.answers.logged_blob import LoggedBlob
from mindviz.datavisual.logs.answers.value_reader import ValuePlace
from mindviz.datavisual.logs.loading.cached_job import CachedJob
from mindviz.datavisual.logs.log_store import (
    LogStore,
)
from mindviz.datavisual.logs.snapshots.train_job_snapshot import TrainJobSnapshot
from mindviz.datavisual.series.findings import FindingKind
from mindviz.datavisual.series.selection import kept_ranks, step_slice
from mindviz.datavisual.series.time_series import DataClass
from mindviz.errors import BlobNotFound, DamagedValue, ExperimentNotFound, LogUnreadable

_Columns = TypeVar("_Columns")

_KEY_BYTES = 200
"""Of a reference to a blob, about."""
_LONGEST_MEMORY = 10_000
"""Series of blob sequences whose longest value is remembered."""


class LogDirectoryProvider(DataProvider):
    """Reads one experiment, which it neither starts nor closes.

    What is found to be wrong with a value while it is read is reported to its train job. A listing
    goes by where values lie; that one of them is damaged shows when it is read.
    """

    def __init__(
        self,
        experiment: LogStore,
        experiment_id: str = "",
        *,
        bounds: AnswerBounds = AnswerBounds(),
    ) -> None:
        """`experiment_id` is how clients name this experiment; the empty id always means it."""
        self._experiment = experiment
        self._cache = experiment.cache
        self._experiment_id = experiment_id
        self._bounds = bounds
        self._longest: dict[tuple[str, str, str], tuple[int, int, int]] = {}
        """Series -> how many values there were, an edition of the last, the longest's length."""

    # Lists --------------------------------------------------------------------------------------

    def experiment(self, context: RequestContext, *, experiment_id: str) -> ExperimentInfo:
        """The experiment itself."""
        self._check(experiment_id)
        base_dir = self._experiment.status().summary_base_dir
        times = [job.snapshot.create_time for job in self._cache.jobs.values()]
        return ExperimentInfo(
            experiment_id=self._experiment_id,
            data_location=base_dir,
            name=self._experiment_id or PurePath(base_dir).name,
            creation_time=min(times, default=None),
        )

    def list_plugins(self, context: RequestContext, *, experiment_id: str) -> Sequence[str]:
        """Names of all plugins that own data, sorted."""
        self._check(experiment_id)
        names: set[str] = set()
        for job in list(self._cache.jobs.values()):
            names |= job.snapshot.generic.plugin_names
            if "hparams" not in names and fact_values(job.snapshot):
                names.add("hparams")
            if not job.snapshot.found.has_assets:
                continue
            beside = asset_values(self._experiment.assets_of(job), ())
            names |= {values.series.metadata.plugin_name for values in beside}
        return sorted(names)

    def list_train_jobs(self, context: RequestContext, *, experiment_id: str) -> Sequence[RunInfo]:
        """All train jobs, by start time and then by train_id; those without one last."""
        self._check(experiment_id)
        runs = [
            RunInfo(train_id, job.snapshot.label, job.snapshot.start_time)
            for train_id, job in self._cache.jobs.items()
        ]
        return sorted(runs, key=RunInfo.place)

    def listings(self, context: RequestContext, query: SeriesQuery) -> Nested[SeriesListing]:
        """See `DataProvider`. By tag, whatever their classes are."""
        answer: dict[str, dict[str, SeriesListing]] = {}
        for train_id, job in self._jobs(query):
            tags: dict[str, SeriesListing] = {}
            if query.data_class in (None, DataClass.SCALAR):
                tags.update(scalar_listings(self._summarized(job, query), query))
            for wanted in (DataClass.TENSOR, DataClass.BLOB_SEQUENCE):
                if query.data_class in (None, wanted):
                    for values in self._values(job, replace(query, data_class=wanted)):
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
        """Only values are looked at that were not there the last time."""
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

    # Scalars ------------------------------------------------------------------------------------

    def scalars(self, context: RequestContext, query: SeriesQuery) -> Nested[ScalarColumns]:
        """See `DataProvider`."""
        check_query(query)
        size = AnswerSize(self._bounds)
        answer: dict[str, dict[str, ScalarColumns]] = {}
        for train_id, job in self._jobs(query):
            snapshot = self._resident(job, query)
            facts = snapshot.lineage.facts
            for tag, entry in snapshot.generic.admitted(query):
                columns = selected(points_of(snapshot, entry), query.steps, query.downsample)
                session = facts.session_values.get(entry.logged.series_class.tag)
                columns = with_session_value(columns, session, query)
                size.add(len(columns.step), 24 * len(columns.step))
                answer.setdefault(train_id, {})[tag] = columns
        return self._checked(answer, query)

    def aggregates(self, context: RequestContext, query: SeriesQuery) -> Nested[ScalarAggregate]:
        """See `DataProvider`."""
        answer: dict[str, dict[str, ScalarAggregate]] = {}
        for train_id, job in self._jobs(query):
            tags = known_aggregates(self._summarized(job, query), query)
            if tags is None:
                snapshot = self._resident(job, query)
                tags = {}
                for tag, entry in snapshot.generic.admitted(query):
                    found = aggregate(selected(points_of(snapshot, entry), query.steps, None))
                    if found is not None:
                        tags[tag] = found
            if tags:
                answer[train_id] = tags
        return self._checked(answer, query)

    # Tensors and blobs --------------------------------------------------------------------------

    def tensors(self, context: RequestContext, query: SeriesQuery) -> Nested[TensorColumns]:
        """See `DataProvider`."""
        check_query(query)
        size = AnswerSize(self._bounds)
        answer: dict[str, dict[str, TensorColumns]] = {}
        for train_id, job in self._jobs(query):
            for values in self._values(job, query):
                indices: list[int] = []
                tensors: list[NDArray[np.generic]] = []
                for index in _chosen(values, query):
                    tensor = self._tensor(values, index)
                    if tensor is not None:
                        size.add(1, tensor_bytes(tensor))
                        indices.append(index)
                        tensors.append(tensor)
                answer.setdefault(train_id, {})[values.series.tag] = TensorColumns(
                    values.step[indices], values.wall_time[indices], tuple(tensors)
                )
        return self._checked(answer, query)

    def _tensor(self, values: GenericValues, index: int) -> NDArray[np.generic] | None:
        """None for what is left out: damaged, or too large."""
        limit = self._bounds.tensor_bytes
        if values.size(index) <= limit:
            try:
                tensor = values.tensor(index)
            except DamagedValue:
                return None  # it was reported
            # A shape costs a writer nothing: one element may stand for all.
            if tensor_bytes(tensor) <= limit:
                return tensor
        values.report(
            index,
            FindingKind.LARGE_TENSOR,
            f"Tag {values.series.tag[:100]!r} has a tensor over {limit} bytes: it is left out of "
            "generic answers, and shown in slices.",
        )
        return None

    def blob_sequences(
        self, context: RequestContext, query: SeriesQuery
    ) -> Nested[BlobSequenceColumns]:
        """See `DataProvider`."""
        check_query(query)
        size = AnswerSize(self._bounds)
        answer: dict[str, dict[str, BlobSequenceColumns]] = {}
        for train_id, job in self._jobs(query):
            for values in self._values(job, query):
                assert isinstance(values, LoggedValues)
                rows: list[int] = []
                sequences: list[tuple[BlobReference, ...]] = []
                for row, _, extents in values.places(_chosen(values, query)):
                    wanted = range(len(extents))[index_slice(query.indices, len(extents))]
                    size.add(len(wanted), _KEY_BYTES * len(wanted))
                    rows.append(row)
                    sequences.append(self._references(train_id, values, row, wanted))
                answer.setdefault(train_id, {})[values.series.tag] = BlobSequenceColumns(
                    values.step[rows], values.wall_time[rows], tuple(sequences)
                )
        return self._checked(answer, query)

    def _references(
        self, train_id: str, values: LoggedValues, row: int, indices: range
    ) -> tuple[BlobReference, ...]:
        series, step, edition = values.series, int(values.step[row]), values.edition(row)
        return tuple(
            BlobReference(
                BlobAddress(
                    self._experiment_id,
                    train_id,
                    series.metadata.plugin_name,
                    series.tag,
                    step,
                    index,
                    edition,
                ).key()
            )
            for index in indices
        )

    def read_blob(self, context: RequestContext, *, blob_key: str) -> Blob:
        """A blob by its key. Raises BlobNotFound, whatever is wrong with the key."""
        address = BlobAddress.of(blob_key)
        if address.experiment_id != self._experiment_id:
            raise BlobNotFound
        job = self._cache.jobs.get(address.train_id)
        if job is None:
            raise BlobNotFound
        place, extent = self._blob_place(job, address)
        return LoggedBlob(place, extent, job.report)

    def _blob_place(self, job: CachedJob, address: BlobAddress) -> tuple[ValuePlace, BlobExtent]:
        """Raises BlobNotFound."""
        named = RunTagFilter(tags=frozenset([address.tag]))
        query = SeriesQuery("", address.plugin_name, DataClass.BLOB_SEQUENCE, named)
        for values in self._values(job, query):
            assert isinstance(values, LoggedValues)
            row = int(np.searchsorted(values.step, address.step))
            if row < len(values.step) and values.step[row] == address.step:
                for _, place, extents in values.places([row]):
                    if values.edition(row) == address.edition and address.index < len(extents):
                        return place, extents[address.index]
        raise BlobNotFound

    # What all of them need ----------------------------------------------------------------------

    def _check(self, experiment_id: str) -> None:
        if experiment_id not in ("", self._experiment_id):
            raise ExperimentNotFound(experiment_id, [self._experiment_id])

    def _jobs(self, query: SeriesQuery) -> list[tuple[str, CachedJob]]:
        """Those that a query admits and that are there. Raises ExperimentNotFound."""
        self._check(query.experiment_id)
        jobs = self._cache.jobs
        wanted = query.run_tag_filter.train_ids
        # Looked up, not searched for: there may be 10,000.
        admitted = jobs if wanted is None else (one for one in wanted if one in jobs)
        return [(train_id, jobs[train_id]) for train_id in sorted(admitted)]

    def _checked(self, answer: Nested[_Columns], query: SeriesQuery) -> Nested[_Columns]:
        """The answer. Raises LogUnreadable if it is empty because logs cannot be read."""
        if not answer:
            for _, job in self._jobs(query):
                if job.snapshot.unread:
                    raise LogUnreadable(job.snapshot.unread)
        return answer

    def _resident(self, job: CachedJob, query: SeriesQuery) -> TrainJobSnapshot:
        """With its columns, if there is anything that is asked for."""
        snapshot = job.snapshot
        return self._cache.resident_of(job) if any(snapshot.generic.admitted(query)) else snapshot

    def _summarized(self, job: CachedJob, query: SeriesQuery) -> TrainJobSnapshot:
        """With what is known of whole series, if any is asked for."""
        snapshot = job.snapshot
        wanted = any(snapshot.generic.admitted(replace(query, data_class=DataClass.SCALAR)))
        return self._cache.summarized(job) if wanted else snapshot

    def _values(self, job: CachedJob, query: SeriesQuery) -> Iterator[GenericValues]:
        """The series of tensors or blob sequences of a job."""
        snapshot = self._resident(job, query)
        for _, entry in snapshot.generic.admitted(query):
            line = snapshot.lines(entry.logged)[0]
            values = generic_values(snapshot, entry, line, job.report)
            if len(values.step):
                yield values
        if query.plugin_name == "hparams" and query.data_class is DataClass.TENSOR:
            for values in fact_values(snapshot):
                if query.run_tag_filter.admits(values.series.tag):
                    yield values
        elif query.plugin_name in ASSET_PLUGINS and query.data_class is DataClass.TENSOR:
            logged = snapshot.generic.entries.get("embedding", {})
            assets = self._experiment.assets_of(job)
            for values in asset_values(assets, logged, {query.plugin_name}):
                if query.run_tag_filter.admits(values.series.tag):
                    yield values


def tensor_bytes(tensor: NDArray[np.generic]) -> int:
    """What a tensor takes when it is sent."""
    if tensor.dtype != object:
        return int(tensor.nbytes)
    strings: list[bytes] = tensor.ravel().tolist()
    return sum(map(len, strings))


def _chosen(values: GenericValues, query: SeriesQuery) -> Sequence[int]:
    """Indices of the values that a query admits."""
    wanted = range(len(values.step))[step_slice(values.step, query.steps)]
    kept = kept_ranks(len(wanted), query.downsample)
    return wanted if kept is None else [wanted[rank] for rank in kept.tolist()]
