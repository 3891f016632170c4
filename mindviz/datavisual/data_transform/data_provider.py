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
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from mindviz.datavisual.data_transform.columns import Float64s, Int64s
from mindviz.datavisual.data_transform.time_series import DataClass


@dataclass(frozen=True, slots=True)
class RequestContext:
    """Who asks."""

    auth_token: str = ""
    """As the client sent it; may be empty."""


@dataclass(frozen=True, slots=True)
class RunTagFilter:
    """The cross product of a set of train jobs and a set of tags.

    None stands for all; an empty set for none.
    """

    train_ids: frozenset[str] | None = None
    tags: frozenset[str] | None = None


@dataclass(frozen=True, slots=True)
class StepRange:
    """Which steps of a series: from `start` to `end`, and of these the `most_recent` last ones."""

    start: int | None = None
    """First step wanted."""
    end: int | None = None
    """Last step wanted, itself included."""
    most_recent: int | None = None
    """How many; None for all."""


@dataclass(frozen=True, slots=True)
class IndexRange:
    """Which elements of each blob sequence: numbers `start` to `end`, or the last one alone."""

    start: int = 0
    end: int | None = None
    """The first number no longer wanted."""
    most_recent: bool = False


Strategy = Literal["uniform", "reservoir", "minmax"]


@dataclass(frozen=True, slots=True)
class Downsample:
    """How many points to keep of each series, along the axis of steps."""

    num_points: int
    """At least 0."""
    strategy: Strategy = "uniform"
    """`minmax` is for scalars alone."""
    seed: int = 0
    """Of `reservoir`."""


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

    Every method raises ExperimentNotFound; those with a `downsample`, `steps` or `indices` raise
    InvalidQuery for values that make no sense (a negative number of points, say); `read_*` raise
    AnswerTooLarge, which names the bound (train jobs x tags x points, or bytes).
    """

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

    def list_scalars(
        self,
        context: RequestContext,
        *,
        experiment_id: str,
        plugin_name: str,
        run_tag_filter: RunTagFilter = RunTagFilter(),
    ) -> Mapping[str, Mapping[str, SeriesListing]]:
        """The plugin's series of scalars."""
        return self.list_series(
            context,
            experiment_id=experiment_id,
            plugin_name=plugin_name,
            data_class=DataClass.SCALAR,
            run_tag_filter=run_tag_filter,
        )

    def list_tensors(
        self,
        context: RequestContext,
        *,
        experiment_id: str,
        plugin_name: str,
        run_tag_filter: RunTagFilter = RunTagFilter(),
    ) -> Mapping[str, Mapping[str, SeriesListing]]:
        """The plugin's series of tensors."""
        return self.list_series(
            context,
            experiment_id=experiment_id,
            plugin_name=plugin_name,
            data_class=DataClass.TENSOR,
            run_tag_filter=run_tag_filter,
        )

    def list_blob_sequences(
        self,
        context: RequestContext,
        *,
        experiment_id: str,
        plugin_name: str,
        run_tag_filter: RunTagFilter = RunTagFilter(),
    ) -> Mapping[str, Mapping[str, SeriesListing]]:
        """The plugin's series of blob sequences."""
        return self.list_series(
            context,
            experiment_id=experiment_id,
            plugin_name=plugin_name,
            data_class=DataClass.BLOB_SEQUENCE,
            run_tag_filter=run_tag_filter,
        )

    @abstractmethod
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

    @abstractmethod
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

    @abstractmethod
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

    @abstractmethod
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

    @abstractmethod
    def read_blob(self, context: RequestContext, *, blob_key: str) -> Blob:
        """A blob by its key. Raises BlobNotFound, whatever is wrong with the key."""
