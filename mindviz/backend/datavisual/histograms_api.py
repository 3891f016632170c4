"""The contract's route for histograms: all steps on the same buckets."""

from __future__ import annotations

from typing import Any

from mindviz.backend.datavisual.contract_tags import log_tag
from mindviz.backend.routes import Routes, job_version
from mindviz.backend.schemas import TagQuery
from mindviz.backend.services import Services
from mindviz.datavisual.plugins import histogram
from mindviz.datavisual.plugins.histogram import AlignedHistograms

contract = Routes()

PLUGIN = histogram.PLUGIN.name


@contract.get("/datavisual/histograms", TagQuery, version=job_version)
def read_histograms(services: Services, query: dict[str, str]) -> dict[str, Any]:
    """The buckets `[left, width, count]` of each step, aligned across steps."""
    train_id = query["train_id"]
    tag = log_tag(services.store, train_id, PLUGIN, query["tag"])
    bars = histogram.aligned(services.store, train_id, tag)
    rows = [
        {"wall_time": wall_time, "step": step, "buckets": buckets}
        for wall_time, step, buckets in zip(
            bars.wall_time.tolist(), bars.step.tolist(), bucket_rows(bars), strict=True
        )
    ]
    return {"train_id": train_id, "tag": query["tag"], "histograms": rows}


def bucket_rows(bars: AlignedHistograms) -> list[list[list[float]]]:
    """The buckets of each step: left, width, count."""
    left = bars.left.tolist()
    return [
        [[edge, bars.width, count] for edge, count in zip(left, counts, strict=True)]
        for counts in bars.count.tolist()
    ]
