"""The contract's route about histograms: all steps on the same buckets."""

from __future__ import annotations

from flask import Response

from mindviz.backend import schemas
from mindviz.backend.datavisual.contract_tags import log_tag
from mindviz.backend.encoding import to_json
from mindviz.backend.routes import Routes
from mindviz.backend.services import Services
from mindviz.datavisual.plugins import histogram
from mindviz.datavisual.plugins.histogram import AlignedHistograms

PLUGIN = histogram.PLUGIN.name


def add_routes(routes: Routes, services: Services) -> None:
    """Add the routes of this module."""
    store, responses = services.store, services.responses

    @routes.get("/datavisual/histograms", schemas.TagQuery)
    def read_histograms(query: dict[str, str]) -> Response:
        """Every step's buckets `[left, width, count]`, aligned across steps."""
        train_id = query["train_id"]
        version = responses.versions([train_id])
        tag = log_tag(store, train_id, PLUGIN, query["tag"])

        def make() -> bytes:
            found = histogram.aligned(store, train_id, tag)
            rows = [
                {"wall_time": wall_time, "step": step, "buckets": buckets}
                for wall_time, step, buckets in zip(
                    found.wall_time.tolist(), found.step.tolist(), bucket_rows(found), strict=True
                )
            ]
            return to_json({"train_id": train_id, "tag": query["tag"], "histograms": rows})

        return responses.cached(version, make)


def bucket_rows(found: AlignedHistograms) -> list[list[list[float]]]:
    """Of each step its buckets as the contract has them: left, width, count."""
    left = found.left.tolist()
    return [
        [[edge, found.width, count] for edge, count in zip(left, counts, strict=True)]
        for counts in found.count.tolist()
    ]
