"""Numbers of many jobs at once: packed jobs are not unpacked one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from mindviz.datavisual.logs.loading.cached_job import CachedJob
from mindviz.datavisual.logs.warm.kept_job import (
    ROW_SIZE,
    ROWS,
    WHOLE_ROW,
    KeptJob,
    Rows,
    Traits,
    row_of,
)
from mindviz.datavisual.logs.warm.pack_index import StoredJob, rows_of
from mindviz.datavisual.run_listing import JobVersion, ListedRun, RunListing
from mindviz.datavisual.series.columns import Int64s
from mindviz.datavisual.series.job_lineages import JobLineages
from mindviz.datavisual.series.lineage_facts import NO_FACTS
from mindviz.datavisual.series.value_order import latest_first


class JobNumbers:
    """Jobs in some order, with the numbers of those that are packed.

    It has no `KeptJob`: the data of one that is packed again should be freed.
    """

    def __init__(
        self,
        jobs: Sequence[CachedJob],
        versions: Int64s,
        traits: Sequence[Traits | None],
        rows: Rows,
    ) -> None:
        self.jobs = jobs
        self.versions = versions
        self.traits = traits
        """None for jobs that were not packed."""
        self.rows = rows
        """Zeros for jobs that were not packed."""

    @classmethod
    def of(cls, jobs: Iterable[CachedJob]) -> JobNumbers:
        """The numbers of these jobs."""
        known = list(jobs)
        versions: list[int] = []
        kept: list[KeptJob | None] = []
        traits: list[Traits | None] = []
        # In one pass: of 100,000 jobs, each has left the processor's cache before the next one.
        for job in known:
            # First: numbers that are newer than their version are only read again.
            versions.append(job.version)
            packed = job.packed
            kept.append(packed)
            traits.append(None if packed is None else packed.traits)
        return cls(known, np.array(versions, np.int64), traits, _rows_of(kept))

    @cached_property
    def train_ids(self) -> Sequence[str]:
        """Of all jobs."""
        return [job.train_id for job in self.jobs]

    @property
    def unpacked(self) -> list[int]:
        """The places of jobs that were not packed."""
        return [place for place, traits in enumerate(self.traits) if traits is None]

    def by_update(self) -> JobNumbers:
        """The same jobs, last updated first, then by train_id."""
        times = self.rows["update_time"].copy()
        for place in self.unpacked:
            times[place] = self.jobs[place].update_time
        order = latest_first(times, self.train_ids.__getitem__)
        places = order.tolist()
        jobs, traits = ([column[place] for place in places] for column in (self.jobs, self.traits))
        rows = self.rows.view(WHOLE_ROW)[order].view(ROWS)
        numbers = JobNumbers(jobs, self.versions[order], traits, rows)
        vars(numbers)["train_ids"] = [self.train_ids[place] for place in places]
        return numbers

    def lineages(self) -> JobLineages:
        """The lineages of the jobs."""
        versions, changed = self.versions, self.changed()
        created, updated = (self.rows[name] for name in ("create_time", "update_time"))
        known = [NO_FACTS if traits is None else traits.facts for traits in self.traits]
        if changed:
            versions, created, updated = versions.copy(), created.copy(), updated.copy()
        for place in changed:
            lineage = self.jobs[place].lineage
            versions[place], known[place] = lineage.version, lineage.facts
            created[place], updated[place] = lineage.create_time, lineage.update_time
        facts = {place: one for place, one in enumerate(known) if one is not NO_FACTS}
        return JobLineages(self.train_ids, versions, created, updated, facts)

    def listing(self, listed: Callable[[CachedJob], ListedRun]) -> RunListing:
        """The listing of the jobs; `listed` gives the row of one."""
        changed = {place: listed(self.jobs[place]) for place in self.changed(plain=True)}
        described: list[Any] = [*self.traits]
        rows = self.rows
        if changed:
            rows = rows.copy()
            rows[[*changed]] = _joined(map(row_of, changed.values()))
        for place, run in changed.items():
            described[place] = run
        columns: Any = {name: rows[name] for name in ListedRun._fields[:7]}
        return RunListing(
            train_id=self.train_ids,
            formats=[one.formats for one in described],
            display_name=[one.display_name for one in described],
            session_status=[one.session_status for one in described],
            tags=[one.tags for one in described],
            **columns,
        )

    def job_versions(self) -> Sequence[JobVersion]:
        """What tells whether the jobs have changed."""
        changed = self.changed(plain=True)
        if not changed:
            return self._versions_then
        versions = [*self._versions_then]
        for place in changed:
            job = self.jobs[place]
            versions[place] = JobVersion(job.train_id, job.version, job.listed.problems)
        return versions

    @cached_property
    def _versions_then(self) -> Sequence[JobVersion]:
        rows = zip(
            self.train_ids, self.versions.tolist(), self.rows["problems"].tolist(), strict=True
        )
        return list(map(JobVersion._make, rows))

    def changed(self, *, plain: bool = False) -> list[int]:
        """The places of jobs that were not packed or have changed.

        With `plain`, also of those of which lists need more.
        """
        versions = (job.plain_version if plain else job.version for job in self.jobs)
        is_same = np.fromiter(versions, np.int64, len(self.jobs)) == self.versions
        is_same[self.unpacked] = False
        return np.flatnonzero(~is_same).tolist()


def _rows_of(kept: Sequence[KeptJob | None]) -> Rows:
    """The numbers of packed jobs; those in indices are gathered at once."""
    stored = [one for one in kept if isinstance(one, StoredJob)]
    if len(stored) == len(kept):
        return rows_of(stored)
    # Not as a list: the bytes of 100,000 rows take 20 MB more.
    data = bytearray(len(kept) * ROW_SIZE)
    for place, one in enumerate(kept):
        if one is not None and not isinstance(one, StoredJob):
            data[place * ROW_SIZE : (place + 1) * ROW_SIZE] = one.row
    rows = np.frombuffer(data, ROWS)
    if stored:
        rows[[isinstance(one, StoredJob) for one in kept]] = rows_of(stored)
    return rows


def _joined(rows: Iterable[bytes]) -> Rows:
    return np.frombuffer(b"".join(rows), ROWS)
