"""The contract's routes for loss landscapes: intervals and surfaces."""

from __future__ import annotations

from typing import Any

import numpy as np

from mindviz.backend.encoding import problems_by_step
from mindviz.backend.errors import INVALID_VALUE, answer_for
from mindviz.backend.routes import Routes, job_version, jobs_version
from mindviz.backend.run_pages import lineages_of
from mindviz.backend.schemas import JobQuery, LenientQuery, text, texts
from mindviz.backend.services import Services
from mindviz.datavisual.plugins import loss_landscape
from mindviz.datavisual.series.time_series import LandscapePoints, LossLandscape
from mindviz.datavisual.store import Store
from mindviz.errors import AnswerTooLarge, MindvizError, TagNotFound, TrainJobNotFound
from mindviz.export.json_numbers import json_safe
from mindviz.lineagemgr.lineage_table import LineageTable

contract = Routes()

PLUGIN = loss_landscape.PLUGIN.name
MAX_JOBS = 100
"""Per request, because each landscape is decoded."""


class LandscapesQuery(LenientQuery):
    """One landscape per train job."""

    train_id = texts(empty=True)
    type = text(
        empty=True,
        default="interval",
        about="`interval`, or `final` for the one around the result.",
    )
    interval_id = text(empty=True, about="As listed by `intervals`.")


@contract.get("/datavisual/landscape/intervals", JobQuery, version=job_version)
def read_landscape_intervals(services: Services, query: dict[str, str]) -> dict[str, Any]:
    """The intervals of steps or epochs with landscapes."""
    intervals = [
        {"id": interval.id, "value": [interval.first, interval.last]}
        for interval in loss_landscape.list_intervals(services.store, query["train_id"])
    ]
    if not services.dialect.extras:
        return {"intervals": intervals}
    return {"intervals": intervals, "problems": _problems(services.store, query["train_id"])}


@contract.get("/datavisual/landscape/landscapes", LandscapesQuery, version=jobs_version)
def read_landscapes(services: Services, query: dict[str, Any]) -> dict[str, Any]:
    """The landscape of an interval, or around the result, of each train job."""
    train_ids = services.dialect.named(query["train_id"])
    if len(train_ids) > MAX_JOBS:
        raise AnswerTooLarge(f"One request may name at most {MAX_JOBS} train jobs.")
    kind, interval = query["type"], query["interval_id"]
    return {"landscapes": [_item(services, train_id, kind, interval) for train_id in train_ids]}


def _problems(store: Store, train_id: str) -> list[dict[str, Any]]:
    return [
        {"tag": tag, **problem}
        for tag in store.list_tags(train_id).get(PLUGIN, ())
        for view in [loss_landscape.PLUGIN.view(store, train_id, tag).whole()]
        for problem in problems_by_step(view.step, view.problems)
    ]


def _item(services: Services, train_id: str, kind: str, interval_id: str | None) -> dict[str, Any]:
    if not train_id.startswith("./"):
        return {"error_code": INVALID_VALUE, "train_id": train_id}
    try:
        landscape = _find(services.store, train_id, kind, interval_id or "")
    except MindvizError as error:
        return {"error_code": answer_for(error).error_code, "train_id": train_id}
    item: dict[str, Any] = {"train_id": train_id, "points": _coordinates(landscape.points)}
    if landscape.intervals:
        item["path"] = {**_coordinates(landscape.path), "intervals": list(landscape.intervals)}
    item["metadata"] = {
        "decomposition": landscape.decomposition,
        "unit": landscape.unit,
        "step_per_epoch": landscape.step_per_epoch,
        **_training(lineages_of(services, [train_id]), train_id),
    }
    item["convergence_point"] = list(landscape.convergence_point) or [0, 0, 0]
    return item


def _find(store: Store, train_id: str, kind: str, interval_id: str) -> LossLandscape:
    landscape = None
    if kind == "final":
        landscape = loss_landscape.find_landscape(store, train_id)
    elif kind == "interval" and interval_id:
        landscape = loss_landscape.find_landscape(store, train_id, interval_id)
    if landscape is None:
        store.train_job(train_id)  # report a missing job first
        raise TagNotFound(train_id, PLUGIN, interval_id)
    return landscape


def _coordinates(points: LandscapePoints) -> dict[str, np.ndarray[Any, Any]]:
    return {name: np.ascontiguousarray(getattr(points, name)) for name in LandscapePoints.__slots__}


def _training(table: LineageTable, train_id: str) -> dict[str, Any]:
    """The training's settings and results, with some numbers as text, as in the contract."""
    try:
        row = table.rows[table.index_of(train_id)]
    except TrainJobNotFound:  # just deleted
        return dict.fromkeys(("network", "learning_rate", "optimizer", "loss")) | {"metric": {}}
    return {
        "network": row.network,
        "learning_rate": _exponential(row.learning_rate),
        "optimizer": row.optimizer,
        "metric": json_safe(row.metric),
        "loss": _exponential(row.loss),
    }


def _exponential(number: float | None) -> str | None:
    return None if number is None else f"{number:6e}"
