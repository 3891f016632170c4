"""Routes of our own about the health of train jobs: what is wrong in their logs and series."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from flask import Response

from mindviz.backend.encoding import to_json
from mindviz.backend.routes import Routes
from mindviz.backend.schemas import IntegerField, StrictQuery, text, texts
from mindviz.backend.services import Services

MAX_EVENTS = 1000
"""On one page."""


class FindingsQuery(StrictQuery):
    """Which findings."""

    train_id = texts(about="Only of these jobs; by default of all, and of the base dir.")
    without = texts(about="Not of these train jobs.")
    kind = texts(about="Only of these kinds.")
    severity = texts(about="Only of these severities: severe, warning, note.")
    offset = IntegerField(
        minimum=0, load_default=0, metadata={"description": "How many events to skip."}
    )
    limit = IntegerField(minimum=0, maximum=MAX_EVENTS, load_default=100)


class PlaceQuery(StrictQuery):
    """Where in which file."""

    train_id = text(required=True)
    path = text(required=True, about="The log file of the finding.")
    offset = IntegerField(minimum=0, required=True, metadata={"description": "One of the event's."})


def add_routes(routes: Routes, services: Services) -> None:
    """Add the routes of this module."""
    store, responses = services.store, services.responses

    @routes.get("/findings", FindingsQuery)
    def read_findings(query: dict[str, Any]) -> Response:
        """What is wrong in logs and odd in scalars, event by event, the worst first."""
        page = services.health.page(
            query["train_id"],
            without=query["without"],
            kinds=query["kind"],
            severities=query["severity"],
            offset=query["offset"],
            limit=query["limit"],
        )
        answer = {
            "train_jobs": page.jobs,
            "looked_into": page.looked_into,
            "outdated": page.outdated,
            "counts": {kind.value: count for kind, count in page.counts.items()},
            "severities": {one.value: count for one, count in page.severities.items()},
            "total": page.total,
            "total_count": page.total_count,
            "unlisted": page.unlisted,
            "events": [{"train_id": train_id, **asdict(event)} for train_id, event in page.events],
        }
        return responses.uncached(to_json(answer))

    @routes.post("/findings", FindingsQuery)
    def read_findings_of_many(body: dict[str, Any]) -> Response:
        """The same, for more train_ids than a query holds."""
        return read_findings(body)

    @routes.get("/findings/place", PlaceQuery)
    def read_place(query: dict[str, Any]) -> Response:
        """Where in the charts a damaged record would have been: what was logged just before it."""
        place = store.damage_place(query["train_id"], query["path"], query["offset"])
        return responses.uncached(to_json({"place": place and asdict(place)}))
