"""The contract's route about tensors: shapes, statistics, parts of them, distributions."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from flask import Response

from mindviz.backend import schemas
from mindviz.backend.datavisual.contract_tags import log_tag
from mindviz.backend.datavisual.histograms_api import bucket_rows
from mindviz.backend.encoding import to_json
from mindviz.backend.errors import BadArgument, Reason
from mindviz.backend.routes import Routes
from mindviz.backend.services import Dialect, Services
from mindviz.datavisual.plugins import tensor
from mindviz.datavisual.plugins.tensor import TensorSlice
from mindviz.datavisual.series.series_view import SeriesView
from mindviz.datavisual.store import Store
from mindviz.errors import AnswerTooLarge

PLUGIN = tensor.PLUGIN.name
MAX_SERIES = 100
"""Jobs x tags of one request: each tensor of each is read."""


class StepOfData(schemas.StepField):
    """A step that matters for `detail=data` only, as in the contract."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **options: Any) -> Any:
        if data is None or data.get("detail") != "data":
            return None
        return super()._deserialize(value, attr, data, **options)


class TensorsQuery(schemas.LenientQuery):
    """Tensors of jobs x tags."""

    train_id = schemas.texts(required=True)
    tag = schemas.texts(required=True)
    detail = schemas.text(choices=("stats", "data", "histogram"), about="See the answer.")
    step = StepOfData(load_default=None, metadata={"description": "Required for `data`."})
    dims = schemas.text(
        about="For `data`, required: [0,:,-1]; at most 2 slices and 100,000 elements."
    )


_NAMES = {math.inf: "INF", -math.inf: "-INF"}


def add_routes(routes: Routes, services: Services, dialect: Dialect) -> None:
    """Add the routes of this module."""
    store, responses = services.store, services.responses

    @routes.get("/datavisual/tensors", TensorsQuery)
    def read_tensors(query: dict[str, Any]) -> Response:
        """Tensors of jobs x tags; `detail` says how much of them."""
        train_ids, tags = dialect.named(query["train_id"]), dialect.named(query["tag"])
        if len(train_ids) * len(tags) > MAX_SERIES:
            raise AnswerTooLarge(f"Tensors of more than {MAX_SERIES} series in one request.")
        if query["detail"] == "data":
            for name in ("step", "dims"):
                if query[name] is None:
                    raise BadArgument(Reason.MISSING, f"Param missing. '{name}' is required.")

        def make() -> bytes:
            items = []
            for train_id in train_ids:
                for tag in tags:
                    logged = log_tag(store, train_id, PLUGIN, tag)
                    values = _values(store, train_id, logged, query, dialect)
                    items.append({"train_id": train_id, "tag": tag, "values": values})
            return to_json({"tensors": items})

        return responses.cached(responses.versions(train_ids), make)


def _values(
    store: Store, train_id: str, tag: str, query: dict[str, Any], dialect: Dialect
) -> list[dict[str, Any]]:
    """The rows of one series."""
    # The contract knows numbers alone.
    numbers = not dialect.extras
    if query["detail"] == "data":
        step, dims = query["step"], query["dims"]
        part = tensor.read_slice(store, train_id, tag, step, dims, numbers=numbers)
        return [_slice_row(part)]
    if query["detail"] == "histogram":
        view, histograms = tensor.view_histograms(store, train_id, tag, numbers=numbers)
        rows = _rows(view)
        for row, buckets in zip(rows, bucket_rows(histograms), strict=True):
            row["value"]["histogram_buckets"] = buckets
    elif query["detail"] == "stats":
        rows = _rows(tensor.view_statistics(store, train_id, tag, numbers=numbers))
    else:
        rows = _rows(tensor.view(store, train_id, tag).whole())
    # What is damaged has no shape; the other steps are served.
    return [row for row in rows if row["value"]["dims"] is not None]


def _rows(view: SeriesView) -> list[dict[str, Any]]:
    names = list(view.columns)
    return [
        {"wall_time": wall_time, "step": step, "value": dict(zip(names, values, strict=True))}
        for wall_time, step, *values in zip(
            view.wall_time.tolist(), view.step.tolist(), *view.columns.values(), strict=True
        )
    ]


def _slice_row(part: TensorSlice) -> dict[str, Any]:
    return {
        "wall_time": part.wall_time,
        "step": part.step,
        "value": {
            "dims": list(part.dims),
            "data_type": part.data_type,
            "data": _nested(part.data),
            "statistics": part.statistics,
        },
    }


def _nested(data: np.ndarray[Any, Any]) -> Any:
    """Nested lists of the elements; what is not finite by the contract's names."""
    if data.dtype.kind in "iub":
        return data.tolist()
    if data.dtype.kind == "f" and bool(np.isfinite(data).all()):
        return data.tolist()
    return _named(data.tolist())


def _named(element: Any) -> Any:
    if isinstance(element, list):
        return [_named(one) for one in element]
    if isinstance(element, bytes):
        return element.decode("utf-8", "replace")
    if isinstance(element, complex):
        return str(element)
    if isinstance(element, float) and not math.isfinite(element):
        return _NAMES.get(element, "NAN")
    return element
