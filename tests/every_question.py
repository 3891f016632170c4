"""Questions for `mindviz ask` about any logs."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence


def every_question(train_ids: Sequence[str], tags: Sequence[str]) -> Iterator[str]:
    """Of each kind, for these runs and scalar tags."""
    yield from ("list", "find 'loss < 1'", "config", "health")
    for run in map(shlex.quote, train_ids):
        yield from (f"run {run}", f"health {run}", f"around {run} 1", f"compare {run} {run}")
        yield from (f"series {run} {shlex.quote(tag)}" for tag in tags)
