"""ServedSeries: all series of one run of a server."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import Any
from urllib.parse import urlencode

import numpy as np
from numpy.typing import NDArray

from mindviz.client.series_selection import CONTEXT, EXPERIMENT_ID, SeriesSelection
from mindviz.client.server import Server
from mindviz.datavisual.analysis.series_parity import StepValues
from mindviz.datavisual.generic.data_provider import DataProvider
from mindviz.datavisual.plugins import find_plugin
from mindviz.datavisual.series.findings import Finding, FindingKind
from mindviz.datavisual.series.generic_name import Companions, GenericName
from mindviz.datavisual.series.generic_series import ScalarPoints, TensorPoints
from mindviz.datavisual.series.selection import StepRange
from mindviz.datavisual.series.series_query import RunTagFilter, SeriesQuery
from mindviz.datavisual.series.time_series import (
    SCALAR_PLUGIN,
    TENSOR_PLUGIN,
    DataClass,
    Tensor,
    Value,
)
from mindviz.errors import DamagedValue, NotFound, TrainJobNotFound
from mindviz.lineagemgr.run_series import LostData, RunSeries, Tags, lost_data

_PAGE_BYTES = 16 * 1024 * 1024
"""Of tensors that are requested at once."""
_MOST_AT_ONCE = 1_000


class ServedSeries(RunSeries):
    """The series of a train job, read over HTTP. Methods raise ServerUnavailable."""

    def __init__(self, server: Server, provider: DataProvider, train_id: str) -> None:
        self._server = server
        self._provider = provider
        self._train_id = train_id

    @cached_property
    def tags(self) -> Tags:
        """As in `RunSeries`."""
        columns = self._job("datavisual/train-job-columns")["columns"]
        if not columns["train_id"]:
            raise TrainJobNotFound(self._train_id)
        (tags,) = columns["plugins"]["values"]
        # Other numbers are no scalars for generic clients.
        listed = SeriesSelection(self._provider, self._query("scalars", DataClass.SCALAR)).listed()
        return {**tags, SCALAR_PLUGIN: list(listed.get(self._train_id, ()))}

    def points(self, tags: frozenset[str]) -> Mapping[str, ScalarPoints]:
        """As in `RunSeries`."""
        query = self._query("scalars", DataClass.SCALAR, tags=tags)
        answer = SeriesSelection(self._provider, query).read(self._provider.scalars)
        return answer.get(self._train_id, {})

    def values(self, plugin_name: str, tag: str) -> StepValues:
        """As in `RunSeries`."""
        if plugin_name == TENSOR_PLUGIN:  # generic clients don't see all of these
            yield from self._tensor_files(tag)
            return
        for name in find_plugin(plugin_name).generic_names:
            companions = {
                companion.name: self._companion(companion.name, tag)
                for companion in name.companions
                if companion.data_class is DataClass.TENSOR
            }

            def beside(
                step: int, known: Mapping[str, Mapping[int, NDArray[Any]]] = companions
            ) -> Companions:
                return {key: steps[step] for key, steps in known.items() if step in steps}

            if name.data_class is DataClass.BLOB_SEQUENCE:
                for step, keys in self._blobs(name, tag):
                    yield step, partial(self._blob_value, name, keys, beside(step))
            elif name.data_class is DataClass.TENSOR:
                for step, tensor in self._tensors(plugin_name, name, tag):
                    yield step, partial(name.decoded, _tensor(tensor), beside(step))

    def lost_data(self) -> list[LostData]:
        """As in `RunSeries`."""
        listed = self._job("datavisual/train-jobs")["train_jobs"]
        if not listed:
            raise TrainJobNotFound(self._train_id)
        return lost_data(
            Finding(**problem | {"kind": FindingKind(problem["kind"])})
            for problem in listed[0]["problems"]
        )

    def _job(self, path: str) -> Any:
        return self._server.get_json(path, {"train_id": self._train_id})

    def _query(
        self,
        plugin_name: str,
        data_class: DataClass,
        *,
        tags: frozenset[str] | None = None,
        steps: StepRange = StepRange(),
    ) -> SeriesQuery:
        runs = RunTagFilter(frozenset([self._train_id]), tags)
        return SeriesQuery(plugin_name, data_class, runs, steps)

    def _companion(self, name: str, tag: str) -> Mapping[int, NDArray[Any]]:
        points = self._read(name, tag, StepRange())
        return {} if points is None else dict(zip(points.step.tolist(), points.value, strict=True))

    def _read(self, name: str, tag: str, steps: StepRange) -> TensorPoints | None:
        query = self._query(name, DataClass.TENSOR, tags=frozenset([tag]), steps=steps)
        answer = self._provider.tensors(CONTEXT, EXPERIMENT_ID, query)
        return answer.get(self._train_id, {}).get(tag)

    def _tensors(
        self, plugin_name: str, name: GenericName, tag: str
    ) -> Iterator[tuple[int, NDArray[Any]]]:
        """Newest first, in pages of at most about `_PAGE_BYTES`."""
        points = self._read(name.name, tag, StepRange(most_recent=1))
        if points is None:
            return
        facts = {"train_id": self._train_id, "tag": tag, "sample": "0"}
        total = self._server.get_json(f"series/{plugin_name}", facts)["total"]
        end, at_once, seen = None, 1, 0
        while True:
            yield from reversed(list(zip(points.step.tolist(), points.value, strict=True)))
            seen += len(points.step)
            if len(points.step):
                end = int(points.step[0]) - 1
                largest = max(1, *(value.nbytes for value in points.value))
                at_once = min(2 * at_once, max(1, _PAGE_BYTES // largest), _MOST_AT_ONCE)
            elif at_once > total:
                return
            else:
                at_once *= 2  # the server leaves damaged values out
            if seen >= total:
                return
            points = self._read(name.name, tag, StepRange(None, end, at_once))
            if points is None:
                return

    def _tensor_files(self, tag: str) -> StepValues:
        facts = {"train_id": self._train_id, "tag": tag}
        try:
            steps = self._server.get_json(f"series/{TENSOR_PLUGIN}", facts)["step"]
        except NotFound:
            return
        for step in reversed(steps):
            query = urlencode(facts | {"step": step})
            yield step, partial(self._tensor_file, f"series/{TENSOR_PLUGIN}/npy?{query}")

    def _tensor_file(self, path: str) -> Value:
        content = self._server.send(path).content
        try:
            return _tensor(np.load(io.BytesIO(content), allow_pickle=False))
        except (OSError, ValueError) as error:
            raise DamagedValue(f"A NumPy file is damaged: {error}.") from error

    def _blobs(self, name: GenericName, tag: str) -> Iterator[tuple[int, Sequence[str]]]:
        query = self._query(name.name, DataClass.BLOB_SEQUENCE, tags=frozenset([tag]))
        answer = self._provider.blob_sequences(CONTEXT, EXPERIMENT_ID, query)
        points = answer.get(self._train_id, {}).get(tag)
        if points is not None:
            keys = [[blob.key for blob in blobs] for blobs in points.references]
            yield from reversed(list(zip(points.step.tolist(), keys, strict=True)))

    def _blob_value(self, name: GenericName, keys: Sequence[str], companions: Companions) -> Value:
        """Raises DamagedValue."""
        if name.from_blobs is None:
            raise DamagedValue(f"Values of {name.name} cannot be decoded.")
        blobs = [self._provider.read_blob(CONTEXT, blob_key=key) for key in keys]
        return name.from_blobs([b"".join(blob.chunks()) for blob in blobs], companions)


def _tensor(array: NDArray[Any]) -> Tensor:
    return Tensor(
        array, f"DT_{'STRING' if array.dtype == np.object_ else array.dtype.name.upper()}"
    )
