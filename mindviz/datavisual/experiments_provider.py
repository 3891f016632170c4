"""ExperimentsProvider: the generic interface over all experiments that one process serves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mindviz.datavisual.experiments import Experiments
from mindviz.datavisual.generic.data_provider import (
    Blob,
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
from mindviz.datavisual.generic.series_query import RequestContext, SeriesQuery
from mindviz.errors import BlobNotFound


class ExperimentsProvider(DataProvider):
    """Hands each question to the provider of its experiment."""

    def __init__(self, experiments: Experiments) -> None:
        self._experiments = experiments

    def _of(self, experiment_id: str) -> tuple[DataProvider, str]:
        """Who answers, and the id to ask for: the empty one means our first, not the provider's."""
        found = self._experiments.find(experiment_id)
        return found.provider, found.experiment_id

    def _asked(self, query: SeriesQuery) -> tuple[DataProvider, SeriesQuery]:
        provider, experiment_id = self._of(query.experiment_id)
        return provider, replace(query, experiment_id=experiment_id)

    def experiment(self, context: RequestContext, *, experiment_id: str) -> ExperimentInfo:
        provider, experiment_id = self._of(experiment_id)
        return provider.experiment(context, experiment_id=experiment_id)

    def list_plugins(self, context: RequestContext, *, experiment_id: str) -> Sequence[str]:
        provider, experiment_id = self._of(experiment_id)
        return provider.list_plugins(context, experiment_id=experiment_id)

    def list_train_jobs(self, context: RequestContext, *, experiment_id: str) -> Sequence[RunInfo]:
        provider, experiment_id = self._of(experiment_id)
        return provider.list_train_jobs(context, experiment_id=experiment_id)

    def listings(self, context: RequestContext, query: SeriesQuery) -> Nested[SeriesListing]:
        provider, query = self._asked(query)
        return provider.listings(context, query)

    def scalars(self, context: RequestContext, query: SeriesQuery) -> Nested[ScalarColumns]:
        provider, query = self._asked(query)
        return provider.scalars(context, query)

    def aggregates(self, context: RequestContext, query: SeriesQuery) -> Nested[ScalarAggregate]:
        provider, query = self._asked(query)
        return provider.aggregates(context, query)

    def tensors(self, context: RequestContext, query: SeriesQuery) -> Nested[TensorColumns]:
        provider, query = self._asked(query)
        return provider.tensors(context, query)

    def blob_sequences(
        self, context: RequestContext, query: SeriesQuery
    ) -> Nested[BlobSequenceColumns]:
        provider, query = self._asked(query)
        return provider.blob_sequences(context, query)

    def read_blob(self, context: RequestContext, *, blob_key: str) -> Blob:
        # A key is its provider's own business, so each is asked.
        for one in self._experiments:
            try:
                return one.provider.read_blob(context, blob_key=blob_key)
            except BlobNotFound:
                continue
        raise BlobNotFound
