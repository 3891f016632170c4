"""LineageRows: the lineages of all jobs, of which most may be without facts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import overload

import numpy as np

from mindviz.datavisual.analysis.lineage import Lineage
from mindviz.datavisual.series.lineage_facts import JobLineage


class LineageRows(Sequence[Lineage]):
    """Lineages without facts are created on access: 100,000 would take 40 MB, not 3."""

    def __init__(self, jobs: Sequence[JobLineage], logged: Mapping[int, Lineage]) -> None:
        """`logged` are the lineages with facts, by their place in `jobs`, in order."""
        self.train_ids = [job.train_id for job in jobs]
        self.logged = logged
        self._versions = np.fromiter((job.version for job in jobs), np.int64, len(jobs))
        self._created = np.fromiter((job.create_time for job in jobs), np.float64, len(jobs))
        self._updated = np.fromiter((job.update_time for job in jobs), np.float64, len(jobs))

    def __len__(self) -> int:
        return len(self.train_ids)

    @overload
    def __getitem__(self, index: int) -> Lineage: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Lineage]: ...
    def __getitem__(self, index: int | slice) -> Lineage | Sequence[Lineage]:
        if isinstance(index, slice):
            return [self[row] for row in range(len(self))[index]]
        row = range(len(self))[index]
        known = self.logged.get(row)
        if known is not None:
            return known
        columns = self._versions, self._created, self._updated
        version, created, updated = (column[row].item() for column in columns)
        return Lineage(self.train_ids[row], version, created, updated, is_logged=False)
