"""Routes about the health of train jobs: problems in their logs and series."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import marshmallow as ma

from mindviz.backend.routes import Routes
from mindviz.backend.schemas import IntegerField, StrictQuery, text, texts
from mindviz.backend.services import Services
from mindviz.backend.train_job_columns import severity_counts

own = Routes()

MAX_EVENTS = 1000
"""Per page."""


class FindingsQuery(StrictQuery):
    """Which findings."""

    train_id = texts(about="Only these train jobs; default all, and the base dir.")
    without = texts(about="Exclude these train jobs.")
    kind = texts(about="Only these kinds.")
    severity = texts(about="Only these severities: severe, warning, note.")
    runs = ma.fields.Boolean(
        load_default=False,
        metadata={"description": "Also count the events in the series of each run that has some."},
    )
    marks = ma.fields.Boolean(
        load_default=False,
        metadata={
            "description": "Also list every place where rules found something in `train_id`: "
            "step, and first and last step of a chart that shows it."
        },
    )
    offset = IntegerField(minimum=0, load_default=0, about="Number of events to skip.")
    limit = IntegerField(minimum=0, maximum=MAX_EVENTS, load_default=100)


class PlaceQuery(StrictQuery):
    """A position in a log file."""

    train_id = text(required=True)
    path = text(required=True, about="The log file of the finding.")
    offset = IntegerField(minimum=0, required=True, about="One of the event's, in bytes.")


@own.post("/findings", FindingsQuery)
def read_findings_of_many(services: Services, body: dict[str, Any]) -> dict[str, Any]:
    """As GET, for more train_ids than fit into a URL."""
    return read_findings(services, body)


@own.get("/findings", FindingsQuery)
def read_findings(services: Services, query: dict[str, Any]) -> dict[str, Any]:
    """Problems in logs and anomalies in scalars, most severe first."""
    page = services.health.page(
        query["train_id"],
        without=query["without"],
        kinds=query["kind"],
        severities=query["severity"],
        offset=query["offset"],
        limit=query["limit"],
    )
    runs = services.health.run_events() if query["runs"] else {}
    counted = {
        train_id: severity_counts(events) for train_id, events in runs.items() if any(events)
    }
    return {
        **({"runs": counted} if query["runs"] else {}),
        **({"marks": _marks(services, query)} if query["marks"] else {}),
        "train_jobs": page.jobs,
        "looked_into": page.looked_into,
        "outdated": page.outdated,
        "unchecked": page.unchecked,
        "counts": {kind.value: count for kind, count in page.counts.items()},
        "severities": {one.value: count for one, count in page.severities.items()},
        "diverged": {train_id: list(kinds) for train_id, kinds in page.diverged.items()},
        "total": page.total,
        "total_count": page.total_count,
        "unlisted": page.unlisted,
        "events": [{"train_id": train_id, **asdict(event)} for train_id, event in page.events],
    }


def _marks(services: Services, query: dict[str, Any]) -> dict[str, list[dict[str, Any]]]:
    of_jobs = services.health.marks(query["train_id"], query["kind"])
    return {
        train_id: [
            {"kind": one.kind, "rule": one.rule, "tag": one.tag, "places": one.places}
            for one in marks
        ]
        for train_id, marks in of_jobs.items()
    }


@own.get("/findings/place", PlaceQuery)
def read_place(services: Services, query: dict[str, Any]) -> dict[str, Any]:
    """The step before a damaged record, to show the damage in charts."""
    store = services.store
    return {"place": store.damage_place(query["train_id"], query["path"], query["offset"])}
