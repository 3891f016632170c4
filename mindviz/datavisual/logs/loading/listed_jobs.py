"""ListedJobs: the entries of a list, created on access."""

from __future__ import annotations

from collections.abc import Sequence
from typing import overload

from mindviz.datavisual.logs.loading.cached_job import CachedJob
from mindviz.datavisual.store import TrainJobInfo


class ListedJobs(Sequence[TrainJobInfo]):
    """Train jobs whose infos are created on access, because a page needs few of ten thousand."""

    def __init__(self, jobs: Sequence[CachedJob]) -> None:
        self._jobs = jobs

    def __len__(self) -> int:
        return len(self._jobs)

    @overload
    def __getitem__(self, index: int) -> TrainJobInfo: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[TrainJobInfo]: ...
    def __getitem__(self, index: int | slice) -> TrainJobInfo | Sequence[TrainJobInfo]:
        if isinstance(index, slice):
            return [job.info for job in self._jobs[index]]
        return self._jobs[index].info
