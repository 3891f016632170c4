"""SeriesQuery: selects series of many train jobs, and their points."""

from __future__ import annotations

from dataclasses import dataclass

from mindviz.datavisual.series.selection import Downsample, StepRange
from mindviz.datavisual.series.time_series import DataClass
from mindviz.errors import InvalidQuery


@dataclass(frozen=True, slots=True)
class RunTagFilter:
    """The cross product of a set of train jobs and a set of tags. None admits all."""

    train_ids: frozenset[str] | None = None
    tags: frozenset[str] | None = None

    def admits(self, tag: str) -> bool:
        """Whether the filter admits this tag."""
        return self.tags is None or tag in self.tags


@dataclass(frozen=True, slots=True)
class IndexRange:
    """Elements `start` to `end` of each blob sequence, or only the last one."""

    start: int = 0
    end: int | None = None
    """Exclusive."""
    most_recent: bool = False


@dataclass(frozen=True, slots=True)
class SeriesQuery:
    """Selects series of one plugin, and their points."""

    plugin_name: str
    data_class: DataClass | None = None
    """For listings; None for all classes."""
    run_tag_filter: RunTagFilter = RunTagFilter()
    steps: StepRange = StepRange()
    downsample: Downsample | None = None
    """None for all points. One point of a scalar series is the value written last."""
    indices: IndexRange = IndexRange()
    """For blob sequences."""


def check_query(query: SeriesQuery) -> None:
    """Raise InvalidQuery for invalid numbers."""
    steps, indices, downsample = query.steps, query.indices, query.downsample
    if steps.most_recent is not None and steps.most_recent < 0:
        raise InvalidQuery(f"There cannot be {steps.most_recent} most recent steps.")
    if indices.start < 0 or (indices.end is not None and indices.end < 0):
        raise InvalidQuery("Numbers of a sequence's elements begin at 0.")
    if downsample is None:
        return
    if downsample.num_points < 0:
        raise InvalidQuery(f"A series cannot be downsampled to {downsample.num_points} points.")
    if downsample.strategy not in ("uniform", "reservoir", "minmax"):
        raise InvalidQuery(
            f"{downsample.strategy!r} is not a sampling strategy; "
            "choose uniform, reservoir or minmax."
        )
    if downsample.strategy == "minmax" and query.data_class is not DataClass.SCALAR:
        raise InvalidQuery("Only scalars have smallest and largest points to keep.")
    if downsample.seed < 0:
        raise InvalidQuery("The seed of a reservoir is not negative.")


def index_slice(indices: IndexRange, length: int) -> slice:
    """The elements of a sequence of this length that are in the range."""
    if indices.most_recent:
        return slice(max(0, length - 1), length)
    return slice(indices.start, length if indices.end is None else indices.end)
