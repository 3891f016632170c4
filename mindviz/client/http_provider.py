"""HttpProvider: the generic interface over a mindviz server, with identical results."""

from __future__ import annotations

import math
import re
from base64 import b64decode
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from mindviz.client.server import Answer, Server
from mindviz.datavisual.generic.data_provider import (
    BlobSequencePoints,
    DataProvider,
    ExperimentInfo,
    RequestContext,
)
from mindviz.datavisual.generic.packed_answer import (
    unpacked_aggregates,
    unpacked_blob_sequences,
    unpacked_scalars,
    unpacked_tensors,
)
from mindviz.datavisual.series.generic_series import (
    Blob,
    Nested,
    RunInfo,
    ScalarAggregate,
    ScalarPoints,
    SeriesListing,
    SummaryMetadata,
    TensorPoints,
)
from mindviz.datavisual.series.series_query import SeriesQuery
from mindviz.datavisual.series.time_series import DataClass
from mindviz.errors import BlobNotFound, ExperimentNotFound, InvalidQuery, NotFound

CHUNK_BYTES = 4 * 1024 * 1024
_KEY = re.compile(r"[A-Za-z0-9_-]{1,30000}")
"""Other text is no key, and could change the path."""


class HttpProvider(DataProvider):
    """Reads from the server at a URL, by its routes below `data/`.

    Every method also raises ServerUnavailable.
    """

    def __init__(self, server: Server) -> None:
        self._server = server

    def experiment(self, context: RequestContext, *, experiment_id: str) -> ExperimentInfo:
        return ExperimentInfo(**self._get("data/experiment", context, experiment_id))

    def list_plugins(self, context: RequestContext, *, experiment_id: str) -> Sequence[str]:
        plugins: list[str] = self._get("data/plugins", context, experiment_id)["plugins"]
        return plugins

    def list_train_jobs(self, context: RequestContext, *, experiment_id: str) -> Sequence[RunInfo]:
        train_jobs = self._get("data/train-jobs", context, experiment_id)["train_jobs"]
        return [RunInfo(**run) for run in train_jobs]

    def listings(
        self, context: RequestContext, experiment_id: str, query: SeriesQuery
    ) -> Nested[SeriesListing]:
        body = _series(experiment_id, query) | {"data_class": query.data_class}
        with _not_found(experiment_id):
            answer = self._server.post_json("data/series", body, auth_token=context.auth_token)
        return {
            train_id: {tag: _listing(listing) for tag, listing in tags.items()}
            for train_id, tags in answer["series"].items()
        }

    def scalars(
        self, context: RequestContext, experiment_id: str, query: SeriesQuery
    ) -> Nested[ScalarPoints]:
        body = _points(experiment_id, query)
        return unpacked_scalars(self._post("data/scalars", context, body))

    def aggregates(
        self, context: RequestContext, experiment_id: str, query: SeriesQuery
    ) -> Nested[ScalarAggregate]:
        body = _series(experiment_id, query) | _range(query)
        return unpacked_aggregates(self._post("data/scalar-aggregates", context, body))

    def tensors(
        self, context: RequestContext, experiment_id: str, query: SeriesQuery
    ) -> Nested[TensorPoints]:
        body = _points(experiment_id, query)
        return unpacked_tensors(self._post("data/tensors", context, body))

    def blob_sequences(
        self, context: RequestContext, experiment_id: str, query: SeriesQuery
    ) -> Nested[BlobSequencePoints]:
        body = _points(experiment_id, query) | {
            "start_index": query.indices.start,
            "end_index": query.indices.end,
            "last_index": query.indices.most_recent,
        }
        return unpacked_blob_sequences(self._post("data/blob-sequences", context, body))

    def read_blob(self, context: RequestContext, *, blob_key: str) -> Blob:
        return HttpBlob(self._server, context, blob_key)

    def _get(self, path: str, context: RequestContext, experiment_id: str) -> Any:
        query = {"experiment_id": experiment_id}
        with _not_found(experiment_id):
            return self._server.get_json(path, query, auth_token=context.auth_token)

    def _post(self, path: str, context: RequestContext, body: dict[str, Any]) -> bytes:
        with _not_found(body["experiment_id"]):
            return self._server.send(path, body, auth_token=context.auth_token).content


class HttpBlob(Blob):
    """A blob streamed by a server; its beginning has been read."""

    def __init__(self, server: Server, context: RequestContext, blob_key: str) -> None:
        """Raises BlobNotFound, DamagedValue, ServerUnavailable."""
        self._server = server
        self._context = context
        self._path = f"data/blob/{blob_key}"
        if not _KEY.fullmatch(blob_key):
            raise BlobNotFound
        try:
            headers, self._begin = self._read(0, CHUNK_BYTES)
        except InvalidQuery:  # an empty blob has no ranges
            headers, self._begin = self._ask({})
        self.content_type = headers.get_content_type()
        total = headers.get("Content-Range", "").rpartition("/")[2]
        self.length = int(total) if total else len(self._begin)
        self.etag = headers.get("ETag", "").strip('"')

    def chunks(self, start: int = 0, stop: int | None = None) -> Iterator[bytes]:
        """As in `Blob`."""
        start, stop, _ = slice(start, stop).indices(self.length)
        if start < len(self._begin):
            yield self._begin[start:stop]
            start = len(self._begin)
        for first in range(start, stop, CHUNK_BYTES):
            yield self._read(first, min(stop, first + CHUNK_BYTES)).content

    def _read(self, start: int, stop: int) -> Answer:
        return self._ask({"Range": f"bytes={start}-{stop - 1}"})

    def _ask(self, headers: Mapping[str, str]) -> Answer:
        try:
            token = self._context.auth_token
            return self._server.send(self._path, auth_token=token, headers=headers)
        except NotFound:
            raise BlobNotFound from None


@contextmanager
def _not_found(experiment_id: str) -> Iterator[None]:
    """Only experiments can be unknown: unknown names in filters are absent from answers."""
    try:
        yield
    except NotFound:
        raise ExperimentNotFound(experiment_id) from None


def _series(experiment_id: str, query: SeriesQuery) -> dict[str, Any]:
    run_tags = query.run_tag_filter
    return {
        "experiment_id": experiment_id,
        "plugin_name": query.plugin_name,
        "train_ids": None if run_tags.train_ids is None else sorted(run_tags.train_ids),
        "tags": None if run_tags.tags is None else sorted(run_tags.tags),
    }


def _range(query: SeriesQuery) -> dict[str, Any]:
    return {
        "start_step": _within_int64(query.steps.start),
        "end_step": _within_int64(query.steps.end),
    }


def _points(experiment_id: str, query: SeriesQuery) -> dict[str, Any]:
    body = _series(experiment_id, query) | _range(query)
    body["most_recent"] = _within_int64(query.steps.most_recent)
    downsample = query.downsample
    if downsample is not None:
        body["num_points"] = _within_int64(downsample.num_points)
        body |= {"strategy": downsample.strategy, "seed": downsample.seed}
    return body


def _within_int64(step: int | None) -> int | None:
    """The step, limited to what a log can contain."""
    return None if step is None else min(max(step, -(1 << 63)), (1 << 63) - 1)


def _listing(item: dict[str, Any]) -> SeriesListing:
    metadata = item["summary_metadata"]
    data_class = DataClass(metadata["data_class"])
    content = b64decode(metadata["plugin_content"])
    time = item["max_wall_time"]
    return SeriesListing(
        **item
        | {
            "data_class": DataClass(item["data_class"]),
            "max_wall_time": math.nan if time is None else time,
            "summary_metadata": SummaryMetadata(
                **metadata | {"plugin_content": content, "data_class": data_class}
            ),
        }
    )
