"""JobTotals: sums over all train jobs of a cache."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from mindviz.datavisual.logs.loading.cached_job import CachedJob
from mindviz.datavisual.logs.loading.job_numbers import JobNumbers

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
    def of(version: int, numbers: Callable[[], JobNumbers]) -> JobTotals:
        """The current sums."""
        started = time.monotonic()
        known = numbers()
        others = [known.jobs[place] for place in known.unpacked]
        sums = dict.fromkeys(_SUMS, 0)
        for job in others:
            for name, number in zip(_SUMS, job.sums, strict=True):
                sums[name] += number
        totals = JobTotals(
            version=version,
            good_until=0.0,
            train_jobs=len(known.jobs),
            loaded_train_jobs=len(known.jobs) - sum(not job.complete for job in others),
            **{name: int(known.rows[name].sum()) + sums[name] for name in _SUMS},
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

    def at(self, version: int, numbers: JobNumbers) -> ProblemTotal:
        """The findings at this version; those of 10,000 jobs take as long as other requests."""
        started = time.monotonic()
        if self.version == version and started < self.good_until:
            return self
        problems = problem_count(numbers)
        now = time.monotonic()
        patience = 0 if len(numbers.jobs) <= _FEW_JOBS else _PATIENCE * (now - started)
        return ProblemTotal(version, now + patience, problems)


def problem_count(numbers: JobNumbers) -> int:
    """Findings of all jobs; of very many, only those that are known without a catalog.

    A catalog takes 0.1 ms per job; the listing of jobs creates it.
    """
    look = len(numbers.jobs) <= _FEW_JOBS
    of_packed, changed = numbers.rows["problems"], numbers.changed(plain=True)
    others = [numbers.jobs[place] for place in changed]
    of_others = sum(_problems(job, look=look) + len(job.read_findings) for job in others)
    return int(of_packed.sum()) - int(of_packed[changed].sum()) + of_others


def _problems(job: CachedJob, *, look: bool) -> int:
    packed = job.packed
    if packed is not None:
        return packed.sums[-1]
    snapshot = job.snapshot
    if look or "findings" in vars(snapshot):
        return len(snapshot.findings)
    return snapshot.problems_of_files
