"""Routes of our own that put a data provider's questions, all runs and tags at once.

What is read is answered as `packed_answer` packs it; what is listed, as JSON.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from dataclasses import asdict, replace
from typing import Any

import marshmallow as ma
from flask import Response, request

from mindviz.backend.encoding import to_json
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

NPZ = "application/zip"
_NAMES = ma.fields.List[str]


def _names(about: str) -> _NAMES:
    return ma.fields.List(
        ma.fields.String(),
        load_default=None,
        allow_none=True,
        metadata={"description": f"{about}; null for all, an empty list for none."},
    )


def _number(about: str, **options: Any) -> IntegerField:
    return IntegerField(
        load_default=None, allow_none=True, metadata={"description": about}, **options
    )


class ExperimentQuery(StrictQuery):
    """Which experiment."""

    experiment_id = text(empty=True, default="", about="As in `experiments`; empty for the first.")


class LineageQuery(StrictQuery):
    """Scalars whose statistics come with the lineage."""

    tag = texts(empty=True, about="Exact tags, as logged.")
    tag_pattern = texts(empty=True, about="Regular expressions (RE2) found anywhere in a tag.")


class SeriesBody(StrictQuery):
    """Which series: a set of train jobs x a set of tags of one plugin."""

    experiment_id = text(empty=True, default="", about="As in `experiments`; empty for the first.")
    plugin_name = text(required=True, empty=True, about="TensorBoard's name of it: scalars ...")
    train_ids = _names("Train jobs")
    tags = _names("Tags, as logged")


class ListBody(SeriesBody):
    """Which series are listed."""

    data_class = ma.fields.Enum(
        DataClass,
        by_value=True,
        load_default=None,
        allow_none=True,
        metadata={"description": "Series of this class alone."},
    )


class AggregatesBody(SeriesBody):
    """What is summed up."""

    start_step = _number("The first step wanted.")
    end_step = _number("The last step wanted.")


class ReadBody(AggregatesBody):
    """What is read of each series."""

    most_recent = _number("Of these steps, so many of the last ones.")
    num_points = _number("How many points to keep of each series.")
    strategy = text(default="uniform", about="How: uniform, reservoir, or of scalars minmax.")
    seed = IntegerField(load_default=0, metadata={"description": "Of the reservoir."})


class ReadBlobsBody(ReadBody):
    """What is read of each series of blob sequences."""

    start_index = IntegerField(
        load_default=0, metadata={"description": "The first element wanted of each sequence."}
    )
    end_index = _number("The first element no longer wanted.")
    last_index = ma.fields.Boolean(
        load_default=False, metadata={"description": "Only the last element of each sequence."}
    )


def _series(body: dict[str, Any], data_class: DataClass | None) -> SeriesQuery:
    """Which series a body asks for."""
    wanted = RunTagFilter(_set(body["train_ids"]), _set(body["tags"]))
    return SeriesQuery(body["plugin_name"], data_class, wanted)


def _points(body: dict[str, Any], data_class: DataClass) -> SeriesQuery:
    """Which series, and what of them."""
    count = body["num_points"]
    return replace(
        _series(body, data_class),
        steps=StepRange(body["start_step"], body["end_step"], body["most_recent"]),
        downsample=None if count is None else Downsample(count, body["strategy"], body["seed"]),
    )


def _set(names: list[str] | None) -> frozenset[str] | None:
    return None if names is None else frozenset(names)


def add_routes(routes: Routes, services: Services) -> None:
    """Add the routes of this module."""
    _add_experiment_routes(routes, services)
    _add_series_routes(routes, services)


def _add_experiment_routes(routes: Routes, services: Services) -> None:
    answer = services.responses.uncached

    @routes.get("/data/experiment", ExperimentQuery)
    def read_experiment(query: dict[str, Any]) -> Response:
        """What is known of an experiment as a whole."""
        return answer(to_json(asdict(services.provider.experiment(_context(), **query))))

    @routes.get("/data/plugins", ExperimentQuery)
    def list_data_plugins(query: dict[str, Any]) -> Response:
        """Names of all plugins that own data."""
        found = services.provider.list_plugins(_context(), **query)
        return answer(to_json({"plugins": list(found)}))

    @routes.get("/data/train-jobs", ExperimentQuery)
    def list_runs(query: dict[str, Any]) -> Response:
        """All train jobs by start time; those without one last."""
        found = services.provider.list_train_jobs(_context(), **query)
        return answer(to_json({"train_jobs": [asdict(run) for run in found]}))

    @routes.get("/data/lineage", LineageQuery)
    def read_lineage(query: dict[str, Any]) -> Response:
        """How the jobs of this experiment were trained, as columns."""
        if query["tag"] or query["tag_pattern"]:
            begin_long_work()  # five columns for each tag that any job has
        return answer(
            lineage_json(services.store, services.lineages, set(query["tag"]), query["tag_pattern"])
        )


def _add_series_routes(routes: Routes, services: Services) -> None:
    @routes.post("/data/series", ListBody)
    def list_series(body: dict[str, Any]) -> Response:
        """The series of a plugin: train job -> tag -> class, last step and time, metadata."""
        found = services.provider.listings(
            _context(), body["experiment_id"], _series(body, body["data_class"])
        )
        listed = {
            train_id: {tag: _listing(one) for tag, one in tags.items()}
            for train_id, tags in found.items()
        }
        return services.responses.uncached(to_json({"series": listed}))

    @routes.post("/data/scalars", ReadBody, content_types=(NPZ,))
    def read_scalars(body: dict[str, Any]) -> Response:
        """Points of series of scalars."""
        found = services.provider.scalars(
            _context(), body["experiment_id"], _points(body, DataClass.SCALAR)
        )
        return _packed(found, packed_scalars)

    @routes.post("/data/scalar-aggregates", AggregatesBody, content_types=(NPZ,))
    def aggregate_scalars(body: dict[str, Any]) -> Response:
        """How many points series of scalars have, their extremes, the first and the last."""
        query = replace(
            _series(body, DataClass.SCALAR), steps=StepRange(body["start_step"], body["end_step"])
        )
        found = services.provider.aggregates(_context(), body["experiment_id"], query)
        return _packed(found, packed_aggregates)

    @routes.post("/data/tensors", ReadBody, content_types=(NPZ,))
    def read_tensors(body: dict[str, Any]) -> Response:
        """Values of series of tensors."""
        found = services.provider.tensors(
            _context(), body["experiment_id"], _points(body, DataClass.TENSOR)
        )
        return _packed(found, packed_tensors)

    @routes.post("/data/blob-sequences", ReadBlobsBody, content_types=(NPZ,))
    def read_blob_sequences(body: dict[str, Any]) -> Response:
        """Keys of the blobs in series of blob sequences."""
        query = replace(
            _points(body, DataClass.BLOB_SEQUENCE),
            indices=IndexRange(
                body["start_index"], body["end_index"], most_recent=body["last_index"]
            ),
        )
        found = services.provider.blob_sequences(_context(), body["experiment_id"], query)
        return _packed(found, packed_blob_sequences)


def _context() -> RequestContext:
    authorization = request.authorization
    return RequestContext((authorization.token or "") if authorization is not None else "")


def _listing(series: SeriesListing) -> dict[str, Any]:
    fields = asdict(series)
    metadata = fields["summary_metadata"]
    metadata["plugin_content"] = b64encode(metadata["plugin_content"]).decode()
    return fields


def _packed(found: Any, pack: Callable[[Any], bytes]) -> Response:
    response = Response(pack(found), content_type=NPZ)
    response.headers["Cache-Control"] = "no-store"
    return response
