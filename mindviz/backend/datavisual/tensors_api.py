"""The contract's route for tensors: shapes, statistics, slices, distributions."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from mindviz.backend.datavisual.contract_tags import log_tag
from mindviz.backend.datavisual.histograms_api import bucket_rows
from mindviz.backend.errors import BadArgument, Reason
from mindviz.backend.routes import Routes, jobs_version
from mindviz.backend.schemas import LenientQuery, StepField, text, texts
from mindviz.backend.services import Services
from mindviz.datavisual.plugins import tensor
from mindviz.datavisual.plugins.tensor import TensorSlice
from mindviz.datavisual.series.series_view import SeriesView
from mindviz.errors import AnswerTooLarge

contract = Routes()

PLUGIN = tensor.PLUGIN.name
MAX_SERIES = 100
"""Train jobs x tags per request, because each tensor is read."""


class StepOfData(StepField):
    """A step that is ignored unless `detail=data`, as in the contract."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **options: Any) -> Any:
        if data is None or data.get("detail") != "data":
            return None
        return super()._deserialize(value, attr, data, **options)


class TensorsQuery(LenientQuery):
    """Tensors of train jobs x tags."""

    train_id = texts(required=True)
    tag = texts(required=True)
    detail = text(choices=("stats", "data", "histogram"), about="See the response.")
    step = StepOfData(load_default=None, about="Required for `data`.")
    dims = text(about="Required for `data`: [0,:,-1]; up to 2 slices and 100,000 elements.")


_NAMES = {math.inf: "INF", -math.inf: "-INF"}


@contract.get("/datavisual/tensors", TensorsQuery, version=jobs_version)
def read_tensors(services: Services, query: dict[str, Any]) -> dict[str, Any]:
    """Tensors of train jobs x tags; `detail` selects statistics, a slice or a histogram."""
    named = services.dialect.named
    train_ids, tags = named(query["train_id"]), named(query["tag"])
    if len(train_ids) * len(tags) > MAX_SERIES:
        raise AnswerTooLarge(f"One request may name at most {MAX_SERIES} train jobs x tags.")
    if query["detail"] == "data":
        for name in ("step", "dims"):
            if query[name] is None:
                raise BadArgument(Reason.MISSING, f"Param missing. '{name}' is required.")
    items = []
    for train_id in train_ids:
        for tag in tags:
            logged = log_tag(services.store, train_id, PLUGIN, tag)
            values = _values(services, train_id, logged, query)
            items.append({"train_id": train_id, "tag": tag, "values": values})
    return {"tensors": items}


def _values(
    services: Services, train_id: str, tag: str, query: dict[str, Any]
) -> list[dict[str, Any]]:
    store = services.store
    numbers = not services.dialect.extras  # the contract has no tensors of strings
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
        rows = _rows(tensor.PLUGIN.view(store, train_id, tag).whole())
    # Omit damaged values, which have no shape.
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
    """Nested lists of the elements, with the contract's names of non-finite numbers."""
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
