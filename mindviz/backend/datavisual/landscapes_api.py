"""The contract's routes about loss landscapes: which intervals there are, and the surfaces."""

from __future__ import annotations

from typing import Any

import numpy as np
from flask import Response

from mindviz.backend.encoding import problems_by_step, to_json
from mindviz.backend.errors import INVALID_VALUE, answer_for
from mindviz.backend.routes import Routes
from mindviz.backend.schemas import LenientQuery, text, texts
from mindviz.backend.services import Dialect, Services
from mindviz.datavisual.plugins import loss_landscape
from mindviz.datavisual.series.time_series import LandscapePoints, LossLandscape
from mindviz.datavisual.store import Store
from mindviz.errors import AnswerTooLarge, MindvizError, TagNotFound, TrainJobNotFound
from mindviz.export.json_numbers import json_safe
from mindviz.lineagemgr.lineage_table import Lineages

PLUGIN = loss_landscape.PLUGIN.name
MAX_JOBS = 100
"""Of one request: each landscape of each is decoded."""


class IntervalsQuery(LenientQuery):
    """The landscapes of one train job."""

    train_id = text(required=True)


class LandscapesQuery(LenientQuery):
    """One landscape of each of some train jobs."""

    train_id = texts(empty=True)
    type = text(
        empty=True,
        default="interval",
        about="`interval`, or `final` for the one around the result.",
    )
    interval_id = text(empty=True, about="As listed by `intervals`.")


def add_routes(routes: Routes, services: Services, dialect: Dialect) -> None:
    """Add the routes of this module."""
    store, responses = services.store, services.responses

    @routes.get("/datavisual/landscape/intervals", IntervalsQuery)
    def read_landscape_intervals(query: dict[str, str]) -> Response:
        """The intervals of steps or epochs that there are landscapes of."""
        train_id = query["train_id"]
        version = responses.versions([train_id])

        def make() -> bytes:
            found = loss_landscape.list_intervals(store, train_id)
            answer: dict[str, Any] = {
                "intervals": [{"id": one.id, "value": [one.first, one.last]} for one in found]
            }
            if dialect.extras:
                answer["problems"] = _problems(store, train_id)
            return to_json(answer)

        return responses.cached(version, make)

    @routes.get("/datavisual/landscape/landscapes", LandscapesQuery)
    def read_landscapes(query: dict[str, Any]) -> Response:
        """The landscape of an interval, or around the result, for each of the jobs."""
        train_ids = dialect.named(query["train_id"])
        if len(train_ids) > MAX_JOBS:
            raise AnswerTooLarge(f"Landscapes of more than {MAX_JOBS} train jobs in one request.")

        def make() -> bytes:
            items = [
                _item(services, train_id, query["type"], query["interval_id"])
                for train_id in train_ids
            ]
            return to_json({"landscapes": items})

        return responses.cached(responses.versions(train_ids), make)


def _problems(store: Store, train_id: str) -> list[dict[str, Any]]:
    """Which landscapes could not be read, and why."""
    return [
        {"tag": tag, **problem}
        for tag in store.list_tags(train_id).get(PLUGIN, ())
        for problem in problems_by_step(loss_landscape.view(store, train_id, tag))
    ]


def _item(services: Services, train_id: str, kind: str, wanted: str | None) -> dict[str, Any]:
    """The landscape of one job; what is wrong with it concerns the others as little as can be."""
    if not train_id.startswith("./"):
        return {"error_code": INVALID_VALUE, "train_id": train_id}
    try:
        found = _find(services.store, train_id, kind, wanted or "")
    except MindvizError as error:
        return {"error_code": answer_for(error).error_code, "train_id": train_id}
    item: dict[str, Any] = {"train_id": train_id, "points": _coordinates(found.points)}
    if found.intervals:
        item["path"] = {**_coordinates(found.path), "intervals": list(found.intervals)}
    item["metadata"] = {
        "decomposition": found.decomposition,
        "unit": found.unit,
        "step_per_epoch": found.step_per_epoch,
        **_training(services.lineages, train_id),
    }
    item["convergence_point"] = list(found.convergence_point) or [0, 0, 0]
    return item


def _find(store: Store, train_id: str, kind: str, wanted: str) -> LossLandscape:
    found = None
    if kind == "final":
        found = loss_landscape.find_final(store, train_id)
    elif kind == "interval" and wanted:
        found = loss_landscape.find_interval(store, train_id, wanted)
    if found is None:
        store.train_job(train_id)  # a job that is not there is said first
        raise TagNotFound(train_id, PLUGIN, wanted)
    return found


def _coordinates(points: LandscapePoints) -> dict[str, np.ndarray[Any, Any]]:
    return {name: np.ascontiguousarray(getattr(points, name)) for name in LandscapePoints.__slots__}


def _training(lineages: Lineages, train_id: str) -> dict[str, Any]:
    """How the job was trained, numbers as text: so the contract has them."""
    table = lineages.table()
    try:
        row = table.rows[table.index_of(train_id)]
    except TrainJobNotFound:  # gone meanwhile
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
