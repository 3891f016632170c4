"""Routes of the generic interface, each for any number of train jobs and tags.

Listings are JSON; data is in the format of `packed_answer`.
"""

from __future__ import annotations

from base64 import b64encode
from dataclasses import asdict, replace
from typing import Any

import marshmallow as ma
from flask import Response, request

from mindviz.backend.routes import Routes
from mindviz.backend.schemas import IntegerField, StrictQuery, text, texts
from mindviz.backend.services import Services
from mindviz.datavisual.generic.data_provider import RequestContext
from mindviz.datavisual.generic.packed_answer import (
    packed_aggregates,
    packed_blob_sequences,
    packed_scalars,
    packed_tensors,
)
from mindviz.datavisual.series.generic_series import SeriesListing
from mindviz.datavisual.series.selection import Downsample, StepRange
from mindviz.datavisual.series.series_query import IndexRange, RunTagFilter, SeriesQuery
from mindviz.datavisual.series.time_series import DataClass
from mindviz.deadline import begin_long_work
from mindviz.export.lineage_columns import lineage_json

own = Routes()

NPZ = "application/zip"
_NAMES = ma.fields.List[str]


def _names(about: str) -> _NAMES:
    return ma.fields.List(
        ma.fields.String(),
        load_default=None,
        allow_none=True,
        metadata={"description": f"{about}; null for all, an empty list for none."},
    )


def _number(about: str) -> IntegerField:
    return IntegerField(load_default=None, allow_none=True, about=about)


class ExperimentQuery(StrictQuery):
    """One experiment."""

    experiment_id = text(empty=True, default="", about="As in `experiments`; default the first.")


class LineageQuery(StrictQuery):
    """Scalars whose statistics are added to the lineage."""

    tag = texts(empty=True, about="Tags, as logged.")
    tag_pattern = texts(empty=True, about="Regular expressions (RE2) that match a part of tags.")


class SeriesBody(ExperimentQuery):
    """A set of train jobs x a set of tags of one plugin."""

    plugin_name = text(required=True, empty=True, about="TensorBoard's name, e.g. scalars.")
    train_ids = _names("Train jobs")
    tags = _names("Tags, as logged")


class ListBody(SeriesBody):
    """The series to list."""

    data_class = ma.fields.Enum(
        DataClass,
        by_value=True,
        load_default=None,
        allow_none=True,
        metadata={"description": "Only series of this class."},
    )


class AggregatesBody(SeriesBody):
    """The series and the steps to aggregate."""

    start_step = _number("First step.")
    end_step = _number("Last step.")


class ReadBody(AggregatesBody):
    """The points to read of each series."""

    most_recent = _number("Only this many last steps of the range.")
    num_points = _number("Maximum number of points per series.")
    strategy = text(default="uniform", about="uniform, reservoir or, for scalars, minmax.")
    seed = IntegerField(load_default=0, about="Of the reservoir.")


class ReadBlobsBody(ReadBody):
    """The blobs to read of each series."""

    start_index = IntegerField(load_default=0, about="First element of each sequence.")
    end_index = _number("End of the elements, exclusive.")
    last_index = ma.fields.Boolean(
        load_default=False, metadata={"description": "Only the last element of each sequence."}
    )


def _series(body: dict[str, Any], data_class: DataClass | None) -> SeriesQuery:
    run_tags = RunTagFilter(_set(body["train_ids"]), _set(body["tags"]))
    return SeriesQuery(body["plugin_name"], data_class, run_tags)


def _points(body: dict[str, Any], data_class: DataClass) -> SeriesQuery:
    count = body["num_points"]
    return replace(
        _series(body, data_class),
        steps=StepRange(body["start_step"], body["end_step"], body["most_recent"]),
        downsample=None if count is None else Downsample(count, body["strategy"], body["seed"]),
    )


def _set(names: list[str] | None) -> frozenset[str] | None:
    return None if names is None else frozenset(names)


@own.get("/data/experiment", ExperimentQuery)
def read_experiment(services: Services, query: dict[str, Any]) -> dict[str, Any]:
    """The metadata of an experiment."""
    return asdict(services.provider.experiment(_context(), **query))


@own.get("/data/plugins", ExperimentQuery)
def list_data_plugins(services: Services, query: dict[str, Any]) -> dict[str, Any]:
    """Names of all plugins that have data."""
    return {"plugins": list(services.provider.list_plugins(_context(), **query))}


@own.get("/data/train-jobs", ExperimentQuery)
def list_runs(services: Services, query: dict[str, Any]) -> dict[str, Any]:
    """All train jobs by start time; those without one last."""
    train_jobs = services.provider.list_train_jobs(_context(), **query)
    return {"train_jobs": list(train_jobs)}


@own.get("/data/lineage", LineageQuery)
def read_lineage(services: Services, query: dict[str, Any]) -> bytes:
    """The lineage of all train jobs, as columns."""
    if query["tag"] or query["tag_pattern"]:
        begin_long_work()  # five columns per tag
    return lineage_json(services.store, services.lineages, set(query["tag"]), query["tag_pattern"])


@own.post("/data/series", ListBody)
def list_series(services: Services, body: dict[str, Any]) -> dict[str, Any]:
    """The series of a plugin: train job -> tag -> data class, last step and time, metadata."""
    query = _series(body, body["data_class"])
    answer = services.provider.listings(_context(), body["experiment_id"], query)
    listed = {
        train_id: {tag: _listing(listing) for tag, listing in tags.items()}
        for train_id, tags in answer.items()
    }
    return {"series": listed}


@own.post("/data/scalars", ReadBody, content_types=(NPZ,))
def read_scalars(services: Services, body: dict[str, Any]) -> Response:
    """Points of scalar series."""
    query = _points(body, DataClass.SCALAR)
    answer = services.provider.scalars(_context(), body["experiment_id"], query)
    return _npz(packed_scalars(answer))


@own.post("/data/scalar-aggregates", AggregatesBody, content_types=(NPZ,))
def aggregate_scalars(services: Services, body: dict[str, Any]) -> Response:
    """Number of points, extremes, first and last point of scalar series."""
    steps = StepRange(body["start_step"], body["end_step"])
    query = replace(_series(body, DataClass.SCALAR), steps=steps)
    answer = services.provider.aggregates(_context(), body["experiment_id"], query)
    return _npz(packed_aggregates(answer))


@own.post("/data/tensors", ReadBody, content_types=(NPZ,))
def read_tensors(services: Services, body: dict[str, Any]) -> Response:
    """Values of tensor series."""
    query = _points(body, DataClass.TENSOR)
    answer = services.provider.tensors(_context(), body["experiment_id"], query)
    return _npz(packed_tensors(answer))


@own.post("/data/blob-sequences", ReadBlobsBody, content_types=(NPZ,))
def read_blob_sequences(services: Services, body: dict[str, Any]) -> Response:
    """Keys of the blobs in blob sequences."""
    indices = IndexRange(body["start_index"], body["end_index"], most_recent=body["last_index"])
    query = replace(_points(body, DataClass.BLOB_SEQUENCE), indices=indices)
    answer = services.provider.blob_sequences(_context(), body["experiment_id"], query)
    return _npz(packed_blob_sequences(answer))


def _context() -> RequestContext:
    authorization = request.authorization
    return RequestContext((authorization.token or "") if authorization is not None else "")


def _listing(series: SeriesListing) -> dict[str, Any]:
    fields = asdict(series)
    metadata = fields["summary_metadata"]
    metadata["plugin_content"] = b64encode(metadata["plugin_content"]).decode()
    return fields


def _npz(packed: bytes) -> Response:
    response = Response(packed, content_type=NPZ)
    response.headers["Cache-Control"] = "no-store"
    return response
