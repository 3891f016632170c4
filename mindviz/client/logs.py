"""Logs: the result of `mindviz.open`, documented in docs/python-api.md."""

from __future__ import annotations

import math
import operator
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import TracebackType
from typing import TYPE_CHECKING, Self, SupportsIndex, TypeAlias

import numpy as np

from mindviz.client.charts import Grouping, XAxis, scalar_chart
from mindviz.client.frame import frame, lineage_arrays, objects
from mindviz.client.html_tables import runs_html
from mindviz.client.log_source import LogSource
from mindviz.client.names import NameChoice, Names, full_train_id
from mindviz.client.point_columns import (
    blob_columns,
    image_columns,
    listing_columns,
    scalar_columns,
    tensor_columns,
)
from mindviz.client.run import Run
from mindviz.client.series_selection import CONTEXT, EXPERIMENT_ID, KNOWN, SeriesSelection
from mindviz.datavisual.generic.data_provider import BlobReference, DataProvider
from mindviz.datavisual.series.generic_series import SeriesListing
from mindviz.datavisual.series.selection import Downsample, StepRange, Strategy
from mindviz.datavisual.series.series_query import IndexRange, RunTagFilter, SeriesQuery
from mindviz.datavisual.series.time_series import DataClass
from mindviz.errors import (
    BlobNotFound,
    DamagedValue,
    InvalidQuery,
    NotFound,
    PluginNotFound,
    TrainJobNotFound,
)
from mindviz.export.lineage_columns import lineage_columns

if TYPE_CHECKING:
    import pandas as pd

    from mindviz.notebook.chart import ScalarChart

Steps: TypeAlias = int | tuple[int | None, int | None]
"""One step, or the first and the last step, inclusive; None means no bound."""
ALL: Steps = (None, None)


class Logs:
    """The train jobs of one experiment, as tables.

    Tables are pandas data frames, or without pandas dicts of numpy columns. `train_id` and `tag`
    take one name, several, or a compiled pattern (`re.compile("^train/")`, found anywhere in a
    name); without them, all. Names are exact, tags as logged; the `./` of a train id is optional.
    `steps` is one step or a range, both ends included; `sample` limits the points of each series.
    Rows are sorted by train job, tag and step; wall times are Unix seconds.

    Methods raise NotFound for unknown names, InvalidQuery for invalid arguments, and
    DatabaseUnavailable or ServerUnavailable if reading fails.
    """

    def __init__(self, source: LogSource) -> None:
        """Takes over the source, and closes it."""
        self._source = source

    def __repr__(self) -> str:
        jobs = len(self._provider.list_train_jobs(CONTEXT, experiment_id=EXPERIMENT_ID))
        return f"<{jobs} run{'' if jobs == 1 else 's'} at {self._source.location}>"

    def _repr_html_(self) -> str:
        return runs_html(self._source)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def refresh(self) -> None:
        """Read what was logged since. A server updates by itself."""
        self._source.refresh()

    def close(self) -> None:
        """Free threads, connections and memory."""
        self._source.close()

    def train_jobs(self) -> pd.DataFrame:
        """train_id, display_name, start_time (Unix seconds; NaN without values)."""
        runs = sorted(
            self._provider.list_train_jobs(CONTEXT, experiment_id=EXPERIMENT_ID),
            key=lambda run: run.train_id,
        )
        times = [math.nan if run.start_time is None else run.start_time for run in runs]
        return frame(
            {
                "train_id": objects([run.train_id for run in runs]),
                "display_name": objects([run.display_name for run in runs]),
                "start_time": np.array(times, np.float64),
            }
        )

    def run(self, train_id: str) -> Run:
        """One run. Raises TrainJobNotFound, which suggests the nearest names."""
        known = self._provider.list_train_jobs(CONTEXT, experiment_id=EXPERIMENT_ID)
        train_ids = {run.train_id for run in known}
        full = full_train_id(train_id)
        if full not in train_ids:
            raise TrainJobNotFound(full, sorted(train_ids))
        return Run(self._source, full, partial(self.chart, runs=full))

    def tags(self, train_id: Names = None, *, plugin_name: Names = None) -> pd.DataFrame:
        """The existing series.

        train_id, plugin_name, tag, data_class, max_step, max_wall_time, max_length (of blob
        sequences: the longest), description (Markdown).
        """
        plugins = self._provider.list_plugins(CONTEXT, experiment_id=EXPERIMENT_ID)
        choice = NameChoice.of(plugin_name)
        selected = None if choice is None else choice.resolved(lambda: plugins)
        for name in sorted((selected or frozenset()).difference(plugins, KNOWN)):
            raise PluginNotFound(name, {*plugins, *KNOWN})
        return frame(
            listing_columns(
                {
                    name: self._selection(self._series(name, None, train_id, None)).listed()
                    for name in plugins
                    if selected is None or name in selected
                }
            )
        )

    def scalars(
        self,
        train_id: Names = None,
        tag: Names = None,
        *,
        steps: Steps = ALL,
        sample: int | None = None,
        sampling: Strategy = "uniform",
        plugin_name: str = "scalars",
    ) -> pd.DataFrame:
        """train_id, tag, step, wall_time, value (float64).

        `sampling` is `uniform`, `reservoir`, or `minmax`, which keeps extremes.
        """
        series = self._series(plugin_name, DataClass.SCALAR, train_id, tag)
        selection = self._selection(_with_points(series, steps, sample, sampling))
        return frame(scalar_columns(selection.read(self._provider.scalars)))

    def tensors(
        self,
        train_id: Names = None,
        tag: Names = None,
        *,
        steps: Steps = ALL,
        sample: int | None = None,
        sampling: Strategy = "uniform",
        plugin_name: str = "tensors",
    ) -> pd.DataFrame:
        """train_id, tag, step, wall_time, value (arrays; strings as arrays of bytes).

        Damaged tensors and tensors over the reader's `max_tensor_bytes` are left out.
        """
        series = self._series(plugin_name, DataClass.TENSOR, train_id, tag)
        selection = self._selection(_with_points(series, steps, sample, sampling))
        return frame(tensor_columns(selection.read(self._provider.tensors)))

    def histograms(
        self,
        train_id: Names = None,
        tag: Names = None,
        *,
        steps: Steps = ALL,
        sample: int | None = None,
        sampling: Strategy = "uniform",
    ) -> pd.DataFrame:
        """As `tensors`: value has the shape (buckets, 3): left edge, right edge, count."""
        return self.tensors(
            train_id, tag, steps=steps, sample=sample, sampling=sampling, plugin_name="histograms"
        )

    def images(
        self,
        train_id: Names = None,
        tag: Names = None,
        *,
        steps: Steps = ALL,
        sample: int | None = None,
        sampling: Strategy = "uniform",
    ) -> pd.DataFrame:
        """train_id, tag, step, wall_time, index (within the step), data, width, height.

        `data` is the image as logged (PNG, JPEG ...), None if it is damaged; sizes are in pixels, 0
        if unknown.
        """
        # Width and height precede the images of a step.
        series = self._series("images", DataClass.BLOB_SEQUENCE, train_id, tag)
        query = replace(_with_points(series, steps, sample, sampling), indices=IndexRange(2))
        answer = self._selection(query).read(self._provider.blob_sequences)
        return frame(image_columns(answer, self._read))

    def blobs(
        self,
        train_id: Names = None,
        tag: Names = None,
        *,
        plugin_name: str,
        steps: Steps = ALL,
        sample: int | None = None,
        sampling: Strategy = "uniform",
    ) -> pd.DataFrame:
        """train_id, tag, step, wall_time, index (within the step), data (bytes; None if damaged).

        For any plugin with blobs: `audio`, `graphs` ...
        """
        series = self._series(plugin_name, DataClass.BLOB_SEQUENCE, train_id, tag)
        selection = self._selection(_with_points(series, steps, sample, sampling))
        return frame(blob_columns(selection.read(self._provider.blob_sequences), self._read))

    def chart(
        self,
        tag: Names,
        *,
        runs: Names = None,
        groups: str | Sequence[str] | Mapping[str, Names] | None = None,
        smoothing: float | str = 0.0,
        x: XAxis = "step",
        log_x: bool = False,
        log_y: bool = False,
    ) -> ScalarChart:
        """A live chart of scalars, as a widget; needs the extra `notebook`.

        With `groups`, lines are means of groups of runs: by a field of `lineage`, or several; all
        runs together (`"*"`); or the runs of each name. `smoothing` is a weight below 1, or a text
        as in the REST API, e.g. `mean:25`. Of more than 100 runs, or 1,000 in groups, those with
        the newest points are shown.
        """
        grouping: Grouping | None = (
            {name: self._with_scalars(of, tag) for name, of in groups.items()}
            if isinstance(groups, Mapping)
            else groups
        )
        return scalar_chart(
            self._source,
            self._with_scalars(runs, tag),
            groups=grouping,
            smoothing=smoothing,
            x=x,
            log_x=log_x,
            log_y=log_y,
        )

    def lineage(self, tag: Names = ()) -> pd.DataFrame:
        """Lineage, a row per train job.

        train_id, has_lineage, times, network, optimizer, learning_rate, loss and so on,
        `metric/<name>` and `user_defined/<name>` for everything that any job logged; see
        docs/exports.md. With `tag`, also `scalar/<tag>/last`, `min`, `max`, `min_step` and
        `max_step` of these scalars. Raises NotFound if no job has a scalar of that name.
        """
        choice = NameChoice.of(tag) or NameChoice(frozenset(), ("",))
        columns = lineage_columns(self._source.lineage(sorted(choice.exact), choice.patterns))
        for name in sorted(choice.exact):
            if f"scalar/{name}/last" not in columns:
                known = self._tags_of(self._series("scalars", None, None, None))
                raise NotFound(f"No run has scalar data with tag {name!r}.", name=name, known=known)
        return frame(lineage_arrays(columns))

    @property
    def _provider(self) -> DataProvider:
        return self._source.provider

    def _with_scalars(self, runs: Names, tag: Names) -> Mapping[str, Mapping[str, SeriesListing]]:
        """The scalars of these names, by run. Raises TagNotFound, TrainJobNotFound."""
        series = self._series("scalars", DataClass.SCALAR, runs, tag)
        return self._selection(series).existing()

    def _series(
        self, plugin_name: str, data_class: DataClass | None, train_id: Names, tag: Names
    ) -> SeriesQuery:
        train_ids = self._train_ids(NameChoice.of(train_id))
        query = SeriesQuery(plugin_name, data_class, RunTagFilter(train_ids))
        tags = NameChoice.of(tag)
        if tags is None:
            return query
        listed = replace(query, data_class=None)
        names = tags.resolved(lambda: self._tags_of(listed))
        return replace(query, run_tag_filter=RunTagFilter(train_ids, names))

    def _tags_of(self, query: SeriesQuery) -> set[str]:
        return {tag for tags in self._selection(query).listed().values() for tag in tags}

    def _train_ids(self, choice: NameChoice | None) -> frozenset[str] | None:
        if choice is None:
            return None
        exact = NameChoice(frozenset(map(full_train_id, choice.exact)), choice.patterns)
        return exact.resolved(
            lambda: (
                run.train_id
                for run in self._provider.list_train_jobs(CONTEXT, experiment_id=EXPERIMENT_ID)
            )
        )

    def _selection(self, query: SeriesQuery) -> SeriesSelection:
        return SeriesSelection(self._provider, query)

    def _read(self, blob: BlobReference) -> bytes | None:
        try:
            return b"".join(self._provider.read_blob(CONTEXT, blob_key=blob.key).chunks())
        except (BlobNotFound, DamagedValue):
            return None  # damaged, or deleted meanwhile


def _with_points(
    series: SeriesQuery, steps: Steps, sample: int | None, sampling: Strategy
) -> SeriesQuery:
    """The query with this selection of points. Raises InvalidQuery."""
    downsample = None if sample is None else Downsample(sample, sampling)
    return replace(series, steps=_step_range(steps), downsample=downsample)


def _step_range(steps: Steps) -> StepRange:
    try:
        bounds = (steps, steps) if isinstance(steps, SupportsIndex) else steps
        first, last = (None if bound is None else operator.index(bound) for bound in bounds)
    except (TypeError, ValueError):
        raise InvalidQuery(
            f"steps={steps!r} is neither a step nor a range (first, last): "
            "write steps=100, or steps=(100, None) for step 100 onwards."
        ) from None
    return StepRange(first, last)
