"""What the files of a run share or do without once they are read: there may be thousands."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from functools import lru_cache

from mindviz.datavisual.logs.log_file import FileIdentity
from mindviz.datavisual.series.columns import SeriesHead

_FEW = 200
"""Larger ones take long to compare, and few files have them."""

_QUIET_SECONDS = 600.0


def is_quiet(identity: FileIdentity) -> bool:
    """Whether a file is not expected to grow."""
    return time.time() - identity.mtime_ns / 1e9 > _QUIET_SECONDS


def shared_series(series: Sequence[SeriesHead]) -> Sequence[SeriesHead]:
    """An equal table, of which there is one."""
    return _series(tuple(series)) if len(series) <= _FEW else series


def shared_metadata(metadata: Mapping[int, bytes]) -> Mapping[int, bytes]:
    """An equal mapping, of which there is one."""
    return _metadata(tuple(metadata.items())) if len(metadata) <= _FEW else metadata


@lru_cache(maxsize=1000)
def _series(series: tuple[SeriesHead, ...]) -> Sequence[SeriesHead]:
    return series


@lru_cache(maxsize=1000)
def _metadata(metadata: tuple[tuple[int, bytes], ...]) -> Mapping[int, bytes]:
    return dict(metadata)
