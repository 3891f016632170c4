"""TagStatistics: statistics of a few tags in all packed jobs."""

from __future__ import annotations

import struct
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, Final
from weakref import WeakKeyDictionary

import numpy as np

from mindviz.datavisual.logs.loading.cached_job import CachedJob
from mindviz.datavisual.logs.warm.kept_statistics import STATISTICS, Statistic
from mindviz.datavisual.logs.warm.pack_index import PackIndex, StoredJob
from mindviz.datavisual.logs.warm.warm_cache import WarmCache
from mindviz.datavisual.series.columns import STATS_DTYPES, Int64s
from mindviz.datavisual.store import ScalarSummaries
from mindviz.deadline import begin_long_work, check
from mindviz.errors import TrainJobNotFound

_ROW = struct.Struct("<q3d2q")
"""Version of the job, and the statistics."""
_VERSION = struct.Struct("<q")
_FEW_JOBS = 1000
"""Decoding more is long work."""
_MOST_TAGS = 4
"""A tag takes 50 bytes per job in an index of the warm cache, and 0.2 kB per other job."""
_UNKNOWN: Final = object()


@dataclass(frozen=True, slots=True)
class _InIndex:
    """The statistics of the jobs in an index."""

    columns: Sequence[Statistic]
    without: Int64s
    """Jobs without such a series."""
    unknown: Int64s
    """Jobs that must be decoded."""

    def values(self, statistic: str) -> list[Any]:
        """A statistic of each job; None if it has no such series, or _UNKNOWN."""
        values: list[Any] = self.columns[STATISTICS.index(statistic)].tolist()
        for places, value in ((self.without, None), (self.unknown, _UNKNOWN)):
            for place in places.tolist():
                values[place] = value
        return values


@dataclass(frozen=True, slots=True)
class _KnownTag:
    """What is known of a tag."""

    indices: WeakKeyDictionary[PackIndex, _InIndex] = field(default_factory=WeakKeyDictionary)
    rows: dict[str, bytes] = field(default_factory=dict)
    """By train_id, of other jobs."""


class TagStatistics:
    """The tags that were read last. Thread-safe.

    Decoding a packed job takes 0.2 ms, so a list sorted by a metric decodes only those whose
    statistics are not in the warm cache.
    """

    def __init__(self, warm: WarmCache | None = None) -> None:
        self._warm = warm
        self._tags: OrderedDict[str, _KnownTag] = OrderedDict()
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
        known = self._known(tag)
        found, others = self._in_indices(jobs, tag, statistic, known)
        rows = known.rows
        if sum(train_id not in rows for train_id in others) > _FEW_JOBS:
            begin_long_work()
        if self._warm is not None:
            _take_over(rows, others, tag, self._warm)
        column = 1 + STATISTICS.index(statistic)
        for train_id, job in others.items():
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
        for train_id in rows.keys() - others.keys() if len(rows) > len(others) else ():
            rows.pop(train_id, None)
        return found

    def _known(self, tag: str) -> _KnownTag:
        with self._lock:
            known = self._tags.setdefault(tag, _KnownTag())
            self._tags.move_to_end(tag)
            if len(self._tags) > _MOST_TAGS:
                self._tags.popitem(last=False)
            return known

    def _in_indices(
        self, jobs: Mapping[str, CachedJob], tag: str, statistic: str, known: _KnownTag
    ) -> tuple[dict[str, float | int], dict[str, CachedJob]]:
        """The statistic of jobs that are as in an index, by train_id, and all other jobs."""
        found: dict[str, float | int] = {}
        others: dict[str, CachedJob] = {}
        by_index: dict[PackIndex, list[Any]] = {}
        for train_id, job in jobs.items():
            packed = job.packed
            if isinstance(packed, StoredJob) and self._warm is not None:
                table = packed.table
                values = by_index.get(table)
                if values is None:
                    check()
                    in_index = known.indices.get(table)
                    if in_index is None:
                        in_index = known.indices[table] = _in_index(table, tag, self._warm)
                    values = by_index[table] = in_index.values(statistic)
                value = values[packed.number]
                if value is not _UNKNOWN:
                    if value is not None:
                        found[train_id] = value
                    continue
            others[train_id] = job
        return found, others


def _in_index(table: PackIndex, tag: str, warm: WarmCache) -> _InIndex:
    origins = table.origins
    order = np.argsort(origins)
    unknown = np.ones(len(origins), np.bool_)
    without = np.zeros(len(origins), np.bool_)
    columns = [np.zeros(len(origins), STATS_DTYPES[name]) for name in STATISTICS]
    for offsets, of_tag in warm.statistics(table.pack, tag):
        is_listed = np.isin(offsets, origins)
        places = order[np.searchsorted(origins, offsets[is_listed], sorter=order)]
        unknown[places] = False
        if of_tag is None:
            without[places] = True
            continue
        for column, values in zip(columns, of_tag, strict=True):
            column[places] = values[is_listed]
    return _InIndex(columns, np.flatnonzero(without), np.flatnonzero(unknown))


def _take_over(
    rows: dict[str, bytes], jobs: Mapping[str, CachedJob], tag: str, warm: WarmCache
) -> None:
    """Add the rows that the warm cache has."""
    by_pack: dict[str, dict[int, tuple[str, int]]] = {}
    for train_id, job in jobs.items():
        version = job.version  # first: a row of a later version is only computed again
        packed = job.packed
        origin = None if packed is None else packed.origin
        row = rows.get(train_id)
        if origin is not None and (row is None or _VERSION.unpack_from(row)[0] != version):
            by_pack.setdefault(origin[0], {})[origin[1]] = train_id, version
    for pack, wanted in by_pack.items():
        check()
        for offsets, of_tag in warm.statistics(pack, tag):
            columns = () if of_tag is None else [column.tolist() for column in of_tag]
            for place, offset in enumerate(offsets.tolist()):
                if offset not in wanted:
                    continue
                train_id, version = wanted[offset]
                values = [column[place] for column in columns]
                rows[train_id] = _ROW.pack(version, *values) if values else _VERSION.pack(version)


def _row(version: int, summaries: ScalarSummaries, tag: str) -> bytes:
    index = summaries.index_of(tag)
    if index < 0:
        return _VERSION.pack(version)
    return _ROW.pack(version, *(getattr(summaries.stats, name)[index] for name in STATISTICS))
