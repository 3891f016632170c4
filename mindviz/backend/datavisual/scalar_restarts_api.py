"""The route for restarts of scalar series, and for their discarded points."""

from __future__ import annotations

from typing import Any

from mindviz.backend.datavisual.missing_series import missing_series
from mindviz.backend.routes import Routes, jobs_version
from mindviz.backend.schemas import IntegerField, StrictQuery, texts
from mindviz.backend.services import Services
from mindviz.datavisual.analysis.set_aside import restarts_of
from mindviz.datavisual.series.time_series import SCALAR_PLUGIN
from mindviz.datavisual.store import Store
from mindviz.errors import AnswerTooLarge, TagNotFound, TrainJobNotFound

own = Routes()

MAX_SERIES = 2_000
"""Train jobs x tags per request."""
MAX_ASIDE = 4_000
"""Discarded points per series."""
MAX_POINTS = 200_000
"""Discarded points per request."""


class RestartsQuery(StrictQuery):
    """Train jobs x tags."""

    train_id = texts(required=True, empty=True)
    tag = texts(required=True, empty=True, about="As logged.")
    aside = IntegerField(
        minimum=0,
        maximum=MAX_ASIDE,
        load_default=0,
        about="Approximate number of discarded points to return per series.",
    )


@own.get("/datavisual/scalars/restarts", RestartsQuery, version=jobs_version)
def read_restarts(services: Services, query: dict[str, Any]) -> dict[str, Any]:
    """First steps of all restarts and, on demand, discarded points; omits series without any."""
    train_ids, tags = (list(dict.fromkeys(query[name])) for name in ("train_id", "tag"))
    series, aside = len(train_ids) * len(tags), query["aside"]
    if series > MAX_SERIES:
        raise AnswerTooLarge(f"One request may name at most {MAX_SERIES} train jobs x tags.")
    if series * aside > MAX_POINTS:
        raise AnswerTooLarge(f"One request may return at most {MAX_POINTS} discarded points.")
    return {"restarts": _restarts(services.store, train_ids, tags, aside)}


def _restarts(
    store: Store, train_ids: list[str], tags: list[str], aside: int
) -> list[dict[str, Any]]:
    """Raises SeriesNotFound if none of the series exists."""
    items, missing = [], 0
    for train_id in train_ids:
        for tag in tags:
            try:
                item = _restarts_of(store, train_id, tag, aside)
            except (TrainJobNotFound, TagNotFound):
                missing += 1
                continue
            if item:
                items.append({"train_id": train_id, "tag": tag} | item)
    if missing and missing == len(train_ids) * len(tags):
        raise missing_series(store, SCALAR_PLUGIN, train_ids, tags)
    return items


def _restarts_of(store: Store, train_id: str, tag: str, aside: int) -> dict[str, Any]:
    """Empty if there is nothing to report. Raises TrainJobNotFound, TagNotFound."""
    restarts = restarts_of(store, train_id, tag, aside)
    if restarts is None:
        return {}
    if aside:
        return {"step": restarts.steps, "aside": restarts.pieces}
    return {"step": restarts.steps} if restarts.steps else {}
