"""DataProvider: the generic interface over experiments. Three data classes; of each, list and read.

Source: "TensorBoard generic data APIs and implementations" (2019). Where TensorBoard as shipped
differs from it, this interface follows TensorBoard: its plugin names (`scalars`, `images`, ...),
hparams, text and meshes as tensors, no labels of audio, graphs told apart by plugin name.

A run is called a train job here. Answers are nested maps train_id -> tag -> series; what a filter
names and the experiment does not have is absent from them. All results are frozen; every method may
be called from any thread.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from mindviz.datavisual.generic.series_query import (
    IndexRange,
    RequestContext,
    RunTagFilter,
    SeriesQuery,
)
from mindviz.datavisual.series.columns import Float64s, Int64s
from mindviz.datavisual.series.selection import Downsample, StepRange
from mindviz.datavisual.series.time_series import DataClass

T = TypeVar("T")
Nested = Mapping[str, Mapping[str, T]]
"""train_id -> tag -> what belongs to the series."""


@dataclass(frozen=True, slots=True)
class SummaryMetadata:
    """What the first value of a series says of it."""

    plugin_name: str
    plugin_content: bytes = b""
    """The plugin's own metadata, serialized."""
    display_name: str = ""
    description: str = ""
    """Markdown."""
    data_class: DataClass = DataClass.SCALAR


@dataclass(frozen=True, slots=True)
class SeriesListing:
    """One series, without its values."""

    data_class: DataClass
    max_step: int
    max_wall_time: float
    """Seconds since the epoch."""
    max_length: int
    """Of blob sequences: elements of the longest one. 0 for other classes."""
    summary_metadata: SummaryMetadata


@dataclass(frozen=True, slots=True, eq=False)
class ScalarColumns:
    """A series of scalars; all arrays have the shape (n,), steps strictly increasing."""

    step: Int64s
    wall_time: Float64s
    value: Float64s


@dataclass(frozen=True, slots=True, eq=False)
class TensorColumns:
    """A series of tensors; `step` and `wall_time` have the shape (n,)."""

    step: Int64s
    wall_time: Float64s
    value: tuple[NDArray[np.generic], ...]
    """n tensors; strings as an object array of `bytes`."""


@dataclass(frozen=True, slots=True)
class BlobReference:
    """Where a blob is: exactly one of the two is given."""

    key: str = ""
    """Opaque and URL-safe; `read_blob` takes it."""
    url: str = ""
    """Absolute."""


@dataclass(frozen=True, slots=True, eq=False)
class BlobSequenceColumns:
    """A series of blob sequences; `step` and `wall_time` have the shape (n,)."""

    step: Int64s
    wall_time: Float64s
    references: tuple[tuple[BlobReference, ...], ...]
    """n sequences."""


class Blob(ABC):
    """One blob, not yet read."""

    content_type: str
    """Media type, told from the first bytes."""
    length: int
    """Bytes."""
    etag: str
    """Equal for equal bytes of the same blob."""

    @abstractmethod
    def chunks(self, start: int = 0, stop: int | None = None) -> Iterator[bytes]:
        """Bytes `start` to `stop`, in pieces of a few MiB at most. Raises DamagedValue."""


@dataclass(frozen=True, slots=True)
class ScalarAggregate:
    """What the points of one series in a range of steps come to. NaN counts, and is no extreme."""

    count: int
    """At least 1."""
    min: float
    """NaN if all points are."""
    argmin: int
    """The first step at which it was reached; of NaN, the first step."""
    max: float
    argmax: int
    first: float
    last: float


@dataclass(frozen=True, slots=True)
class RunInfo:
    """One train job, as generic clients see it."""

    train_id: str
    display_name: str
    start_time: float | None
    """Unix seconds of its first value, or of what its log begins with; None without either."""

    def place(self) -> tuple[float, str]:
        """In lists: by start time and then by train_id; those without one last."""
        return math.inf if self.start_time is None else self.start_time, self.train_id


@dataclass(frozen=True, slots=True)
class ExperimentInfo:
    """What is known of an experiment as a whole."""

    experiment_id: str
    data_location: str
    """A path or a database URL without its password."""
    name: str = ""
    description: str = ""
    creation_time: float | None = None
    """Unix seconds."""


class DataProvider(ABC):
    """Reads any experiment. The empty `experiment_id` means the first one.

    Clients ask by the methods `list_*` and `read_*`, which are here once and for all. A provider
    answers the queries that these make.

    Every method raises ExperimentNotFound; those with a `downsample`, `steps` or `indices` raise
    InvalidQuery for values that make no sense (a negative number of points, say); `read_*` raise
    AnswerTooLarge, which names the bound (train jobs x tags x points, or bytes).
    """

    # What a provider answers ----------------------------------------------------------------------

    @abstractmethod
    def experiment(self, context: RequestContext, *, experiment_id: str) -> ExperimentInfo:
        """The experiment itself."""

    @abstractmethod
    def list_plugins(self, context: RequestContext, *, experiment_id: str) -> Sequence[str]:
        """Names of all plugins that own data, sorted."""

    @abstractmethod
    def list_train_jobs(self, context: RequestContext, *, experiment_id: str) -> Sequence[RunInfo]:
        """All train jobs, by start time and then by train_id; those without one last."""

    @abstractmethod
    def listings(self, context: RequestContext, query: SeriesQuery) -> Nested[SeriesListing]:
        """See `list_series`."""

    @abstractmethod
    def scalars(self, context: RequestContext, query: SeriesQuery) -> Nested[ScalarColumns]:
        """See `read_scalars`."""

    @abstractmethod
    def aggregates(self, context: RequestContext, query: SeriesQuery) -> Nested[ScalarAggregate]:
        """See `aggregate_scalars`."""

    @abstractmethod
    def tensors(self, context: RequestContext, query: SeriesQuery) -> Nested[TensorColumns]:
        """See `read_tensors`."""

    @abstractmethod
    def blob_sequences(
        self, context: RequestContext, query: SeriesQuery
    ) -> Nested[BlobSequenceColumns]:
        """See `read_blob_sequences`."""

    @abstractmethod
    def read_blob(self, context: RequestContext, *, blob_key: str) -> Blob:
        """A blob by its key. Raises BlobNotFound, whatever is wrong with the key."""

    # What clients ask -----------------------------------------------------------------------------

    def list_series(
        self,
        context: RequestContext,
        *,
        experiment_id: str,
        plugin_name: str,
        data_class: DataClass | None = None,
        run_tag_filter: RunTagFilter = RunTagFilter(),
    ) -> Nested[SeriesListing]:
        """The plugin's series, of all classes or of one."""
        query = SeriesQuery(experiment_id, plugin_name, data_class, run_tag_filter)
        return self.listings(context, query)

    def list_scalars(
        self,
        context: RequestContext,
        *,
        experiment_id: str,
        plugin_name: str,
        run_tag_filter: RunTagFilter = RunTagFilter(),
    ) -> Nested[SeriesListing]:
        """The plugin's series of scalars."""
        query = SeriesQuery(experiment_id, plugin_name, DataClass.SCALAR, run_tag_filter)
        return self.listings(context, query)

    def list_tensors(
        self,
        context: RequestContext,
        *,
        experiment_id: str,
        plugin_name: str,
        run_tag_filter: RunTagFilter = RunTagFilter(),
    ) -> Nested[SeriesListing]:
        """The plugin's series of tensors."""
        query = SeriesQuery(experiment_id, plugin_name, DataClass.TENSOR, run_tag_filter)
        return self.listings(context, query)

    def list_blob_sequences(
        self,
        context: RequestContext,
        *,
        experiment_id: str,
        plugin_name: str,
        run_tag_filter: RunTagFilter = RunTagFilter(),
    ) -> Nested[SeriesListing]:
        """The plugin's series of blob sequences."""
        query = SeriesQuery(experiment_id, plugin_name, DataClass.BLOB_SEQUENCE, run_tag_filter)
        return self.listings(context, query)

    def read_scalars(
        self,
        context: RequestContext,
        *,
        experiment_id: str,
        plugin_name: str,
        run_tag_filter: RunTagFilter = RunTagFilter(),
        steps: StepRange = StepRange(),
        downsample: Downsample | None = None,
    ) -> Nested[ScalarColumns]:
        """Points of the plugin's series of scalars; all of them without `downsample`."""
        query = SeriesQuery(
            experiment_id, plugin_name, DataClass.SCALAR, run_tag_filter, steps, downsample
        )
        return self.scalars(context, query)

    def aggregate_scalars(
        self,
        context: RequestContext,
        *,
        experiment_id: str,
        plugin_name: str,
        run_tag_filter: RunTagFilter = RunTagFilter(),
        start_step: int | None = None,
        end_step: int | None = None,
    ) -> Nested[ScalarAggregate]:
        """What the points from `start_step` to `end_step` come to; absent where there are none."""
        steps = StepRange(start_step, end_step)
        query = SeriesQuery(experiment_id, plugin_name, DataClass.SCALAR, run_tag_filter, steps)
        return self.aggregates(context, query)

    def read_tensors(
        self,
        context: RequestContext,
        *,
        experiment_id: str,
        plugin_name: str,
        run_tag_filter: RunTagFilter = RunTagFilter(),
        steps: StepRange = StepRange(),
        downsample: Downsample | None = None,
    ) -> Nested[TensorColumns]:
        """Values of the plugin's series of tensors; damaged ones are left out."""
        query = SeriesQuery(
            experiment_id, plugin_name, DataClass.TENSOR, run_tag_filter, steps, downsample
        )
        return self.tensors(context, query)

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
    ) -> Nested[BlobSequenceColumns]:
        """References to the plugin's blobs."""
        query = SeriesQuery(
            experiment_id,
            plugin_name,
            DataClass.BLOB_SEQUENCE,
            run_tag_filter,
            steps,
            downsample,
            indices,
        )
        return self.blob_sequences(context, query)
