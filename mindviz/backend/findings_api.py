"""Routes of our own about what is wrong in logs, and what is odd in their series."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from flask import Response

from mindviz.backend.datavisual.train_jobs_api import finding_item
from mindviz.backend.encoding import to_json
from mindviz.backend.routes import Routes
from mindviz.backend.schemas import IntegerField, StrictQuery, text, texts
from mindviz.backend.services import Services
from mindviz.datavisual.data_transform.experiment import Experiment
from mindviz.datavisual.data_transform.findings import HARMLESS, Finding
from mindviz.datavisual.series_health import signs
from mindviz.errors import TagNotFound, TrainJobNotFound

MAX_FINDINGS = 1000
"""On one page."""
MAX_SIGNS = 10_000
"""Of one job."""


class FindingsQuery(StrictQuery):
    """Which findings."""

    train_id = texts(about="Only of these train jobs; all, if there is none.")
    kind = texts(about="Only of these kinds.")
    offset = IntegerField(
        minimum=0, load_default=0, metadata={"description": "How many to leave out."}
    )
    limit = IntegerField(minimum=0, maximum=MAX_FINDINGS, load_default=100)


class SignsQuery(StrictQuery):
    """Of which job."""

    train_id = text(required=True)
    kind = texts(about="Only of these kinds.")


class PlaceQuery(StrictQuery):
    """Where in which file."""

    train_id = text(required=True)
    path = text(required=True, about="Of a log file of the job, as a finding has it.")
    offset = IntegerField(minimum=0, required=True, metadata={"description": "In bytes."})


def add_routes(routes: Routes, services: Services) -> None:
    """Add the routes of this module."""
    experiment, answers = services.experiment, services.answers

    @routes.get("/findings", FindingsQuery)
    def read_findings(query: dict[str, Any]) -> Response:
        """What is wrong in logs, by train job, the one updated last first."""
        # What a reading finds is not part of a job's version.
        kinds, start = frozenset(query["kind"]), query["offset"]
        found = [
            (train_id, finding)
            for train_id, finding in _findings(experiment, dict.fromkeys(query["train_id"]))
            if not kinds or finding.kind in kinds
        ]
        page = found[start : start + query["limit"]]
        answer = {
            "total": len(found),
            "counts": Counter(finding.kind.value for _, finding in found),
            "findings": [
                {
                    "train_id": train_id,
                    **finding_item(finding),
                    "harmless": finding.kind in HARMLESS,
                }
                for train_id, finding in page
            ],
        }
        return answers.answer_uncached(to_json(answer))

    @routes.get("/findings/series", SignsQuery)
    def read_signs(query: dict[str, Any]) -> Response:
        """What is odd in a train job's scalars: NaN, restarts, gaps, clocks; by tag and step."""
        train_id = query["train_id"]
        experiment.train_job(train_id)
        kinds = frozenset(query["kind"])
        version = answers.versions([train_id])
        return answers.answer(version, lambda: to_json(_signs(experiment, train_id, kinds)))

    @routes.get("/findings/place", PlaceQuery)
    def read_place(query: dict[str, Any]) -> Response:
        """Where in the charts a damaged record would have been: what was logged just before it."""
        place = experiment.damage_place(query["train_id"], query["path"], query["offset"])
        return answers.answer_uncached(to_json({"place": place and asdict(place)}))


def _findings(
    experiment: Experiment, train_ids: dict[str, None]
) -> Iterator[tuple[str | None, Finding]]:
    """With the train_id of the job concerned; None for the base dir itself."""
    if not train_ids:
        yield from ((None, finding) for finding in experiment.status().problems)
    for job in experiment.list_train_jobs():
        if not train_ids or job.train_id in train_ids:
            yield from ((job.train_id, finding) for finding in job.problems)


def _signs(experiment: Experiment, train_id: str, kinds: frozenset[str]) -> dict[str, Any]:
    items: list[dict[str, Any]] = []
    total = 0
    counts: Counter[str] = Counter()
    for tag in experiment.list_tags(train_id).get("scalar", ()):
        try:
            written = experiment.read_scalars(train_id, tag, restarts="all")
        except (TagNotFound, TrainJobNotFound):
            continue  # gone meanwhile
        found = [sign for sign in signs(written) if not kinds or sign.kind in kinds]
        counts.update(sign.kind.value for sign in found)
        total += len(found)
        items += [{"tag": tag, **asdict(sign)} for sign in found[: MAX_SIGNS - len(items)]]
    return {"train_id": train_id, "total": total, "counts": counts, "signs": items}
