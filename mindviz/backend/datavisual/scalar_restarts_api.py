"""A route of our own: where scalar series were taken up again after restarts."""

from __future__ import annotations

from typing import Any

from flask import Response

from mindviz.backend.datavisual.missing_series import missing_series
from mindviz.backend.encoding import to_json
from mindviz.backend.routes import Routes
from mindviz.backend.schemas import StrictQuery, texts
from mindviz.backend.services import Services
from mindviz.datavisual.data_transform.experiment import Experiment
from mindviz.datavisual.series_health import restart_steps
from mindviz.errors import AnswerTooLarge, TagNotFound, TrainJobNotFound

MAX_SERIES = 2_000
"""Jobs x tags of one request."""


class RestartsQuery(StrictQuery):
    """Of which series."""

    train_id = texts(required=True, empty=True)
    tag = texts(required=True, empty=True, about="As the log has it.")


def add_own_routes(routes: Routes, services: Services) -> None:
    """Add the route of this module."""

    @routes.get("/datavisual/scalars/restarts", RestartsQuery)
    def read_restarts(query: dict[str, Any]) -> Response:
        """First steps of all rewrites of jobs x tags; series without any are left out."""
        train_ids, tags = (list(dict.fromkeys(query[name])) for name in ("train_id", "tag"))
        if len(train_ids) * len(tags) > MAX_SERIES:
            raise AnswerTooLarge(f"One request names at most {MAX_SERIES} jobs x tags.")
        version = services.answers.versions(train_ids)
        return services.answers.answer(
            version,
            lambda: to_json({"restarts": _restarts(services.experiment, train_ids, tags)}),
        )


def _restarts(
    experiment: Experiment, train_ids: list[str], tags: list[str]
) -> list[dict[str, Any]]:
    """Raises SeriesNotFound if none of the series exists."""
    found, missing = [], 0
    for train_id in train_ids:
        for tag in tags:
            try:
                if experiment.read_scalars(train_id, tag).superseded_count == 0:
                    continue
                steps = restart_steps(experiment.read_scalars(train_id, tag, restarts="all"))
            except (TrainJobNotFound, TagNotFound):
                missing += 1
                continue
            if steps:
                found.append({"train_id": train_id, "tag": tag, "step": steps})
    if missing and missing == len(train_ids) * len(tags):
        raise missing_series(experiment, "scalar", train_ids, tags)
    return found
