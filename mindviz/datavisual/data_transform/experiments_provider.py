"""ExperimentsProvider: the generic interface over all experiments that one process serves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mindviz.datavisual.data_transform.data_provider import (
    Blob,
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
from mindviz.datavisual.data_transform.experiments import Experiments
from mindviz.datavisual.data_transform.time_series import DataClass
from mindviz.errors import BlobNotFound


class ExperimentsProvider(DataProvider):
    """Hands each question to the provider of its experiment."""

    def __init__(self, experiments: Experiments) -> None:
        self._experiments = experiments

    def _of(self, experiment_id: str) -> tuple[DataProvider, str]:
        """Who answers, and the id to ask for: the empty one means our first, not the provider's."""
        found = self._experiments.find(experiment_id)
        return found.provider, found.experiment_id

    def experiment(self, context: RequestContext, *, experiment_id: str) -> ExperimentInfo:
        provider, experiment_id = self._of(experiment_id)
        return provider.experiment(context, experiment_id=experiment_id)

    def list_plugins(self, context: RequestContext, *, experiment_id: str) -> Sequence[str]:
        provider, experiment_id = self._of(experiment_id)
        return provider.list_plugins(context, experiment_id=experiment_id)

    def list_train_jobs(self, context: RequestContext, *, experiment_id: str) -> Sequence[RunInfo]:
        provider, experiment_id = self._of(experiment_id)
        return provider.list_train_jobs(context, experiment_id=experiment_id)

    def list_series(
        self,
        context: RequestContext,
        *,
        experiment_id: str,
        plugin_name: str,
        data_class: DataClass | None = None,
        run_tag_filter: RunTagFilter = RunTagFilter(),
    ) -> Mapping[str, Mapping[str, SeriesListing]]:
        provider, experiment_id = self._of(experiment_id)
        return provider.list_series(
            context,
            experiment_id=experiment_id,
            plugin_name=plugin_name,
            data_class=data_class,
            run_tag_filter=run_tag_filter,
        )

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
        provider, experiment_id = self._of(experiment_id)
        return provider.read_scalars(
            context,
            experiment_id=experiment_id,
            plugin_name=plugin_name,
            run_tag_filter=run_tag_filter,
            steps=steps,
            downsample=downsample,
        )

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
        provider, experiment_id = self._of(experiment_id)
        return provider.aggregate_scalars(
            context,
            experiment_id=experiment_id,
            plugin_name=plugin_name,
            run_tag_filter=run_tag_filter,
            start_step=start_step,
            end_step=end_step,
        )

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
        provider, experiment_id = self._of(experiment_id)
        return provider.read_tensors(
            context,
            experiment_id=experiment_id,
            plugin_name=plugin_name,
            run_tag_filter=run_tag_filter,
            steps=steps,
            downsample=downsample,
        )

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
        provider, experiment_id = self._of(experiment_id)
        return provider.read_blob_sequences(
            context,
            experiment_id=experiment_id,
            plugin_name=plugin_name,
            run_tag_filter=run_tag_filter,
            steps=steps,
            indices=indices,
            downsample=downsample,
        )

    def read_blob(self, context: RequestContext, *, blob_key: str) -> Blob:
        # A key is its provider's own business, so each is asked.
        for one in self._experiments:
            try:
                return one.provider.read_blob(context, blob_key=blob_key)
            except BlobNotFound:
                continue
        raise BlobNotFound
