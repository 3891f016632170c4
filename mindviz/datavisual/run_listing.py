"""RunListing: what a list shows of all train jobs, as columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mindviz.datavisual.series.columns import Float64s, Int64s

Tags = Mapping[str, Sequence[str]]
"""plugin_name -> tags, sorted."""


@dataclass(frozen=True, slots=True, eq=False)
class RunListing:
    """One row per train job, last updated first. Equal cells are usually the same object."""

    train_id: Sequence[str]
    create_time: Float64s
    """Unix seconds."""
    update_time: Float64s
    """Unix seconds."""
    points: Int64s
    bytes: Int64s
    problems: Int64s
    """Number of findings."""
    lineage_files: Int64s
    formats: Sequence[tuple[str, ...]]
    display_name: Sequence[str]
    session_status: Sequence[str | None]
    tags: Sequence[Tags]

    def __len__(self) -> int:
        """Number of jobs."""
        return len(self.train_id)
