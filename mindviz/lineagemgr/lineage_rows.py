"""LineageRows: the lineages of all jobs, of which most may be without facts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import overload

from mindviz.datavisual.analysis.lineage import Lineage
from mindviz.datavisual.series.job_lineages import JobLineages


class LineageRows(Sequence[Lineage]):
    """Lineages without facts are created on access: 100,000 would take 40 MB, not 3."""

    def __init__(self, jobs: JobLineages, logged: Mapping[int, Lineage]) -> None:
        """`logged` are the lineages with facts, by their place in `jobs`, in order."""
        self.train_ids = jobs.train_ids
        self.logged = logged
        self._jobs = jobs

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
        return Lineage(*self._jobs[row][:4], is_logged=False)
