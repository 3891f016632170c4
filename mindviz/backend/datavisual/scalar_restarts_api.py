"""A route of our own: where scalar series restart, and their points that do not count."""

from __future__ import annotations

from typing import Any

from flask import Response

from mindviz.backend.datavisual.missing_series import missing_series
from mindviz.backend.encoding import to_json
from mindviz.backend.routes import Routes
from mindviz.backend.schemas import IntegerField, StrictQuery, texts
from mindviz.backend.services import Services
from mindviz.datavisual.analysis.set_aside import Piece, restarts_of
from mindviz.datavisual.store import Store
from mindviz.errors import AnswerTooLarge, TagNotFound, TrainJobNotFound

MAX_SERIES = 2_000
"""Jobs x tags of one request."""
MAX_ASIDE = 4_000
"""Points that do not count, of one series."""
MAX_POINTS = 200_000
"""Of them, of one request."""


class RestartsQuery(StrictQuery):
    """Of which series."""

    train_id = texts(required=True, empty=True)
    tag = texts(required=True, empty=True, about="As the log has it.")
    aside = IntegerField(
        minimum=0,
        maximum=MAX_ASIDE,
        load_default=0,
        metadata={
            "description": "About how many of each series' points that do not count to answer."
        },
    )


def add_own_routes(routes: Routes, services: Services) -> None:
    """Add the route of this module."""

    @routes.get("/datavisual/scalars/restarts", RestartsQuery)
    def read_restarts(query: dict[str, Any]) -> Response:
        """First steps of all rewrites of jobs x tags, and what is set aside on demand.

        Series without either are left out.
        """
        train_ids, tags = (list(dict.fromkeys(query[name])) for name in ("train_id", "tag"))
        if len(train_ids) * len(tags) > MAX_SERIES:
            raise AnswerTooLarge(f"One request names at most {MAX_SERIES} jobs x tags.")
        aside = query["aside"]
        if len(train_ids) * len(tags) * aside > MAX_POINTS:
            raise AnswerTooLarge(f"One request brings at most {MAX_POINTS} points set aside.")
        version = services.responses.versions(train_ids)
        return services.responses.cached(
            version,
            lambda: to_json({"restarts": _restarts(services.store, train_ids, tags, aside)}),
        )


def _restarts(
    store: Store, train_ids: list[str], tags: list[str], aside: int
) -> list[dict[str, Any]]:
    """Raises SeriesNotFound if none of the series exists."""
    found, missing = [], 0
    for train_id in train_ids:
        for tag in tags:
            try:
                one = _restarts_of(store, train_id, tag, aside)
            except (TrainJobNotFound, TagNotFound):
                missing += 1
                continue
            if one:
                found.append({"train_id": train_id, "tag": tag} | one)
    if missing and missing == len(train_ids) * len(tags):
        raise missing_series(store, "scalar", train_ids, tags)
    return found


def _restarts_of(store: Store, train_id: str, tag: str, aside: int) -> dict[str, Any]:
    """Empty if there is nothing to report. Raises TrainJobNotFound, TagNotFound."""
    found = restarts_of(store, train_id, tag, aside)
    if found is None:
        return {}
    if aside:
        return {"step": found.steps, "aside": [_piece_json(piece) for piece in found.pieces]}
    return {"step": found.steps} if found.steps else {}


def _piece_json(piece: Piece) -> dict[str, Any]:
    return {
        "reason": piece.reason,
        "writer": piece.writer,
        "count": piece.count,
        "step": piece.step,
        "wall_time": piece.wall_time,
        "value": piece.value,
    }
