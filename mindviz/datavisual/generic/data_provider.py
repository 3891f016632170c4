"""DataProvider: the generic interface over experiments. Three data classes; of each, list and read.

Source: "TensorBoard generic data APIs and implementations" (2019). Where TensorBoard as shipped
differs from it, this interface follows TensorBoard: its plugin names (`scalars`, `images`, ...),
hparams, text and meshes as tensors, no labels of audio, graphs distinguished by plugin name.

TensorBoard's runs are called train jobs here. Answers are nested maps train_id -> tag -> series;
names in a filter that the experiment does not have are absent. All results are frozen; every method
may be called from any thread.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Required, TypedDict, Unpack

from mindviz.datavisual.answer_bounds import AnswerBounds, AnswerSize
from mindviz.datavisual.experiments import Experiments, ServedExperiment
from mindviz.datavisual.generic.last_value import selects_last_value, with_session_values
from mindviz.datavisual.series.blob_key import BlobAddress
from mindviz.datavisual.series.columns import Float64s, Int64s
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
from mindviz.datavisual.series.selection import Downsample, StepRange
from mindviz.datavisual.series.series_query import (
    IndexRange,
    RunTagFilter,
    SeriesQuery,
    check_query,
)
from mindviz.datavisual.series.time_series import DataClass
from mindviz.datavisual.store import Store
from mindviz.errors import BlobNotFound, ExperimentNotFound


@dataclass(frozen=True, slots=True)
class RequestContext:
    """The client that sent a request."""

    auth_token: str = ""
    """As the client sent it; may be empty."""


@dataclass(frozen=True, slots=True)
class BlobReference:
    """Where a blob is: exactly one of the two is given."""

    key: str = ""
    """Opaque and URL-safe; `read_blob` takes it."""
    url: str = ""
    """Absolute."""


@dataclass(frozen=True, slots=True, eq=False)
class BlobSequencePoints:
    """Points of a series of blob sequences; `step` and `wall_time` have the shape (n,)."""

    step: Int64s
    wall_time: Float64s
    references: tuple[tuple[BlobReference, ...], ...]
    """n sequences."""


@dataclass(frozen=True, slots=True)
class ExperimentInfo:
    """An experiment as a whole."""

    experiment_id: str
    data_location: str
    """A path or a database URL without its password."""
    name: str = ""
    description: str = ""
    creation_time: float | None = None
    """Unix seconds."""


class SeriesKeywords(TypedDict, total=False):
    """Which series: fields of `SeriesQuery`."""

    plugin_name: Required[str]
    run_tag_filter: RunTagFilter


class PointKeywords(SeriesKeywords, total=False):
    """Which of their points."""

    steps: StepRange
    downsample: Downsample | None


class BlobKeywords(PointKeywords, total=False):
    """Which elements of their blob sequences."""

    indices: IndexRange


class DataProvider(ABC):
    """Reads any experiment. The empty `experiment_id` means the first one.

    `list_*` and `read_*` build queries from keywords; subclasses answer queries.

    Every method raises ExperimentNotFound; those with a `downsample`, `steps` or `indices` raise
    InvalidQuery for invalid values (such as a negative number of points); `read_*` raise
    AnswerTooLarge, which names the bound (train jobs x tags x points, or bytes).
    """

    # Queries --------------------------------------------------------------------------------------

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
    def listings(
        self, context: RequestContext, experiment_id: str, query: SeriesQuery
    ) -> Nested[SeriesListing]:
        """See `list_series`."""

    @abstractmethod
    def scalars(
        self, context: RequestContext, experiment_id: str, query: SeriesQuery
    ) -> Nested[ScalarPoints]:
        """See `read_scalars`."""

    @abstractmethod
    def aggregates(
        self, context: RequestContext, experiment_id: str, query: SeriesQuery
    ) -> Nested[ScalarAggregate]:
        """See `aggregate_scalars`."""

    @abstractmethod
    def tensors(
        self, context: RequestContext, experiment_id: str, query: SeriesQuery
    ) -> Nested[TensorPoints]:
        """See `read_tensors`."""

    @abstractmethod
    def blob_sequences(
        self, context: RequestContext, experiment_id: str, query: SeriesQuery
    ) -> Nested[BlobSequencePoints]:
        """See `read_blob_sequences`."""

    @abstractmethod
    def read_blob(self, context: RequestContext, *, blob_key: str) -> Blob:
        """A blob by its key. Raises BlobNotFound for any invalid key."""

    # Keywords -------------------------------------------------------------------------------------

    def list_series(
        self,
        context: RequestContext,
        *,
        experiment_id: str,
        data_class: DataClass | None = None,
        **series: Unpack[SeriesKeywords],
    ) -> Nested[SeriesListing]:
        """The plugin's series, of all classes or of one."""
        return self.listings(context, experiment_id, SeriesQuery(data_class=data_class, **series))

    def list_scalars(
        self, context: RequestContext, *, experiment_id: str, **series: Unpack[SeriesKeywords]
    ) -> Nested[SeriesListing]:
        """The plugin's series of scalars."""
        query = SeriesQuery(data_class=DataClass.SCALAR, **series)
        return self.listings(context, experiment_id, query)

    def list_tensors(
        self, context: RequestContext, *, experiment_id: str, **series: Unpack[SeriesKeywords]
    ) -> Nested[SeriesListing]:
        """The plugin's series of tensors."""
        query = SeriesQuery(data_class=DataClass.TENSOR, **series)
        return self.listings(context, experiment_id, query)

    def list_blob_sequences(
        self, context: RequestContext, *, experiment_id: str, **series: Unpack[SeriesKeywords]
    ) -> Nested[SeriesListing]:
        """The plugin's series of blob sequences."""
        query = SeriesQuery(data_class=DataClass.BLOB_SEQUENCE, **series)
        return self.listings(context, experiment_id, query)

    def read_scalars(
        self, context: RequestContext, *, experiment_id: str, **points: Unpack[PointKeywords]
    ) -> Nested[ScalarPoints]:
        """Points of the plugin's series of scalars; all of them without `downsample`."""
        query = SeriesQuery(data_class=DataClass.SCALAR, **points)
        return self.scalars(context, experiment_id, query)

    def aggregate_scalars(
        self,
        context: RequestContext,
        *,
        experiment_id: str,
        start_step: int | None = None,
        end_step: int | None = None,
        **series: Unpack[SeriesKeywords],
    ) -> Nested[ScalarAggregate]:
        """Aggregates of the points from `start_step` to `end_step`; absent where there are none."""
        steps = StepRange(start_step, end_step)
        query = SeriesQuery(data_class=DataClass.SCALAR, steps=steps, **series)
        return self.aggregates(context, experiment_id, query)

    def read_tensors(
        self, context: RequestContext, *, experiment_id: str, **points: Unpack[PointKeywords]
    ) -> Nested[TensorPoints]:
        """Values of the plugin's series of tensors; damaged ones are left out."""
        query = SeriesQuery(data_class=DataClass.TENSOR, **points)
        return self.tensors(context, experiment_id, query)

    def read_blob_sequences(
        self, context: RequestContext, *, experiment_id: str, **blobs: Unpack[BlobKeywords]
    ) -> Nested[BlobSequencePoints]:
        """References to the plugin's blobs."""
        query = SeriesQuery(data_class=DataClass.BLOB_SEQUENCE, **blobs)
        return self.blob_sequences(context, experiment_id, query)


class StoreProvider(DataProvider):
    """Answers from the stores of some experiments."""

    def __init__(self, experiments: Experiments, bounds: AnswerBounds = AnswerBounds()) -> None:
        self._experiments = experiments
        self._bounds = bounds

    @staticmethod
    def of(
        store: Store, experiment_id: str = "", bounds: AnswerBounds = AnswerBounds()
    ) -> StoreProvider:
        """Answers from one store."""
        return StoreProvider(Experiments([ServedExperiment(experiment_id, store)]), bounds)

    def experiment(self, context: RequestContext, *, experiment_id: str) -> ExperimentInfo:
        served = self._experiments.find(experiment_id)
        info = served.store.info()
        return ExperimentInfo(
            experiment_id=served.experiment_id,
            data_location=info.location,
            name=served.experiment_id or info.name,
            description=info.description,
            creation_time=info.creation_time,
        )

    def list_plugins(self, context: RequestContext, *, experiment_id: str) -> Sequence[str]:
        return sorted(self._store(experiment_id).series.plugins())

    def list_train_jobs(self, context: RequestContext, *, experiment_id: str) -> Sequence[RunInfo]:
        return sorted(self._store(experiment_id).series.runs(), key=RunInfo.place)

    def listings(
        self, context: RequestContext, experiment_id: str, query: SeriesQuery
    ) -> Nested[SeriesListing]:
        return self._store(experiment_id).series.list_series(query)

    def scalars(
        self, context: RequestContext, experiment_id: str, query: SeriesQuery
    ) -> Nested[ScalarPoints]:
        check_query(query)
        store = self._store(experiment_id)
        answer = store.series.read_points(query, AnswerSize(self._bounds))
        return with_session_values(answer, store) if selects_last_value(query) else answer

    def aggregates(
        self, context: RequestContext, experiment_id: str, query: SeriesQuery
    ) -> Nested[ScalarAggregate]:
        return self._store(experiment_id).series.aggregate_points(query)

    def tensors(
        self, context: RequestContext, experiment_id: str, query: SeriesQuery
    ) -> Nested[TensorPoints]:
        check_query(query)
        return self._store(experiment_id).series.read_tensors(query, AnswerSize(self._bounds))

    def blob_sequences(
        self, context: RequestContext, experiment_id: str, query: SeriesQuery
    ) -> Nested[BlobSequencePoints]:
        check_query(query)
        served = self._experiments.find(experiment_id)
        answer = served.store.series.read_blob_sequences(query, AnswerSize(self._bounds))
        return {
            train_id: {
                tag: _with_keys(points, served.experiment_id, train_id, query.plugin_name, tag)
                for tag, points in tags.items()
            }
            for train_id, tags in answer.items()
        }

    def read_blob(self, context: RequestContext, *, blob_key: str) -> Blob:
        address = BlobAddress.of(blob_key)
        try:
            store = self._experiments.find(address.experiment_id).store
        except ExperimentNotFound:
            raise BlobNotFound from None
        return store.series.read_blob(address)

    def _store(self, experiment_id: str) -> Store:
        return self._experiments.find(experiment_id).store


def _with_keys(elements: BlobElements, *series: str) -> BlobSequencePoints:
    """With a key per blob; `series` is experiment id, train id, plugin name and tag."""
    experiment_id, train_id, plugin_name, tag = series
    references = tuple(
        tuple(
            BlobReference(
                BlobAddress(experiment_id, train_id, plugin_name, tag, step, index, edition).key()
            )
            for index, edition in blobs
        )
        for step, blobs in zip(elements.step.tolist(), elements.blobs, strict=True)
    )
    return BlobSequencePoints(elements.step, elements.wall_time, references)
