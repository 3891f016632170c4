"""RunListing: what a list shows of all train jobs, as columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from mindviz.datavisual.series.columns import Float64s, Int64s

Tags = Mapping[str, Sequence[str]]
"""plugin_name -> tags, sorted."""


class JobVersion(NamedTuple):
    """Parts of a `TrainJobInfo` that tell whether a train job has changed."""

    train_id: str
    version: int
    problems: int
    """Their number."""


class ListedRun(NamedTuple):
    """What a list shows of one train job."""

    create_time: float
    """Unix seconds."""
    update_time: float
    """Unix seconds."""
    points: int
    bytes: int
    files: int
    lineage_files: int
    problems: int
    """Number of findings."""
    formats: tuple[str, ...]
    display_name: str
    session_status: str | None
    tags: Tags


@dataclass(frozen=True, slots=True, eq=False)
class RunListing:
    """One row per train job, last updated first. Equal cells are usually the same object."""

    train_id: Sequence[str]
    create_time: Float64s
    update_time: Float64s
    points: Int64s
    bytes: Int64s
    files: Int64s
    lineage_files: Int64s
    problems: Int64s
    formats: Sequence[tuple[str, ...]]
    display_name: Sequence[str]
    session_status: Sequence[str | None]
    tags: Sequence[Tags]

    @staticmethod
    def of(train_ids: Sequence[str], runs: Sequence[ListedRun]) -> RunListing:
        """The listing of these jobs."""
        columns: Any = list(zip(*runs, strict=True)) or [()] * len(ListedRun._fields)
        times: Any = [np.array(column, np.float64) for column in columns[:2]]
        counts: Any = [np.array(column, np.int64) for column in columns[2:7]]
        return RunListing(train_ids, *times, *counts, *columns[7:])

    def __len__(self) -> int:
        """Number of jobs."""
        return len(self.train_id)
