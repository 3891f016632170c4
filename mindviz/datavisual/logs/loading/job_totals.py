"""JobTotals: sums over all train jobs of a cache."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace

from mindviz.datavisual.logs.loading.cached_job import CachedJob
from mindviz.datavisual.logs.loading.job_numbers import columns_of
from mindviz.datavisual.logs.warm.kept_job import KeptJob, Rows

_SUMS = ("points", "bytes", "bytes_read", "files", "problems")
_PATIENCE = 20
"""While logs are loaded, sums are recomputed after this many times their own duration."""
_FEW_JOBS = 1000
"""Up to this number, jobs are inspected one by one."""


@dataclass(frozen=True, slots=True)
class JobTotals:
    """Sums over all jobs at one version of the cache, which clients request all the time."""

    version: int
    good_until: float
    """Monotonic seconds until which sums are reused while logs are loaded."""
    train_jobs: int
    loaded_train_jobs: int
    files: int
    points: int
    bytes: int
    bytes_read: int
    problems: int
    """Findings of files, known while they are read."""

    @staticmethod
    def of(version: int, jobs: Collection[CachedJob]) -> JobTotals:
        """The current sums."""
        started = time.monotonic()
        packed, others = _divided(jobs, lambda job: job.packed)
        sums = dict.fromkeys(_SUMS, 0)
        for job in others:
            for name, number in zip(_SUMS, job.sums, strict=True):
                sums[name] += number
        totals = JobTotals(
            version=version,
            good_until=0.0,
            train_jobs=len(jobs),
            loaded_train_jobs=len(packed) + sum(job.complete for job in others),
            **{name: int(packed[name].sum()) + sums[name] for name in _SUMS},
        )
        now = time.monotonic()
        return replace(totals, good_until=now + _PATIENCE * (now - started))


@dataclass(frozen=True, slots=True)
class ProblemTotal:
    """Findings of all jobs at one version of the cache."""

    version: int = -1
    good_until: float = 0.0
    """Monotonic seconds until which findings are reused."""
    problems: int = 0

    def at(self, version: int, jobs: Collection[CachedJob]) -> ProblemTotal:
        """The findings at this version; those of 10,000 jobs take as long as other requests."""
        started = time.monotonic()
        if self.version == version and started < self.good_until:
            return self
        problems = problem_count(jobs)
        now = time.monotonic()
        patience = 0 if len(jobs) <= _FEW_JOBS else _PATIENCE * (now - started)
        return ProblemTotal(version, now + patience, problems)


def problem_count(jobs: Collection[CachedJob]) -> int:
    """Findings of all jobs; of very many, only those that are known without a catalog.

    A catalog takes 0.1 ms per job; the listing of jobs creates it.
    """
    look = len(jobs) <= _FEW_JOBS
    packed, others = _divided(jobs, lambda job: job.plain)
    of_others = sum(_problems(job, look=look) + len(job.read_findings) for job in others)
    return int(packed["problems"].sum()) + of_others


def _divided(
    jobs: Collection[CachedJob], packed: Callable[[CachedJob], KeptJob | None]
) -> tuple[Rows, list[CachedJob]]:
    """The numbers of packed jobs, and the other jobs."""
    rows, others = [], []
    for job in jobs:
        kept = packed(job)
        if kept is None:
            others.append(job)
        else:
            rows.append(kept.row)
    return columns_of(rows), others


def _problems(job: CachedJob, *, look: bool) -> int:
    packed = job.packed
    if packed is not None:
        return packed.sums[-1]
    snapshot = job.snapshot
    if look or "findings" in vars(snapshot):
        return len(snapshot.findings)
    return snapshot.problems_of_files
