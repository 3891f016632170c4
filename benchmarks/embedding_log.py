"""Logs with embeddings in torch's format, which both pages read."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from generated_logs import CACHE

from mindviz.summary.torch import SummaryWriter

DIMENSIONS = 8
CLUSTERS = 10


def embedding_log(points: int) -> Path:
    """The base dir of a run with this many points; written if missing."""
    directory = CACHE / "logs" / f"embedding-{points}"
    if not directory.is_dir():
        unfinished = directory.with_name(f"{directory.name}.unfinished")
        rng = np.random.default_rng(points)
        cluster = rng.integers(0, CLUSTERS, points)
        around = rng.normal(0, 12, (CLUSTERS, DIMENSIONS))
        vectors = around[cluster] + rng.normal(0, 1, (points, DIMENSIONS))
        with SummaryWriter(str(unfinished / "run")) as writer:
            writer.add_embedding(vectors, [f"cluster {one}" for one in cluster], tag="words")
        unfinished.rename(directory)
    return directory
