"""RecentSnapshots: the snapshots of packed jobs that are in use."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from threading import Lock

from mindviz.datavisual.logs.snapshots.train_job_snapshot import TrainJobSnapshot


class RecentSnapshots:
    """The last used snapshots, by job. Thread-safe."""

    def __init__(self, most: int = 1) -> None:
        self.most = most
        self._snapshots: OrderedDict[Hashable, TrainJobSnapshot] = OrderedDict()
        self._lock = Lock()

    def find(self, job: Hashable) -> TrainJobSnapshot | None:
        """The snapshot of a job."""
        with self._lock:
            snapshot = self._snapshots.get(job)
            if snapshot is not None:
                self._snapshots.move_to_end(job)
            return snapshot

    def keep(self, job: Hashable, snapshot: TrainJobSnapshot) -> None:
        """Add a snapshot."""
        with self._lock:
            self._snapshots[job] = snapshot
            self._snapshots.move_to_end(job)
            if len(self._snapshots) > max(1, self.most):
                self._snapshots.popitem(last=False)

    def forget(self, job: Hashable) -> None:
        """Remove the snapshot of a job."""
        with self._lock:
            self._snapshots.pop(job, None)
