"""UnpackedJobs: which jobs are packed, and when."""

from __future__ import annotations

import time
from collections.abc import Mapping
from threading import Lock

from mindviz.datavisual.logs.loading.cached_job import CachedJob

_QUIET_SECONDS = 10.0
"""A job that was committed or used within this time stays unpacked."""


class UnpackedJobs:
    """Packs all but `most` jobs. Thread-safe."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._jobs: dict[CachedJob, None] = {}
        """The least recently committed first."""
        self._lock = Lock()

    def committed(self, job: CachedJob, *, is_new: bool) -> None:
        """A job was published; pack it if it is new and there are enough others."""
        with self._lock:
            self._jobs.pop(job, None)
            self._jobs[job] = None
            enough = len(self._jobs) > self.most
        if enough and is_new:
            self._pack(job)

    def pack_idle(self, jobs: Mapping[str, CachedJob]) -> None:
        """Pack what is not in use, and forget what is not in `jobs`."""
        with self._lock:
            over = len(self._jobs) - self.most
            candidates = list(self._jobs) if over > 0 else []
        quiet = time.monotonic() - _QUIET_SECONDS
        for job in candidates:
            if over <= 0:
                return
            if jobs.get(job.train_id) is not job:
                with self._lock:
                    self._jobs.pop(job, None)
                over -= 1
            elif max(job.committed, job.last_used) < quiet and self._pack(job):
                over -= 1

    def _pack(self, job: CachedJob) -> bool:
        if not job.pack():
            return False
        with self._lock:
            if job.packed is not None:
                self._jobs.pop(job, None)
        return True
