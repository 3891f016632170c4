"""RunResults: the results that the warm cache keeps of runs whose logs have not changed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from hashlib import blake2b
from threading import Lock

from mindviz.datavisual.kept_results import KeptResults, ResultTable
from mindviz.datavisual.logs.loading.cached_job import CachedJob
from mindviz.datavisual.logs.warm.packed_results import KEY_SIZE, PackedResults
from mindviz.datavisual.logs.warm.warm_cache import WarmCache


class RunResults(KeptResults):
    """Results of the jobs of a base dir."""

    def __init__(self, warm: WarmCache, jobs: Callable[[], Mapping[str, CachedJob]]) -> None:
        """`jobs` are all jobs now."""
        self._warm = warm
        self._jobs = jobs
        self._lock = Lock()
        self._tables: dict[str, PackedResults] = {}

    def content(self, train_id: str) -> bytes | None:
        """As in `KeptResults`."""
        job = self._jobs().get(train_id)
        return None if job is None else content_of(job)

    def table(self, of: str) -> ResultTable:
        """As in `KeptResults`."""
        with self._lock:
            return self._tables.setdefault(of, PackedResults(self._warm, of, self._contents))

    def save(self) -> None:
        """Write what was added to any table."""
        with self._lock:
            tables = list(self._tables.values())
        for table in tables:
            table.save(now=True)

    def _contents(self) -> AbstractSet[bytes]:
        return {content for job in self._jobs().values() if (content := content_of(job))}


def content_of(job: CachedJob) -> bytes | None:
    """Identifies all files of a job; None unless what is published is what they have.

    As the warm cache does, it takes a file with the same identity for unchanged.
    """
    with job.commit_lock:
        if job.packed is None and (job.pending or not job.is_listable):
            return None
        train_id, logs = job.train_id, list(job.found.logs)
    digest = blake2b(train_id.encode(), digest_size=KEY_SIZE)
    for name, identity in logs:
        digest.update(b"/%b/%b" % (name.encode(errors="surrogateescape"), identity))
    return digest.digest()
