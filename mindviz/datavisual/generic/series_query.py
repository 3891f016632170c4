"""SeriesQuery: what clients ask a DataProvider for, and who asks."""

from __future__ import annotations

from dataclasses import dataclass

from mindviz.datavisual.series.selection import Downsample, StepRange
from mindviz.datavisual.series.time_series import DataClass


@dataclass(frozen=True, slots=True)
class RequestContext:
    """Who asks."""

    auth_token: str = ""
    """As the client sent it; may be empty."""


@dataclass(frozen=True, slots=True)
class RunTagFilter:
    """The cross product of a set of train jobs and a set of tags.

    None stands for all; an empty set for none.
    """

    train_ids: frozenset[str] | None = None
    tags: frozenset[str] | None = None

    def admits(self, tag: str) -> bool:
        """Whether a series of this tag is meant."""
        return self.tags is None or tag in self.tags


@dataclass(frozen=True, slots=True)
class IndexRange:
    """Which elements of each blob sequence: numbers `start` to `end`, or the last one alone."""

    start: int = 0
    end: int | None = None
    """The first number no longer wanted."""
    most_recent: bool = False


@dataclass(frozen=True, slots=True)
class SeriesQuery:
    """Which series of a plugin are meant, and which of their points."""

    experiment_id: str
    plugin_name: str
    data_class: DataClass | None = None
    """Of lists; None for all."""
    run_tag_filter: RunTagFilter = RunTagFilter()
    steps: StepRange = StepRange()
    downsample: Downsample | None = None
    """None for all points. A single one of a scalar series is the value that was written last."""
    indices: IndexRange = IndexRange()
    """Of blob sequences."""
