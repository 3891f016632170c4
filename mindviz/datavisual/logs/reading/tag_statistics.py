"""TagStatistics: statistics of a few tags in all packed jobs."""

from __future__ import annotations

import struct
from collections import OrderedDict
from collections.abc import Callable, Mapping
from threading import Lock

from mindviz.datavisual.logs.loading.cached_job import CachedJob
from mindviz.datavisual.logs.warm.kept_statistics import STATISTICS
from mindviz.datavisual.logs.warm.warm_cache import WarmCache
from mindviz.datavisual.store import ScalarSummaries
from mindviz.deadline import begin_long_work, check
from mindviz.errors import TrainJobNotFound

_ROW = struct.Struct("<q3d2q")
"""Version of the job, and the statistics."""
_VERSION = struct.Struct("<q")
_FEW_JOBS = 1000
"""Decoding more is long work."""
_MOST_TAGS = 4
"""A tag takes 0.2 kB per job."""


class TagStatistics:
    """The tags that were read last. Thread-safe.

    Decoding a packed job takes 0.2 ms, so a list sorted by a metric decodes only those whose
    statistics are not in the warm cache.
    """

    def __init__(self, warm: WarmCache | None = None) -> None:
        self._warm = warm
        self._rows: OrderedDict[str, dict[str, bytes]] = OrderedDict()
        self._lock = Lock()

    def read(
        self,
        jobs: Mapping[str, CachedJob],
        tag: str,
        statistic: str,
        summaries: Callable[[str], ScalarSummaries],
    ) -> Mapping[str, float | int] | None:
        """As `Store.scalar_statistic`; `summaries` are of a train_id."""
        if statistic not in STATISTICS:
            return None
        rows = self._rows_of(tag)
        if len(jobs) - len(rows) > _FEW_JOBS:
            begin_long_work()
        if self._warm is not None:
            _take_over(rows, jobs, tag, self._warm)
        column = 1 + STATISTICS.index(statistic)
        found: dict[str, float | int] = {}
        for train_id, job in jobs.items():
            row = rows.get(train_id, b"")
            if not row or _VERSION.unpack_from(row)[0] != job.version:
                check()
                try:
                    # At once: a request that is repeated after its time limit continues here.
                    row = rows[train_id] = _row(job.version, summaries(train_id), tag)
                except TrainJobNotFound:  # just deleted
                    continue
            if len(row) == _ROW.size:
                found[train_id] = _ROW.unpack(row)[column]
        for train_id in rows.keys() - jobs.keys() if len(rows) > len(jobs) else ():
            rows.pop(train_id, None)
        return found

    def _rows_of(self, tag: str) -> dict[str, bytes]:
        with self._lock:
            rows = self._rows.setdefault(tag, {})
            self._rows.move_to_end(tag)
            if len(self._rows) > _MOST_TAGS:
                self._rows.popitem(last=False)
            return rows


def _take_over(
    rows: dict[str, bytes], jobs: Mapping[str, CachedJob], tag: str, warm: WarmCache
) -> None:
    """Add the rows that the warm cache has."""
    by_pack: dict[str, list[tuple[str, int, int]]] = {}
    for train_id, job in jobs.items():
        version = job.version  # first: a row of a later version is only computed again
        packed = job.packed
        origin = None if packed is None else packed.origin
        row = rows.get(train_id)
        if origin is not None and (row is None or _VERSION.unpack_from(row)[0] != version):
            by_pack.setdefault(origin[0], []).append((train_id, version, origin[1]))
    for pack, wanted in by_pack.items():
        check()
        found = warm.statistics(pack, tag)
        for train_id, version, offset in wanted:
            values = found.get(offset)
            if values is not None:
                rows[train_id] = _ROW.pack(version, *values) if values else _VERSION.pack(version)


def _row(version: int, summaries: ScalarSummaries, tag: str) -> bytes:
    index = summaries.index_of(tag)
    if index < 0:
        return _VERSION.pack(version)
    return _ROW.pack(version, *(getattr(summaries.stats, name)[index] for name in STATISTICS))
