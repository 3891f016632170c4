"""Points set aside from a scalar series, which charts draw faintly behind its line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from mindviz.datavisual.health.anomalies import restart_steps, strays
from mindviz.datavisual.series.columns import Bools, Float64s, Int64s
from mindviz.datavisual.series.sampling import minmax
from mindviz.datavisual.series.time_series import ScalarTimeSeries
from mindviz.datavisual.store import Store

MAX_PIECES = 500
"""Pieces per series, the longest."""
_LEAST = 4
"""Minimum number of points of a reduced piece."""


class Reason(StrEnum):
    """Why points are set aside."""

    REPLACED = "replaced"
    """Rewritten by a restart, or by a repeated step."""
    STRAY = "stray"
    """Their writer did not continue the series."""
    WRITER = "writer"
    """Written to another file at the same time."""


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """Consecutively written points, steps strictly increasing."""

    reason: Reason
    count: int
    """Points before reduction; the columns may be shorter."""
    step: Int64s
    wall_time: Float64s
    value: Float64s
    writer: str | None = None
    """The file, for `Reason.WRITER`."""


@dataclass(frozen=True, slots=True)
class SetAside:
    """The restarts of a series, and its points that do not count."""

    steps: Sequence[int]
    """The first step of each rewrite."""
    pieces: Sequence[Piece]


def restarts_of(store: Store, train_id: str, tag: str, max_points: int) -> SetAside | None:
    """About `max_points` points that do not count; None if there can be none, nor restarts.

    Raises TrainJobNotFound, TagNotFound.
    """
    series = store.read_scalars(train_id, tag)
    if series.superseded_count == 0 and (not max_points or len(series.writers) < 2):
        return None
    written = store.read_scalars(train_id, tag, restarts="all")
    pieces = pieces_of(store, train_id, tag, written, max_points) if max_points else ()
    return SetAside(restart_steps(written), pieces)


def pieces_of(
    store: Store, train_id: str, tag: str, written: ScalarTimeSeries, max_points: int
) -> list[Piece]:
    """Points that are not on the line, reduced to about `max_points`, longest piece first.

    `written` has all points of the line. Raises TrainJobNotFound, TagNotFound.
    """
    pieces = list(_apart(written))
    for writer in written.writers[1:]:
        other = store.read_scalars(train_id, tag, writer=writer)
        rows = np.arange(len(other.step))
        pieces.append(replace(_piece(Reason.WRITER, other, rows), writer=writer))
    pieces.sort(key=lambda piece: -piece.count)
    total = sum(piece.count for piece in pieces)
    return [
        _reduced(piece, max(_LEAST, max_points * piece.count // total))
        for piece in pieces[:MAX_PIECES]
    ]


def _apart(written: ScalarTimeSeries) -> Iterator[Piece]:
    if not written.superseded.any():
        return
    stray = strays(written)
    replaced = np.flatnonzero(written.superseded & ~stray)
    yield from _split(Reason.REPLACED, written, replaced, replaced[1:] > replaced[:-1] + 1)
    # Interleaved strays form one piece: usually a second step counter, such as validation.
    rows = np.flatnonzero(stray)
    yield from _split(Reason.STRAY, written, rows, np.zeros(max(0, len(rows) - 1), np.bool_))


def _split(
    reason: Reason, written: ScalarTimeSeries, rows: Int64s, breaks: Bools
) -> Iterator[Piece]:
    step = written.step[rows]
    ends = np.flatnonzero(breaks | (step[1:] <= step[:-1])) + 1
    for part in np.split(rows, ends):
        if len(part):
            yield _piece(reason, written, part)


def _piece(reason: Reason, series: ScalarTimeSeries, rows: Int64s) -> Piece:
    step, wall_time, value = series.step[rows], series.wall_time[rows], series.value[rows]
    return Piece(reason, len(rows), step, wall_time, value)


def _reduced(piece: Piece, max_points: int) -> Piece:
    kept = minmax(piece.value, max_points)
    return replace(
        piece, step=piece.step[kept], wall_time=piece.wall_time[kept], value=piece.value[kept]
    )
