"""JobLineages: the lineages of many train jobs as columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import overload

import numpy as np

from mindviz.datavisual.series.columns import Float64s, Int64s
from mindviz.datavisual.series.lineage_facts import NO_FACTS, JobLineage, LineageFacts


class JobLineages(Sequence[JobLineage]):
    """Lineages that are created on access: most of 100,000 jobs have no facts."""

    def __init__(
        self,
        train_ids: Sequence[str],
        versions: Int64s,
        created: Float64s,
        updated: Float64s,
        facts: Mapping[int, LineageFacts],
    ) -> None:
        """`facts` are those of the jobs that have any, by place, in order."""
        self.train_ids = train_ids
        self.versions = versions
        self.created = created
        self.updated = updated
        self._facts = facts

    @classmethod
    def of(cls, jobs: Sequence[JobLineage]) -> JobLineages:
        """The columns of these lineages."""
        if isinstance(jobs, JobLineages):
            return jobs
        return cls(
            [job.train_id for job in jobs],
            np.fromiter((job.version for job in jobs), np.int64, len(jobs)),
            np.fromiter((job.create_time for job in jobs), np.float64, len(jobs)),
            np.fromiter((job.update_time for job in jobs), np.float64, len(jobs)),
            {place: job.facts for place, job in enumerate(jobs) if job.facts is not NO_FACTS},
        )

    @property
    def logged(self) -> dict[int, JobLineage]:
        """The lineages with facts, by place."""
        return {place: self[place] for place in self._facts}

    def __len__(self) -> int:
        return len(self.train_ids)

    @overload
    def __getitem__(self, index: int) -> JobLineage: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[JobLineage]: ...
    def __getitem__(self, index: int | slice) -> JobLineage | Sequence[JobLineage]:
        if isinstance(index, slice):
            return [self[place] for place in range(len(self))[index]]
        place = range(len(self))[index]
        columns = self.versions, self.created, self.updated
        version, created, updated = (column[place].item() for column in columns)
        facts = self._facts.get(place, NO_FACTS)
        return JobLineage(self.train_ids[place], version, created, updated, facts)
