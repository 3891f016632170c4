"""Run facts: what a log says about the whole run, as series of one blob at step 0.

The generic interface (TensorBoard's data API, 2019) has no class for values without a step.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from dataclasses import asdict

import numpy as np

from mindviz.datavisual.series.lineage_facts import Fact, JobLineage
from mindviz.datavisual.series.time_series import DataClass, ValueTimeSeries
from mindviz.errors import InvalidQuery


def fact_series(job: JobLineage, blob: bytes, writer: str | None = None) -> ValueTimeSeries:
    """One blob at step 0, at the start time of the job. Raises InvalidQuery for any `writer`."""
    if writer is not None:
        raise InvalidQuery(f"There is no writer {writer!r}; this is a fact of the whole job.")
    time = job.facts.session_start
    return ValueTimeSeries(
        data_class=DataClass.BLOB_SEQUENCE,
        step=np.zeros(1, np.int64),
        wall_time=np.array([job.create_time if time is None else time]),
        read=lambda _: blob,
        # A fingerprint of the content: a fact may change while a job runs.
        epoch=f"{zlib.crc32(blob):x}",
    )


def facts_of(job: JobLineage) -> Mapping[str, Fact]:
    """What the log says about the job, by kind; empty kinds are left out."""
    facts = job.facts
    found: dict[str, Fact] = {
        "train": facts.train and asdict(facts.train),
        "evaluation": facts.evaluation and asdict(facts.evaluation),
        "dataset_graph": facts.dataset_graph,
        "user_defined": dict(facts.user_defined) or None,
        "hyper_parameters": dict(facts.hyper_parameters) or None,
        "metric_tags": [tag.name for tag in facts.metric_tags] or None,
        "session_status": facts.session_status,
    }
    return {name: fact for name, fact in found.items() if fact is not None}


def fact_blob(fact: Fact) -> bytes:
    """JSON; NaN and infinities as Python's json writes them."""
    return json.dumps(fact, sort_keys=True, ensure_ascii=False).encode("utf-8", "replace")
