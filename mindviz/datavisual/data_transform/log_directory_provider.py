"""LogDirectoryProvider: the generic interface over the logs below one base dir."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePath

import numpy as np
from numpy.typing import NDArray

from mindviz.datavisual.data_transform.answer_bounds import (
    AnswerBounds,
    AnswerSize,
    check_query,
    index_slice,
    kept_ranks,
    step_slice,
)
from mindviz.datavisual.data_transform.asset_values import ASSET_PLUGINS, asset_values
from mindviz.datavisual.data_transform.blob_extents import BlobExtent
from mindviz.datavisual.data_transform.blob_key import BlobAddress
from mindviz.datavisual.data_transform.data_provider import (
    Blob,
    BlobReference,
    BlobSequenceColumns,
    DataProvider,
    Downsample,
    ExperimentInfo,
    IndexRange,
    RequestContext,
    RunInfo,
    RunTagFilter,
    ScalarAggregate,
    ScalarColumns,
    SeriesListing,
    StepRange,
    TensorColumns,
)
from mindviz.datavisual.data_transform.findings import FindingKind
from mindviz.datavisual.data_transform.generic_catalog import GenericEntry
from mindviz.datavisual.data_transform.generic_scalars import (
    aggregate,
    points_of,
    selected,
    summed_up,
)
from mindviz.datavisual.data_transform.generic_values import (
    GenericValues,
    LoggedValues,
    fact_values,
    generic_values,
)
from mindviz.datavisual.data_transform.log_directory_experiment import LogDirectoryExperiment
from mindviz.datavisual.data_transform.logged_blob import LoggedBlob
from mindviz.datavisual.data_transform.time_series import DataClass
from mindviz.datavisual.data_transform.train_job_snapshot import TrainJobSnapshot
from mindviz.datavisual.data_transform.value_reader import ValuePlace
from mindviz.errors import BlobNotFound, DamagedValue, ExperimentNotFound, TrainJobNotFound

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
        experiment: LogDirectoryExperiment,
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
        for train_id, job in list(self._cache.jobs.items()):
            names |= job.snapshot.generic.plugin_names
            if "hparams" not in names and fact_values(job.snapshot):
                names.add("hparams")
            beside = asset_values(self._experiment.assets(train_id), ())
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

    def list_series(
        self,
        context: RequestContext,
        *,
        experiment_id: str,
        plugin_name: str,
        data_class: DataClass | None = None,
        run_tag_filter: RunTagFilter = RunTagFilter(),
    ) -> Mapping[str, Mapping[str, SeriesListing]]:
        """The plugin's series, of all classes or of one."""
        self._check(experiment_id)
        answer: dict[str, dict[str, SeriesListing]] = {}
        for train_id in self._train_ids(run_tag_filter):
            tags: dict[str, SeriesListing] = {}
            if data_class in (None, DataClass.SCALAR):
                tags.update(self._scalar_listings(train_id, plugin_name, run_tag_filter))
            for wanted in (DataClass.TENSOR, DataClass.BLOB_SEQUENCE):
                if data_class in (None, wanted):
                    for values in self._values(train_id, plugin_name, wanted, run_tag_filter):
                        tags[values.series.tag] = self._listing(train_id, values)
            if tags:
                answer[train_id] = dict(sorted(tags.items()))
        return answer

    def _scalar_listings(
        self, train_id: str, plugin_name: str, run_tag_filter: RunTagFilter
    ) -> Iterator[tuple[str, SeriesListing]]:
        snapshot = self._cache.job(train_id).snapshot
        summaries = snapshot.summaries
        for tag, entry in _wanted(snapshot, plugin_name, DataClass.SCALAR, run_tag_filter):
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

    def read_scalars(
        self,
        context: RequestContext,
        *,
        experiment_id: str,
        plugin_name: str,
        run_tag_filter: RunTagFilter = RunTagFilter(),
        steps: StepRange = StepRange(),
        downsample: Downsample | None = None,
    ) -> Mapping[str, Mapping[str, ScalarColumns]]:
        """Points of the plugin's series of scalars; all of them without `downsample`."""
        self._check(experiment_id)
        check_query(steps, downsample, of_scalars=True)
        size = AnswerSize(self._bounds)
        answer: dict[str, dict[str, ScalarColumns]] = {}
        for train_id, snapshot, entries in self._scalars(plugin_name, run_tag_filter):
            tags = answer.setdefault(train_id, {})
            for tag, entry in entries:
                columns = selected(points_of(snapshot, entry), steps, downsample)
                size.add(len(columns.step), 24 * len(columns.step))
                tags[tag] = columns
        return answer

    def aggregate_scalars(
        self,
        context: RequestContext,
        *,
        experiment_id: str,
        plugin_name: str,
        run_tag_filter: RunTagFilter = RunTagFilter(),
        start_step: int | None = None,
        end_step: int | None = None,
    ) -> Mapping[str, Mapping[str, ScalarAggregate]]:
        """What the points from `start_step` to `end_step` come to; absent where there are none."""
        self._check(experiment_id)
        answer: dict[str, dict[str, ScalarAggregate]] = {}
        steps = StepRange(start_step, end_step)
        whole = steps == StepRange()
        for train_id in self._train_ids(run_tag_filter):
            snapshot = self._cache.job(train_id).snapshot
            for tag, entry in _wanted(snapshot, plugin_name, DataClass.SCALAR, run_tag_filter):
                found = summed_up(snapshot, entry) if whole else None
                if found is None:
                    snapshot = self._cache.resident(train_id)
                    found = aggregate(selected(points_of(snapshot, entry), steps, None))
                if found is not None:
                    answer.setdefault(train_id, {})[tag] = found
        return answer

    def _scalars(
        self, plugin_name: str, run_tag_filter: RunTagFilter
    ) -> Iterator[tuple[str, TrainJobSnapshot, list[tuple[str, GenericEntry]]]]:
        """The train jobs that have such series, and those series."""
        for train_id in self._train_ids(run_tag_filter):
            snapshot = self._cache.job(train_id).snapshot
            if any(_wanted(snapshot, plugin_name, DataClass.SCALAR, run_tag_filter)):
                snapshot = self._cache.resident(train_id)
                found = _wanted(snapshot, plugin_name, DataClass.SCALAR, run_tag_filter)
                yield train_id, snapshot, list(found)

    # Tensors and blobs --------------------------------------------------------------------------

    def read_tensors(
        self,
        context: RequestContext,
        *,
        experiment_id: str,
        plugin_name: str,
        run_tag_filter: RunTagFilter = RunTagFilter(),
        steps: StepRange = StepRange(),
        downsample: Downsample | None = None,
    ) -> Mapping[str, Mapping[str, TensorColumns]]:
        """Values of the plugin's series of tensors; damaged ones are left out."""
        self._check(experiment_id)
        check_query(steps, downsample)
        size = AnswerSize(self._bounds)
        answer: dict[str, dict[str, TensorColumns]] = {}
        for train_id in self._train_ids(run_tag_filter):
            for values in self._values(train_id, plugin_name, DataClass.TENSOR, run_tag_filter):
                indices: list[int] = []
                tensors: list[NDArray[np.generic]] = []
                for index in _chosen(values, steps, downsample):
                    tensor = self._tensor(values, index)
                    if tensor is not None:
                        size.add(1, tensor_bytes(tensor))
                        indices.append(index)
                        tensors.append(tensor)
                answer.setdefault(train_id, {})[values.series.tag] = TensorColumns(
                    values.step[indices], values.wall_time[indices], tuple(tensors)
                )
        return answer

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

    def read_blob_sequences(
        self,
        context: RequestContext,
        *,
        experiment_id: str,
        plugin_name: str,
        run_tag_filter: RunTagFilter = RunTagFilter(),
        steps: StepRange = StepRange(),
        indices: IndexRange = IndexRange(),
        downsample: Downsample | None = None,
    ) -> Mapping[str, Mapping[str, BlobSequenceColumns]]:
        """References to the plugin's blobs."""
        self._check(experiment_id)
        check_query(steps, downsample, indices)
        size = AnswerSize(self._bounds)
        answer: dict[str, dict[str, BlobSequenceColumns]] = {}
        blobs = DataClass.BLOB_SEQUENCE
        for train_id in self._train_ids(run_tag_filter):
            for values in self._values(train_id, plugin_name, blobs, run_tag_filter):
                assert isinstance(values, LoggedValues)
                rows: list[int] = []
                sequences: list[tuple[BlobReference, ...]] = []
                for row, _, extents in values.places(_chosen(values, steps, downsample)):
                    wanted = range(len(extents))[index_slice(indices, len(extents))]
                    size.add(len(wanted), _KEY_BYTES * len(wanted))
                    rows.append(row)
                    sequences.append(self._references(train_id, values, row, wanted))
                answer.setdefault(train_id, {})[values.series.tag] = BlobSequenceColumns(
                    values.step[rows], values.wall_time[rows], tuple(sequences)
                )
        return answer

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
        place, extent = self._blob_place(address)
        return LoggedBlob(place, extent, self._cache.job(address.train_id).report)

    def _blob_place(self, address: BlobAddress) -> tuple[ValuePlace, BlobExtent]:
        named = RunTagFilter(tags=frozenset([address.tag]))
        blobs = DataClass.BLOB_SEQUENCE
        try:
            for values in self._values(address.train_id, address.plugin_name, blobs, named):
                assert isinstance(values, LoggedValues)
                row = int(np.searchsorted(values.step, address.step))
                if row < len(values.step) and values.step[row] == address.step:
                    for _, place, extents in values.places([row]):
                        if values.edition(row) == address.edition:
                            return place, extents[address.index]
        except (TrainJobNotFound, IndexError):
            pass
        raise BlobNotFound

    # What all of them need ----------------------------------------------------------------------

    def _check(self, experiment_id: str) -> None:
        if experiment_id not in ("", self._experiment_id):
            raise ExperimentNotFound(experiment_id)

    def _train_ids(self, run_tag_filter: RunTagFilter) -> list[str]:
        """Those that a filter admits and that are there; looked up, not searched for."""
        jobs = self._cache.jobs
        wanted = run_tag_filter.train_ids
        return sorted(jobs) if wanted is None else sorted(one for one in wanted if one in jobs)

    def _values(
        self, train_id: str, plugin_name: str, data_class: DataClass, run_tag_filter: RunTagFilter
    ) -> Iterator[GenericValues]:
        """The series of tensors or blob sequences of a job. Raises TrainJobNotFound."""
        job = self._cache.job(train_id)
        snapshot = job.snapshot
        if any(_wanted(snapshot, plugin_name, data_class, RunTagFilter())):
            snapshot = self._cache.resident(train_id)
            for _, entry in _wanted(snapshot, plugin_name, data_class, run_tag_filter):
                line = snapshot.lines(entry.logged)[0]
                values = generic_values(snapshot, entry, line, job.report)
                if len(values.step):
                    yield values
        elif plugin_name == "hparams" and data_class is DataClass.TENSOR:
            for values in fact_values(snapshot):
                if _admits(run_tag_filter, values.series.tag):
                    yield values
        if plugin_name in ASSET_PLUGINS and data_class is DataClass.TENSOR:
            logged = snapshot.generic.entries.get("embedding", {})
            assets = self._experiment.assets(train_id)
            for values in asset_values(assets, logged, {plugin_name}):
                if _admits(run_tag_filter, values.series.tag):
                    yield values


def tensor_bytes(tensor: NDArray[np.generic]) -> int:
    """What a tensor takes when it is sent."""
    if tensor.dtype != object:
        return int(tensor.nbytes)
    strings: list[bytes] = tensor.ravel().tolist()
    return sum(map(len, strings))


def _admits(run_tag_filter: RunTagFilter, tag: str) -> bool:
    return run_tag_filter.tags is None or tag in run_tag_filter.tags


def _wanted(
    snapshot: TrainJobSnapshot,
    plugin_name: str,
    data_class: DataClass,
    run_tag_filter: RunTagFilter,
) -> Iterator[tuple[str, GenericEntry]]:
    """The series that a filter admits, by tag."""
    entries = snapshot.generic.entries.get(plugin_name, {})
    tags = run_tag_filter.tags
    names = entries if tags is None else tags & entries.keys()
    for tag in sorted(names):
        entry = entries[tag]
        if entry.series.metadata.data_class is data_class:
            yield tag, entry


def _chosen(
    values: GenericValues, steps: StepRange, downsample: Downsample | None
) -> Sequence[int]:
    """Indices of the values that a query admits."""
    wanted = range(len(values.step))[step_slice(values.step, steps)]
    kept = kept_ranks(len(wanted), downsample)
    return wanted if kept is None else [wanted[rank] for rank in kept.tolist()]
