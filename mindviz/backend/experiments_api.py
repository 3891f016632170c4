"""Routes of our own about the experiments that one process serves."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from flask import Response

from mindviz.backend import schemas
from mindviz.backend.encoding import to_json
from mindviz.backend.routes import Routes
from mindviz.backend.services import Services
from mindviz.datavisual.store import Store
from mindviz.datavisual.train_jobs import base_name


def add_routes(routes: Routes, services: Services) -> None:
    """Add the route of this module."""

    @routes.get("/experiments", schemas.NoQuery)
    def list_experiments(_query: dict[str, Any]) -> Response:
        """All experiments: what they are called, where their pages are, how far they are loaded."""
        items = [
            _item(services, experiment_id, store) for experiment_id, store in _experiments(services)
        ]
        return services.responses.uncached(to_json({"experiments": items}))


def _experiments(services: Services) -> Iterable[tuple[str, Store]]:
    if services.experiments is None:
        return [("", services.store)]
    return [(one.experiment_id, one.store) for one in services.experiments]


def _item(services: Services, experiment_id: str, store: Store) -> dict[str, object]:
    status = store.status()
    return {
        "experiment_id": experiment_id,
        "name": experiment_id or base_name(status),
        "url": f"{services.experiments_url}{experiment_id}/" if experiment_id else "./",
        "shown": store is services.store,
        "summary_base_dir": status.summary_base_dir,
        "load_status": status.load_status,
        "train_jobs": status.train_jobs,
        "problem_count": status.problem_count,
    }
