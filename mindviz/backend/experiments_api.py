"""The route that lists all experiments of the process."""

from __future__ import annotations

from typing import Any

from mindviz.backend.routes import Routes
from mindviz.backend.schemas import NoQuery
from mindviz.backend.services import Services
from mindviz.datavisual.store import Store
from mindviz.datavisual.train_jobs import base_name

own = Routes()


@own.get("/experiments", NoQuery)
def list_experiments(services: Services, _query: dict[str, Any]) -> dict[str, Any]:
    """All experiments, with their names, URLs and load status."""
    served = services.experiments
    stores = (
        [("", services.store)] if served is None else [(e.experiment_id, e.store) for e in served]
    )
    return {"experiments": [_item(services, *one) for one in stores]}


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
